//! Loops over names: the order of their iterations must not matter.
//!
//! A loop over the names of a set goes through them in the order of their numbers, and a renaming changes that order. If no two iterations disturb each other,
//! what comes out is the same in every order, and then the loop is equivariant if its body is. Two iterations do not disturb each other if
//!
//! - none reads what another writes, and what both write, both write in one manner that comes to the same in either order: the same number, numbers of
//!   one sign that are added, a conjunction, a disjunction, elements that are added to a multiset. Elements at the index of the own name
//!   are other cells in every iteration. Temporaries that are written before they are read in each iteration, and not read
//!   behind the loop, are no connection between iterations;
//! - none ends the loop: it does not lead out of the body, or block the step.
//!
//! An iteration may fail: then the step fails in every order, because whether an iteration fails depends on none of the others.

use super::Refusal;
use super::accesses::{Access, Finder, Manner, Variable};
use super::liveness::{Live, is_live, live_at};
use super::typer::{Typed, Typer};
use super::types::NameType;
use crate::sorts::Shape;
use mandala_model::expr::{Place, Root};
use mandala_model::ids::{CodeId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::property::PropertyKind;
use mandala_model::template::{Choice, Effect, Routine, Step};
use std::collections::BTreeSet;

impl Typer<'_> {
    /// Checks the loops of a routine whose types are known.
    pub(super) fn loops(&mut self, routine: &Routine, id: Option<CodeId>) -> Typed<()> {
        if routine.loops.is_empty() {
            return Ok(());
        }
        let result = match id {
            Some(CodeId::Function(id)) => self.model.function(id).result,
            _ => None,
        };
        let live = live_at(routine, result);
        for each in &routine.loops {
            let frame = std::rc::Rc::clone(&self.frame);
            let Some(Some(Shape::Cell(slot, _))) = frame.temporaries.get(each.variable.index())
            else {
                return Err(Refusal::unsupported(each.span));
            };
            let variable = self.slots.resolve(NameType::Open(*slot));
            self.closed(variable, &each.values, each.span)?;
            if let NameType::Name(set) = variable {
                let found = self.disturbance(routine, each, id, &live)?;
                self.check(found.is_none(), || {
                    let (name, why) = (self.sets.label(set), found.unwrap_or_default());
                    let message =
                        format!("the order of the members of `{name}` may matter in a loop: {why}");
                    Refusal::of(set, each.span, message)
                })?;
            }
        }
        Ok(())
    }

    /// How an iteration of a loop may disturb another one, if it may.
    fn disturbance(
        &self,
        routine: &Routine,
        each: &Loop,
        id: Option<CodeId>,
        live: &[Live],
    ) -> Typed<Option<String>> {
        let body = routine.reached_from(each.body(&routine.nodes), each.head);
        if let Some(why) = self.way_out(routine, each, &body, id) {
            return Ok(Some(why.to_string()));
        }
        let mut finder = Finder::new(self.model, each.variable);
        for choice in choices(routine, each, &body) {
            finder.choice(&choice)?;
        }
        let found = finder.found;
        let lasting: Vec<&Access> = found
            .iter()
            .filter(|access| !self.is_passing(access, each, live))
            .collect();
        let counts = [each.variable, each.position].map(Variable::Own);
        let writes = lasting
            .iter()
            .filter(|access| access.manner != Manner::Read);
        for write in writes {
            if counts.contains(&write.variable) {
                return Ok(Some("its own variable is assigned to".into()));
            }
            let other = lasting
                .iter()
                .find(|other| write.meets(other) && !write.commutes_with(other));
            if let Some(other) = other {
                return Ok(Some(self.told(write, other)));
            }
        }
        Ok(None)
    }

    /// Whether an access is of a temporary that connects no iterations.
    fn is_passing(&self, access: &Access, each: &Loop, live: &[Live]) -> bool {
        let Variable::Own(local) = access.variable else {
            return false;
        };
        if local == each.variable || local == each.position {
            return access.manner == Manner::Read;
        }
        // A variable of the state outlasts the step.
        if !matches!(self.frame.temporaries.get(local.index()), Some(Some(_))) {
            return false;
        }
        let fields = access.path.iter().map_while(|part| match part {
            super::accesses::Part::Field(field) => {
                Some(mandala_model::expr::Projection::Field(*field))
            }
            _ => None,
        });
        let place = Place {
            root: Root::Local(local),
            path: fields.collect(),
            span: access.span,
        };
        !is_live(live, each.head, &place)
    }

    /// Why an iteration may end the loop.
    fn way_out(
        &self,
        routine: &Routine,
        each: &Loop,
        body: &BTreeSet<NodeId>,
        id: Option<CodeId>,
    ) -> Option<&'static str> {
        let nodes = body.iter().map(|node| &routine.nodes[node.index()]);
        if nodes.clone().any(|node| node.quiet) {
            return Some("an iteration may block the step");
        }
        // What the body begins with may stand in the first choice of the head.
        let first = &routine.nodes[each.head.index()].choices[0];
        let mut ends = nodes.flat_map(|node| &node.choices).chain([first]);
        if ends.any(|choice| choice.next.is_none() && !halts(choice)) {
            return Some("an iteration may leave the loop");
        }
        let watched = |node: &NodeId| id.is_some_and(|id| self.is_covered(id, *node));
        let covered = body.iter().any(watched);
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

    fn told(&self, write: &Access, other: &Access) -> String {
        let what = match write.variable {
            Variable::Global(id) => format!("`{}`", self.model.global(id).name),
            Variable::Own(_) => "a local variable".into(),
            Variable::Passed(_) => "what is passed".into(),
        };
        match other.manner {
            Manner::Read => format!("one iteration writes {what}, which another one reads"),
            _ => format!("two iterations write {what} in different ways"),
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
