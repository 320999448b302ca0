//! From the intermediate representation to the resolved form: expressions and places.

use crate::constructors::{calculate, choose, compare, join, split_off_constant};
use crate::expr::{
    Aggregate, ChannelQuestion, ProcessQuestion, ResolvedExpr, ResolvedKind, ResolvedQuantified,
    Wanted,
};
use crate::place::{Base, Index, ResolvedPlace, Store};
use mandala_model::Model;
use mandala_model::arithmetic::{Calculation, Operator, Relation};
use mandala_model::expr::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Pattern, Place, Projection, ReceiveOrder, Root, UnaryOp,
};
use mandala_model::function::CALL;
use mandala_model::ids::TemplateId;
use mandala_model::quantified::{Evaluation, Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::types::{Scalar, Type};

/// Resolves what stands in one template, or outside of all of them.
#[derive(Clone, Copy, Debug)]
pub struct Resolver<'m> {
    pub(crate) model: &'m Model,
    /// Whose local variables are meant.
    template: Option<TemplateId>,
}

impl<'m> Resolver<'m> {
    /// For what stands in a template: a template of the model, the automaton of a property, or the monitors.
    pub fn in_template(model: &'m Model, template: TemplateId) -> Self {
        Resolver {
            model,
            template: Some(template),
        }
    }

    /// For what stands outside of all templates.
    pub fn outside(model: &'m Model) -> Self {
        Resolver {
            model,
            template: None,
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// An expression in resolved form.
    pub fn expr(&self, expr: &Expr) -> ResolvedExpr {
        let span = expr.span;
        let resolved = |kind| ResolvedExpr::new(kind, span);
        match &expr.kind {
            ExprKind::Const(value) => ResolvedExpr::constant(*value, span),
            ExprKind::Read(place) => resolved(ResolvedKind::Read(self.place(place))),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Binary(..) => self.spine(expr),
            ExprKind::Conditional(condition, yes, no) => {
                choose([condition, yes, no].map(|part| self.expr(part)), span)
            }
            ExprKind::Quantified(quantified) => self.quantified(quantified, span),
            ExprKind::Bound(binder) => resolved(ResolvedKind::Bound(*binder)),
            _ => self.question(expr),
        }
    }

    fn boxed(&self, expr: &Expr) -> Box<ResolvedExpr> {
        Box::new(self.expr(expr))
    }

    fn unary(&self, op: UnaryOp, operand: &Expr, span: Span) -> ResolvedExpr {
        let operand = self.expr(operand);
        let constant = |value| ResolvedExpr::constant(value, span);
        let subtract = |from: i64, operand| {
            let operands = [constant(from), operand];
            calculate(self.model.arithmetic, Calculation::Subtract, operands, span)
        };
        match op {
            UnaryOp::Not => compare(Relation::EQUAL, [operand, constant(0)], span),
            UnaryOp::Negate => subtract(0, operand),
            UnaryOp::BitNot => subtract(-1, operand),
            UnaryOp::Defined => match operand.as_constant() {
                Some(value) if value != 0 => constant(value),
                _ => ResolvedExpr::new(ResolvedKind::Defined(Box::new(operand)), span),
            },
        }
    }

    /// A binary operation. Such operations nest to the left in generated models, thousands deep: a loop.
    fn spine(&self, expr: &Expr) -> ResolvedExpr {
        let mut operations = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary(op, left, right) = &leftmost.kind {
            operations.push((*op, right, leftmost.span));
            leftmost = left;
        }
        let mut resolved = self.expr(leftmost);
        for (op, right, span) in operations.into_iter().rev() {
            resolved = self.binary(op, [resolved, self.expr(right)], span);
        }
        resolved
    }

    fn binary(&self, op: BinaryOp, operands: [ResolvedExpr; 2], span: Span) -> ResolvedExpr {
        match op.operator() {
            Operator::Calculate(calculation) => {
                calculate(self.model.arithmetic, calculation, operands, span)
            }
            Operator::Compare(relation) => compare(relation, operands, span),
            Operator::Junction { decisive } => join(decisive, operands, span),
        }
    }

    fn quantified(&self, quantified: &Quantified, span: Span) -> ResolvedExpr {
        let stops = quantified.evaluation == Evaluation::Ordered;
        let body = self.expr(&quantified.body);
        let none = |body| {
            compare(
                Relation::EQUAL,
                [body, ResolvedExpr::constant(0, span)],
                span,
            )
        };
        let over = |aggregate, body| {
            let quantified = ResolvedQuantified {
                aggregate,
                variable: quantified.variable.id,
                values: quantified.values.clone(),
                body,
            };
            ResolvedExpr::new(ResolvedKind::Quantified(Box::new(quantified)), span)
        };
        let some = |body| {
            let (before, body) = split_off_constant(body, quantified.variable.id);
            let some = over(Aggregate::Exists { stops }, body);
            before.into_iter().rfold(some, |rest, condition| {
                let place = condition.span;
                join(false, [condition, rest], place)
            })
        };
        match quantified.quantifier {
            // All are true where none is false.
            Quantifier::ForAll => none(some(none(body))),
            Quantifier::Exists => some(body),
            Quantifier::Count => over(Aggregate::Count, body),
            Quantifier::Sum => over(Aggregate::Sum, body),
            Quantifier::FirstOf => over(Aggregate::FirstOf, body),
        }
    }

    /// What is asked about the state other than the value of a variable.
    fn question(&self, expr: &Expr) -> ResolvedExpr {
        let about = |question, process: &Expr| ResolvedKind::Process(question, self.boxed(process));
        let kind = match &expr.kind {
            ExprKind::SelfId => ResolvedKind::SelfId,
            ExprKind::ProcessCount => ResolvedKind::ProcessCount,
            ExprKind::FirstInstance(template) => ResolvedKind::FirstInstance(*template),
            ExprKind::LastMover => self.last_mover(expr.span),
            ExprKind::Timeout => ResolvedKind::Timeout,
            ExprKind::NonProgress => ResolvedKind::NonProgress,
            ExprKind::Accepting => ResolvedKind::Accepting,
            ExprKind::Enabled(process) => about(ProcessQuestion::Enabled, process),
            ExprKind::LocationNumber(process) => about(ProcessQuestion::LocationNumber, process),
            ExprKind::Priority(process) => about(ProcessQuestion::Priority, process),
            ExprKind::At {
                template,
                process,
                location,
            } => about(ProcessQuestion::At(*template, *location), process),
            ExprKind::Channel(query, channel) => return self.channel(*query, channel, expr.span),
            ExprKind::Poll {
                channel,
                order,
                patterns,
            } => {
                let wanted = Box::new(self.wanted(*order, patterns));
                ResolvedKind::Channel(ChannelQuestion::Poll(wanted), self.boxed(channel))
            }
            other => unreachable!("{other:?} is resolved elsewhere"),
        };
        ResolvedExpr::new(kind, expr.span)
    }

    /// Nobody has moved in a model that does not say who did.
    fn last_mover(&self, span: Span) -> ResolvedKind {
        match self.model.tracks_last_mover {
            true => ResolvedKind::Read(single(self.model, Base::LastMover, span)),
            false => ResolvedKind::Const(0),
        }
    }

    fn channel(&self, query: ChannelQuery, channel: &Expr, span: Span) -> ResolvedExpr {
        let ask = |question| {
            let kind = ResolvedKind::Channel(question, self.boxed(channel));
            ResolvedExpr::new(kind, span)
        };
        let zero = ResolvedExpr::constant(0, span);
        let (question, relation) = match query {
            ChannelQuery::Length => return ask(ChannelQuestion::Length),
            ChannelQuery::Full => return ask(ChannelQuestion::IsFull),
            ChannelQuery::Empty => (ChannelQuestion::Length, Relation::EQUAL),
            ChannelQuery::NotEmpty => (ChannelQuestion::Length, Relation::NOT_EQUAL),
            ChannelQuery::NotFull => (ChannelQuestion::IsFull, Relation::EQUAL),
        };
        compare(relation, [ask(question), zero], span)
    }

    /// What the patterns of a receive or a poll want.
    pub(crate) fn wanted(&self, order: ReceiveOrder, patterns: &[Pattern]) -> Wanted {
        let fields = (0..).zip(patterns);
        let fields = fields.filter_map(|(field, pattern)| match pattern {
            Pattern::Match(value) => Some((field, self.expr(value))),
            Pattern::Bind(_) | Pattern::Ignore => None,
        });
        Wanted {
            order,
            arity: patterns.len() as u32,
            fields: fields.collect(),
        }
    }

    /// A place in resolved form.
    pub fn place(&self, place: &Place) -> ResolvedPlace {
        let model = self.model;
        let (base, first, ty) = match &place.root {
            Root::Global(id) => {
                let first = model.first_cell_of_global(*id);
                (Base::Global, first, &model.global(*id).ty)
            }
            Root::Local(id) => {
                let template = self.template.expect("the verifier knows scopes");
                let variable = &model.template(template).locals[id.index()];
                let first = model.first_cell_of_local(template, *id);
                (Base::Local, first, &variable.ty)
            }
            Root::Remote {
                template,
                process,
                local,
            } => {
                let base = Base::Remote {
                    template: *template,
                    process: self.boxed(process),
                };
                let variable = &model.template(*template).locals[local.index()];
                let first = model.first_cell_of_local(*template, *local);
                (base, first, &variable.ty)
            }
            Root::OwnPriority => return single(model, Base::OwnPriority, place.span),
            Root::Reference(_) => unreachable!("{CALL}"),
        };
        let mut resolved = ResolvedPlace {
            offset: first as u32,
            ..single(model, base, place.span)
        };
        let mut ty = ty;
        for projection in &place.path {
            ty = self.project(ty, projection, &mut resolved);
        }
        match ty {
            Type::Scalar(scalar) => resolved.store = Store::of(model, *scalar),
            _ => unreachable!("the verifier lets a path end in one cell only"),
        }
        resolved
    }

    /// Goes one step from a variable to a part of it, and gives the type of the part.
    fn project(&self, ty: &'m Type, to: &Projection, place: &mut ResolvedPlace) -> &'m Type {
        let model = self.model;
        match (ty, to) {
            (Type::Record(id), Projection::Field(field)) => {
                let fields = &model.record(*id).fields;
                place.offset += model.cell_offset(fields, *field as usize) as u32;
                &fields[*field as usize].ty
            }
            (Type::Array { element, length }, Projection::Index(index)) => {
                let value = self.expr(index);
                let (stride, bound) = (model.cells(element) as u32, *length);
                let known = value
                    .as_constant()
                    .and_then(|value| u32::try_from(value).ok());
                match known.filter(|&value| value < bound) {
                    Some(value) => place.offset += value * stride,
                    None => place.indices.push(Index {
                        value,
                        stride,
                        bound,
                    }),
                }
                element
            }
            _ => unreachable!("the verifier lets paths fit their types only"),
        }
    }
}

/// The first cell of a base: a byte.
fn single(model: &Model, base: Base, span: Span) -> ResolvedPlace {
    ResolvedPlace {
        base,
        offset: 0,
        indices: Vec::new(),
        store: Store::of(model, Scalar::Process),
        span,
    }
}
