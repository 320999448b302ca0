//! References to a point: lists through the reference cells, made once per state.
//!
//! The cells of all points are numbered as they lie in the view; owner and place of a cell follow from
//! its number by tables of the shape. So a list needs no storage but one link per cell, and making all
//! lists is two stores per cell.

use crate::shape::{Point, Shape};

/// No further cell.
const END: u16 = u16::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    /// Point -> the last cell that refers to it.
    last: Vec<u16>,
    /// Cell -> the cell before it that refers to the same point.
    before: Vec<u16>,
    /// Cell -> whose it is, and which of its cells.
    sources: Vec<Source>,
}

/// A reference cell: whose, and which of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub point: Point,
    pub cell: u16,
}

impl Incoming {
    pub(crate) fn new(shape: &Shape) -> Self {
        let mut sources = Vec::with_capacity(shape.reference_cells());
        for block in shape.blocks() {
            for point in block.points() {
                sources.extend((0..block.domain.references).map(|cell| Source {
                    point: point as Point,
                    cell: cell as u16,
                }));
            }
        }
        Self {
            last: vec![END; shape.codes()],
            before: vec![END; sources.len()],
            sources,
        }
    }

    /// Makes the lists for the references of a state.
    pub(crate) fn collect(&mut self, references: &[Point]) {
        self.last.fill(END);
        let lasts = &mut self.last[..];
        for ((&target, before), cell) in references.iter().zip(&mut self.before).zip(0..) {
            let last = &mut lasts[usize::from(target)];
            *before = *last;
            *last = cell;
        }
    }

    /// The cells that refer to a point.
    pub(crate) fn of(&self, point: Point) -> impl Iterator<Item = Source> + '_ {
        let mut cell = self.last[usize::from(point)];
        std::iter::from_fn(move || {
            let at = usize::from(cell);
            cell = *self.before.get(at)?;
            Some(self.sources[at])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_is_found_from_its_target() {
        let shape = Shape::single(3, 0, 2).expect("small");
        let mut incoming = Incoming::new(&shape);
        for round in 0..2 {
            incoming.collect(&[1, 1, 0, 255, 1, 255]);
            let found: Vec<_> = incoming.of(1).map(|at| (at.point, at.cell)).collect();
            assert_eq!(found, [(2, 0), (0, 1), (0, 0)], "round {round}");
            assert_eq!(incoming.of(2).count(), 0);
        }
    }
}
