//! Invariants of a state under renaming: colours of points, and a number for the whole.
//!
//! Points start with a colour made from their rows. In each round, a point's colour takes in those that it refers to, those that
//! refer to it and those that relations link it with, as a sum, so that the order in which they are met does not matter.
//! Points that some symmetry exchanges have equal colours; points that none exchanges may have equal colours too.

use mandala_canon::{Entry, Matrix, Point, Shape, View};

/// How often colours take in their neighbours'. Two rounds see two steps far, which tells most points apart
/// that differ at all.
const ROUNDS: u64 = 2;

/// Room for the colours of the points of one shape.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    colours: Vec<u64>,
    sums: Vec<u64>,
}

/// A bijection of numbers that leaves no visible pattern (the finaliser of splitmix64, Steele and others 2014).
const fn scatter(number: u64) -> u64 {
    let a = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ (a >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ (b >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ (c >> 31)
}

/// A number for a pair, in which the order counts.
#[inline]
pub(crate) fn pair(a: u64, b: u64) -> u64 {
    scatter(a ^ b.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// What a number is used for, so that the same number means different things in different roles.
#[derive(Clone, Copy)]
enum Role {
    Row,
    Outgoing,
    Incoming,
    Itself,
    Shared,
    Related,
    RelatedBy,
    Entered,
}

/// A number for something in a role at a place.
#[inline]
fn at(role: Role, place: usize) -> u64 {
    (role as u64) << 32 | place as u64
}

impl Signature {
    pub fn new(shape: &Shape) -> Self {
        Signature {
            colours: vec![0; shape.points()],
            sums: vec![0; shape.points()],
        }
    }

    /// The colours that were found last, by point.
    pub fn colours(&self) -> &[u64] {
        &self.colours
    }

    /// Colours the points of a state. Gives a number that is the same for all states of its orbit, as far as the
    /// view says all about them.
    pub fn colour(&mut self, shape: &Shape, view: &View<'_>) -> u64 {
        self.start(shape, view);
        for _ in 0..ROUNDS {
            self.sums.fill(0);
            self.add_references(shape, view);
            for (number, matrix) in shape.matrices().iter().enumerate() {
                self.add_relation(number, matrix, view);
            }
            for (colour, sum) in self.colours.iter_mut().zip(&self.sums) {
                *colour = pair(*colour, *sum);
            }
        }
        self.whole(view)
    }

    fn start(&mut self, shape: &Shape, view: &View<'_>) {
        for domain in 0..shape.domains() {
            for point in shape.domain_points(domain) {
                let row = &view.plain()[shape.row_of(point as Point)];
                let start = at(Role::Row, domain);
                let colour = row.iter().fold(start, |c, cell| pair(c, u64::from(*cell)));
                self.colours[point] = colour;
            }
        }
        for (place, target) in view.shared().iter().enumerate() {
            if let Some(colour) = self.colours.get_mut(usize::from(*target)) {
                *colour = colour.wrapping_add(scatter(at(Role::Shared, place)));
            }
        }
    }

    fn add_references(&mut self, shape: &Shape, view: &View<'_>) {
        for point in 0..self.colours.len() {
            let cells = &view.references()[shape.references_of(point as Point)];
            for (place, target) in cells.iter().enumerate() {
                let target = usize::from(*target);
                self.add(
                    point,
                    pair(at(Role::Outgoing, place), self.seen(point, target)),
                );
                let seen = self.colours[point];
                self.add(target, pair(at(Role::Incoming, place), seen));
            }
        }
    }

    fn add_relation(&mut self, number: usize, matrix: &Matrix, view: &View<'_>) {
        for row in matrix.row_points() {
            for column in matrix.column_points() {
                let value = view.relations()[matrix.entry(row, column)];
                let target = usize::try_from(value).unwrap_or(usize::MAX);
                let target = if matrix.entries() == Entry::Point {
                    target
                } else {
                    usize::MAX
                };
                let entry = self
                    .colours
                    .get(target)
                    .copied()
                    .unwrap_or(u64::from(value));
                let (there, here) = (self.seen(row, column), self.seen(column, row));
                self.add(row, pair(pair(at(Role::Related, number), entry), there));
                self.add(column, pair(pair(at(Role::RelatedBy, number), entry), here));
                let link = pair(self.colours[row], there);
                self.add(target, pair(at(Role::Entered, number), link));
            }
        }
    }

    /// How a point sees a target: by its colour, as itself, or as what is no point.
    #[inline]
    fn seen(&self, point: usize, target: usize) -> u64 {
        match self.colours.get(target) {
            Some(_) if point == target => at(Role::Itself, 0),
            Some(colour) => *colour,
            None => target as u64,
        }
    }

    /// Adds to the sum of a target, if that is a point.
    #[inline]
    fn add(&mut self, target: usize, number: u64) {
        if let Some(sum) = self.sums.get_mut(target) {
            *sum = sum.wrapping_add(number);
        }
    }

    fn whole(&self, view: &View<'_>) -> u64 {
        let points = self.colours.iter().map(|colour| scatter(*colour));
        let points = points.fold(0u64, u64::wrapping_add);
        let targets = view.shared().iter().map(|target| {
            let target = usize::from(*target);
            self.colours.get(target).copied().unwrap_or(target as u64)
        });
        targets.fold(points, pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_canon::{NONE, PointDomain, Relation, apply};

    /// Two domains with everything that a view can have.
    fn shape() -> Shape {
        let domain = |points, plain, references| PointDomain {
            points,
            plain,
            references,
        };
        let relation = |rows, columns, entries| Relation {
            rows,
            columns,
            entries,
        };
        let relations = [relation(0, 1, Entry::Number), relation(1, 1, Entry::Point)];
        Shape::new(&[domain(3, 1, 2), domain(2, 0, 1)], 2, &relations).expect("small")
    }

    fn signature(view: &View<'_>) -> (u64, Vec<u64>) {
        let mut signature = Signature::new(&shape());
        let whole = signature.colour(&shape(), view);
        (whole, signature.colours().to_vec())
    }

    #[test]
    fn names_make_no_difference_and_everything_else_does() {
        let shape = shape();
        let plain = [7, 8, 7];
        let references = [1, NONE, 3, 0, 2, 4, 0, NONE];
        let relations = [1, 2, 3, 4, 5, 6, 0, 3, 255, 4];
        let view = View::new(&shape, &plain, &references, &[2, 4], &relations).expect("fits");
        let (whole, colours) = signature(&view);
        for positions in [[1, 0, 2, 3, 4], [2, 0, 1, 4, 3], [0, 2, 1, 4, 3]] {
            let image = apply(&shape, &view, &positions);
            let (same, moved) = signature(&image.as_view());
            assert_eq!(same, whole);
            for (point, position) in positions.iter().enumerate() {
                assert_eq!(moved[usize::from(*position)], colours[point]);
            }
        }
        let mut wholes = vec![whole];
        for place in 0..references.len() {
            let mut other = references;
            other[place] = 250;
            let view = View::new(&shape, &plain, &other, &[2, 4], &relations).expect("fits");
            wholes.push(signature(&view).0);
        }
        for place in 0..relations.len() {
            let mut other = relations;
            other[place] = 77;
            let view = View::new(&shape, &plain, &references, &[2, 4], &other).expect("fits");
            wholes.push(signature(&view).0);
        }
        wholes.sort_unstable();
        wholes.dedup();
        assert_eq!(wholes.len(), 1 + references.len() + relations.len());
    }
}
