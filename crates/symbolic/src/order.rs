//! In which order the cells come in the diagrams.
//!
//! A diagram is small where bits that depend on each other are near each other. What is shared comes first; then all that belongs to the first process
//! or to the first elements of arrays, then all that belongs to the second, and so on: what a process does depends on its own
//! variables and on what is shared, seldom on all the others.
//!
//! Messages move from one place of a channel to the next, all bits at once. So the bits of one field in all places are woven together.

use crate::cells::{Home, Wanted};
use mandala_model::Model;
use mandala_model::types::Type;
use std::cmp::Reverse;

/// All bits in their order, by the number of the cell and of the bit in it. Of a cell, what decides most is on top.
pub(crate) fn of(cells: &[Wanted]) -> Vec<(usize, usize)> {
    let cells_and_bits = cells.iter().enumerate();
    let bits =
        cells_and_bits.flat_map(|(cell, wanted)| (0..wanted.bits()).map(move |bit| (cell, bit)));
    let mut order: Vec<(usize, usize)> = bits.collect();
    order.sort_by_key(|&(cell, bit)| {
        let wanted = &cells[cell];
        (
            wanted.home,
            wanted.woven_with.unwrap_or(cell),
            Reverse(bit),
            cell,
        )
    });
    order
}

/// The elements of the outermost array of a variable.
pub(crate) struct Elements {
    /// How many cells each of them has; none if it is no array.
    size: Option<usize>,
}

/// The elements that the cells of a variable of that type are in.
pub(crate) fn elements(model: &Model, ty: &Type) -> Elements {
    let size = match ty {
        Type::Array { element, .. } => Some(model.cells(element)),
        Type::Scalar(_) | Type::Record(_) => None,
    };
    Elements { size }
}

impl Elements {
    /// Where a cell of the variable belongs.
    pub(crate) fn home(&self, cell: usize) -> Home {
        self.size
            .map_or(Home::Shared, |size| Home::Member((cell / size) as u32))
    }
}
