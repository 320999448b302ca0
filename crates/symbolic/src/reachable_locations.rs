//! The locations that processes reach by the edges of their template alone, whatever the guards.

use mandala_model::ids::LocationId;
use mandala_model::template::Template;

/// The locations that an instance can come to, in order.
pub(crate) fn locations(template: &Template) -> Vec<LocationId> {
    let mut seen = vec![false; template.locations.len()];
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut seen[location.index()], true) {
            let edges = template.edges_from(location);
            open.extend(edges.map(|(_, edge)| edge.target));
        }
    }
    let all = (0..seen.len()).filter(|&location| seen[location]);
    all.map(LocationId::from).collect()
}
