//! Byte shuffles: how a permutation of names is applied to a whole state by a handful of instructions.
//!
//! Applying a permutation to a state that lies in columns means two things: bytes change their *places* (the cells of
//! process 3 become those of process 5) and bytes change their *values* (who referred to 3 refers to 5). Both are
//! look-ups of bytes in a small table, and for that processors have one instruction: `pshufb` looks up 16 bytes at once in
//! 16 entries (SSSE3, twice that with AVX2), `vpermb` 64 bytes in 64 entries, `vpermi2b` in 128 (AVX-512 VBMI).
//!
//! - An [`Arrangement`] says where bytes come from. Bytes stay within windows of 16, 64, 128 or 256 bytes, its [`Reach`],
//!   so that an index is one byte and a look-up few instructions.
//! - A [`Substitution`] says what values become. Those that may change are at the upper end, from `lowest` to 255;
//!   smaller ones stay, whatever instruction is used.
//! - A [`Rearrangement`] is both, first the places, then the values.
//! - A [`Repertoire`] is a list of them, packed densely; a block can be taken through all of it to find the least result,
//!   which costs a few instructions each, because comparing stops at the first byte that is too large.
//!
//! A [`Shuffler`] does all that with the best instructions the processor has. They are chosen once, at run
//! time; each [`Level`] can be asked for, the portable one is always there, and all give the same bytes.
//!
//! This module holds the only unsafe code of the crate: loads and stores of vectors, through references to arrays of
//! their size, and calls of functions that need certain instructions, which a [`Shuffler`] makes only if they are there.

mod portable;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod kernels;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod ssse3;
#[cfg(target_arch = "x86_64")]
mod vbmi;

/// The bytes of a chunk.
pub const CHUNK: usize = 64;

/// A piece of a block of bytes: a cache line, and the longest vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(align(64))]
pub struct Chunk(pub [u8; CHUNK]);

impl Chunk {
    /// All bytes zero.
    pub const ZERO: Self = Self([0; CHUNK]);

    /// Copies bytes to the front of a block, as many as fit.
    pub fn fill(block: &mut [Self], bytes: &[u8]) {
        for (chunk, piece) in block.iter_mut().zip(bytes.chunks(CHUNK)) {
            chunk.0[..piece.len()].copy_from_slice(piece);
        }
    }
}

/// Which instructions are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Byte by byte, on every processor.
    Portable,
    /// 16 bytes at once.
    Ssse3,
    /// 32 bytes at once.
    Avx2,
    /// 64 bytes at once, with tables of 64 and 128 entries: AVX-512 with its byte manipulation instructions.
    Vbmi,
}

impl Level {
    /// All of them, the best one last.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Ssse3, Self::Avx2, Self::Vbmi];

    /// Whether this processor has the instructions.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Self::Portable => true,
            Self::Ssse3 => is_x86_feature_detected!("ssse3"),
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            Self::Vbmi => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        return self == Self::Portable;
    }
}

/// How far a byte may move, or how many entries a table has: a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// 16 bytes.
    Lane,
    /// 64 bytes.
    Chunk,
    /// 128 bytes.
    Pair,
    /// 256 bytes.
    All,
}

impl Reach {
    /// The smallest one of at least so many bytes, if there is one.
    pub fn of(bytes: usize) -> Option<Self> {
        let all = [Self::Lane, Self::Chunk, Self::Pair, Self::All];
        all.into_iter().find(|reach| bytes <= reach.bytes())
    }

    /// How many bytes it is.
    pub fn bytes(self) -> usize {
        match self {
            Self::Lane => 16,
            Self::Chunk => 64,
            Self::Pair => 128,
            Self::All => 256,
        }
    }

    /// How many chunks blocks of this reach are made of, or a multiple of it.
    pub fn chunks(self) -> usize {
        self.bytes().div_ceil(CHUNK)
    }
}

/// Where each byte of a block comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    reach: Reach,
    /// For each byte, the byte it comes from, counted from the start of their window.
    indices: Vec<Chunk>,
}

impl Arrangement {
    /// All bytes of a block stay. The number of chunks is rounded up to whole windows.
    pub fn identity(reach: Reach, chunks: usize) -> Self {
        let chunks = chunks.next_multiple_of(reach.chunks());
        let index = |at: usize| (at % reach.bytes()) as u8;
        let chunk = |number: usize| Chunk(std::array::from_fn(|at| index(number * CHUNK + at)));
        Self {
            reach,
            indices: (0..chunks).map(chunk).collect(),
        }
    }

    /// How many chunks its blocks have.
    pub fn chunks(&self) -> usize {
        self.indices.len()
    }

    /// Says that a byte comes from another one of its window.
    ///
    /// # Panics
    ///
    /// Panics if a byte lies behind the block, or the two in different windows.
    pub fn set(&mut self, at: usize, from: usize) {
        let window = self.reach.bytes();
        assert_eq!(at / window, from / window, "both are in one window");
        self.indices[at / CHUNK].0[at % CHUNK] = (from % window) as u8;
    }

    /// Where a byte of the block comes from.
    fn source(&self, at: usize) -> usize {
        let start = at - at % self.reach.bytes();
        let index = usize::from(self.indices[at / CHUNK].0[at % CHUNK]);
        start + index % self.reach.bytes()
    }
}

/// What the values of bytes become: those from a lowest one to 255 are looked up, smaller ones stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitution {
    lowest: u8,
    entries: Reach,
    table: [Chunk; 4],
}

impl Substitution {
    /// Nothing changes. Values from the lowest one on can be set.
    pub fn identity(lowest: u8) -> Self {
        let byte = |at: usize| at as u8;
        let chunk = |number: usize| Chunk(std::array::from_fn(|at| byte(number * CHUNK + at)));
        Self {
            lowest,
            entries: Reach::of(256 - usize::from(lowest)).unwrap_or(Reach::All),
            table: std::array::from_fn(chunk),
        }
    }

    /// Says what a value becomes.
    ///
    /// # Panics
    ///
    /// Panics if one of the values is below the lowest.
    pub fn set(&mut self, value: u8, image: u8) {
        let lowest = self.lowest;
        assert!(value >= lowest && image >= lowest, "smaller values stay");
        let at = usize::from(value);
        self.table[at / CHUNK].0[at % CHUNK] = image;
    }

    /// What a value becomes.
    pub fn get(&self, value: u8) -> u8 {
        let at = usize::from(value);
        self.table[at / CHUNK].0[at % CHUNK]
    }

    /// The chunks of the table that may change something: its end.
    fn changes(&self) -> &[Chunk] {
        &self.table[self.table.len() - self.entries.chunks()..]
    }
}

/// New places for bytes, then new values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rearrangement {
    /// The places.
    pub places: Arrangement,
    /// The values.
    pub values: Substitution,
}

/// Rearrangements of the same length, reach and lowest value, one after the other.
#[derive(Clone, Debug)]
pub struct Repertoire {
    reach: Reach,
    entries: Reach,
    /// Chunks of a block.
    chunks: usize,
    /// The indices of all of them.
    indices: Vec<Chunk>,
    /// The changing ends of the tables of all of them.
    tables: Vec<Chunk>,
}

impl Repertoire {
    /// One that begins with a rearrangement.
    pub fn new(first: &Rearrangement) -> Self {
        Self {
            reach: first.places.reach,
            entries: first.values.entries,
            chunks: first.places.chunks(),
            indices: first.places.indices.clone(),
            tables: first.values.changes().to_vec(),
        }
    }

    /// Adds another one.
    ///
    /// # Panics
    ///
    /// Panics if it does not have the length, the reach and about the lowest value of the first.
    pub fn push(&mut self, by: &Rearrangement) {
        let kind = (by.places.reach, by.values.entries, by.places.chunks());
        assert_eq!(
            kind,
            (self.reach, self.entries, self.chunks),
            "all are alike"
        );
        self.indices.extend(&by.places.indices);
        self.tables.extend(by.values.changes());
    }

    /// How many there are, at least one.
    #[allow(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.indices.len() / self.chunks
    }
}

/// Does shuffles with the instructions of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffler {
    /// Available on this processor: calls rely on it.
    level: Level,
}

/// Calls a function of the module that belongs to the level.
macro_rules! at_level {
    ($shuffler:expr, $function:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        // SAFETY: the function needs nothing but its instructions, and a shuffler is made for available levels only.
        let result = match $shuffler.level {
            Level::Portable => portable::$function($($argument),*),
            Level::Ssse3 => unsafe { ssse3::$function($($argument),*) },
            Level::Avx2 => unsafe { avx2::$function($($argument),*) },
            Level::Vbmi => unsafe { vbmi::$function($($argument),*) },
        };
        #[cfg(not(target_arch = "x86_64"))]
        let result = portable::$function($($argument),*);
        result
    }};
}

impl Shuffler {
    /// The best that this processor has.
    pub fn new() -> Self {
        let best = Level::ALL.into_iter().rfind(|level| level.is_available());
        Self {
            level: best.unwrap_or(Level::Portable),
        }
    }

    /// One that uses the instructions of a level, if this processor has them.
    pub fn at(level: Level) -> Option<Self> {
        level.is_available().then_some(Self { level })
    }

    /// The level in use.
    pub fn level(self) -> Level {
        self.level
    }

    /// Gives all bytes of a block new places.
    ///
    /// # Panics
    ///
    /// Panics if the blocks do not have the length of the arrangement.
    pub fn gather(self, places: &Arrangement, from: &[Chunk], to: &mut [Chunk]) {
        check(places, from, to);
        at_level!(self, gather(places, from, to));
    }

    /// Gives bytes new values.
    pub fn substitute(self, values: &Substitution, block: &mut [Chunk]) {
        at_level!(self, substitute(values, block));
    }

    /// Exchanges two values wherever they occur, by comparing and choosing: the vector swap of Donaldson (2009).
    pub fn exchange(self, block: &mut [Chunk], a: u8, b: u8) {
        at_level!(self, exchange(block, a, b));
    }

    /// Gives all bytes of a block new places and new values.
    ///
    /// # Panics
    ///
    /// Panics if the blocks do not have the length of the arrangement.
    pub fn rearrange(self, by: &Rearrangement, from: &[Chunk], to: &mut [Chunk]) {
        check(&by.places, from, to);
        at_level!(self, rearrange(by, from, to));
    }

    /// Applies the first so many rearrangements to a block, keeps the least of the results and `least`, and
    /// returns the number of the rearrangement that gave it, if it is not the old one.
    ///
    /// # Panics
    ///
    /// Panics if the blocks do not have the length of the repertoire.
    pub fn keep_least(
        self,
        by: &Repertoire,
        first: usize,
        block: &[Chunk],
        least: &mut [Chunk],
    ) -> Option<usize> {
        let lengths = (block.len(), least.len());
        assert_eq!(
            lengths,
            (by.chunks, by.chunks),
            "blocks have the length of the repertoire"
        );
        at_level!(self, keep_least(by, first, block, least))
    }
}

impl Default for Shuffler {
    fn default() -> Self {
        Self::new()
    }
}

fn check(places: &Arrangement, from: &[Chunk], to: &[Chunk]) {
    let lengths = (from.len(), to.len());
    let expected = (places.chunks(), places.chunks());
    assert_eq!(
        lengths, expected,
        "blocks have the length of the arrangement"
    );
}
