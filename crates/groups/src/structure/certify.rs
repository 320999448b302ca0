//! The check that a structure says the truth, independent of how it was found.
//!
//! What is checked: the factors move disjoint sets of points, their generators are in the group,
//! and their orders multiply up to that of the group. For each shape: its points are those of the factor;
//! the group that it describes has, by formula, the order of the factor; and generators of that group
//! are members of the whole. Subgroups that move disjoint points and whose orders multiply up to the
//! order of the group make up the group. For general factors the order is computed from the
//! generators. Where points are carried this is done too, and the action on the other points
//! must be faithful and contain the generators of the shape.

use super::{Factor, Shape, Structure};
use crate::group::{Group, restrict};
use crate::permutation::Permutation;
use num_bigint::BigUint;
use std::collections::HashSet;
use std::fmt;

/// Why a structure does not describe a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    reason: String,
}

impl fmt::Display for Refuted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the structure is wrong: {}", self.reason)
    }
}

impl std::error::Error for Refuted {}

fn require(condition: bool, otherwise: &str) -> Result<(), Refuted> {
    if condition {
        Ok(())
    } else {
        Err(Refuted {
            reason: otherwise.to_owned(),
        })
    }
}

impl Structure {
    /// Checks that this is a description of `group`, from the description alone.
    pub fn certify(&self, group: &Group) -> Result<(), Refuted> {
        require(
            self.degree == group.degree(),
            "the number of points differs",
        )?;
        let mut seen = HashSet::new();
        let mut points = self.factors.iter().flat_map(|factor| &factor.points);
        require(
            points.all(|point| seen.insert(*point)),
            "two factors share a point",
        )?;
        require(self.order() == group.order(), "the order differs")?;
        self.factors
            .iter()
            .try_for_each(|factor| factor.certify(group))
    }
}

impl Factor {
    /// Checks that this is a subgroup of `group` with the points, the order and the shape that it claims.
    pub fn certify(&self, group: &Group) -> Result<(), Refuted> {
        let own = |point: u32| self.points.binary_search(&point).is_ok();
        for generator in &self.generators {
            require(group.contains(generator), "a generator of a factor is not in the group")?;
            require(generator.support().all(own), "a generator moves points of others")?;
        }
        match &self.shape {
            Shape::General => self.certify_order(&self.points),
            Shape::Carrying(carrying) => {
                self.certify_order(&self.points)?;
                self.certify_names(&carrying.names)
            }
            shape => {
                self.certify_description(shape)?;
                let generators = shape.generators(group.degree());
                require(generators.iter().all(|one| group.contains(one)), "the shape is not in the group")
            }
        }
    }

    /// Checks that the shape is well formed and has the order of the factor.
    fn certify_description(&self, shape: &Shape) -> Result<(), Refuted> {
        self.certify_points(&shape.named_points())?;
        certify_rows(shape)?;
        require(shape.order().as_ref() == Some(&self.order), "the order of a shape differs")
    }

    fn certify_order(&self, points: &[u32]) -> Result<(), Refuted> {
        require(self.restricted_to(points)?.order() == self.order, "the order of a factor differs")
    }

    /// Checks that the factor acts on the named points faithfully and as `names` says.
    fn certify_names(&self, names: &Shape) -> Result<(), Refuted> {
        self.certify_description(names)?;
        let named = names.named_points();
        let acting = self.restricted_to(&named)?;
        require(acting.order() == self.order, "the action on the names is not faithful")?;
        let generators = names.generators(named_degree(&named));
        let is_member = |restricted: Option<Permutation>| restricted.is_some_and(|one| acting.contains(&one));
        let all = generators.iter().all(|generator| is_member(restrict(generator, &named)));
        require(all, "a generator of a shape is not in the group")
    }

    fn certify_points(&self, named: &[u32]) -> Result<(), Refuted> {
        let carried = match &self.shape {
            Shape::Carrying(carrying) => carrying.carried.as_slice(),
            _ => &[],
        };
        let mut all = [named, carried].concat();
        all.sort_unstable();
        require(
            all == self.points,
            "the points of a shape are not those of its factor",
        )
    }

    fn restricted_to(&self, points: &[u32]) -> Result<Group, Refuted> {
        let restricted = self
            .generators
            .iter()
            .map(|generator| restrict(generator, points));
        let restricted: Option<Vec<_>> = restricted.collect();
        require(
            restricted.is_some(),
            "a generator does not permute the points of its factor",
        )?;
        Ok(Group::from_trusted(
            points.len(),
            restricted.unwrap_or_default(),
        ))
    }
}

fn named_degree(named: &[u32]) -> usize {
    named.iter().max().map_or(0, |&point| point as usize + 1)
}

/// Checks that bundles and blocks are equally long, and, inside wreath products, that the parts fit.
fn certify_rows(shape: &Shape) -> Result<(), Refuted> {
    match shape {
        Shape::Natural(natural) => certify_equally_long(&natural.bundles),
        Shape::Carrying(carrying) => certify_rows(&carrying.names),
        Shape::General => Ok(()),
        Shape::Wreath(wreath) => {
            certify_equally_long(&wreath.blocks)?;
            let tops: HashSet<u32> = wreath.top.named_points().into_iter().collect();
            require(
                tops == (0..wreath.blocks.len() as u32).collect(),
                "the top is not on the blocks",
            )?;
            require(
                wreath.inner.degree == wreath.blocks[0].len(),
                "the inner group is not on a block",
            )?;
            let inner = Group::from_trusted(wreath.inner.degree, wreath.inner.generators());
            wreath.inner.certify(&inner)?;
            require(
                inner.order() > BigUint::from(1u32),
                "the inner group is trivial",
            )?;
            certify_rows(&wreath.top)
        }
    }
}

fn certify_equally_long(rows: &[Vec<u32>]) -> Result<(), Refuted> {
    let equal = rows.windows(2).all(|pair| pair[0].len() == pair[1].len());
    require(
        !rows.is_empty() && equal,
        "bundles or blocks differ in length",
    )
}
