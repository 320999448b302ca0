//! The inner nodes of all trees, each kept once.
//!
//! # The algorithm
//!
//! A node is a pair of 32-bit numbers, one `u64`. The *log* holds the nodes by id, so that following an id is
//! one read without a lock. The *index* is an open-addressing hash table from a node to its id; a slot holds
//! the 28 bits of the id and four bits of the node's hash, zero if it is free. It is probed by cache lines, as
//! the table of roots is.
//!
//! To intern a node that is not there, a thread writes it into the log at an id that nobody else has and then
//! puts the id into the free slot that it has found, by compare and exchange. Who reads the id from the slot
//! (acquire) sees the node (release). If another thread was faster, the slot is looked at again: it may be the
//! same node, then the id is kept as a spare one for the next time.
//!
//! Nothing but the position in a tree says whether a number is a chunk or an id. So all positions of all trees share
//! their nodes, and it does no harm that the same pair means different things in different places: a state is
//! read from its root downwards, and each place knows what it is.
//!
//! The pair of two zeroes has the id zero and needs no entry. So a part of a state that is all zero has the number
//! zero at every height, and a zero in the log is an id that nobody has used yet.
//!
//! # Memory
//!
//! Eight bytes for the pair and four over the load of the index, which is between a half and four fifths: some
//! 14 bytes a node. There are few nodes to a state: see `plan`.

use super::allowance::Allowance;
use super::line::Word;
use super::memory::{Lines, Zeroed};
use super::prefetch::prefetch;
use super::recent::Recent;
use super::shape::split_root;
use super::sync::{AtomicU32, AtomicU64, Ordering};
use super::table::{Sought, Table};
use super::{NODE_BITS, mix};
use crate::StoreFull;

/// Slots to a cache line.
const LINE: usize = 16;
/// How many ids a thread takes at a time.
const BLOCK: u32 = if cfg!(loom) { 2 } else { 16 };
/// The most ids there can be.
const MOST: usize = 1 << NODE_BITS;
const ID: u32 = (1 << NODE_BITS) - 1;
/// How many ids there is room for at first.
const FIRST: usize = if cfg!(loom) { 8 } else { 64 };

/// A pair in the log.
#[derive(Debug, Default)]
#[repr(transparent)]
struct Pair(AtomicU64);

#[allow(unsafe_code, reason = "a statement about the type")]
// SAFETY: zero is a number, and numbers need no drop.
unsafe impl Zeroed for Pair {}

/// The table of nodes.
#[derive(Debug)]
pub(crate) struct Nodes {
    log: Lines<Pair>,
    index: Table<AtomicU32, LINE>,
    /// The first id that no thread has taken.
    next: AtomicU32,
}

/// What a thread keeps to add nodes.
#[derive(Debug, Default)]
pub(crate) struct Supplies {
    pub(crate) recent: Recent,
    spares: Spares,
}

/// Ids that a thread has taken and not used.
#[derive(Debug, Default)]
struct Spares {
    start: u32,
    end: u32,
}

/// The table has no room for another node before it grows.
#[derive(Debug)]
pub(crate) struct Crowded;

impl Nodes {
    pub(crate) fn new() -> Self {
        Self {
            log: Lines::none(),
            index: Table::new(),
            // Zero is the pair of zeroes.
            next: AtomicU32::new(1),
        }
    }

    /// The pair with this id.
    #[inline]
    pub(crate) fn pair(&self, id: u32) -> (u32, u32) {
        let pair = match self.log.get(id as usize) {
            Some(pair) => pair.0.load(Ordering::Relaxed),
            None => 0,
        };
        (pair as u32, (pair >> 32) as u32)
    }

    /// Lets the processor fetch the nodes at the two sides of a root.
    #[inline]
    pub(crate) fn prefetch_sides(&self, root: u64) {
        let (left, right) = split_root(root);
        for side in [left, right] {
            if let Some(pair) = self.log.get(side as usize) {
                prefetch(pair);
            }
        }
    }

    /// How many ids have been taken.
    pub(crate) fn taken(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// How many bytes of the log nobody has written to.
    pub(crate) fn untouched(&self) -> usize {
        self.log.len().saturating_sub(self.taken()) * size_of::<Pair>()
    }

    /// The pairs of all ids but zero, in order. Zero for an id that was taken and not used.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = u64> {
        let taken = self.log.iter().take(self.taken()).skip(1);
        taken.map(|pair| pair.0.load(Ordering::Relaxed))
    }

    /// Gives the next id to a pair that is not there, or to nothing if it is zero.
    pub(crate) fn append(&mut self, pair: u64, allowance: &Allowance) -> Result<(), StoreFull> {
        self.grow(allowance)?;
        let id = self.taken();
        self.log[id].0.store(pair, Ordering::Relaxed);
        self.next.store(id as u32 + 1, Ordering::Relaxed);
        if pair != 0 {
            let hash = mix(pair);
            self.index.place(id as u32 | tag(hash), hash);
        }
        Ok(())
    }

    /// The id of a pair, if it is there.
    pub(crate) fn find(&self, left: u32, right: u32) -> Option<u32> {
        let pair = join(left, right);
        if pair == 0 {
            return Some(0);
        }
        match self.seek(pair, mix(pair)) {
            Sought::There(slot) => Some(slot.get() & ID),
            Sought::Free(_) | Sought::Nowhere => None,
        }
    }

    #[inline]
    fn seek(&self, pair: u64, hash: u64) -> Sought<'_, AtomicU32> {
        let is_pair = |entry| self.log[(entry & ID) as usize].0.load(Ordering::Relaxed) == pair;
        self.index.seek(hash, tag(hash), !ID, is_pair)
    }

    /// The id of a pair, which is added unless it is there.
    #[inline]
    pub(crate) fn intern(
        &self,
        left: u32,
        right: u32,
        supplies: &mut Supplies,
    ) -> Result<u32, Crowded> {
        let pair = join(left, right);
        // Zero stands for no pair in a fresh table of recent ones; its id is right all the same.
        supplies
            .recent
            .get(pair, |pair| self.intern_pair(pair, &mut supplies.spares))
    }

    fn intern_pair(&self, pair: u64, spares: &mut Spares) -> Result<u32, Crowded> {
        if pair == 0 {
            return Ok(0);
        }
        let hash = mix(pair);
        loop {
            match self.seek(pair, hash) {
                Sought::There(slot) => return Ok(slot.get() & ID),
                Sought::Nowhere => return Err(Crowded),
                Sought::Free(slot) => {
                    if let Some(id) = self.add(slot, pair, hash, spares)? {
                        return Ok(id);
                    }
                }
            }
        }
    }

    /// Puts a pair into a free slot, unless somebody else has put something there meanwhile.
    fn add(
        &self,
        slot: &AtomicU32,
        pair: u64,
        hash: u64,
        spares: &mut Spares,
    ) -> Result<Option<u32>, Crowded> {
        if spares.start == spares.end {
            *spares = self.take_block()?;
        }
        let id = spares.start;
        self.log[id as usize].0.store(pair, Ordering::Relaxed);
        if slot.claim(id | tag(hash)).is_err() {
            self.log[id as usize].0.store(0, Ordering::Relaxed);
            return Ok(None);
        }
        spares.start += 1;
        Ok(Some(id))
    }

    /// Takes ids that no other thread has.
    #[cold]
    fn take_block(&self) -> Result<Spares, Crowded> {
        let room = self.log.len() as u32;
        let block = |next: u32| (next < room).then(|| (next + BLOCK).min(room));
        match self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, block)
        {
            Ok(start) => Ok(Spares {
                start,
                end: (start + BLOCK).min(room),
            }),
            Err(_) => Err(Crowded),
        }
    }

    /// Makes room for more nodes, unless somebody did meanwhile.
    pub(crate) fn grow(&mut self, allowance: &Allowance) -> Result<(), StoreFull> {
        let taken = self.taken();
        if taken < self.log.len() {
            return Ok(());
        }
        if taken >= MOST {
            return Err(StoreFull::Ids);
        }
        self.make_room(taken + taken / 4, allowance)
            .or_else(|_| self.make_room(taken + taken / 16 + 1, allowance))
    }

    /// Makes room for `room` ids.
    fn make_room(&mut self, room: usize, allowance: &Allowance) -> Result<(), StoreFull> {
        let room = room.clamp(FIRST, MOST);
        let enough = (room + room / 4).div_ceil(LINE);
        if self.index.lines() < enough {
            let log = &self.log;
            self.index
                .grow_to(enough + enough / 4, allowance, |entry| {
                    mix(log[(entry & ID) as usize].0.load(Ordering::Relaxed))
                })?;
        }
        self.log
            .extend(Lines::<Pair>::round_up(room).min(MOST), allowance)
    }
}

#[inline]
fn join(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

/// The bits of the hash that are kept beside an id.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash as u32) & !ID
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_one_id_however_often_the_table_grows() {
        let allowance = Allowance::new(usize::MAX);
        let mut nodes = Nodes::new();
        let mut supplies = Supplies::default();
        let mut intern = |nodes: &mut Nodes, left, right| loop {
            match nodes.intern(left, right, &mut supplies) {
                Ok(id) => return id,
                Err(Crowded) => nodes.grow(&allowance).unwrap(),
            }
        };
        let count = if cfg!(miri) { 100 } else { 5000 };
        let pairs = || (0..count).map(|number| (number / 7, number % 7));
        let ids: Vec<u32> = pairs().map(|(a, b)| intern(&mut nodes, a, b)).collect();
        assert_eq!(ids[0], 0);
        for ((a, b), id) in pairs().zip(&ids) {
            assert_eq!(intern(&mut nodes, a, b), *id);
            assert_eq!(nodes.find(a, b), Some(*id));
            assert_eq!(nodes.pair(*id), (a, b));
        }
        assert_eq!(nodes.find(5000, 5000), None);
    }

    #[test]
    fn what_nobody_has_written_to_becomes_less_with_every_block_of_ids() {
        let mut nodes = Nodes::new();
        assert_eq!(nodes.untouched(), 0);
        nodes.grow(&Allowance::new(usize::MAX)).unwrap();
        assert_eq!(nodes.untouched(), (FIRST - 1) * size_of::<Pair>());
        nodes.intern(1, 2, &mut Supplies::default()).unwrap();
        let rest = FIRST - 1 - BLOCK as usize;
        assert_eq!(nodes.untouched(), rest * size_of::<Pair>());
    }

    #[test]
    fn when_ids_run_out_that_is_said() {
        let mut nodes = Nodes::new();
        nodes.next.store(MOST as u32, Ordering::Relaxed);
        let full = nodes.grow(&Allowance::new(usize::MAX));
        assert_eq!(full, Err(StoreFull::Ids));
    }
}
