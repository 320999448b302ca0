//! The states that were found before the shape of the trees of their length was chosen.
//!
//! A state's name must not change, so these keep their roots in the old class for ever. When they turn up again,
//! they have a root in the new class that is not in its table. Before a root is added there, it is looked
//! for among the elders: a table of a few thousand entries that never changes and fits into the cache.

use super::scale;

/// From roots in the new class to roots in the old one.
#[derive(Debug)]
pub(crate) struct Elders {
    /// The number of the old class.
    class: u16,
    /// A power of two of places, at least a third of them free: a root plus one, or zero, and the old root.
    places: Box<[(u64, u64)]>,
    /// Bits for all that is there: a root whose bit is not set is not. Most questions are answered by these,
    /// which are in the fast part of the cache.
    filter: Box<[u64]>,
}

/// How many places share a word of the filter.
const SHARING: usize = 8;

impl Elders {
    /// A table of pairs of a new and an old root, all different.
    pub(crate) fn new(class: u16, pairs: &[(u64, u64)], hash: impl Fn(u64) -> u64) -> Self {
        let size = Self::size(pairs.len());
        let mut places = vec![(0, 0); size].into_boxed_slice();
        let mut filter = vec![0; size.div_ceil(SHARING)].into_boxed_slice();
        for &(new, old) in pairs {
            let (word, bit) = filter_bit(hash(new), filter.len());
            filter[word] |= bit;
            let mut place = hash(new) as usize % size;
            while places[place].0 != 0 {
                place = (place + 1) % size;
            }
            places[place] = (new + 1, old);
        }
        Self {
            class,
            places,
            filter,
        }
    }

    /// How many bytes a table for `count` pairs takes.
    pub(crate) fn bytes_for(count: usize) -> usize {
        let size = Self::size(count);
        size * size_of::<(u64, u64)>() + size.div_ceil(SHARING) * size_of::<u64>()
    }

    fn size(count: usize) -> usize {
        (count + count / 2 + 1).next_power_of_two()
    }

    /// The number of the old class.
    pub(crate) fn class(&self) -> u16 {
        self.class
    }

    /// The root that a state had in the old class.
    #[inline]
    pub(crate) fn find(&self, root: u64, hash: u64) -> Option<u64> {
        let (word, bit) = filter_bit(hash, self.filter.len());
        if self.filter[word] & bit == 0 {
            return None;
        }
        self.find_place(root, hash)
    }

    fn find_place(&self, root: u64, hash: u64) -> Option<u64> {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.places[place & mask] {
                (0, _) => return None,
                (found, old) if found == root + 1 => return Some(old),
                _ => place += 1,
            }
        }
    }
}

/// The word and the bit of a hash in a filter.
#[inline]
fn filter_bit(hash: u64, words: usize) -> (usize, u64) {
    (scale(hash, words), 1 << (hash % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_old_roots_and_no_others() {
        for count in [0, 1, 2, 100, 1000] {
            let pairs: Vec<_> = (0..count).map(|root| (root * 3, root + 7)).collect();
            // A poor hash, so that many roots want the same place.
            let elders = Elders::new(4, &pairs, |root| root / 50);
            for root in 0..3 * count {
                let expected = (root % 3 == 0).then_some(root / 3 + 7);
                assert_eq!(elders.find(root, root / 50), expected);
            }
        }
    }
}
