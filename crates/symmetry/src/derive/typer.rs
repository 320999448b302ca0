//! The rules of the derivation for expressions and places.
//!
//! The model is gone over several times in the same order. At first, types of cells, parameters and bound variables are learnt from their
//! uses, and nothing is refused ([`Pass::Learn`]). At last they are fixed, and every rule is checked ([`Pass::Check`]): what breaks one is
//! noted, and the check goes on. Only the last pass has to be trusted.

use super::annotate::{Begun, Body};
use super::names::{Concerns, NameSets, Refusal};
use super::types::{NameType, Slot, Slots};
use crate::lasting::Lasting;
use crate::locations::{lasting, makes_channels};
use crate::sorts::FARTHEST;
use crate::sorts::{Classes, Shape, bounds};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::function::Function;
use mandala_model::ids::{BinderId, EdgeId, GlobalId, TemplateId};
use mandala_model::parameters::Values;
use mandala_model::quantified::{Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::Role;
use mandala_model::types::{Scalar, Storage, Variable};
use std::collections::BTreeMap;
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
    /// The same for global variables.
    pub(super) globals: BTreeMap<GlobalId, Shape<Slot>>,
    /// The shapes of the places that are passed to a function.
    pub(super) references: Vec<Shape<Slot>>,
}

/// Goes over a model.
pub(super) struct Typer<'m> {
    pub(super) model: &'m Model,
    pub(super) sets: &'m NameSets,
    /// The templates of processes that are renamed.
    pub(super) moved: &'m [TemplateId],
    /// The variables that always refer to the channels that were made for them.
    pub(super) lasting: Lasting,
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
    /// Whether what is gone over teaches nothing but constants and kinds of channels.
    pub(super) is_muted: bool,
    /// What breaks a rule in the current part of the model.
    pub(super) refusals: Vec<Refusal>,
    /// The slots of the parameters of edges.
    pub(super) chosen: BTreeMap<EdgeId, Vec<Slot>>,
    /// The bodies that were gone over, in order.
    pub(super) begun: Vec<(Body, Begun)>,
}

pub(super) type Typed<T> = Result<T, Refusal>;

impl<'m> Typer<'m> {
    pub(super) fn new(model: &'m Model, sets: &'m NameSets, moved: &'m [TemplateId]) -> Self {
        let mut slots = Slots::default();
        let functions = model.functions.iter();
        let functions = functions.map(|function| Rc::new(frame_of(model, function, &mut slots)));
        let functions = functions.collect();
        let state = Rc::new(Classes::of(model, || slots.fresh()));
        slots.set_fields(&state.fields);
        Typer {
            functions,
            model,
            sets,
            moved,
            lasting: lasting(model),
            state,
            pass: Pass::Learn,
            slots,
            frames: Vec::new(),
            next_frame: 0,
            frame: Rc::default(),
            binders: Vec::new(),
            next_binder: 0,
            bound: Vec::new(),
            is_muted: false,
            refusals: Vec::new(),
            chosen: BTreeMap::new(),
            begun: Vec::new(),
        }
    }

    /// Goes back to the beginning of the model.
    pub(super) fn restart(&mut self) {
        self.next_frame = 0;
        self.next_binder = 0;
        self.begun.clear();
    }

    /// Fixes what was learnt. From now on every rule is checked.
    pub(super) fn start_check(&mut self) {
        self.slots.close();
        self.pass = Pass::Check;
        self.restart();
    }

    /// Notes that a part of the state holds names of a set, or is indexed by them.
    pub(super) fn declare(&mut self, slot: Slot, set: u32, span: Span) {
        let declared = NameType::Name(set, 0);
        if let NameType::Name(other, _) = self.slots.resolve(slot.ty())
            && other != set
        {
            self.refusals
                .push(self.mixed(declared, NameType::Name(other, 0), span));
        }
        self.slots.learn(slot, 0, declared);
    }

    /// Begins a body: its temporaries have types of their own, because nothing is in them when a step begins.
    pub(super) fn enter(&mut self, template: Option<TemplateId>) -> Rc<Frame> {
        if self.next_frame == self.frames.len() {
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
        let temporaries = temporaries.collect();
        let globals = (0..).map(GlobalId).zip(&self.model.globals);
        // What functions share with their callers has one type for all.
        let own = self.model.functions.is_empty();
        let globals = globals.filter(|(_, v)| own && is_temporary(self.model, v));
        let globals = globals.map(|(id, variable)| {
            let shape = Shape::of(self.model, &variable.ty, &mut || slots.fresh());
            (id, shape)
        });
        Frame {
            template,
            temporaries,
            globals: globals.collect(),
            references: Vec::new(),
        }
    }

    /// The slot of the next quantifier or loop.
    pub(super) fn binder(&mut self) -> Slot {
        if self.next_binder == self.binders.len() {
            let slot = self.slots.fresh();
            self.binders.push(slot);
        }
        self.next_binder += 1;
        self.binders[self.next_binder - 1]
    }

    /// The number of the quantifier that comes next.
    pub(super) fn next_binder(&self) -> usize {
        self.next_binder
    }

    /// The slots of all quantifiers.
    pub(super) fn binders(&self) -> &[Slot] {
        &self.binders
    }

    /// The type of an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Typed<NameType> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(NameType::Constant(*value)),
            ExprKind::Read(place) => self.cell(place).map(|(ty, _)| ty),
            ExprKind::Unary(UnaryOp::Defined, operand) => {
                let ty = self.expr(operand)?;
                self.is_zero_kept(ty, expr.span);
                Ok(ty)
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.truth(operand),
            ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot, operand) => self.number(operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr.span),
            ExprKind::Conditional(condition, yes, no) => {
                self.truth(condition)?;
                let (yes, no) = (self.expr(yes)?, self.expr(no)?);
                Ok(self.same(yes, no, expr.span))
            }
            ExprKind::SelfId => self.own_number(expr.span),
            ExprKind::FirstInstance(template) => Ok(self.first_instance(*template, expr.span)),
            // Whether somebody can go on is the same in a renamed state if all that he can do is; and locations are not renamed.
            ExprKind::Timeout | ExprKind::NonProgress | ExprKind::Accepting => Ok(NameType::Plain),
            ExprKind::ProcessCount | ExprKind::LastMover => {
                self.refuse_processes(expr.span);
                Ok(NameType::Plain)
            }
            ExprKind::Enabled(process)
            | ExprKind::LocationNumber(process)
            | ExprKind::Priority(process) => {
                self.refuse_processes(expr.span);
                self.expr(process).map(|_| NameType::Plain)
            }
            ExprKind::At {
                template, process, ..
            } => {
                self.process(*template, process)?;
                Ok(NameType::Plain)
            }
            ExprKind::Bound(id) => Ok(self.bound(*id)),
            ExprKind::Quantified(quantified) => self.quantified(quantified, expr.span),
            ExprKind::Channel(_, channel) => {
                self.channel(channel)?;
                Ok(NameType::Plain)
            }
            // The position of a message is kept.
            ExprKind::Poll {
                channel, patterns, ..
            } => {
                self.matched(channel, patterns)?;
                Ok(NameType::Plain)
            }
        }
    }

    /// The number of the process that evaluates.
    fn own_number(&mut self, span: Span) -> Typed<NameType> {
        let template = self.frame.template;
        let template = template.filter(|id| self.model.template(*id).role == Role::Process);
        let template = template.ok_or_else(|| Refusal::unsupported(span))?;
        Ok(match self.sets.processes() {
            Some(set) if self.moved.contains(&template) => NameType::Name(set, 0),
            _ => NameType::Outsider,
        })
    }

    /// The least number of an instance. Those of templates that are not renamed keep theirs.
    fn first_instance(&mut self, template: TemplateId, span: Span) -> NameType {
        if self.moved.contains(&template) {
            self.refuse_processes(span);
        }
        NameType::Outsider
    }

    /// Something is asked about processes that depends on their numbers, or on the whole state.
    fn refuse_processes(&mut self, span: Span) {
        if let Some(set) = self.sets.processes() {
            let message = "no rule derives this from types".to_string();
            self.check(false, |sets| Refusal::of(sets.numbers(set), span, message));
        }
    }

    /// The number of a process that must be an instance of a template. If these are not renamed, it is the same one in a renamed state, or
    /// none is in both.
    fn process(&mut self, template: TemplateId, number: &Expr) -> Typed<()> {
        let found = self.expr(number)?;
        let processes = self.sets.processes().map(|set| NameType::Name(set, 0));
        let found = self.slots.resolve(found);
        match processes {
            Some(processes) if self.moved.contains(&template) || found == processes => {
                self.same_as(
                    found,
                    processes,
                    number.span,
                    Some("is the number of a process"),
                );
            }
            _ if matches!(found, NameType::Open(..)) => {}
            _ => {
                self.same_as(found, NameType::Plain, number.span, None);
            }
        }
        Ok(())
    }

    /// The type of the variable of a quantifier around.
    fn bound(&mut self, id: BinderId) -> NameType {
        let slot = self.bound[id.index()];
        self.slots.resolve(slot.ty())
    }

    /// Over names a quantifier asks the same of all of them, in whatever order: so it must not stop early, and its value must not be one of them.
    fn quantified(&mut self, quantified: &Quantified, span: Span) -> Typed<NameType> {
        let slot = self.binder();
        self.bound.push(slot);
        let body = self.body(quantified);
        self.bound.pop();
        body?;
        let variable = self.slots.resolve(slot.ty());
        self.closed(variable, &quantified.values, quantified.variable.span);
        if let NameType::Name(set, _) = variable {
            let strict = quantified.stops_at().is_none();
            let one = matches!(quantified.quantifier, Quantifier::Sum | Quantifier::FirstOf);
            self.check(strict && !one, |sets| {
                let name = sets.label(set);
                let message = format!("the members of `{name}` are looked at in an order");
                Refusal::of(sets.numbers(set), span, message)
            });
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

    /// A value of which only matters whether it is 0.
    pub(super) fn truth(&mut self, expr: &Expr) -> Typed<NameType> {
        let ty = self.expr(expr)?;
        self.is_zero_kept(ty, expr.span);
        Ok(NameType::Plain)
    }

    /// That a value is 0 iff the renamed one is: 0 is no name of its type.
    pub(super) fn is_zero_kept(&mut self, ty: NameType, span: Span) {
        if let NameType::Name(..) = self.slots.resolve(ty) {
            self.same_as(ty, NameType::Constant(0), span, Some("is compared with 0"));
        }
    }

    /// A value that is computed with.
    pub(super) fn number(&mut self, expr: &Expr) -> Typed<NameType> {
        let ty = self.expr(expr)?;
        self.same_as(ty, NameType::Plain, expr.span, Some("is computed with"));
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
                self.same(left, right, span);
            }
            BinaryOp::Add | BinaryOp::Subtract => return self.sum(op, left, right),
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                self.ordered(op, left, right)?;
            }
            _ => {
                self.number(left)?;
                self.number(right)?;
            }
        }
        Ok(NameType::Plain)
    }

    /// A name and a number are a name that is counted from elsewhere. Names and offsets are small, so that nothing is cut: a value that is no name
    /// stays none.
    fn sum(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Typed<NameType> {
        let by = |expr: &Expr| {
            expr.as_constant()
                .filter(|c| c.unsigned_abs() < FARTHEST as u64)
        };
        let (name, by) = match (op, by(left), by(right)) {
            (BinaryOp::Subtract, _, Some(by)) => (left, -by),
            (BinaryOp::Add, _, Some(by)) => (left, by),
            (BinaryOp::Add, Some(by), None) => (right, by),
            _ => {
                self.number(left)?;
                return self.number(right);
            }
        };
        let ty = self.expr(name)?;
        match self.slots.resolve(ty) {
            ty @ NameType::Name(_, offset) if (offset - by).unsigned_abs() < FARTHEST as u64 => {
                Ok(ty.plus(by))
            }
            ty @ NameType::Open(..) => Ok(ty.plus(by)),
            NameType::Constant(value) if value.unsigned_abs() < FARTHEST as u64 => {
                Ok(NameType::Constant(value + by))
            }
            ty => {
                self.same_as(ty, NameType::Plain, name.span, Some("is computed with"));
                Ok(NameType::Plain)
            }
        }
    }

    /// An ordered comparison is one of numbers; or of a name and a constant that all names of the set are on one side of.
    fn ordered(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Typed<()> {
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        let (a, b) = (self.slots.resolve(a), self.slots.resolve(b));
        let holds = |a: Value, b: Value| match op {
            BinaryOp::Less => a < b,
            BinaryOp::LessEqual => a <= b,
            BinaryOp::Greater => a > b,
            _ => a >= b,
        };
        match (a, b) {
            (NameType::Name(set, offset), NameType::Constant(c)) => {
                self.alike(set, offset, left.span, |value| holds(value, c));
            }
            (NameType::Constant(c), NameType::Name(set, offset)) => {
                self.alike(set, offset, right.span, |value| holds(c, value));
            }
            (NameType::Open(..), NameType::Constant(_))
            | (NameType::Constant(_), NameType::Open(..)) => {}
            _ => {
                let how = Some("is computed with");
                self.same_as(a, NameType::Plain, left.span, how);
                self.same_as(b, NameType::Plain, right.span, how);
            }
        }
        Ok(())
    }

    /// That a question has one answer for all names of each domain of a set.
    fn alike(&mut self, set: u32, offset: Value, span: Span, asked: impl Fn(Value) -> bool) {
        let sets = self.sets;
        for (domain, members) in sets.domains(set) {
            let mut answers = members.iter().map(|name| asked(name - offset));
            let first = answers.next();
            let same = answers.all(|answer| Some(answer) == first);
            self.check(same, |sets| {
                let name = sets.label(set);
                let message = format!("members of `{name}` are compared by their order");
                Refusal::of(vec![*domain], span, message)
            });
        }
    }

    /// The type of the cell that a place is, and what it can hold.
    pub(super) fn cell(&mut self, place: &Place) -> Typed<(NameType, Scalar)> {
        match self.part(place)? {
            Shape::Cell(slot, scalar) => {
                let ty = self.slots.resolve(slot.ty());
                // A process that is not there has 0 in all its variables.
                if let Root::Remote { .. } = place.root {
                    self.is_zero_kept(ty, place.span);
                }
                Ok((ty, scalar))
            }
            _ => Err(Refusal::unsupported(place.span)),
        }
    }

    /// The shape of the part of a variable that a place is.
    pub(super) fn part(&mut self, place: &Place) -> Typed<Shape<Slot>> {
        let (frame, state) = (Rc::clone(&self.frame), Rc::clone(&self.state));
        let variable = variable(&frame, &state, &place.root);
        let mut part = variable.ok_or_else(|| Refusal::unsupported(place.span))?;
        if let Root::Remote {
            template, process, ..
        } = &place.root
        {
            self.process(*template, process)?;
        }
        for projection in &place.path {
            let inner = part.part(field_of(projection));
            let (inner, index) = inner.ok_or_else(|| Refusal::unsupported(place.span))?;
            if let (Projection::Index(at), Some(index)) = (projection, index) {
                let found = self.expr(at)?;
                self.same_as(index.ty(), found, at.span, Some("is an index"));
            }
            part = inner;
        }
        Ok(part.clone())
    }

    /// The least and the greatest value that an expression of a type of names can have.
    pub(super) fn hull(&self, expr: &Expr) -> Option<(Value, Value)> {
        match &expr.kind {
            ExprKind::Const(value) => Some((*value, *value)),
            ExprKind::Read(place) => bounds(self.scalar(place)?),
            ExprKind::Unary(UnaryOp::Defined, operand) => self.hull(operand),
            ExprKind::SelfId => Some((0, 255)),
            ExprKind::FirstInstance(_) => Some((-1, 255)),
            ExprKind::Conditional(_, yes, no) => {
                let ((a, b), (c, d)) = (self.hull(yes)?, self.hull(no)?);
                Some((a.min(c), b.max(d)))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let ((a, b), (c, d)) = (self.hull(left)?, self.hull(right)?);
                let (low, high) = match op {
                    BinaryOp::Add => (a + c, b + d),
                    _ => (a - d, b - c),
                };
                let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
                let cut = low < least || high > most;
                Some(if cut { (least, most) } else { (low, high) })
            }
            _ => None,
        }
    }

    /// What the cell that a place is can hold.
    fn scalar(&self, place: &Place) -> Option<Scalar> {
        let mut part = variable(&self.frame, &self.state, &place.root)?;
        for projection in &place.path {
            part = part.part(field_of(projection))?.0;
        }
        match part {
            Shape::Cell(_, scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The type of two values that are compared, assigned or chosen between.
    pub(super) fn same(&mut self, a: NameType, b: NameType, span: Span) -> NameType {
        self.same_as(a, b, span, None)
    }

    /// The same, with what is said of a name that is used otherwise.
    pub(super) fn same_as(
        &mut self,
        a: NameType,
        b: NameType,
        span: Span,
        how: Option<&str>,
    ) -> NameType {
        let (a, b) = (self.slots.resolve(a), self.slots.resolve(b));
        match (a, b) {
            (NameType::Open(slot, offset), other) | (other, NameType::Open(slot, offset)) => {
                let is_hint = matches!(other, NameType::Constant(_) | NameType::Channel(_));
                if !self.is_muted || is_hint {
                    self.slots.learn(slot, offset, other);
                }
                NameType::Open(slot, offset)
            }
            (NameType::Constant(a), NameType::Constant(b)) if a == b => NameType::Constant(a),
            (NameType::Constant(value), NameType::Name(set, offset))
            | (NameType::Name(set, offset), NameType::Constant(value)) => {
                self.no_name(value, (set, offset), span, how);
                NameType::Name(set, offset)
            }
            (NameType::Channel(kind), NameType::Channel(other)) => {
                if self.pass == Pass::Learn {
                    self.slots.join_kinds(kind, other);
                }
                self.check(kind == other, |_| Refusal::of_channels(span));
                a
            }
            (NameType::Channel(_), other) | (other, NameType::Channel(_)) => {
                let none = other == NameType::Constant(0);
                self.check(none, |_| Refusal::of_channels(span));
                if a == other { b } else { a }
            }
            (NameType::Name(..), other) | (other, NameType::Name(..)) => {
                let name = if a == other { b } else { a };
                let fits = match other {
                    NameType::Outsider => self.is_of_processes(name),
                    other => other == name,
                };
                let mixed = self.mixed(name, other, span).because(how);
                self.check(fits, |_| mixed);
                name
            }
            (NameType::Outsider, NameType::Outsider) => NameType::Outsider,
            _ => NameType::Plain,
        }
    }

    /// A constant meets names: it must be none of them.
    fn no_name(&mut self, value: Value, of: (u32, Value), span: Span, how: Option<&str>) {
        let (set, offset) = of;
        let name = value.checked_add(offset);
        let domain = name.and_then(|name| self.sets.domain_of(set, name));
        self.check(domain.is_none(), |sets| {
            let name = sets.label(set);
            let message = format!("a member of `{name}` meets one that is written down");
            Refusal::of(domain.into_iter().collect(), span, message).because(how)
        });
    }

    fn is_of_processes(&self, ty: NameType) -> bool {
        matches!(ty, NameType::Name(set, 0) if self.sets.processes() == Some(set))
    }

    fn mixed(&self, name: NameType, other: NameType, span: Span) -> Refusal {
        let NameType::Name(set, _) = name else {
            return Refusal::unsupported(span);
        };
        let sets = self.sets;
        let label = sets.label(set);
        match other {
            NameType::Name(other, _) if other != set => {
                let message = format!(
                    "members of `{label}` and of `{}` are mixed",
                    sets.label(other)
                );
                // The smaller set is given up first, so that more is left.
                let first = sets.smaller(set, other);
                let second = if first == set { other } else { set };
                let domains = [sets.numbers(first), sets.numbers(second)].concat();
                let refusal = Refusal::of(domains.clone(), span, message);
                match sets.numbers(second).first() {
                    Some(with) => Refusal {
                        concerns: Concerns::Mixed(domains, *with),
                        ..refusal
                    },
                    None => refusal,
                }
            }
            _ => {
                let message = format!("a member of `{label}` is used as a number");
                Refusal::of(sets.numbers(set), span, message)
            }
        }
    }

    /// Notes what breaks a rule, unless types are still being learnt.
    pub(super) fn check(&mut self, holds: bool, refusal: impl FnOnce(&NameSets) -> Refusal) {
        if !holds && self.pass == Pass::Check {
            let refusal = refusal(self.sets);
            // A rule that is about no domain is kept.
            if refusal.concerns != Concerns::Some(Vec::new()) {
                self.refusals.push(refusal);
            }
        }
    }

    /// That a set of values is mapped to itself by every renaming: of each domain of the type of its variable, it has all names or none.
    pub(super) fn closed(&mut self, variable: NameType, values: &Values, span: Span) {
        let NameType::Name(set, offset) = self.slots.resolve(variable) else {
            return;
        };
        let sets = self.sets;
        for (domain, members) in sets.domains(set) {
            let is_member = |value: &Value| members.binary_search(&(value + offset)).is_ok();
            let inside = values.iter().filter(is_member).count();
            self.check(inside == 0 || inside == members.len(), |sets| {
                let name = sets.label(set);
                let message = format!("only some members of `{name}` are meant");
                Refusal::of(vec![*domain], span, message)
            });
        }
    }
}

/// Whether a global variable is no part of the state. Channels that are made for one are.
fn is_temporary(model: &Model, variable: &Variable) -> bool {
    variable.storage == Storage::Scratch && !makes_channels(model, variable)
}

/// The variable that a place is in.
fn variable<'s>(
    frame: &'s Frame,
    state: &'s Classes<Slot>,
    root: &Root,
) -> Option<&'s Shape<Slot>> {
    let temporary = match root {
        Root::Reference(number) => frame.references.get(*number as usize),
        Root::Local(local) => frame.temporaries.get(local.index())?.as_ref(),
        Root::Global(id) => frame.globals.get(id),
        Root::Remote { .. } | Root::OwnPriority => None,
    };
    temporary.or_else(|| state.variable(frame.template, root))
}

pub(super) fn field_of(projection: &Projection) -> Option<u32> {
    match projection {
        Projection::Field(field) => Some(*field),
        Projection::Index(_) => None,
    }
}

/// The frame of a function: all its variables are temporaries.
fn frame_of(model: &Model, function: &Function, slots: &mut Slots) -> Frame {
    let mut shape = |variable: &Variable| Shape::of(model, &variable.ty, &mut || slots.fresh());
    Frame {
        template: None,
        temporaries: function.locals.iter().map(|v| Some(shape(v))).collect(),
        globals: BTreeMap::new(),
        references: function.references.iter().map(shape).collect(),
    }
}
