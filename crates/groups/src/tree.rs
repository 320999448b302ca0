//! Schreier trees: an orbit together with words that lead from its root to each of its points.

use crate::permutation::Permutation;

/// A generator of some stabiliser in a chain, with its inverse, because trees are walked towards
/// the root.
#[derive(Clone, Debug)]
pub(crate) struct StrongGenerator {
    pub(crate) forward: Permutation,
    pub(crate) backward: Permutation,
    /// How many base points it fixes before the first that it moves.
    pub(crate) depth: usize,
    /// Member of the small generating sets, see `StabiliserChain::mark_lean`.
    pub(crate) lean: bool,
}

impl StrongGenerator {
    pub(crate) fn new(forward: Permutation, depth: usize) -> Self {
        let backward = forward.inverse();
        StrongGenerator {
            forward,
            backward,
            depth,
            lean: false,
        }
    }
}

const OUTSIDE: u32 = u32::MAX;
const ROOT: u32 = u32::MAX - 1;

/// An orbit as a tree whose edges are labelled with generators (indices into a pool that the
/// owner keeps).
#[derive(Clone, Debug)]
pub(crate) struct SchreierTree {
    root: u32,
    /// The points, parents before children.
    orbit: Vec<u32>,
    /// By point, the generator on the edge that leads to it. Empty while the root is alone, so that
    /// redundant base points cost nothing.
    labels: Vec<u32>,
}

impl SchreierTree {
    pub(crate) fn new(root: u32) -> Self {
        SchreierTree {
            root,
            orbit: vec![root],
            labels: Vec::new(),
        }
    }

    pub(crate) fn root(&self) -> u32 {
        self.root
    }

    pub(crate) fn orbit(&self) -> &[u32] {
        &self.orbit
    }

    pub(crate) fn contains(&self, point: u32) -> bool {
        point == self.root
            || self
                .labels
                .get(point as usize)
                .is_some_and(|&label| label != OUTSIDE)
    }

    /// Hangs `point` below its image under the inverse of the generator `label`.
    pub(crate) fn add(&mut self, point: u32, label: usize, degree: usize) {
        if self.labels.is_empty() {
            self.labels = vec![OUTSIDE; degree];
            self.labels[self.root as usize] = ROOT;
        }
        self.labels[point as usize] = label as u32;
        self.orbit.push(point);
    }

    /// Builds the tree anew, breadth first with all of `usable`, which makes it shallow.
    pub(crate) fn rebuild(&mut self, pool: &[StrongGenerator], usable: &[usize]) {
        *self = SchreierTree::new(self.root);
        self.close(pool, usable, 0);
    }

    /// Applies `usable` to the points from index `start` on, and to those that this adds.
    pub(crate) fn close(&mut self, pool: &[StrongGenerator], usable: &[usize], start: usize) {
        let mut index = start;
        while index < self.orbit.len() {
            for &label in usable {
                self.follow(pool, self.orbit[index], label);
            }
            index += 1;
        }
    }

    fn follow(&mut self, pool: &[StrongGenerator], point: u32, label: usize) {
        let generator = &pool[label].forward;
        let image = generator.image(point);
        if !self.contains(image) {
            self.add(image, label, generator.degree());
        }
    }

    /// The label and the other end of the edge from `point` towards the root; none at the root.
    /// The point must be in the orbit.
    fn step_up(&self, pool: &[StrongGenerator], point: u32) -> Option<(usize, u32)> {
        if point == self.root {
            return None;
        }
        let label = self.labels[point as usize] as usize;
        Some((label, pool[label].backward.image(point)))
    }

    /// `element` becomes `element * u^-1`, where u is the representative that takes the root to
    /// `point`, a member of the orbit.
    pub(crate) fn strip(&self, pool: &[StrongGenerator], element: &mut Permutation, point: u32) {
        let mut point = point;
        while let Some((label, above)) = self.step_up(pool, point) {
            element.append(&pool[label].backward);
            point = above;
        }
    }

    /// The representative that takes the root to `point`, a member of the orbit.
    pub(crate) fn representative(
        &self,
        pool: &[StrongGenerator],
        degree: usize,
        point: u32,
    ) -> Permutation {
        let mut word = Vec::new();
        let mut point = point;
        while let Some((label, above)) = self.step_up(pool, point) {
            word.push(label);
            point = above;
        }
        let mut labels = word.iter().rev();
        let Some(&first) = labels.next() else {
            return Permutation::identity(degree);
        };
        let mut element = pool[first].forward.clone();
        labels.for_each(|&label| element.append(&pool[label].forward));
        element
    }

    /// The label of the edge that leads to `point`; none for the root and for points outside.
    pub(crate) fn label(&self, point: u32) -> Option<usize> {
        match self.labels.get(point as usize) {
            None | Some(&(ROOT | OUTSIDE)) => None,
            Some(&label) => Some(label as usize),
        }
    }

    /// The number of edges on the longest way to the root.
    pub(crate) fn depth(&self, pool: &[StrongGenerator]) -> usize {
        let mut depths = vec![0; self.labels.len()];
        let mut deepest = 0;
        for &point in &self.orbit[1..] {
            if let Some((_, above)) = self.step_up(pool, point) {
                depths[point as usize] = depths[above as usize] + 1;
                deepest = deepest.max(depths[point as usize]);
            }
        }
        deepest
    }

    /// Renames the points by `names` and the labels by `label`.
    pub(crate) fn relabelled(
        &self,
        names: impl Fn(u32) -> u32,
        label: impl Fn(usize) -> usize,
    ) -> Self {
        let mut labels = vec![OUTSIDE; self.labels.len()];
        for (point, &old) in self.labels.iter().enumerate() {
            labels[names(point as u32) as usize] = if old < ROOT {
                label(old as usize) as u32
            } else {
                old
            };
        }
        let orbit = self.orbit.iter().map(|&point| names(point)).collect();
        SchreierTree {
            root: names(self.root),
            orbit,
            labels,
        }
    }
}
