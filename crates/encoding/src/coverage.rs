//! Which parts of a model have been reached.

use crate::program::Program;
use mandala_model::ids::{EdgeId, LocationId, NodeId, TemplateId};

/// Which locations, and which nodes of routines, have been reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    locations: Vec<bool>,
    nodes: Vec<bool>,
}

impl Coverage {
    pub(crate) fn new(program: &Program) -> Self {
        let locations = program.parts.templates.iter().map(|t| t.locations.len());
        Coverage {
            locations: vec![false; locations.sum()],
            nodes: vec![false; program.nodes as usize],
        }
    }

    #[inline]
    pub(crate) fn reach_location(&mut self, number: usize) {
        self.locations[number] = true;
    }

    #[inline]
    pub(crate) fn reach_node(&mut self, number: usize) {
        self.nodes[number] = true;
    }

    /// Adds what somebody else has reached in the same program.
    pub fn merge(&mut self, other: &Coverage) {
        let pairs = self.locations.iter_mut().zip(&other.locations);
        pairs.for_each(|(own, other)| *own |= other);
        let pairs = self.nodes.iter_mut().zip(&other.nodes);
        pairs.for_each(|(own, other)| *own |= other);
    }

    /// Whether some instance of the template has been at the location.
    pub fn location(&self, program: &Program, template: TemplateId, location: LocationId) -> bool {
        let first = program.parts.templates[template.index()].coverage as usize;
        self.locations.get(first + location.index()) == Some(&true)
    }

    /// Whether the routine of the edge has been at the node; false if the edge has none. The first
    /// node counts as reached once the routine has started, not when a process waits before it.
    pub fn node(&self, program: &Program, edge: EdgeId, node: NodeId) -> bool {
        let template = &program.parts.templates[edge.template.index()];
        match template.edges.get(edge.index as usize).map(|e| e.action) {
            Some(crate::code::Action::Routine(routine)) => {
                let first = program.routines[routine as usize].coverage as usize;
                self.nodes.get(first + node.index()) == Some(&true)
            }
            _ => false,
        }
    }
}
