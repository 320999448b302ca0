//! Coverage: the parts of a model that have been reached.

use crate::program::Program;
use mandala_model::ids::{EdgeId, MonitorId, NodeId, TemplateId};

/// How often edges have been taken; which locations, and which nodes of routines, have been reached.
///
/// A location is reached along an edge, so to count the edge is enough. Only where processes and observers
/// start, or go without an edge, is a mark of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    locations: Vec<bool>,
    pub(crate) nodes: Vec<u8>,
    pub(crate) edges: Vec<u64>,
}

impl Coverage {
    pub(crate) fn new(program: &Program) -> Self {
        let locations = program.parts.templates.iter().map(|t| t.locations.len());
        let edges = program.parts.templates.iter().map(|t| t.edges.len());
        Coverage {
            locations: vec![false; locations.sum()],
            nodes: vec![0; program.nodes as usize],
            edges: vec![0; edges.sum()],
        }
    }

    /// Counts an edge that was taken to its end, in a move that stands for so many.
    #[inline]
    pub(crate) fn take_edge(&mut self, number: usize, weight: u64) {
        self.edges[number] += weight;
    }

    #[inline]
    pub(crate) fn reach_location(&mut self, number: usize) {
        self.locations[number] = true;
    }

    #[inline]
    pub(crate) fn reach_node(&mut self, number: usize) {
        self.nodes[number] = 1;
    }

    /// Adds what somebody else has reached in the same program.
    pub fn merge(&mut self, other: &Coverage) {
        let pairs = self.locations.iter_mut().zip(&other.locations);
        pairs.for_each(|(own, other)| *own |= other);
        let pairs = self.nodes.iter_mut().zip(&other.nodes);
        pairs.for_each(|(own, other)| *own |= other);
        let pairs = self.edges.iter_mut().zip(&other.edges);
        pairs.for_each(|(own, other)| *own += other);
    }

    /// How often instances of the template of the edge have taken it. Every way that a search tries counts, also in
    /// the middle of an atomic sequence.
    pub fn edge(&self, program: &Program, edge: EdgeId) -> u64 {
        let template = &program.parts.templates[edge.template.index()];
        let number = template.first_edge + edge.index;
        self.edges.get(number as usize).copied().unwrap_or(0)
    }

    /// In how many of the states that were expanded the monitor held.
    pub fn monitor(&self, program: &Program, monitor: MonitorId) -> u64 {
        let layout = program.layout.monitors.as_ref();
        let template = layout.map(|monitors| monitors.template);
        let index = monitor.0;
        template.map_or(0, |template| self.edge(program, EdgeId { template, index }))
    }

    /// For each location of the template, whether some instance has been there.
    pub fn locations(&self, program: &Program, template: TemplateId) -> Vec<bool> {
        let compiled = &program.parts.templates[template.index()];
        let marks = self.locations.iter().skip(compiled.coverage as usize);
        let mut reached: Vec<bool> = marks.take(compiled.locations.len()).copied().collect();
        let taken = self.edges.iter().skip(compiled.first_edge as usize);
        for (edge, taken) in compiled.edges.iter().zip(taken) {
            reached[edge.target as usize] |= *taken > 0;
        }
        reached
    }

    /// Whether the routine of the edge has been at the node; false if the edge has none. The first
    /// node counts as reached once the routine has started, not when a process waits before it.
    pub fn node(&self, program: &Program, edge: EdgeId, node: NodeId) -> bool {
        let template = &program.parts.templates[edge.template.index()];
        match template.edges.get(edge.index as usize).map(|e| e.action) {
            Some(crate::code::Action::Routine(routine)) => {
                let first = program.routines[routine as usize].coverage as usize;
                self.nodes.get(first + node.index()) == Some(&1)
            }
            _ => false,
        }
    }
}

impl Coverage {
    /// All of it as numbers, to be written down.
    pub fn to_words(&self) -> Vec<u64> {
        let locations = self.locations.iter().map(|reached| u64::from(*reached));
        let nodes = self.nodes.iter().map(|reached| u64::from(*reached));
        let edges = self.edges.iter().copied();
        locations.chain(nodes).chain(edges).collect()
    }

    /// Adds what was written down of a search of the same program. False if it was another one.
    pub fn merge_words(&mut self, words: &[u64]) -> bool {
        let (locations, nodes) = (self.locations.len(), self.nodes.len());
        if words.len() != locations + nodes + self.edges.len() {
            return false;
        }
        let (first, rest) = words.split_at(locations);
        let (second, third) = rest.split_at(nodes);
        let pairs = self.locations.iter_mut().zip(first);
        pairs.for_each(|(own, other)| *own |= *other > 0);
        let pairs = self.nodes.iter_mut().zip(second);
        pairs.for_each(|(own, other)| *own |= u8::from(*other > 0));
        let pairs = self.edges.iter_mut().zip(third);
        pairs.for_each(|(own, other)| *own = own.saturating_add(*other));
        true
    }
}
