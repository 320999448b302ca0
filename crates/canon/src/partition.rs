//! An ordered partition of the points into cells: what is known so far of the order they will get.
//!
//! The cells lie one after the other in `points`. The *colour* of a point is the first position of its
//! cell, so splitting a cell changes no colour outside it, and the colours of a discrete partition are the
//! positions. A code that is not a point counts as a cell of its own: the loops over references need not ask.

use crate::labelling::identity_table;
use crate::shape::{Point, codes};

#[derive(Clone, Debug)]
pub(crate) struct Partition {
    size: usize,
    /// Position -> point.
    pub points: Vec<Point>,
    /// Point -> first position of its cell.
    pub colours: Vec<Point>,
    /// First position of a cell -> number of its points. Other entries are left over from earlier.
    pub lengths: Vec<Point>,
    pub cells: usize,
}

impl Partition {
    /// The partition into single points, in their order.
    pub(crate) fn discrete(size: usize) -> Self {
        Self {
            size,
            points: identity_table(size),
            colours: identity_table(size),
            lengths: vec![1; codes(size)],
            cells: size,
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn is_discrete(&self) -> bool {
        self.cells == self.size
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        let size = self.size;
        self.points[..size].copy_from_slice(&other.points[..size]);
        self.colours[..size].copy_from_slice(&other.colours[..size]);
        self.lengths[..size].copy_from_slice(&other.lengths[..size]);
        self.cells = other.cells;
    }

    /// The points of the cell that begins at a position.
    pub(crate) fn cell(&self, start: Point) -> &[Point] {
        let (start, length) = (usize::from(start), self.lengths[usize::from(start)]);
        &self.points[start..start + usize::from(length)]
    }

    /// Splits a point off its cell. It gets the last position, so that the rest keeps its colour.
    pub(crate) fn individualise(&mut self, point: Point) {
        let start = usize::from(self.colours[usize::from(point)]);
        let last = start + usize::from(self.lengths[start]) - 1;
        let cell = &self.points[start..=last];
        let place = cell.iter().position(|&other| other == point);
        self.points.swap(start + place.unwrap_or(0), last);
        self.colours[usize::from(point)] = last as Point;
        self.lengths[start] -= 1;
        self.lengths[last] = 1;
        self.cells += 1;
    }

    /// The first positions of the cells with more than one point.
    pub(crate) fn open_cells(&self) -> impl Iterator<Item = Point> + '_ {
        let mut position = 0;
        std::iter::from_fn(move || {
            while position < self.size {
                let (start, length) = (position, self.lengths[position]);
                position += usize::from(length);
                if length > 1 {
                    return Some(start as Point);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn individualising_leaves_the_rest_together() {
        let mut partition = Partition::discrete(5);
        partition.lengths[1] = 4;
        partition.colours[1..5].fill(1);
        partition.cells = 2;
        partition.individualise(2);
        assert_eq!(partition.cells, 3);
        assert_eq!(partition.cell(4), [2]);
        let mut rest = partition.cell(1).to_vec();
        rest.sort_unstable();
        assert_eq!(rest, [1, 3, 4]);
        assert_eq!(partition.colours[..5], [0, 1, 4, 1, 1]);
        assert_eq!(partition.colours[255], 255, "not a point");
        assert_eq!(partition.open_cells().collect::<Vec<_>>(), [1]);
    }
}
