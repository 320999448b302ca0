//! The abstract states that have been met, and which of them stand for nothing that others do not stand for.

use crate::space::{Space, Stop};
use mandala_model::State;
use mandala_symmetry::{Partition, Renaming};
use std::collections::{BTreeSet, HashMap};

/// An abstract state: all images of a state under the group of a partition.
pub(crate) struct Node {
    /// The number of the partition.
    partition: usize,
    pub state: State,
    packed: Vec<u8>,
    pub origin: Option<Origin>,
    pub depth: u64,
    /// Whether another one stands for all that this one stands for. It stays as the origin of others.
    pub subsumed: bool,
}

/// Where an abstract state was met.
pub(crate) enum Origin {
    /// By one step.
    Step(Arrival),
    /// By several, which lead to its parts: from the node of that number, by the states that they lead to and the partitions these have.
    Parts(usize, Vec<Part>),
}

/// A part of what an abstract state stands for: all images of a state under the group of a partition.
#[derive(Clone)]
pub(crate) struct Part {
    pub partition: Partition,
    pub state: State,
    /// From the state of the node that a step leads from to the one that it is made from.
    pub before: Renaming,
}

/// A step to an abstract state: from the node `parent` the state `before (its state)` leads to `met`, and `after` makes that the state of the node.
pub(crate) struct Arrival {
    pub parent: usize,
    pub before: Renaming,
    pub after: Renaming,
    /// Points that are in one cell only because exchanging them changes nothing in the state that was met.
    pub merged: BTreeSet<usize>,
}

/// All abstract states.
#[derive(Default)]
pub(crate) struct Nodes {
    pub all: Vec<Node>,
    partitions: Vec<Partition>,
    index: HashMap<(usize, Vec<u8>), usize>,
}

/// What becomes of an abstract state that is met.
pub(crate) enum Met {
    /// It is a new node.
    New(usize),
    /// Some node stands for all of it.
    Known,
}

impl Nodes {
    /// The partition of a node.
    pub(crate) fn partition(&self, node: usize) -> &Partition {
        &self.partitions[self.all[node].partition]
    }

    /// The nodes that no other stands for.
    pub(crate) fn kept(&self) -> impl Iterator<Item = usize> {
        let all = self.all.iter().enumerate();
        all.filter(|(_, node)| !node.subsumed)
            .map(|(number, _)| number)
    }

    /// Adds a state that was met, with the group of a partition, unless it is known.
    pub(crate) fn add(
        &mut self,
        space: &mut Space<'_>,
        partition: &Partition,
        met: &State,
        depth: u64,
        origin: impl FnOnce(Renaming) -> Option<Origin>,
    ) -> Result<Met, Stop> {
        let least = space.least(partition, met)?;
        let known = self.subsumer(space, (partition, &least.state), &|_| true)?;
        if known.is_some() {
            return Ok(Met::Known);
        }
        let known = self.partitions.iter().position(|known| known == partition);
        let number = known.unwrap_or_else(|| {
            self.partitions.push(partition.clone());
            self.partitions.len() - 1
        });
        let node = self.all.len();
        self.index.insert((number, least.packed.clone()), node);
        self.all.push(Node {
            partition: number,
            state: least.state,
            packed: least.packed,
            origin: origin(least.renaming),
            depth,
            subsumed: false,
        });
        Ok(Met::New(node))
    }

    /// A node that is wanted and stands for all that a pair stands for, as far as that is seen: each cell of the partition of the pair lies in one of the
    /// node's, or permuting it changes nothing, and the states of both have one representative under the node's group.
    fn subsumer(
        &self,
        space: &mut Space<'_>,
        (partition, state): (&Partition, &State),
        wanted: &dyn Fn(usize) -> bool,
    ) -> Result<Option<usize>, Stop> {
        for (number, coarse) in self.partitions.iter().enumerate() {
            if !lies_within(space, (partition, state), coarse) {
                continue;
            }
            let least = space.least(coarse, state)?;
            let node = self.index.get(&(number, least.packed)).copied();
            if let Some(node) = node.filter(|node| wanted(*node)) {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    /// Drops a node if another one stands for all of it that has not been dropped and is not deeper than that. Says whether it is dropped.
    pub(crate) fn drop_if_subsumed(
        &mut self,
        space: &mut Space<'_>,
        node: usize,
        deepest: u64,
    ) -> Result<bool, Stop> {
        if self.all[node].subsumed {
            return Ok(true);
        }
        let of = &self.all[node];
        let pair = (&self.partitions[of.partition], &of.state);
        let is_other = |other: usize| {
            other != node && !self.all[other].subsumed && self.all[other].depth <= deepest
        };
        let found = self.subsumer(space, pair, &is_other)?.is_some();
        if found {
            let of = &mut self.all[node];
            of.subsumed = true;
            // Whatever it stands for is known by the other one.
            self.index
                .remove(&(of.partition, std::mem::take(&mut of.packed)));
        }
        Ok(found)
    }

    /// The states of a run to a state that a node stands for: the image of the node's state under a renaming. From the end to the start, as the state of a pair that a run comes
    /// from follows from the one that it leads to.
    pub(crate) fn run(
        &self,
        space: &mut Space<'_>,
        node: usize,
        last: Renaming,
    ) -> Result<Vec<State>, Stop> {
        let defect = || Stop::Defect("a renaming on a run cannot be applied".into());
        let (mut node, mut renaming) = (node, last);
        let mut states = Vec::new();
        loop {
            let of = &self.all[node];
            states.push(space.image(&renaming, &of.state).ok_or_else(defect)?);
            let Some(origin) = &of.origin else {
                break;
            };
            (node, renaming) = match origin {
                Origin::Step(arrival) => {
                    let moved = self.moved(space, node, arrival, &renaming);
                    (arrival.parent, arrival.before.then(&moved))
                }
                Origin::Parts(parent, parts) => {
                    let state = states.last().ok_or_else(defect)?;
                    let part = part_with(space, parts, state)?.ok_or_else(defect)?;
                    (*parent, part)
                }
            };
        }
        states.reverse();
        Ok(states)
    }

    /// What makes the state that a step leads to the image of a node's state under a renaming, and keeps the cells that the step keeps.
    fn moved(
        &self,
        space: &Space<'_>,
        node: usize,
        arrival: &Arrival,
        renaming: &Renaming,
    ) -> Renaming {
        let from_met = arrival.after.then(renaming);
        if arrival.merged.is_empty() {
            return from_met;
        }
        let points = 0..self.partition(node).points();
        let others = points.filter(|p| !arrival.merged.contains(p)).collect();
        space.symmetry().restricted(&from_met, &others)
    }
}

/// From the state of the node that the parts were met from to the one from which a step leads to that state, which is in one of them.
fn part_with(
    space: &mut Space<'_>,
    parts: &[Part],
    state: &State,
) -> Result<Option<Renaming>, Stop> {
    for part in parts {
        let (own, other) = (
            space.least(&part.partition, &part.state)?,
            space.least(&part.partition, state)?,
        );
        if own.packed == other.packed {
            let moved = own.renaming.then(&other.renaming.inverse());
            return Ok(Some(part.before.then(&moved)));
        }
    }
    Ok(None)
}

/// Whether each cell of the partition of a pair lies in a cell of the coarser one, or permuting it changes nothing in the state.
fn lies_within(
    space: &Space<'_>,
    (partition, state): (&Partition, &State),
    coarse: &Partition,
) -> bool {
    partition.refines(coarse)
        || partition.cells().iter().all(|cell| {
            let mut pairs = cell.windows(2);
            pairs.clone().all(|w| coarse.joins(w[0], w[1]))
                || pairs.all(|w| space.is_fixed(state, w[0], w[1]))
        })
}
