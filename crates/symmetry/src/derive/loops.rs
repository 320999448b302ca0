//! Loops over names: the order of their iterations must not matter.
//!
//! A loop over the names of a set goes through them in the order of their numbers, and a renaming changes that order, unless it goes through one name of a domain or none. If no two iterations disturb each other,
//! what comes out is the same in every order, and then the loop is equivariant if its body is. Two iterations do not disturb each other if
//!
//! - none reads what another writes, and what both write, both write in one manner that comes to the same in either order: the same number, numbers of
//!   one sign that are added, a conjunction, a disjunction (of what is evaluated in any case, or cannot fail), elements that are added to a multiset. Elements at the index of the own name
//!   are other cells in every iteration. Temporaries that are written before they are read in each iteration, and not read
//!   behind the loop, are no connection between iterations;
//! - messages that one sends, takes or asks for are those of a channel of its own: of the element at the own name of a global array of channels that is never written. Of
//!   other channels nothing is known;
//! - none ends the loop: it does not lead out of the body, or block the step.
//!
//! An iteration may fail: then the step fails in every order, because whether an iteration fails depends on none of the others. To wait in the middle of
//! a routine, for room in a channel for instance, is such a failure.

use super::accesses::{Access, Finder, Manner, Part, Variable};
use super::counted::{Counted, counted};
use super::liveness::{Live, is_live, live_at};
use super::names::{DomainIndex, Refusal};
use super::typer::{Typed, Typer};
use super::types::NameType;
use crate::sorts::Shape;
use mandala_model::expr::{Place, Projection, Root};
use mandala_model::ids::{CodeId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::parameters::{Progression, Values};
use mandala_model::property::PropertyKind;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Choice, Effect, Routine, Step};
use std::collections::BTreeSet;

/// A loop over known values.
struct Iterations {
    head: NodeId,
    variable: Place,
    /// What counts the iterations, if that is another variable.
    position: Option<Variable>,
    values: Values,
    /// The nodes of the body, without the head.
    body: BTreeSet<NodeId>,
    /// What is done in the body. What the loop does to take the next value is left out.
    choices: Vec<Choice>,
    /// Whether the step may turn out to be impossible in the body.
    may_block: bool,
    span: Span,
}

impl Iterations {
    /// A loop that the model says to be one.
    fn known(routine: &Routine, each: &Loop) -> Self {
        let body = routine.reached_from(each.body(&routine.nodes), each.head);
        Iterations {
            head: each.head,
            variable: Place::variable(Root::Local(each.variable), each.span),
            position: Some(Variable::Own(each.position)),
            values: each.values.clone(),
            choices: choices(routine, each, &body),
            may_block: body.iter().any(|node| routine.nodes[node.index()].quiet),
            body,
            span: each.span,
        }
    }

    /// A loop that counts.
    fn counted(routine: &Routine, each: &Counted) -> Self {
        let nodes = each.body.iter().map(|node| &routine.nodes[node.index()]);
        let choices = nodes.flat_map(|node| node.choices.iter());
        let choices = choices.filter(|choice| choice.next != Some(each.head));
        Iterations {
            head: each.head,
            variable: each.variable.clone(),
            position: None,
            values: Values(vec![Progression {
                first: each.first,
                step: 1,
                count: (each.last - each.first + 1) as u32,
            }]),
            choices: choices.cloned().collect(),
            may_block: each
                .body
                .iter()
                .any(|node| routine.nodes[node.index()].quiet),
            body: each.body.clone(),
            span: each.variable.span,
        }
    }

    /// The variable of the loop, as accesses call it.
    fn own(&self) -> Option<Variable> {
        match self.variable.root {
            Root::Local(id) => Some(Variable::Own(id)),
            Root::Global(id) => Some(Variable::Global(id)),
            _ => None,
        }
    }
}

impl Typer<'_> {
    /// Checks the loops of a routine whose types are known.
    pub(super) fn loops(&mut self, routine: &Routine, id: Option<CodeId>) -> Typed<()> {
        let counting = counted(self.model, self.frame.template, routine);
        if routine.loops.is_empty() && counting.is_empty() {
            return Ok(());
        }
        let result = match id {
            Some(CodeId::Function(id)) => self.model.function(id).result,
            _ => None,
        };
        let live = live_at(routine, result);
        for each in &counting {
            self.value_behind(routine, each, &live)?;
        }
        let known = routine.loops.iter();
        let known = known.map(|each| Iterations::known(routine, each));
        let counting = counting.iter();
        let counting = counting.map(|each| Iterations::counted(routine, each));
        let all: Vec<Iterations> = known.chain(counting).collect();
        all.iter()
            .try_for_each(|each| self.iterations(each, id, &live))
    }

    /// Behind a loop that counts, its variable has the next number, which must be no name; unless nobody reads it any more.
    fn value_behind(&mut self, routine: &Routine, each: &Counted, live: &[Live]) -> Typed<()> {
        let out = routine.nodes[each.head.index()].choices[1].next;
        let is_read = out.is_some_and(|out| is_live(&live[out.index()], &each.variable));
        if !self.is_temporary(&each.variable.root) || is_read {
            let (ty, _) = self.cell(&each.variable)?;
            self.same(ty, NameType::Constant(each.last + 1), each.variable.span);
        }
        Ok(())
    }

    fn iterations(&mut self, each: &Iterations, id: Option<CodeId>, live: &[Live]) -> Typed<()> {
        let Shape::Cell(slot, _) = self.part(&each.variable)? else {
            return Err(Refusal::unsupported(each.span));
        };
        let variable = self.slots.resolve(slot.ty());
        self.closed(variable, &each.values, each.span);
        if let NameType::Name(set, offset) = variable {
            let several = self.several(set, offset, &each.values);
            if several.is_empty() {
                // Whatever is exchanged, the loop goes through the same values.
                return Ok(());
            }
            let found = self.disturbance(each, id, live);
            self.check(found.is_none(), |sets| {
                let (name, found) = (sets.label(set), found.unwrap_or_default());
                let message = format!(
                    "the order of the members of `{name}` may matter in a loop: {}",
                    found.why
                );
                Refusal::of(several, each.span, message).at_places(found.places)
            });
        }
        Ok(())
    }

    /// The domains of a set that have several members among some values.
    fn several(&self, set: u32, offset: Value, values: &Values) -> Vec<DomainIndex> {
        let domains = self.sets.domains(set).iter();
        let has_several = |members: &[Value]| {
            let is_member = |value: &Value| {
                let name = value.checked_add(offset);
                name.is_some_and(|name| members.binary_search(&name).is_ok())
            };
            values.iter().filter(is_member).nth(1).is_some()
        };
        let several = domains.filter(|(_, members)| has_several(members));
        several.map(|(domain, _)| *domain).collect()
    }

    /// How an iteration of a loop may disturb another one, if it may.
    fn disturbance(
        &self,
        each: &Iterations,
        id: Option<CodeId>,
        live: &[Live],
    ) -> Option<Disturbance> {
        if let Some(why) = self.way_out(each, id) {
            return Some(Disturbance::of(why));
        }
        let Some(own) = each.own() else {
            return Some(Disturbance::of("its variable is none"));
        };
        let range = each.values.iter().min().zip(each.values.iter().max())?;
        let mut finder = Finder::new(self.model, &self.lasting, own, range);
        for choice in &each.choices {
            if let Err(refusal) = finder.choice(choice) {
                return Some(Disturbance::of(&refusal.breach.message));
            }
        }
        let found = finder.found;
        let lasting: Vec<&Access> = found
            .iter()
            .filter(|access| !self.is_passing(access, each, live))
            .collect();
        let writes = lasting
            .iter()
            .filter(|access| access.manner != Manner::Read);
        for write in writes {
            if write.variable == own || Some(write.variable) == each.position {
                return Some(Disturbance::of("its own variable is assigned to"));
            }
            let other = lasting
                .iter()
                .find(|other| write.meets(other) && !write.commutes_with(other));
            if let Some(other) = other {
                return Some(self.told(write, other));
            }
        }
        None
    }

    /// Whether a variable is a temporary of the current body.
    fn is_temporary(&self, root: &Root) -> bool {
        match root {
            Root::Local(id) => matches!(self.frame.temporaries.get(id.index()), Some(Some(_))),
            Root::Global(id) => self.frame.globals.contains_key(id),
            _ => false,
        }
    }

    /// Whether an access is of a temporary that connects no iterations.
    fn is_passing(&self, access: &Access, each: &Iterations, live: &[Live]) -> bool {
        let root = match access.variable {
            Variable::Own(local) => Root::Local(local),
            Variable::Global(id) => Root::Global(id),
            Variable::Passed(_) | Variable::Messages(_) => return false,
        };
        if Some(access.variable) == each.own() || Some(access.variable) == each.position {
            return access.manner == Manner::Read;
        }
        // A variable of the state outlasts the step.
        if !self.is_temporary(&root) {
            return false;
        }
        let fields = access.path.iter().map_while(|part| match part {
            Part::Field(field) => Some(Projection::Field(*field)),
            _ => None,
        });
        let place = Place {
            root,
            path: fields.collect(),
            span: access.span,
        };
        !is_live(&live[each.head.index()], &place)
    }

    /// Why an iteration may end the loop.
    fn way_out(&self, each: &Iterations, id: Option<CodeId>) -> Option<&'static str> {
        if each.may_block {
            return Some("an iteration may block the step");
        }
        let mut ends = each.choices.iter();
        if ends.any(|choice| choice.next.is_none() && !halts(choice)) {
            return Some(
                "an iteration may leave the loop; write what it finds into a variable instead, and leave behind the loop",
            );
        }
        let watched = |node: &NodeId| id.is_some_and(|id| self.is_covered(id, *node));
        let covered = each.body.iter().any(watched);
        covered.then_some("a `cover` is inside")
    }

    /// Whether a property asks if a node is passed.
    fn is_covered(&self, id: CodeId, node: NodeId) -> bool {
        let mut kinds = self.model.properties.iter().map(|property| &property.kind);
        kinds.any(|kind| match kind {
            PropertyKind::Cover { nodes, .. } => nodes.contains(&(id, node)),
            _ => false,
        })
    }

    fn told(&self, write: &Access, other: &Access) -> Disturbance {
        let what = match write.variable {
            Variable::Global(id) => format!("`{}`", self.model.global(id).name),
            Variable::Own(_) => "a local variable".into(),
            Variable::Passed(_) => "what is passed".into(),
            Variable::Messages(id) => format!("the messages in `{}`", self.model.global(id).name),
        };
        let (why, there) = match other.manner {
            Manner::Read => (
                format!(
                    "one iteration writes {what}, which another one reads; use a quantifier for what is asked of all members instead, or an element of each member's own"
                ),
                "is read here",
            ),
            _ => (
                format!(
                    "two iterations write {what} in different ways; write the same constant in each instead, or add numbers of one sign"
                ),
                "and here",
            ),
        };
        Disturbance {
            why,
            places: vec![
                (write.span, "is written here".into()),
                (other.span, there.into()),
            ],
        }
    }
}

/// How an iteration may disturb another one, and where.
#[derive(Debug, Default)]
struct Disturbance {
    why: String,
    places: Vec<(Span, String)>,
}

impl Disturbance {
    fn of(why: &str) -> Self {
        Disturbance {
            why: why.into(),
            places: Vec::new(),
        }
    }
}

/// The choices of the body of a loop. What the head itself does is left out.
fn choices(routine: &Routine, each: &Loop, body: &BTreeSet<NodeId>) -> Vec<Choice> {
    let head = &routine.nodes[each.head.index()].choices[0];
    let mut first = head.clone();
    if let Step::Guarded { guard, effects } = &mut first.step {
        effects.drain(..each.takes_next().len());
        *guard = mandala_model::expr::Expr::constant(1, head.span);
    }
    let nodes = body.iter().map(|node| &routine.nodes[node.index()]);
    let inside = nodes.flat_map(|node| node.choices.iter().cloned());
    std::iter::once(first).chain(inside).collect()
}

/// Whether a choice ends the step with a violation.
fn halts(choice: &Choice) -> bool {
    let Step::Guarded { effects, .. } = &choice.step else {
        return false;
    };
    effects.iter().any(|e| matches!(e, Effect::Fail { .. }))
}
