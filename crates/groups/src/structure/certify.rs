//! The check that a structure says the truth, independent of how it was found.
//!
//! What is checked: the factors move disjoint sets of points, their generators are in the group,
//! and their orders multiply up to that of the group. For each shape: its points are points of the factor, all
//! different; the group that it describes has the order of the factor; and generators of that
//! group are members. A subgroup of the full order is the whole group. Where points are carried the
//! same is checked for the action on the others, which must be faithful.

use super::{Factor, Shape, Structure};
use crate::group::{Group, restrict};
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
    /// Checks that this is a factor of `group` with the order and the shape that it claims.
    pub fn certify(&self, group: &Group) -> Result<(), Refuted> {
        let own = |point: &u32| self.points.binary_search(point).is_ok();
        for generator in &self.generators {
            require(
                group.contains(generator),
                "a generator of a factor is not in the group",
            )?;
            require(
                generator.support().all(|point| own(&point)),
                "a generator moves points of others",
            )?;
        }
        let factor = self.restricted_to(&self.points)?;
        require(
            factor.order() == self.order,
            "the order of a factor differs",
        )?;
        self.certify_shape()
    }

    fn certify_shape(&self) -> Result<(), Refuted> {
        if self.shape == Shape::General {
            return Ok(());
        }
        let named = self.shape.named_points();
        self.certify_points(&named)?;
        certify_rows(&self.shape)?;
        require(
            self.shape.order().as_ref() == Some(&self.order),
            "the order of a shape differs",
        )?;
        let acting = self.restricted_to(&named)?;
        require(
            acting.order() == self.order,
            "the action on the names is not faithful",
        )?;
        for generator in self.shape.generators(named_degree(&named)) {
            let restricted = restrict(&generator, &named);
            let is_member = restricted.is_some_and(|restricted| acting.contains(&restricted));
            require(is_member, "a generator of a shape is not in the group")?;
        }
        Ok(())
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
