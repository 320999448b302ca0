//! From a labelling back to cells: what belongs to a point goes where the point goes, then references follow.

use super::gather::live;
use super::values::Renamed;
use mandala_canon::Point;

/// The cells that move with the points of one block, point after point.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub first: Point,
    pub width: usize,
    pub cells: Vec<u32>,
}

/// The cells that move with the points of two blocks, row after row.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub first_row: Point,
    pub first_column: Point,
    pub columns: usize,
    pub cells: Vec<u32>,
}

/// Cells that hold references of one sort.
#[derive(Clone, Debug)]
pub(crate) struct Rename {
    /// Which of the tables says what becomes of them.
    pub renamed: usize,
    /// For cells of messages, the cell with the number of messages.
    pub count: Option<u32>,
    /// How many of the cells belong to one message.
    pub per_message: usize,
    pub cells: Vec<u32>,
}

/// Applies labellings to cells.
#[derive(Clone, Debug)]
pub(crate) struct Scatter {
    pub rows: Vec<Rows>,
    pub matrices: Vec<Matrix>,
    pub renames: Vec<Rename>,
    pub renamed: Vec<Renamed>,
    image: Vec<i64>,
}

impl Scatter {
    pub fn new(
        rows: Vec<Rows>,
        matrices: Vec<Matrix>,
        renames: Vec<Rename>,
        renamed: Vec<Renamed>,
    ) -> Self {
        Scatter {
            rows,
            matrices,
            renames,
            renamed,
            image: Vec::new(),
        }
    }

    /// The image of a state under a labelling, given as a table of positions. Every reference in the state must
    /// have a code.
    #[inline]
    pub fn image(&mut self, cells: &[i64], positions: &[Point]) -> &[i64] {
        self.image.clear();
        self.image.extend_from_slice(cells);
        for rows in &self.rows {
            rows.apply(cells, positions, &mut self.image);
        }
        for matrix in &self.matrices {
            matrix.apply(cells, positions, &mut self.image);
        }
        self.rename(positions);
        &self.image
    }

    /// Renames what references refer to, where they are now.
    #[inline]
    fn rename(&mut self, positions: &[Point]) {
        for renamed in &mut self.renamed {
            renamed.follow(positions);
        }
        for rename in &self.renames {
            let renamed = &self.renamed[rename.renamed];
            let cells = live(&rename.cells, rename.count, rename.per_message, &self.image);
            for cell in cells {
                let value = &mut self.image[*cell as usize];
                *value = renamed.image(*value);
            }
        }
    }
}

impl Rows {
    #[inline]
    fn apply(&self, cells: &[i64], positions: &[Point], image: &mut [i64]) {
        if self.width == 0 {
            return;
        }
        let rows = self.cells.chunks_exact(self.width);
        let positions = &positions[usize::from(self.first)..];
        for ((offset, from), position) in rows.enumerate().zip(positions) {
            let position = position - self.first;
            if usize::from(position) != offset {
                let to = &self.cells[usize::from(position) * self.width..][..self.width];
                for (from, to) in from.iter().zip(to) {
                    image[*to as usize] = cells[*from as usize];
                }
            }
        }
    }
}

impl Matrix {
    #[inline]
    fn apply(&self, cells: &[i64], positions: &[Point], image: &mut [i64]) {
        for (row, from) in self.cells.chunks_exact(self.columns).enumerate() {
            let row = positions[usize::from(self.first_row) + row] - self.first_row;
            let to = &self.cells[usize::from(row) * self.columns..][..self.columns];
            for (column, from) in from.iter().enumerate() {
                let column = positions[usize::from(self.first_column) + column];
                let to = to[usize::from(column - self.first_column)];
                image[to as usize] = cells[*from as usize];
            }
        }
    }
}
