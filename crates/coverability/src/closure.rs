//! The pairs of a shared and a local state that can arise if the number of threads in a local state is forgotten.
//!
//! A set of pairs is closed if it has the pairs of the start and, with the pair that a transition begins in, those that it makes: that of the thread
//! that moves, that of a new one, and that of each thread that may be beside it. A closed set has all pairs that are reachable with any number of
//! threads. The least one is the cheapest proof that there is, and the others search among its pairs only.

use crate::index::Index;
use crate::system::{Pair, Shared, ThreadSystem, Transition};
use std::collections::BTreeSet;

/// The pairs that runs start with.
pub(crate) fn first_pairs(system: &ThreadSystem) -> impl Iterator<Item = Pair> + '_ {
    let starts = system.starts.iter();
    starts.flat_map(|start| {
        let locals = start.ones.iter().copied().chain(start.any);
        locals.map(|local| (start.shared, local))
    })
}

/// The least closed set.
pub(crate) fn least(system: &ThreadSystem, index: &Index) -> BTreeSet<Pair> {
    let mut open: Vec<Pair> = first_pairs(system).collect();
    let mut pairs: BTreeSet<Pair> = open.iter().copied().collect();
    let mut made = Vec::new();
    while let Some(pair) = open.pop() {
        made_with(system, index, &pairs, pair, &mut made);
        open.extend(made.drain(..).filter(|pair| pairs.insert(*pair)));
    }
    pairs
}

/// Whether a set is closed.
pub(crate) fn is_closed(system: &ThreadSystem, index: &Index, pairs: &BTreeSet<Pair>) -> bool {
    let mut made = Vec::new();
    let mut steps = pairs.iter().map(|pair| {
        made_with(system, index, pairs, *pair, &mut made);
        made.drain(..).all(|pair| pairs.contains(&pair))
    });
    let starts = first_pairs(system).all(|pair| pairs.contains(&pair));
    starts && steps.all(|closed| closed)
}

/// What a pair adds: its own steps with all that may be beside it, and where the steps of those take its thread.
fn made_with(
    system: &ThreadSystem,
    index: &Index,
    pairs: &BTreeSet<Pair>,
    (shared, local): Pair,
    made: &mut Vec<Pair>,
) {
    for number in index.from(shared) {
        let step = &system.transitions[*number];
        match step.active {
            Some((mover, _)) if mover == local => {
                moves(step, made);
                for beside in locals_of(pairs, shared) {
                    follow(step, beside, made);
                }
            }
            Some((mover, _)) if !pairs.contains(&(shared, mover)) => {}
            _ => follow(step, local, made),
        }
    }
}

fn locals_of(pairs: &BTreeSet<Pair>, shared: Shared) -> impl Iterator<Item = u32> + '_ {
    let range = pairs.range((shared, 0)..=(shared, u32::MAX));
    range.map(|(_, local)| *local)
}

fn moves(step: &Transition, made: &mut Vec<Pair>) {
    let moved = step.active.map(|(_, after)| after);
    made.extend(moved.into_iter().chain(step.spawned).map(|l| (step.to, l)));
}

fn follow(step: &Transition, local: u32, made: &mut Vec<Pair>) {
    match step.images(local) {
        Some(images) => made.extend(images.iter().map(|image| (step.to, *image))),
        None => made.push((step.to, local)),
    }
}
