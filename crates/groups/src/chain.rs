//! Stabiliser chains: a base, the orbits of its points, and generators for every stabiliser on the way.
//!
//! A chain over the base b0, b1, ..., bk-1 describes G = G0 >= G1 >= ... >= Gk = 1, where G(i+1) is
//! the stabiliser of b(i) in G(i). Level i keeps the orbit of b(i) under G(i) as a Schreier tree.
//! Every element of G is a product u(k-1) * ... * u1 * u0 of orbit representatives in exactly one
//! way, which is why the order is the product of the orbit lengths, why a random choice of
//! representatives is a uniformly random element, and why membership is decided by *sifting*:
//! dividing by one representative after the other until nothing is left.
//!
//! How a chain is found and why it can be trusted is told in [`crate::schreier_sims`].

use crate::permutation::Permutation;
use crate::random::Seeded;
use crate::tree::{SchreierTree, StrongGenerator};
use num_bigint::BigUint;

/// A base and strong generating set. See the [module](self).
#[derive(Clone, Debug)]
pub struct StabiliserChain {
    degree: usize,
    levels: Vec<SchreierTree>,
    strong: Vec<StrongGenerator>,
}

/// What is left of a permutation after sifting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sifted {
    /// The permutation divided by the representatives of the levels that it passed; the identity
    /// exactly if the permutation is in the group.
    pub residue: Permutation,
    /// How many levels it passed.
    pub level: usize,
}

impl StabiliserChain {
    /// The chain of the trivial group with these, for now redundant, base points.
    pub(crate) fn with_base(degree: usize, base: &[u32]) -> Self {
        let levels = base.iter().map(|&point| SchreierTree::new(point)).collect();
        StabiliserChain {
            degree,
            levels,
            strong: Vec::new(),
        }
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The number of base points.
    pub fn len(&self) -> usize {
        self.levels.len()
    }

    /// True if there is no base point, as for the trivial group.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// The base points.
    pub fn base(&self) -> Vec<u32> {
        self.levels.iter().map(SchreierTree::root).collect()
    }

    /// The base point of a level below [`StabiliserChain::len`].
    pub fn base_point(&self, level: usize) -> u32 {
        self.levels[level].root()
    }

    /// The orbit of the base point of `level` under the stabiliser of those before it; the base
    /// point comes first.
    pub fn orbit(&self, level: usize) -> &[u32] {
        self.levels[level].orbit()
    }

    /// An element that fixes the base points before `level` and takes that of `level` to `point`.
    pub fn representative(&self, level: usize, point: u32) -> Option<Permutation> {
        let tree = &self.levels[level];
        tree.contains(point)
            .then(|| tree.representative(&self.strong, self.degree, point))
    }

    pub(crate) fn tree(&self, level: usize) -> &SchreierTree {
        &self.levels[level]
    }

    pub(crate) fn pool(&self) -> &[StrongGenerator] {
        &self.strong
    }

    /// The order of the group.
    pub fn order(&self) -> BigUint {
        self.order_from(0)
    }

    /// The order of the stabiliser of the base points before `level`.
    pub fn order_from(&self, level: usize) -> BigUint {
        self.levels[level..]
            .iter()
            .map(|tree| BigUint::from(tree.orbit().len()))
            .product()
    }

    /// Pool members that generate the stabiliser of the base points before `level`.
    pub(crate) fn usable(&self, level: usize) -> Vec<usize> {
        (0..self.strong.len())
            .filter(|&index| self.strong[index].depth >= level)
            .collect()
    }

    /// Generators of the stabiliser of the base points before `level`, without the redundant ones
    /// that serve to keep the trees shallow.
    pub fn generators_from(&self, level: usize) -> impl Iterator<Item = &Permutation> + '_ {
        let used = self
            .strong
            .iter()
            .filter(move |strong| strong.lean && strong.depth >= level);
        used.map(|strong| &strong.forward)
    }

    /// All strong generators, redundant ones included.
    pub fn strong_generators(&self) -> impl Iterator<Item = &Permutation> + '_ {
        self.strong.iter().map(|strong| &strong.forward)
    }

    /// Divides `element` by orbit representatives as far as possible.
    pub fn sift(&self, element: &Permutation) -> Sifted {
        self.sift_from(0, element.clone())
    }

    /// As [`StabiliserChain::sift`] for an element that fixes the base points before `level`.
    pub(crate) fn sift_from(&self, level: usize, mut residue: Permutation) -> Sifted {
        for (index, tree) in self.levels.iter().enumerate().skip(level) {
            let image = residue.image(tree.root());
            if !tree.contains(image) {
                return Sifted {
                    residue,
                    level: index,
                };
            }
            tree.strip(&self.strong, &mut residue, image);
        }
        Sifted {
            residue,
            level: self.levels.len(),
        }
    }

    /// Whether the permutation is in the group.
    pub fn contains(&self, element: &Permutation) -> bool {
        element.degree() == self.degree && self.sift(element).residue.is_identity()
    }

    /// A uniformly random element of the stabiliser of the base points before `level`.
    pub(crate) fn random_from(&self, level: usize, random: &mut Seeded) -> Permutation {
        let mut element = Permutation::identity(self.degree);
        for tree in &self.levels[level..] {
            let point = tree.orbit()[random.below(tree.orbit().len())];
            // The inverse of a representative is as random as the representative, and dividing
            // needs no word to be turned round.
            tree.strip(&self.strong, &mut element, point);
        }
        element
    }

    /// Adds a strong generator that fixes exactly the first `depth` base points, and, if these are
    /// all of them, `fresh_base_point` to the base. Answers whether an orbit grew.
    pub(crate) fn insert(
        &mut self,
        element: Permutation,
        depth: usize,
        fresh_base_point: u32,
    ) -> bool {
        if depth == self.levels.len() {
            self.levels.push(SchreierTree::new(fresh_base_point));
        }
        let newest = self.strong.len();
        self.strong.push(StrongGenerator::new(element, depth));
        let mut grew = false;
        for level in 0..=depth {
            grew |= self.grow_level(level, newest);
        }
        grew
    }

    fn grow_level(&mut self, level: usize, newest: usize) -> bool {
        let tree = &self.levels[level];
        let generator = &self.strong[newest].forward;
        if tree
            .orbit()
            .iter()
            .all(|&point| tree.contains(generator.image(point)))
        {
            return false;
        }
        self.rebuild_tree(level);
        true
    }

    /// The number of base points that `element` fixes before the first that it moves.
    pub(crate) fn depth_of(&self, element: &Permutation) -> usize {
        let moved = self
            .levels
            .iter()
            .position(|tree| element.moves(tree.root()));
        moved.unwrap_or(self.levels.len())
    }

    /// Makes all trees breadth first, and adds redundant generators where they stay deep, as they
    /// do in a cyclic group with one generator. Sifting costs what the trees are deep.
    pub(crate) fn make_shallow(&mut self, random: &mut Seeded) {
        for level in 0..self.levels.len() {
            self.rebuild_tree(level);
            self.make_level_shallow(level, random);
        }
    }

    /// Adds redundant generators to a level whose tree is deep.
    pub(crate) fn make_level_shallow(&mut self, level: usize, random: &mut Seeded) {
        for _ in 0..MOST_EXTRA_GENERATORS {
            if !self.is_deep(level) {
                break;
            }
            self.add_redundant_generator(level, random);
        }
    }

    fn is_deep(&self, level: usize) -> bool {
        let tree = &self.levels[level];
        tree.depth(&self.strong) > 3 + tree.orbit().len().ilog2() as usize
    }

    fn rebuild_tree(&mut self, level: usize) {
        let usable = self.usable(level);
        self.levels[level].rebuild(&self.strong, &usable);
    }

    fn add_redundant_generator(&mut self, level: usize, random: &mut Seeded) {
        let element = self.random_from(level, random);
        let depth = self.depth_of(&element);
        if depth == level {
            self.strong.push(StrongGenerator::new(element, depth));
            self.rebuild_tree(level);
        }
    }

    /// Chooses, for every level from the last up, as few generators as are needed beside those of the
    /// levels below. In a correct chain they generate the same stabilisers: what they generate has
    /// the same orbit at this level and, by induction, the same stabiliser below it.
    pub(crate) fn mark_all_lean(&mut self) {
        (0..self.levels.len())
            .rev()
            .for_each(|level| self.mark_lean(level));
    }

    /// The step of [`StabiliserChain::mark_all_lean`] for one level.
    pub(crate) fn mark_lean(&mut self, level: usize) {
        let own = |strong: &StrongGenerator| strong.depth == level;
        self.strong
            .iter_mut()
            .filter(|strong| own(strong))
            .for_each(|strong| strong.lean = false);
        let mut reached = SchreierTree::new(self.levels[level].root());
        while reached.orbit().len() < self.levels[level].orbit().len() {
            let leaves = |index: &usize| {
                let generator = &self.strong[*index].forward;
                own(&self.strong[*index])
                    && reached
                        .orbit()
                        .iter()
                        .any(|&point| !reached.contains(generator.image(point)))
            };
            let Some(chosen) = (0..self.strong.len()).find(leaves) else {
                break;
            };
            self.strong[chosen].lean = true;
            let lean = self
                .usable(level)
                .into_iter()
                .filter(|&index| self.strong[index].lean);
            reached.rebuild(&self.strong, &lean.collect::<Vec<_>>());
        }
    }

    /// The chain of the stabiliser of the base points before `level`.
    pub(crate) fn suffix(&self, level: usize) -> StabiliserChain {
        let kept = self.usable(level);
        let mut renumbered = vec![usize::MAX; self.strong.len()];
        kept.iter()
            .enumerate()
            .for_each(|(new, &old)| renumbered[old] = new);
        let strong = kept.iter().map(|&index| {
            let strong = self.strong[index].clone();
            StrongGenerator {
                depth: strong.depth - level,
                ..strong
            }
        });
        let levels = self.levels[level..].iter();
        StabiliserChain {
            degree: self.degree,
            levels: levels
                .map(|tree| tree.relabelled(|point| point, |label| renumbered[label]))
                .collect(),
            strong: strong.collect(),
        }
    }

    /// Drops base points that the stabiliser of those before them fixes anyway.
    pub(crate) fn drop_redundant_levels(&mut self) {
        let mut kept_before = vec![0; self.levels.len()];
        let mut kept = 0;
        for (level, tree) in self.levels.iter().enumerate() {
            kept_before[level] = kept;
            kept += usize::from(tree.orbit().len() > 1);
        }
        self.strong
            .iter_mut()
            .for_each(|strong| strong.depth = kept_before[strong.depth]);
        self.levels.retain(|tree| tree.orbit().len() > 1);
    }

    /// A chain for the stabiliser of the base points before `level` whose base starts with `prefix`
    /// and goes on, where needed, with the base points of this chain.
    ///
    /// The order is known, so uniformly random elements are sifted in until it is reached: each has at
    /// least an even chance of making an incomplete chain larger, and the result is exact, not
    /// probable. Exchanging neighbouring base points one by one (Sims) is the alternative; it is
    /// slower when a point has to come up many levels.
    pub(crate) fn rebased(
        &self,
        level: usize,
        prefix: &[u32],
        random: &mut Seeded,
    ) -> StabiliserChain {
        let mut chain = StabiliserChain::with_base(self.degree, prefix);
        let order = self.order_from(level);
        let mut complete = order == BigUint::from(1u32);
        while !complete {
            let Sifted {
                residue,
                level: depth,
            } = chain.sift(&self.random_from(level, random));
            let moved = |tree: &&SchreierTree| residue.moves(tree.root());
            let Some(fresh) = self.levels[level..].iter().find(moved) else {
                continue; // Only the identity fixes a base.
            };
            complete = chain.insert(residue, depth, fresh.root()) && chain.order() == order;
            chain.make_level_shallow(depth, random);
        }
        chain.make_shallow(random);
        chain.mark_all_lean();
        chain
    }

    /// The chain of the same group with the points renamed by `conjugator`.
    pub(crate) fn conjugate(&self, conjugator: &Permutation) -> StabiliserChain {
        let rename = |strong: &StrongGenerator| StrongGenerator {
            forward: strong.forward.conjugate(conjugator),
            backward: strong.backward.conjugate(conjugator),
            ..*strong
        };
        let levels = self.levels.iter();
        StabiliserChain {
            degree: self.degree,
            levels: levels
                .map(|tree| tree.relabelled(|p| conjugator.image(p), |label| label))
                .collect(),
            strong: self.strong.iter().map(rename).collect(),
        }
    }
}

/// Random generators that [`StabiliserChain::make_shallow`] may add to a level. Each divides the
/// depth of a cyclic tree by more than two.
const MOST_EXTRA_GENERATORS: usize = 4;
