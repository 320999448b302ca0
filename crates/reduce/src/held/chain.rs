//! A group of the first points, along its stabiliser chain, in tables.

use mandala_canon::Point;
use mandala_canon::walk::{Wheel, exchanges};
use mandala_groups::{Group, Permutation};

/// A stabiliser chain. Each level belongs to a base point, and to the elements that fix the base points before it.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    points: usize,
    levels: Vec<Level>,
    /// Room for labellings.
    least: Vec<Point>,
    next: Vec<Point>,
}

/// Where the base point of a level may go.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// The base point, and all others that it goes to.
    orbit: Vec<Point>,
    /// For each of them an element that takes the base point there, as the images of all points, one after the other.
    takings: Vec<Point>,
    points: usize,
}

impl Level {
    fn new(group: &Group, level: usize) -> Self {
        let orbit = group.chain().orbit(level);
        let taking = |point: &u32| {
            let taking = group.chain().representative(level, *point);
            let taking = taking.expect("a point of the orbit");
            bytes(&taking)
        };
        Level {
            orbit: orbit.iter().map(|point| *point as Point).collect(),
            takings: orbit.iter().flat_map(taking).collect(),
            points: group.degree(),
        }
    }

    /// Where the base point may go, with elements that take it there; the identity first.
    pub fn choices(&self) -> impl Iterator<Item = (Point, &[Point])> {
        let takings = self.takings.chunks_exact(self.points);
        self.orbit.iter().copied().zip(takings)
    }

    /// The element that takes the base point to the n-th of its choices.
    fn taking(&self, choice: usize) -> &[Point] {
        &self.takings[choice * self.points..][..self.points]
    }

    /// The level as a wheel.
    fn wheel(&self) -> Wheel {
        let pairs = (1..self.orbit.len()).map(|next| (self.taking(next - 1), self.taking(next)));
        let turns = pairs.map(|(from, to)| exchanges(&back_and_forth(from, to)));
        let identity = self.taking(0);
        Wheel {
            turns: turns.collect(),
            back: exchanges(&back_and_forth(self.taking(self.orbit.len() - 1), identity)),
        }
    }
}

/// Back along one permutation and forth along another.
pub(crate) fn back_and_forth(back: &[Point], forth: &[Point]) -> Vec<usize> {
    let mut images = vec![0; back.len()];
    for (from, to) in back.iter().zip(forth) {
        images[usize::from(*from)] = usize::from(*to);
    }
    images
}

/// The images of all points, as bytes.
pub(crate) fn bytes(permutation: &Permutation) -> Vec<Point> {
    let images = permutation.images().iter();
    images.map(|image| *image as Point).collect()
}

impl Chain {
    pub fn new(group: &Group) -> Self {
        let levels = 0..group.chain().len();
        Chain {
            points: group.degree(),
            levels: levels.map(|level| Level::new(group, level)).collect(),
            least: vec![0; group.degree()],
            next: vec![0; group.degree()],
        }
    }

    /// How many points the group acts on.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The levels, the one that fixes nothing first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The wheels of a walk through all elements: every one is a product of one choice a level, the last level's first.
    pub fn wheels(&self) -> Vec<Wheel> {
        self.levels.iter().map(Level::wheel).collect()
    }

    /// Changes a labelling into an element of the group: `positions` was p, and becomes the inverse of g, where p g is the
    /// element of the coset that takes the base points to the least positions, the first one first. Points that the group
    /// does not act on are left alone.
    pub fn settle(&mut self, positions: &mut [Point]) {
        let size = self.points;
        let (least, next) = (&mut self.least, &mut self.next);
        least.copy_from_slice(&positions[..size]);
        for level in &self.levels {
            let place = |(point, _): &(Point, &[Point])| least[usize::from(*point)];
            let Some((_, taking)) = level.choices().min_by_key(place) else {
                continue;
            };
            for (to, from) in next.iter_mut().zip(taking) {
                *to = least[usize::from(*from)];
            }
            std::mem::swap(least, next);
        }
        let back = next;
        for (point, position) in (0..).zip(&*least) {
            back[usize::from(*position)] = point;
        }
        for position in &mut positions[..size] {
            *position = back[usize::from(*position)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_canon::walk::Walk;
    use mandala_groups::Seeded;
    use std::collections::HashSet;

    fn groups() -> Vec<Group> {
        vec![
            Group::cyclic(5),
            Group::dihedral(6),
            Group::alternating(5),
            Group::hypercube(3),
            Group::symmetric(2).wreath(&Group::cyclic(3)),
            Group::cyclic(3).direct_product(&Group::alternating(4)),
        ]
    }

    fn permutation(images: &[Point]) -> Permutation {
        let images = images.iter().map(|image| u32::from(*image));
        Permutation::from_images(images.collect()).expect("a permutation")
    }

    #[test]
    fn the_wheels_lead_through_all_elements() {
        for group in groups() {
            let mut walk = Walk::new(Vec::new(), Chain::new(&group).wheels());
            let mut items: Vec<Point> = (0..group.degree() as Point).collect();
            let mut seen = HashSet::from([items.clone()]);
            while walk.advance(|a, b| items.swap(a, b)) {
                assert!(group.contains(&permutation(&items)));
                assert!(seen.insert(items.clone()), "an element comes twice");
            }
            assert_eq!(group.order(), seen.len().into());
        }
    }

    /// All labellings of a coset become elements of the group, and differ by what they differed by.
    #[test]
    fn a_coset_has_one_least_element() {
        let mut random = Seeded::new(5);
        for group in groups() {
            let mut chain = Chain::new(&group);
            for _ in 0..20 {
                let labelling = Permutation::random(group.degree(), &mut random);
                let mut least = |element: &Permutation| {
                    // First the element, then the labelling.
                    let positions = element.then(&labelling);
                    let mut settled = bytes(&positions);
                    chain.settle(&mut settled);
                    let back = permutation(&settled);
                    assert!(group.contains(&back));
                    back.inverse().then(&positions)
                };
                let all: HashSet<Permutation> = group.elements().map(|g| least(&g)).collect();
                assert_eq!(all.len(), 1);
            }
        }
    }
}
