//! Automorphisms of one state, found on the way, and the orbits of those that keep some points fixed.

use crate::shape::Point;

/// How many automorphisms are kept. An S_n has n-1 generators; forgetting one costs time, not exactness.
const KEPT: usize = 64;

/// The automorphisms of the state at hand that have been found.
#[derive(Clone, Debug)]
pub(crate) struct Automorphisms {
    size: usize,
    /// Point -> its image, for each automorphism.
    images: Vec<Vec<Point>>,
    /// How many have been found for this state, forgotten ones included.
    found: usize,
}

impl Automorphisms {
    pub(crate) fn new(size: usize) -> Self {
        Self {
            size,
            images: vec![vec![0; size]; KEPT],
            found: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.found = 0;
    }

    /// Adds the automorphism that takes the points of one arrangement to those of another.
    pub(crate) fn add_between(&mut self, from: &[Point], to: &[Point]) {
        let image = &mut self.images[self.found % KEPT];
        for (&point, &other) in from[..self.size].iter().zip(&to[..self.size]) {
            image[usize::from(point)] = other;
        }
        self.found += 1;
    }

    /// Adds an automorphism, given by the images of all points.
    pub(crate) fn add(&mut self, images: &[Point]) {
        let image = &mut self.images[self.found % KEPT];
        image.copy_from_slice(&images[..self.size]);
        self.found += 1;
    }

    /// Tells the orbits about the automorphisms found since, as far as they fix all the given points.
    pub(crate) fn tell(&self, orbits: &mut Orbits, fixed: &[Point]) {
        let forgotten = self.found.saturating_sub(KEPT);
        for number in orbits.known.max(forgotten)..self.found {
            let image = &self.images[number % KEPT];
            if fixed
                .iter()
                .all(|&point| image[usize::from(point)] == point)
            {
                for (point, &other) in image.iter().enumerate() {
                    orbits.join(point as Point, other);
                }
            }
        }
        orbits.known = self.found;
    }
}

/// A partition of the points by union and find.
#[derive(Clone, Debug)]
pub(crate) struct Orbits {
    parents: Vec<Point>,
    /// How many automorphisms they have been told about.
    known: usize,
}

impl Orbits {
    pub(crate) fn new(size: usize) -> Self {
        Self {
            parents: vec![0; size],
            known: 0,
        }
    }

    /// Each point for itself.
    pub(crate) fn reset(&mut self) {
        self.known = 0;
        for (point, parent) in self.parents.iter_mut().enumerate() {
            *parent = point as Point;
        }
    }

    /// The point that stands for the orbit of a point.
    pub(crate) fn find(&mut self, point: Point) -> Point {
        let mut root = point;
        while self.parents[usize::from(root)] != root {
            // Halving the path keeps the trees flat.
            let above = self.parents[usize::from(root)];
            self.parents[usize::from(root)] = self.parents[usize::from(above)];
            root = above;
        }
        root
    }

    fn join(&mut self, a: Point, b: Point) {
        if a != b {
            let (a, b) = (self.find(a), self.find(b));
            self.parents[usize::from(a.max(b))] = a.min(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labelling::identity_table;

    #[test]
    fn only_automorphisms_that_fix_the_points_count() {
        let mut found = Automorphisms::new(6);
        let identity = identity_table(6);
        let mut turned = identity.clone();
        turned[..3].rotate_left(1);
        found.add_between(&identity, &turned);
        let mut swapped = identity.clone();
        swapped.swap(4, 5);
        found.add(&swapped);
        let mut orbits = Orbits::new(6);
        orbits.reset();
        found.tell(&mut orbits, &[]);
        let all: Vec<Point> = (0..6).map(|point| orbits.find(point)).collect();
        assert_eq!(all, [0, 0, 0, 3, 4, 4]);
        orbits.reset();
        found.tell(&mut orbits, &[1]);
        let fixing: Vec<Point> = (0..6).map(|point| orbits.find(point)).collect();
        assert_eq!(fixing, [0, 1, 2, 3, 4, 4]);
    }

    #[test]
    fn more_than_are_kept_do_no_harm() {
        let mut found = Automorphisms::new(3);
        let mut swapped = identity_table(3);
        swapped.swap(0, 1);
        for _ in 0..=KEPT {
            found.add(&swapped);
        }
        let mut orbits = Orbits::new(3);
        orbits.reset();
        found.tell(&mut orbits, &[2]);
        assert_eq!(orbits.find(1), 0);
        found.clear();
        orbits.reset();
        found.tell(&mut orbits, &[]);
        assert_eq!(orbits.find(1), 1);
    }
}
