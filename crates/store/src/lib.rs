//! Visited sets and search frontiers.
//!
//! An explicit search asks one question per transition: *has this state been seen?* This crate answers it
//! exactly (whole states are compared, nothing is hashed away), in little more memory than the states
//! themselves need plus about 7 bytes a state, and within a limit fixed beforehand.
//!
//! ```
//! use mandala_store::{BreadthFirst, Insertion, VisitedSet};
//!
//! // Count what is reachable from 1 under doubling and adding three, modulo 100.
//! let mut visited = VisitedSet::with_limit(1 << 20);
//! visited.insert(&[1])?;
//! let mut frontier = BreadthFirst::default();
//! while let Some((id, _depth)) = frontier.pop(&visited) {
//!     let value = visited.get(id)[0];
//!     for successor in [value * 2 % 100, (value + 3) % 100] {
//!         let _: Insertion = visited.insert(&[successor])?;
//!     }
//! }
//! assert_eq!(visited.len(), 100);
//! # Ok::<(), mandala_store::StoreFull>(())
//! ```
//!
//! [`StateStore`] does the same for many threads and in less memory, some 10 to 15 bytes a state whatever the
//! length, by sharing the parts that states have in common:
//!
//! ```
//! use mandala_store::{Arrived, StateStore, StoreKind, Tree};
//!
//! let store = StateStore::new(StoreKind::Exact, 1 << 20);
//! let mut session = store.session();
//! let start = session.prepare(b"a state of some length", &Tree::default())?;
//! let Arrived::New(start) = session.insert(start, 0)? else {
//!     unreachable!("the store was empty");
//! };
//! // The tree of the state that is expanded makes its successors cheaper.
//! let mut tree = Tree::default();
//! session.load(start, &mut tree);
//! let successors = [b"a State of some length", b"a state of some length"];
//! let prepared: Vec<_> = successors.iter().map(|state| session.prepare(*state, &tree)).collect();
//! for one in prepared {
//!     println!("{:?}", session.insert(one?, 1)?);
//! }
//! assert_eq!(store.len(), 2);
//! # Ok::<(), mandala_store::StoreFull>(())
//! ```
//!
//! # Map
//!
//! - `concurrent`: [`StateStore`] and [`Session`]; its essay says how it works and what was measured;
//! - `visited`: [`VisitedSet`], the set for one thread;
//! - `pages`: where the bytes of the states live, sorted by length;
//! - `index`: the hash table from a state's hash to its id; `hash`: that hash;
//! - `cursor`: [`Mark`] and [`Cursor`], the states inserted between two moments;
//! - `frontier`: [`BreadthFirst`] and [`DepthFirst`], the two search orders;
//! - `budget`: every allocation of the set for one thread is made through it, so the limit on memory cannot be
//!   forgotten.
//!
//! # Invariants
//!
//! - An id, once given out, means the same state for the life of the set. Nothing is ever removed.
//! - A failed insertion changes nothing that can be observed but [`VisitedSet::bytes`].
//! - So does a [`StateRef`], and no two states of a store share one.
//! - In a set for one thread, ids, their order and the order of iteration depend on the sequence of insertions
//!   alone: not on addresses, random seeds or the machine.
//! - This crate knows nothing about models: a state is a slice of bytes.

mod budget;
mod concurrent;
mod cursor;
mod frontier;
mod hash;
mod index;
mod pages;
mod visited;

use std::fmt;

pub use concurrent::{
    Arrived, CheckpointError, OmissionBasis, Omissions, Prepared, Session, StateRef, StateStore,
    StoreKind, Tree,
};
pub use cursor::{Cursor, Mark};
pub use frontier::{BreadthFirst, DepthFirst};
pub use visited::{Insertion, VisitedSet};

/// The longest state that can be stored, in bytes.
pub const MAX_STATE_LENGTH: usize = 64 * 1024;

/// The name of a stored state, valid for the set that gave it out.
///
/// Ids are small numbers, nearly but not perfectly consecutive: a table with [`VisitedSet::id_bound`] entries
/// can be indexed with [`StateId::index`] to keep something beside each state. The number `u32::MAX` is no id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(u32);

impl StateId {
    /// The id as an index into a table kept beside the set.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id as a number, for compact storage.
    #[must_use]
    pub fn as_u32(self) -> u32 {
        self.0
    }

    /// The inverse of [`StateId::as_u32`].
    #[must_use]
    pub fn from_u32(number: u32) -> Self {
        Self(number)
    }
}

/// Why a state could not be stored. The set remains usable and keeps what it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreFull {
    /// Storing the state needs more memory than the limit allows, or than the system gives. Short of the latter,
    /// states stored before are still found.
    Memory,
    /// All ids are taken.
    Ids,
    /// The state is longer than [`MAX_STATE_LENGTH`].
    Length,
}

impl fmt::Display for StoreFull {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => formatter.write_str("the memory limit of the visited set is reached"),
            Self::Ids => formatter.write_str("the visited set has no state ids left"),
            Self::Length => write!(formatter, "a state is longer than {MAX_STATE_LENGTH} bytes"),
        }
    }
}

impl std::error::Error for StoreFull {}
