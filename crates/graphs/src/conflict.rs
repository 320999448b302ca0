//! The part of a partition that a failure of the search is due to.
//!
//! What happens in one cell is of no consequence for a cell to which no chain of uneven joins (`joins`) leads. So if
//! every image for a vertex of a cell has failed, then the subgraph on the *component* of that cell, the cells
//! that are linked with it by uneven joins, has no isomorphism from left to right, whatever is chosen elsewhere. An
//! earlier choice that split no cell of the component cannot be at fault, and its alternatives need not be tried.

use crate::graph::Graph;
use crate::joins::Joins;
use crate::partition::{Partition, Split};

/// The component that a failure is due to.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    /// By front: whether the cell belongs to the component.
    member: Vec<bool>,
    members: Vec<u32>,
}

impl Conflict {
    pub(crate) fn new(size: usize) -> Self {
        Conflict {
            member: vec![false; size],
            members: Vec::new(),
        }
    }

    /// Puts the blame on the component of a cell.
    pub(crate) fn put_on(
        &mut self,
        graph: &Graph,
        partition: &Partition,
        joins: &mut Joins,
        cell: u32,
    ) {
        self.lift();
        self.add(cell);
        let mut at = 0;
        while at < self.members.len() {
            joins.uneven(graph, partition, self.members[at], |other| self.add(other));
            at += 1;
        }
    }

    fn lift(&mut self) {
        for cell in self.members.drain(..) {
            self.member[cell as usize] = false;
        }
    }

    fn add(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.member[cell as usize], true) {
            self.members.push(cell);
        }
    }

    /// Whether one of these splits, the latest ones on the trail, concerns the component.
    pub(crate) fn concerns(&self, splits: &[Split]) -> bool {
        let inside = |cell: u32| self.member[cell as usize];
        splits.iter().any(|s| inside(s.from) || inside(s.off))
    }
}
