//! The automorphisms of a view: the permutations of its points that change nothing.
//!
//! # Algorithm
//!
//! Points are fixed one after the other, which gives a chain of groups, each the stabiliser of one more point; the order is the
//! product of the sizes of the orbits along the chain. To fix a point is to mark it in an extra plain column. A point
//! goes to another under the group exactly if marking the one or the other gives views with the same canonical
//! form, and the labellings that lead there give an automorphism.
//!
//! The chain ends where all points that are not fixed are told apart. It is climbed from there: at each level, what is known of the group below already joins most points
//! to few orbits, and only one point of each is asked for. So the full symmetric group on n points takes two canonical
//! forms for each of them. Points of different colours (`signature`) are never asked for.

use crate::reshape::with_marks;
use crate::signature::Signature;
use mandala_canon::{Budget, Canonicaliser, OwnedView, Point, Shape, View, apply};
use mandala_groups::BigUint;

/// A group of automorphisms.
#[derive(Debug)]
pub(crate) struct Automorphisms {
    pub order: BigUint,
    /// By point, where it goes.
    pub generators: Vec<Vec<Point>>,
}

/// Finds all automorphisms of a view.
pub(crate) fn automorphisms(shape: &Shape, view: &View<'_>) -> Automorphisms {
    let mut signature = Signature::new(shape);
    signature.colour(shape, view);
    let colours = signature.colours();
    let mut marked = Marked::new(shape, view, Budget::UNLIMITED);
    let mut found = Automorphisms {
        order: BigUint::from(1u8),
        generators: Vec::new(),
    };
    for point in (0..marked.length_of_chain()).rev() {
        let alike = |other: &usize| colours[*other] == colours[point];
        let others: Vec<usize> = (point + 1..shape.points()).filter(alike).collect();
        found.order *= found.generators.climb(&mut marked, point, &others);
    }
    found
}

/// What is known of the group below a level of the chain.
trait Climb {
    /// Goes one level up, to the group that fixes all points before this one. `others` are the points that it may go
    /// to. Gives the size of its orbit.
    fn climb(&mut self, marked: &mut Marked, point: usize, others: &[usize]) -> usize;
}

impl Climb for Vec<Vec<Point>> {
    fn climb(&mut self, marked: &mut Marked, point: usize, others: &[usize]) -> usize {
        let mut orbits = Orbits::new(marked.slots.len());
        self.iter().for_each(|generator| orbits.join_all(generator));
        let mut own = None;
        let mut refused = Vec::new();
        for other in others {
            let root = orbits.root(*other);
            let known = |p: &usize| orbits.root(*p) == root;
            if known(&point) || refused.iter().any(known) {
                continue;
            }
            let own = own.get_or_insert_with(|| marked.form(point, point));
            let its = marked.form(point, *other);
            if own.image != its.image {
                refused.push(*other);
                continue;
            }
            let generator = own.followed_back(&its);
            orbits.join_all(&generator);
            self.push(generator);
        }
        orbits.size(point)
    }
}

/// A view with one more plain column, in which points are marked.
pub(crate) struct Marked {
    shape: Shape,
    view: OwnedView,
    /// By point, where its mark is.
    slots: Vec<usize>,
    canonicaliser: Canonicaliser,
}

/// A canonical form and the labelling that leads to it.
pub(crate) struct Form {
    pub image: OwnedView,
    positions: Vec<Point>,
}

impl Form {
    /// From a point along this labelling, and back along the other one.
    fn followed_back(&self, other: &Form) -> Vec<Point> {
        let mut points = vec![0; other.positions.len()];
        for (point, position) in other.positions.iter().enumerate() {
            points[usize::from(*position)] = point as Point;
        }
        let positions = self.positions.iter();
        positions
            .map(|position| points[usize::from(*position)])
            .collect()
    }
}

impl Marked {
    pub fn new(shape: &Shape, view: &View<'_>, budget: Budget) -> Self {
        let marked = with_marks(shape);
        let points = 0..shape.points() as Point;
        let row = |point| view.plain()[shape.row_of(point)].iter().copied();
        let plain = points.clone().flat_map(|point| row(point).chain([0]));
        let view = OwnedView {
            plain: plain.collect(),
            references: view.references().to_vec(),
            shared: view.shared().to_vec(),
            relations: view.relations().to_vec(),
        };
        Marked {
            view,
            slots: points.map(|point| marked.row_of(point).end - 1).collect(),
            canonicaliser: Canonicaliser::new(&marked, budget),
            shape: marked,
        }
    }

    /// The canonical form if all points before `level` are fixed, and `point` is marked as the next one.
    fn form(&mut self, level: usize, point: usize) -> Form {
        let marks: Vec<usize> = (0..level).chain([point]).collect();
        self.form_of(&marks)
    }

    /// How many points must be fixed, from the first on, for all others to be told apart.
    fn length_of_chain(&mut self) -> usize {
        let points = self.slots.len();
        let marks: Vec<usize> = (0..points).collect();
        let mut lengths = 0..points;
        let found = lengths.find(|length| self.tells_all_apart(&marks[..*length]));
        found.unwrap_or(points)
    }

    /// Whether all points are told apart if these are marked, each in its own way.
    pub fn tells_all_apart(&mut self, marks: &[usize]) -> bool {
        self.form_of(marks);
        self.canonicaliser.has_told_all_apart()
    }

    /// Whether the budget has been enough so far.
    pub fn is_certain(&self) -> bool {
        self.canonicaliser.counters().heuristic == 0
    }

    /// The canonical form if these points are marked, each in its own way.
    pub fn form_of(&mut self, marks: &[usize]) -> Form {
        self.slots
            .iter()
            .for_each(|slot| self.view.plain[*slot] = 0);
        for (mark, point) in (1..).zip(marks) {
            self.view.plain[self.slots[*point]] = mark;
        }
        let view = self.view.as_view();
        let positions = self.canonicaliser.canonicalise(&view).positions().to_vec();
        Form {
            image: apply(&self.shape, &view, &positions),
            positions,
        }
    }
}

/// Which points are known to go to each other.
struct Orbits {
    parents: Vec<usize>,
}

impl Orbits {
    fn new(points: usize) -> Self {
        Orbits {
            parents: (0..points).collect(),
        }
    }

    fn root(&self, mut point: usize) -> usize {
        while self.parents[point] != point {
            point = self.parents[point];
        }
        point
    }

    fn join_all(&mut self, generator: &[Point]) {
        for (point, image) in generator.iter().enumerate() {
            let (a, b) = (self.root(point), self.root(usize::from(*image)));
            self.parents[a.max(b)] = a.min(b);
        }
    }

    fn size(&self, point: usize) -> usize {
        let root = self.root(point);
        let points = 0..self.parents.len();
        points.filter(|other| self.root(*other) == root).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_canon::NONE;

    /// The order of the group of points that refer to others as listed.
    fn order(targets: &[Point]) -> Automorphisms {
        let shape = Shape::single(targets.len(), 0, 1).expect("small");
        let view = View::new(&shape, &[], targets, &[], &[]).expect("fits");
        let found = automorphisms(&shape, &view);
        for generator in &found.generators {
            let image = apply(&shape, &view, generator);
            assert_eq!(image.as_view(), view);
        }
        found
    }

    #[test]
    fn orders_are_known_ones() {
        let cases: [(&[Point], u32); 5] = [
            (&[NONE; 5], 120),
            (&[1, 2, 3, 0], 4),
            (&[1, 0, 3, 2, 5, 4], 48),
            (&[3, 3, 3, NONE, 7, 7, 7, NONE], 72),
            (&[1, 2, NONE], 1),
        ];
        for (targets, expected) in cases {
            assert_eq!(order(targets).order, BigUint::from(expected), "{targets:?}");
        }
    }

    #[test]
    fn sixty_points_take_no_search() {
        let found = order(&[NONE; 60]);
        assert_eq!(found.generators.len(), 59);
        assert_eq!(found.order, (1..=60u32).map(BigUint::from).product());
    }
}
