//! The store as a whole.

use super::StateRef;
use super::allowance::Allowance;
use super::class::Tables;
use super::session::{Desk, Session};
use super::sieve::{Omissions, Sieve};
use super::sync::{AtomicU64, AtomicUsize, Mutex, MutexGuard, Ordering, RwLock, RwLockReadGuard};
use crate::StoreFull;
use std::sync::atomic::AtomicU64 as Counter;
use std::sync::{Arc, PoisonError};

/// The number of the next store. It is no part of any model, hence not from `sync`.
static SERIAL: Counter = Counter::new(1);

/// What a [`StateStore`] remembers of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreKind {
    /// All of it: a state is never taken for another one.
    Exact,
    /// 44 bits of a hash: a state is taken for another one with a chance of one in 10^13, times the number of states.
    HashCompact,
    /// A few bits of a field.
    Bitstate {
        /// The size of the field.
        bytes: usize,
        /// How many bits are set for a state, at least one and at most ten.
        hashes: u32,
    },
}

/// A set of states, shared by many threads.
///
/// A state is a slice of at most [`MAX_STATE_LENGTH`](crate::MAX_STATE_LENGTH) bytes. Threads work through a
/// [`Session`] each.
#[derive(Debug)]
pub struct StateStore {
    /// A number that no other store of this process has.
    pub(super) serial: u64,
    pub(super) kind: StoreKind,
    pub(super) allowance: Allowance,
    pub(super) tables: RwLock<Tables>,
    /// How many threads wait for the tables to be free.
    pub(super) wanted: AtomicUsize,
    desks: Mutex<Desks>,
}

/// What sessions leave behind for the next ones, and what they have counted.
#[derive(Debug, Default)]
pub(super) struct Desks {
    free: Vec<Desk>,
    tallies: Vec<Arc<Tally>>,
}

/// How many states one session has found. Written by that session alone.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Tally {
    states: AtomicU64,
    bytes: AtomicU64,
}

impl StateStore {
    /// An empty store that will not hold more than `limit` bytes of memory.
    #[must_use]
    pub fn new(kind: StoreKind, limit: usize) -> Self {
        let allowance = Allowance::new(limit);
        let sieve = match kind {
            StoreKind::Exact => None,
            StoreKind::HashCompact => Some(Sieve::compact(&allowance)),
            StoreKind::Bitstate { bytes, hashes } => Some(Sieve::field(bytes, hashes)),
        };
        Self {
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
            kind,
            allowance,
            tables: RwLock::new(Tables::new(sieve)),
            wanted: AtomicUsize::new(0),
            desks: Mutex::new(Desks::default()),
        }
    }

    /// What is remembered of a state.
    #[must_use]
    pub fn kind(&self) -> StoreKind {
        self.kind
    }

    /// Access to the store for one thread.
    #[must_use]
    pub fn session(&self) -> Session<'_> {
        Session::new(self)
    }

    /// How many states there are. What another thread is just adding may be missing.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.sum(|tally| &tally.states)
    }

    /// Whether there are no states.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes all states have together.
    #[must_use]
    pub fn packed_bytes(&self) -> u64 {
        self.sum(|tally| &tally.bytes)
    }

    /// The memory held, used or not.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.allowance.used()
    }

    /// About how much of that memory nobody has written to yet, so that the system has not handed it out. Nothing while the
    /// tables are being changed.
    #[must_use]
    pub fn untouched(&self) -> usize {
        let tables = self.tables.try_read();
        tables.map_or(0, |tables| tables.nodes.untouched())
    }

    /// Says how much memory others hold that counts against the limit as well. What the store holds already it keeps.
    pub fn set_aside(&self, bytes: usize) {
        self.allowance.set_aside(bytes);
    }

    /// Whether what is added now goes to a reserve, after which nothing can be added.
    #[must_use]
    pub fn is_on_reserve(&self) -> bool {
        self.allowance.is_on_reserve()
    }

    /// What may have been missed, unless the store is exact. The caller's session must be
    /// [released](Session::release).
    #[must_use]
    pub fn omissions(&self) -> Option<Omissions> {
        let states = self.len();
        let tables = self.read();
        tables.sieve.as_ref().map(|sieve| sieve.omissions(states))
    }

    /// Calls `visit` with each state whose depth was `depth`, or differs from it by a multiple of 255. An approximate
    /// store knows none.
    ///
    /// The states are divided into `parts`, and only those of part number `part` are visited, so that threads
    /// can share the work. Nothing may be inserted meanwhile, or states can be left out or visited twice. The
    /// order means nothing. No lock is held while `visit` runs, but the caller's session must be
    /// [released](Session::release), or its thread may wait for itself.
    pub fn at_depth(&self, depth: u32, part: usize, parts: usize, visit: &mut dyn FnMut(StateRef)) {
        if self.kind != StoreKind::Exact {
            return;
        }
        let wanted = depth_tag(depth);
        let classes = self.read().classes.len();
        let mut found = Vec::new();
        for class in 0..classes {
            let tables = self.read();
            let roots = tables.classes[class].roots.iter(part, parts.max(1));
            let at_depth = roots.filter(|(_, tag)| *tag == wanted);
            found.extend(at_depth.map(|(root, _)| root));
            drop(tables);
            for root in found.drain(..) {
                visit(StateRef::new(class as u16, root));
            }
        }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the tables while no session looks at them. The caller must not hold them.
    #[cold]
    pub(super) fn change(
        &self,
        change: impl FnOnce(&mut Tables, &Allowance) -> Result<(), StoreFull>,
    ) -> Result<(), StoreFull> {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        self.wanted.fetch_sub(1, Ordering::Relaxed);
        change(&mut tables, &self.allowance)
    }

    /// Fills the tables of a new store.
    pub(super) fn fill<E>(&self, fill: impl FnOnce(&mut Tables) -> Result<(), E>) -> Result<(), E> {
        fill(&mut self.tables.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts states that were found before this store was made.
    pub(super) fn start_from(&self, states: u64, bytes: u64) {
        let tally = Tally::default();
        tally.count(states, bytes);
        self.desks().tallies.push(Arc::new(tally));
    }

    pub(super) fn desks(&self) -> MutexGuard<'_, Desks> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sum(&self, what: impl Fn(&Tally) -> &AtomicU64) -> u64 {
        let desks = self.desks();
        let counts = desks.tallies.iter();
        counts
            .map(|tally| what(tally).load(Ordering::Relaxed))
            .sum()
    }
}

impl Desks {
    pub(super) fn take(&mut self) -> Desk {
        self.free.pop().unwrap_or_else(|| {
            let tally = Arc::new(Tally::default());
            self.tallies.push(tally.clone());
            Desk::new(tally)
        })
    }

    pub(super) fn put_back(&mut self, desk: Desk) {
        self.free.push(desk);
    }
}

impl Tally {
    /// Counts states. No two threads do so at the same time.
    #[inline]
    pub(super) fn count(&self, states: u64, bytes: u64) {
        let add = |sum: &AtomicU64, more: u64| {
            sum.store(sum.load(Ordering::Relaxed) + more, Ordering::Relaxed);
        };
        add(&self.states, states);
        add(&self.bytes, bytes);
    }
}

/// What is kept of a depth beside a root: never zero.
#[inline]
pub(super) fn depth_tag(depth: u32) -> u64 {
    u64::from(1 + depth % 255)
}
