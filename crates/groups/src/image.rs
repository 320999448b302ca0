//! The smallest image of a sequence under a group that permutes its positions.
//!
//! # The algorithm
//!
//! Linton, *Finding the smallest image of a set* (2004), for sequences; see also Jefferson, Jonauskyte,
//! Pfeiffer, Waldecker, *Minimal and canonical images* (2019). An element h of G reads the values v in
//! another order, v[0^h], v[1^h], ..., and the least such reading is wanted.
//!
//! The base is 0, 1, 2, ... without the points that are fixed by then. Level by level, keep the set of all
//! choices for (0^h, 1^h, ...) so far that give the least reading so far. The choices
//! multiply where values repeat, but most of them are alike: if a is in the *stabiliser of v*, then h
//! and h * a read the same. So only one choice is kept for every orbit of that stabiliser, and
//! each choice carries what is left of the stabiliser when its own points are fixed. In the
//! end exactly one is left.
//!
//! This is the reference: exact, and fast enough to test others against (see the `speed` example for
//! figures). The stabiliser of v comes from [`Group::colouring_stabiliser`].

use crate::chain::StabiliserChain;
use crate::error::GroupError;
use crate::group::Group;
use crate::partition::orbit_partition;
use crate::permutation::Permutation;
use crate::random::Seeded;

const SEED: u64 = 0x0069_6d61_6765;

/// The smallest image of a sequence, and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalImage {
    /// The lexicographically least sequence in the orbit.
    pub image: Vec<u32>,
    /// An element of the group with `witness.permute(values) == image`.
    pub witness: Permutation,
}

/// The lexicographically least image of `values` under `group`, which permutes the positions:
/// an element g moves the value at position i to position i^g.
///
/// ```
/// use mandala_groups::{Group, minimal_image};
///
/// let ring = Group::cyclic(4);
/// let least = minimal_image(&ring, &[3, 1, 2, 1])?;
/// assert_eq!(least.image, [1, 2, 1, 3]);
/// assert_eq!(least.witness.permute(&[3, 1, 2, 1]), least.image);
/// # Ok::<(), mandala_groups::GroupError>(())
/// ```
pub fn minimal_image(group: &Group, values: &[u32]) -> Result<MinimalImage, GroupError> {
    let stabiliser = group.colouring_stabiliser(values)?;
    let positions: Vec<u32> = (0..values.len() as u32).collect();
    let mut chain = group.with_base(&positions)?;
    chain.drop_redundant_levels();
    let mut search = Search {
        chain: &chain,
        values,
        random: Seeded::new(SEED),
    };
    let reading = search.run(stabiliser.chain().clone());
    let image = reading
        .images()
        .iter()
        .map(|&position| values[position as usize])
        .collect();
    Ok(MinimalImage {
        image,
        witness: reading.inverse(),
    })
}

/// A choice of images for the first base points.
struct Choice {
    /// An element that makes it.
    reading: Permutation,
    /// What fixes the values and the chosen points.
    stabiliser: StabiliserChain,
}

struct Search<'c> {
    chain: &'c StabiliserChain,
    values: &'c [u32],
    random: Seeded,
}

impl Search<'_> {
    fn run(&mut self, stabiliser: StabiliserChain) -> Permutation {
        let reading = Permutation::identity(self.values.len());
        let mut choices = vec![Choice {
            reading,
            stabiliser,
        }];
        for level in 0..self.chain.len() {
            choices = self.refine(level, &choices);
        }
        choices.swap_remove(0).reading
    }

    /// The best ways to extend `choices` by an image for the base point of `level`.
    fn refine(&mut self, level: usize, choices: &[Choice]) -> Vec<Choice> {
        let least = choices
            .iter()
            .flat_map(|choice| self.values_in_reach(level, choice))
            .min();
        let mut best: Option<Vec<u32>> = None;
        let mut kept = Vec::new();
        for choice in choices {
            for point in self.distinct_points(level, choice, least) {
                let reading = self.extended(level, choice, point);
                let read = self.newly_read(level, &reading);
                if best.as_ref().is_some_and(|best| *best < read) {
                    continue;
                }
                if best.as_ref() != Some(&read) {
                    kept.clear();
                    best = Some(read);
                }
                kept.push((choice, point, reading));
            }
        }
        kept.into_iter()
            .map(|(choice, point, reading)| self.settled(choice, point, reading))
            .collect()
    }

    /// The values that may be read next.
    fn values_in_reach(&self, level: usize, choice: &Choice) -> impl Iterator<Item = u32> {
        let images = self
            .chain
            .orbit(level)
            .iter()
            .map(|&point| choice.reading.image(point));
        images.map(|image| self.values[image as usize])
    }

    /// The points with the least value that may be read next, one for each orbit of the stabiliser: where
    /// possible the one whose stabiliser is at hand.
    fn distinct_points(&self, level: usize, choice: &Choice, least: Option<u32>) -> Vec<u32> {
        let stabiliser = &choice.stabiliser;
        let images = self
            .chain
            .orbit(level)
            .iter()
            .map(|&point| choice.reading.image(point));
        let points = images.filter(|&image| Some(self.values[image as usize]) == least);
        if stabiliser.is_empty() {
            return points.collect();
        }
        let handy = stabiliser.base_point(0);
        let mut orbits = orbit_partition(stabiliser.degree(), stabiliser.generators_from(0));
        let handy_orbit = orbits.find(handy);
        let mut distinct: Vec<u32> = points.map(|point| orbits.find(point)).collect();
        distinct.sort_unstable();
        distinct.dedup();
        distinct
            .iter_mut()
            .filter(|root| **root == handy_orbit)
            .for_each(|root| *root = handy);
        distinct
    }

    /// An element that agrees with the choice and takes the base point of `level` to `image`.
    fn extended(&self, level: usize, choice: &Choice, image: u32) -> Permutation {
        let source = choice
            .reading
            .images()
            .iter()
            .position(|&other| other == image);
        let source = source.expect("a permutation hits every point") as u32;
        let representative = self
            .chain
            .representative(level, source)
            .expect("a point of the orbit");
        representative.then(&choice.reading)
    }

    /// The values at the positions that are settled once the base point of `level` is.
    fn newly_read(&self, level: usize, reading: &Permutation) -> Vec<u32> {
        let start = self.chain.base_point(level) as usize;
        let is_last = level + 1 == self.chain.len();
        let end = if is_last {
            self.values.len()
        } else {
            self.chain.base_point(level + 1) as usize
        };
        reading.images()[start..end]
            .iter()
            .map(|&position| self.values[position as usize])
            .collect()
    }

    fn settled(&mut self, choice: &Choice, point: u32, reading: Permutation) -> Choice {
        let old = &choice.stabiliser;
        let is_fixed = old
            .generators_from(0)
            .all(|generator| !generator.moves(point));
        let stabiliser = match is_fixed {
            true => old.clone(),
            false if old.base_point(0) == point => old.suffix(1),
            false => old.rebased(0, &[point], &mut self.random).suffix(1),
        };
        Choice {
            reading,
            stabiliser,
        }
    }
}
