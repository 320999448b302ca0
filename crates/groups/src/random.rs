//! Seeded randomness.
//!
//! Everything random in this crate is reproducible: the same seed gives the same permutations, chains
//! and iteration orders on every machine and in every release of a random-number crate, because
//! there is none. The generator is SplitMix64 (Steele, Lea, Flood 2014), which is more than good
//! enough to pick coset representatives and is five lines long. It is not for secrets.

use crate::permutation::Permutation;

/// A reproducible source of random numbers.
#[derive(Clone, Debug)]
pub struct Seeded {
    state: u64,
}

impl Seeded {
    /// A source that depends on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Seeded { state: seed }
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// A number below `bound`, each with exactly the same probability; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        let bound = bound as u64;
        // Bits from the incomplete last stretch of multiples would favour small numbers.
        let fair = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.next_u64();
            if bits < fair {
                return (bits % bound) as usize;
            }
        }
    }
}

/// A bijective scrambler of 64 bits, also used to hash colours.
pub(crate) fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Random elements of a group that is known by generators only: the product replacement algorithm
/// (Celler, Leedham-Green, Murray, Niemeyer, O'Brien 1995) with an accumulator.
///
/// Not uniform, and nothing here relies on it being so: whatever is concluded from such elements is
/// verified afterwards.
pub(crate) struct ProductReplacement {
    pool: Vec<Permutation>,
    accumulator: Permutation,
}

/// Fewer slots than this mix badly.
const LEAST_POOL: usize = 10;

/// Replacements per slot before the first element is handed out.
const WARM_UP: usize = 5;

impl ProductReplacement {
    /// `generators` must not be empty.
    pub(crate) fn new(generators: &[Permutation], random: &mut Seeded) -> Self {
        let size = LEAST_POOL.max(generators.len());
        let pool: Vec<_> = generators.iter().cycle().take(size).cloned().collect();
        let accumulator = Permutation::identity(generators[0].degree());
        let mut this = ProductReplacement { pool, accumulator };
        for _ in 0..WARM_UP * size {
            this.step(random);
        }
        this
    }

    pub(crate) fn next(&mut self, random: &mut Seeded) -> Permutation {
        self.step(random);
        self.accumulator.clone()
    }

    fn step(&mut self, random: &mut Seeded) {
        let target = random.below(self.pool.len());
        let other = (target + 1 + random.below(self.pool.len() - 1)) % self.pool.len();
        let mut factor = self.pool[other].clone();
        if random.below(2) == 0 {
            factor = factor.inverse();
        }
        self.pool[target] = match random.below(2) {
            0 => self.pool[target].then(&factor),
            _ => factor.then(&self.pool[target]),
        };
        self.accumulator = self.accumulator.then(&self.pool[target]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_bound_hit_everything_evenly() {
        let mut random = Seeded::new(7);
        let mut hits = [0u32; 6];
        for _ in 0..6000 {
            hits[random.below(6)] += 1;
        }
        assert!(
            hits.iter().all(|&count| (900..1100).contains(&count)),
            "{hits:?}"
        );
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let draw = |seed| {
            let mut random = Seeded::new(seed);
            [random.next_u64(), random.next_u64()]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
