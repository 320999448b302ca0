//! The hash table from a state's hash to its id.
//!
//! # The algorithm
//!
//! The table is an array of *buckets*, each exactly one cache line of 64 bytes: twelve ids, a one-byte *tag*
//! for each of them (eight bits of the state's hash, zero for a free slot), and a 32-bit filter. A state's home
//! bucket comes from the upper bits of its hash by multiplication, so the number of buckets may be any number
//! and the table can grow by less than a factor of two. A look-up compares all twelve tags at once with word
//! arithmetic and looks at a stored state only where a tag agrees: a state that is new costs one cache
//! miss, one that was seen costs a second for the comparison.
//!
//! A bucket that is full passes states on to the next one. Each time it sets one of the 32 bits of its filter,
//! chosen by the state's hash, and a look-up goes on to the next bucket only if its own bit is set. A full bucket
//! therefore does not slow down the states that never had to leave it, and the table can be filled up to eleven
//! twelfths. The idea of tags is that of SwissTable, that of a note of overflow in the bucket comes from F14; a filter
//! instead of a counter is possible because nothing is ever removed.
//!
//! # Memory
//!
//! A bucket is counted full at eleven states, so the table takes 64 / 11 = 5.8 bytes a state just before
//! it grows and 5.8 * 1.5 = 8.7 just after. Growth frees the old array first and then hashes all states anew
//! (the caller walks its pages, which is sequential reading), so both never exist at the same time. Building the table
//! anew works in batches whose buckets are all read before the first is changed, which lets cache misses overlap: this
//! alone brought an insertion at ten million states, growth included, from 384 to 178 ns.
//!
//! # Cost
//!
//! On one core of a server with 32 MiB of shared cache, states of 24 bytes, all growth included
//! (`bench/examples/inserts.rs`):
//!
//! | states | new, ns | seen, ns | bytes a state |
//! |---|---|---|---|
//! | 10,000 | 45 | 13 | 31.2 |
//! | 100,000 | 62 | 21 | 32.1 |
//! | 1,000,000 | 82 | 100 | 30.0 |
//! | 10,000,000 | 178 | 147 | 30.7 |
//!
//! # Rejected
//!
//! - Tags and ids in two arrays: two cache misses to a look-up instead of one.
//! - Storing more bits of the hash to make growth cheaper: four more bytes a state, a fifth of a small state.
//! - Doubling: the table would reach 11.6 bytes a state.
//! - Growing at ten states to a bucket, or by a third: no faster, as the table is built anew more often.

use crate::budget::Budget;
use crate::{StateId, StoreFull};

const SLOTS: usize = 12;
/// States to a bucket, on average, at which the table has to grow.
const FULL: usize = 11;
/// Ids placed at a time when the table is built anew.
const BATCH: usize = 64;

/// A hash table that holds ids and is told the hashes.
#[derive(Debug, Default)]
pub(crate) struct Index {
    buckets: Vec<Bucket>,
}

#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Bucket {
    tags: [u8; SLOTS],
    passed_on: u32,
    ids: [u32; SLOTS],
}

/// Where an unsuccessful look-up ended: the state may be inserted from here on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy {
    bucket: usize,
}

impl Index {
    /// Whether a table that holds `states` ids has to grow before it takes another one.
    #[inline]
    pub(crate) fn is_full(&self, states: usize) -> bool {
        states >= self.buckets.len() * FULL
    }

    /// Empties the table and makes it large enough for `states` ids and half as many again, or near the limit
    /// an eighth. The caller has to [place](Index::place_all) all ids anew.
    ///
    /// When the limit does not allow even that, the table stays as it was. When the system refuses the memory, the
    /// table is left without buckets, and therefore full: the next insertion will try to build it again.
    pub(crate) fn grow(&mut self, states: usize, budget: &mut Budget) -> Result<(), StoreFull> {
        let enough = states / FULL + 1;
        budget
            .replace(&mut self.buckets, enough + enough / 2, Bucket::EMPTY)
            .or_else(|_| budget.replace(&mut self.buckets, enough + enough / 8, Bucket::EMPTY))
    }

    /// Finds the id with this hash for which `is_same` says yes.
    #[inline]
    pub(crate) fn find(
        &self,
        hash: u64,
        mut is_same: impl FnMut(StateId) -> bool,
    ) -> Result<StateId, Vacancy> {
        let mut bucket = self.home(hash);
        loop {
            let Some(entry) = self.buckets.get(bucket) else {
                return Err(Vacancy { bucket });
            };
            for slot in entry.slots_with(tag(hash)) {
                let id = StateId(entry.ids[slot]);
                if is_same(id) {
                    return Ok(id);
                }
            }
            if entry.passed_on & filter_bit(hash) == 0 {
                return Err(Vacancy { bucket });
            }
            bucket = self.after(bucket);
        }
    }

    /// Adds an id at the place where looking for it failed. The table must not be full.
    #[inline]
    pub(crate) fn fill(&mut self, vacancy: Vacancy, hash: u64, id: StateId) {
        let mut bucket = vacancy.bucket;
        while !self.buckets[bucket].put(hash, id) {
            bucket = self.after(bucket);
        }
    }

    /// Adds ids that are known to be absent, with their hashes. The table must not become overfull.
    pub(crate) fn place_all(&mut self, mut entries: impl Iterator<Item = (u64, StateId)>) {
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.extend(entries.by_ref().take(BATCH));
            if batch.is_empty() {
                return;
            }
            self.touch(&batch);
            for (hash, id) in batch.drain(..) {
                let vacancy = Vacancy {
                    bucket: self.home(hash),
                };
                self.fill(vacancy, hash, id);
            }
        }
    }

    /// Reads the home buckets of a batch. These reads do not depend on each other, so the processor waits for all
    /// of them together and not one after the other.
    fn touch(&self, batch: &[(u64, StateId)]) {
        let mixed = batch.iter().fold(0, |mixed, entry| {
            mixed ^ self.buckets[self.home(entry.0)].passed_on
        });
        std::hint::black_box(mixed);
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    fn after(&self, bucket: usize) -> usize {
        if bucket + 1 < self.buckets.len() {
            bucket + 1
        } else {
            0
        }
    }
}

impl Bucket {
    const EMPTY: Self = Self {
        tags: [0; SLOTS],
        passed_on: 0,
        ids: [0; SLOTS],
    };

    #[inline]
    fn slots_with(&self, tag: u8) -> Slots {
        Slots(zero_bytes(self.tag_word() ^ u128::from_le_bytes([tag; 16])))
    }

    /// Stores the id in a free slot, or notes that it went on to the next bucket.
    #[inline]
    fn put(&mut self, hash: u64, id: StateId) -> bool {
        let free = self.slots_with(0).next();
        match free {
            Some(slot) => {
                self.tags[slot] = tag(hash);
                self.ids[slot] = id.0;
            }
            None => self.passed_on |= filter_bit(hash),
        }
        free.is_some()
    }

    #[inline]
    fn tag_word(&self) -> u128 {
        let mut bytes = [0; 16];
        bytes[..SLOTS].copy_from_slice(&self.tags);
        u128::from_le_bytes(bytes)
    }
}

/// A set of slots, as the highest bits of the bytes of a word.
struct Slots(u128);

impl Iterator for Slots {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let slot = self.0.trailing_zeros() / 8;
        self.0 &= self.0 - 1;
        Some(slot as usize)
    }
}

/// Sets the highest bit of each of the first twelve bytes that is zero, and no other bit.
///
/// Adding 0x7f to the lower seven bits of a byte carries into its eighth bit exactly if one of them is set, and never
/// into the next byte.
#[inline]
fn zero_bytes(word: u128) -> u128 {
    const LOW: u128 = u128::from_le_bytes([0x7f; 16]);
    const TAGS: u128 = (1 << (8 * SLOTS)) - 1;
    !(((word & LOW) + LOW) | word | LOW) & TAGS
}

/// The tag comes from the low bits of the hash, the home bucket from the high ones. Zero is taken.
#[inline]
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

#[inline]
fn filter_bit(hash: u64) -> u32 {
    1 << (hash >> 8 & 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!((size_of::<Bucket>(), align_of::<Bucket>()), (64, 64));
    }

    #[test]
    fn zero_bytes_are_found_exactly() {
        let mut word = [1, 0, 0x80, 0xff, 0, 0, 0x7f, 0x81, 1, 0, 2, 0, 0, 0, 0, 0];
        let found: Vec<_> = Slots(zero_bytes(u128::from_le_bytes(word))).collect();
        assert_eq!(found, [1, 4, 5, 9, 11]);
        word.fill(0x80);
        assert_eq!(zero_bytes(u128::from_le_bytes(word)), 0);
    }

    fn index_for(states: usize) -> Index {
        let mut index = Index::default();
        index.grow(states, &mut Budget::new(usize::MAX)).unwrap();
        index
    }

    #[test]
    fn the_empty_table_finds_nothing_and_is_full() {
        let index = Index::default();
        assert!(index.find(5, |_| true).is_err());
        assert!(index.is_full(0));
    }

    /// Equal hashes all start in the same bucket and have the same tag, the hardest case for overflow.
    #[test]
    fn colliding_hashes_overflow_around_the_end_and_are_still_found() {
        let hash = u64::MAX;
        let mut index = index_for(200);
        assert!(!index.is_full(199));
        index.place_all((0..200).map(|number| (hash, StateId(number))));
        for number in 0..200 {
            let wanted = StateId(number);
            assert_eq!(index.find(hash, |id| id == wanted).ok(), Some(wanted));
        }
        assert!(index.find(hash, |_| false).is_err());
    }

    #[test]
    fn filling_a_vacancy_makes_the_id_findable() {
        let mut index = index_for(100);
        for number in 0..100u32 {
            let hash = u64::from(number % 7) << 61 | 3;
            let vacancy = index.find(hash, |id| id.0 == number).unwrap_err();
            index.fill(vacancy, hash, StateId(number));
            assert_eq!(
                index.find(hash, |id| id.0 == number).ok(),
                Some(StateId(number))
            );
        }
    }
}
