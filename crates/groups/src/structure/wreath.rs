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
use crate::group::{Group, restrict};
use crate::permutation::Permutation;
use num_bigint::BigUint;

/// Block systems to look at, per orbit. Groups with more are far from wreath products.
const MOST_SYSTEMS: usize = 64;

/// All ways to see the group as a wreath product of recognised groups that are tried, best first.
pub(super) fn wreaths(group: &Group) -> impl Iterator<Item = Wreath> + '_ {
    candidates(group)
        .into_iter()
        .filter_map(move |candidate| candidate.recognise(group))
}

/// Blocks, not yet known to come from a wreath product.
struct Candidate {
    /// What the generators do to the blocks.
    top: Vec<Permutation>,
    /// The blocks, with points of one or more orbits.
    blocks: Vec<Vec<u32>>,
}

/// For each orbit, coarse systems first: with all orbits that can join, then alone.
fn candidates(group: &Group) -> Vec<Candidate> {
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
    let joined = systems
        .iter()
        .filter_map(|system| Candidate::joined(group, &orbits, system));
    let alone = systems
        .iter()
        .filter_map(|system| Candidate::alone(group, system));
    joined.chain(alone).collect()
}

impl Candidate {
    fn alone(group: &Group, system: &BlockSystem) -> Option<Candidate> {
        let top: Option<Vec<_>> = group
            .generators()
            .iter()
            .map(|generator| system.action_of(generator))
            .collect();
        Some(Candidate {
            top: top?,
            blocks: system.blocks().to_vec(),
        })
    }

    fn joined(group: &Group, orbits: &[Vec<u32>], system: &BlockSystem) -> Option<Candidate> {
        let mut candidate = Candidate::alone(group, system)?;
        let own = system.blocks()[0][0];
        for orbit in orbits.iter().filter(|orbit| !orbit.contains(&own)) {
            candidate.join(group, orbit);
        }
        Some(candidate)
    }

    /// Adds the points of `orbit` to the blocks if they can be assigned.
    fn join(&mut self, group: &Group, orbit: &[u32]) {
        let blocks = 0..self.blocks.len() as u32;
        let assign = |block| equivariant_map(group.generators(), orbit[0], &self.top, block);
        if let Some(map) = blocks.into_iter().find_map(assign) {
            for &point in orbit {
                let block = map[point as usize].expect("the map covers the orbit");
                self.blocks[block as usize].push(point);
            }
        }
    }

    fn recognise(&self, group: &Group) -> Option<Wreath> {
        let top = Group::from_trusted(self.blocks.len(), self.top.clone());
        let inner_order = self.inner_order(group, &top)?;
        let extended = self.extended(group);
        let first_block = group.degree() as u32;
        let stabiliser = extended.stabiliser(&[first_block]).ok()?;
        let inner = inner_group(&stabiliser, &self.blocks[0])?;
        if inner.order() != inner_order {
            return None;
        }
        let blocks = self.aligned_blocks(&extended, first_block)?;
        let inner = recognise(&inner);
        let top = recognise_shape(&top);
        let known = inner.is_recognised() && matches!(top, Shape::Natural(_) | Shape::Wreath(_));
        known.then(|| Wreath {
            blocks,
            inner,
            top: Box::new(top),
        })
    }

    /// What the order of the inner group must be, if it can be anything but 1.
    fn inner_order(&self, group: &Group, top: &Group) -> Option<BigUint> {
        let (order, top_order) = (group.order(), top.order());
        let blocks = self.blocks.len() as u32;
        let inner_order = (&order / &top_order).nth_root(blocks);
        let fits =
            inner_order > BigUint::from(1u32) && inner_order.pow(blocks) * top_order == order;
        fits.then_some(inner_order)
    }

    /// The group acting on its points and, as further points, on the blocks.
    fn extended(&self, group: &Group) -> Group {
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
            .zip(&self.top)
            .map(extend)
            .collect();
        Group::from_trusted(group.degree() + self.blocks.len(), generators)
    }

    /// The points of each block in the order in which some element takes those of the first block there.
    fn aligned_blocks(&self, extended: &Group, first_block: u32) -> Option<Vec<Vec<u32>>> {
        let orbit = extended.orbit(first_block).ok()?;
        let align = |index| {
            let there = orbit.representative(first_block + index)?;
            Some(
                self.blocks[0]
                    .iter()
                    .map(|&point| there.image(point))
                    .collect(),
            )
        };
        (0..self.blocks.len() as u32).map(align).collect()
    }
}

/// What the stabiliser of a block does inside it.
fn inner_group(stabiliser: &Group, block: &[u32]) -> Option<Group> {
    let restricted = stabiliser
        .generators()
        .iter()
        .map(|generator| restrict(generator, block));
    Some(Group::from_trusted(
        block.len(),
        restricted.collect::<Option<Vec<_>>>()?,
    ))
}
