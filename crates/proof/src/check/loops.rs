//! Loops over what is moved: the order of their iterations must not matter.
//!
//! A loop goes through the values of its variable in the order of their numbers, and a renaming changes that order. If no two iterations disturb each other, what comes
//! out is the same in every order. They do not if
//!
//! - none reads what another one writes, and what both write, both write in one manner that comes to the same in either order: the same number, numbers of one sign that
//!   are added, a conjunction or a disjunction, elements that are added to a multiset. Elements at the index of the variable of the loop are other cells in every
//!   iteration. A temporary that nobody reads at the head of the loop before it is written ([`super::liveness`]) is no connection between iterations;
//! - the messages that one sends, takes or asks for are those of the channel that was made for the element of a global array, which is never written, at its own name;
//! - none ends the loop, blocks the step, or passes a node that a property asks about.

use super::Checked;
use super::counted::Counted;
use super::judge::Judge;
use super::liveness::{is_assigned, is_dead, is_written};
use super::types::Ty;
use super::uses::{Use, indices, of_effect, parts, uses};
use crate::proof::Temporary;
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::function::Call;
use mandala_model::ids::{CodeId, LocalId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::parameters::{Progression, Values};
use mandala_model::property::PropertyKind;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Choice, Effect, Insertion, Routine, Step};
use mandala_model::types::Initial;
use std::collections::BTreeSet;

/// A use of a part of a variable.
#[derive(Clone, Debug, PartialEq)]
struct Access {
    base: Base,
    path: Vec<Part>,
    manner: Manner,
}

/// What a part is a part of.
#[derive(Clone, Debug, PartialEq)]
enum Base {
    /// A variable of the frame that the loop is in, a global one, or a place that was passed to the function that the loop is in.
    Variable(Root),
    /// The messages in the channels that were made for a global variable which is never written.
    Messages(Root),
    /// Anything but a local variable.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Field(u32),
    /// The element of the variable of the loop.
    Each,
    /// The element at that position.
    At(Value),
    /// Some element.
    Some,
}

/// How a part of a variable is used.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    Read,
    Becomes(Value),
    Grows,
    Shrinks,
    /// It becomes the conjunction, or the disjunction, of itself and something that has a value in any case.
    Joins(BinaryOp),
    Inserts,
    Written,
}

impl Base {
    /// Whether two parts may be of one thing. A place that was passed is in no variable of the frame that it was passed to.
    fn meets(&self, other: &Base) -> bool {
        let is_passed = |root: &Root| matches!(root, Root::Reference(_));
        match (self, other) {
            (Base::Variable(a), Base::Variable(b)) => {
                let local = matches!(a, Root::Local(_)) || matches!(b, Root::Local(_));
                a == b || (!local && (is_passed(a) || is_passed(b)))
            }
            (Base::Messages(a), Base::Messages(b)) => a == b,
            (Base::Variable(root), other) | (other, Base::Variable(root)) => match other {
                Base::Unknown => !matches!(root, Root::Local(_)),
                _ => is_passed(root),
            },
            _ => true,
        }
    }
}

impl Access {
    /// Whether this access of one iteration and that one of another one may be of the same cell.
    fn meets(&self, other: &Access) -> bool {
        let mut parts = self.path.iter().zip(&other.path);
        let mut apart = || {
            parts.any(|(a, b)| match (a, b) {
                (Part::Each, Part::Each) => true,
                (Part::Field(a), Part::Field(b)) => a != b,
                (Part::At(a), Part::At(b)) => a != b,
                _ => false,
            })
        };
        let known = self.base == other.base && self.base != Base::Unknown;
        self.base.meets(&other.base) && !(known && apart())
    }

    /// Whether two accesses of one cell come to the same in either order.
    fn commutes_with(&self, other: &Access) -> bool {
        self.manner == other.manner && self.manner != Manner::Written
    }
}

/// What places and values are to a function that is called inside of the loop.
struct Inside {
    arguments: Vec<(LocalId, Part)>,
    references: Vec<(Base, Vec<Part>)>,
}

/// Finds the accesses of the body of a loop.
struct Finder<'j, 'p> {
    judge: &'j mut Judge<'p>,
    model: &'p Model,
    each: &'j Root,
    found: Vec<Access>,
}

/// What has no rule here.
type Found = Result<(), &'static str>;

const NO_RULE: &str = "no rule is about something in it";

/// A loop, whichever kind it is of.
pub(super) struct Iterations<'m> {
    head: NodeId,
    variable: Root,
    span: Span,
    /// What counts the iterations, if that is another variable.
    position: Option<Root>,
    values: Values,
    body: BTreeSet<NodeId>,
    /// How many of the effects of the first choice of the head take the next value.
    takes: usize,
    routine: &'m Routine,
}

impl<'m> Iterations<'m> {
    /// A loop that the model says to be one.
    pub(super) fn known(routine: &'m Routine, each: &Loop) -> Self {
        Iterations {
            head: each.head,
            variable: Root::Local(each.variable),
            span: each.span,
            position: Some(Root::Local(each.position)),
            values: each.values.clone(),
            body: routine.reached_from(each.body(&routine.nodes), each.head),
            takes: each.takes_next().len(),
            routine,
        }
    }

    /// A loop that counts.
    pub(super) fn counted(routine: &'m Routine, each: &Counted<'_>) -> Self {
        let count = (each.last - each.first + 1) as u32;
        Iterations {
            head: each.head,
            variable: each.variable.root.clone(),
            span: each.variable.span,
            position: None,
            values: Values(vec![Progression::range(each.first, count)]),
            body: each.body.clone(),
            takes: 0,
            routine,
        }
    }

    /// The choices of the body, but for those that only count.
    fn choices(&self) -> impl Iterator<Item = &'m Choice> {
        let nodes = self
            .body
            .iter()
            .map(|node| &self.routine.nodes[node.index()]);
        let counts = |choice: &&Choice| self.position.is_none() && choice.next == Some(self.head);
        nodes
            .flat_map(|node| &node.choices)
            .filter(move |choice| !counts(choice))
    }
}

impl<'p> Judge<'p> {
    /// The iterations of a loop do not disturb each other, if its variable is moved.
    pub(super) fn iterations(&mut self, each: &Iterations<'p>, id: Option<CodeId>) -> Checked<()> {
        let cell = self.root(&each.variable).and_then(|part| part.cell());
        let cell = cell.ok_or(super::Reject::at(each.span, "it is no cell"))?;
        self.closed(cell.sort, &each.values, each.span)?;
        if let Ty::Cases(_) = cell.ty(self.mover) {
            return Ok(());
        }
        let is_moved = |value| self.mover.is_moved(cell.sort, value);
        if !each.values.iter().any(is_moved) {
            // It goes through the same values in any case.
            return Ok(());
        }
        match self.disturbance(each, id) {
            Ok(()) => Ok(()),
            Err(why) => {
                let message = format!("the order of a loop may matter: {why}");
                self.need(false, each.span, &message)
            }
        }
    }

    fn disturbance(&mut self, each: &Iterations<'p>, id: Option<CodeId>) -> Found {
        let need = |holds: bool, why| holds.then_some(()).ok_or(why);
        let nodes = &each.routine.nodes;
        let mut inside = each.body.iter().map(|node| &nodes[node.index()]);
        need(
            !inside.any(|node| node.quiet),
            "an iteration may block the step",
        )?;
        let covered = |kind: &PropertyKind| match kind {
            PropertyKind::Cover { nodes, .. } => {
                let mut nodes = nodes.iter();
                nodes.any(|(code, node)| Some(*code) == id && each.body.contains(node))
            }
            _ => false,
        };
        let mut properties = self.model.properties.iter();
        need(
            !properties.any(|property| covered(&property.kind)),
            "a `cover` is inside",
        )?;
        let stays = |choice: &Choice| choice.next.is_some() || halts(choice);
        need(each.choices().all(stays), "an iteration may leave the loop")?;
        let range = each
            .values
            .iter()
            .min()
            .zip(each.values.iter().max())
            .ok_or(NO_RULE)?;
        // What the head does to take the next value is left out.
        let Step::Guarded { effects, .. } = &nodes[each.head.index()].choices[0].step else {
            return Err(NO_RULE);
        };
        let model = self.model;
        let before = self.within.replace((each.variable.clone(), range));
        let mut finder = Finder {
            judge: self,
            model,
            each: &each.variable,
            found: Vec::new(),
        };
        let mut rest = effects.iter().skip(each.takes);
        let found = rest.try_for_each(|effect| finder.effect(effect, None));
        let found = found.and_then(|()| {
            each.choices()
                .try_for_each(|choice| finder.step(&choice.step, None))
        });
        let accesses = finder.found;
        self.within = before;
        found.and_then(|()| self.conflict(&accesses, each))
    }

    /// Two accesses that disturb each other.
    fn conflict(&self, found: &[Access], each: &Iterations<'_>) -> Found {
        let is_control = |access: &Access| match &access.base {
            Base::Variable(root) => *root == each.variable || Some(root) == each.position.as_ref(),
            _ => false,
        };
        let (control, others): (Vec<&Access>, Vec<&Access>) =
            found.iter().partition(|access| is_control(access));
        let writes = |access: &&&Access| access.manner != Manner::Read;
        if control.iter().any(|access| writes(&access)) {
            return Err("its own variable is assigned to");
        }
        let lasting: Vec<&Access> = others
            .into_iter()
            .filter(|access| !self.is_passing(access, each.head))
            .collect();
        let disturbs =
            |write: &Access, other: &Access| write.meets(other) && !write.commutes_with(other);
        let mut writers = lasting.iter().filter(writes);
        match writers.any(|write| lasting.iter().any(|other| disturbs(write, other))) {
            true => Err("one iteration writes what another one reads, or writes in another way"),
            false => Ok(()),
        }
    }

    /// Whether an access is of a temporary that connects no iterations.
    fn is_passing(&self, access: &Access, head: NodeId) -> bool {
        let variable = match &access.base {
            Base::Variable(root) => Temporary::of(root),
            _ => None,
        };
        let fields = access.path.iter().map_while(|part| match part {
            Part::Field(field) => Some(*field),
            _ => None,
        });
        let path: Vec<u32> = fields.collect();
        let passes =
            |variable| self.is_temporary(variable) && is_dead(self.notes, variable, &path, head);
        variable.is_some_and(passes)
    }
}

/// Whether a choice ends the step with a violation.
fn halts(choice: &Choice) -> bool {
    match &choice.step {
        Step::Guarded { effects, .. } => effects.iter().any(|e| matches!(e, Effect::Fail { .. })),
        _ => false,
    }
}

impl<'p> Finder<'_, 'p> {
    fn step(&mut self, step: &'p Step, inside: Option<&Inside>) -> Found {
        match step {
            Step::Guarded { guard, effects } => {
                self.reads(guard, inside)?;
                effects
                    .iter()
                    .try_for_each(|effect| self.effect(effect, inside))
            }
            Step::Call(call) => self.call(call, inside),
            Step::Exit | Step::Routine(_) => Err(NO_RULE),
            Step::Else => Ok(()),
            Step::Send { channel, .. } | Step::Receive { channel, .. } => {
                self.uses(uses(step), inside)?;
                self.messages(channel, Manner::Written, inside)
            }
        }
    }

    fn effect(&mut self, effect: &'p Effect, inside: Option<&Inside>) -> Found {
        match effect {
            Effect::Assign { .. } | Effect::Print { .. } => self.uses(of_effect(effect), inside),
            Effect::Insert(insertion) => self.insertion(insertion, inside),
            // It is a violation whichever iteration comes first.
            Effect::Fail { .. } => Ok(()),
            _ => Err(NO_RULE),
        }
    }

    fn uses(&mut self, uses: Vec<Use<'p>>, inside: Option<&Inside>) -> Found {
        // What an accumulator gets is looked at with the place that it goes to.
        let mut uses = uses.into_iter().peekable();
        while let Some(part) = uses.next() {
            match (part, uses.peek()) {
                (Use::Evaluates(_), Some(Use::Assigns(_, Some(_)))) => {}
                (Use::Evaluates(expr), _) => self.reads(expr, inside)?,
                (Use::Assigns(place, Some(value)), _) => {
                    let manner = self.manner(place, value, inside)?;
                    self.access(place, manner, inside)?;
                }
                (Use::Assigns(place, None) | Use::Binds(place) | Use::Passes(place), _) => {
                    self.access(place, Manner::Written, inside)?
                }
            }
        }
        Ok(())
    }

    /// How a place is written, once what the value depends on besides is noted.
    fn manner(
        &mut self,
        place: &'p Place,
        value: &'p Expr,
        inside: Option<&Inside>,
    ) -> Result<Manner, &'static str> {
        if let ExprKind::Binary(op, left, right) = &value.kind {
            let with = match (is_read_of(left, place), is_read_of(right, place)) {
                (true, false) => Some(right),
                (false, true) if *op != BinaryOp::Subtract => Some(left),
                _ => None,
            };
            let manner = with.and_then(|with| match (op, with.as_constant()) {
                (BinaryOp::Add, Some(0..)) => Some(Manner::Grows),
                (BinaryOp::Add, Some(_)) => Some(Manner::Shrinks),
                (BinaryOp::Subtract, Some(0..)) => Some(Manner::Shrinks),
                (BinaryOp::Subtract, Some(_)) => Some(Manner::Grows),
                (BinaryOp::BitAnd | BinaryOp::BitOr, _) => Some(Manner::Joins(*op)),
                // What is not evaluated where the place decides could not have failed.
                (BinaryOp::And | BinaryOp::Or, _)
                    if inside.is_none() && self.judge.is_total(with) =>
                {
                    Some(Manner::Joins(*op))
                }
                _ => None,
            });
            if let (Some(with), Some(manner)) = (with, manner) {
                return self.reads(with, inside).map(|()| manner);
            }
        }
        self.reads(value, inside)?;
        Ok(value.as_constant().map_or(Manner::Written, Manner::Becomes))
    }

    /// Of the elements that are there already it only matters how many there are, in whatever order they came.
    fn insertion(&mut self, insertion: &'p Insertion, inside: Option<&Inside>) -> Found {
        self.access(&insertion.position, Manner::Written, inside)?;
        let mut cells = insertion.cells.iter();
        cells.try_for_each(|(_, value)| self.reads(value, inside))?;
        let base = Base::Variable(Root::Global(insertion.array));
        self.note((base, Vec::new()), Manner::Inserts);
        Ok(())
    }

    fn call(&mut self, call: &'p Call, inside: Option<&Inside>) -> Found {
        let function = self.model.function(call.function);
        let nodes = &function.body.nodes;
        if self.model.is_recursive(call.function) || nodes.iter().any(|node| node.quiet) {
            return Err(NO_RULE);
        }
        call.arguments
            .iter()
            .try_for_each(|value| self.reads(value, inside))?;
        call.references
            .iter()
            .try_for_each(|place| self.indices(place, inside))?;
        let callee = self.entered(call, inside);
        let mut choices = nodes.iter().flat_map(|node| &node.choices);
        choices.try_for_each(|choice| self.step(&choice.step, Some(&callee)))?;
        match &call.result {
            Some(result) => self.access(result, Manner::Written, inside),
            None => Ok(()),
        }
    }

    /// What a function that is called knows of its caller.
    fn entered(&self, call: &'p Call, inside: Option<&Inside>) -> Inside {
        let function = self.model.function(call.function);
        let mut values = call.arguments.iter();
        let mut arguments = Vec::new();
        let parameters = function.locals.iter().take(function.parameters as usize);
        for (id, parameter) in (0..).map(LocalId).zip(parameters) {
            let own = values.by_ref().take(self.model.cells(&parameter.ty));
            let own: Vec<&Expr> = own.collect();
            if let [value] = own[..]
                && !is_assigned(&function.body, &Root::Local(id))
            {
                arguments.push((id, self.part(value, inside)));
            }
        }
        let passed = |place| {
            self.place(place, inside)
                .unwrap_or((Base::Unknown, Vec::new()))
        };
        Inside {
            arguments,
            references: call.references.iter().map(passed).collect(),
        }
    }

    fn messages(&mut self, channel: &'p Expr, manner: Manner, inside: Option<&Inside>) -> Found {
        self.reads(channel, inside)?;
        let place = match &channel.kind {
            ExprKind::Read(place) => self.place(place, inside),
            _ => None,
        };
        let found = match place {
            Some((Base::Variable(root), path)) if self.is_lasting(&root) => {
                (Base::Messages(root), path)
            }
            _ => (Base::Unknown, Vec::new()),
        };
        self.note(found, manner);
        Ok(())
    }

    /// Whether channels are made for a global variable that nobody writes.
    fn is_lasting(&self, root: &Root) -> bool {
        let made = |id| matches!(self.model.global(id).initial, Initial::NewChannel(_));
        matches!(root, Root::Global(id) if made(*id)) && !is_written(self.model, root)
    }

    fn reads(&mut self, expr: &'p Expr, inside: Option<&Inside>) -> Found {
        match &expr.kind {
            ExprKind::Read(place) => return self.access(place, Manner::Read, inside),
            ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } => {
                self.messages(channel, Manner::Read, inside)?
            }
            ExprKind::Const(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::SelfId
            | ExprKind::Quantified(_)
            | ExprKind::Bound(_) => {}
            // It asks about more than its parts.
            _ => return Err(NO_RULE),
        }
        parts(expr)
            .into_iter()
            .try_for_each(|part| self.reads(part, inside))
    }

    fn indices(&mut self, place: &'p Place, inside: Option<&Inside>) -> Found {
        indices(place)
            .into_iter()
            .try_for_each(|part| self.reads(part, inside))
    }

    fn access(&mut self, place: &'p Place, manner: Manner, inside: Option<&Inside>) -> Found {
        self.indices(place, inside)?;
        if let Some(found) = self.place(place, inside) {
            self.note(found, manner);
        }
        Ok(())
    }

    fn note(&mut self, (base, path): (Base, Vec<Part>), manner: Manner) {
        self.found.push(Access { base, path, manner });
    }

    /// The part of a variable that a place is; nothing if it is in the frame of a function that is called, where no other iteration comes.
    fn place(&self, place: &Place, inside: Option<&Inside>) -> Option<(Base, Vec<Part>)> {
        let (base, mut path) = match (&place.root, inside) {
            (Root::Local(_), Some(_)) => return None,
            (Root::Reference(number), Some(inside)) => {
                inside.references.get(*number as usize).cloned()?
            }
            (Root::Remote { .. } | Root::OwnPriority, _) => (Base::Unknown, Vec::new()),
            (root, _) => (Base::Variable(root.clone()), Vec::new()),
        };
        path.extend(place.path.iter().map(|part| match part {
            Projection::Field(field) => Part::Field(*field),
            Projection::Index(index) => self.part(index, inside),
        }));
        Some((base, path))
    }

    /// The element that an index leads to.
    fn part(&self, index: &Expr, inside: Option<&Inside>) -> Part {
        match &index.kind {
            ExprKind::Const(value) => Part::At(*value),
            ExprKind::Unary(UnaryOp::Defined, index) => self.part(index, inside),
            ExprKind::Read(place) if place.path.is_empty() => match (&place.root, inside) {
                (Root::Local(local), Some(inside)) => {
                    let known = inside.arguments.iter().find(|(id, _)| id == local);
                    known.map_or(Part::Some, |(_, part)| *part)
                }
                (root, _) if root == self.each => Part::Each,
                _ => Part::Some,
            },
            _ => Part::Some,
        }
    }
}

/// Whether an expression reads that place, which may be checked to be defined.
fn is_read_of(expr: &Expr, place: &Place) -> bool {
    match &expr.kind {
        ExprKind::Read(read) => same_place(read, place),
        ExprKind::Unary(UnaryOp::Defined, inner) => is_read_of(inner, place),
        _ => false,
    }
}

fn same_place(a: &Place, b: &Place) -> bool {
    let same = |(a, b): (&Projection, &Projection)| match (a, b) {
        (Projection::Field(a), Projection::Field(b)) => a == b,
        (Projection::Index(a), Projection::Index(b)) => match (&a.kind, &b.kind) {
            (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
            (ExprKind::Read(a), ExprKind::Read(b)) => same_place(a, b),
            _ => false,
        },
        _ => false,
    };
    a.root == b.root && a.path.len() == b.path.len() && a.path.iter().zip(&b.path).all(same)
}
