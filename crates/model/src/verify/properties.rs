//! Invariant 22: properties name the observers, the observing edges and the nodes that they need.

use super::{Findings, Rule};
use crate::ids::{EdgeId, NodeId, TemplateId};
use crate::model::UncheckedModel;
use crate::property::{Ctl, Property, PropertyKind};
use crate::template::{Edge, Role, Step};

/// Checks all properties.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for property in &model.properties {
        let what = match &property.kind {
            PropertyKind::Never { claim }
            | PropertyKind::Ltl { claim, .. }
            | PropertyKind::Progress { claim }
            | PropertyKind::Accept { claim } => has_role(model, *claim, |role| role == Role::Claim),
            PropertyKind::Ctl { formula, watch } => {
                has_role(model, *watch, |role| role == Role::Claim)
                    .or_else(|| watches(model, formula, *watch))
            }
            PropertyKind::Events { observer } => {
                has_role(model, *observer, |role| matches!(role, Role::Events(_)))
            }
            PropertyKind::Invariant { edges } | PropertyKind::Reachable { edges } => {
                observing(model, edges)
            }
            PropertyKind::Cover { edges, nodes } => observing(model, edges).or_else(|| {
                let missing = nodes
                    .iter()
                    .find(|(edge, node)| !has_node(model, *edge, *node));
                missing.map(|(edge, node)| format!("{node} of {}", named(*edge)))
            }),
        };
        refuse(property, what, findings);
    }
}

fn refuse(property: &Property, what: Option<String>, findings: &mut Findings) {
    if let Some(what) = what {
        findings.require(false, Rule::Properties, property.span, || {
            format!(
                "the property {} names {what}, which is no such observer",
                property.name
            )
        });
    }
}

/// What is wrong with the template that a property names.
fn has_role(model: &UncheckedModel, id: TemplateId, wants: fn(Role) -> bool) -> Option<String> {
    let template = model.templates.get(id.index());
    let fits = template.is_some_and(|t| wants(t.role));
    (!fits).then(|| id.to_string())
}

/// What is wrong with the watch of a formula: each of its edges tests a proposition and leads from the entry to
/// a location that no other edge leads to, and there is one for each proposition.
fn watches(model: &UncheckedModel, formula: &Ctl, watch: TemplateId) -> Option<String> {
    let template = &model.templates[watch.index()];
    let mut reached = vec![template.entry];
    for (index, edge) in (0..).zip(&template.edges) {
        let tests = matches!(&edge.step, Step::Guarded { effects, .. } if effects.is_empty());
        if !tests || edge.source != template.entry || reached.contains(&edge.target) {
            let template = watch;
            return Some(named(EdgeId { template, index }));
        }
        reached.push(edge.target);
    }
    let propositions = template.edges.len() as u64;
    let missing = u64::from(formula.propositions()) > propositions;
    missing.then(|| format!("proposition {propositions} of {watch}"))
}

/// The first of the edges that does not observe.
fn observing(model: &UncheckedModel, edges: &[EdgeId]) -> Option<String> {
    let observes = |id: EdgeId| edge(model, id).is_some_and(Edge::observes);
    let other = edges.iter().find(|id| !observes(**id));
    other.map(|id| named(*id))
}

fn has_node(model: &UncheckedModel, id: EdgeId, node: NodeId) -> bool {
    match edge(model, id).map(|edge| &edge.step) {
        Some(Step::Routine(routine)) => node.index() < routine.nodes.len(),
        _ => false,
    }
}

fn edge(model: &UncheckedModel, id: EdgeId) -> Option<&Edge> {
    let template = model.templates.get(id.template.index())?;
    template.edges.get(id.index as usize)
}

fn named(edge: EdgeId) -> String {
    format!("edge {} of {}", edge.index, edge.template)
}
