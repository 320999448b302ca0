//! The hash of a state.
//!
//! The function is rapidhash, version 3, in the variant for short keys: among the fastest on keys of ten to
//! two hundred bytes, and it spreads keys that differ in a single counter over all bits of its result, which the
//! tests below check on the kind of keys that models produce. Its result depends on nothing but the bytes.

use rapidhash::v3::{RapidSecrets, rapidhash_v3_nano_inline};

/// The fixed seed makes runs repeatable. States come from models and not from attackers.
const SECRETS: RapidSecrets = RapidSecrets::seed(0);

/// The hash of a state.
#[inline]
pub(crate) fn hash(state: &[u8]) -> u64 {
    rapidhash_v3_nano_inline::<true, false>(state, &SECRETS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of `length` bytes, all alike but for a 16-bit counter in the bytes at the two places.
    fn counter_keys(length: usize, low: usize, high: usize) -> impl Iterator<Item = Vec<u8>> {
        (0..=u16::MAX).map(move |counter| {
            let mut key = vec![0; length];
            let [low_byte, high_byte] = counter.to_le_bytes();
            key[low] = low_byte;
            key[high] = high_byte;
            key
        })
    }

    /// How far the counts are from what an even distribution gives, in standard deviations.
    fn excess(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        let chi_square: f64 = counts
            .iter()
            .map(|count| (f64::from(*count) - expected).powi(2) / expected)
            .sum();
        let freedom = (counts.len() - 1) as f64;
        (chi_square - freedom) / (2.0 * freedom).sqrt()
    }

    fn assert_even(keys: impl Iterator<Item = Vec<u8>>, what: &str) {
        let (mut upper, mut tags, mut filter) = (vec![0; 1024], vec![0; 256], vec![0; 32]);
        for key in keys {
            let hash = hash(&key);
            upper[(hash >> 54) as usize] += 1;
            tags[(hash & 255) as usize] += 1;
            filter[(hash >> 8 & 31) as usize] += 1;
        }
        for (part, counts) in [("upper bits", upper), ("tags", tags), ("filter", filter)] {
            assert!(
                excess(&counts) < 6.0,
                "{what}, {part}: {} standard deviations",
                excess(&counts)
            );
        }
    }

    #[test]
    fn counters_in_any_two_bytes_are_spread_evenly() {
        for length in [8, 13, 17, 24, 49, 100] {
            for low in 0..length.min(20) {
                let high = (low + 1 + low * 5 % (length - 1)) % length;
                assert_even(
                    counter_keys(length, low, high),
                    &format!("length {length}, bytes {low} and {high}"),
                );
            }
        }
    }

    #[test]
    fn lengths_of_zeros_hash_differently() {
        let mut hashes: Vec<_> = (0..5000).map(|length| hash(&vec![0; length])).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 5000);
    }

    /// Each of many small counters of two bits, as in a vector of processes with few locations.
    #[test]
    fn vectors_of_small_values_are_spread_evenly() {
        let keys = (0..1u32 << 16).map(|number| {
            (0..8)
                .map(|place| (number >> (2 * place) & 3) as u8)
                .collect()
        });
        assert_even(keys, "eight values below four");
        let keys = (0..1u32 << 16)
            .map(|number| (0..16).map(|place| (number >> place & 1) as u8).collect());
        assert_even(keys, "sixteen flags");
    }

    #[test]
    fn every_bit_of_a_key_changes_half_of_the_hash() {
        let key: Vec<u8> = (0..24u8).map(|place| place.wrapping_mul(37)).collect();
        for bit in 0..8 * key.len() {
            let mut changed_bits = 0;
            for round in 0..64u8 {
                let mut first = key.clone();
                first[23] ^= round;
                let mut second = first.clone();
                second[bit / 8] ^= 1 << (bit % 8);
                changed_bits += (hash(&first) ^ hash(&second)).count_ones();
            }
            let average = f64::from(changed_bits) / 64.0;
            assert!(
                (28.0..36.0).contains(&average),
                "bit {bit} changes {average} bits of 64"
            );
        }
    }

    /// A change of the function changes no answer, but it should not go unnoticed.
    #[test]
    fn the_hash_is_the_same_on_every_machine() {
        let hashes = [hash(b""), hash(b"mandala"), hash(&[7; 100])];
        assert_eq!(
            hashes,
            [
                0x880c_2674_d4e1_03b9,
                0x2f76_1be0_8137_38c1,
                0x1df6_e4a1_d678_26e8
            ]
        );
    }
}
