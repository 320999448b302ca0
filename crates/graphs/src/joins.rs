//! Joins between the cells of an equitable partition.
//!
//! Two cells are *joined evenly* if all pairs of vertices from one and the other are alike: no arc, or an arc of
//! the same class. Splitting a cell says nothing about a cell that is evenly joined to it.

use crate::graph::Graph;
use crate::partition::Partition;

/// Tables for counting the arcs from a vertex into cells.
#[derive(Clone, Debug)]
pub(crate) struct Joins {
    /// By front: what was met from the vertex in hand.
    met: Vec<Meeting>,
    met_cells: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Meeting {
    arcs: u32,
    class: u32,
    /// Whether the arcs are of several classes.
    mixed: bool,
}

impl Joins {
    pub(crate) fn new(size: usize) -> Self {
        Joins {
            met: vec![Meeting::default(); size],
            met_cells: Vec::new(),
        }
    }

    /// Calls `found` with each cell of several vertices that a cell is not evenly joined to. One vertex tells for
    /// all of its cell.
    pub(crate) fn uneven(
        &mut self,
        graph: &Graph,
        partition: &Partition,
        cell: u32,
        mut found: impl FnMut(u32),
    ) {
        for arc in graph.arcs_of(partition.first(cell)) {
            let other = partition.cell_of(arc.target);
            if partition.length(other) > 1 {
                self.meet(other, arc.class);
            }
        }
        while let Some(other) = self.met_cells.pop() {
            let meeting = std::mem::take(&mut self.met[other as usize]);
            if meeting.mixed || meeting.arcs < partition.length(other) {
                found(other);
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

    /// Of these cells, the one with most uneven joins; of several such, a smallest one.
    pub(crate) fn best(
        &mut self,
        graph: &Graph,
        partition: &Partition,
        cells: impl Iterator<Item = u32>,
    ) -> Option<u32> {
        cells.max_by_key(|&cell| {
            let mut joins = 0u32;
            self.uneven(graph, partition, cell, |_| joins += 1);
            (joins, u32::MAX - partition.length(cell))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GraphBuilder;

    #[test]
    fn complete_joins_of_one_class_are_even() {
        let mut builder = GraphBuilder::new();
        let cells: Vec<Vec<u32>> = (0..4)
            .map(|colour| (0..2).map(|_| builder.vertex(colour)).collect())
            .collect();
        for a in 0..2 {
            for b in 0..2 {
                builder.edge(cells[0][a], cells[1][b], 0);
                builder.edge(cells[0][a], cells[2][b], (a ^ b) as u32);
            }
            builder.edge(cells[0][a], cells[3][a], 0);
        }
        let graph = builder.build().unwrap();
        let partition = Partition::new(graph.kinds());
        let mut found = Vec::new();
        let mut joins = Joins::new(8);
        joins.uneven(&graph, &partition, 0, |cell| found.push(cell));
        found.sort_unstable();
        assert_eq!(found, vec![4, 6]);
        let all = partition.fronts().into_iter();
        assert_eq!(joins.best(&graph, &partition, all), Some(0));
    }
}
