//! Automorphisms of one state, found on the way, and the orbits of those that keep some points fixed.

use crate::labelling::BYTES;

/// How many automorphisms are kept. An S_n has n-1 generators; forgetting one costs time, not exactness.
const KEPT: usize = 64;

/// The automorphisms of the state at hand that have been found.
#[derive(Clone, Debug)]
pub(crate) struct Automorphisms {
    size: usize,
    /// Point -> its image, for each automorphism.
    images: Vec<[u8; BYTES]>,
    /// How many have been found for this state, forgotten ones included.
    found: usize,
}

impl Automorphisms {
    pub fn new(size: usize) -> Self {
        Self {
            size,
            images: vec![[0; BYTES]; KEPT],
            found: 0,
        }
    }

    pub fn clear(&mut self) {
        self.found = 0;
    }

    /// Adds the automorphism that takes the points of one arrangement to those of another.
    pub fn add_between(&mut self, from: &[u8; BYTES], to: &[u8; BYTES]) {
        let image = &mut self.images[self.found % KEPT];
        for (&point, &other) in from[..self.size].iter().zip(&to[..self.size]) {
            image[usize::from(point)] = other;
        }
        self.found += 1;
    }

    /// Adds an automorphism, given by the images of all points.
    pub fn add(&mut self, images: &[u8; BYTES]) {
        let image = &mut self.images[self.found % KEPT];
        image[..self.size].copy_from_slice(&images[..self.size]);
        self.found += 1;
    }

    /// Tells the orbits about the automorphisms found since, as far as they fix all the given points.
    pub fn tell(&self, orbits: &mut Orbits, fixed: &[u8]) {
        let forgotten = self.found.saturating_sub(KEPT);
        for number in orbits.known.max(forgotten)..self.found {
            let image = &self.images[number % KEPT];
            if fixed
                .iter()
                .all(|&point| image[usize::from(point)] == point)
            {
                for (point, &other) in image[..self.size].iter().enumerate() {
                    orbits.join(point as u8, other);
                }
            }
        }
        orbits.known = self.found;
    }
}

/// A partition of the points by union and find.
#[derive(Clone, Debug)]
pub(crate) struct Orbits {
    parents: [u8; BYTES],
    /// How many automorphisms they have been told about.
    known: usize,
}

impl Orbits {
    pub fn new() -> Self {
        Self {
            parents: [0; BYTES],
            known: 0,
        }
    }

    /// Each point for itself.
    pub fn reset(&mut self, size: usize) {
        self.known = 0;
        for (point, parent) in self.parents[..size].iter_mut().enumerate() {
            *parent = point as u8;
        }
    }

    /// The point that stands for the orbit of a point.
    pub fn find(&mut self, point: u8) -> u8 {
        let mut root = point;
        while self.parents[usize::from(root)] != root {
            // Halving the path keeps the trees flat.
            let above = self.parents[usize::from(root)];
            self.parents[usize::from(root)] = self.parents[usize::from(above)];
            root = above;
        }
        root
    }

    fn join(&mut self, a: u8, b: u8) {
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
        let identity = identity_table();
        let mut turned = identity;
        turned[..3].rotate_left(1);
        found.add_between(&identity, &turned);
        let mut swapped = identity;
        swapped.swap(4, 5);
        found.add(&swapped);
        let mut orbits = Orbits::new();
        orbits.reset(6);
        found.tell(&mut orbits, &[]);
        let all: Vec<u8> = (0..6).map(|point| orbits.find(point)).collect();
        assert_eq!(all, [0, 0, 0, 3, 4, 4]);
        orbits.reset(6);
        found.tell(&mut orbits, &[1]);
        let fixing: Vec<u8> = (0..6).map(|point| orbits.find(point)).collect();
        assert_eq!(fixing, [0, 1, 2, 3, 4, 4]);
    }

    #[test]
    fn more_than_are_kept_do_no_harm() {
        let mut found = Automorphisms::new(3);
        let mut swapped = identity_table();
        swapped.swap(0, 1);
        for _ in 0..=KEPT {
            found.add(&swapped);
        }
        let mut orbits = Orbits::new();
        orbits.reset(3);
        found.tell(&mut orbits, &[2]);
        assert_eq!(orbits.find(1), 0);
        found.clear();
        orbits.reset(3);
        found.tell(&mut orbits, &[]);
        assert_eq!(orbits.find(1), 1);
    }
}
