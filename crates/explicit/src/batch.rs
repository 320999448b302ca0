//! Batches: successors that have been told and not been looked up yet.

use mandala_store::Prepared;

/// A buffer with room for more than this is large.
const LARGE: usize = 1 << 16;

/// Successors in the order in which they were told.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub entries: Vec<Entry>,
    /// The states as they were met, one after the other, if those are kept.
    pub originals: Vec<u8>,
}

/// A successor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The representative, with its place in the store.
    pub prepared: Prepared,
    /// Whether all states of its orbit have this representative.
    pub canonical: bool,
    /// How many steps the one stands for that leads to it.
    pub weight: u64,
    /// Whether the system stutters here while a claim goes on.
    pub stutters: bool,
    /// Where the state as it was met ends in [`Batch::originals`].
    pub original_end: u32,
}

impl Batch {
    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.originals.capacity()
    }

    /// How many steps lead to the entries from that number on.
    #[inline]
    pub(crate) fn transitions(&self, first: usize) -> u64 {
        self.entries[first..].iter().map(|entry| entry.weight).sum()
    }

    /// Forgets everything. A buffer that has become large is given up.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.entries.shrink_to(LARGE);
        self.originals.clear();
        self.originals.shrink_to(LARGE);
    }

    /// Forgets all but the first entries.
    pub(crate) fn truncate(&mut self, entries: usize) {
        self.entries.truncate(entries);
        let end = self.entries.last().map_or(0, |e| e.original_end);
        self.originals.truncate(end as usize);
    }
}
