//! Ways that part and meet again, as one.
//!
//! A loop over twenty members that asks something of each has a million ways through it. Where two ways meet that differ in one
//! condition alone, they can go on together: what they wrote is then a choice by that condition. This says the
//! same of the step with fewer ways, but terms that choose are told apart more easily than ways are, so it is done only where
//! the ways are too many.

use super::run::Run;
use crate::algebra::Algebra;
use crate::term::Cell;
use mandala_model::Model;
use mandala_model::template::Routine;
use mandala_model::types::{CodingKind, Scalar};
use std::collections::BTreeMap;

/// A run inside a routine: at which node, and whether that is the first.
pub(super) struct Place {
    pub(super) node: usize,
    pub(super) run: Run,
    pub(super) first: bool,
}

/// What has to be known to merge.
#[derive(Clone, Copy)]
pub(super) struct Merger<'m> {
    pub(super) algebra: Algebra,
    pub(super) model: &'m Model,
}

/// Whether what a cell holds is a number and no name.
fn is_number(model: &Model, cell: &Cell) -> bool {
    match cell.scalar.0 {
        Scalar::Int { .. } | Scalar::Range { .. } => true,
        Scalar::Enum(id) => model.enumeration(id).is_truth(),
        Scalar::Coded { coding, .. } => {
            let kind = model.codings.get(coding.index()).map(|c| &c.kind);
            matches!(kind, Some(CodingKind::Numbers { .. }))
        }
        _ => false,
    }
}

/// Runs that are not at their end yet.
pub(super) struct Open<'m> {
    /// In which order nodes are left: with merging, one after all those from which it can be reached, so that everybody is there who will
    /// come.
    ranks: Vec<usize>,
    merging: Option<Merger<'m>>,
    places: BTreeMap<(usize, usize), Vec<Place>>,
    /// What merging has cost that nobody has paid for.
    cost: usize,
}

impl<'m> Open<'m> {
    pub(super) fn new(routine: &Routine, merging: Option<Merger<'m>>) -> Self {
        let count = routine.nodes.len();
        Open {
            ranks: merging.map_or_else(|| vec![0; count], |_| ranks(routine)),
            merging,
            places: BTreeMap::new(),
            cost: 0,
        }
    }

    pub(super) fn push(&mut self, place: Place) {
        // Without merging everybody is in one place, and who came last goes on first.
        let key = match self.merging {
            Some(_) => (self.ranks[place.node], place.node),
            None => (0, 0),
        };
        self.places.entry(key).or_default().push(place);
    }

    /// What merging has cost since this was last asked.
    pub(super) fn take_cost(&mut self) -> usize {
        std::mem::take(&mut self.cost)
    }

    pub(super) fn pop(&mut self) -> Option<Place> {
        let mut entry = self.places.first_entry()?;
        if let Some(merger) = self.merging {
            self.cost += merge_all(merger, entry.get_mut());
        }
        let place = entry.get_mut().pop();
        if entry.get().is_empty() {
            entry.remove();
        }
        place
    }
}

/// Merges runs at one node as long as two of them can be. Answers what that cost.
fn merge_all(merger: Merger<'_>, places: &mut Vec<Place>) -> usize {
    let mut cost = 0;
    let mut at = 1;
    while at < places.len() {
        let (before, rest) = places.split_at(at);
        let run = &rest[0].run;
        let found = before.iter().enumerate().find_map(|(index, place)| {
            cost += place.run.asked() + run.asked();
            let is_number = |cell: &Cell| is_number(merger.model, cell);
            let merged = Run::merged(merger.algebra, is_number, (&place.run, run))?;
            Some((index, merged))
        });
        match found {
            Some((index, merged)) => {
                cost += merged.weight;
                places[index].run = merged;
                places.remove(at);
                // What has become one may go with another one now.
                at = 1;
            }
            None => at += 1,
        }
    }
    cost
}

/// The nodes numbered so that one comes before those that can be reached from it, as far as there are no cycles.
fn ranks(routine: &Routine) -> Vec<usize> {
    let count = routine.nodes.len();
    let mut ranks = vec![usize::MAX; count];
    let mut seen = vec![false; count];
    let mut next = count;
    let mut stack = vec![(0, 0)];
    if let Some(first) = seen.first_mut() {
        *first = true;
    }
    while let Some((node, choice)) = stack.pop() {
        let Some(chosen) = routine.nodes[node].choices.get(choice) else {
            next -= 1;
            ranks[node] = next;
            continue;
        };
        stack.push((node, choice + 1));
        if let Some(target) = chosen.next.map(|n| n.index())
            && !seen[target]
        {
            seen[target] = true;
            stack.push((target, 0));
        }
    }
    ranks
}
