//! The states that a search remembers.
//!
//! What is remembered is the representative of a state. Which one is expanded is a choice (Bošnački, Dams and
//! Holenderski 2002, figures 3 and 4): the representative, or the state as it was met. Both explore the same
//! orbits if representatives are canonical. Expanding representatives keeps one state for each orbit; expanding originals
//! keeps two, but the states on the way to a violation are then an execution as they stand.

use mandala_model::step::Turn;
use mandala_store::{Insertion, StateId, StoreFull, VisitedSet};
use std::collections::HashSet;

/// What a search remembers, and what it expands.
#[derive(Debug)]
pub(crate) struct States {
    /// The representatives.
    pub visited: VisitedSet,
    /// The states as they were met, under the ids of their representatives, if those are expanded.
    pub originals: Option<VisitedSet>,
    /// Whose turn it is where nothing else is said.
    usual: Turn,
    /// The states in which the system stands still.
    stutter: HashSet<StateId>,
}

impl States {
    pub fn new(visited: VisitedSet, originals: Option<VisitedSet>, usual: Turn) -> Self {
        States {
            visited,
            originals,
            usual,
            stutter: HashSet::new(),
        }
    }

    /// Whose turn it is in a state.
    #[inline]
    pub fn turn(&self, id: StateId) -> Turn {
        match !self.stutter.is_empty() && self.stutter.contains(&id) {
            true => Turn::Stutter,
            false => self.usual,
        }
    }

    /// Remembers whose turn it is in a new state.
    #[inline]
    pub fn set_turn(&mut self, id: StateId, turn: Turn) {
        if turn == Turn::Stutter {
            self.stutter.insert(id);
        }
    }

    /// The state that is expanded under an id.
    #[inline]
    pub fn expanded(&self, id: StateId) -> &[u8] {
        self.originals.as_ref().unwrap_or(&self.visited).get(id)
    }

    /// Remembers how the state was met whose representative has just got its id. Both sets are filled in
    /// the same order with states of the same lengths, and no two originals are equal, as equal states
    /// have equal representatives; so the ids are the same.
    pub fn keep_original(&mut self, id: StateId, packed: &[u8]) -> Result<(), StoreFull> {
        if let Some(originals) = &mut self.originals {
            let kept = originals.insert(packed)?;
            assert_eq!(
                kept,
                Insertion::New(id),
                "an original with its representative's id"
            );
        }
        Ok(())
    }

    /// The memory that all this takes.
    pub fn bytes(&self) -> usize {
        self.visited.bytes() + self.originals.as_ref().map_or(0, VisitedSet::bytes)
    }
}
