//! Twins: two points whose exchange leaves the state as it is.
//!
//! Idle processes that nobody refers to are twins, and so are those that wait for the same one. Most open cells of
//! practical states consist of twins only, so they are recognised before anything is tried. The test looks at the
//! state itself, not at the partition: what it says is certain whatever the signatures missed.
//!
//! A transposition that keeps the state must map references to references: both points refer to the
//! same third points, and nobody else refers to either of them (a cell that refers to one would have to refer to the
//! other). Being twins is transitive: transpositions (a b) and (b c) generate (a c).

use crate::incoming::Incoming;
use crate::refine::State;
use crate::shape::{Entry, Matrix, Point};

/// Two points of one cell of a partition, which therefore have equal rows and are in no shared cell.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub a: Point,
    pub b: Point,
}

impl Pair {
    /// Whether exchanging the two keeps the state.
    pub(crate) fn are_twins(self, state: State, incoming: &Incoming) -> bool {
        self.is_unknown_to_others(incoming)
            && self.have_like_references(state)
            && state
                .shape
                .matrices()
                .iter()
                .all(|matrix| self.have_like_entries(state, matrix))
    }

    fn exchange(self, point: usize) -> usize {
        if point == usize::from(self.a) {
            usize::from(self.b)
        } else if point == usize::from(self.b) {
            usize::from(self.a)
        } else {
            point
        }
    }

    fn is_unknown_to_others(self, incoming: &Incoming) -> bool {
        let own = |point: Point| point == self.a || point == self.b;
        incoming.of(self.a).all(|source| own(source.point))
            && incoming.of(self.b).all(|source| own(source.point))
    }

    fn have_like_references(self, state: State) -> bool {
        let cells = |point| &state.view.references[state.shape.references_of(point)];
        let (of_a, of_b) = (cells(self.a), cells(self.b));
        of_a.iter()
            .zip(of_b)
            .all(|(&a, &b)| self.exchange(usize::from(a)) == usize::from(b))
    }

    fn have_like_entries(self, state: State, matrix: &Matrix) -> bool {
        let entries = state.view.relations;
        match matrix.entries {
            Entry::Number => self.have_like_numbers(matrix, entries),
            Entry::Point => self.keeps_points(matrix, entries),
        }
    }

    fn have_like_numbers(self, matrix: &Matrix, entries: &[u32]) -> bool {
        let (a, b) = (usize::from(self.a), usize::from(self.b));
        let is_row = matrix.row_points().contains(&a);
        let is_column = matrix.column_points().contains(&a);
        // The exchange must map an index of this matrix to one of it: it does, both are of one domain.
        let rows_alike = !is_row
            || matrix.column_points().all(|column| {
                let moved = matrix.entry(b, self.exchange(column));
                entries[matrix.entry(a, column)] == entries[moved]
            });
        let columns_alike = !is_column
            || matrix.row_points().all(|row| {
                let moved = matrix.entry(self.exchange(row), b);
                entries[matrix.entry(row, a)] == entries[moved]
            });
        rows_alike && columns_alike
    }

    fn keeps_points(self, matrix: &Matrix, entries: &[u32]) -> bool {
        matrix.row_points().all(|row| {
            matrix.column_points().all(|column| {
                let moved = matrix.entry(self.exchange(row), self.exchange(column));
                let value = entries[matrix.entry(row, column)] as usize;
                self.exchange(value) == entries[moved] as usize
            })
        })
    }
}

/// Whether all points of a cell are twins of each other, so that their order does not matter.
pub(crate) fn all_twins(state: State, incoming: &Incoming, cell: &[Point]) -> bool {
    let Some((&a, others)) = cell.split_first() else {
        return true;
    };
    others
        .iter()
        .all(|&b| Pair { a, b }.are_twins(state, incoming))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::apply;
    use crate::shape::{PointDomain, Relation, Shape};
    use crate::view::View;

    /// Compares the quick test with the definition on all views with the given number of cells.
    fn compare(shape: &Shape, references: &[Point], relations: &[u32]) -> usize {
        let view = View::new(shape, &[], references, &[], relations).expect("fits");
        let mut incoming = Incoming::new(shape);
        incoming.collect(references);
        let state = State { shape, view: &view };
        let mut twins = 0;
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let mut positions: Vec<Point> = (0..shape.points() as Point).collect();
            positions.swap(usize::from(a), usize::from(b));
            let by_definition = apply(shape, &view, &positions).as_view() == view;
            let found = Pair { a, b }.are_twins(state, &incoming);
            assert_eq!(found, by_definition, "{a} {b} in {view:?}");
            twins += usize::from(found);
        }
        twins
    }

    /// All lists of the given length with digits below the base.
    fn lists(length: usize, base: u32) -> impl Iterator<Item = Vec<u32>> {
        (0..base.pow(length as u32)).map(move |number| {
            let digit = |place| number / base.pow(place as u32) % base;
            (0..length).map(digit).collect()
        })
    }

    #[test]
    fn the_quick_test_is_the_definition_on_references() {
        let shape = Shape::single(3, 0, 2).expect("small");
        let cells = lists(6, 4).map(|list| list.iter().map(|&t| t as Point).collect::<Vec<_>>());
        let twins: usize = cells.map(|cells| compare(&shape, &cells, &[])).sum();
        assert!(twins > 0);
    }

    #[test]
    fn the_quick_test_is_the_definition_on_relations() {
        let domain = |points| PointDomain {
            points,
            plain: 0,
            references: 0,
        };
        for (rows, columns) in [(0, 0), (0, 1), (1, 0)] {
            for entries in [Entry::Number, Entry::Point] {
                let relation = Relation {
                    rows,
                    columns,
                    entries,
                };
                let shape = Shape::new(&[domain(3), domain(2)], 0, &[relation]).expect("small");
                let lists = lists(shape.relation_entries(), 3);
                let twins: usize = lists.map(|list| compare(&shape, &[], &list)).sum();
                assert!(twins > 0);
            }
        }
    }
}
