//! The memory that the workers together may hold, and the number of workers.

use super::sync::{AtomicUsize, Ordering};
use crate::StoreFull;

/// A limit on memory that many threads draw from.
///
/// What is counted is what is held, used or not, from before it is allocated until after it is freed.
#[derive(Debug)]
pub(crate) struct Allowance {
    limit: usize,
    used: AtomicUsize,
    /// What others hold that counts as well.
    set_aside: AtomicUsize,
    /// How many threads work with the store.
    threads: AtomicUsize,
    /// How many tables live on their reserve.
    reserves: AtomicUsize,
}

impl Allowance {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            used: AtomicUsize::new(0),
            set_aside: AtomicUsize::new(0),
            threads: AtomicUsize::new(0),
            reserves: AtomicUsize::new(0),
        }
    }

    /// A thread begins to work with the store.
    pub(crate) fn arrive(&self) {
        self.threads.fetch_add(1, Ordering::Relaxed);
    }

    /// It does so no more.
    pub(crate) fn leave(&self) {
        self.threads.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many threads work with the store, and wait while it grows.
    pub(crate) fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }

    /// Says how many bytes others hold that are not to be exceeded together with these.
    pub(crate) fn set_aside(&self, bytes: usize) {
        self.set_aside.store(bytes, Ordering::Relaxed);
    }

    /// The bytes that are held.
    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Asks for `bytes` more.
    pub(crate) fn take(&self, bytes: usize) -> Result<(), StoreFull> {
        let limit = self
            .limit
            .saturating_sub(self.set_aside.load(Ordering::Relaxed));
        let allowed = |used: usize| used.checked_add(bytes).filter(|sum| *sum <= limit);
        self.used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, allowed)
            .map(|_| ())
            .map_err(|_| StoreFull::Memory)
    }

    /// Counts `bytes` that are held already, limit or not.
    pub(crate) fn note(&self, bytes: usize) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A table lives on its reserve from now on.
    pub(crate) fn open_reserve(&self) {
        self.reserves.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether a table lives on its reserve.
    pub(crate) fn is_on_reserve(&self) -> bool {
        self.reserves.load(Ordering::Relaxed) > 0
    }

    /// Gives `bytes` back.
    pub(crate) fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_counted_until_it_is_given_back() {
        let allowance = Allowance::new(100);
        allowance.take(60).unwrap();
        assert_eq!(allowance.take(41), Err(StoreFull::Memory));
        assert_eq!(allowance.used(), 60);
        allowance.give_back(20);
        allowance.take(60).unwrap();
        assert_eq!(allowance.used(), 100);
        assert_eq!(allowance.take(usize::MAX), Err(StoreFull::Memory));
        allowance.give_back(50);
        allowance.set_aside(30);
        assert_eq!(allowance.take(21), Err(StoreFull::Memory));
        allowance.take(20).unwrap();
        allowance.set_aside(0);
        allowance.take(30).unwrap();
        allowance.note(7);
        assert_eq!(allowance.used(), 107);
    }
}
