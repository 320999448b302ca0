//! The places at which a process can be observed by others.

use mandala_model::ids::LocationId;
use mandala_model::template::{Control, Edge, Step, Template};
use std::collections::BTreeSet;

/// The locations that are only passed through: a process gets there only while it keeps control, and can always go on.
pub(crate) fn passed_through(template: &Template) -> BTreeSet<LocationId> {
    let all = (0..template.locations.len()).map(LocationId::from);
    let inner = all.filter(|l| *l != template.entry && always_goes_on(template, *l));
    let entering = template.entering();
    inner
        .filter(|l| entering.at(*l).iter().all(|edge| keeps_control(edge)))
        .collect()
}

/// Whether whoever takes the edge keeps control. Whoever sends at a rendezvous does not.
fn keeps_control(edge: &Edge) -> bool {
    edge.control == Control::Hold && !matches!(edge.step, Step::Send { .. })
}

/// Whether one of the edges can always be taken, so that control is not lost.
fn always_goes_on(template: &Template, location: LocationId) -> bool {
    let edges = template.edges_from(location).map(|(_, e)| e);
    let edges: Vec<&Edge> = edges.collect();
    if template.provided.is_some() || edges.iter().any(|e| e.escape != 0) {
        return false;
    }
    let certain = |e: &&Edge| {
        let guard = match &e.step {
            Step::Guarded { guard, .. } => guard.as_constant(),
            _ => None,
        };
        guard.is_some_and(|value| value != 0)
    };
    let local = |e: &&Edge| matches!(e.step, Step::Guarded { .. } | Step::Else);
    let has_else = edges.iter().any(|e| e.step == Step::Else) && edges.iter().all(local);
    has_else || edges.iter().any(certain)
}
