//! The rules of the derivation for expressions and places.
//!
//! The model is gone over twice in the same order. The first time, types of temporaries, parameters and bound variables are learnt from their
//! uses, and nothing is refused ([`Pass::Learn`]). The second time they are fixed, and every rule is checked ([`Pass::Check`]). Only the
//! second pass has to be trusted.

use super::types::{NameType, Slot, Slots};
use super::{NameSets, Refusal};
use crate::sorts::{Classes, Shape};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::function::Function;
use mandala_model::ids::{BinderId, TemplateId};
use mandala_model::parameters::Values;
use mandala_model::quantified::{Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::types::{Scalar, Storage, Variable};
use std::rc::Rc;

/// What a pass over the model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// It learns types from uses.
    Learn,
    /// It checks all rules.
    Check,
}

/// The types of the temporaries of one body: of an edge, say.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The template whose variables the body reads, if it stands in one.
    pub(super) template: Option<TemplateId>,
    /// For each local variable that is no part of the state, its shape.
    pub(super) temporaries: Vec<Option<Shape<Slot>>>,
    /// The shapes of the places that are passed to a function.
    pub(super) references: Vec<Shape<Slot>>,
}

/// Goes over a model.
pub(super) struct Typer<'m> {
    pub(super) model: &'m Model,
    pub(super) sets: &'m NameSets<'m>,
    /// What is part of the state.
    pub(super) state: Rc<Classes<Slot>>,
    pub(super) pass: Pass,
    pub(super) slots: Slots,
    /// The frames of functions: a function has one type, whoever calls it.
    pub(super) functions: Vec<Rc<Frame>>,
    /// The frames of all other bodies, in the order in which they are gone over.
    frames: Vec<Rc<Frame>>,
    next_frame: usize,
    /// The frame of the current body.
    pub(super) frame: Rc<Frame>,
    /// The slots of all quantifiers and loops, in the order in which they are gone over.
    binders: Vec<Slot>,
    next_binder: usize,
    /// The variables of the quantifiers around, outermost first.
    bound: Vec<Slot>,
}

pub(super) type Typed<T> = Result<T, Refusal>;

impl<'m> Typer<'m> {
    pub(super) fn new(model: &'m Model, sets: &'m NameSets<'m>) -> Self {
        let mut slots = Slots::default();
        let functions = model.functions.iter();
        let functions = functions.map(|function| Rc::new(frame_of(model, function, &mut slots)));
        Typer {
            functions: functions.collect(),
            model,
            sets,
            state: Rc::new(Classes::of(model, || slots.fresh())),
            pass: Pass::Learn,
            slots,
            frames: Vec::new(),
            next_frame: 0,
            frame: Rc::default(),
            binders: Vec::new(),
            next_binder: 0,
            bound: Vec::new(),
        }
    }

    /// Fixes what was learnt. From now on every rule is checked.
    pub(super) fn start_check(&mut self) {
        self.slots.close();
        self.pass = Pass::Check;
        self.next_frame = 0;
        self.next_binder = 0;
    }

    /// Notes that a part of the state holds names of a set, or is indexed by them.
    pub(super) fn declare(&mut self, slot: Slot, set: u32, span: Span) -> Typed<()> {
        let declared = NameType::Name(set);
        match self.slots.resolve(NameType::Open(slot)) {
            NameType::Name(other) if other != set => {
                Err(self.mixed(set, NameType::Name(other), span))
            }
            _ => {
                self.slots.learn(slot, declared);
                Ok(())
            }
        }
    }

    /// Begins a body: its temporaries have types of their own, because nothing is in them when a step begins.
    pub(super) fn enter(&mut self, template: Option<TemplateId>) -> Rc<Frame> {
        if self.pass == Pass::Learn {
            let frame = self.new_frame(template);
            self.frames.push(Rc::new(frame));
        }
        self.frame = Rc::clone(&self.frames[self.next_frame]);
        self.next_frame += 1;
        Rc::clone(&self.frame)
    }

    fn new_frame(&mut self, template: Option<TemplateId>) -> Frame {
        let locals = template.map_or(&[][..], |id| &self.model.template(id).locals);
        let slots = &mut self.slots;
        let temporaries = locals.iter().map(|variable| {
            let is_temporary = variable.storage == Storage::Scratch;
            is_temporary.then(|| Shape::of(self.model, &variable.ty, &mut || slots.fresh()))
        });
        Frame {
            template,
            temporaries: temporaries.collect(),
            references: Vec::new(),
        }
    }

    /// The slot of the next quantifier or loop.
    pub(super) fn binder(&mut self) -> Slot {
        if self.pass == Pass::Learn {
            let slot = self.slots.fresh();
            self.binders.push(slot);
        }
        self.next_binder += 1;
        self.binders[self.next_binder - 1]
    }

    /// The type of an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Typed<NameType> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(NameType::Constant(*value)),
            ExprKind::Read(place) => self.cell(place).map(|(ty, _)| ty),
            // What is undefined is no name, so that a renaming keeps it.
            ExprKind::Unary(UnaryOp::Defined, operand) => self.expr(operand),
            ExprKind::Unary(UnaryOp::Not, operand) => self.truth(operand),
            ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot, operand) => self.number(operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr.span),
            ExprKind::Conditional(condition, yes, no) => {
                self.truth(condition)?;
                let (yes, no) = (self.expr(yes)?, self.expr(no)?);
                self.same(yes, no, expr.span)
            }
            // Processes are not renamed.
            ExprKind::SelfId
            | ExprKind::ProcessCount
            | ExprKind::FirstInstance(_)
            | ExprKind::LastMover
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting => Ok(NameType::Plain),
            ExprKind::Enabled(process)
            | ExprKind::LocationNumber(process)
            | ExprKind::Priority(process)
            | ExprKind::At { process, .. } => self.number(process),
            ExprKind::Bound(id) => Ok(self.bound(*id)),
            ExprKind::Quantified(quantified) => self.quantified(quantified, expr.span),
            ExprKind::Channel(..) | ExprKind::Poll { .. } => Err(Refusal::unsupported(expr.span)),
        }
    }

    /// The type of the variable of a quantifier around.
    fn bound(&mut self, id: BinderId) -> NameType {
        let slot = self.bound[id.index()];
        self.slots.resolve(NameType::Open(slot))
    }

    /// Over names a quantifier asks the same of all of them, in whatever order: so it must not stop early, and its value must not be one of them.
    fn quantified(&mut self, quantified: &Quantified, span: Span) -> Typed<NameType> {
        let slot = self.binder();
        self.bound.push(slot);
        let body = self.body(quantified);
        self.bound.pop();
        body?;
        let variable = self.slots.resolve(NameType::Open(slot));
        self.closed(variable, &quantified.values, quantified.variable.span)?;
        match (variable, quantified.quantifier) {
            (NameType::Name(set), Quantifier::Sum | Quantifier::FirstOf) => {
                self.check(false, || self.ordered(set, span))?;
            }
            (NameType::Name(set), _) => {
                let strict = quantified.stops_at().is_none();
                self.check(strict, || self.ordered(set, span))?;
            }
            _ => {}
        }
        Ok(match quantified.quantifier {
            Quantifier::FirstOf => variable,
            _ => NameType::Plain,
        })
    }

    fn body(&mut self, quantified: &Quantified) -> Typed<NameType> {
        match quantified.quantifier {
            Quantifier::Sum => self.number(&quantified.body),
            _ => self.truth(&quantified.body),
        }
    }

    fn ordered(&self, set: u32, span: Span) -> Refusal {
        let name = self.sets.label(set);
        let message = format!("the members of `{name}` are looked at in an order");
        Refusal::of(set, span, message)
    }

    /// A value of which only matters whether it is 0, which is never a name.
    pub(super) fn truth(&mut self, expr: &Expr) -> Typed<NameType> {
        self.expr(expr).map(|_| NameType::Plain)
    }

    /// A value that is computed with.
    pub(super) fn number(&mut self, expr: &Expr) -> Typed<NameType> {
        let ty = self.expr(expr)?;
        self.same(ty, NameType::Plain, expr.span)
            .map_err(|refusal| refusal.because("is computed with"))?;
        Ok(NameType::Plain)
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Typed<NameType> {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.truth(left)?;
                self.truth(right)?;
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                self.same(left, right, span)?;
            }
            _ => {
                self.number(left)?;
                self.number(right)?;
            }
        }
        Ok(NameType::Plain)
    }

    /// The type of the cell that a place is, and what it can hold.
    pub(super) fn cell(&mut self, place: &Place) -> Typed<(NameType, Scalar)> {
        match self.part(place)? {
            Shape::Cell(slot, scalar) => Ok((self.slots.resolve(NameType::Open(slot)), scalar)),
            _ => Err(Refusal::unsupported(place.span)),
        }
    }

    /// The shape of the part of a variable that a place is.
    pub(super) fn part(&mut self, place: &Place) -> Typed<Shape<Slot>> {
        let (frame, state) = (Rc::clone(&self.frame), Rc::clone(&self.state));
        let variable = self.variable(&frame, &state, &place.root);
        let mut part = variable.ok_or_else(|| Refusal::unsupported(place.span))?;
        if let Root::Remote { process, .. } = &place.root {
            self.number(process)?;
        }
        for projection in &place.path {
            let field = match projection {
                Projection::Field(field) => Some(*field),
                Projection::Index(_) => None,
            };
            let inner = part.part(field);
            let (inner, index) = inner.ok_or_else(|| Refusal::unsupported(place.span))?;
            if let (Projection::Index(at), Some(index)) = (projection, index) {
                let found = self.expr(at)?;
                self.same(NameType::Open(*index), found, at.span)
                    .map_err(|refusal| refusal.because("is an index"))?;
            }
            part = inner;
        }
        Ok(part.clone())
    }

    /// The variable that a place is in.
    fn variable<'s>(
        &self,
        frame: &'s Frame,
        state: &'s Classes<Slot>,
        root: &Root,
    ) -> Option<&'s Shape<Slot>> {
        match root {
            Root::Reference(number) => frame.references.get(*number as usize),
            Root::Local(local) => match frame.temporaries.get(local.index()) {
                Some(Some(shape)) => Some(shape),
                _ => state.variable(frame.template, root),
            },
            _ => state.variable(frame.template, root),
        }
    }

    /// The type of two values that are compared, assigned or chosen between.
    pub(super) fn same(&mut self, a: NameType, b: NameType, span: Span) -> Typed<NameType> {
        let (a, b) = (self.slots.resolve(a), self.slots.resolve(b));
        match (a, b) {
            (NameType::Open(slot), other) | (other, NameType::Open(slot)) => {
                self.slots.learn(slot, other);
                Ok(NameType::Open(slot))
            }
            (NameType::Constant(a), NameType::Constant(b)) => Ok(match a == b {
                true => NameType::Constant(a),
                false => NameType::Plain,
            }),
            (NameType::Constant(value), NameType::Name(set))
            | (NameType::Name(set), NameType::Constant(value)) => {
                self.check(!self.sets.is_name(set, value), || {
                    let name = self.sets.label(set);
                    let message = format!("a member of `{name}` meets one that is written down");
                    Refusal::of(set, span, message)
                })?;
                Ok(NameType::Name(set))
            }
            (NameType::Constant(_), NameType::Plain) | (NameType::Plain, NameType::Constant(_)) => {
                Ok(NameType::Plain)
            }
            (NameType::Name(set), other) | (other, NameType::Name(set)) => {
                let is_same = other == NameType::Name(set);
                self.check(is_same, || self.mixed(set, other, span))?;
                Ok(NameType::Name(set))
            }
            (NameType::Plain, NameType::Plain) => Ok(NameType::Plain),
        }
    }

    fn mixed(&self, set: u32, other: NameType, span: Span) -> Refusal {
        let name = self.sets.label(set);
        match other {
            NameType::Name(other) => {
                let other_name = self.sets.label(other);
                let message = format!("members of `{name}` and of `{other_name}` are mixed");
                // The smaller set is given up, so that more is left.
                Refusal::of(self.sets.smaller(set, other), span, message)
            }
            _ => Refusal::of(
                set,
                span,
                format!("a member of `{name}` is used as a number"),
            ),
        }
    }

    /// Refuses what breaks a rule, unless types are still being learnt.
    pub(super) fn check(&self, holds: bool, refusal: impl FnOnce() -> Refusal) -> Typed<()> {
        match holds || self.pass == Pass::Learn {
            true => Ok(()),
            false => Err(refusal()),
        }
    }

    /// That a set of values is mapped to itself by every renaming: it has all names of the type of its variable, or none.
    pub(super) fn closed(&mut self, variable: NameType, values: &Values, span: Span) -> Typed<()> {
        let NameType::Name(set) = self.slots.resolve(variable) else {
            return Ok(());
        };
        let names = self.sets.names(set);
        let inside = values.iter().filter(|value| names.contains(value)).count() as u64;
        let all = names.end - names.start;
        self.check(inside == 0 || inside == all as u64, || {
            let name = self.sets.label(set);
            Refusal::of(
                set,
                span,
                format!("only some members of `{name}` are meant"),
            )
        })
    }
}

/// The frame of a function: all its variables are temporaries.
fn frame_of(model: &Model, function: &Function, slots: &mut Slots) -> Frame {
    let mut shape = |variable: &Variable| Shape::of(model, &variable.ty, &mut || slots.fresh());
    Frame {
        template: None,
        temporaries: function.locals.iter().map(|v| Some(shape(v))).collect(),
        references: function.references.iter().map(shape).collect(),
    }
}
