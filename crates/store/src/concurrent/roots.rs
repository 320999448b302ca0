//! The roots of the states of one class: the visited set proper.
//!
//! A word holds 56 bits of a root and 8 bits that tell the depth. The key is the value, so there are no words
//! that are about to be filled: a thread that finds another root where a free word was looks once more.
//!
//! How full the table is has to be known by all threads. To count each root would let the line of the counter
//! wander between processors at every new state; in a large table one root in sixteen is counted, chosen by its
//! hash, as sixteen. When the table grows, all are counted.

use super::allowance::Allowance;
use super::elders::Elders;
use super::line::Word;
use super::sync::{AtomicU64, AtomicUsize, Ordering};
use super::table::{Sought, Table};
use super::{ROOT_BITS, mix};
use crate::StoreFull;

/// Words to a cache line.
const LINE: usize = 8;
const ROOT: u64 = (1 << ROOT_BITS) - 1;
/// From how many lines on roots are not counted one by one.
const LARGE: usize = 1 << 15;
/// From how many lines on the table grows by a quarter only: memory then matters more than the time that growth takes.
const HUGE: usize = 1 << 17;
/// Of how many roots in a large table one is counted.
const SAMPLE: u64 = 16;

/// A set of roots.
#[derive(Debug)]
pub(crate) struct Roots {
    table: Table<AtomicU64, LINE>,
    /// At how many roots the table grows.
    most: usize,
    count: Count,
}

/// About how many roots there are, on a cache line that holds nothing that is read all the time.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Count(AtomicUsize);

/// What an insertion found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entered {
    New,
    Seen,
    /// The state was found before the shape of its tree was chosen, and has this root in the old class.
    Elder(u64),
    /// The table has to grow first.
    Crowded,
}

impl Roots {
    pub(crate) fn new() -> Self {
        Self {
            table: Table::new(),
            most: 0,
            count: Count::default(),
        }
    }

    /// The hash of a root.
    #[inline]
    pub(crate) fn hash(root: u64) -> u64 {
        mix(root)
    }

    /// Lets the processor fetch the line where a root with this hash belongs.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        self.table.prefetch(hash);
    }

    /// Adds a root with its depth tag, unless it is there or one of the elders.
    #[inline]
    pub(crate) fn insert(
        &self,
        root: u64,
        hash: u64,
        tag: u64,
        elders: Option<&Elders>,
    ) -> Entered {
        loop {
            match self.seek(root, hash) {
                Sought::There(_) => return Entered::Seen,
                Sought::Nowhere => return Entered::Crowded,
                Sought::Free(word) => {
                    if let Ok(entered) = self.claim(word, Self::join(root, tag), hash, elders) {
                        return entered;
                    }
                }
            }
        }
    }

    #[inline]
    fn seek(&self, root: u64, hash: u64) -> Sought<'_, AtomicU64> {
        self.table.seek(hash, root, ROOT, |_| true)
    }

    /// The word of a root, if it is there.
    fn find(&self, root: u64) -> Option<&AtomicU64> {
        match self.seek(root, Self::hash(root)) {
            Sought::There(word) => Some(word),
            Sought::Free(_) | Sought::Nowhere => None,
        }
    }

    /// Whether a root is there.
    pub(crate) fn contains(&self, root: u64) -> bool {
        self.find(root).is_some()
    }

    /// The depth tag of a root, if it is there.
    pub(crate) fn tag(&self, root: u64) -> Option<u64> {
        self.find(root).map(|word| word.get() >> ROOT_BITS)
    }

    /// Gives a root another depth tag. False if it is not there.
    pub(crate) fn retag(&self, root: u64, tag: u64) -> bool {
        let word = self.find(root);
        word.inspect(|word| word.set(Self::join(root, tag)))
            .is_some()
    }

    /// A root and its depth tag in one word.
    #[inline]
    fn join(root: u64, tag: u64) -> u64 {
        tag << ROOT_BITS | root
    }

    /// Adds a root that is not there, joined with its tag, while no other thread looks. The table grows if it
    /// has to. Says no to something without a tag.
    pub(crate) fn add(&mut self, full: u64, allowance: &Allowance) -> Result<bool, StoreFull> {
        if self.is_full() {
            self.grow(allowance)?;
        }
        let hash = Self::hash(full & ROOT);
        let valid = full >> ROOT_BITS != 0;
        if valid {
            self.table.place(full, hash);
            self.count_one(hash);
        }
        Ok(valid)
    }

    /// Makes room for more roots, unless somebody did meanwhile. If the limit forbids that, the table may be
    /// filled nearly to the last word.
    pub(crate) fn grow(&mut self, allowance: &Allowance) -> Result<(), StoreFull> {
        if !self.is_full() && self.table.has_room() {
            return Ok(());
        }
        let plenty = if self.table.lines() < HUGE { 50 } else { 25 };
        match self.table.grow(plenty, allowance, |full| mix(full & ROOT)) {
            Ok(count) => {
                self.most = self.table.words() / LINE * (LINE - 1);
                self.count.0.store(count, Ordering::Relaxed);
            }
            Err(full) => {
                self.squeeze(full, allowance)?;
                let count = self.table.values(0, 1).count();
                self.count.0.store(count, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Lets the table become fuller than is good for it, unless it is already. The last step is a reserve for those that have begun to add
    /// something: whoever asks ([`Allowance::is_on_reserve`]) can stop before anything is lost.
    fn squeeze(&mut self, full: StoreFull, allowance: &Allowance) -> Result<(), StoreFull> {
        let words = self.table.words();
        let (usual, last) = (words - words / 32, words - words / 64);
        if last <= self.most {
            return Err(full);
        }
        if usual > self.most {
            self.most = usual;
        } else {
            self.most = last;
            allowance.open_reserve();
        }
        Ok(())
    }

    /// About how many roots there are.
    pub(crate) fn count(&self) -> usize {
        self.count.0.load(Ordering::Relaxed)
    }

    /// Each root and its depth tag, for one of several parts of the table.
    pub(crate) fn iter(&self, part: usize, parts: usize) -> impl Iterator<Item = (u64, u64)> {
        let values = self.table.values(part, parts);
        values.map(|full| (full & ROOT, full >> ROOT_BITS))
    }

    /// Each root joined with its tag, in an order in which another table can be filled.
    pub(crate) fn scattered(&self) -> impl Iterator<Item = u64> {
        self.table.scattered_values()
    }

    /// Puts a root into a free word, or returns what somebody else has put there meanwhile.
    #[inline]
    fn claim(
        &self,
        word: &AtomicU64,
        full: u64,
        hash: u64,
        elders: Option<&Elders>,
    ) -> Result<Entered, u64> {
        if let Some(old) = elders.and_then(|elders| elders.find(full & ROOT, hash)) {
            return Ok(Entered::Elder(old));
        }
        if self.is_full() {
            return Ok(Entered::Crowded);
        }
        word.claim(full)?;
        self.count_one(hash);
        Ok(Entered::New)
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.count() >= self.most
    }

    #[inline]
    fn count_one(&self, hash: u64) {
        if self.table.lines() < LARGE {
            self.count.0.fetch_add(1, Ordering::Relaxed);
        } else if (hash / LINE as u64).is_multiple_of(SAMPLE) {
            self.count.0.fetch_add(SAMPLE as usize, Ordering::Relaxed);
        }
    }
}
