//! Sets of small numbers.

/// A set of numbers below some bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set.
    pub fn new(bound: usize) -> Self {
        Bits {
            words: vec![0; bound.div_ceil(64)],
        }
    }

    /// Adds a number. The set grows if it has to.
    pub fn insert(&mut self, number: usize) {
        if number / 64 >= self.words.len() {
            self.words.resize(number / 64 + 1, 0);
        }
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    pub fn remove(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Takes all numbers out. There is room for those below a bound.
    pub fn reset(&mut self, bound: usize) {
        self.words.clear();
        self.words.resize(bound.div_ceil(64), 0);
    }

    /// How much memory the numbers take.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Adds all numbers of another set, and calls `new` on each that was not there before.
    #[inline]
    pub fn add_new(&mut self, other: &Bits, mut new: impl FnMut(usize)) {
        for (at, (mine, theirs)) in self.words.iter_mut().zip(&other.words).enumerate() {
            let mut fresh = theirs & !*mine;
            *mine |= fresh;
            while fresh != 0 {
                new(at * 64 + fresh.trailing_zeros() as usize);
                fresh &= fresh - 1;
            }
        }
    }

    /// How many numbers of another set are not in this one, and how many of those are in `marked`.
    #[inline]
    pub fn lacks(&self, other: &Bits, marked: &Bits) -> (u32, u32) {
        let words = self.words.iter().zip(&other.words).zip(&marked.words);
        words.fold((0, 0), |(all, some), ((mine, theirs), marked)| {
            let fresh = theirs & !mine;
            (
                all + fresh.count_ones(),
                some + (fresh & marked).count_ones(),
            )
        })
    }

    /// Adds all numbers of another set.
    pub fn add(&mut self, other: &Bits) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let pairs = self.words.iter_mut().zip(&other.words);
        pairs.for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Whether the number is in it.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        let word = self.words.get(number / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Whether some number is in both.
    pub fn meets(&self, other: &Bits) -> bool {
        let mut pairs = self.words.iter().zip(&other.words);
        pairs.any(|(mine, theirs)| mine & theirs != 0)
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(at, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| at * 64 + bit)
        })
    }

    /// The only number, if there is one and no more.
    pub fn single(&self) -> Option<usize> {
        let mut numbers = self.iter();
        let first = numbers.next()?;
        numbers.next().is_none().then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> Bits {
        let mut set = Bits::new(10);
        numbers.iter().for_each(|n| set.insert(*n));
        set
    }

    #[test]
    fn sets_grow() {
        let mut few = set(&[3]);
        few.remove(300);
        assert!(!few.meets(&set(&[4, 300])) && !few.contains(300));
        few.add(&set(&[300]));
        assert!(few.meets(&set(&[4, 300])) && few.contains(3));
        assert_eq!(few.iter().collect::<Vec<_>>(), [3, 300]);
        assert_eq!(
            (few.single(), set(&[64]).single(), set(&[]).single()),
            (None, Some(64), None)
        );
    }

    #[test]
    fn what_is_new_is_told_once() {
        let mut some = set(&[1, 5]);
        let more = set(&[5, 6, 8]);
        assert_eq!(some.lacks(&more, &set(&[1, 8])), (2, 1));
        let mut new = Vec::new();
        some.add_new(&more, |number| new.push(number));
        some.add_new(&more, |number| new.push(number));
        assert_eq!(new, [6, 8]);
        some.remove(5);
        assert_eq!(some, set(&[1, 6, 8]));
        some.reset(10);
        assert_eq!(some, set(&[]));
    }
}
