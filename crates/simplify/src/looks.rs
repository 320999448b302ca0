//! Edges that only look, where nobody asks what they see.
//!
//! Invariants, covers and the like are edges that look at every state. A property of whole runs does not ask for any of them: what they
//! report is a matter of safety, and what they tell apart is no reason for the property to do without a symmetry. The edges stay, so that
//! all others keep their places, but can never be taken.

use crate::reverify::{RewriteDefect, reverify};
use mandala_model::expr::Expr;
use mandala_model::ids::EdgeId;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::template::{Edge, Step};
use mandala_model::{Model, UncheckedModel};

/// The model in which edges that only look see nothing, or nothing if there is no such edge.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn without_looks(model: &Model) -> Result<Option<Model>, RewriteDefect> {
    let mut rewritten = UncheckedModel::clone(model);
    for property in &mut rewritten.properties {
        forget_nodes(model, property);
    }
    let edges = rewritten.templates.iter_mut().flat_map(|t| &mut t.edges);
    let mut looking = edges.filter(|edge| edge.observes()).peekable();
    if looking.peek().is_none() {
        return Ok(None);
    }
    looking.for_each(blind);
    reverify("the removal of observing edges", rewritten).map(Some)
}

fn blind(edge: &mut Edge) {
    edge.step = Step::Guarded {
        guard: Expr::constant(0, edge.span),
        effects: Vec::new(),
    };
}

/// What is covered inside of an edge that looks is covered no more.
fn forget_nodes(model: &Model, property: &mut Property) {
    let looks = |id: EdgeId| model.template(id.template).edges[id.index as usize].observes();
    if let PropertyKind::Cover { nodes, .. } | PropertyKind::Remark { nodes } = &mut property.kind {
        nodes.retain(|(routine, _)| !routine.edge().is_some_and(looks));
    }
}
