//! The well-known groups, and products of groups.

use crate::group::Group;
use crate::permutation::Permutation;
use num_bigint::BigUint;
use std::fmt;

/// A family of groups in their natural action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// S_n: all permutations of n names.
    Symmetric,
    /// A_n: the even permutations of n names.
    Alternating,
    /// C_n: the rotations of n names on a ring, name i next to name i + 1.
    Cyclic,
    /// D_n: the rotations and reflections of n names on a ring.
    Dihedral,
    /// The symmetries of a hypercube, permuting its n = 2^d corners; corner x has the bits of x as
    /// coordinates.
    Hypercube,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 5] = [
        Family::Symmetric,
        Family::Alternating,
        Family::Cyclic,
        Family::Dihedral,
        Family::Hypercube,
    ];

    /// Whether the family has a member that acts on `n` names.
    pub fn acts_on(self, n: usize) -> bool {
        match self {
            Family::Symmetric | Family::Cyclic => n >= 1,
            Family::Alternating | Family::Dihedral => n >= 3,
            Family::Hypercube => n.is_power_of_two(),
        }
    }

    /// The order of the member of the family that acts on `n` names; if there is none it means nothing.
    pub fn order(self, n: usize) -> BigUint {
        match self {
            Family::Symmetric => factorial(n),
            Family::Alternating => factorial(n) / 2u32,
            Family::Cyclic => BigUint::from(n),
            Family::Dihedral => BigUint::from(2 * n),
            Family::Hypercube => factorial(n.max(1).ilog2() as usize) * n,
        }
    }

    /// Generators of the member of the family that acts on the names 0..n.
    pub fn generators(self, n: usize) -> Vec<Permutation> {
        match self {
            Family::Symmetric => neighbour_cycles(n, 2),
            Family::Alternating => neighbour_cycles(n, 3),
            Family::Cyclic => vec![rotation(n)],
            Family::Dihedral => vec![
                rotation(n),
                Permutation::from_trusted((0..n as u32).rev().collect()),
            ],
            Family::Hypercube => hypercube_generators(n.max(1).ilog2()),
        }
    }

    pub(crate) fn write_name(self, n: usize, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Family::Symmetric => write!(out, "S{n}"),
            Family::Alternating => write!(out, "A{n}"),
            Family::Cyclic => write!(out, "C{n}"),
            Family::Dihedral => write!(out, "D{n}"),
            Family::Hypercube => write!(out, "2^{0} : S{0}", n.max(1).ilog2()),
        }
    }
}

/// n * (n-1) * ... * 1.
pub fn factorial(n: usize) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

impl Group {
    /// The group of the identity alone.
    pub fn trivial(degree: usize) -> Group {
        Group::from_trusted(degree, Vec::new())
    }

    /// All permutations of 0..n.
    pub fn symmetric(n: usize) -> Group {
        Group::from_trusted(n, Family::Symmetric.generators(n))
    }

    /// All even permutations of 0..n.
    pub fn alternating(n: usize) -> Group {
        Group::from_trusted(n, Family::Alternating.generators(n))
    }

    /// The rotations of a ring of n points.
    pub fn cyclic(n: usize) -> Group {
        Group::from_trusted(n, Family::Cyclic.generators(n))
    }

    /// The rotations and reflections of a ring of n points.
    pub fn dihedral(n: usize) -> Group {
        Group::from_trusted(n, Family::Dihedral.generators(n))
    }

    /// The symmetries of the hypercube of this dimension, acting on its 2^d corners: corner x has
    /// the bits of x as coordinates.
    pub fn hypercube(dimension: u32) -> Group {
        Group::from_trusted(1 << dimension, hypercube_generators(dimension))
    }

    /// Both groups side by side: the points of `other` come after those of `self`.
    pub fn direct_product(&self, other: &Group) -> Group {
        let degree = self.degree() + other.degree();
        let left = self
            .generators()
            .iter()
            .map(|generator| shifted(generator, 0, degree));
        let right = other
            .generators()
            .iter()
            .map(|generator| shifted(generator, self.degree(), degree));
        Group::from_trusted(degree, left.chain(right).collect())
    }

    /// The imprimitive wreath product: one copy of `self` for each point of `top`, which permutes the
    /// copies. Point p of copy i is numbered i * (degree of `self`) + p.
    pub fn wreath(&self, top: &Group) -> Group {
        let size = self.degree() as u32;
        let degree = self.degree() * top.degree();
        let copies = (0..top.degree()).flat_map(|copy| {
            self.generators()
                .iter()
                .map(move |generator| shifted(generator, copy * self.degree(), degree))
        });
        let exchanges = top.generators().iter().map(|generator| {
            let image = |point: u32| generator.image(point / size) * size + point % size;
            Permutation::from_trusted((0..degree as u32).map(image).collect())
        });
        Group::from_trusted(degree, copies.chain(exchanges).collect())
    }
}

/// The cycles of `length` neighbours.
fn neighbour_cycles(n: usize, length: usize) -> Vec<Permutation> {
    let mut cycles = Vec::new();
    for start in 0..(n + 1).saturating_sub(length) {
        let mut images: Vec<u32> = (0..n as u32).collect();
        images[start..start + length].rotate_left(1);
        cycles.push(Permutation::from_trusted(images));
    }
    cycles
}

fn rotation(n: usize) -> Permutation {
    let mut images: Vec<u32> = (0..n as u32).collect();
    if n > 0 {
        images.rotate_left(1);
    }
    Permutation::from_trusted(images)
}

/// Mirrors that flip one coordinate, and exchanges of neighbouring coordinates.
fn hypercube_generators(dimension: u32) -> Vec<Permutation> {
    let map =
        |f: &dyn Fn(u32) -> u32| Permutation::from_trusted((0..1 << dimension).map(f).collect());
    let mirrors = (0..dimension).map(|bit| map(&|corner| corner ^ (1 << bit)));
    let swaps = (1..dimension).map(|bit| map(&|corner| swap_bits(corner, bit - 1, bit)));
    mirrors.chain(swaps).collect()
}

fn swap_bits(number: u32, one: u32, other: u32) -> u32 {
    let differ = ((number >> one) ^ (number >> other)) & 1;
    number ^ ((differ << one) | (differ << other))
}

/// `generator` acting on the points from `offset` on.
fn shifted(generator: &Permutation, offset: usize, degree: usize) -> Permutation {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    for (slot, &image) in images[offset..].iter_mut().zip(generator.images()) {
        *slot = image + offset as u32;
    }
    Permutation::from_trusted(images)
}
