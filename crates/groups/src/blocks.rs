//! Blocks of imprimitivity: ways to cut an orbit into equal pieces that the group moves as wholes.
//!
//! The finest such cut that puts two given points together is found by union-find: join the
//! points, and whenever two classes become one, join their images under every generator (Atkinson
//! 1975; Holt, Eick, O'Brien 2005, section 4.3). Every block system is made of such cuts, so
//! trying one partner of a fixed point for each orbit of its stabiliser finds all that are minimal.

use crate::error::GroupError;
use crate::group::Group;
use crate::partition::UnionFind;
use crate::permutation::Permutation;

/// An orbit cut into blocks of equal size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockSystem {
    blocks: Vec<Vec<u32>>,
}

impl BlockSystem {
    /// The cut of `orbit` into single points.
    pub(crate) fn singletons(orbit: &[u32]) -> BlockSystem {
        BlockSystem {
            blocks: orbit.iter().map(|&point| vec![point]).collect(),
        }
    }

    /// The blocks, each in increasing order, ordered by their first points.
    pub fn blocks(&self) -> &[Vec<u32>] {
        &self.blocks
    }

    /// The number of points in a block.
    pub fn block_size(&self) -> usize {
        self.blocks.first().map_or(0, Vec::len)
    }

    /// What an element of the group does to the blocks, as a permutation of their indices.
    /// None if it does not permute them.
    pub fn action_of(&self, element: &Permutation) -> Option<Permutation> {
        let mut index_of = vec![None; element.degree()];
        for (block, index) in self.blocks.iter().zip(0u32..) {
            for &point in block {
                *index_of.get_mut(point as usize)? = Some(index);
            }
        }
        let target = |block: &Vec<u32>| {
            let mut targets = block
                .iter()
                .map(|&point| index_of[element.image(point) as usize]);
            let first = targets.next()??;
            targets.all(|target| target == Some(first)).then_some(first)
        };
        let images: Option<Vec<u32>> = self.blocks.iter().map(target).collect();
        Permutation::from_images(images?).ok()
    }

    /// Whether each block of this system lies in one of `other`, a system of the same orbit.
    pub fn is_finer_than(&self, other: &BlockSystem) -> bool {
        let first = |system: &BlockSystem| system.blocks.first().cloned().unwrap_or_default();
        let coarse = first(other);
        first(self)
            .iter()
            .all(|point| coarse.binary_search(point).is_ok())
    }
}

impl Group {
    /// The finest block system of the orbit of `a` with `a` and `b` in one block; one block is the
    /// whole orbit if nothing finer will do. None if the points are in different orbits.
    pub fn block_system(&self, a: u32, b: u32) -> Result<Option<BlockSystem>, GroupError> {
        self.check_points(&[a, b])?;
        let orbit = self.orbit(a)?;
        Ok(orbit
            .contains(b)
            .then(|| self.finest_system(orbit.points(), a, b)))
    }

    fn finest_system(&self, orbit: &[u32], a: u32, b: u32) -> BlockSystem {
        let mut classes = join_images(self, UnionFind::new(self.degree()), &[(a, b)]);
        system_of(&mut classes, orbit)
    }

    /// The block systems of the orbit of `point` that no other refines, apart from single
    /// points; none of them if the action on the orbit is primitive.
    pub fn minimal_block_systems(&self, point: u32) -> Result<Vec<BlockSystem>, GroupError> {
        let systems = self.principal_block_systems(point)?;
        let is_minimal = |system: &&BlockSystem| {
            !systems
                .iter()
                .any(|other| other != *system && other.is_finer_than(system))
        };
        Ok(systems.iter().filter(is_minimal).cloned().collect())
    }

    /// All non-trivial block systems of the orbit of `point` that join it to some other point,
    /// sorted, without repetition.
    pub(crate) fn principal_block_systems(
        &self,
        point: u32,
    ) -> Result<Vec<BlockSystem>, GroupError> {
        let orbit = self.orbit(point)?;
        let stabiliser = self.stabiliser(&[point])?;
        let partners = stabiliser.orbits().into_iter().map(|suborbit| suborbit[0]);
        let partners = partners.filter(|&partner| partner != point && orbit.contains(partner));
        let mut systems: Vec<_> = partners
            .map(|partner| self.finest_system(orbit.points(), point, partner))
            .collect();
        systems.retain(|system| system.blocks.len() > 1);
        systems.sort();
        systems.dedup();
        Ok(systems)
    }

    /// Non-trivial block systems of the orbit of `point`: all of them, or `limit` and a few if there
    /// are more.
    pub(crate) fn block_systems(
        &self,
        point: u32,
        limit: usize,
    ) -> Result<Vec<BlockSystem>, GroupError> {
        let principal = self.principal_block_systems(point)?;
        let mut systems = principal.clone();
        let mut next = 0;
        while next < systems.len() && systems.len() < limit {
            for other in &principal {
                let joined = self.join_systems(&systems[next], other);
                if joined.blocks.len() > 1 && !systems.contains(&joined) {
                    systems.push(joined);
                }
            }
            next += 1;
        }
        Ok(systems)
    }

    /// The finest block system that both refine.
    fn join_systems(&self, one: &BlockSystem, other: &BlockSystem) -> BlockSystem {
        let chain = |block: &Vec<u32>| {
            block
                .windows(2)
                .map(|pair| (pair[0], pair[1]))
                .collect::<Vec<_>>()
        };
        let pairs: Vec<_> = one
            .blocks
            .iter()
            .chain(&other.blocks)
            .flat_map(chain)
            .collect();
        let orbit: Vec<u32> = one.blocks.iter().flatten().copied().collect();
        let mut classes = join_images(self, UnionFind::new(self.degree()), &pairs);
        system_of(&mut classes, &orbit)
    }
}

/// Joins the pairs and everything that the generators make of them.
fn join_images(group: &Group, mut classes: UnionFind, pairs: &[(u32, u32)]) -> UnionFind {
    let mut queue: Vec<u32> = pairs
        .iter()
        .filter_map(|&(a, b)| classes.join(a, b))
        .collect();
    while let Some(absorbed) = queue.pop() {
        for generator in group.generators() {
            let root = classes.find(absorbed);
            queue.extend(classes.join(generator.image(absorbed), generator.image(root)));
        }
    }
    classes
}

fn system_of(classes: &mut UnionFind, orbit: &[u32]) -> BlockSystem {
    let mut blocks = classes.classes();
    let in_orbit: std::collections::HashSet<u32> = orbit.iter().copied().collect();
    blocks.retain(|block| in_orbit.contains(&block[0]));
    BlockSystem { blocks }
}
