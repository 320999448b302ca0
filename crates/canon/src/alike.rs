//! Points that look alike: what is known of the one is known of the other when the two have changed places.
//!
//! This is the test of `twins` without knowing who refers to a point: points that others refer to are left out, though both may be referred to in the same way. What is found
//! is for those who verify it, and takes one look at each cell.

use crate::shape::{Entry, Matrix, Shape};
use crate::view::View;

/// Finds points that look alike in the views of one shape.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// For each point, whether something but itself refers to it.
    known: Vec<bool>,
}

impl Likeness {
    /// For views of this shape.
    pub fn new(shape: &Shape) -> Self {
        Likeness {
            known: vec![false; shape.points()],
        }
    }

    /// Notes which points a view refers to.
    pub fn note(&mut self, shape: &Shape, view: &View<'_>) {
        self.known.fill(false);
        for &point in view.shared {
            self.refer(point.into());
        }
        if !view.references.is_empty() {
            for point in 0..self.known.len() {
                for &target in &view.references[shape.references_of(point as u8)] {
                    if usize::from(target) != point {
                        self.refer(target.into());
                    }
                }
            }
        }
        for matrix in shape.matrices() {
            if matrix.entries == Entry::Point {
                let entries = &view.relations[matrix.at..][..matrix.rows * matrix.columns];
                entries.iter().for_each(|entry| self.refer(*entry as usize));
            }
        }
    }

    fn refer(&mut self, target: usize) {
        if let Some(known) = self.known.get_mut(target) {
            *known = true;
        }
    }

    /// Whether two points of one domain look alike in the view that was noted last.
    pub fn are_alike(&self, shape: &Shape, view: &View<'_>, a: u8, b: u8) -> bool {
        let plain = |point| &view.plain[shape.row_of(point)];
        let references = |point| &view.references[shape.references_of(point)];
        let pairs = || references(a).iter().zip(references(b));
        !self.known[usize::from(a)]
            && !self.known[usize::from(b)]
            && plain(a) == plain(b)
            && pairs().all(|(&of_a, &of_b)| of_a == of_b || (of_a, of_b) == (a, b))
            && shape
                .matrices()
                .iter()
                .all(|matrix| have_like_entries(matrix, view.relations, (a.into(), b.into())))
    }
}

/// Whether the exchange of two points, neither of which is an entry, keeps a matrix.
fn have_like_entries(matrix: &Matrix, entries: &[u32], (a, b): (usize, usize)) -> bool {
    let exchange = |point: usize| match point {
        _ if point == a => b,
        _ if point == b => a,
        _ => point,
    };
    let rows_alike = !matrix.row_points().contains(&a)
        || matrix.column_points().all(|column| {
            let moved = matrix.entry(b, exchange(column));
            entries[matrix.entry(a, column)] == entries[moved]
        });
    let columns_alike = !matrix.column_points().contains(&a)
        || matrix.row_points().all(|row| {
            let moved = matrix.entry(exchange(row), b);
            entries[matrix.entry(row, a)] == entries[moved]
        });
    rows_alike && columns_alike
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::apply;
    use crate::shape::{Domain, NONE, Relation};

    /// All pairs that look alike.
    fn alike(shape: &Shape, view: &View<'_>) -> Vec<(u8, u8)> {
        let mut likeness = Likeness::new(shape);
        likeness.note(shape, view);
        let points = 0..shape.points() as u8;
        let pairs = points.flat_map(|a| (0..a).map(move |b| (b, a)));
        pairs
            .filter(|(a, b)| likeness.are_alike(shape, view, *a, *b))
            .collect()
    }

    /// Whether the exchange of two points keeps a view.
    fn keeps(shape: &Shape, view: &View<'_>, (a, b): (u8, u8)) -> bool {
        let mut positions: Vec<u8> = (0..shape.points() as u8).collect();
        positions.swap(a.into(), b.into());
        apply(shape, view, &positions).as_view() == *view
    }

    #[test]
    fn points_that_look_alike_can_be_exchanged() {
        let domain = Domain {
            points: 4,
            plain: 1,
            references: 1,
        };
        let relation = |entries| Relation {
            rows: 0,
            columns: 0,
            entries,
        };
        let relations = [relation(Entry::Number), relation(Entry::Point)];
        let shape = Shape::new(&[domain], 1, &relations).expect("small");
        let mut seed = 7u64;
        let mut next = move |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % bound
        };
        let mut found = 0;
        for round in 0..20_000 {
            let rare = |n: u64| if n < 4 { n as u8 } else { NONE };
            let plain: Vec<u32> = (0..4).map(|_| next(2) as u32).collect();
            let references: Vec<u8> = (0..4).map(|_| rare(next(12))).collect();
            let shared = [rare(next(8))];
            let mut entries: Vec<u32> = (0..16).map(|_| u32::from(next(14) == 0)).collect();
            entries.extend((0..16).map(|_| if next(20) == 0 { 2 } else { 9 }));
            let view = View::new(&shape, &plain, &references, &shared, &entries).expect("fits");
            for pair in alike(&shape, &view) {
                found += 1;
                assert!(keeps(&shape, &view, pair), "{round}: {pair:?} in {view:?}");
            }
        }
        assert!(found > 1_000, "{found}");
    }

    #[test]
    fn idle_points_look_alike_and_those_that_are_referred_to_do_not() {
        let shape = Shape::single(4, 1, 1).expect("small");
        let view = View::new(&shape, &[1, 1, 1, 1], &[NONE, NONE, 3, NONE], &[], &[]);
        assert_eq!(alike(&shape, &view.expect("fits")), [(0, 1)]);
    }
}
