//! Finite graphs with propositions on their nodes and labels on their edges.

use crate::bits::Bits;
use crate::error::KripkeError;
use crate::label::{Actor, Label, Labels};
use std::ops::Range;
use std::sync::Arc;

/// A finite graph, whose infinite walks are the runs of a system, up to symmetry.
///
/// A node without edges repeats for ever: every algorithm treats it as if an edge led from it to itself in which nobody
/// takes part. An edge takes eight bytes, a node four and a bit for each proposition.
#[derive(Debug)]
pub struct Structure {
    starts: Vec<u32>,
    edges: Edges,
    labels: Vec<Arc<Label>>,
    propositions: usize,
    rows: Bits,
    actors: usize,
    keeps_names: bool,
}

/// Edges, those of a node one behind the other.
#[derive(Debug, Default)]
struct Edges {
    /// Where the edges of each node end.
    ends: Vec<u32>,
    targets: Vec<u32>,
    labels: Vec<u32>,
}

impl Structure {
    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.edges.ends.len()
    }

    /// The number of actors.
    #[must_use]
    pub fn actors(&self) -> usize {
        self.actors
    }

    /// The number of propositions.
    #[must_use]
    pub fn propositions(&self) -> usize {
        self.propositions
    }

    /// Where runs begin.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The numbers of the edges of a node.
    #[must_use]
    pub fn edges(&self, node: u32) -> Range<u32> {
        let node = node as usize;
        let start = node
            .checked_sub(1)
            .map_or(0, |before| self.edges.ends[before]);
        start..self.edges.ends[node]
    }

    /// Where an edge leads.
    #[must_use]
    pub fn target(&self, edge: u32) -> u32 {
        self.edges.targets[edge as usize]
    }

    /// What an edge says about actors.
    #[must_use]
    pub fn label(&self, edge: u32) -> &Label {
        &self.labels[self.edges.labels[edge as usize] as usize]
    }

    /// The number of what an edge says about actors.
    pub(crate) fn label_number(&self, edge: u32) -> usize {
        self.edges.labels[edge as usize] as usize
    }

    /// Makes the labels known to somebody who writes another structure down; gives their numbers there.
    pub(crate) fn copy_labels(
        &self,
        builder: &mut StructureBuilder,
    ) -> Result<Vec<u32>, KripkeError> {
        let labels = self.labels.iter().map(|label| Label::clone(label));
        labels.map(|label| builder.label(label)).collect()
    }

    /// Whether a proposition holds in a node.
    #[must_use]
    pub fn holds(&self, proposition: u32, node: u32) -> bool {
        self.rows
            .has(node as usize * self.propositions + proposition as usize)
    }

    /// Whether some edge of a node offers a step to an actor.
    #[must_use]
    pub fn is_enabled(&self, actor: Actor, node: u32) -> bool {
        let offered = |edge| self.label(edge).offers().binary_search(&actor).is_ok();
        self.edges(node).any(offered)
    }

    /// Whether no edge gives any actor another name.
    #[must_use]
    pub fn keeps_names(&self) -> bool {
        self.keeps_names
    }

    /// All edges as pairs of source and target.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let nodes = 0..self.nodes() as u32;
        nodes.flat_map(move |node| self.edges(node).map(move |edge| (node, self.target(edge))))
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edges.targets.len()
    }

    /// The greatest number of steps from a node.
    pub(crate) fn degree(&self) -> usize {
        let nodes = 0..self.nodes() as u32;
        let degrees = nodes.map(|node| self.edges(node).len());
        degrees.max().unwrap_or(0).max(1)
    }

    /// Whether there are that many propositions.
    pub(crate) fn knows(&self, proposition: u32) -> Result<(), KripkeError> {
        if (proposition as usize) < self.propositions {
            Ok(())
        } else {
            Err(KripkeError::UnknownProposition(proposition))
        }
    }
}

/// A structure that is being written down, node by node.
#[derive(Debug)]
pub struct StructureBuilder {
    starts: Vec<u32>,
    edges: Edges,
    labels: Labels,
    propositions: usize,
    rows: Bits,
    actors: usize,
}

impl StructureBuilder {
    /// Nothing yet.
    ///
    /// # Errors
    /// When there are too many actors.
    pub fn new(propositions: usize, actors: usize) -> Result<StructureBuilder, KripkeError> {
        if actors > usize::from(Actor::MAX) {
            return Err(KripkeError::TooLarge);
        }
        Ok(StructureBuilder {
            starts: Vec::new(),
            edges: Edges::default(),
            labels: Labels::default(),
            propositions,
            rows: Bits::default(),
            actors,
        })
    }

    /// The number of a label, the same for equal ones.
    ///
    /// # Errors
    /// When it speaks of unknown actors, or its renaming is not a permutation of all actors.
    pub fn label(&mut self, label: Label) -> Result<u32, KripkeError> {
        self.labels.number(label, self.actors)
    }

    /// Says that runs begin in a node.
    pub fn start(&mut self, node: u32) {
        self.starts.push(node);
    }

    /// Adds an edge to the node that is being described. Its target may be described later.
    ///
    /// # Errors
    /// When the label is unknown or there are too many edges.
    pub fn edge(&mut self, target: u32, label: u32) -> Result<(), KripkeError> {
        if label as usize >= self.labels.count() {
            return Err(KripkeError::UnknownLabel(label));
        }
        if self.edges.targets.len() >= u32::MAX as usize {
            return Err(KripkeError::TooLarge);
        }
        self.edges.targets.push(target);
        self.edges.labels.push(label);
        Ok(())
    }

    /// Ends the description of a node, in which these propositions hold, and gives its number. Nodes are numbered as they come.
    ///
    /// # Errors
    /// When a proposition is unknown or there are too many nodes.
    pub fn close(&mut self, holding: &[u32]) -> Result<u32, KripkeError> {
        let node = self.edges.ends.len();
        let number = u32::try_from(node).map_err(|_| KripkeError::TooLarge)?;
        let strange = |proposition: &&u32| **proposition as usize >= self.propositions;
        if let Some(&proposition) = holding.iter().find(strange) {
            return Err(KripkeError::UnknownProposition(proposition));
        }
        let row = node * self.propositions;
        self.rows.lengthen(row + self.propositions);
        for &proposition in holding {
            self.rows.insert(row + proposition as usize);
        }
        self.edges.ends.push(self.edges.targets.len() as u32);
        Ok(number)
    }

    /// The structure of all nodes that have been described.
    ///
    /// # Errors
    /// When a start or a target is not among them.
    pub fn finish(self) -> Result<Structure, KripkeError> {
        let nodes = self.edges.ends.len();
        let strange = |node: &&u32| **node as usize >= nodes;
        if let Some(&node) = self.starts.iter().chain(&self.edges.targets).find(strange) {
            return Err(KripkeError::UnknownNode(node));
        }
        let labels = self.labels.into_list();
        Ok(Structure {
            starts: self.starts,
            edges: self.edges,
            keeps_names: labels.iter().all(|label| label.keeps_names()),
            labels,
            propositions: self.propositions,
            rows: self.rows,
            actors: self.actors,
        })
    }

    /// How much memory it takes so far.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let edges = &self.edges;
        let numbers = edges.ends.capacity() + edges.targets.capacity() + edges.labels.capacity();
        numbers * size_of::<u32>() + self.rows.bytes() + self.labels.bytes()
    }
}
