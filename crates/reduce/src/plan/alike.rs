//! Points that are alike in a state: those that can change places while everything else stays.
//!
//! What a permutation does to the cells of a state is what `scatter` does: rows and columns move with their points, and references are renamed. So two
//! points can change places if their rows hold the same, in every matrix their rows and their columns do, and nothing refers to either of them but perhaps each row to its own
//! point. That is read off the cells, one look at each, without an image being made. (Points that refer to each other, or that one cell each refers to, could be exchanged, too. They are
//! rare.)

use super::gather::live;
use super::scatter::{Matrix, Rename, Rows, Scatter};
use super::values::Referent;
use mandala_canon::Point;

/// Finds points that are alike in the states of one plan.
#[derive(Clone, Debug)]
pub(crate) struct Likeness {
    rows: Vec<Rows>,
    matrices: Vec<Matrix>,
    references: Vec<References>,
    /// For each block, the column of its rows that hold references, and which of the tables tells what they are.
    columns: Vec<Vec<(usize, usize)>>,
    /// For each point, whether something but its own row refers to it.
    known: Vec<bool>,
}

/// Cells that hold references of one sort.
#[derive(Clone, Debug)]
struct References {
    /// For each cell, the point that it belongs to, if it belongs to exactly one.
    owners: Vec<Option<Point>>,
    cells: Rename,
    least: i64,
    /// By value, from the least on, what it refers to.
    referents: Vec<Option<Referent>>,
}

impl References {
    fn referent(&self, value: i64) -> Option<&Referent> {
        let index = value.wrapping_sub(self.least) as u64 as usize;
        self.referents.get(index)?.as_ref()
    }
}

impl Likeness {
    /// For states of so many points that are permuted like this.
    pub fn new(scatter: &Scatter, points: usize) -> Self {
        let owner = |cell: u32| scatter.rows.iter().find_map(|rows| rows.owner(cell));
        let references = scatter.renames.iter().map(|rename| {
            let renamed = &scatter.renamed[rename.renamed];
            References {
                owners: rename.cells.iter().map(|cell| owner(*cell)).collect(),
                cells: rename.clone(),
                least: renamed.least(),
                referents: renamed.referents(),
            }
        });
        let references: Vec<References> = references.collect();
        let table = |cell: u32| {
            references
                .iter()
                .position(|r| r.cells.cells.contains(&cell))
        };
        let columns = scatter.rows.iter().map(|rows| {
            let first = rows.cells.iter().take(rows.width).enumerate();
            first
                .filter_map(|(column, cell)| Some((column, table(*cell)?)))
                .collect()
        });
        Likeness {
            columns: columns.collect(),
            rows: scatter.rows.clone(),
            matrices: scatter.matrices.clone(),
            known: vec![false; points],
            references,
        }
    }

    /// The cells of a point's row that hold no references.
    pub fn plain_cells(&self, point: Point) -> Vec<u32> {
        let rows = self.rows.iter().zip(&self.columns);
        let mut plain = Vec::new();
        for (rows, columns) in rows {
            let cells = rows.row(point).unwrap_or(&[]).iter().enumerate();
            let is_plain = |column: usize| columns.iter().all(|(other, _)| *other != column);
            plain.extend(
                cells
                    .filter(|(column, _)| is_plain(*column))
                    .map(|(_, cell)| *cell),
            );
        }
        plain
    }

    /// Notes which points a state refers to.
    pub fn note(&mut self, cells: &[i64]) {
        self.known.fill(false);
        for references in &self.references {
            let Rename {
                count, per_message, ..
            } = references.cells;
            let live = live(&references.cells.cells, count, per_message, cells);
            for (cell, owner) in live.iter().zip(&references.owners) {
                if let Some(referent) = references.referent(cells[*cell as usize]) {
                    for point in referent.points {
                        self.known[usize::from(point)] |= *owner != Some(point);
                    }
                }
            }
        }
    }

    /// Whether two points of one block are alike in the state that was noted last.
    pub fn are_alike(&self, cells: &[i64], a: Point, b: Point) -> bool {
        !self.known[usize::from(a)]
            && !self.known[usize::from(b)]
            && self.have_like_rows(cells, a, b)
            && self
                .matrices
                .iter()
                .all(|matrix| matrix.is_kept_by((a, b), cells))
    }

    fn have_like_rows(&self, cells: &[i64], a: Point, b: Point) -> bool {
        let mut blocks = self.rows.iter().zip(&self.columns);
        blocks.all(|(rows, columns)| {
            let (Some(of_a), Some(of_b)) = (rows.row(a), rows.row(b)) else {
                return true;
            };
            let mut pairs = of_a.iter().zip(of_b).enumerate();
            pairs.all(|(column, (at_a, at_b))| {
                let (in_a, in_b) = (cells[*at_a as usize], cells[*at_b as usize]);
                in_a == in_b || self.are_own(columns, column, [(a, in_a), (b, in_b)])
            })
        })
    }

    /// Whether two values in a column refer each to the point that it belongs to, and in the same manner.
    #[cold]
    fn are_own(
        &self,
        columns: &[(usize, usize)],
        column: usize,
        values: [(Point, i64); 2],
    ) -> bool {
        let table = columns.iter().find(|(other, _)| *other == column);
        let manner = |(_, table): &(usize, usize), (point, value): (Point, i64)| {
            let referent = self.references[*table].referent(value)?;
            (referent.points == [point; 2]).then_some(referent.manner)
        };
        let manners = table.map(|table| values.map(|value| manner(table, value)));
        manners.is_some_and(|[a, b]| a.is_some() && a == b)
    }
}

impl Rows {
    /// The cells of a point of the block.
    fn row(&self, point: Point) -> Option<&[u32]> {
        let offset = usize::from(point.checked_sub(self.first)?);
        self.cells
            .get(offset * self.width..(offset + 1) * self.width)
    }

    /// The point that a cell belongs to.
    fn owner(&self, cell: u32) -> Option<Point> {
        let place = self.cells.iter().position(|other| *other == cell)?;
        Some(self.first + (place / self.width) as Point)
    }
}

impl Matrix {
    /// Whether the exchange of two points, to neither of which an entry refers, keeps the matrix.
    fn is_kept_by(&self, (a, b): (Point, Point), cells: &[i64]) -> bool {
        let rows = self.cells.len() / self.columns.max(1);
        let place = |first: Point, length: usize, point: Point| {
            let place = usize::from(point.checked_sub(first)?);
            (place < length).then_some(place)
        };
        let exchange = |pair: Option<(usize, usize)>, index: usize| match pair {
            Some((a, b)) if index == a => b,
            Some((a, b)) if index == b => a,
            _ => index,
        };
        let row = |point| place(self.first_row, rows, point);
        let column = |point| place(self.first_column, self.columns, point);
        let (moved_rows, moved_columns) = (row(a).zip(row(b)), column(a).zip(column(b)));
        let value =
            |row: usize, column: usize| cells[self.cells[row * self.columns + column] as usize];
        let is_kept = |r: usize, c: usize| {
            value(r, c) == value(exchange(moved_rows, r), exchange(moved_columns, c))
        };
        let mut in_rows = moved_rows.iter().flat_map(|(a, b)| [*a, *b]);
        let mut in_columns = moved_columns.iter().flat_map(|(a, b)| [*a, *b]);
        in_rows.all(|r| (0..self.columns).all(|c| is_kept(r, c)))
            && in_columns.all(|c| (0..rows).all(|r| is_kept(r, c)))
    }
}
