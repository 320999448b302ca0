//! Relations between points, as each of them sees them.

use crate::mixing::{number_of, stir};
use crate::partition::Partition;
use crate::refine::State;
use crate::shape::{Entry, Matrix};

/// Tells apart in which role a point sees an entry.
#[derive(Clone, Copy)]
enum Role {
    Row = 1,
    Column = 2,
    Target = 3,
    Diagonal = 4,
}

/// One relation of a state, seen with the colours of a partition.
#[derive(Clone, Copy)]
pub(crate) struct Lens<'a> {
    pub matrix: &'a Matrix,
    entries: &'a [u32],
    partition: &'a Partition,
    /// Tells the relations apart.
    number: u64,
}

impl<'a> Lens<'a> {
    /// All relations of a state.
    pub(crate) fn all(
        state: State<'a>,
        partition: &'a Partition,
    ) -> impl Iterator<Item = Lens<'a>> + use<'a> {
        let matrices = state.shape.matrices().iter();
        matrices.zip(1..).map(move |(matrix, number)| Lens {
            matrix,
            entries: state.view.relations,
            partition,
            number,
        })
    }

    /// Each point sees its own entry with itself, which no colour shows.
    pub(crate) fn show_diagonal(&self, mut see: impl FnMut(usize, u64)) {
        if self.matrix.row_points() == self.matrix.column_points() {
            for point in self.matrix.row_points() {
                let value = self.entries[self.matrix.entry(point, point)];
                let itself = self.matrix.entries == Entry::Point && value as usize == point;
                let value = match self.matrix.entries {
                    Entry::Number => u64::from(value),
                    Entry::Point => u64::from(itself),
                };
                see(point, self.mix(Role::Diagonal, value));
            }
        }
    }

    /// All points see all entries.
    pub(crate) fn show_all(&self, mut see: impl FnMut(usize, u64)) {
        for row in self.matrix.row_points() {
            for column in self.matrix.column_points() {
                match self.matrix.entries {
                    Entry::Number => self.show_number(row, column, &mut see),
                    Entry::Point => self.show_point(row, column, &mut see),
                }
            }
        }
    }

    /// All points see the entries that a point with a new colour is part of.
    pub(crate) fn show_numbers_of(&self, point: usize, mut see: impl FnMut(usize, u64)) {
        let own = self.colour(point);
        if self.matrix.row_points().contains(&point) {
            let at = self.matrix.entry(point, self.matrix.first_column);
            let row = &self.entries[at..at + self.matrix.columns];
            for (column, &value) in self.matrix.column_points().zip(row) {
                if value != 0 {
                    let sight = self.mix(Role::Column, u64::from(value));
                    see(column, sight.wrapping_mul(own));
                }
            }
        }
        if self.matrix.column_points().contains(&point) {
            for row in self.matrix.row_points() {
                let value = self.entries[self.matrix.entry(row, point)];
                if value != 0 {
                    let sight = self.mix(Role::Row, u64::from(value));
                    see(row, sight.wrapping_mul(own));
                }
            }
        }
    }

    fn show_number(&self, row: usize, column: usize, see: &mut impl FnMut(usize, u64)) {
        let value = u64::from(self.entries[self.matrix.entry(row, column)]);
        if value != 0 {
            let (as_row, as_column) = (self.mix(Role::Row, value), self.mix(Role::Column, value));
            see(row, as_row.wrapping_mul(self.colour(column)));
            see(column, as_column.wrapping_mul(self.colour(row)));
        }
    }

    fn show_point(&self, row: usize, column: usize, see: &mut impl FnMut(usize, u64)) {
        let value = self.entries[self.matrix.entry(row, column)];
        let target = usize::try_from(value).unwrap_or(usize::MAX);
        let is_point = target < self.partition.size();
        let shown = if is_point {
            self.colour(target)
        } else {
            u64::from(value)
        };
        let (as_row, as_column) = (self.mix(Role::Row, shown), self.mix(Role::Column, shown));
        let (of_row, of_column) = (self.colour(row), self.colour(column));
        see(row, as_row.wrapping_mul(of_column));
        see(column, as_column.wrapping_mul(of_row));
        if is_point {
            see(
                target,
                self.mix(Role::Target, of_row).wrapping_mul(of_column),
            );
        }
    }

    fn colour(&self, point: usize) -> u64 {
        number_of(self.partition.colours[point].into())
    }

    /// A sum of values must not stand for the values: stirring makes the terms of it unlike each other.
    fn mix(&self, role: Role, value: u64) -> u64 {
        let tag = (self.number << 3 | role as u64) << 32;
        stir(value.wrapping_add(tag))
    }
}
