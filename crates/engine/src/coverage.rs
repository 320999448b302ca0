//! Coverage: the parts of a model that a search has reached.

use mandala_model::Model;
use mandala_model::ids::{EdgeId, MonitorId, NodeId};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::template::Step;
use std::collections::HashSet;

/// Which parts of the model were reached: for each template, each location; and for each template,
/// the nodes of its routines by their numbers. The automata of properties come behind the templates, and then the monitors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// By template and location.
    pub locations: Vec<Vec<bool>>,
    /// Numbers of nodes of routines, by template; none if the engine does not look inside them, as in those of rules.
    pub nodes: Option<Vec<HashSet<u32>>>,
    /// How often edges were taken, by template and edge; none if the engine does not count.
    pub edges: Option<Vec<Vec<u64>>>,
    /// By property, whether something was met that it wants to be covered or that it remarks; none where that is not known, or it is of
    /// another kind.
    pub covered: Vec<Option<bool>>,
}

impl Reached {
    /// Nothing of the model.
    pub fn nothing(model: &Model) -> Self {
        let templates = model.runnables();
        Reached {
            locations: templates
                .map(|(_, t)| vec![false; t.locations.len()])
                .collect(),
            nodes: (!model.is_system_of_rules())
                .then(|| vec![HashSet::new(); model.runnable_count()]),
            edges: None,
            covered: model.properties.iter().map(uncovered).collect(),
        }
    }

    /// Notes that a node of the routine of an edge was executed.
    pub fn execute(&mut self, model: &Model, edge: EdgeId, node: NodeId) {
        let template = model.template(edge.template);
        let executed = match &template.edges[edge.index as usize].step {
            Step::Routine(routine) => routine.nodes.get(node.index()),
            _ => None,
        };
        if let (Some(nodes), Some(node)) = (&mut self.nodes, executed) {
            nodes[edge.template.index()].insert(node.number);
        }
    }

    /// Notes that a monitor held in a state.
    pub fn observe(&mut self, model: &Model, monitor: MonitorId) {
        for (covered, property) in self.covered.iter_mut().zip(&model.properties) {
            let PropertyKind::Cover { monitors, .. } = &property.kind else {
                continue;
            };
            if monitors.contains(&monitor) {
                *covered = Some(true);
            }
        }
    }
}

/// What is known of a property before anything was met, by somebody who does not look inside of routines.
fn uncovered(property: &Property) -> Option<bool> {
    match &property.kind {
        PropertyKind::Cover { nodes, .. } => nodes.is_empty().then_some(false),
        _ => None,
    }
}
