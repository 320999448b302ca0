//! Writing a store to a file and reading it back.
//!
//! The format is a sequence of 64-bit words, least byte first: a mark with the version, the kind of store, the
//! nodes by id, the classes with their trees and roots, the sieve, the totals, and a checksum of all that. It
//! is written and read in one go with a small buffer. Names of states stay valid, since ids, classes and roots
//! are the same afterwards.
//!
//! The checksum finds every change of a single word, since each step of it can be undone, and nearly every
//! other damage. Until it has been compared, what was read may be nonsense, so nothing is believed that could
//! do harm: numbers that lead to places are checked, and memory is taken as data arrives, not as counts promise
//! it.

use super::allowance::Allowance;
use super::class::{Class, Tables};
use super::nodes::Nodes;
use super::roots::Roots;
use super::shape::{Node, Shape};
use super::sieve::Sieve;
use super::store::{StateStore, StoreKind};
use crate::StoreFull;
use std::fmt;
use std::io::{BufReader, BufWriter, Error, ErrorKind, Read, Write};

/// The first word: letters and a version.
const MARK: u64 = u64::from_le_bytes(*b"mandala\x01");
const BUFFER: usize = 1 << 16;

/// Why a store could not be read back.
#[derive(Debug)]
pub enum CheckpointError {
    /// Reading failed, or the data ended too early.
    Io(Error),
    /// The data is not what was written. The text says where that was noticed.
    Damaged(&'static str),
    /// The store does not fit into the limit.
    Full(StoreFull),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
                formatter.write_str("the stored states are incomplete")
            }
            Self::Io(error) => write!(formatter, "the stored states cannot be read: {error}"),
            Self::Damaged(what) => write!(formatter, "the stored states are damaged: {what}"),
            Self::Full(full) => full.fmt(formatter),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<Error> for CheckpointError {
    fn from(error: Error) -> Self {
        Self::Io(error)
    }
}

impl From<StoreFull> for CheckpointError {
    fn from(full: StoreFull) -> Self {
        Self::Full(full)
    }
}

type Reading<T> = Result<T, CheckpointError>;

impl StateStore {
    /// Writes everything that is stored. No other thread may insert anything meanwhile, and the caller's
    /// session must be [released](crate::Session::release).
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write_to(&self, output: &mut dyn Write) -> Result<(), Error> {
        let mut words = WordWriter::new(output);
        words.put(MARK)?;
        write_kind(self.kind(), &mut words)?;
        let tables = self.read();
        tables.nodes.write(&mut words)?;
        tables.write_classes(&mut words)?;
        if let Some(sieve) = &tables.sieve {
            sieve.write(&mut words)?;
        }
        words.put(self.len())?;
        words.put(self.packed_bytes())?;
        words.finish()
    }

    /// Reads what [`write_to`](StateStore::write_to) has written. The store will not hold more than `limit`
    /// bytes of memory.
    ///
    /// # Errors
    ///
    /// If reading fails, the data is not complete or not what was written, or the limit is too low.
    pub fn read_from(input: &mut dyn Read, limit: usize) -> Reading<Self> {
        let mut words = WordReader::new(input);
        words.expect(MARK, "it does not begin as it should")?;
        let kind = read_kind(&mut words)?;
        let store = Self::new(kind, limit);
        let allowance = &store.allowance;
        store.fill(|tables| {
            tables.nodes.read(&mut words, allowance)?;
            tables.read_classes(&mut words, allowance)?;
            match &mut tables.sieve {
                Some(sieve) => sieve.read(&mut words, allowance),
                None => Ok(()),
            }
        })?;
        let (states, bytes) = (words.get()?, words.get()?);
        words.finish()?;
        store.start_from(states, bytes);
        Ok(store)
    }
}

fn write_kind(kind: StoreKind, words: &mut WordWriter<'_>) -> Result<(), Error> {
    let numbers = match kind {
        StoreKind::Exact => [0, 0, 0],
        StoreKind::HashCompact => [1, 0, 0],
        StoreKind::Bitstate { bytes, hashes } => [2, bytes as u64, u64::from(hashes)],
    };
    numbers.iter().try_for_each(|number| words.put(*number))
}

fn read_kind(words: &mut WordReader<'_>) -> Reading<StoreKind> {
    match [words.get()?, words.get()?, words.get()?] {
        [0, 0, 0] => Ok(StoreKind::Exact),
        [1, 0, 0] => Ok(StoreKind::HashCompact),
        [2, bytes, hashes] => Ok(StoreKind::Bitstate {
            bytes: small(bytes)?,
            hashes: small(hashes)?,
        }),
        _ => Err(CheckpointError::Damaged("an unknown kind of store")),
    }
}

/// A number that should not be larger than its type allows.
pub(super) fn small<T: TryFrom<u64>>(number: u64) -> Reading<T> {
    T::try_from(number).map_err(|_| CheckpointError::Damaged("a number is too large"))
}

impl Nodes {
    fn write(&self, words: &mut WordWriter<'_>) -> Result<(), Error> {
        words.put(self.taken() as u64)?;
        self.pairs().try_for_each(|pair| words.put(pair))
    }

    fn read(&mut self, words: &mut WordReader<'_>, allowance: &Allowance) -> Reading<()> {
        // Zero is always there.
        for _ in 1..words.get()? {
            let pair = words.get()?;
            self.append(pair, allowance)?;
        }
        Ok(())
    }
}

impl Tables {
    fn write_classes(&self, words: &mut WordWriter<'_>) -> Result<(), Error> {
        words.put(self.classes.len() as u64)?;
        for (number, class) in (0..).zip(&self.classes) {
            let is_before = |class: &Class| class.heir == Some(number);
            let before = self.classes.iter().position(is_before);
            words.put(before.map_or(0, |before| before as u64 + 1))?;
            words.put(u64::from(class.settled))?;
            write_shape(&class.shape, words)?;
            words.put(class.roots.scattered().count() as u64)?;
            let mut roots = class.roots.scattered();
            roots.try_for_each(|root| words.put(root))?;
        }
        Ok(())
    }

    fn read_classes(&mut self, words: &mut WordReader<'_>, allowance: &Allowance) -> Reading<()> {
        for number in 0..small::<u16>(words.get()?)? {
            let before = words.get()?.checked_sub(1).map(small::<u16>).transpose()?;
            let settled = words.get()? != 0;
            let mut class = Class::new(read_shape(words)?, settled);
            match before {
                Some(before) => self.succeed(before, number, &mut class, allowance)?,
                None if self.class(class.shape.length()).is_some() => {
                    return Err(CheckpointError::Damaged("two classes of one length"));
                }
                None => {}
            }
            read_roots(&mut class.roots, words, allowance)?;
            self.add_class(class, allowance)?;
        }
        Ok(())
    }

    /// Makes a class the heir of one that was read before.
    fn succeed(
        &mut self,
        before: u16,
        number: u16,
        class: &mut Class,
        allowance: &Allowance,
    ) -> Reading<()> {
        let length = class.shape.length();
        match self.classes.get_mut(usize::from(before)) {
            Some(old) if old.shape.length() == length && old.heir.is_none() => {
                old.heir = Some(number);
            }
            _ => return Err(CheckpointError::Damaged("an heir of no class")),
        }
        if self.sieve.is_none() {
            class.elders = Some(self.elders(before, &class.shape, allowance)?);
        }
        Ok(())
    }
}

fn write_shape(shape: &Shape, words: &mut WordWriter<'_>) -> Result<(), Error> {
    let pair = |(left, right): (u16, u16)| u64::from(left) | u64::from(right) << 16;
    words.put(shape.length() as u64)?;
    let Some(sides) = shape.sides() else {
        return Ok(());
    };
    words.put(pair(sides))?;
    words.put(shape.nodes().len() as u64)?;
    let mut nodes = shape.nodes().iter();
    nodes.try_for_each(|node| words.put(pair((node.left, node.right))))
}

fn read_shape(words: &mut WordReader<'_>) -> Reading<Shape> {
    let pair = |word: u64| (word as u16, (word >> 16) as u16);
    let length = small(words.get()?)?;
    if let Some(plain) = Shape::plain(length) {
        return Ok(plain);
    }
    let sides = pair(words.get()?);
    let count = small::<u16>(words.get()?)?;
    let mut nodes = Vec::new();
    for _ in 0..count {
        let (left, right) = pair(words.get()?);
        nodes.push(Node { left, right });
    }
    let shape = Shape::from_nodes(length, nodes, sides);
    shape.ok_or(CheckpointError::Damaged("what should be a tree is none"))
}

fn read_roots(roots: &mut Roots, words: &mut WordReader<'_>, allowance: &Allowance) -> Reading<()> {
    for _ in 0..words.get()? {
        let full = words.get()?;
        if !roots.add(full, allowance)? {
            return Err(CheckpointError::Damaged("a root without a depth"));
        }
    }
    Ok(())
}

impl Sieve {
    fn write(&self, words: &mut WordWriter<'_>) -> Result<(), Error> {
        words.put(self.words().count() as u64)?;
        self.words().try_for_each(|word| words.put(word))
    }

    fn read(&mut self, words: &mut WordReader<'_>, allowance: &Allowance) -> Reading<()> {
        for place in 0..words.get()? {
            let word = words.get()?;
            self.restore(place, word, allowance)?;
        }
        Ok(())
    }
}

/// Adds a word to a checksum. For each word this can be undone, so different sums stay different.
#[inline]
fn add(sum: u64, word: u64) -> u64 {
    (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Writes words and adds them up.
struct WordWriter<'w> {
    output: BufWriter<&'w mut dyn Write>,
    sum: u64,
}

impl<'w> WordWriter<'w> {
    fn new(output: &'w mut dyn Write) -> Self {
        Self {
            output: BufWriter::with_capacity(BUFFER, output),
            sum: 0,
        }
    }

    #[inline]
    fn put(&mut self, word: u64) -> Result<(), Error> {
        self.sum = add(self.sum, word);
        self.output.write_all(&word.to_le_bytes())
    }

    fn finish(mut self) -> Result<(), Error> {
        self.put(self.sum)?;
        self.output.flush()
    }
}

/// Reads words and adds them up.
struct WordReader<'r> {
    input: BufReader<&'r mut dyn Read>,
    sum: u64,
}

impl<'r> WordReader<'r> {
    fn new(input: &'r mut dyn Read) -> Self {
        Self {
            input: BufReader::with_capacity(BUFFER, input),
            sum: 0,
        }
    }

    #[inline]
    fn get(&mut self) -> Reading<u64> {
        let mut bytes = [0; 8];
        self.input.read_exact(&mut bytes)?;
        let word = u64::from_le_bytes(bytes);
        self.sum = add(self.sum, word);
        Ok(word)
    }

    fn expect(&mut self, word: u64, what: &'static str) -> Reading<()> {
        match self.get()? == word {
            true => Ok(()),
            false => Err(CheckpointError::Damaged(what)),
        }
    }

    fn finish(mut self) -> Reading<()> {
        let sum = self.sum;
        self.expect(sum, "its checksum is wrong")
    }
}
