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
use super::liveness::{self, is_dead};
use super::types::Ty;
use crate::proof::Temporary;
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern, Place, Projection, Root, UnaryOp};
use mandala_model::function::Call;
use mandala_model::ids::{CodeId, GlobalId, LocalId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::parameters::{Progression, Values};
use mandala_model::property::PropertyKind;
use mandala_model::state::Value;
use mandala_model::template::{Choice, Effect, Insertion, Print, Routine, Step};
use mandala_model::types::{Initial, Type};
use std::collections::BTreeSet;

/// A use of a part of a variable.
#[derive(Clone, Debug, PartialEq)]
struct Access {
    base: Base,
    path: Vec<Part>,
    manner: Manner,
}

/// What a part is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    /// A variable of the frame that the loop is in.
    Own(u32),
    Global(u32),
    /// The messages in the channels that were made for a global variable which is never written.
    Messages(u32),
    /// A place that was passed to the function that the loop is in. It is in no variable of its frame.
    Passed(u32),
    /// Anything but a variable of the frame.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Access {
    /// Whether this access of one iteration and that one of another one may be of the same cell.
    fn meets(&self, other: &Access) -> bool {
        match (self.base, other.base) {
            (a, b) if a == b && a != Base::Unknown => {
                let mut parts = self.path.iter().zip(&other.path);
                !parts.any(|(a, b)| match (a, b) {
                    (Part::Each, Part::Each) => true,
                    (Part::Field(a), Part::Field(b)) => a != b,
                    (Part::At(a), Part::At(b)) => a != b,
                    _ => false,
                })
            }
            (Base::Own(_), _) | (_, Base::Own(_)) => false,
            (Base::Global(_), Base::Global(_) | Base::Messages(_)) => false,
            (Base::Messages(_), Base::Global(_) | Base::Messages(_)) => false,
            _ => true,
        }
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
struct Finder<'m> {
    model: &'m Model,
    each: Base,
    range: (Value, Value),
    found: Vec<Access>,
}

/// What has no rule here.
type Found = Result<(), &'static str>;

const NO_RULE: &str = "no rule is about something in it";

/// A loop, whichever kind it is of.
pub(super) struct Iterations {
    head: NodeId,
    variable: Place,
    /// What counts the iterations, if that is another variable.
    position: Option<u32>,
    values: Values,
    body: BTreeSet<NodeId>,
    /// How many of the effects of the first choice of the head take the next value.
    takes: usize,
}

impl Iterations {
    /// A loop that the model says to be one.
    pub(super) fn known(routine: &Routine, each: &Loop) -> Self {
        Iterations {
            head: each.head,
            variable: Place::variable(Root::Local(each.variable), each.span),
            position: Some(each.position.0),
            values: each.values.clone(),
            body: routine.reached_from(each.body(&routine.nodes), each.head),
            takes: each.takes_next().len(),
        }
    }

    /// A loop that counts.
    pub(super) fn counted(each: &Counted) -> Self {
        Iterations {
            head: each.head,
            variable: each.variable.clone(),
            position: None,
            values: Values(vec![Progression::range(
                each.first,
                (each.last - each.first + 1) as u32,
            )]),
            body: each.body.clone(),
            takes: 0,
        }
    }
}

impl Judge<'_> {
    /// The iterations of a loop do not disturb each other, if its variable is moved.
    pub(super) fn iterations(
        &mut self,
        routine: &Routine,
        each: &Iterations,
        id: Option<CodeId>,
    ) -> Checked<()> {
        let span = each.variable.span;
        let cell = self.cell(&each.variable, &each.variable)?;
        self.closed(cell.sort, &each.values, span)?;
        if let Ty::Cases(_) = cell.ty(self.mover) {
            return Ok(());
        }
        match self.disturbance(routine, each, id) {
            None => Ok(()),
            Some(why) => self.need(
                false,
                span,
                &format!("the order of a loop may matter: {why}"),
            ),
        }
    }

    fn disturbance(
        &self,
        routine: &Routine,
        each: &Iterations,
        id: Option<CodeId>,
    ) -> Option<&'static str> {
        if each
            .body
            .iter()
            .any(|node| routine.nodes[node.index()].quiet)
        {
            return Some("an iteration may block the step");
        }
        let covered = |kind: &PropertyKind| match kind {
            PropertyKind::Cover { nodes, .. } => nodes
                .iter()
                .any(|(code, node)| Some(*code) == id && each.body.contains(node)),
            _ => false,
        };
        if self
            .model
            .properties
            .iter()
            .any(|property| covered(&property.kind))
        {
            return Some("a `cover` is inside");
        }
        let own = match each.variable.root {
            Root::Local(local) => Base::Own(local.0),
            Root::Global(global) => Base::Global(global.0),
            _ => return Some(NO_RULE),
        };
        let range = each.values.iter().min().zip(each.values.iter().max())?;
        let mut finder = Finder {
            model: self.model,
            each: own,
            range,
            found: Vec::new(),
        };
        // What the head does to take the next value is left out.
        let found = match &routine.nodes[each.head.index()].choices[0].step {
            Step::Guarded { effects, .. } => {
                let mut rest = effects.iter().skip(each.takes);
                rest.try_for_each(|effect| finder.effect(effect, None))
            }
            _ => Err(NO_RULE),
        };
        let counts = |choice: &Choice| each.position.is_none() && choice.next == Some(each.head);
        let nodes = each
            .body
            .iter()
            .flat_map(|node| &routine.nodes[node.index()].choices);
        let mut nodes = nodes.filter(|choice| !counts(choice));
        let found = found.and_then(|()| {
            nodes.try_for_each(|choice| match choice.next.is_some() || halts(choice) {
                true => finder.step(&choice.step, None),
                false => Err("an iteration may leave the loop"),
            })
        });
        if let Err(why) = found {
            return Some(why);
        }
        self.conflict(&finder.found, each, own)
    }

    /// Two accesses that disturb each other.
    fn conflict(&self, found: &[Access], each: &Iterations, own: Base) -> Option<&'static str> {
        let is_control = |access: &Access| {
            access.base == own || each.position.map(Base::Own) == Some(access.base)
        };
        let writes = |access: &&Access| access.manner != Manner::Read;
        if found.iter().filter(writes).any(is_control) {
            return Some("its own variable is assigned to");
        }
        let lasting = found
            .iter()
            .filter(|a| !is_control(a) && !self.is_passing(a, each.head));
        let lasting: Vec<&Access> = lasting.collect();
        let disturbs = |write: &&Access| {
            lasting
                .iter()
                .any(|other| write.meets(other) && !write.commutes_with(other))
        };
        let mut writers = lasting.iter().copied().filter(writes);
        let disturbed = writers.any(|write| disturbs(&write));
        disturbed.then_some("one iteration writes what another one reads, or writes in another way")
    }

    /// Whether an access is of a temporary that connects no iterations.
    fn is_passing(&self, access: &Access, head: NodeId) -> bool {
        let variable = match access.base {
            Base::Own(id) => Temporary::Local(id),
            Base::Global(id) => Temporary::Global(id),
            _ => return false,
        };
        let fields = access.path.iter().map_while(|part| match part {
            Part::Field(field) => Some(*field),
            _ => None,
        });
        let path: Vec<u32> = fields.collect();
        self.is_temporary(variable) && is_dead(self.notes, variable, &path, head)
    }
}

/// Whether a choice ends the step with a violation.
fn halts(choice: &Choice) -> bool {
    match &choice.step {
        Step::Guarded { effects, .. } => effects.iter().any(|e| matches!(e, Effect::Fail { .. })),
        _ => false,
    }
}

impl Finder<'_> {
    fn step(&mut self, step: &Step, inside: Option<&Inside>) -> Found {
        match step {
            Step::Guarded { guard, effects } => {
                self.reads(guard, inside)?;
                effects
                    .iter()
                    .try_for_each(|effect| self.effect(effect, inside))
            }
            Step::Call(call) => self.call(call, inside),
            Step::Else => Ok(()),
            Step::Send {
                channel, message, ..
            } => {
                message
                    .iter()
                    .try_for_each(|value| self.reads(value, inside))?;
                self.messages(channel, Manner::Written, inside)
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                for pattern in patterns {
                    match pattern {
                        Pattern::Match(value) => self.reads(value, inside)?,
                        Pattern::Bind(place) => self.access(place, Manner::Written, inside)?,
                        Pattern::Ignore => {}
                    }
                }
                self.messages(channel, Manner::Written, inside)
            }
            Step::Exit | Step::Routine(_) => Err(NO_RULE),
        }
    }

    fn effect(&mut self, effect: &Effect, inside: Option<&Inside>) -> Found {
        match effect {
            Effect::Assign { place, value } => {
                let manner = self.manner(place, value, inside)?;
                self.access(place, manner, inside)
            }
            Effect::Print {
                text: Print::Format { arguments, .. },
            } => arguments
                .iter()
                .try_for_each(|value| self.reads(value, inside)),
            Effect::Print {
                text: Print::Name(value),
            } => self.reads(value, inside),
            Effect::Insert(insertion) => self.insertion(insertion, inside),
            // It is a violation whichever iteration comes first.
            Effect::Fail { .. } => Ok(()),
            _ => Err(NO_RULE),
        }
    }

    /// How a place is written, once what the value depends on besides is noted.
    fn manner(
        &mut self,
        place: &Place,
        value: &Expr,
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
                (BinaryOp::And | BinaryOp::Or, _) if inside.is_none() && self.is_total(with) => {
                    Some(Manner::Joins(*op))
                }
                _ => None,
            });
            if let (Some(with), Some(manner)) = (with, manner) {
                self.reads(with, inside)?;
                return Ok(manner);
            }
        }
        self.reads(value, inside)?;
        Ok(value.as_constant().map_or(Manner::Written, Manner::Becomes))
    }

    /// Of the elements that are there already it only matters how many there are, in whatever order they came.
    fn insertion(&mut self, insertion: &Insertion, inside: Option<&Inside>) -> Found {
        self.access(&insertion.position, Manner::Written, inside)?;
        insertion
            .cells
            .iter()
            .try_for_each(|(_, value)| self.reads(value, inside))?;
        let base = Base::Global(insertion.array.0);
        self.found.push(Access {
            base,
            path: Vec::new(),
            manner: Manner::Inserts,
        });
        Ok(())
    }

    fn call(&mut self, call: &Call, inside: Option<&Inside>) -> Found {
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
    fn entered(&self, call: &Call, inside: Option<&Inside>) -> Inside {
        let function = self.model.function(call.function);
        let mut values = call.arguments.iter();
        let mut arguments = Vec::new();
        let parameters = function.locals.iter().take(function.parameters as usize);
        for (id, parameter) in (0..).map(LocalId).zip(parameters) {
            let own: Vec<&Expr> = values
                .by_ref()
                .take(self.model.cells(&parameter.ty))
                .collect();
            if let [value] = own[..]
                && !liveness::is_assigned(&function.body, id)
            {
                arguments.push((id, self.part(value, inside)));
            }
        }
        let references = call
            .references
            .iter()
            .map(|place| self.place(place, inside));
        Inside {
            arguments,
            references: references
                .map(|found| found.unwrap_or((Base::Unknown, Vec::new())))
                .collect(),
        }
    }

    fn messages(&mut self, channel: &Expr, manner: Manner, inside: Option<&Inside>) -> Found {
        self.reads(channel, inside)?;
        let own = match &channel.kind {
            ExprKind::Read(place) => match place.root {
                Root::Global(id) if self.is_lasting(id) => {
                    self.place(place, inside).map(|(_, path)| (id, path))
                }
                _ => None,
            },
            _ => None,
        };
        let (base, path) = match own {
            Some((id, path)) => (Base::Messages(id.0), path),
            None => (Base::Unknown, Vec::new()),
        };
        self.found.push(Access { base, path, manner });
        Ok(())
    }

    /// Whether channels are made for a global variable that nobody writes.
    fn is_lasting(&self, id: GlobalId) -> bool {
        let made = matches!(self.model.global(id).initial, Initial::NewChannel(_));
        made && !liveness::is_written(self.model, id)
    }

    fn reads(&mut self, expr: &Expr, inside: Option<&Inside>) -> Found {
        let (mut places, mut channels, mut found) = (Vec::new(), Vec::new(), Ok(()));
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Read(place) => places.push(place.clone()),
            ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } => {
                channels.push(channel.clone())
            }
            ExprKind::Const(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::SelfId
            | ExprKind::Quantified(_)
            | ExprKind::Bound(_) => {}
            // It asks about more than its parts.
            _ => found = Err(NO_RULE),
        });
        places
            .iter()
            .for_each(|place| self.note(place, Manner::Read, inside));
        channels
            .iter()
            .try_for_each(|channel| self.messages(channel, Manner::Read, inside))?;
        found
    }

    fn indices(&mut self, place: &Place, inside: Option<&Inside>) -> Found {
        let mut parts = Vec::new();
        place.each_part(&mut |part| parts.push(part.clone()));
        parts.iter().try_for_each(|part| self.reads(part, inside))
    }

    fn access(&mut self, place: &Place, manner: Manner, inside: Option<&Inside>) -> Found {
        self.indices(place, inside)?;
        self.note(place, manner, inside);
        Ok(())
    }

    fn note(&mut self, place: &Place, manner: Manner, inside: Option<&Inside>) {
        if let Some((base, path)) = self.place(place, inside) {
            self.found.push(Access { base, path, manner });
        }
    }

    /// The part of a variable that a place is; nothing if it is in the frame of a function that is called, where no other iteration comes.
    fn place(&self, place: &Place, inside: Option<&Inside>) -> Option<(Base, Vec<Part>)> {
        let (base, mut path) = match (&place.root, inside) {
            (Root::Global(id), _) => (Base::Global(id.0), Vec::new()),
            (Root::Local(id), None) => (Base::Own(id.0), Vec::new()),
            (Root::Local(_), Some(_)) => return None,
            (Root::Reference(number), None) => (Base::Passed(*number), Vec::new()),
            (Root::Reference(number), Some(inside)) => {
                inside.references.get(*number as usize).cloned()?
            }
            (Root::Remote { .. } | Root::OwnPriority, _) => (Base::Unknown, Vec::new()),
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
            ExprKind::Read(Place {
                root: Root::Global(id),
                path,
                ..
            }) if path.is_empty() && Base::Global(id.0) == self.each => Part::Each,
            ExprKind::Read(Place {
                root: Root::Local(local),
                path,
                ..
            }) if path.is_empty() => match inside {
                None if Base::Own(local.0) == self.each => Part::Each,
                None => Part::Some,
                Some(inside) => {
                    let known = inside.arguments.iter().find(|(id, _)| id == local);
                    known.map_or(Part::Some, |(_, part)| *part)
                }
            },
            _ => Part::Some,
        }
    }

    /// Whether an expression in the frame of the loop has a value in every state.
    fn is_total(&self, expr: &Expr) -> bool {
        !expr.any(|part| match &part.kind {
            ExprKind::Const(_) | ExprKind::SelfId | ExprKind::Conditional(..) => false,
            ExprKind::Unary(op, _) => *op != UnaryOp::Not,
            ExprKind::Binary(op, ..) => {
                !op.is_comparison() && !matches!(op, BinaryOp::And | BinaryOp::Or)
            }
            ExprKind::Read(place) => !self.is_inside(place),
            _ => true,
        })
    }

    /// Whether a place is there in every iteration.
    fn is_inside(&self, place: &Place) -> bool {
        let mut ty = match &place.root {
            Root::Global(id) => &self.model.global(*id).ty,
            Root::Local(_) => return place.path.is_empty(),
            _ => return false,
        };
        for projection in &place.path {
            ty = match (ty, projection) {
                (Type::Array { element, length }, Projection::Index(index)) => {
                    let (low, high) = match self.part(index, None) {
                        Part::Each => self.range,
                        Part::At(value) => (value, value),
                        Part::Field(_) | Part::Some => return false,
                    };
                    if low < 0 || high >= Value::from(*length) {
                        return false;
                    }
                    element
                }
                (Type::Record(id), Projection::Field(field)) => {
                    match self.model.record(*id).fields.get(*field as usize) {
                        Some(field) => &field.ty,
                        None => return false,
                    }
                }
                _ => return false,
            };
        }
        true
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
