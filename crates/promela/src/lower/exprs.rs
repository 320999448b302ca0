//! Expressions.

use super::places::Meaning;
use super::{LabelReference, Lowered, Lowering, fail, fail_with};
use crate::ast::{
    BinaryOp as AstBinary, Expr as AstExpr, ExprKind as AstKind, Ident, Literal, Predefined, Probe,
    Receive, ReceiveArg, ReceiveArgKind, ReceiveOp, RemoteRef, UnaryOp as AstUnary,
};
use crate::suggest::closest;
use mandala_model::Diagnostic;
use mandala_model::expr::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Pattern, Place, ReceiveOrder, Root, UnaryOp,
};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::types::Type;

impl Lowering {
    /// An expression with one value.
    pub(super) fn expr(&mut self, expr: &AstExpr) -> Lowered<Expr> {
        let span = expr.span;
        let kind = match &expr.kind {
            AstKind::Const(value, _) => ExprKind::Const(i64::from(*value)),
            AstKind::Var(v) => match self.meaning(v)? {
                Meaning::Constant(value) => ExprKind::Const(value),
                Meaning::Place(place, Type::Scalar(_)) => self.read(place, v.root())?,
                Meaning::Place(..) => return self.cell(v).map(|_| self.number(0, span)),
            },
            AstKind::Predefined(p) => self.predefined(*p, span)?,
            AstKind::Unary(op, e) => ExprKind::Unary(unary(*op, span)?, Box::new(self.expr(e)?)),
            AstKind::Binary(op, a, b) => {
                let op = binary(*op, span)?;
                let a = self.expr(a)?;
                let b = match op {
                    BinaryOp::And | BinaryOp::Or => self.expr_if_reached(b)?,
                    _ => self.expr(b)?,
                };
                ExprKind::Binary(op, Box::new(a), Box::new(b))
            }
            AstKind::Conditional(c, a, b) => {
                let c = self.expr(c)?;
                let (a, b) = (self.expr_if_reached(a)?, self.expr_if_reached(b)?);
                ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b))
            }
            AstKind::Run(run) if self.spawns.is_some() => self.run_inside(run, span)?,
            AstKind::Run(_) => {
                return fail_with(
                    span,
                    "`run` inside a larger expression",
                    "use it as a statement of its own, or on the right side of an assignment",
                );
            }
            AstKind::Len(v) => ExprKind::Channel(ChannelQuery::Length, Box::new(self.channel(v)?)),
            AstKind::Probe(p, v) => ExprKind::Channel(probe(*p), Box::new(self.channel(v)?)),
            AstKind::Enabled(e) => ExprKind::Enabled(Box::new(self.expr(e)?)),
            AstKind::PcValue(e) => ExprKind::LocationNumber(Box::new(self.expr(e)?)),
            AstKind::GetPriority(e) => {
                self.model.prioritised = true;
                ExprKind::Priority(Box::new(self.expr(e)?))
            }
            AstKind::Poll(receive) => self.poll(receive)?,
            AstKind::RemoteLabel(process, label) => self.remote_label(process, label, span)?,
            AstKind::RemoteVar(process, field) => {
                let (template, number) = self.remote_process(process, span)?;
                match self.is_location(template, field) {
                    true => ExprKind::LocationNumber(Box::new(number)),
                    false => ExprKind::Read(self.remote_place(template, number, field)?),
                }
            }
            AstKind::Error => ExprKind::Const(0),
        };
        Ok(fold(Expr::new(kind, span)))
    }

    /// An expression that is evaluated only if it matters, where no process may be made.
    fn expr_if_reached(&mut self, expr: &AstExpr) -> Lowered<Expr> {
        let spawns = self.spawns.take();
        let lowered = self.expr(expr);
        self.spawns = spawns;
        lowered
    }

    fn read(&mut self, place: Place, name: &Ident) -> Lowered<ExprKind> {
        if &*name.name == "_" && !self.in_events() {
            return fail(name.span, "`_` can be written but not read");
        }
        Ok(ExprKind::Read(place))
    }

    fn predefined(&mut self, predefined: Predefined, span: Span) -> Lowered<ExprKind> {
        let own = matches!(predefined, Predefined::Pid | Predefined::Priority);
        if own && !self.in_process() {
            return fail(
                span,
                format!(
                    "`{}` has a meaning only inside a process",
                    predefined.name()
                ),
            );
        }
        Ok(match predefined {
            Predefined::Pid => ExprKind::SelfId,
            Predefined::NrPr => ExprKind::ProcessCount,
            Predefined::Last => {
                self.model.tracks_last_mover = true;
                ExprKind::LastMover
            }
            Predefined::Priority => {
                self.model.prioritised = true;
                ExprKind::Read(Place::variable(Root::OwnPriority, span))
            }
            Predefined::NonProgress => ExprKind::NonProgress,
            Predefined::Timeout => ExprKind::Timeout,
        })
    }

    fn poll(&mut self, receive: &Receive) -> Lowered<ExprKind> {
        let channel = Box::new(self.channel(&receive.channel)?);
        let mut patterns = Vec::new();
        for pattern in self.patterns(&receive.args)? {
            // A poll binds nothing: any value will do for a variable.
            patterns.push(if let Pattern::Bind(_) = pattern {
                Pattern::Ignore
            } else {
                pattern
            });
        }
        // Fields that a poll does not mention may hold anything.
        let fields = self.fields_of(&channel).unwrap_or(0);
        patterns.resize(fields.max(patterns.len()), Pattern::Ignore);
        Ok(ExprKind::Poll {
            channel,
            order: receive_order(receive.op),
            patterns,
        })
    }

    /// What a receive wants of the fields of a message.
    pub(super) fn patterns(&mut self, args: &[ReceiveArg]) -> Lowered<Vec<Pattern>> {
        let mut patterns = Vec::new();
        for arg in args {
            match &arg.kind {
                ReceiveArgKind::Const(e) => patterns.push(Pattern::Match(self.expr(e)?)),
                ReceiveArgKind::Eval(e) => patterns.push(Pattern::Match(self.expr(e)?)),
                ReceiveArgKind::Var(v) => match self.meaning(v)? {
                    Meaning::Constant(value) => {
                        patterns.push(Pattern::Match(self.number(value, v.span)))
                    }
                    Meaning::Place(..) if &*v.root().name == "_" => patterns.push(Pattern::Ignore),
                    Meaning::Place(Place { .. }, Type::Array { .. }) => {
                        self.cell(v)?;
                    }
                    Meaning::Place(place, ty) => {
                        self.check_message(patterns.len(), &ty, 1, v.span)?;
                        let cells = self.cells_of(&place, &ty);
                        patterns.extend(cells.into_iter().map(|(place, _)| Pattern::Bind(place)));
                    }
                },
            }
        }
        Ok(patterns)
    }

    /// The values of a list of arguments; a structure counts as all its fields.
    pub(super) fn values(&mut self, args: &[AstExpr]) -> Lowered<Vec<Expr>> {
        let mut values = Vec::new();
        for arg in args {
            if let AstKind::Var(v) = &arg.kind
                && let Meaning::Place(place, ty @ Type::Record(_)) = self.meaning(v)?
            {
                self.check_message(values.len(), &ty, 1, arg.span)?;
                for (cell, _) in self.cells_of(&place, &ty) {
                    values.push(Expr::new(ExprKind::Read(cell), arg.span));
                }
            } else {
                values.push(self.expr(arg)?);
            }
        }
        Ok(values)
    }

    /// The template and the number of a process that another process refers to.
    fn remote_process(&mut self, process: &RemoteRef, span: Span) -> Lowered<(TemplateId, Expr)> {
        let template = self.template_named(&process.process)?;
        let number = match &process.pid {
            Some(pid) => self.expr(pid)?,
            None => Expr::new(ExprKind::FirstInstance(template), span),
        };
        Ok((template, number))
    }

    pub(super) fn template_named(&mut self, name: &Ident) -> Lowered<TemplateId> {
        if let Some(&id) = self.globals.templates.get(&*name.name) {
            return Ok(id);
        }
        let mut error =
            Diagnostic::error(name.span, format!("there is no proctype `{}`", name.name));
        let known = self.globals.templates.keys().map(String::as_str);
        if let Some(similar) = closest(&name.name, known) {
            error = error.with_help(format!("is `{similar}` meant?"));
        }
        Err(Box::new(error))
    }

    fn remote_label(
        &mut self,
        process: &RemoteRef,
        label: &Ident,
        span: Span,
    ) -> Lowered<ExprKind> {
        let (template, number) = self.remote_process(process, span)?;
        let location = LocationId::from(self.references.len());
        let reference = LabelReference {
            template,
            label: label.name.to_string(),
            span: label.span,
        };
        self.references.push(reference);
        Ok(ExprKind::At {
            template,
            process: Box::new(number),
            location,
        })
    }
}

/// Computes operations on constants, so that later stages see what is constant.
fn fold(expr: Expr) -> Expr {
    let value = match &expr.kind {
        ExprKind::Unary(UnaryOp::Negate, e) => e
            .as_constant()
            .map(|v| mandala_model::types::wrap(-v, 32, true)),
        _ => None,
    };
    match value {
        Some(value) => Expr::constant(value, expr.span),
        None => expr,
    }
}

fn unary(op: AstUnary, span: Span) -> Lowered<UnaryOp> {
    Ok(match op {
        AstUnary::Not => UnaryOp::Not,
        AstUnary::Neg => UnaryOp::Negate,
        AstUnary::BitNot => UnaryOp::BitNot,
        AstUnary::Always
        | AstUnary::Eventually
        | AstUnary::Next
        | AstUnary::InAllRuns
        | AstUnary::InSomeRun => return temporal(op.symbol(), span),
    })
}

fn binary(op: AstBinary, span: Span) -> Lowered<BinaryOp> {
    Ok(match op {
        AstBinary::Add => BinaryOp::Add,
        AstBinary::Sub => BinaryOp::Subtract,
        AstBinary::Mul => BinaryOp::Multiply,
        AstBinary::Div => BinaryOp::Divide,
        AstBinary::Rem => BinaryOp::Modulo,
        AstBinary::Shl => BinaryOp::ShiftLeft,
        AstBinary::Shr => BinaryOp::ShiftRight,
        AstBinary::Lt => BinaryOp::Less,
        AstBinary::Le => BinaryOp::LessEqual,
        AstBinary::Gt => BinaryOp::Greater,
        AstBinary::Ge => BinaryOp::GreaterEqual,
        AstBinary::Eq => BinaryOp::Equal,
        AstBinary::Ne => BinaryOp::NotEqual,
        AstBinary::BitAnd => BinaryOp::BitAnd,
        AstBinary::BitXor => BinaryOp::BitXor,
        AstBinary::BitOr => BinaryOp::BitOr,
        AstBinary::And => BinaryOp::And,
        AstBinary::Or => BinaryOp::Or,
        _ => return temporal(op.symbol(), span),
    })
}

fn temporal<T>(symbol: &str, span: Span) -> Lowered<T> {
    fail(
        span,
        format!(
            "the temporal operator `{}` can only be used in a formula, and not inside of a condition",
            symbol.trim()
        ),
    )
}

fn probe(probe: Probe) -> ChannelQuery {
    match probe {
        Probe::Full => ChannelQuery::Full,
        Probe::Empty => ChannelQuery::Empty,
        Probe::NotFull => ChannelQuery::NotFull,
        Probe::NotEmpty => ChannelQuery::NotEmpty,
    }
}

pub(super) fn receive_order(op: ReceiveOp) -> ReceiveOrder {
    match op {
        ReceiveOp::Fifo | ReceiveOp::FifoKeep => ReceiveOrder::First,
        ReceiveOp::Random | ReceiveOp::RandomKeep => ReceiveOrder::AnyMatching,
    }
}

/// True for `skip`, `true` and `1`.
pub(super) fn is_skip(expr: &AstExpr) -> bool {
    matches!(
        expr.kind,
        AstKind::Const(1, Literal::Skip | Literal::True | Literal::Number)
    )
}
