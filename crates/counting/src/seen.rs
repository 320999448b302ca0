//! The counted states that have been seen, in few bytes each.

use mandala_counters::Counted;
use mandala_store::{Insertion, StateId, StoreFull, VisitedSet};

/// A state that has been seen, and how.
#[derive(Clone, Copy, Debug)]
struct Known {
    state: StateId,
    parent: u32,
    depth: u32,
}

/// No state leads there.
const NOBODY: u32 = u32::MAX;

/// Why a state cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// There is no memory.
    Memory,
    /// There are more than can be numbered.
    Numbers,
    /// It is too large.
    Size,
}

impl From<StoreFull> for Full {
    fn from(full: StoreFull) -> Self {
        match full {
            StoreFull::Memory => Full::Memory,
            StoreFull::Ids => Full::Numbers,
            StoreFull::Length => Full::Size,
        }
    }
}

/// The states that have been seen, numbered in the order in which they were met.
#[derive(Debug)]
pub(crate) struct Seen {
    set: VisitedSet,
    known: Vec<Known>,
    packed: Vec<u8>,
}

impl Seen {
    /// No states, in that much memory.
    pub(crate) fn within(bytes: usize) -> Self {
        Seen {
            set: VisitedSet::with_limit(bytes),
            known: Vec::new(),
            packed: Vec::new(),
        }
    }

    /// Adds a state that comes after another one; its number, if it is new.
    pub(crate) fn insert(
        &mut self,
        state: &Counted,
        parent: Option<usize>,
    ) -> Result<Option<usize>, Full> {
        self.packed.clear();
        write(state, &mut self.packed);
        let number = self.known.len();
        match self.set.insert(&self.packed)? {
            Insertion::Seen(_) => Ok(None),
            Insertion::New(_) if number >= NOBODY as usize => Err(Full::Numbers),
            Insertion::New(state) => {
                self.known.push(Known {
                    state,
                    parent: parent.map_or(NOBODY, |parent| parent as u32),
                    depth: parent.map_or(0, |parent| self.known[parent].depth + 1),
                });
                Ok(Some(number))
            }
        }
    }

    /// Gives the number of the last state back, which stays in the set: there may be no more, and the search ends.
    pub(crate) fn forget_last(&mut self) {
        self.known.pop();
    }

    /// The state of that number.
    pub(crate) fn get(&self, number: usize) -> Counted {
        read(self.set.get(self.known[number].state))
    }

    /// How many steps lead there.
    pub(crate) fn depth(&self, number: usize) -> u64 {
        self.known[number].depth.into()
    }

    /// The states on the way there.
    pub(crate) fn way(&self, number: usize) -> Vec<Counted> {
        let parent = |at: &usize| match self.known[*at].parent {
            NOBODY => None,
            parent => Some(parent as usize),
        };
        let mut way: Vec<usize> = std::iter::successors(Some(number), parent).collect();
        way.reverse();
        way.into_iter().map(|number| self.get(number)).collect()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// The memory that they take.
    pub(crate) fn bytes(&self) -> usize {
        self.set.bytes() + self.known.capacity() * size_of::<Known>()
    }
}

/// Writes a state as small numbers, each in as few bytes as it needs.
fn write(state: &Counted, packed: &mut Vec<u8>) {
    number(state.shared, packed);
    for (local, count) in &state.entries {
        number(*local, packed);
        number(*count, packed);
    }
}

fn number(mut number: u32, packed: &mut Vec<u8>) {
    while number >= 0x80 {
        packed.push(number as u8 | 0x80);
        number >>= 7;
    }
    packed.push(number as u8);
}

fn read(packed: &[u8]) -> Counted {
    let mut numbers = Vec::new();
    let (mut number, mut shift) = (0u32, 0);
    for byte in packed {
        number |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            numbers.push(number);
            (number, shift) = (0, 0);
        }
    }
    Counted {
        shared: numbers[0],
        entries: numbers[1..].chunks(2).map(|e| (e[0], e[1])).collect(),
    }
}
