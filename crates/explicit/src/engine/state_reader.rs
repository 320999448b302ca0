//! Automata that read states.
//!
//! The automaton of a property need not run along with the system. It is enough to know of each state of the system which of its conditions hold
//! there, and to let the automaton read the graph of all states afterwards: the system is explored once, by all workers, and not once
//! for each state of the automaton. The same goes for a claim that the user has written, if it does nothing but test conditions.
//!
//! Conditions that ask whether a process is enabled, or whether nothing else can happen, are no matter of the state alone. An automaton that chooses
//! values has more to remember than its state. These run along.

use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::LocationId;
use mandala_model::property::PropertyKind;
use mandala_model::template::{Control, Edge, Effect, Step, Template};
use mandala_temporal::{Automaton, Guard, State, StateId, Transition};
use std::collections::HashMap;
use std::sync::Arc;

/// An automaton that accepts the runs that a property forbids, and the conditions that it reads.
pub struct StateReader<'m> {
    /// The automaton.
    pub automaton: Arc<Automaton>,
    /// The conditions that its propositions are, by their numbers.
    pub conditions: Vec<(usize, &'m Expr)>,
}

/// The automaton of a property, if it need not run along with the system.
pub fn state_reader<'m>(model: &'m Model, kind: &'m PropertyKind) -> Option<StateReader<'m>> {
    match kind {
        PropertyKind::NoRun(question) if question.indices.is_empty() => {
            let asked = kind.conditions().into_iter();
            let conditions = asked.map(|id| (id.index(), &model.condition(id).condition));
            let conditions: Vec<(usize, &Expr)> = conditions.collect();
            let is_of_states = conditions.iter().all(|(_, e)| is_of_states(e));
            is_of_states.then(|| StateReader {
                automaton: Arc::clone(&question.automaton),
                conditions,
            })
        }
        PropertyKind::Never { claim } => claim_reader(model.template(*claim)),
        _ => None,
    }
}

/// Whether the value of a condition is a matter of the state alone.
fn is_of_states(condition: &Expr) -> bool {
    !condition.any(|e| matches!(e.kind, ExprKind::Timeout | ExprKind::Enabled { .. }))
}

/// A claim as an automaton, if all it does is test conditions. Where it ends, or fails an assertion that was made to fail, every continuation of
/// the run is accepted.
fn claim_reader(template: &Template) -> Option<StateReader<'_>> {
    if !template.locals.is_empty() {
        return None;
    }
    let mut reading = Reading {
        template,
        failing: failing(template),
        numbers: HashMap::new(),
    };
    // The automaton starts in its first state.
    let first = template.entry;
    let locations = (0..template.locations.len()).map(LocationId::from);
    let others = locations.filter(|at| *at != first);
    let order: Vec<LocationId> = std::iter::once(first).chain(others).collect();
    let states: Option<Vec<State>> = order.iter().map(|at| reading.state(*at)).collect();
    let numbers = reading.numbers.into_iter();
    let mut conditions: Vec<(usize, &Expr)> = numbers.map(|(e, number)| (number, e)).collect();
    conditions.sort_unstable_by_key(|(number, _)| *number);
    Some(StateReader {
        automaton: Arc::new(Automaton {
            states: states?,
            accept_all: None,
        }),
        conditions,
    })
}

/// A claim that is being read.
struct Reading<'m> {
    template: &'m Template,
    /// By location, whether the claim comes there only to fail.
    failing: Vec<bool>,
    /// The conditions met so far and their numbers.
    numbers: HashMap<&'m Expr, usize>,
}

impl<'m> Reading<'m> {
    fn state(&mut self, at: LocationId) -> Option<State> {
        let location = &self.template.locations[at.index()];
        let number = self.number(at);
        if location.end || self.failing[at.index()] {
            let again = Transition::new(Guard::True, number);
            return Some(State::numbered(number.0, true, vec![again]));
        }
        let edges = self.template.edges_from(at);
        let transitions = edges.map(|(_, edge)| self.transition(edge));
        let transitions: Option<Vec<Transition>> = transitions.collect();
        Some(State::numbered(number.0, location.accept, transitions?))
    }

    /// The state that a location is: the entry is the first one.
    fn number(&self, at: LocationId) -> StateId {
        let (at, entry) = (at.index(), self.template.entry.index());
        StateId(match at.cmp(&entry) {
            std::cmp::Ordering::Less => at + 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => at,
        })
    }

    /// A step that only tests a condition.
    fn transition(&mut self, edge: &'m Edge) -> Option<Transition> {
        let Step::Guarded { guard, effects } = &edge.step else {
            return None;
        };
        let steps = edge.control == Control::Release || self.failing[edge.target.index()];
        let plain = effects.is_empty() && steps && edge.escape == 0;
        if !plain || !is_of_states(guard) {
            return None;
        }
        let target = self.number(edge.target);
        Some(Transition::new(self.guard(guard), target))
    }

    fn guard(&mut self, guard: &'m Expr) -> Guard {
        if guard.as_constant().is_some_and(|value| value != 0) {
            return Guard::True;
        }
        let next = self.numbers.len();
        Guard::proposition(*self.numbers.entry(guard).or_insert(next))
    }
}

/// By location, whether the claim comes there only to fail: with control in its hands, and nothing to do but to assert that what brought it
/// there is not so.
fn failing(template: &Template) -> Vec<bool> {
    let locations = 0..template.locations.len();
    let only_way_out = |at: usize| {
        let mut edges = template.edges_from(LocationId::from(at)).map(|(_, e)| e);
        edges.next().filter(|_| edges.next().is_none())
    };
    let ways_out: Vec<Option<&Edge>> = locations.map(only_way_out).collect();
    // Nothing need lead to where the claim begins.
    let mut failing = vec![None; ways_out.len()];
    for edge in &template.edges {
        let out = ways_out[edge.target.index()];
        let fails = out.is_some_and(|out| edge.control == Control::Hold && is_denied(edge, out));
        let all = &mut failing[edge.target.index()];
        *all = Some(all.unwrap_or(true) && fails);
    }
    failing.into_iter().map(|all| all == Some(true)).collect()
}

/// Whether a step asserts that the condition of the one before it does not hold.
fn is_denied(before: &Edge, step: &Edge) -> bool {
    let (Step::Guarded { guard, .. }, Step::Guarded { effects, .. }) = (&before.step, &step.step)
    else {
        return false;
    };
    matches!(effects.as_slice(), [Effect::Assert { condition }] if *condition == guard.clone().negated())
}
