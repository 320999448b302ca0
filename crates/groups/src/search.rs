//! Subgroups defined by a property: stabilisers of sets, colourings and partitions, intersections.
//!
//! There is no formula for these; they are found by backtracking over the images of the base points.
//! The search goes from the last level up. At each level it looks, for every point that the base point can
//! go to, for one element with the property that takes it there, and skips points that lie in
//! one orbit, under what was found before, with a point already settled. So the number of searches that
//! succeed is small (each doubles the subgroup at least), and the generators found are a strong
//! generating set for the same base: the result needs no Schreier-Sims.
//!
//! A branch is cut off as soon as the property rules it out. For colourings this is a refinement
//! test: once the images of the first base points are chosen, the orbits of their
//! stabiliser go to known sets, and each must contain every colour as often as its image does. This
//! is the orbit half of Leon's partition backtrack (1991, 1997); see also Holt, Eick, O'Brien
//! (2005), section 4.6. The other half, refining by graphs of the property, is left out: models have few
//! colours and rich groups, where branches seldom fail.
//!
//! The worst case stays exponential, as for every known method (a random half of the points of an affine
//! space over the field of two elements is one). A search that visits too many branches ends with
//! [`GroupError::SearchLimit`]; a caller that only wants *some* symmetry of a property can then go on with
//! the generators that have it.

use crate::chain::StabiliserChain;
use crate::error::GroupError;
use crate::group::Group;
use crate::partition::{UnionFind, orbit_partition, orbits};
use crate::permutation::Permutation;
use crate::random::{Seeded, mix};
use std::collections::HashMap;

const SEED: u64 = 0x0073_6561_7263;

/// Branches that a search may look at.
const MOST_BRANCHES: usize = 1 << 22;

/// A property of permutations whose members in a group form a subgroup, as the search sees it.
trait Property {
    /// A cheap test: may an element with the property take the base point of `level` to `image`?
    fn may_take(&self, level: usize, image: u32) -> bool;

    /// May an element with the property agree with `partial` on the base points up to `level`?
    fn may_extend(&self, level: usize, partial: &Permutation) -> bool;

    /// Does the element have the property?
    fn holds(&self, element: &Permutation) -> bool;
}

impl Group {
    /// The elements that take every point to one of the same colour; `colours` has one entry a point.
    /// Fails on a wrong length, and if the search for them would not end.
    pub fn colouring_stabiliser(&self, colours: &[u32]) -> Result<Group, GroupError> {
        self.check_length(colours.len())?;
        let keeps = |element: &Permutation| preserves_colours(element, colours);
        if self.generators().iter().all(keeps) {
            return Ok(self.clone());
        }
        let chain = self.search_base(colours)?;
        let property = Colouring::new(&chain, colours);
        Search::run(&chain, property)
    }

    /// The elements that take `points`, as a set, to itself.
    pub fn set_stabiliser(&self, points: &[u32]) -> Result<Group, GroupError> {
        self.check_points(points)?;
        let mut colours = vec![0; self.degree()];
        points.iter().for_each(|&point| colours[point as usize] = 1);
        self.colouring_stabiliser(&colours)
    }

    /// The elements that take points with equal labels to points with equal labels: the cells of the
    /// partition may change places. `labels` has one entry a point.
    pub fn partition_stabiliser(&self, labels: &[u32]) -> Result<Group, GroupError> {
        self.check_length(labels.len())?;
        let chain = self.search_base(labels)?;
        let property = Partition::new(&chain, labels);
        Search::run(&chain, property)
    }

    /// The elements that both groups have.
    pub fn intersection(&self, other: &Group) -> Result<Group, GroupError> {
        if self.degree() != other.degree() {
            return Err(GroupError::DegreeMismatch {
                expected: self.degree(),
                found: other.degree(),
            });
        }
        if self.order() > other.order() {
            return other.intersection(self);
        }
        if self.is_subgroup_of(other) {
            return Ok(self.clone());
        }
        let property = Membership {
            other: other.with_base(&self.chain().base())?,
        };
        Search::run(self.chain(), property)
    }

    fn check_length(&self, found: usize) -> Result<(), GroupError> {
        match found == self.degree() {
            true => Ok(()),
            false => Err(GroupError::DegreeMismatch {
                expected: self.degree(),
                found,
            }),
        }
    }

    /// A chain whose base starts with the points of rare colours, which have few places to go.
    fn search_base(&self, colours: &[u32]) -> Result<StabiliserChain, GroupError> {
        let mut frequency: HashMap<u32, usize> = HashMap::new();
        colours
            .iter()
            .for_each(|&colour| *frequency.entry(colour).or_default() += 1);
        let mut points: Vec<u32> = (0..self.degree() as u32).collect();
        points.sort_by_key(|&point| {
            (
                frequency[&colours[point as usize]],
                colours[point as usize],
                point,
            )
        });
        let mut chain = self.with_base(&points)?;
        chain.drop_redundant_levels();
        Ok(chain)
    }
}

fn preserves_colours(element: &Permutation, colours: &[u32]) -> bool {
    element
        .images()
        .iter()
        .zip(colours)
        .all(|(&image, &colour)| colours[image as usize] == colour)
}

/// An element, or the certainty that there is none.
type Found = Result<Option<Permutation>, GroupError>;

struct Search<'c, P> {
    chain: &'c StabiliserChain,
    property: P,
    found: StabiliserChain,
    branches: usize,
}

impl<P: Property> Search<'_, P> {
    fn run(chain: &StabiliserChain, property: P) -> Result<Group, GroupError> {
        let found = StabiliserChain::with_base(chain.degree(), &chain.base());
        let mut search = Search {
            chain,
            property,
            found,
            branches: 0,
        };
        (0..chain.len())
            .rev()
            .try_for_each(|level| search.settle(level))?;
        search.found.make_shallow(&mut Seeded::new(SEED));
        search.found.mark_all_lean();
        search.found.drop_redundant_levels();
        Ok(Group::from_chain(search.found))
    }

    /// Finds all that the subgroup does to the base point of `level` while fixing those before.
    fn settle(&mut self, level: usize) -> Result<(), GroupError> {
        let mut orbits = self.known_orbits(level);
        let mut settled = vec![self.chain.base_point(level)];
        for &point in self.chain.orbit(level) {
            if settled
                .iter()
                .any(|&other| orbits.find(other) == orbits.find(point))
            {
                continue;
            }
            settled.push(point);
            let identity = Permutation::identity(self.chain.degree());
            if let Some(element) = self.descend_to(level, point, &identity)? {
                self.found.insert(element, level, point);
                orbits = self.known_orbits(level);
            }
        }
        Ok(())
    }

    fn known_orbits(&self, level: usize) -> UnionFind {
        let usable = self.found.usable(level);
        orbit_partition(
            self.chain.degree(),
            usable
                .iter()
                .map(|&index| &self.found.pool()[index].forward),
        )
    }

    /// An element with the property that does what `above` does to the base points before `level`, and
    /// takes that of `level` where `above` takes `point`.
    fn descend_to(&mut self, level: usize, point: u32, above: &Permutation) -> Found {
        if !self.property.may_take(level, above.image(point)) {
            return Ok(None);
        }
        self.branches += 1;
        if self.branches > MOST_BRANCHES {
            return Err(GroupError::SearchLimit {
                possibilities: self.branches,
            });
        }
        let representative = self
            .chain
            .representative(level, point)
            .expect("a point of the orbit");
        let partial = representative.then(above);
        if !self.property.may_extend(level, &partial) {
            return Ok(None);
        }
        self.complete(level + 1, partial)
    }

    fn complete(&mut self, level: usize, partial: Permutation) -> Found {
        if level == self.chain.len() {
            return Ok(self.property.holds(&partial).then_some(partial));
        }
        let chain = self.chain;
        for &point in chain.orbit(level) {
            if let Some(element) = self.descend_to(level, point, &partial)? {
                return Ok(Some(element));
            }
        }
        Ok(None)
    }
}

/// Points keep their colours.
struct Colouring<'v> {
    colours: &'v [u32],
    base: Vec<u32>,
    /// By level: by point, its orbit under the stabiliser of the base points up to the level.
    cells: Vec<Vec<u32>>,
    /// By level: by orbit, a sum of scrambled colours. Equal contents have equal sums.
    sums: Vec<Vec<u64>>,
}

impl<'v> Colouring<'v> {
    fn new(chain: &StabiliserChain, colours: &'v [u32]) -> Self {
        let mut this = Colouring {
            colours,
            base: chain.base(),
            cells: Vec::new(),
            sums: Vec::new(),
        };
        let identity = Permutation::identity(chain.degree());
        for level in 0..chain.len() {
            this.cells.push(cell_indices(chain, level + 1));
            let sums = this.sums_under(level, &identity);
            this.sums.push(sums);
        }
        this
    }

    fn sums_under(&self, level: usize, element: &Permutation) -> Vec<u64> {
        let mut sums = vec![0u64; self.colours.len()];
        for (&cell, &image) in self.cells[level].iter().zip(element.images()) {
            let sum = &mut sums[cell as usize];
            *sum = sum.wrapping_add(mix(u64::from(self.colours[image as usize]) + 1));
        }
        sums
    }
}

/// By point, the number of its orbit under the stabiliser of the base points before `level`.
fn cell_indices(chain: &StabiliserChain, level: usize) -> Vec<u32> {
    let mut cells = vec![0; chain.degree()];
    let orbits = orbits(chain.degree(), chain.generators_from(level));
    for (orbit, index) in orbits.iter().zip(0..) {
        orbit
            .iter()
            .for_each(|&point| cells[point as usize] = index);
    }
    cells
}

impl Property for Colouring<'_> {
    fn may_take(&self, level: usize, image: u32) -> bool {
        self.colours[self.base[level] as usize] == self.colours[image as usize]
    }

    fn may_extend(&self, level: usize, partial: &Permutation) -> bool {
        self.sums_under(level, partial) == self.sums[level]
    }

    fn holds(&self, element: &Permutation) -> bool {
        preserves_colours(element, self.colours)
    }
}

/// Points with equal labels stay together.
struct Partition<'v> {
    labels: &'v [u32],
    sizes: HashMap<u32, usize>,
    base: Vec<u32>,
    /// By level, the points that the stabiliser of the base points up to the level fixes: their images
    /// are known.
    fixed: Vec<Vec<u32>>,
}

impl<'v> Partition<'v> {
    fn new(chain: &StabiliserChain, labels: &'v [u32]) -> Self {
        let mut sizes: HashMap<u32, usize> = HashMap::new();
        labels
            .iter()
            .for_each(|&label| *sizes.entry(label).or_default() += 1);
        let fixed_points = |level| {
            let orbits = orbits(chain.degree(), chain.generators_from(level));
            orbits
                .into_iter()
                .filter(|orbit| orbit.len() == 1)
                .map(|orbit| orbit[0])
                .collect()
        };
        let fixed = (1..=chain.len()).map(fixed_points).collect();
        Partition {
            labels,
            sizes,
            base: chain.base(),
            fixed,
        }
    }

    fn label(&self, point: u32) -> u32 {
        self.labels[point as usize]
    }

    /// Whether labels go to labels one to one on `points`.
    fn is_consistent(&self, element: &Permutation, points: impl Iterator<Item = u32>) -> bool {
        let mut forward = HashMap::new();
        let mut backward = HashMap::new();
        points.into_iter().all(|point| {
            let (from, to) = (self.label(point), self.label(element.image(point)));
            *forward.entry(from).or_insert(to) == to && *backward.entry(to).or_insert(from) == from
        })
    }
}

impl Property for Partition<'_> {
    fn may_take(&self, level: usize, image: u32) -> bool {
        self.sizes[&self.label(self.base[level])] == self.sizes[&self.label(image)]
    }

    fn may_extend(&self, level: usize, partial: &Permutation) -> bool {
        self.is_consistent(partial, self.fixed[level].iter().copied())
    }

    fn holds(&self, element: &Permutation) -> bool {
        self.is_consistent(element, 0..self.labels.len() as u32)
    }
}

/// Elements of another group, whose chain has the same base or a longer one.
struct Membership {
    other: StabiliserChain,
}

impl Property for Membership {
    fn may_take(&self, level: usize, image: u32) -> bool {
        level > 0 || self.other.tree(0).contains(image)
    }

    fn may_extend(&self, level: usize, partial: &Permutation) -> bool {
        self.other.sift(partial).level > level
    }

    fn holds(&self, element: &Permutation) -> bool {
        self.other.contains(element)
    }
}
