//! The states that were found before the shape of the trees of their length was chosen.
//!
//! A state's name must not change, so these keep their roots in the old class for ever. When they turn up again,
//! they have a root in the new class that is not in its table. Before a root is added there, it is looked
//! for among the elders: a table of a few thousand entries that never changes and fits into the cache.

/// From roots in the new class to roots in the old one.
#[derive(Debug)]
pub(crate) struct Elders {
    /// The number of the old class.
    class: u16,
    /// A power of two of places, at least a third of them free: a root plus one, or zero, and the old root.
    places: Box<[(u64, u64)]>,
}

impl Elders {
    /// A table of pairs of a new and an old root, all different.
    pub(crate) fn new(class: u16, pairs: &[(u64, u64)], hash: impl Fn(u64) -> u64) -> Self {
        let size = Self::size(pairs.len());
        let mut places = vec![(0, 0); size].into_boxed_slice();
        for &(new, old) in pairs {
            let mut place = hash(new) as usize % size;
            while places[place].0 != 0 {
                place = (place + 1) % size;
            }
            places[place] = (new + 1, old);
        }
        Self { class, places }
    }

    /// How many bytes a table for `count` pairs takes.
    pub(crate) fn bytes_for(count: usize) -> usize {
        Self::size(count) * size_of::<(u64, u64)>()
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
