//! What the tests share: random views, all permutations, canonical forms.

use mandala_canon::{
    Entry, Labeller, OwnedView, Point, PointDomain, Relation, Shape, View, absent, apply, none,
};

/// A generator of numbers that look random and can be had again from the seed (xorshift, Marsaglia 2003).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound.max(1)
    }

    /// A permutation, point -> position, that maps each domain to itself.
    pub(crate) fn permutation(&mut self, shape: &Shape) -> Vec<Point> {
        let mut positions: Vec<Point> = (0..shape.points() as Point).collect();
        for domain in 0..shape.domains() {
            let points = shape.domain_points(domain);
            for at in points.clone().skip(1).rev() {
                let other = points.start + self.below(at - points.start + 1);
                positions.swap(at, other);
            }
        }
        positions
    }

    /// A view with rows below `values`, and about `nothing` percent of the references holding no point.
    pub(crate) fn view(&mut self, shape: &Shape, values: usize, nothing: usize) -> OwnedView {
        let points = shape.points();
        OwnedView {
            plain: (0..shape.plain_cells())
                .map(|_| self.below(values) as u32)
                .collect(),
            references: self.references(shape.reference_cells(), points, nothing),
            shared: self.references(shape.shared_cells(), points, nothing),
            // Numbers below the number of points will do as entries of both kinds.
            relations: (0..shape.relation_entries())
                .map(|_| self.below(points + 1).saturating_sub(1) as u32)
                .collect(),
        }
    }

    fn references(&mut self, cells: usize, points: usize, nothing: usize) -> Vec<Point> {
        let mut cell = || match self.below(100) < nothing {
            true => [none(points), absent(points)][self.below(2)],
            false => self.below(points) as Point,
        };
        (0..cells).map(|_| cell()).collect()
    }
}

pub(crate) fn domain(points: usize, plain: usize, references: usize) -> PointDomain {
    PointDomain {
        points,
        plain,
        references,
    }
}

pub(crate) fn relation(rows: usize, columns: usize, entries: Entry) -> Relation {
    Relation {
        rows,
        columns,
        entries,
    }
}

pub(crate) fn shape(domains: &[PointDomain], shared: usize, relations: &[Relation]) -> Shape {
    Shape::new(domains, shared, relations).expect("within the limits")
}

/// All lists of the given length with digits below the base.
pub(crate) fn lists(length: usize, base: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..base.pow(length as u32)).map(move |number| {
        let digit = |place| number / base.pow(place as u32) % base;
        (0..length).map(digit).collect()
    })
}

/// All permutations of the points that map each domain to itself, as point -> position.
pub(crate) fn all_permutations(shape: &Shape) -> Vec<Vec<Point>> {
    let mut all = vec![(0..shape.points() as Point).collect::<Vec<Point>>()];
    for domain in 0..shape.domains() {
        let points = shape.domain_points(domain);
        for at in points.clone() {
            all = all
                .iter()
                .flat_map(|list| {
                    (at..points.end).map(move |other| {
                        let mut longer = list.clone();
                        longer.swap(at, other);
                        longer
                    })
                })
                .collect();
        }
    }
    all
}

/// The image that a labeller chooses, after checking that it is one.
pub(crate) fn form(shape: &Shape, labeller: &mut dyn Labeller, view: &View) -> OwnedView {
    let labelling = labeller.label(view);
    for (position, &point) in labelling.points().iter().enumerate() {
        let at = usize::from(labelling.positions()[usize::from(point)]);
        assert_eq!(at, position, "positions and points are inverse");
    }
    for domain in 0..shape.domains() {
        let points = shape.domain_points(domain);
        let inside = |&position: &Point| points.contains(&usize::from(position));
        assert!(labelling.positions()[points.clone()].iter().all(inside));
    }
    apply(shape, view, labelling.positions())
}
