//! The labelling of a state together with the orbitals of the group, brought back into the group.

use super::chain::Chain;
use super::orbitals::{Closure, WithOrbitals};
use mandala_canon::{
    Budget, Canonicaliser, Exactness, Labeller, Labelling, Labels, Point, Shape, View,
};
use mandala_groups::Group;

/// Labels states under a group of the first points, times all permutations of the others.
#[derive(Clone, Debug)]
pub(super) struct Labelled {
    orbitals: WithOrbitals,
    canonicaliser: Canonicaliser,
    chain: Chain,
    positions: Vec<Point>,
    labels: Labels,
}

impl Labelled {
    pub fn new(shape: &Shape, group: &Group, budget: Budget) -> Self {
        let orbitals = WithOrbitals::new(shape, group);
        Labelled {
            canonicaliser: Canonicaliser::new(orbitals.shape(), budget),
            orbitals,
            chain: Chain::new(group),
            positions: vec![0; shape.points()],
            labels: Labels::identity(shape.points()),
        }
    }

    pub fn closure(&self) -> Closure {
        self.orbitals.closure()
    }

    pub fn chain(&self) -> &Chain {
        &self.chain
    }
}

impl Labeller for Labelled {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        let found = self.canonicaliser.canonicalise(&self.orbitals.view(view));
        let (exactness, effort) = (found.exactness(), found.effort());
        self.positions.copy_from_slice(found.positions());
        self.chain.settle(&mut self.positions);
        self.labels.set_positions(&self.positions);
        let only_one = self.closure() == Closure::Closed || self.canonicaliser.has_told_all_apart();
        let exactness = match only_one {
            true => exactness,
            false => Exactness::Heuristic,
        };
        Labelling::new(&self.labels, exactness, effort)
    }
}
