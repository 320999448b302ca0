//! The accesses of steps to members.

use super::loops;
use super::questions::{Asker, Kind, Under, Way};
use crate::refusal::{Condition, Refused};
use mandala_model::expr::{Expr, Place, Root};
use mandala_model::ids::NodeId;
use mandala_model::source::Span;
use mandala_model::template::{Choice, Effect, Print, Routine, Step};
use std::collections::BTreeSet;

impl Asker<'_> {
    /// Reads the step of an edge or a monitor.
    pub fn step(&mut self, step: &Step, span: Span) -> Result<(), Refused> {
        match step {
            Step::Guarded { guard, effects } => {
                self.guard(guard)?;
                effects
                    .iter()
                    .try_for_each(|effect| self.effect(effect, span))
            }
            Step::Routine(routine) => self.routine(routine),
            _ => Err(not_read(span)),
        }
    }

    pub(super) fn effect(&mut self, effect: &Effect, span: Span) -> Result<(), Refused> {
        match effect {
            Effect::Assign { place, value } => self.assignment(place, value),
            Effect::Assert { condition } => self.condition(condition, Way::Either, Under::Nothing),
            Effect::Print {
                text: Print::Format { arguments, .. },
            } => arguments.iter().try_for_each(|e| self.shown(e)),
            Effect::Print {
                text: Print::Name(e),
            } => self.shown(e),
            Effect::Fail { .. } | Effect::Abandon => Ok(()),
            Effect::Spawn { .. } | Effect::SetPriority { .. } => Err(not_read(span)),
            Effect::Insert(_) => Err(Refused::at(
                Condition::Size,
                span,
                "an element is put where there may be no room for one of each member",
            )),
        }
    }

    /// What is shown changes nothing.
    fn shown(&mut self, e: &Expr) -> Result<(), Refused> {
        self.value(e, Under::Nothing).map(|_| ())
    }

    fn assignment(&mut self, place: &Place, value: &Expr) -> Result<(), Refused> {
        let kind = self.value(value, Under::Nothing)?;
        let holds_member = self.place(place, Under::Nothing)?;
        let refused = |message: &str| Err(Refused::at(Condition::Symmetry, value.span, message));
        match (kind, holds_member) {
            (Kind::Member(held), true) => match place.root {
                // Whoever reads a variable of the code later need not know where its value comes from.
                Root::Local(_) => self.follow(held),
                _ => self.copy(held),
            },
            (Kind::Member(_), false) => refused("a member is used as a number"),
            (Kind::Plain, true) => refused("a number becomes a member"),
            (Kind::Plain | Kind::Zero, _) => Ok(()),
        }
    }

    fn routine(&mut self, routine: &Routine) -> Result<(), Refused> {
        let repeated = repeated(routine);
        let family = self.family;
        let locals = self.locals;
        let is_over_family = |head: &NodeId| {
            let mut loops = routine.loops.iter();
            loops
                .any(|each| each.head == *head && family.is_held_by(&locals[each.variable.index()]))
        };
        for each in &routine.loops {
            if self.family.is_held_by(&self.locals[each.variable.index()]) {
                self.loop_variable(each.variable);
                loops::check(self, routine, each)?;
                self.loops += 1;
            }
        }
        for (number, node) in (0..).map(NodeId).zip(&routine.nodes) {
            self.repeated = repeated.contains(&number);
            let blocks = (number.0 == 0 || node.quiet) && node.choices.len() == 1;
            for (place, choice) in node.choices.iter().enumerate() {
                let takes_next = place == 0 && is_over_family(&number);
                let guard = match blocks && !self.repeated {
                    true if number.0 == 0 => Guard::First,
                    true => Guard::Holds,
                    false if takes_next => Guard::OfLoop,
                    false => Guard::Decides,
                };
                self.choice(choice, guard)?;
            }
        }
        self.repeated = false;
        loops::require_fresh(routine, self)
    }

    fn choice(&mut self, choice: &Choice, how: Guard) -> Result<(), Refused> {
        let Step::Guarded { guard, effects } = &choice.step else {
            return Err(not_read(choice.span));
        };
        match how {
            Guard::First => self.guard(guard)?,
            Guard::Holds => self.condition(guard, Way::Holds, Under::Nothing)?,
            Guard::Decides => self.condition(guard, Way::Either, Under::Nothing)?,
            Guard::OfLoop => {}
        }
        let passed = if how == Guard::OfLoop { 2 } else { 0 };
        let mut effects = effects.iter().skip(passed);
        effects.try_for_each(|effect| self.effect(effect, choice.span))
    }
}

/// What the guard of a choice is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    /// Nothing happens unless it holds, and nothing has happened before.
    First,
    /// Nothing happens unless it holds.
    Holds,
    /// It decides how the step goes on.
    Decides,
    /// There is another member in a loop over the family.
    OfLoop,
}

/// The nodes that a routine may come to more than once.
fn repeated(routine: &Routine) -> BTreeSet<NodeId> {
    let nodes = (0..routine.nodes.len()).map(NodeId::from);
    let comes_back = |node: &NodeId| {
        let mut seen = BTreeSet::new();
        let mut open = vec![*node];
        while let Some(at) = open.pop() {
            let choices = routine.nodes[at.index()].choices.iter();
            for next in choices.filter_map(|choice| choice.next) {
                if next == *node {
                    return true;
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    };
    nodes.filter(comes_back).collect()
}

fn not_read(span: Span) -> Refused {
    Refused::at(
        Condition::Questions,
        span,
        "a step that depends on what other processes or channels do",
    )
}
