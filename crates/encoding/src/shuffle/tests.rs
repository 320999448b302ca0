//! All levels against the definition, on random blocks.

use super::{
    Arrangement, CHUNK, Chunk, Level, Reach, Rearrangement, Repertoire, Shuffler, Substitution,
};

const REACHES: [Reach; 4] = [Reach::Lane, Reach::Chunk, Reach::Pair, Reach::All];
const LOWESTS: [u8; 9] = [255, 248, 240, 239, 200, 192, 130, 128, 0];

/// A generator of numbers that look random and can be had again from the seed (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound.max(1)
    }

    /// A block, most of its bytes from the lowest value on.
    fn block(&mut self, chunks: usize, lowest: u8) -> Vec<Chunk> {
        let range = 256 - usize::from(lowest);
        let mut byte = || match self.below(4) {
            0 => self.below(256) as u8,
            _ => lowest + self.below(range) as u8,
        };
        (0..chunks)
            .map(|_| Chunk(std::array::from_fn(|_| byte())))
            .collect()
    }

    fn rearrangement(&mut self, reach: Reach, chunks: usize, lowest: u8) -> Rearrangement {
        let mut places = Arrangement::identity(reach, chunks);
        for at in 0..places.chunks() * CHUNK {
            let start = at - at % reach.bytes();
            places.set(at, start + self.below(reach.bytes()));
        }
        let mut values = Substitution::identity(lowest);
        for value in lowest..=255 {
            values.set(value, lowest + self.below(256 - usize::from(lowest)) as u8);
        }
        Rearrangement { places, values }
    }
}

fn shufflers() -> impl Iterator<Item = Shuffler> {
    Level::ALL.into_iter().filter_map(Shuffler::at)
}

fn bytes(block: &[Chunk]) -> Vec<u8> {
    block.iter().flat_map(|chunk| chunk.0).collect()
}

/// The definition: places by `places`, values by `values`.
fn expected(by: &Rearrangement, block: &[Chunk]) -> Vec<u8> {
    let old = bytes(block);
    let sources = (0..old.len()).map(|at| by.places.source(at));
    sources.map(|from| by.values.get(old[from])).collect()
}

/// Calls the function with rearrangements of all sizes and blocks for them.
fn for_all_sizes(seed: u64, mut check: impl FnMut(&mut Random, &Rearrangement, u8, Vec<Chunk>)) {
    let mut random = Random(seed);
    for reach in REACHES {
        for lowest in LOWESTS {
            for chunks in 1..=4 {
                let by = random.rearrangement(reach, chunks, lowest);
                let block = random.block(by.places.chunks(), lowest);
                check(&mut random, &by, lowest, block);
            }
        }
    }
}

#[test]
fn the_best_level_is_the_default_and_the_portable_one_is_always_there() {
    let available: Vec<Level> = shufflers().map(Shuffler::level).collect();
    assert_eq!(available.first(), Some(&Level::Portable));
    assert_eq!(available.last(), Some(&Shuffler::default().level()));
}

#[test]
fn rearranging_is_the_same_at_all_levels() {
    for_all_sizes(1, |_, by, _, block| {
        let expected = expected(by, &block);
        for shuffler in shufflers() {
            let mut found = vec![Chunk::ZERO; block.len()];
            shuffler.rearrange(by, &block, &mut found);
            assert_eq!(bytes(&found), expected, "{shuffler:?} {by:?}");
        }
    });
}

#[test]
fn gathering_and_substituting_are_the_two_halves() {
    for_all_sizes(2, |_, by, _, block| {
        let expected = expected(by, &block);
        for shuffler in shufflers() {
            let mut found = vec![Chunk::ZERO; block.len()];
            shuffler.gather(&by.places, &block, &mut found);
            shuffler.substitute(&by.values, &mut found);
            assert_eq!(bytes(&found), expected, "{shuffler:?} {by:?}");
        }
    });
}

#[test]
fn values_below_the_lowest_stay() {
    for_all_sizes(3, |random, by, lowest, _| {
        let block = random.block(by.places.chunks(), 0);
        for shuffler in shufflers() {
            let mut found = block.clone();
            shuffler.substitute(&by.values, &mut found);
            let pairs = bytes(&block).into_iter().zip(bytes(&found));
            for (old, new) in pairs.filter(|(old, _)| *old < lowest) {
                assert_eq!(old, new, "{shuffler:?}");
            }
        }
    });
}

#[test]
fn exchanging_is_the_same_at_all_levels() {
    let mut random = Random(4);
    for _ in 0..200 {
        let block = random.block(3, 250);
        let [a, b] = [0; 2].map(|_: u8| 245 + random.below(11) as u8);
        let exchange = |byte: u8| match byte {
            byte if byte == a => b,
            byte if byte == b => a,
            byte => byte,
        };
        let expected: Vec<u8> = bytes(&block).into_iter().map(exchange).collect();
        for shuffler in shufflers() {
            let mut found = block.clone();
            shuffler.exchange(&mut found, a, b);
            assert_eq!(bytes(&found), expected, "{shuffler:?} {a} {b}");
        }
    }
}

#[test]
fn the_least_of_many_is_the_same_at_all_levels() {
    for_all_sizes(5, |random, by, lowest, mut block| {
        let length = by.places.chunks();
        // Blocks that differ late, so that comparing has to go far.
        let late = random.below(length);
        block[..late].fill(Chunk([lowest / 2; CHUNK]));
        let at = random.below(CHUNK);
        block[late].0[..at].fill(lowest);
        let mut all = vec![by.clone()];
        all.resize_with(30, || random.rearrangement(by.places.reach, length, lowest));
        let mut repertoire = Repertoire::new(by);
        all[1..].iter().for_each(|by| repertoire.push(by));
        assert_eq!(repertoire.len(), 30);
        for first in [0, 1, 7, 30, 31] {
            let start = random.block(length, lowest);
            let mut least = bytes(&start);
            let mut number = None;
            for (at, by) in all.iter().take(first).enumerate() {
                let image = expected(by, &block);
                if image < least {
                    (least, number) = (image, Some(at));
                }
            }
            for shuffler in shufflers() {
                let mut found = start.clone();
                let given = shuffler.keep_least(&repertoire, first, &block, &mut found);
                assert_eq!(given, number, "{shuffler:?}");
                assert_eq!(bytes(&found), least, "{shuffler:?}");
            }
        }
    });
}

#[test]
fn bytes_are_filled_in_from_the_front() {
    let mut block = [Chunk::ZERO; 2];
    Chunk::fill(&mut block, &[7; 70]);
    assert_eq!(bytes(&block)[69..72], [7, 0, 0]);
    Chunk::fill(&mut block, &[1; 129]);
    assert_eq!(bytes(&block), [1; 128]);
}
