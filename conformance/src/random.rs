//! Reproducible choices.
//!
//! The algorithm (SplitMix64) is written out here, so that a seed means the same program on every
//! machine and with every version of every library.

/// A source of choices that depends on its seed alone.
#[derive(Clone, Debug)]
pub struct RandomSource(u64);

impl RandomSource {
    /// RandomSource that roll the sequence of that seed.
    pub fn new(seed: u64) -> Self {
        RandomSource(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    /// True in `percent` of 100 rolls.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items, which must not be empty.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// One of the items, each as often as its weight says; at least one weight is above 0.
    pub fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> T {
        let total: usize = items.iter().map(|(weight, _)| weight).sum();
        let mut roll = self.below(total);
        for &(weight, item) in items {
            if roll < weight {
                return item;
            }
            roll -= weight;
        }
        items[items.len() - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_means_the_same_sequence() {
        let mut dice = RandomSource::new(1);
        let rolls: Vec<usize> = (0..6).map(|_| dice.below(1000)).collect();
        assert_eq!(rolls, [465, 519, 590, 235, 761, 48]);
    }

    #[test]
    fn weights_of_zero_never_come() {
        let mut dice = RandomSource::new(7);
        let rolled = (0..1000).map(|_| dice.weighted(&[(0, 'a'), (1, 'b'), (3, 'c')]));
        assert!(rolled.into_iter().all(|c| c != 'a'));
    }

    #[test]
    fn ranges_include_both_ends() {
        let mut dice = RandomSource::new(3);
        let rolled: Vec<i32> = (0..200).map(|_| dice.between(-1, 1)).collect();
        assert!([-1, 0, 1].iter().all(|wanted| rolled.contains(wanted)));
        assert!(rolled.iter().all(|r| (-1..=1).contains(r)));
    }
}
