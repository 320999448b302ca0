//! The check that a structure says the truth, independent of how it was found.
//!
//! What is checked: the factors move disjoint sets of points, their generators are in the group,
//! and their orders multiply up to that of the group. For each shape: its points are those of the factor;
//! the group that it describes has, by formula, the order of the factor; and generators of that group
//! are members of the whole. Subgroups that move disjoint points and whose orders multiply up to the
//! order of the group make up the group. For general factors the order is computed from the
//! generators. Where points are carried this is done too, and the action on the other points
//! must be faithful and contain the generators of the shape.

use super::{Factor, Shape, Structure, Wreath};
use crate::group::{Group, restrict};
use crate::permutation::Permutation;
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

/// Sifting is dear, and most generators that are asked for are those that the group was made from.
fn is_member(group: &Group, element: &Permutation) -> bool {
    group.generators().contains(element) || group.contains(element)
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
        self.certify_form(group.degree())?;
        let own = |point: u32| self.points.binary_search(&point).is_ok();
        for generator in &self.generators {
            require(
                group.contains(generator),
                "a generator of a factor is not in the group",
            )?;
            require(
                generator.support().all(own),
                "a generator moves points of others",
            )?;
        }
        match &self.shape {
            Shape::General => self.certify_order(),
            Shape::Carrying(carrying) => {
                self.certify_order()?;
                require(
                    carrying.names.degree == group.degree(),
                    "names are other points",
                )?;
                self.certify_names(&carrying.names)
            }
            shape => {
                require(
                    shape.order().as_ref() == Some(&self.order),
                    "the order of a shape differs",
                )?;
                let generators = shape.generators(group.degree());
                require(
                    generators.iter().all(|one| is_member(group, one)),
                    "the shape is not in the group",
                )
            }
        }
    }

    fn certify_order(&self) -> Result<(), Refuted> {
        require(
            self.restricted_to(&self.points)?.order() == self.order,
            "the order of a factor differs",
        )
    }

    /// Checks that the factor acts on the named points faithfully and as `names` says.
    fn certify_names(&self, names: &Structure) -> Result<(), Refuted> {
        let named = names.named_points();
        let nested = |factor: &Factor| matches!(factor.shape, Shape::Carrying(_) | Shape::General);
        require(
            !names.factors.iter().any(nested),
            "names are not a product of known groups",
        )?;
        let acting = self.restricted_to(&named)?;
        require(
            acting.order() == self.order,
            "the action on the names is not faithful",
        )?;
        let mut places = vec![Vec::new(); names.degree];
        named
            .iter()
            .zip(0..)
            .for_each(|(&point, place)| places[point as usize].push(place));
        names.expand(&places, named.len()).certify(&acting)
    }

    /// Checks that the description makes sense at all: its points are those of the factor, each once.
    fn certify_form(&self, degree: usize) -> Result<(), Refuted> {
        let increasing = self.points.windows(2).all(|pair| pair[0] < pair[1]);
        let in_range = self
            .points
            .last()
            .is_none_or(|&last| (last as usize) < degree);
        require(
            increasing && in_range,
            "the points of a factor are not points in order",
        )?;
        let mut placed = match &self.shape {
            Shape::General => return Ok(()),
            Shape::Carrying(carrying) => {
                [carrying.names.named_points(), carrying.carried.clone()].concat()
            }
            shape => shape.named_points(),
        };
        placed.sort_unstable();
        require(
            placed == self.points,
            "the points of a shape are not those of its factor",
        )?;
        certify_shape_form(&self.shape)
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

fn certify_form(structure: &Structure) -> Result<(), Refuted> {
    structure
        .factors
        .iter()
        .try_for_each(|factor| factor.certify_form(structure.degree))
}

/// Checks that bundles and blocks are equally long, and that the parts of a shape fit together.
fn certify_shape_form(shape: &Shape) -> Result<(), Refuted> {
    match shape {
        Shape::Natural(natural) => {
            require(
                natural.family.acts_on(natural.bundles.len()),
                "there is no such group",
            )?;
            certify_equally_long(&natural.bundles)
        }
        Shape::Carrying(carrying) => certify_form(&carrying.names),
        Shape::General => Ok(()),
        Shape::Wreath(wreath) => certify_wreath_form(wreath),
    }
}

fn certify_wreath_form(wreath: &Wreath) -> Result<(), Refuted> {
    certify_equally_long(&wreath.blocks)?;
    let mut tops = wreath.top.named_points();
    tops.sort_unstable();
    require(
        tops.into_iter().eq(0..wreath.blocks.len() as u32),
        "the top is not on the blocks",
    )?;
    certify_shape_form(&wreath.top)?;
    require(
        wreath.inner.degree == wreath.blocks[0].len(),
        "the inner group is not on a block",
    )?;
    certify_form(&wreath.inner)?;
    // The inner structure describes some group; that it is the right one shows in the whole.
    let inner = Group::new(wreath.inner.degree, wreath.inner.generators());
    let inner = inner.map_err(|error| Refuted {
        reason: error.to_string(),
    })?;
    wreath.inner.certify(&inner)
}

fn certify_equally_long(rows: &[Vec<u32>]) -> Result<(), Refuted> {
    let equal = rows.windows(2).all(|pair| pair[0].len() == pair[1].len());
    require(
        !rows.is_empty() && equal,
        "bundles or blocks differ in length",
    )
}
