//! Permutations of the points 0..n.
//!
//! # The convention
//!
//! Permutations act **from the right**, as in GAP: `g` takes the point `i` to `g.image(i)`, written
//! i^g, and `a.then(&b)` (also `&a * &b`) does `a` first and `b` second, so that
//! i^(a*b) = (i^a)^b.
//!
//! A sequence of values is permuted by *moving* the values: the value at position `i` comes to lie
//! at position i^g, that is `g.permute(v)[g.image(i)] == v[i]`. This, too, is an action from the right:
//! permuting by `a` and then by `b` is permuting by `a * b`.
//!
//! # Storage
//!
//! One `u32` a point. `u8` or `u16` would make compositions of groups on few points denser, but
//! these are in cache anyway, and a stabiliser chain is built once per model; the per-state work is
//! done elsewhere on byte tables made from these permutations. One width means one code path.

use crate::error::GroupError;
use crate::random::Seeded;
use num_bigint::BigUint;
use std::fmt;
use std::ops::Mul;

/// A permutation of the points 0..n. See the [module](self) for the convention.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permutation {
    images: Box<[u32]>,
}

impl Permutation {
    /// The permutation of `degree` points that moves nothing.
    pub fn identity(degree: usize) -> Self {
        Permutation {
            images: (0..degree as u32).collect(),
        }
    }

    /// The permutation that takes `i` to `images[i]`.
    pub fn from_images(images: Vec<u32>) -> Result<Self, GroupError> {
        let mut seen = vec![false; images.len()];
        for &point in &images {
            match seen.get_mut(point as usize) {
                Some(slot) if !*slot => *slot = true,
                _ => return Err(GroupError::NotAPermutation { point }),
            }
        }
        Ok(Self::from_trusted(images))
    }

    /// As [`Permutation::from_images`], for images that are a rearrangement by construction.
    pub(crate) fn from_trusted(images: Vec<u32>) -> Self {
        Permutation {
            images: images.into_boxed_slice(),
        }
    }

    /// The permutation of `degree` points with these disjoint cycles.
    pub fn from_cycles(degree: usize, cycles: &[&[u32]]) -> Result<Self, GroupError> {
        let mut images: Vec<u32> = (0..degree as u32).collect();
        for cycle in cycles {
            for (&from, &to) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                let slot = images
                    .get_mut(from as usize)
                    .ok_or(GroupError::PointOutOfRange {
                        point: from,
                        degree,
                    })?;
                *slot = to;
            }
        }
        Self::from_images(images)
    }

    /// The exchange of two points.
    pub fn transposition(degree: usize, a: u32, b: u32) -> Result<Self, GroupError> {
        match a == b {
            true => Self::from_cycles(degree, &[&[a]]),
            false => Self::from_cycles(degree, &[&[a, b]]),
        }
    }

    /// A uniformly random permutation of `degree` points.
    pub fn random(degree: usize, random: &mut Seeded) -> Self {
        let mut images: Vec<u32> = (0..degree as u32).collect();
        for last in (1..degree).rev() {
            images.swap(last, random.below(last + 1));
        }
        Self::from_trusted(images)
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.images.len()
    }

    /// Where `point` goes. Panics if the point is not below the degree.
    pub fn image(&self, point: u32) -> u32 {
        self.images[point as usize]
    }

    /// Where 0, 1, 2, ... go.
    pub fn images(&self) -> &[u32] {
        &self.images
    }

    /// First `self`, then `next`. Panics if the degrees differ.
    pub fn then(&self, next: &Permutation) -> Permutation {
        assert_eq!(
            self.degree(),
            next.degree(),
            "permutations of different degrees"
        );
        Permutation {
            images: self.images.iter().map(|&point| next.image(point)).collect(),
        }
    }

    /// `self` becomes `self` followed by `next`; the degrees are equal.
    pub(crate) fn append(&mut self, next: &Permutation) {
        for point in &mut self.images {
            *point = next.images[*point as usize];
        }
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> Permutation {
        let mut images = vec![0; self.degree()];
        for (from, &to) in self.images.iter().enumerate() {
            images[to as usize] = from as u32;
        }
        Self::from_trusted(images)
    }

    /// `self` repeated `exponent` times; negative exponents undo.
    pub fn power(&self, exponent: i64) -> Permutation {
        let mut square = if exponent < 0 {
            self.inverse()
        } else {
            self.clone()
        };
        let mut result = Permutation::identity(self.degree());
        let mut remaining = exponent.unsigned_abs();
        while remaining > 0 {
            if remaining & 1 == 1 {
                result.append(&square);
            }
            square = square.then(&square);
            remaining >>= 1;
        }
        result
    }

    /// `conjugator^-1 * self * conjugator`: the same cycles with their points renamed by `conjugator`.
    pub fn conjugate(&self, conjugator: &Permutation) -> Permutation {
        assert_eq!(
            self.degree(),
            conjugator.degree(),
            "permutations of different degrees"
        );
        let mut images = vec![0; self.degree()];
        for (from, &to) in self.images.iter().enumerate() {
            images[conjugator.images[from] as usize] = conjugator.image(to);
        }
        Self::from_trusted(images)
    }

    /// True if nothing moves.
    pub fn is_identity(&self) -> bool {
        self.support().next().is_none()
    }

    /// True if `point` goes elsewhere.
    pub fn moves(&self, point: u32) -> bool {
        self.image(point) != point
    }

    /// The points that move, in increasing order.
    pub fn support(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.degree() as u32).filter(|&point| self.moves(point))
    }

    /// The cycles of length two and more, each from its smallest point, in order of that point.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.degree()];
        let mut cycles = Vec::new();
        for start in self.support() {
            if !seen[start as usize] {
                cycles.push(self.cycle_from(start, &mut seen));
            }
        }
        cycles
    }

    fn cycle_from(&self, start: u32, seen: &mut [bool]) -> Vec<u32> {
        let mut cycle = vec![start];
        seen[start as usize] = true;
        let mut point = self.image(start);
        while point != start {
            seen[point as usize] = true;
            cycle.push(point);
            point = self.image(point);
        }
        cycle
    }

    /// The cycle through `point`, starting there; just `point` if it is fixed.
    pub fn cycle_of(&self, point: u32) -> Vec<u32> {
        self.cycle_from(point, &mut vec![false; self.degree()])
    }

    /// The least positive number of repetitions that moves nothing. Exact: it can exceed any machine
    /// integer when there are many cycles of coprime lengths.
    pub fn order(&self) -> BigUint {
        let mut order = BigUint::from(1u32);
        for cycle in self.cycles() {
            let length = BigUint::from(cycle.len());
            order = &order / gcd(&order, &length) * length;
        }
        order
    }

    /// 1 for a product of an even number of transpositions, -1 otherwise.
    pub fn sign(&self) -> i8 {
        let transpositions: usize = self.cycles().iter().map(|cycle| cycle.len() - 1).sum();
        if transpositions.is_multiple_of(2) {
            1
        } else {
            -1
        }
    }

    /// Moves the value at position `i` to position i^g, for all `i`. Panics on a wrong length.
    pub fn permute<T: Clone>(&self, values: &[T]) -> Vec<T> {
        assert_eq!(values.len(), self.degree(), "a value for every point");
        self.inverse()
            .images
            .iter()
            .map(|&source| values[source as usize].clone())
            .collect()
    }
}

fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

impl Mul for &Permutation {
    type Output = Permutation;

    fn mul(self, next: &Permutation) -> Permutation {
        self.then(next)
    }
}

impl fmt::Debug for Permutation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self} on {} points", self.degree())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(degree: usize, cycles: &[&[u32]]) -> Permutation {
        Permutation::from_cycles(degree, cycles).unwrap()
    }

    #[test]
    fn products_act_from_left_to_right() {
        let a = cycles(3, &[&[0, 1]]);
        let b = cycles(3, &[&[1, 2]]);
        assert_eq!((&a * &b).image(0), 2, "0 -a-> 1 -b-> 2");
        assert_eq!((&b * &a).image(0), 1, "0 -b-> 0 -a-> 1");
    }

    #[test]
    fn values_move_with_their_positions() {
        let a = cycles(3, &[&[0, 1, 2]]);
        let b = cycles(3, &[&[0, 1]]);
        assert_eq!(a.permute(&['x', 'y', 'z']), ['z', 'x', 'y']);
        let one_by_one = b.permute(&a.permute(&['x', 'y', 'z']));
        assert_eq!((&a * &b).permute(&['x', 'y', 'z']), one_by_one);
    }

    #[test]
    fn wrong_images_are_refused() {
        assert!(Permutation::from_images(vec![0, 0]).is_err());
        assert!(Permutation::from_images(vec![0, 2]).is_err());
        assert!(Permutation::from_cycles(3, &[&[0, 3]]).is_err());
        assert!(Permutation::from_cycles(3, &[&[3]]).is_err());
        assert!(
            Permutation::from_cycles(3, &[&[0, 1], &[1, 2]]).is_err(),
            "cycles overlap"
        );
        assert!(Permutation::transposition(2, 0, 2).is_err());
        assert!(Permutation::transposition(2, 1, 1).unwrap().is_identity());
    }

    #[test]
    fn orders_are_exact_beyond_machine_integers() {
        let primes = [
            2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71,
        ];
        let degree: u32 = primes.iter().sum();
        let mut start = 0;
        let mut images: Vec<u32> = (0..degree).collect();
        for prime in primes {
            images[start as usize..(start + prime) as usize].rotate_left(1);
            start += prime;
        }
        let order = Permutation::from_images(images).unwrap().order();
        assert_eq!(order.to_string(), "557940830126698960967415390");
    }

    #[test]
    fn signs_powers_and_cycles() {
        let g = cycles(7, &[&[0, 3, 5], &[1, 2]]);
        assert_eq!(g.cycles(), [vec![0, 3, 5], vec![1, 2]]);
        assert_eq!(g.cycle_of(5), [5, 0, 3]);
        assert_eq!(g.cycle_of(6), [6]);
        assert_eq!(g.sign(), -1);
        assert_eq!(g.order(), BigUint::from(6u32));
        assert!(g.power(6).is_identity());
        assert_eq!(g.power(-1), g.inverse());
        assert_eq!(g.power(5), g.inverse());
        assert_eq!(g.support().collect::<Vec<_>>(), [0, 1, 2, 3, 5]);
    }

    #[test]
    fn conjugation_renames_points() {
        let g = cycles(5, &[&[0, 1, 2]]);
        let rename = cycles(5, &[&[0, 4], &[1, 3]]);
        assert_eq!(g.conjugate(&rename), cycles(5, &[&[4, 3, 2]]));
        assert_eq!(g.conjugate(&rename), &(&rename.inverse() * &g) * &rename);
    }
}
