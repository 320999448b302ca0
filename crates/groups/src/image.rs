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
//! # Smallest or canonical
//!
//! The lexicographic order reads positions 0, 1, 2, ..., also where 5 and 105 always move together
//! and one look at position 105 would break a tie at 5 at once; until it is reached, all ties stay open, and
//! there can be factorially many. [`canonical_image`] reads each base point of the group's own chain
//! together with all the positions that are settled with it. Its result is as good for telling
//! orbits apart, and is found much sooner; it depends on the chain, that is on the generators.
//!
//! These are the references: exact, and fast enough to test others against (see the `speed` example
//! for figures). The stabiliser of v comes from [`Group::colouring_stabiliser`].

use crate::chain::StabiliserChain;
use crate::error::GroupError;
use crate::group::Group;
use crate::partition::orbit_partition;
use crate::permutation::Permutation;
use crate::random::Seeded;

const SEED: u64 = 0x0069_6d61_6765;

/// More choices than this at a time are not followed.
const MOST_CHOICES: usize = 1 << 14;

/// The chosen image of a sequence, and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalImage {
    /// The least sequence in the orbit.
    pub image: Vec<u32>,
    /// An element of the group with `witness.permute(values) == image`.
    pub witness: Permutation,
}

/// The lexicographically least image of `values` under `group`, which permutes the positions:
/// an element g moves the value at position i to position i^g.
///
/// Fails if `values` does not have one entry a point, or if too many ties stay open.
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
    let positions: Vec<u32> = (0..values.len() as u32).collect();
    let mut chain = group.with_base(&positions)?;
    chain.drop_redundant_levels();
    let ends = chain
        .base()
        .into_iter()
        .skip(1)
        .chain([values.len() as u32]);
    let segments = chain
        .base()
        .into_iter()
        .zip(ends)
        .map(|(start, end)| (start..end).collect());
    least_reading(group, values, &chain, segments.collect())
}

/// An image of `values` under `group` that is the same for all sequences in an orbit, least in an order
/// that suits the group. See the [module](self) for the difference to [`minimal_image`].
///
/// Fails if `values` does not have one entry a point, or if too many ties stay open.
pub fn canonical_image(group: &Group, values: &[u32]) -> Result<MinimalImage, GroupError> {
    let chain = group.chain();
    let mut settled = vec![false; group.degree()];
    let segments = (0..chain.len()).map(|level| newly_settled(chain, level, &mut settled));
    least_reading(group, values, chain, segments.collect())
}

/// The positions whose images are known once those of the base points up to `level` are; the base
/// point comes first.
fn newly_settled(chain: &StabiliserChain, level: usize, settled: &mut [bool]) -> Vec<u32> {
    let moved = |point: u32| {
        chain
            .generators_from(level + 1)
            .any(|generator| generator.moves(point))
    };
    let mut segment = vec![chain.base_point(level)];
    settled[chain.base_point(level) as usize] = true;
    for point in 0..chain.degree() as u32 {
        if !settled[point as usize] && !moved(point) {
            settled[point as usize] = true;
            segment.push(point);
        }
    }
    segment
}

fn least_reading(
    group: &Group,
    values: &[u32],
    chain: &StabiliserChain,
    segments: Vec<Vec<u32>>,
) -> Result<MinimalImage, GroupError> {
    let stabiliser = group.colouring_stabiliser(values)?;
    let mut search = Search {
        chain,
        values,
        segments,
        random: Seeded::new(SEED),
    };
    let reading = search.run(stabiliser.chain().clone())?;
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
    /// By level, the positions that are read there, the base point first.
    segments: Vec<Vec<u32>>,
    random: Seeded,
}

impl Search<'_> {
    fn run(&mut self, stabiliser: StabiliserChain) -> Result<Permutation, GroupError> {
        let reading = Permutation::identity(self.values.len());
        let mut choices = vec![Choice {
            reading,
            stabiliser,
        }];
        for level in 0..self.chain.len() {
            choices = self.refine(level, &choices)?;
        }
        Ok(choices.swap_remove(0).reading)
    }

    /// The best ways to extend `choices` by an image for the base point of `level`.
    fn refine(&mut self, level: usize, choices: &[Choice]) -> Result<Vec<Choice>, GroupError> {
        let least = choices
            .iter()
            .flat_map(|choice| self.values_in_reach(level, choice))
            .min();
        let mut best = Best::default();
        for choice in choices {
            for point in self.distinct_points(level, choice, least) {
                let reading = self.extended(level, choice, point);
                best.offer(self.newly_read(level, &reading), (choice, point, reading));
            }
            if best.kept.len() > MOST_CHOICES {
                return Err(GroupError::SearchLimit {
                    possibilities: best.kept.len(),
                });
            }
        }
        Ok(best
            .kept
            .into_iter()
            .map(|(choice, point, reading)| self.settled(choice, point, reading))
            .collect())
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
        let sources = self.segments[level]
            .iter()
            .map(|&position| reading.image(position));
        sources.map(|source| self.values[source as usize]).collect()
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

/// The items offered so far with the least key.
struct Best<T> {
    key: Option<Vec<u32>>,
    kept: Vec<T>,
}

impl<T> Default for Best<T> {
    fn default() -> Self {
        Best {
            key: None,
            kept: Vec::new(),
        }
    }
}

impl<T> Best<T> {
    fn offer(&mut self, key: Vec<u32>, item: T) {
        if self.key.as_ref().is_some_and(|best| *best < key) {
            return;
        }
        if self.key.as_ref() != Some(&key) {
            self.kept.clear();
            self.key = Some(key);
        }
        self.kept.push(item);
    }
}
