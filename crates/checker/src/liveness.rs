//! Whether a claim can be violated for ever rather than at some moment.
//!
//! A claim is violated by a run that it follows to its end, which the search sees, or through an
//! accepting location again and again, which takes a search for cycles. If the automaton of the
//! claim has no cycle through an accepting location, the first is all there is.

use mandala_model::ids::LocationId;
use mandala_model::template::Template;

/// Whether the claim has a cycle through an accepting location that can be reached from its entry.
pub fn has_accepting_cycle(claim: &Template) -> bool {
    let reachable = closure(claim, [claim.entry]);
    let accepting = claim.locations.iter().map(|l| l.accept && !l.end);
    let candidates = accepting.enumerate().filter(|&(_, accept)| accept);
    candidates
        .map(|(index, _)| LocationId::from(index))
        .any(|at| reachable[at.index()] && closure(claim, successors(claim, at))[at.index()])
}

/// Which locations can be reached from those, themselves included.
fn closure(claim: &Template, from: impl IntoIterator<Item = LocationId>) -> Vec<bool> {
    let mut reached = vec![false; claim.locations.len()];
    let mut open: Vec<LocationId> = from.into_iter().collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at.index()], true) {
            open.extend(successors(claim, at));
        }
    }
    reached
}

fn successors(claim: &Template, at: LocationId) -> impl Iterator<Item = LocationId> {
    claim.edges_from(at).map(|(_, edge)| edge.target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::expr::Expr;
    use mandala_model::source::{FileId, Span};
    use mandala_model::template::{Control, Edge, Location, Role, Step};

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

    #[test]
    fn a_cycle_through_an_accepting_location_is_found() {
        let edges = [(0, 0), (0, 1), (1, 2), (2, 1)];
        assert!(has_accepting_cycle(&claim(3, &edges, &[2], 9)));
        assert!(has_accepting_cycle(&claim(3, &edges, &[0], 9)));
    }

    #[test]
    fn accepting_locations_off_every_cycle_do_not_count() {
        let edges = [(0, 0), (0, 1), (1, 2), (3, 3)];
        assert!(!has_accepting_cycle(&claim(4, &edges, &[1, 2], 9)));
        assert!(
            !has_accepting_cycle(&claim(4, &edges, &[3], 9)),
            "3 cannot be reached"
        );
        assert!(!has_accepting_cycle(&claim(4, &edges, &[], 9)));
    }

    #[test]
    fn the_end_is_a_violation_of_its_own_kind() {
        let edges = [(0, 1), (1, 1)];
        assert!(has_accepting_cycle(&claim(2, &edges, &[1], 9)));
        assert!(!has_accepting_cycle(&claim(2, &edges, &[1], 1)));
    }
}
