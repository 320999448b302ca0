//! The question whether a claim can be violated by an infinite run, or only by a finite one.
//!
//! A claim is violated by a run that it follows to its end, which the search sees, or through an
//! accepting location again and again, which takes a search for cycles. If the automaton of the
//! claim has no cycle through an accepting state, the first is all there is.
//!
//! The automaton of a formula says a third thing: where the formula is lost for good, it fails an
//! assertion. It may also go on from there to accept forever, as it does for `!q W p` when `q` comes
//! first, but under the very condition under which the assertion fails. A search that has seen no
//! assertion fail has seen that condition nowhere, so such transitions lead to no cycle.
//!
//! A cycle is an accepting run of the automaton over a graph with one node in which every condition holds, so `kripke` finds it, in time in
//! proportion to the number of transitions.

use mandala_kripke::{Acceptor, Fairness, Length, StructureBuilder, find_lasso};
use mandala_model::ids::LocationId;
use mandala_model::template::Template;
use mandala_temporal::{Automaton, Guard, State, StateId, Transition};
use std::collections::HashSet;
use std::sync::Arc;

/// Whether the automaton of a property has a cycle through an accepting state that can be reached from its first state without a violation
/// at some moment.
pub fn automaton_has_accepting_cycle(automaton: &Automaton) -> bool {
    let states = automaton.states.iter().enumerate().map(|(number, state)| {
        let asserting = state.transitions.iter().filter(|it| it.asserts);
        let failing: HashSet<&Guard> = asserting.map(|it| &it.guard).collect();
        let silent = |it: &&Transition| !failing.contains(&it.guard);
        let targets = state.transitions.iter().filter(silent).map(|it| it.target);
        bare(number, state.accepting, targets)
    });
    has_accepting_cycle(states.collect())
}

/// The same of a claim that the user has written, whose assertions may hold.
pub fn claim_has_accepting_cycle(claim: &Template) -> bool {
    // The first state is no location: it leads to the entry.
    let number = |at: LocationId| StateId(at.index() + 1);
    let first = bare(0, false, [number(claim.entry)]);
    let others = claim.locations.iter().enumerate().map(|(index, location)| {
        let edges = claim.edges_from(LocationId::from(index));
        let targets = edges.map(|(_, edge)| number(edge.target));
        bare(index + 1, location.accept && !location.end, targets)
    });
    has_accepting_cycle(std::iter::once(first).chain(others).collect())
}

/// A state whose transitions are always possible.
fn bare(number: usize, accepting: bool, targets: impl IntoIterator<Item = StateId>) -> State {
    let transitions = targets.into_iter();
    let transitions = transitions.map(|target| Transition::new(Guard::True, target));
    State::numbered(number, accepting, transitions.collect())
}

/// Whether some run of the automaton over a node that repeats is accepted.
fn has_accepting_cycle(states: Vec<State>) -> bool {
    let automaton = Automaton {
        states,
        accept_all: None,
    };
    let found = || {
        let mut builder = StructureBuilder::new(0, 0)?;
        let node = builder.close(&[])?;
        builder.start(node);
        let structure = builder.finish()?;
        let acceptor = Acceptor::new(Arc::new(automaton))?;
        find_lasso(&structure, &acceptor, Fairness::None, Length::Short)
    };
    // What is too large to be looked at may have one.
    found().map_or(true, |lasso| lasso.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::expr::Expr;
    use mandala_model::source::Span;
    use mandala_model::template::{Control, Edge, Location, Role, Step};

    /// A claim whose location 0 is the entry, with these edges and these accepting locations.
    fn claim(locations: u32, edges: &[(u32, u32)], accepting: &[u32], end: u32) -> Template {
        let span = Span::START;
        let edge = |&(source, target): &(u32, u32)| Edge {
            source: LocationId(source),
            target: LocationId(target),
            step: Step::Guarded {
                guard: Expr::constant(1, span),
                effects: Vec::new(),
            },
            control: Control::Release,
            escape: 0,
            text: "(1)".into(),
            statement: 0,
            span,
            twin: false,
            parameters: Vec::new(),
            outcome: None,
        };
        let first = |at: u32| edges.iter().filter(|(source, _)| *source < at).count() as u32;
        let location = |at: u32| Location {
            number: at,
            labels: Vec::new(),
            end: at == end,
            progress: false,
            accept: accepting.contains(&at),
            silent: false,
            edges: first(at)..first(at + 1),
            span,
        };
        Template {
            name: "claim".into(),
            role: Role::Claim,
            parameters: 0,
            locals: Vec::new(),
            locations: (0..locations).map(location).collect(),
            edges: edges.iter().map(edge).collect(),
            entry: LocationId(0),
            provided: None,
            deterministic: false,
            span,
        }
    }

    fn cyclic(claim: &Template) -> bool {
        claim_has_accepting_cycle(claim)
    }

    #[test]
    fn a_transition_under_the_condition_of_a_failing_assertion_does_not_count() {
        // From 0: to the accepting cycle at 1, or to 2, under a condition that is asserted not to hold.
        let automaton = |guard: Guard, asserts| Automaton {
            states: vec![
                State::numbered(
                    0,
                    false,
                    vec![
                        Transition::new(guard, StateId(1)),
                        Transition {
                            asserts,
                            ..Transition::new(Guard::proposition(0), StateId(2))
                        },
                    ],
                ),
                bare(1, true, [StateId(1)]),
                bare(2, true, [StateId(2)]),
            ],
            accept_all: Some(StateId(2)),
        };
        let cyclic = |guard, asserts| automaton_has_accepting_cycle(&automaton(guard, asserts));
        assert!(!cyclic(Guard::proposition(0), true));
        assert!(cyclic(Guard::proposition(0), false));
        assert!(cyclic(Guard::proposition(1), true));
    }

    #[test]
    fn a_cycle_through_an_accepting_location_is_found() {
        let edges = [(0, 0), (0, 1), (1, 2), (2, 1)];
        assert!(cyclic(&claim(3, &edges, &[2], 9)));
        assert!(cyclic(&claim(3, &edges, &[0], 9)));
    }

    #[test]
    fn accepting_locations_off_every_cycle_do_not_count() {
        let edges = [(0, 0), (0, 1), (1, 2), (3, 3)];
        assert!(!cyclic(&claim(4, &edges, &[1, 2], 9)));
        assert!(!cyclic(&claim(4, &edges, &[3], 9)), "3 cannot be reached");
        assert!(!cyclic(&claim(4, &edges, &[], 9)));
    }

    #[test]
    fn the_end_is_a_violation_of_its_own_kind() {
        let edges = [(0, 1), (1, 1)];
        assert!(cyclic(&claim(2, &edges, &[1], 9)));
        assert!(!cyclic(&claim(2, &edges, &[1], 1)));
    }
}
