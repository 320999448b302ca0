//! Formulas about each of some things that a system calls by name.
//!
//! # The question
//!
//! "For all *i*, `f(i)`" is asked of a graph of orbits. The states of an orbit satisfy the same formulas as long as these name nobody, and `f(i)` names *i*. But the pair of
//! a state and an index is like the renamed state with the renamed index: a renaming that leads from *s* to *t* leads from a run from *s* on which something is said of
//! *i* to a run from *t* on which the same is said of what *i* is called there. So the graph of pairs is a bisimulation of the graph of all states with an index that never
//! changes, and on it the index is called what the node calls it: along an edge that renames, it is renamed.
//!
//! Runs begin with every index, whatever a renaming has made of a start: it is a permutation of the indices. So nothing is asked of the states that runs start in, and the
//! group of a state, or how many orbits of pairs there are, does not matter either.
//!
//! # Cost
//!
//! A node and its edges are there once for each index. The states are visited and stored once, with the whole group: they are what costs.
//!
//! # Rejected
//!
//! - The index as a part of the state: the search would store each pair, and search once more for each formula.
//! - One index of each orbit, each with its stabiliser: a search for each of them, and only where the states that runs start in are mapped to themselves.
//! - To put together pairs that the group of a node maps to each other: for that, it would have to be known.

use crate::error::KripkeError;
use crate::structure::{Structure, StructureBuilder};

/// Some indices, what edges call them, and what is asked about each of them.
#[derive(Clone, Copy, Debug)]
pub struct Indexing<'a> {
    /// How many indices there are.
    pub count: u32,
    /// What becomes of each index, by kind of renaming.
    pub images: &'a [Vec<u32>],
    /// The kind of renaming of each edge.
    pub renamings: &'a [u32],
    /// The first of the propositions about the first index. Those about the others follow, index by index.
    pub first: u32,
    /// How many propositions there are about an index.
    pub propositions: u32,
}

impl Structure {
    /// The graph of the pairs of a node and an index: the pair of node *n* and index *i* has the number *n* times the number of indices plus *i*, its edges come in the order of
    /// those of *n*, and its propositions are those of *n* about *i*. Each start begins with every index.
    ///
    /// # Errors
    /// When that is too large, or the indexing does not fit the structure.
    pub fn indexed(&self, indexing: &Indexing<'_>) -> Result<Structure, KripkeError> {
        let propositions = indexing.propositions as usize;
        let mut builder = StructureBuilder::new(propositions, self.actors())?;
        let labels = self.copy_labels(&mut builder)?;
        let pairs = self.nodes() as u64 * u64::from(indexing.count);
        u32::try_from(pairs).map_err(|_| KripkeError::TooLarge)?;
        for &start in self.starts() {
            let indices = 0..indexing.count;
            indices.for_each(|index| builder.start(start * indexing.count + index));
        }
        for node in 0..self.nodes() as u32 {
            for index in 0..indexing.count {
                for edge in self.edges(node) {
                    let target = indexing.target(self.target(edge), edge, index)?;
                    builder.edge(target, labels[self.label_number(edge)])?;
                }
                builder.close(&indexing.holding(self, node, index))?;
            }
        }
        builder.finish()
    }
}

impl Indexing<'_> {
    /// The pair that an edge to a node leads to.
    fn target(&self, node: u32, edge: u32, index: u32) -> Result<u32, KripkeError> {
        let renaming = self.renamings.get(edge as usize);
        let images = renaming.and_then(|renaming| self.images.get(*renaming as usize));
        let image = images.and_then(|images| images.get(index as usize));
        let image = image.filter(|image| **image < self.count);
        let image = image.ok_or(KripkeError::NotAPermutation)?;
        Ok(node * self.count + image)
    }

    /// The propositions that hold in a pair.
    fn holding(&self, structure: &Structure, node: u32, index: u32) -> Vec<u32> {
        let first = self.first + index * self.propositions;
        let all = 0..self.propositions;
        all.filter(|number| structure.holds(first + number, node))
            .collect()
    }
}
