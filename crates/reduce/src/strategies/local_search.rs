//! `local-search`: from a state to the smallest of its neighbours, until none is smaller (Donaldson and Miller 2006).
//!
//! Neighbours are the images under an exchange of two points of one domain. Each step takes the best of all, where
//! [`minimising-set`](super::minimising_set) takes each improvement at once; the states at which the two stop are the same ones,
//! those that no exchange makes smaller, but from a given state they may stop at different ones. Exact, for the
//! same reason, if points do not refer to each other.

use super::minimising_set::{all_pairs, exactness_of_minima};
use mandala_canon::{Effort, Labeller, Labelling, Labels, Shape, View, compare};

/// Goes downhill along the steepest exchanges of two points.
#[derive(Clone, Debug)]
pub struct LocalSearch {
    shape: Shape,
    pairs: Vec<(usize, usize)>,
    /// Where the search is.
    here: Labels,
    /// The smallest neighbour so far.
    least: Labels,
    limit: u32,
}

impl LocalSearch {
    /// A labeller that stops after `limit` permutations of one state, wherever it is.
    pub fn new(shape: &Shape, limit: u32) -> Self {
        let labels = Labels::identity(shape.points());
        Self {
            shape: shape.clone(),
            pairs: all_pairs(shape),
            here: labels.clone(),
            least: labels,
            limit,
        }
    }

    /// Looks at up to so many neighbours, and goes to the smallest if it is smaller.
    fn step(&mut self, view: &View, neighbours: usize) -> bool {
        let mut improved = false;
        for &(a, b) in &self.pairs[..neighbours] {
            self.here.swap_positions(a, b);
            if compare(&self.shape, view, &self.here, &self.least).is_lt() {
                self.least.copy_from(&self.here);
                improved = true;
            }
            self.here.swap_positions(a, b);
        }
        self.here.copy_from(&self.least);
        improved
    }
}

impl Labeller for LocalSearch {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.here.reset();
        self.least.reset();
        let mut tried = 1;
        let is_minimum = loop {
            let left = self.limit.saturating_sub(tried) as usize;
            let neighbours = self.pairs.len().min(left);
            tried += neighbours as u32;
            let improved = self.step(view, neighbours);
            if neighbours < self.pairs.len() || !improved {
                break neighbours == self.pairs.len();
            }
        };
        let exactness = exactness_of_minima(&self.shape, is_minimum);
        Labelling::new(&self.least, exactness, Effort::of_permutations(tried))
    }
}
