//! Expressions as values in registers.

use super::{Compiler, Unsupported, after};
use crate::code::{Op, PatternSet, Register, Relation, Source, Space};
use crate::fold::constant_value;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern, ReceiveOrder, UnaryOp};
use mandala_model::model::Arithmetic;
use mandala_model::source::Span;

impl Compiler<'_> {
    /// Emits code that leaves the value in `to` and changes no lower register.
    pub fn value(&mut self, expr: &Expr, to: Register) -> Result<(), Unsupported> {
        if let Some(value) = constant_value(expr) {
            self.constant(value, to);
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Const(value) => self.constant(*value, to),
            ExprKind::Read(place) => self.read(place, to)?,
            ExprKind::Unary(UnaryOp::Not, _) => self.truth_value(expr, to)?,
            ExprKind::Unary(op, operand) => {
                self.value(operand, to)?;
                let (op, site) = (*op, self.site(expr.span));
                self.emit(Op::Unary { to, op, site });
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.truth_value(expr, to)?,
            ExprKind::Binary(..) => self.binary_spine(expr, to)?,
            ExprKind::Conditional(..) => self.conditional(expr, to)?,
            ExprKind::Quantified(quantified) => self.quantified(quantified, expr.span, to)?,
            ExprKind::Bound(binder) => {
                let from = self.bound[binder.index()];
                self.emit(Op::Copy { to, from });
            }
            _ => self.question(expr, to)?,
        }
        Ok(())
    }

    pub fn constant(&mut self, value: i64, to: Register) {
        match i32::try_from(value) {
            Ok(value) => self.emit(Op::Const { to, value }),
            Err(_) => {
                self.code.constants.push(value);
                let index = self.code.constants.len() as u32 - 1;
                self.emit(Op::Wide { to, index })
            }
        };
    }

    /// What is asked about the state other than the value of a variable.
    fn question(&mut self, expr: &Expr, to: Register) -> Result<(), Unsupported> {
        let site = self.site(expr.span);
        match &expr.kind {
            ExprKind::SelfId => self.emit(Op::SelfId { to }),
            ExprKind::ProcessCount => self.emit(Op::ProcessCount { to }),
            ExprKind::FirstInstance(template) => {
                let template = template.0;
                self.emit(Op::FirstInstance { to, template })
            }
            ExprKind::LastMover => match self.layout.last_mover {
                Some(cell) => self.emit(Op::Global { to, cell }),
                None => self.emit(Op::Const { to, value: 0 }),
            },
            ExprKind::Timeout => self.emit(Op::Timeout { to }),
            ExprKind::NonProgress => self.emit(Op::NonProgress { to }),
            ExprKind::Accepting => self.emit(Op::Accepting { to }),
            ExprKind::Enabled(process) => self.applied(process, to, Op::Enabled { to, site })?,
            ExprKind::LocationNumber(process) => {
                self.applied(process, to, Op::LocationNumber { to })?
            }
            ExprKind::Priority(process) => self.applied(process, to, Op::Priority { to })?,
            ExprKind::At {
                template,
                process,
                location,
            } => {
                let (template, location) = (template.0, location.0);
                self.applied(
                    process,
                    to,
                    Op::At {
                        to,
                        template,
                        location,
                    },
                )?
            }
            _ => self.question_about_channel(expr, to)?,
        };
        Ok(())
    }

    fn question_about_channel(&mut self, expr: &Expr, to: Register) -> Result<usize, Unsupported> {
        Ok(match &expr.kind {
            ExprKind::Channel(query, channel) => {
                let (query, site) = (*query, self.site(channel.span));
                self.applied(channel, to, Op::Query { to, query, site })?
            }
            ExprKind::Poll {
                channel,
                order,
                patterns,
            } => {
                self.value(channel, to)?;
                let patterns = self.patterns(*order, patterns, after(to, expr.span)?)?;
                let site = self.site(channel.span);
                self.emit(Op::Poll { to, patterns, site })
            }
            other => unreachable!("{other:?} is compiled elsewhere"),
        })
    }

    fn applied(&mut self, operand: &Expr, to: Register, op: Op) -> Result<usize, Unsupported> {
        self.value(operand, to)?;
        Ok(self.emit(op))
    }

    /// A row of the table of pattern sets. Code for its values may change registers from `register` on.
    pub fn patterns(
        &mut self,
        order: ReceiveOrder,
        patterns: &[Pattern],
        register: Register,
    ) -> Result<u32, Unsupported> {
        let mut matched = Vec::new();
        for (field, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(value) = pattern {
                matched.push((field as u32, self.source(value, register)?));
            }
        }
        self.code.patterns.push(PatternSet {
            order,
            arity: patterns.len() as u32,
            matched,
        });
        Ok(self.code.patterns.len() as u32 - 1)
    }

    /// Where a value can be found. If that takes code, it is put aside: what is emitted here jumps over it.
    pub fn source(&mut self, expr: &Expr, register: Register) -> Result<Source, Unsupported> {
        if let Some(value) = constant_value(expr) {
            return Ok(Source::Const(value));
        }
        if let ExprKind::Read(place) = &expr.kind
            && let Some(spot) = self.fixed_spot(place)
        {
            return Ok(match spot.space {
                Space::Global => Source::Global(spot.cell),
                Space::Local => Source::Local(spot.cell),
            });
        }
        let over = self.emit(Op::Jump { target: 0 });
        let entry = self.here();
        self.value(expr, register)?;
        self.emit(Op::Done);
        self.land(vec![over]);
        Ok(Source::Code(entry, register))
    }

    /// Binary operations nest to the left in generated models, thousands deep: a loop.
    fn binary_spine(&mut self, expr: &Expr, to: Register) -> Result<(), Unsupported> {
        let mut spine = Vec::new();
        let mut left = expr;
        while let ExprKind::Binary(op, inner, right) = &left.kind
            && !matches!(op, BinaryOp::And | BinaryOp::Or)
            && constant_value(left).is_none()
        {
            spine.push((*op, right, left.span));
            left = inner;
        }
        self.value(left, to)?;
        for (op, right, span) in spine.into_iter().rev() {
            self.binary(op, right, span, to)?;
        }
        Ok(())
    }

    /// Combines what is in `to` with `right`.
    fn binary(
        &mut self,
        op: BinaryOp,
        right: &Expr,
        span: Span,
        to: Register,
    ) -> Result<(), Unsupported> {
        let constant = constant_value(right).and_then(|value| i32::try_from(value).ok());
        let wrapping = self.model.arithmetic == Arithmetic::Wrapping32;
        let fused = match (constant, Relation::of(op)) {
            (Some(value), Some(relation)) => Some(Op::CompareConst {
                to,
                relation,
                value,
            }),
            (Some(value), None) if wrapping => {
                added(op, value).map(|value| Op::AddConst { to, value })
            }
            _ => None,
        };
        if let Some(op) = fused {
            self.emit(op);
            return Ok(());
        }
        self.value(right, after(to, span)?)?;
        let site = self.site(span);
        self.emit(match (op, Relation::of(op)) {
            (_, Some(relation)) => Op::Compare { to, relation },
            (BinaryOp::Add, _) if wrapping => Op::Add { to },
            (BinaryOp::Subtract, _) if wrapping => Op::Subtract { to },
            _ => Op::Binary { to, op, site },
        });
        Ok(())
    }

    fn conditional(&mut self, expr: &Expr, to: Register) -> Result<(), Unsupported> {
        let mut ends = Vec::new();
        let mut rest = expr;
        while let ExprKind::Conditional(condition, yes, no) = &rest.kind {
            let otherwise = self.jumps(condition, to, false)?;
            self.value(yes, to)?;
            ends.push(self.emit(Op::Jump { target: 0 }));
            self.land(otherwise);
            rest = no;
        }
        self.value(rest, to)?;
        self.land(ends);
        Ok(())
    }

    /// A condition as 0 or 1.
    fn truth_value(&mut self, expr: &Expr, to: Register) -> Result<(), Unsupported> {
        let jumps = self.jumps(expr, to, false)?;
        self.emit(Op::Const { to, value: 1 });
        let end = self.emit(Op::Jump { target: 0 });
        self.land(jumps);
        self.emit(Op::Const { to, value: 0 });
        self.land(vec![end]);
        Ok(())
    }
}

/// What to add to a value instead of adding or subtracting a constant.
pub(super) fn added(op: BinaryOp, value: i32) -> Option<i32> {
    match op {
        BinaryOp::Add => Some(value),
        BinaryOp::Subtract => value.checked_neg(),
        _ => None,
    }
}
