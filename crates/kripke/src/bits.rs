//! Sets of numbers, a bit each.

/// A set of numbers below some bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    length: usize,
}

impl Bits {
    /// The empty set of numbers below `length`.
    #[must_use]
    pub fn none(length: usize) -> Bits {
        let words = vec![0; length.div_ceil(64)];
        Bits { words, length }
    }

    /// The set of all numbers below `length`.
    #[must_use]
    pub fn all(length: usize) -> Bits {
        let mut bits = Bits::none(length);
        bits.invert();
        bits
    }

    /// The bound.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether a number is in the set.
    #[must_use]
    pub fn has(&self, number: usize) -> bool {
        let word = self.words.get(number / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// How many numbers are in the set.
    #[must_use]
    pub fn count(&self) -> usize {
        let ones = self.words.iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// Puts a number below the bound into the set and says whether it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        debug_assert!(number < self.length);
        let (word, bit) = (&mut self.words[number / 64], 1 << (number % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Makes it the set of all other numbers below the bound.
    pub fn invert(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.trim();
    }

    /// Keeps what the other set has as well.
    pub fn intersect(&mut self, other: &Bits) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word &= more;
        }
    }

    /// Adds what the other set has.
    pub fn unite(&mut self, other: &Bits) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Makes room for numbers below a greater bound.
    pub(crate) fn lengthen(&mut self, length: usize) {
        self.length = length;
        self.words.resize(length.div_ceil(64), 0);
    }

    /// The numbers in the set, the least first.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(place, &word)| {
            let rest = |word: &u64| Some(word & (word - 1)).filter(|rest| *rest != 0);
            let words = std::iter::successors(Some(word).filter(|word| *word != 0), rest);
            words.map(move |word| place * 64 + word.trailing_zeros() as usize)
        })
    }

    /// Takes a number below the bound out of the set.
    pub fn remove(&mut self, number: usize) {
        debug_assert!(number < self.length);
        self.words[number / 64] &= !(1 << (number % 64));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Clears what lies beyond the bound.
    fn trim(&mut self) {
        let beyond = self.length % 64;
        if beyond != 0
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << beyond) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_and_none_differ_by_the_bound() {
        for length in [0, 1, 63, 64, 65, 130] {
            let mut bits = Bits::all(length);
            assert_eq!(bits.count(), length);
            assert!(bits.iter().eq(0..length));
            assert!(!bits.has(length));
            bits.invert();
            assert_eq!(bits, Bits::none(length));
        }
    }

    #[test]
    fn a_number_is_new_once() {
        let mut bits = Bits::none(70);
        assert!(bits.insert(69) && bits.insert(3));
        assert!(!bits.insert(69));
        assert_eq!(bits.iter().collect::<Vec<_>>(), [3, 69]);
    }
}
