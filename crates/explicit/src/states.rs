//! The states that a search stores.
//!
//! What is stored is the representative of a state. Which one is expanded is a choice (Bošnački, Dams and
//! Holenderski 2002, figures 3 and 4): the representative, or the state as it was met. Both explore the same
//! orbits if representatives are canonical. Expanding representatives keeps one state for each orbit; expanding originals
//! keeps two, but the states on the way to a violation are then an execution as they stand.

use crate::options::{Expansion, Options};
use mandala_model::step::Turn;
use mandala_store::{Session, StateRef, StateStore, Tree};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a search stores, and what it expands. A state that is expanded is named by the store that it is read from:
/// the one of the originals, if there is one.
#[derive(Debug)]
pub(crate) struct States {
    /// The representatives.
    pub visited: StateStore,
    /// The states as they were met, if those are expanded. No two are equal, as equal states have equal
    /// representatives.
    pub originals: Option<StateStore>,
    /// Whose turn it is where nothing else is said.
    usual: Turn,
    /// The states in which the system stands still.
    stutter: Mutex<HashSet<StateRef>>,
}

impl States {
    /// No states yet.
    pub(crate) fn new(options: &Options, usual: Turn) -> Self {
        let limit = options.memory();
        let store = || StateStore::new(options.store, limit);
        let originals = options.expand == Expansion::Originals;
        States::from_stores(store(), originals.then(store), usual, HashSet::new())
    }

    /// Those that are in these stores already.
    pub(crate) fn from_stores(
        visited: StateStore,
        originals: Option<StateStore>,
        usual: Turn,
        stutter: HashSet<StateRef>,
    ) -> Self {
        States {
            visited,
            originals,
            usual,
            stutter: Mutex::new(stutter),
        }
    }

    /// One thread's access.
    pub(crate) fn access(&self) -> Access<'_> {
        Access {
            visited: self.visited.session(),
            originals: self.originals.as_ref().map(StateStore::session),
        }
    }

    /// The store of the states that are expanded.
    pub(crate) fn expanded(&self) -> &StateStore {
        self.originals.as_ref().unwrap_or(&self.visited)
    }

    /// Whose turn it is in a state.
    #[inline]
    pub(crate) fn turn(&self, state: StateRef) -> Turn {
        match self.usual == Turn::Claim && self.stutter().contains(&state) {
            true => Turn::Stutter,
            false => self.usual,
        }
    }

    /// The states in which the system stands still.
    pub(crate) fn stutter(&self) -> MutexGuard<'_, HashSet<StateRef>> {
        self.stutter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the stores take no more memory than is left beside what others hold.
    pub(crate) fn set_aside(&self, bytes: usize) {
        let others = self.originals.as_ref().map_or(0, StateStore::bytes);
        self.visited.set_aside(bytes.saturating_add(others));
        if let Some(originals) = &self.originals {
            originals.set_aside(bytes.saturating_add(self.visited.bytes()));
        }
    }

    /// How much of the memory that the stores take has not been written to yet.
    pub(crate) fn untouched(&self) -> usize {
        let originals = self.originals.as_ref().map_or(0, StateStore::untouched);
        self.visited.untouched() + originals
    }

    /// Whether what is stored now goes to a reserve, after which nothing can be stored.
    pub(crate) fn is_on_reserve(&self) -> bool {
        let originals = self.originals.as_ref();
        self.visited.is_on_reserve() || originals.is_some_and(StateStore::is_on_reserve)
    }

    /// The memory that all this takes.
    pub(crate) fn bytes(&self) -> usize {
        let originals = self.originals.as_ref().map_or(0, StateStore::bytes);
        let stutter = match self.usual {
            Turn::Claim => self.stutter().capacity() * (size_of::<StateRef>() + 1),
            _ => 0,
        };
        self.visited.bytes() + originals + stutter
    }
}

/// One thread's access to the states.
#[derive(Debug)]
pub(crate) struct Access<'s> {
    pub visited: Session<'s>,
    pub originals: Option<Session<'s>>,
}

impl Access<'_> {
    /// Reads a state that is to be expanded.
    #[inline]
    pub(crate) fn load(&mut self, state: StateRef, tree: &mut Tree) {
        self.originals
            .as_mut()
            .unwrap_or(&mut self.visited)
            .load(state, tree);
    }

    /// Lets the processor fetch a state that is to be expanded soon.
    #[inline]
    pub(crate) fn anticipate(&self, state: StateRef) {
        self.originals
            .as_ref()
            .unwrap_or(&self.visited)
            .anticipate(state);
    }

    /// Whether a representative has a later mark of depth than another one. Marks are given once and for all when states are first met, and
    /// go round at 255, so a later one may belong to a state that is less deep; but no chain of states leads from mark to later mark and back.
    pub(crate) fn is_later(&mut self, state: StateRef, than: StateRef) -> bool {
        let (mark, than) = (self.visited.tag(state), self.visited.tag(than));
        mark.zip(than).is_some_and(|(mark, than)| mark > than)
    }

    /// Lets others change the stores until the next call.
    pub(crate) fn release(&mut self) {
        self.visited.release();
        if let Some(originals) = &mut self.originals {
            originals.release();
        }
    }
}
