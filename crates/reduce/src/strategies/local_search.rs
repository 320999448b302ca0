//! `local-search`: from a state to the smallest of its neighbours, until none is smaller (Donaldson and Miller 2006).
//!
//! Neighbours are the images under an exchange of two points of one block, if any two of them may change places, and under the
//! elements that a stabiliser chain of the group is made of, and their inverses, otherwise. Each step takes the best of all, where
//! [`minimising-set`](super::minimising_set) takes each improvement at once; the states at which the two stop are the same ones,
//! those that no exchange makes smaller, but from a given state they may stop at different ones. Exact, for the
//! same reason, if any two points of a block may change places and points do not refer to each other.

use super::minimising_set::{all_pairs, exactness_of_minima};
use crate::held::{Chain, Level, back_and_forth, bytes};
use crate::plan::Plan;
use crate::settings::Settings;
use mandala_canon::walk::{Exchanges, exchanges};
use mandala_canon::{Effort, Exactness, Labeller, Labelling, Labels, Shape, View, compare};
use mandala_groups::{Group, Permutation};

/// Goes downhill to the smallest of the neighbours.
#[derive(Clone, Debug)]
pub struct LocalSearch {
    shape: Shape,
    /// What leads to the neighbours.
    ways: Vec<Exchanges>,
    /// Whether these are all exchanges of two points, and nothing else.
    all_exchanges: bool,
    /// Where the search is.
    here: Labels,
    /// The smallest neighbour so far.
    least: Labels,
    limit: u32,
}

pub(super) fn labeller(plan: &Plan, settings: &Settings) -> Box<dyn Labeller> {
    let held = plan.points().held.as_ref();
    let first_full = held.map_or(0, |held| held.degree());
    let pairs = all_pairs(plan.shape()).into_iter();
    let pairs = pairs.filter(|(a, _)| *a >= first_full);
    let mut ways: Vec<Exchanges> = pairs.map(|pair| vec![pair]).collect();
    ways.extend(held.into_iter().flat_map(|held| elements(held)));
    let limit = settings.permutations;
    Box::new(LocalSearch::new(plan.shape(), ways, held.is_none(), limit))
}

/// The elements of a group that its stabiliser chain is made of, and their inverses.
fn elements(group: &Group) -> Vec<Exchanges> {
    let chain = Chain::new(group);
    let choices = chain.levels().iter().flat_map(Level::choices);
    let identity: Vec<usize> = (0..group.degree()).collect();
    let mut images = Vec::new();
    for (_, taking) in choices {
        let inverse = back_and_forth(taking, &bytes(&Permutation::identity(group.degree())));
        images.push(inverse);
        images.push(taking.iter().copied().map(usize::from).collect());
    }
    images.sort_unstable();
    images.dedup();
    images.retain(|images| *images != identity);
    images.iter().map(|images| exchanges(images)).collect()
}

impl LocalSearch {
    /// A labeller that stops after `limit` permutations of one state, wherever it is.
    pub(super) fn new(
        shape: &Shape,
        ways: Vec<Exchanges>,
        all_exchanges: bool,
        limit: u32,
    ) -> Self {
        let labels = Labels::identity(shape.points());
        Self {
            shape: shape.clone(),
            ways,
            all_exchanges,
            here: labels.clone(),
            least: labels,
            limit,
        }
    }

    /// Looks at up to so many neighbours, and goes to the smallest if it is smaller.
    fn step(&mut self, view: &View, neighbours: usize) -> bool {
        let mut improved = false;
        for way in &self.ways[..neighbours] {
            way.iter()
                .for_each(|&(a, b)| self.here.swap_positions(a, b));
            if compare(&self.shape, view, &self.here, &self.least).is_lt() {
                self.least.copy_from(&self.here);
                improved = true;
            }
            let back = way.iter().rev();
            back.for_each(|&(a, b)| self.here.swap_positions(a, b));
        }
        self.here.copy_from(&self.least);
        improved
    }

    fn exactness(&self, is_minimum: bool) -> Exactness {
        match self.all_exchanges {
            true => exactness_of_minima(&self.shape, is_minimum),
            false => Exactness::Heuristic,
        }
    }
}

impl Labeller for LocalSearch {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.here.reset();
        self.least.reset();
        let mut tried = 1;
        let is_minimum = loop {
            let left = self.limit.saturating_sub(tried) as usize;
            let neighbours = self.ways.len().min(left);
            tried += neighbours as u32;
            let improved = self.step(view, neighbours);
            if neighbours < self.ways.len() || !improved {
                break neighbours == self.ways.len();
            }
        };
        let exactness = self.exactness(is_minimum);
        Labelling::new(&self.least, exactness, Effort::of_permutations(tried))
    }
}
