//! Whether a claim can be violated for ever rather than at some moment.
//!
//! A claim is violated by a run that it follows to its end, which the search sees, or through an
//! accepting location again and again, which takes a search for cycles. If the automaton of the
//! claim has no cycle through an accepting location, the first is all there is.
//!
//! The claim of a formula says a third thing: where the formula is lost for good, it fails an
//! assertion. It may also go on from there to accept for ever, as it does for `!q W p` when `q` comes
//! first, but under the very condition under which the assertion fails. A search that has seen no
//! assertion fail has seen that condition nowhere, so such ways on are no ways to a cycle.

use crate::assertions::assertions;
use mandala_model::expr::Expr;
use mandala_model::ids::LocationId;
use mandala_model::template::{Edge, Step, Template};

/// Who wrote a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user: its assertions may hold.
    Written,
    /// It was made from a formula: where it asserts, it fails.
    Formula,
}

/// Whether the claim has a cycle through an accepting location that can be reached from its entry
/// without a violation at some moment.
pub fn has_accepting_cycle(claim: &Template, origin: Origin) -> bool {
    let claim = &Graph { claim, origin };
    let reachable = closure(claim, [claim.claim.entry]);
    let accepting = claim.claim.locations.iter().map(|l| l.accept && !l.end);
    let candidates = accepting.enumerate().filter(|&(_, accept)| accept);
    candidates
        .map(|(index, _)| LocationId::from(index))
        .any(|at| reachable[at.index()] && closure(claim, successors(claim, at))[at.index()])
}

/// Which locations can be reached from those, themselves included.
fn closure(claim: &Graph<'_>, from: impl IntoIterator<Item = LocationId>) -> Vec<bool> {
    let mut reached = vec![false; claim.claim.locations.len()];
    let mut open: Vec<LocationId> = from.into_iter().collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at.index()], true) {
            open.extend(successors(claim, at));
        }
    }
    reached
}

fn successors<'c>(graph: &'c Graph<'_>, at: LocationId) -> impl Iterator<Item = LocationId> + 'c {
    let edges = graph.claim.edges_from(at).map(|(_, edge)| edge);
    edges
        .filter(move |edge| !graph.shows_a_violation(edge))
        .map(|edge| edge.target)
}

/// The locations of a claim, and the steps between them that a run without a violation can make.
struct Graph<'c> {
    claim: &'c Template,
    origin: Origin,
}

impl Graph<'_> {
    /// Whether wherever the step can be made, an assertion can fail.
    fn shows_a_violation(&self, edge: &Edge) -> bool {
        let siblings = self.claim.edges_from(edge.source).map(|(_, edge)| edge);
        let mut failing = siblings.filter(|sibling| self.fails(sibling.target));
        self.origin == Origin::Formula
            && failing.any(|sibling| guard(sibling).is_some() && guard(sibling) == guard(edge))
    }

    /// Whether the only way on is an assertion.
    fn fails(&self, at: LocationId) -> bool {
        let mut edges = self.claim.edges_from(at).map(|(_, edge)| edge).peekable();
        edges.peek().is_some() && edges.all(|edge| assertions(edge).next().is_some())
    }
}

fn guard(edge: &Edge) -> Option<&Expr> {
    match &edge.step {
        Step::Guarded { guard, .. } => Some(guard),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::source::{FileId, Span};
    use mandala_model::template::{Control, Effect, Location, Role};

    /// A claim whose location 0 is the entry, with these edges and these accepting locations.
    fn claim(locations: u32, edges: &[(u32, u32)], accepting: &[u32], end: u32) -> Template {
        let span = Span::new(FileId(0), 0, 0);
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
        has_accepting_cycle(claim, Origin::Written)
    }

    #[test]
    fn a_way_on_under_the_condition_of_a_failing_assertion_does_not_count() {
        // From 0: to the accepting cycle at 1, or to 2, which asserts.
        let edges = [(0, 1), (0, 2), (1, 1), (2, 0)];
        let mut claim = claim(3, &edges, &[1], 9);
        assert!(has_accepting_cycle(&claim, Origin::Formula));
        let span = claim.span;
        let guard = |value| Expr::constant(value, span);
        claim.edges[3].step = Step::Guarded {
            guard: guard(1),
            effects: vec![Effect::Assert {
                condition: guard(0),
            }],
        };
        assert!(!has_accepting_cycle(&claim, Origin::Formula));
        assert!(has_accepting_cycle(&claim, Origin::Written));
        claim.edges[0].step = Step::Guarded {
            guard: guard(2),
            effects: Vec::new(),
        };
        assert!(has_accepting_cycle(&claim, Origin::Formula));
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
