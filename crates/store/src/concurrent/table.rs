//! The hash table under roots, nodes and fingerprints: atomic words, probed by cache lines.
//!
//! # The algorithm
//!
//! A word is zero if it is free. Words are never removed, so one that was taken stays taken, and a search may
//! end at the first free one; to add a word is one compare and exchange. The hash chooses a home line, by
//! multiplication, so that there can be any number of lines, and the word of the line to begin with; all words
//! of a line are looked at before the next line, and all at once (see `line`). At a load of three quarters, 97 of
//! 100 questions for a word that is there are answered from the home line.
//!
//! Who finds that the free word has been taken meanwhile looks again from the start. Two threads that add the same
//! thing go through the words in the same order, so neither can put it behind a word that was still free for the
//! other: it is never there twice.
//!
//! # Growth
//!
//! Lines are in the order of the hashes. So a table can be spread over more memory in place, by all threads that wait for it (`growth`).
//! There is never a second table beside the first, and the array itself grows without being copied where the system can
//! move pages.
//!
//! # Rejected
//!
//! - Probing word by word regardless of lines: at the same load a third of what is there needs a second line.
//! - Many small tables, each growing by itself into new memory, so that only a small one exists twice: they are
//!   too small for large pages until there are tens of millions of states.
//! - Doubling: twice as much memory just after growth as just before.

use super::allowance::Allowance;
use super::growth::spread;
use super::line::{Line, Survey, Word};
use super::memory::{Lines, Zeroed};
use super::prefetch::prefetch;
use super::sync::{AtomicU32, AtomicU64};
use super::{is_taken, scale};
use crate::StoreFull;

#[allow(unsafe_code, reason = "a statement about the type")]
// SAFETY: zero is a number, and numbers need no drop.
unsafe impl<const N: usize> Zeroed for Line<AtomicU64, N> {}
#[allow(unsafe_code, reason = "a statement about the type")]
// SAFETY: as above.
unsafe impl<const N: usize> Zeroed for Line<AtomicU32, N> {}

/// A hash table of words.
#[derive(Debug)]
pub(crate) struct Table<W, const N: usize>
where
    Line<W, N>: Zeroed,
{
    lines: Lines<Line<W, N>>,
}

impl<W: Word, const N: usize> Table<W, N>
where
    Line<W, N>: Zeroed,
{
    /// A table without lines, which holds nothing and takes no memory.
    pub(crate) fn new() -> Self {
        Self {
            lines: Lines::none(),
        }
    }

    /// How many lines there are.
    #[inline]
    pub(crate) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// How many words there are, taken and free.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.lines.len() * N
    }

    /// The memory held.
    #[cfg(all(test, not(loom)))]
    pub(crate) fn bytes(&self) -> usize {
        self.lines.bytes()
    }

    /// Lets the processor fetch the home line of a hash.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        if let Some(line) = self.lines.get(scale(hash, self.lines.len())) {
            prefetch(line);
        }
    }

    /// Looks for a word that equals `key` in the bits of `mask` and that `is_it` says yes to.
    #[inline]
    pub(crate) fn seek(
        &self,
        hash: u64,
        key: W::Value,
        mask: W::Value,
        is_it: impl Fn(W::Value) -> bool,
    ) -> Sought<'_, W> {
        let start = hash as usize % N;
        let home = scale(hash, self.lines.len());
        let mut number = home;
        while let Some(line) = self.lines.get(number) {
            let Survey { alike, free } = W::survey(line, key, mask);
            for place in Line::<W, N>::places(alike, start) {
                let word = &line.0[place];
                if is_it(word.get()) {
                    return Sought::There(word);
                }
            }
            if let Some(place) = Line::<W, N>::places(free, start).next() {
                return Sought::Free(&line.0[place]);
            }
            number += 1;
            if number == self.lines.len() {
                number = 0;
            }
            if number == home {
                break;
            }
        }
        Sought::Nowhere
    }

    /// The words that are not free, of one of several parts of the table.
    pub(crate) fn values(&self, part: usize, parts: usize) -> impl Iterator<Item = W::Value> {
        let total = self.lines.len();
        let range = total * part / parts..total * (part + 1) / parts;
        let words = self.lines[range].iter().flat_map(|line| &line.0);
        words.map(W::get).filter(is_taken)
    }

    /// The words that are not free, in an order in which another table can be filled that grows meanwhile: however many have
    /// come, they are from everywhere.
    ///
    /// In the order of the table they come in the order of their hashes, and all would be put at the beginning of the other one,
    /// each behind those that are there already, in quadratic time. Here one line follows another in leaps of the golden section.
    pub(crate) fn scattered_values(&self) -> impl Iterator<Item = W::Value> {
        let total = self.lines.len();
        let leap = golden_leap(total);
        let lines = (0..total).map(move |n| (n as u128 * leap as u128 % total as u128) as usize);
        let words = lines.flat_map(|line| &self.lines[line].0);
        words.map(W::get).filter(is_taken)
    }

    /// Whether there is a free word at all.
    pub(crate) fn has_room(&self) -> bool {
        let mut words = self.lines.iter().flat_map(|line| &line.0);
        words.any(|word| !is_taken(&word.get()))
    }

    /// Makes the table larger by a share of its lines: by `plenty` of a hundred, or if the limit forbids that,
    /// by an eighth. `hash` gives the hash of a word. Returns how many words are taken.
    pub(crate) fn grow(
        &mut self,
        plenty: usize,
        allowance: &Allowance,
        hash: impl Fn(W::Value) -> u64 + Sync,
    ) -> Result<usize, StoreFull> {
        let lines = self.lines.len();
        self.grow_to(lines + lines * plenty / 100 + 1, allowance, &hash)
            .or_else(|_| self.grow_to(lines + lines / 8 + 1, allowance, &hash))
    }

    /// Makes the table so large, or a little larger. Returns how many words are taken. On an error nothing has changed.
    pub(crate) fn grow_to(
        &mut self,
        lines: usize,
        allowance: &Allowance,
        hash: impl Fn(W::Value) -> u64 + Sync,
    ) -> Result<usize, StoreFull> {
        let before = self.lines.len();
        let lines = Lines::<Line<W, N>>::round_up(lines);
        self.lines.extend(lines, allowance)?;
        let (moved, aside) = spread(&self.lines, before, allowance.threads(), &hash);
        for value in &aside {
            self.place(*value, hash(*value));
        }
        Ok(moved + aside.len())
    }

    /// Adds a value that is not there, while no other thread looks. There must be room.
    pub(crate) fn place(&self, value: W::Value, hash: u64) {
        let zero = W::Value::default();
        if let Sought::Free(word) = self.seek(hash, zero, zero, |_| false) {
            word.set(value);
        }
    }
}

/// What [`Table::seek`] finds.
pub(crate) enum Sought<'t, W> {
    /// It is there, in this word.
    There(&'t W),
    /// It is not there, and belongs into this word.
    Free(&'t W),
    /// It is not there, and no word is free.
    Nowhere,
}

/// A leap that comes to each of so many places once, of about the golden section of all.
fn golden_leap(total: usize) -> usize {
    const GOLDEN: u128 = 0x9e37_79b9_7f4a_7c15;
    let first = ((total as u128 * GOLDEN) >> 64) as usize;
    let mut leaps = first.max(1)..;
    let comes_everywhere = |leap: &usize| common_divisor(*leap, total) <= 1;
    leaps.find(comes_everywhere).unwrap_or(1)
}

fn common_divisor(a: usize, b: usize) -> usize {
    match b {
        0 => a,
        _ => common_divisor(b, a % b),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::mix;
    use super::*;

    fn contains(table: &Table<AtomicU64, 8>, hash: impl Fn(u64) -> u64, value: u64) -> bool {
        let sought = table.seek(hash(value), value, u64::MAX, |_| true);
        matches!(sought, Sought::There(_))
    }

    /// Fills a table and lets it grow again and again, from nearly full.
    fn grow_and_check(hash: impl Fn(u64) -> u64 + Copy + Sync, rounds: usize, plenty: usize) {
        let allowance = Allowance::new(usize::MAX);
        let mut table = Table::<AtomicU64, 8>::new();
        let mut count = 0;
        let rounds = if cfg!(miri) { rounds.min(3) } else { rounds };
        for _ in 0..rounds {
            table.grow(plenty, &allowance, hash).unwrap();
            while count + 1 < table.words() {
                count += 1;
                table.place(count as u64, hash(count as u64));
            }
            assert!(table.has_room());
            assert_eq!(table.values(0, 1).count(), count);
            assert!((1..=count as u64).all(|value| contains(&table, hash, value)));
            assert!(!contains(&table, hash, count as u64 + 1));
        }
        assert_eq!(allowance.used(), table.bytes());
    }

    #[test]
    fn a_full_table_grows_in_place_and_loses_nothing() {
        grow_and_check(mix, 22, 40);
        grow_and_check(mix, 22, 25);
        grow_and_check(mix, 40, 1);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long in an interpreter")]
    fn several_threads_lose_nothing_either() {
        let allowance = Allowance::new(usize::MAX);
        (0..5).for_each(|_| allowance.arrive());
        let mut table = Table::<AtomicU64, 8>::new();
        table.grow_to(20_000, &allowance, mix).unwrap();
        let mut count = 0;
        for _ in 0..5 {
            while count < table.words() / 8 * 7 {
                count += 1;
                table.place(count as u64, mix(count as u64));
            }
            assert_eq!(table.grow(25, &allowance, mix), Ok(count));
            assert_eq!(table.values(0, 1).count(), count);
            assert!((1..=count as u64).all(|value| contains(&table, mix, value)));
        }
    }

    #[test]
    fn growth_copes_with_poor_hashes() {
        grow_and_check(|_| u64::MAX, 9, 40);
        grow_and_check(|_| 0, 9, 40);
        grow_and_check(|value| (value % 7) << 61, 12, 30);
        grow_and_check(|value| u64::MAX - value, 12, 30);
    }

    #[test]
    fn scattered_values_are_all_values_from_all_over_the_table() {
        let allowance = Allowance::new(usize::MAX);
        for lines in [0, 1, 2, 3, 10, 101] {
            let mut table = Table::<AtomicU64, 8>::new();
            table.grow_to(lines, &allowance, mix).unwrap();
            (1..=lines as u64 * 4).for_each(|value| table.place(value, mix(value)));
            let scattered: Vec<u64> = table.scattered_values().collect();
            let mut sorted = scattered.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(1..=lines as u64 * 4));
            // A tenth of many has small and large hashes.
            let some = scattered[..scattered.len() / 10]
                .iter()
                .map(|value| mix(*value));
            let (low, high): (Vec<u64>, Vec<u64>) = some.partition(|hash| *hash < u64::MAX / 2);
            assert!(lines < 100 || low.len() > 10 && high.len() > 10);
        }
    }

    #[test]
    fn at_the_limit_the_table_stays_as_it_is() {
        let allowance = Allowance::new(64 * 10);
        let mut table = Table::<AtomicU64, 8>::new();
        table.grow_to(9, &allowance, mix).unwrap();
        table.place(5, mix(5));
        assert!(table.grow(100, &allowance, mix).is_err());
        assert_eq!((table.lines(), allowance.used()), (9, 64 * 9));
        assert!(contains(&table, mix, 5));
    }
}
