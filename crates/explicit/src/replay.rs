//! Expanding remembered states once more, to find out how a state was reached.

use crate::search::Turns;
use mandala_encoding::{Sink, Stepper};
use mandala_model::step::{Turn, Violation};
use mandala_store::{Mark, StateId, VisitedSet};

/// What is needed to expand remembered states again.
pub(crate) struct Replay<'s, 'p> {
    pub stepper: &'s mut Stepper<'p>,
    pub visited: &'s VisitedSet,
    pub turns: &'s Turns,
}

impl Replay<'_, '_> {
    /// The first state inserted between two moments from which a step leads to `wanted`.
    pub fn predecessor(&mut self, from: &Mark, to: &Mark, wanted: StateId) -> Option<StateId> {
        let mut search = Wanted {
            packed: self.visited.get(wanted),
            found: false,
        };
        self.visited.between(from, to).find(|&id| {
            // A successor that is too large is not the wanted one. Nothing is to be watched: all
            // these states have been expanded before.
            let _ = self
                .stepper
                .expand(self.visited.get(id), self.turns.of(id), &mut search);
            search.found
        })
    }
}

/// Looks for one state among the successors of others.
struct Wanted<'a> {
    packed: &'a [u8],
    found: bool,
}

impl Sink for Wanted<'_> {
    fn successor(&mut self, packed: &[u8], _: Turn) {
        self.found |= packed == self.packed;
    }

    fn violation(&mut self, _: Violation) {}
}
