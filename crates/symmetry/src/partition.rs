//! Partitions of points, each of which stands for the group of all permutations that keep its cells: a Young subgroup.

use std::fmt;

/// A partition of the points 0, 1, 2, .. into cells.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Partition {
    /// The cell of each point. Cells are numbered in the order of their first points, so that equal partitions are equal values.
    cells: Vec<u32>,
}

impl Partition {
    /// The partition in which points are in one cell iff they have the same key.
    pub fn by_key<K: PartialEq>(keys: &[K]) -> Self {
        let mut cells: Vec<u32> = Vec::with_capacity(keys.len());
        let mut next = 0;
        for (point, key) in keys.iter().enumerate() {
            let known = keys[..point].iter().position(|other| other == key);
            let cell = known.map_or(next, |other| cells[other]);
            next = next.max(cell + 1);
            cells.push(cell);
        }
        Partition { cells }
    }

    /// The partition in which each point is a cell of its own.
    pub fn discrete(points: usize) -> Self {
        Partition {
            cells: (0..points as u32).collect(),
        }
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.cells.len()
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.cells.iter().max().map_or(0, |last| *last as usize + 1)
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether two points are in one cell.
    pub fn joins(&self, a: usize, b: usize) -> bool {
        self.cells[a] == self.cells[b]
    }

    /// The cells, each with its points in order.
    pub fn cells(&self) -> Vec<Vec<usize>> {
        let mut cells = vec![Vec::new(); self.len()];
        for (point, cell) in self.cells.iter().enumerate() {
            cells[*cell as usize].push(point);
        }
        cells
    }

    /// The coarsest partition that refines both.
    #[must_use]
    pub fn meet(&self, other: &Partition) -> Self {
        let pairs: Vec<(u32, u32)> = self
            .cells
            .iter()
            .copied()
            .zip(other.cells.iter().copied())
            .collect();
        Partition::by_key(&pairs)
    }

    /// Whether each cell lies in a cell of the other one.
    pub fn refines(&self, other: &Partition) -> bool {
        self.meet(other) == *self
    }

    /// The partition in which the cells of two points are one.
    #[must_use]
    pub fn joined(&self, a: usize, b: usize) -> Self {
        let (into, from) = (self.cells[a], self.cells[b]);
        let cells = self.cells.iter();
        let cells: Vec<u32> = cells.map(|c| if *c == from { into } else { *c }).collect();
        Partition::by_key(&cells)
    }

    /// The pairs of neighbours in each cell: their exchanges generate the group.
    pub fn neighbours(&self) -> Vec<(usize, usize)> {
        let cells = self.cells();
        let pairs = cells.iter().flat_map(|cell| cell.windows(2));
        pairs.map(|pair| (pair[0], pair[1])).collect()
    }
}

impl fmt::Debug for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.cells()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_partitions_are_equal_values() {
        let one = Partition::by_key(&['b', 'a', 'b']);
        assert_eq!(one, Partition::by_key(&[7, 1, 7]));
        assert_eq!(one.cells(), [vec![0, 2], vec![1]]);
        assert_eq!(Partition::discrete(3).joined(0, 2), one);
    }

    #[test]
    fn the_meet_is_the_coarsest_that_refines_both() {
        let one = Partition::by_key(&[0, 0, 0, 1]);
        let other = Partition::by_key(&[0, 0, 1, 1]);
        let meet = one.meet(&other);
        assert_eq!(meet, Partition::by_key(&[0, 0, 1, 2]));
        assert!(meet.refines(&one) && meet.refines(&other) && !one.refines(&other));
        assert_eq!(meet.neighbours(), [(0, 1)]);
    }
}
