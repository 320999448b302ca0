//! Which part of a partition a failure is due to.
//!
//! Two cells are *joined evenly* if all pairs of vertices from one and the other are alike: no arc, or an arc of the same class.
//! What happens in one cell is of no consequence for a cell to which no chain of uneven joins leads. So if every
//! image for a vertex of a cell has failed, then the subgraph on the *component* of that cell, the cells that
//! are linked with it by uneven joins, has no isomorphism from left to right, whatever is chosen elsewhere. An earlier choice
//! that split no cell of the component cannot be at fault, and its alternatives need not be tried.

use crate::graph::Graph;
use crate::partition::{Partition, Split};

/// The component that a failure is due to.
#[derive(Clone, Debug)]
pub(crate) struct Blame {
    /// By front: whether the cell belongs to the component.
    member: Vec<bool>,
    members: Vec<u32>,
    /// By front: arcs met from the cell in hand, and whether they are all of one class.
    met: Vec<Meeting>,
    met_cells: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Meeting {
    arcs: u32,
    class: u32,
    mixed: bool,
}

impl Blame {
    pub(crate) fn new(size: usize) -> Self {
        Blame {
            member: vec![false; size],
            members: Vec::new(),
            met: vec![Meeting::default(); size],
            met_cells: Vec::new(),
        }
    }

    /// Puts the blame on the component of a cell.
    pub(crate) fn put_on(&mut self, graph: &Graph, partition: &Partition, cell: u32) {
        self.lift();
        self.add(cell);
        let mut at = 0;
        while at < self.members.len() {
            self.add_neighbours(graph, partition, self.members[at]);
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

    /// In an equitable partition, one vertex tells for all of its cell.
    fn add_neighbours(&mut self, graph: &Graph, partition: &Partition, cell: u32) {
        for arc in graph.arcs_of(partition.first(cell)) {
            let other = partition.cell_of(arc.target);
            if partition.length(other) > 1 {
                self.meet(other, arc.class);
            }
        }
        while let Some(other) = self.met_cells.pop() {
            let meeting = std::mem::take(&mut self.met[other as usize]);
            if meeting.mixed || meeting.arcs < partition.length(other) {
                self.add(other);
            }
        }
    }

    fn meet(&mut self, cell: u32, class: u32) {
        let meeting = &mut self.met[cell as usize];
        if meeting.arcs == 0 {
            self.met_cells.push(cell);
            meeting.class = class;
        }
        meeting.arcs += 1;
        meeting.mixed |= meeting.class != class;
    }

    /// Whether one of these splits, the latest ones on the trail, concerns the component.
    pub(crate) fn concerns(&self, splits: &[Split]) -> bool {
        let inside = |cell: u32| self.member[cell as usize];
        splits.iter().any(|s| inside(s.from) || inside(s.off))
    }
}
