//! Recognising wreath products.
//!
//! A group that moves blocks as wholes is a subgroup of the wreath product of what it does inside a block
//! with what it does to the blocks (Krasner and Kaloujnine); it *is* that wreath product exactly if its
//! order is |inner|^m * |top|. Blocks may take points from several orbits, as a server and its clients
//! do: an orbit joins if its points can be assigned to blocks in a way that commutes with the group.

use super::parallel::equivariant_map;
use super::recognise::{recognise, recognise_shape};
use super::{Shape, Wreath};
use crate::blocks::BlockSystem;
use crate::group::Group;
use crate::permutation::Permutation;
use num_bigint::BigUint;

/// Block systems to look at, per orbit. Groups with more are far from wreath products.
const MOST_SYSTEMS: usize = 64;

/// All ways to see the group as a wreath product of recognised groups that are tried, coarse blocks
/// first.
pub(super) fn wreaths(group: &Group) -> impl Iterator<Item = Wreath> + '_ {
    // Lazily: finding the systems is wasted where something better is known already.
    let systems = std::iter::once_with(|| systems(group)).flatten();
    let frames = systems.filter_map(|system| Frame::new(group, &system));
    frames.flat_map(|frame| frame.wreaths())
}

/// Block systems of all orbits. Single points count where there are other orbits to put with them.
fn systems(group: &Group) -> Vec<BlockSystem> {
    let orbits = group.orbits();
    let mut systems: Vec<BlockSystem> = Vec::new();
    for orbit in &orbits {
        systems.extend(
            group
                .block_systems(orbit[0], MOST_SYSTEMS)
                .unwrap_or_default(),
        );
        if orbits.len() > 1 {
            systems.push(BlockSystem::singletons(orbit));
        }
    }
    // An inner group of order two and more makes the order at least two to the number of blocks.
    systems.retain(|system| (system.blocks().len() as u64) < group.order().bits());
    systems.sort_by_key(|system| system.blocks().len());
    systems
}

/// Blocks of one orbit that, going by orders, may be those of a wreath product.
struct Frame<'g> {
    group: &'g Group,
    blocks: Vec<Vec<u32>>,
    /// What the group does to the blocks.
    top: Group,
    /// What the order of the inner group must be.
    inner_order: BigUint,
    /// The group acting on its points and, as further points, on the blocks.
    extended: Group,
    /// The elements that keep the first block where it is, on the same points.
    stabiliser: Group,
}

impl<'g> Frame<'g> {
    fn new(group: &'g Group, system: &BlockSystem) -> Option<Self> {
        let on_blocks: Option<Vec<_>> = group
            .generators()
            .iter()
            .map(|generator| system.action_of(generator))
            .collect();
        let top = Group::from_trusted(system.blocks().len(), on_blocks?);
        let inner_order = inner_order(group, &top)?;
        let extended = extended(group, &top);
        let stabiliser = extended.stabiliser(&[group.degree() as u32]).ok()?;
        Some(Frame {
            group,
            blocks: system.blocks().to_vec(),
            top,
            inner_order,
            extended,
            stabiliser,
        })
    }

    /// With all orbits that can join, and without.
    fn wreaths(&self) -> Vec<Wreath> {
        let joined = self.joined_blocks();
        let mut found: Vec<Wreath> = self.recognise(&joined).into_iter().collect();
        if joined != self.blocks {
            found.extend(self.recognise(&self.blocks));
        }
        found
    }

    /// The blocks with the points of all other orbits that can be assigned to them.
    fn joined_blocks(&self) -> Vec<Vec<u32>> {
        let own = self.blocks[0][0];
        let others = self
            .group
            .orbits()
            .into_iter()
            .filter(|orbit| !orbit.contains(&own));
        others.fold(self.blocks.clone(), |blocks, orbit| {
            self.join(blocks, &orbit)
        })
    }

    /// The blocks with the points of `orbit` added if they can be assigned. Where there is a choice, as
    /// with two blocks that are fixed or exchanged, points must go where they are moved with the
    /// others: there the inner group is smallest.
    fn join(&self, blocks: Vec<Vec<u32>>, orbit: &[u32]) -> Vec<Vec<u32>> {
        let targets = 0..blocks.len() as u32;
        let assign = |target| {
            equivariant_map(
                self.group.generators(),
                orbit[0],
                self.top.generators(),
                target,
            )
        };
        let choices = targets
            .filter_map(assign)
            .map(|map| with_assigned(&blocks, orbit, &map));
        let mut choices: Vec<_> = choices.collect();
        match choices.len() {
            0 => blocks,
            1 => choices.swap_remove(0),
            _ => choices
                .into_iter()
                .min_by_key(|blocks| self.order_inside(&blocks[0]))
                .unwrap_or(blocks),
        }
    }

    fn order_inside(&self, block: &[u32]) -> Option<BigUint> {
        self.stabiliser
            .restricted_to(block)
            .map(|inner| inner.order())
    }

    fn recognise(&self, blocks: &[Vec<u32>]) -> Option<Wreath> {
        let inner = self.stabiliser.restricted_to(&blocks[0])?;
        if inner.order() != self.inner_order {
            return None;
        }
        let blocks = self.aligned(blocks)?;
        let inner = recognise(&inner);
        let top = recognise_shape(&self.top);
        let known = inner.is_recognised() && matches!(top, Shape::Natural(_) | Shape::Wreath(_));
        known.then(|| Wreath {
            blocks,
            inner,
            top: Box::new(top),
        })
    }

    /// The points of each block in the order in which some element takes those of the first block there.
    fn aligned(&self, blocks: &[Vec<u32>]) -> Option<Vec<Vec<u32>>> {
        let first = self.group.degree() as u32;
        let orbit = self.extended.orbit(first).ok()?;
        let align = |index| {
            let there = orbit.representative(first + index)?;
            Some(blocks[0].iter().map(|&point| there.image(point)).collect())
        };
        (0..blocks.len() as u32).map(align).collect()
    }
}

/// What the order of the inner group must be, if it can be anything but 1.
fn inner_order(group: &Group, top: &Group) -> Option<BigUint> {
    let (order, top_order) = (group.order(), top.order());
    let blocks = top.degree() as u32;
    let inner_order = (&order / &top_order).nth_root(blocks);
    let fits = inner_order > BigUint::from(1u32) && inner_order.pow(blocks) * top_order == order;
    fits.then_some(inner_order)
}

/// The group with the points of `top`, whose generators correspond, as further points.
fn extended(group: &Group, top: &Group) -> Group {
    let degree = group.degree() as u32;
    let extend = |(generator, top): (&Permutation, &Permutation)| {
        let on_blocks = top.images().iter().map(|&block| block + degree);
        Permutation::from_trusted(
            generator
                .images()
                .iter()
                .copied()
                .chain(on_blocks)
                .collect(),
        )
    };
    let generators = group
        .generators()
        .iter()
        .zip(top.generators())
        .map(extend)
        .collect();
    Group::of_known_order(group.degree() + top.degree(), generators, &group.order())
}

/// The blocks with each point of `orbit` added to that which `map` says.
fn with_assigned(blocks: &[Vec<u32>], orbit: &[u32], map: &[Option<u32>]) -> Vec<Vec<u32>> {
    let mut blocks = blocks.to_vec();
    for &point in orbit {
        let block = map[point as usize].expect("the map covers the orbit");
        blocks[block as usize].push(point);
    }
    blocks
}
