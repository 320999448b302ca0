//! The tables of a lossy store, which may take a state for another one.
//!
//! The nodes of all states are still kept, so that a state which waits to be expanded can be read. What is
//! saved is the eight bytes and more of a slot.
//!
//! *Hash compaction* keeps 32 bits of a hash of each state, in a table cut into 4,096 segments by 12 other bits
//! of the hash: two states are taken for each other if 44 bits of their hashes agree. The position in a segment
//! is computed from the 32 bits that are kept, so a segment can grow. The table takes some 5.5 bytes a state.
//!
//! *Bitstate* keeps a few bits of a field of fixed size for each state. They all lie in one word of 64 bits,
//! which costs one cache miss to a state and makes setting and asking one atomic operation: with several
//! threads a state is still new to exactly one of them. The price is that some words are fuller than others;
//! the estimate below accounts for that.
//!
//! # Estimates
//!
//! A state that was not seen before is omitted with a chance that grows as the table fills. The number of
//! omitted states that is expected is the sum of these chances over the states that were not omitted, each over
//! the chance that such a state is not omitted. States that could be reached only through an omitted one are
//! not in it: nobody knows how many they are.

use super::allowance::Allowance;
use super::line::Word;
use super::memory::{Lines, Zeroed};
use super::prefetch::prefetch;
use super::scale;
use super::sync::{AtomicU32, AtomicU64, Ordering};
use super::table::{Sought, Table};
use crate::StoreFull;

/// Segments of a table of fingerprints.
const SEGMENTS: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 12;
/// How many bits of a hash are told apart, counting those that choose the segment.
const BITS: u32 = u32::BITS + SEGMENT_BITS;
/// Fingerprints to a cache line.
const LINE: usize = 16;
/// Words to a cache line.
const WORDS: usize = 8;
/// The most bits to a state.
const MOST_HASHES: u32 = 10;

/// What an approximate store may have missed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Omissions {
    /// How many states were taken for others, as expected from the numbers below. Those that can be reached only
    /// through them are not counted.
    pub expected: f64,
    /// The chance that another state, not seen before, would be taken for one that was.
    pub chance: f64,
    /// How many states were not.
    pub states: u64,
    /// What this was computed from.
    pub basis: OmissionBasis,
}

/// What an approximate store tells states apart by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OmissionBasis {
    /// So many bits of a hash of each state.
    HashBits(u32),
    /// A field of bits.
    Field {
        /// How many bits there are.
        bits: u64,
        /// How many of them are set.
        set: u64,
        /// How many were set for each state.
        hashes: u32,
    },
}

/// An approximate set of hashes.
#[derive(Debug)]
pub(crate) enum Sieve {
    Compact(Box<[Segment]>),
    Field(Field),
}

/// What an insertion found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sifted {
    New,
    Seen,
    /// The table has to grow first.
    Crowded,
}

impl Sieve {
    /// A table of fingerprints.
    pub(crate) fn compact(allowance: &Allowance) -> Self {
        allowance.note(SEGMENTS * size_of::<Segment>());
        Self::Compact((0..SEGMENTS).map(|_| Segment::new()).collect())
    }

    /// A field of about `bytes` bytes, with so many bits to a state. The memory is taken at the first insertion.
    pub(crate) fn field(bytes: usize, hashes: u32) -> Self {
        Self::Field(Field {
            lines: Lines::none(),
            wanted: (bytes / size_of::<Words>()).max(1),
            hashes: hashes.clamp(1, MOST_HASHES),
        })
    }

    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        match self {
            Self::Compact(segments) => {
                let (segment, fingerprint) = place(segments, hash);
                segment.table.prefetch(spread(fingerprint));
            }
            Self::Field(field) => {
                if let Some(word) = field.word(hash) {
                    prefetch(word);
                }
            }
        }
    }

    /// Adds a hash, unless something that cannot be told from it is there.
    #[inline]
    pub(crate) fn insert(&self, hash: u64) -> Sifted {
        match self {
            Self::Compact(segments) => {
                let (segment, fingerprint) = place(segments, hash);
                segment.insert(fingerprint)
            }
            Self::Field(field) => field.insert(hash),
        }
    }

    /// Whether a hash is there, or something that cannot be told from it.
    pub(crate) fn contains(&self, hash: u64) -> bool {
        match self {
            Self::Compact(segments) => {
                let (segment, fingerprint) = place(segments, hash);
                segment.contains(fingerprint)
            }
            Self::Field(field) => field.contains(hash),
        }
    }

    /// Makes room for this hash.
    pub(crate) fn grow(&mut self, hash: u64, allowance: &Allowance) -> Result<(), StoreFull> {
        match self {
            Self::Compact(segments) => {
                let number = (hash >> (u64::BITS - SEGMENT_BITS)) as usize;
                segments[number].grow(allowance)
            }
            Self::Field(field) => field.allocate(allowance),
        }
    }

    /// All that is stored, in words: a fingerprint with its segment in the upper half, or the words of the field.
    pub(crate) fn words(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        match self {
            Self::Compact(segments) => {
                let values = |(number, segment): (u64, &'_ Segment)| {
                    let values: Vec<u32> = segment.table.values(0, 1).collect();
                    values
                        .into_iter()
                        .map(move |value| number << 32 | u64::from(value))
                };
                Box::new((0..).zip(segments).flat_map(values))
            }
            Self::Field(field) => {
                let words = field.lines.iter().flat_map(|line| &line.0);
                Box::new(words.map(|word| word.load(Ordering::Relaxed)))
            }
        }
    }

    /// Puts back the word that was at this place among all words. What cannot have been one is ignored.
    pub(crate) fn restore(
        &mut self,
        place: u64,
        word: u64,
        allowance: &Allowance,
    ) -> Result<(), StoreFull> {
        match self {
            Self::Compact(segments) => {
                let segment = segments.get_mut((word >> 32) as usize);
                segment.map_or(Ok(()), |segment| segment.add(word as u32, allowance))
            }
            Self::Field(field) => {
                field.allocate(allowance)?;
                let line = field.lines.get((place / WORDS as u64) as usize);
                if let Some(line) = line {
                    line.0[(place % WORDS as u64) as usize].store(word, Ordering::Relaxed);
                }
                Ok(())
            }
        }
    }

    /// What may have been missed by the time there are `states`.
    pub(crate) fn omissions(&self, states: u64) -> Omissions {
        match self {
            Self::Compact(_) => {
                let range = (BITS as f64).exp2();
                let n = states as f64;
                Omissions {
                    expected: n * n / (2.0 * range),
                    chance: n / range,
                    states,
                    basis: OmissionBasis::HashBits(BITS),
                }
            }
            Self::Field(field) => field.omissions(states),
        }
    }
}

/// A part of the table of fingerprints.
#[derive(Debug)]
pub(crate) struct Segment {
    table: Table<AtomicU32, LINE>,
    count: AtomicU32,
}

/// The segment of a hash, and what is kept of it, never zero.
#[inline]
fn place(segments: &[Segment], hash: u64) -> (&Segment, u32) {
    let segment = &segments[(hash >> (u64::BITS - SEGMENT_BITS)) as usize];
    (segment, (hash as u32).max(1))
}

/// The hash of a fingerprint within its segment.
#[inline]
fn spread(fingerprint: u32) -> u64 {
    u64::from(fingerprint) << 32 | u64::from(fingerprint)
}

impl Segment {
    fn new() -> Self {
        Self {
            table: Table::new(),
            count: AtomicU32::new(0),
        }
    }

    #[inline]
    fn insert(&self, fingerprint: u32) -> Sifted {
        loop {
            match self.seek(fingerprint) {
                Sought::There(_) => return Sifted::Seen,
                Sought::Nowhere => return Sifted::Crowded,
                Sought::Free(_) if self.is_full() => return Sifted::Crowded,
                Sought::Free(word) => {
                    if word.claim(fingerprint).is_ok() {
                        self.count.fetch_add(1, Ordering::Relaxed);
                        return Sifted::New;
                    }
                }
            }
        }
    }

    #[inline]
    fn seek(&self, fingerprint: u32) -> Sought<'_, AtomicU32> {
        let hash = spread(fingerprint);
        self.table.seek(hash, fingerprint, u32::MAX, |_| true)
    }

    /// Adds a fingerprint while no other thread looks.
    fn add(&mut self, fingerprint: u32, allowance: &Allowance) -> Result<(), StoreFull> {
        while self.insert(fingerprint.max(1)) == Sifted::Crowded {
            self.grow(allowance)?;
        }
        Ok(())
    }

    fn contains(&self, fingerprint: u32) -> bool {
        matches!(self.seek(fingerprint), Sought::There(_))
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.count.load(Ordering::Relaxed) as usize >= self.table.lines() * (LINE - 2)
    }

    fn grow(&mut self, allowance: &Allowance) -> Result<(), StoreFull> {
        if !self.is_full() && self.table.has_room() {
            return Ok(());
        }
        self.table.grow(25, allowance, spread).map(|_| ())
    }
}

/// A field of bits.
#[derive(Debug)]
pub(crate) struct Field {
    lines: Lines<Words>,
    /// How many lines there are to be.
    wanted: usize,
    /// How many bits are set for a state.
    hashes: u32,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Words([AtomicU64; WORDS]);

#[allow(unsafe_code, reason = "a statement about the type")]
// SAFETY: zero is a number, and numbers need no drop.
unsafe impl Zeroed for Words {}

impl Field {
    #[inline]
    fn word(&self, hash: u64) -> Option<&AtomicU64> {
        let number = scale(hash, self.lines.len() * WORDS);
        self.lines
            .get(number / WORDS)
            .map(|line| &line.0[number % WORDS])
    }

    /// Different bits of a word, chosen by the low bits of the hash, which have no part in the choice of the word.
    #[inline]
    fn bits(&self, hash: u64) -> u64 {
        let mut bits = 0u64;
        let mut source = super::mix(hash);
        while bits.count_ones() < self.hashes {
            bits |= 1 << (source & 63);
            source = source.rotate_right(6).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ source;
        }
        bits
    }

    #[inline]
    fn insert(&self, hash: u64) -> Sifted {
        let Some(word) = self.word(hash) else {
            return Sifted::Crowded;
        };
        let bits = self.bits(hash);
        if word.load(Ordering::Relaxed) & bits == bits
            || word.fetch_or(bits, Ordering::Relaxed) & bits == bits
        {
            return Sifted::Seen;
        }
        Sifted::New
    }

    fn contains(&self, hash: u64) -> bool {
        let bits = self.bits(hash);
        self.word(hash)
            .is_some_and(|word| word.load(Ordering::Relaxed) & bits == bits)
    }

    fn allocate(&mut self, allowance: &Allowance) -> Result<(), StoreFull> {
        if !self.lines.is_empty() {
            return Ok(());
        }
        self.lines.extend(self.wanted, allowance)?;
        self.lines.use_small_pages();
        Ok(())
    }

    fn omissions(&self, states: u64) -> Omissions {
        let words = (self.lines.len() * WORDS).max(1) as f64;
        let by_ones = self.words_by_ones();
        let (set, chance) = (0u32..)
            .zip(by_ones)
            .fold((0, 0.0), |(set, chance), (ones, words)| {
                (
                    set + u64::from(ones) * words,
                    chance + self.chance_in_word(f64::from(ones)) * words as f64,
                )
            });
        Omissions {
            expected: self.expected(states, words),
            chance: chance / words,
            states,
            basis: OmissionBasis::Field {
                bits: self.lines.len() as u64 * 512,
                set,
                hashes: self.hashes,
            },
        }
    }

    /// How many words have so many bits set, by that number. A large field is mostly empty lines, which are passed over quickly.
    fn words_by_ones(&self) -> [u64; 65] {
        let mut by_ones = [0; 65];
        for line in self.lines.iter() {
            let mut any = 0;
            for word in &line.0 {
                any |= word.load(Ordering::Relaxed);
            }
            if any == 0 {
                by_ones[0] += WORDS as u64;
                continue;
            }
            for word in &line.0 {
                by_ones[word.load(Ordering::Relaxed).count_ones() as usize] += 1;
            }
        }
        by_ones
    }

    /// The chance that different bits of a word are all among `ones` bits.
    fn chance_in_word(&self, ones: f64) -> f64 {
        let chances = (0..self.hashes).map(|taken| {
            let taken = f64::from(taken);
            ((ones - taken) / (64.0 - taken)).max(0.0)
        });
        chances.product()
    }

    /// How many states were omitted, if so many were not.
    ///
    /// States choose words at random, so the number of bits that are set in a word is a random walk, and its
    /// distribution can be followed through time, a unit of which brings one state to each word on average.
    /// Time stops when as many states as there are have been kept; the others have been omitted.
    fn expected(&self, states: u64, words: f64) -> f64 {
        const LONGEST: f64 = 1000.0;
        let kept_in_word = states as f64 / words;
        // Also of a field that is nearly empty, something has to be seen of how it fills.
        let step = (kept_in_word / 64.0).min(1.0 / 64.0);
        let mut walk = [0.0; 65];
        walk[0] = 1.0;
        let (mut time, mut omitted) = (0.0, 0.0);
        while time - omitted < kept_in_word && time < LONGEST {
            let before = walk;
            for (ones, share) in before.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                let moving = share * step;
                omitted += moving * self.chance_in_word(ones as f64);
                walk[ones] -= moving;
                self.move_on(ones, moving, &mut walk);
            }
            time += step;
        }
        omitted * words
    }

    /// Divides a share of the words, with so many bits set, by how many are set after another state: some of
    /// its bits are among them, the others are new.
    fn move_on(&self, ones: usize, moving: f64, walk: &mut [f64; 65]) {
        // By how many new bits, the chance, while the bits are chosen one after the other.
        let mut chances = [0.0; MOST_HASHES as usize + 1];
        chances[0] = moving;
        for chosen in 0..self.hashes as usize {
            for new in (0..=chosen).rev() {
                let zeroes = 64usize.saturating_sub(ones + new) as f64;
                let chance = zeroes / (64 - chosen) as f64;
                chances[new + 1] += chances[new] * chance;
                chances[new] *= 1.0 - chance;
            }
        }
        for (new, chance) in chances.iter().enumerate() {
            walk[(ones + new).min(64)] += chance;
        }
    }
}
