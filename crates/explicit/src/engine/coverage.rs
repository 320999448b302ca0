//! Coverage: the parts of a model that were reached, in the words of all engines.

use mandala_encoding::{Coverage, Program};
use mandala_engine::Reached;
use mandala_model::Model;
use mandala_model::ids::{CodeId, EdgeId, NodeId, TemplateId};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::template::{Step, Template};
use std::collections::HashSet;

/// Which parts of the model a program has reached.
pub(super) fn reached(model: &Model, program: &Program, coverage: &Coverage) -> Reached {
    let templates = || model.runnables();
    let locations = |(id, _)| coverage.locations(program, id);
    Reached {
        locations: templates().map(locations).collect(),
        nodes: Some(
            templates()
                .map(|(id, template)| reached_nodes(id, template, program, coverage))
                .collect(),
        ),
        edges: Some(
            templates()
                .map(|(id, template)| taken_edges(id, template, program, coverage))
                .collect(),
        ),
        covered: model
            .properties
            .iter()
            .map(|property| covered(model, property, program, coverage))
            .collect(),
    }
}

/// Whether something was met that a property wants to be covered, or that it remarks.
fn covered(
    model: &Model,
    property: &Property,
    program: &Program,
    coverage: &Coverage,
) -> Option<bool> {
    let nodes = match &property.kind {
        PropertyKind::Cover { nodes, .. } | PropertyKind::Remark { nodes } => nodes,
        _ => return None,
    };
    let mut monitors = property.kind.monitors().iter();
    let held = monitors.any(|monitor| coverage.monitor(program, *monitor) > 0);
    let mut nodes = nodes.iter();
    let passed = |(code, node): &(CodeId, NodeId)| {
        let edge = model.edge_of(*code);
        edge.is_some_and(|edge| coverage.node(program, edge, *node))
    };
    Some(held || nodes.any(passed))
}

/// How often each edge of a template was taken.
fn taken_edges(
    template: TemplateId,
    of: &Template,
    program: &Program,
    coverage: &Coverage,
) -> Vec<u64> {
    let edges = (0..of.edges.len() as u32).map(|index| EdgeId { template, index });
    edges.map(|edge| coverage.edge(program, edge)).collect()
}

/// The numbers of the nodes of a template's routines that were reached.
fn reached_nodes(
    id: TemplateId,
    template: &Template,
    program: &Program,
    coverage: &Coverage,
) -> HashSet<u32> {
    let mut numbers = HashSet::new();
    for (index, edge) in (0..).zip(&template.edges) {
        let Step::Routine(routine) = &edge.step else {
            continue;
        };
        let edge = EdgeId {
            template: id,
            index,
        };
        let nodes = (0..).map(NodeId).zip(&routine.nodes);
        let reached = nodes.filter(|(node, _)| coverage.node(program, edge, *node));
        numbers.extend(reached.map(|(_, node)| node.number));
    }
    numbers
}
