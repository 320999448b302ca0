//! The structure of a group: products, natural actions, wreath products.
//!
//! A canonicaliser can do far better than search when it knows the group: sort for S_n, find the least
//! rotation for C_n, take the factors of a product one by one. [`Group::structure`] finds that
//! out, and gives the data that such a canonicaliser needs.
//!
//! - The group is split into **factors** that act on disjoint sets of points, as finely as possible.
//!   Orbits that move together are in one factor.
//! - A factor in a **natural** action permutes *bundles*: n names, each with a bundle of points, say a
//!   process slot, an array cell and a channel. Position k of bundle i goes to position k of the
//!   bundle where name i goes.
//! - A **wreath product** permutes blocks, and inside each block an inner group acts on its own.
//! - A factor may **carry** points: it acts as one of the above, or as a product of them, on some orbits,
//!   faithfully, and moves the others in a way that is determined by that but is not a bundle: pairs of
//!   names, the cells of a matrix whose rows and columns are permuted.
//! - Anything else is **general**: an order and generators.
//!
//! Nothing is claimed unproved. However a shape was found, [`Structure::certify`] checks it from its
//! data alone: the group that the data describes has the claimed order, its generators are members, and
//! so the two are equal. What fails the check is reported as general.

mod certify;
mod direct;
mod display;
mod natural;
mod parallel;
mod recognise;
mod wreath;

pub use certify::Refuted;

use crate::families::Family;
use crate::group::Group;
use crate::permutation::Permutation;
use num_bigint::BigUint;

/// A group as a product of factors that act on disjoint sets of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The number of points, moved or not.
    pub degree: usize,
    /// The factors, ordered by their first points; none for the trivial group.
    pub factors: Vec<Factor>,
}

/// A factor of a group: it moves some points and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The points that it moves, in increasing order.
    pub points: Vec<u32>,
    /// The number of its elements.
    pub order: BigUint,
    /// Permutations of all points that generate it. Certification relies on them only where the
    /// shape does not say everything.
    pub generators: Vec<Permutation>,
    /// How it acts.
    pub shape: Shape,
}

/// How a factor acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A well-known group that permutes names, each with a bundle of points.
    Natural(Natural),
    /// A wreath product.
    Wreath(Wreath),
    /// Products of the above on some of the points; others follow in another way.
    Carrying(Carrying),
    /// Nothing is known but order and generators.
    General,
}

/// A well-known group that permutes names, each with a bundle of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Natural {
    /// Which group.
    pub family: Family,
    /// By name, its points, position by position. For rings the names are in cyclic order, for a
    /// hypercube name x is the corner with the bits of x as coordinates.
    pub bundles: Vec<Vec<u32>>,
}

/// A wreath product: blocks that are permuted by the top group, in each of which the inner
/// group acts independently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wreath {
    /// By block, its points, position by position. The top group takes position k of a block to position
    /// k of another.
    pub blocks: Vec<Vec<u32>>,
    /// The action on the positions 0, 1, ... of a block.
    pub inner: Structure,
    /// The action on the indices of the blocks; natural or again a wreath product.
    pub top: Box<Shape>,
}

/// An action that is determined by what it does to some of its points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carrying {
    /// The action on the other points, faithful there: a product of natural and wreath factors. Their
    /// generators leave carried points alone, and so are not elements of the group by themselves.
    pub names: Structure,
    /// Points that are moved as the names are, but not as bundles: think of pairs of names.
    pub carried: Vec<u32>,
}

impl Group {
    /// Recognises the structure; see [`Structure`] and the module-level notes of the source.
    ///
    /// ```
    /// use mandala_groups::Group;
    ///
    /// let clients_of_servers = Group::symmetric(3).wreath(&Group::symmetric(2));
    /// let all = clients_of_servers.direct_product(&Group::cyclic(5));
    /// assert_eq!(all.structure().to_string(), "(S3 wr S2) x C5");
    /// ```
    pub fn structure(&self) -> Structure {
        recognise::recognise(self)
    }
}

impl Structure {
    /// The order of the group.
    pub fn order(&self) -> BigUint {
        self.factors.iter().map(|factor| &factor.order).product()
    }

    /// Generators, as far as the shapes determine them; for general and carrying factors those that
    /// they were found with.
    pub fn generators(&self) -> Vec<Permutation> {
        let of_factor = |factor: &Factor| match factor.shape {
            Shape::Natural(_) | Shape::Wreath(_) => factor.shape.generators(self.degree),
            Shape::Carrying(_) | Shape::General => factor.generators.clone(),
        };
        self.factors.iter().flat_map(of_factor).collect()
    }

    /// The points that the shapes of the factors place.
    pub fn named_points(&self) -> Vec<u32> {
        self.factors
            .iter()
            .flat_map(|factor| factor.shape.named_points())
            .collect()
    }

    /// Whether every factor is something better than general.
    pub fn is_recognised(&self) -> bool {
        self.factors
            .iter()
            .all(|factor| factor.shape != Shape::General)
    }

    /// The structure when each point stands for several: `copies[p]` are the points, below `degree`, that move
    /// as p did.
    fn expand(&self, copies: &[Vec<u32>], degree: usize) -> Structure {
        let factors = self
            .factors
            .iter()
            .map(|factor| factor.expand(copies, degree))
            .collect();
        Structure { degree, factors }
    }
}

impl Factor {
    fn expand(&self, copies: &[Vec<u32>], degree: usize) -> Factor {
        let mut points = expand_points(&self.points, copies);
        points.sort_unstable();
        let expand = |generator| permute_rows(generator, copies, degree);
        Factor {
            points,
            order: self.order.clone(),
            generators: self.generators.iter().map(expand).collect(),
            shape: self.shape.expand(copies, degree),
        }
    }
}

impl Shape {
    /// The points that the shape places: all but carried ones. Empty for a general shape.
    pub fn named_points(&self) -> Vec<u32> {
        match self {
            Shape::Natural(natural) => natural.bundles.concat(),
            Shape::Wreath(wreath) => wreath.blocks.concat(),
            Shape::Carrying(carrying) => carrying.names.named_points(),
            Shape::General => Vec::new(),
        }
    }

    /// The order of the described group; none for a general shape.
    pub fn order(&self) -> Option<BigUint> {
        match self {
            Shape::Natural(natural) => Some(natural.family.order(natural.bundles.len())),
            Shape::Wreath(wreath) => {
                Some(wreath.inner.order().pow(wreath.blocks.len() as u32) * wreath.top.order()?)
            }
            Shape::Carrying(carrying) => Some(carrying.names.order()),
            Shape::General => None,
        }
    }

    /// Generators of the described group as permutations of `degree` points, all points of the
    /// structure, that leave carried points alone; none for a general shape.
    pub fn generators(&self, degree: usize) -> Vec<Permutation> {
        match self {
            Shape::Natural(natural) => natural.generators(degree),
            Shape::Wreath(wreath) => wreath.generators(degree),
            Shape::Carrying(carrying) => carrying.names.generators(),
            Shape::General => Vec::new(),
        }
    }

    fn expand(&self, copies: &[Vec<u32>], degree: usize) -> Shape {
        match self {
            Shape::Natural(natural) => Shape::Natural(Natural {
                family: natural.family,
                bundles: natural
                    .bundles
                    .iter()
                    .map(|bundle| expand_points(bundle, copies))
                    .collect(),
            }),
            Shape::Wreath(wreath) => Shape::Wreath(wreath.expand(copies)),
            Shape::Carrying(carrying) => Shape::Carrying(Carrying {
                names: carrying.names.expand(copies, degree),
                carried: expand_points(&carrying.carried, copies),
            }),
            Shape::General => Shape::General,
        }
    }
}

impl Natural {
    fn generators(&self, degree: usize) -> Vec<Permutation> {
        let generators = self.family.generators(self.bundles.len());
        generators
            .iter()
            .map(|generator| permute_rows(generator, &self.bundles, degree))
            .collect()
    }
}

impl Wreath {
    /// Those of the inner group in every block, and those of the top group.
    fn generators(&self, degree: usize) -> Vec<Permutation> {
        let top = self.top.generators(self.blocks.len());
        let top = top
            .iter()
            .map(|generator| permute_rows(generator, &self.blocks, degree));
        let inner = self.inner.generators();
        let in_block = |block: &Vec<u32>| {
            let singles: Vec<Vec<u32>> = block.iter().map(|&point| vec![point]).collect();
            inner
                .iter()
                .map(|generator| permute_rows(generator, &singles, degree))
                .collect::<Vec<_>>()
        };
        top.chain(self.blocks.iter().flat_map(in_block)).collect()
    }

    fn expand(&self, copies: &[Vec<u32>]) -> Wreath {
        let mut positions = Vec::new();
        let mut next = 0u32;
        for &point in &self.blocks[0] {
            let end = next + copies[point as usize].len() as u32;
            positions.push((next..end).collect());
            next = end;
        }
        Wreath {
            blocks: self
                .blocks
                .iter()
                .map(|block| expand_points(block, copies))
                .collect(),
            inner: self.inner.expand(&positions, next as usize),
            top: self.top.clone(),
        }
    }
}

/// The permutation of `degree` points that takes position k of row i to position k of the row to which
/// `rows_permuted` takes i. Rows are disjoint and equally long.
fn permute_rows(rows_permuted: &Permutation, rows: &[Vec<u32>], degree: usize) -> Permutation {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    for (row, &target) in rows.iter().zip(rows_permuted.images()) {
        for (&from, &to) in row.iter().zip(&rows[target as usize]) {
            images[from as usize] = to;
        }
    }
    Permutation::from_trusted(images)
}

fn expand_points(points: &[u32], copies: &[Vec<u32>]) -> Vec<u32> {
    points
        .iter()
        .flat_map(|&point| copies[point as usize].iter().copied())
        .collect()
}
