//! The well-known groups, and products of groups.

use crate::group::Group;
use crate::permutation::Permutation;

impl Group {
    /// The group of the identity alone.
    pub fn trivial(degree: usize) -> Group {
        Group::from_trusted(degree, Vec::new())
    }

    /// All permutations of 0..n.
    pub fn symmetric(n: usize) -> Group {
        let swap = |a| Permutation::transposition(n, a, a + 1).expect("both points are below n");
        Group::from_trusted(n, (0..n.saturating_sub(1) as u32).map(swap).collect())
    }

    /// All even permutations of 0..n.
    pub fn alternating(n: usize) -> Group {
        let turn = |a| Permutation::from_cycles(n, &[&[a, a + 1, a + 2]]).expect("points are below n");
        Group::from_trusted(n, (0..n.saturating_sub(2) as u32).map(turn).collect())
    }

    /// The rotations of a ring of n points.
    pub fn cyclic(n: usize) -> Group {
        Group::from_trusted(n, vec![rotation(n)])
    }

    /// The rotations and reflections of a ring of n points.
    pub fn dihedral(n: usize) -> Group {
        let reflection = Permutation::from_trusted((0..n as u32).rev().collect());
        Group::from_trusted(n, vec![rotation(n), reflection])
    }

    /// The symmetries of the hypercube of this dimension, acting on its 2^d corners: corner x has
    /// the bits of x as coordinates.
    pub fn hypercube(dimension: u32) -> Group {
        let map = |f: &dyn Fn(u32) -> u32| Permutation::from_trusted((0..1 << dimension).map(f).collect());
        let mirrors = (0..dimension).map(|bit| map(&|corner| corner ^ (1 << bit)));
        let swaps = (1..dimension).map(|bit| map(&|corner| swap_bits(corner, bit - 1, bit)));
        Group::from_trusted(1 << dimension, mirrors.chain(swaps).collect())
    }

    /// Both groups side by side: the points of `other` come after those of `self`.
    pub fn direct_product(&self, other: &Group) -> Group {
        let degree = self.degree() + other.degree();
        let left = self.generators().iter().map(|generator| shifted(generator, 0, degree));
        let right = other.generators().iter().map(|generator| shifted(generator, self.degree(), degree));
        Group::from_trusted(degree, left.chain(right).collect())
    }

    /// The imprimitive wreath product: one copy of `self` for each point of `top`, which permutes the
    /// copies. Point p of copy i is numbered i * (degree of `self`) + p.
    pub fn wreath(&self, top: &Group) -> Group {
        let size = self.degree() as u32;
        let degree = self.degree() * top.degree();
        let copies = (0..top.degree()).flat_map(|copy| {
            self.generators().iter().map(move |generator| shifted(generator, copy * self.degree(), degree))
        });
        let exchanges = top.generators().iter().map(|generator| {
            let image = |point: u32| generator.image(point / size) * size + point % size;
            Permutation::from_trusted((0..degree as u32).map(image).collect())
        });
        Group::from_trusted(degree, copies.chain(exchanges).collect())
    }
}

fn rotation(n: usize) -> Permutation {
    let mut images: Vec<u32> = (0..n as u32).collect();
    if n > 0 {
        images.rotate_left(1);
    }
    Permutation::from_trusted(images)
}

fn swap_bits(number: u32, one: u32, other: u32) -> u32 {
    let differ = (number >> one ^ number >> other) & 1;
    number ^ (differ << one | differ << other)
}

/// `generator` acting on the points from `offset` on.
fn shifted(generator: &Permutation, offset: usize, degree: usize) -> Permutation {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    for (slot, &image) in images[offset..].iter_mut().zip(generator.images()) {
        *slot = image + offset as u32;
    }
    Permutation::from_trusted(images)
}
