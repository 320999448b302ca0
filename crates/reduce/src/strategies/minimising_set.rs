//! `minimising-set`: exchanges of two points, from a set that recognises least states, until none makes the state smaller.
//!
//! A set of permutations is *minimising* if a state that none of them makes smaller is the least of its orbit (Emerson and
//! Wahl 2005; Donaldson and Miller 2006). For the full symmetric group all exchanges of two points are such a set as
//! long as points do not refer to each other; then applying them while they help is sorting, and exact:
//! a state that no exchange of neighbours makes smaller has sorted rows, and among points with equal rows (they are
//! neighbours) first mentions in the shared references come in the order of positions, those without any last; there is
//! only one such state in an orbit.
//!
//! With references or relations between points the set is not minimising: the descent ends in a local minimum, of which
//! an orbit may have several. On partial maps (every point refers to a point or to nothing) there are 48 for the 45 orbits
//! of 4 points and 150 for the 121 of 5.

use crate::plan::Plan;
use crate::settings::Settings;
use mandala_canon::{Effort, Exactness, Labeller, Labelling, Labels, Shape, View, compare};

/// Exchanges pairs of points, from the first pair on, as long as some exchange makes the image smaller.
#[derive(Clone, Debug)]
pub struct MinimisingSet {
    shape: Shape,
    pairs: Vec<(usize, usize)>,
    least: Labels,
    at_hand: Labels,
    limit: u32,
}

impl MinimisingSet {
    /// A labeller that stops after `limit` permutations of one state, wherever it is.
    pub fn new(shape: &Shape, limit: u32) -> Self {
        let labels = Labels::identity(shape.points());
        Self {
            shape: shape.clone(),
            pairs: all_pairs(shape),
            least: labels.clone(),
            at_hand: labels,
            limit,
        }
    }

    /// Exchanges two points if that makes the image smaller.
    fn improve_by(&mut self, view: &View, (a, b): (usize, usize)) -> bool {
        self.at_hand.swap_positions(a, b);
        let better = compare(&self.shape, view, &self.at_hand, &self.least).is_lt();
        let follower = if better {
            &mut self.least
        } else {
            &mut self.at_hand
        };
        follower.swap_positions(a, b);
        better
    }
}

impl Labeller for MinimisingSet {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.least.reset();
        self.at_hand.reset();
        let mut tried = 1;
        // The descent is over when all pairs in a row have been of no use.
        let (mut next, mut useless) = (0, 0);
        while useless < self.pairs.len() && tried < self.limit {
            let improved = self.improve_by(view, self.pairs[next]);
            useless = if improved { 0 } else { useless + 1 };
            next = (next + 1) % self.pairs.len();
            tried += 1;
        }
        let is_minimum = useless == self.pairs.len();
        let exactness = exactness_of_minima(&self.shape, is_minimum);
        Labelling::new(&self.least, exactness, Effort::of_permutations(tried))
    }
}

pub(super) fn labeller(plan: &Plan, settings: &Settings) -> Box<dyn Labeller> {
    Box::new(MinimisingSet::new(plan.shape(), settings.permutations))
}

/// All pairs of points of one domain.
pub(super) fn all_pairs(shape: &Shape) -> Vec<(usize, usize)> {
    let domains = (0..shape.domains()).map(|domain| shape.domain_points(domain));
    domains
        .flat_map(|points| {
            let end = points.end;
            points.flat_map(move |a| (a + 1..end).map(move |b| (a, b)))
        })
        .collect()
}

/// What is known of a state that no exchange of two points makes smaller.
pub(super) fn exactness_of_minima(shape: &Shape, is_minimum: bool) -> Exactness {
    if is_minimum && !shape.is_linked() {
        Exactness::Exact
    } else {
        Exactness::Heuristic
    }
}
