//! The configurations that have been passed on the way from a state: a set of byte strings that is filled and emptied all the
//! time.
//!
//! All strings lie one after the other in one buffer, and a table of numbers finds them. So to add one allocates nothing, and to
//! forget all takes time in proportion to how many there are. The general set of the standard library, with a string of its own for
//! each key and a hash function against malicious keys, took most of the time of long atomic sequences.

/// A set of byte strings.
#[derive(Debug, Default)]
pub(super) struct Passed {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Numbers of entries from 1 on, 0 where there is none. The length is a power of two, or zero.
    table: Vec<u32>,
    /// Numbers of the entries on the current chain, in the order of the chain.
    chain: Vec<u32>,
}

/// Whether a configuration has been passed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// Never.
    First,
    /// On a chain that was left again.
    Before,
    /// On the chain that leads to it.
    OnTheWay,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    /// Where the string ends. It starts where the one before ends.
    end: usize,
    /// Whether it is on the current chain.
    open: bool,
}

/// A table with more places is given up after use.
const LARGE: usize = 1 << 12;

impl Passed {
    /// Adds a string made of two parts, of which there is no other way to make it, at the end of the current chain.
    pub fn insert(&mut self, state: &[u8], rest: &[u8]) -> Met {
        if (self.entries.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        self.bytes.extend_from_slice(rest);
        let hash = hash(&self.bytes[start..]);
        let place = match self.find(hash, start) {
            Ok(number) => {
                self.bytes.truncate(start);
                return match self.entries[number as usize - 1].open {
                    true => Met::OnTheWay,
                    false => Met::Before,
                };
            }
            Err(place) => place,
        };
        let end = self.bytes.len();
        let open = true;
        self.entries.push(Entry { hash, end, open });
        let number = self.entries.len() as u32;
        self.table[place] = number;
        self.chain.push(number);
        Met::First
    }

    /// How many strings are on the current chain.
    pub fn chain_length(&self) -> usize {
        self.chain.len()
    }

    /// Goes back to where so many strings were on the current chain.
    #[inline]
    pub fn go_back(&mut self, length: usize) {
        while self.chain.len() > length
            && let Some(number) = self.chain.pop()
        {
            self.entries[number as usize - 1].open = false;
        }
    }

    /// The entry that equals the string at the end of the buffer, or a free place for it.
    fn find(&self, hash: u64, start: usize) -> Result<u32, usize> {
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.table[place] {
                0 => return Err(place),
                number if self.is_equal(number, hash, start) => return Ok(number),
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn is_equal(&self, number: u32, hash: u64, start: usize) -> bool {
        let index = number as usize - 1;
        let entry = self.entries[index];
        let from = index
            .checked_sub(1)
            .map_or(0, |before| self.entries[before].end);
        entry.hash == hash && self.bytes[from..entry.end] == self.bytes[start..]
    }

    fn grow(&mut self) {
        let places = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.resize(places, 0);
        for (number, entry) in (1..).zip(&self.entries) {
            let mut place = entry.hash as usize & (places - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            self.table[place] = number;
        }
    }

    /// Forgets all strings.
    pub fn clear(&mut self) {
        if self.entries.is_empty() {
            return;
        }
        if self.table.len() > LARGE {
            *self = Passed::default();
            return;
        }
        let mask = self.table.len() - 1;
        for (number, entry) in (1..).zip(&self.entries) {
            let mut place = entry.hash as usize & mask;
            while self.table[place] != number {
                place = (place + 1) & mask;
            }
            self.table[place] = 0;
        }
        self.entries.clear();
        self.bytes.clear();
        self.chain.clear();
    }

    /// How much memory it takes.
    pub fn memory(&self) -> usize {
        self.bytes.capacity()
            + self.entries.capacity() * size_of::<Entry>()
            + self.table.capacity() * size_of::<u32>()
            + self.chain.capacity() * size_of::<u32>()
    }
}

/// Eight bytes at a time, each mixed in by a multiplication whose upper half comes back down.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let product = u128::from(state ^ word) * u128::from(FACTOR);
        (product >> 64) as u64 ^ product as u64
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let state = words.fold(FACTOR ^ bytes.len() as u64, mix);
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(mix(state, u64::from_le_bytes(last)), FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn it_is_a_set() {
        let (mut passed, mut expected) = (Passed::default(), HashSet::new());
        for round in 0..3u32 {
            for number in 0..5_000u32 {
                let value = number.wrapping_mul(2_654_435_761) % 3_000;
                let state = vec![value as u8; (value % 23) as usize];
                let rest = (value / 5).to_le_bytes();
                let key = (state.clone(), rest);
                assert_eq!(
                    passed.insert(&state, &rest) == Met::First,
                    expected.insert(key),
                    "{round} {number}"
                );
            }
            passed.clear();
            expected.clear();
        }
    }

    #[test]
    fn a_large_set_is_given_up() {
        let mut passed = Passed::default();
        for number in 0..100_000u32 {
            let met = passed.insert(&number.to_le_bytes(), &[]);
            assert_eq!(met, Met::First);
        }
        assert!(passed.memory() > 100_000 * 4);
        passed.clear();
        assert_eq!(passed.memory(), 0);
        assert_eq!(passed.insert(&[1], &[]), Met::First);
    }

    #[test]
    fn what_was_left_is_not_on_the_way() {
        let mut passed = Passed::default();
        let steps = [
            (0, 1, Met::First),
            (1, 2, Met::First),
            (2, 1, Met::OnTheWay),
            // Another way from the first one, which comes to where the second one was.
            (1, 3, Met::First),
            (2, 2, Met::Before),
            (2, 3, Met::OnTheWay),
            // Another way from the start.
            (0, 1, Met::Before),
            (0, 3, Met::Before),
        ];
        for (before, name, met) in steps {
            passed.go_back(before);
            assert_eq!(passed.insert(&[name], &[]), met, "{before} {name}");
        }
    }
}
