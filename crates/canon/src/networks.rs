//! Sorting a few integers without branches.
//!
//! The keys of a cell come in random order, so every comparison that steers a branch is mispredicted half of
//! the time, and that was most of the cost of refinement. A sorting network compares the same places whatever
//! the keys are. The networks are Batcher's odd-even merge sort (1968); shorter lists are filled up with the largest
//! number. Longer ones are mostly those of a state that a step from a sorted one leads to, in which few keys are out of place: these are put where they belong, and only if there are more, the list goes
//! to the standard library. Nanoseconds for random keys:
//!
//! | keys | 2 | 4 | 8 | 16 | 20 | 32 |
//! |---|---|---|---|---|---|---|
//! | network | 2 | 3 | 15 | 22 | 62 | 63 |
//! | `sort_unstable` | 5 | 17 | 64 | 137 | 184 | 146 |

/// Longest list that is sorted by a network.
pub(crate) const WIDEST: usize = 32;

/// Sorts the first `length` keys. What lies behind them is overwritten; there must be room for [`WIDEST`].
pub(crate) fn sort(keys: &mut [u64], length: usize) {
    match length {
        0 | 1 => {}
        2 => sort_padded::<2>(keys, length, |two| exchange(two, 0, 1)),
        3 | 4 => sort_padded::<4>(keys, length, |four| sort_four(four, 0)),
        5..=8 => sort_padded::<8>(keys, length, |eight| sort_eight(eight, 0)),
        9..=16 => sort_padded::<16>(keys, length, |sixteen| sort_sixteen(sixteen, 0)),
        17..=WIDEST => sort_padded::<WIDEST>(keys, length, sort_widest),
        _ => {
            let keys = &mut keys[..length];
            if !put_strays_back(keys) {
                keys.sort_unstable();
            }
        }
    }
}

/// How many keys may be out of place.
const STRAYS: usize = 4;

/// Sorts a list in which few keys are out of place. False if they are more, and then some may have been moved.
fn put_strays_back(keys: &mut [u64]) -> bool {
    for _ in 0..=STRAYS {
        let Some(at) = keys.windows(2).position(|pair| pair[0] > pair[1]) else {
            return true;
        };
        // One of the two is too far on: the first, if without it the list goes on as it should.
        let first_strays = at == 0 || keys[at - 1] <= keys[at + 1];
        if first_strays {
            let key = keys[at];
            let less = keys[at + 1..].iter().take_while(|other| **other < key);
            let end = at + less.count();
            keys[at..=end].rotate_left(1);
        } else {
            let key = keys[at + 1];
            let begin = keys[..at].partition_point(|other| *other < key);
            keys[begin..=at + 1].rotate_right(1);
        }
    }
    false
}

/// Sorts a copy, which the compiler can keep in registers.
#[inline(always)]
fn sort_padded<const N: usize>(keys: &mut [u64], length: usize, network: impl Fn(&mut [u64; N])) {
    let pad = |at| if at < length { keys[at] } else { u64::MAX };
    let mut padded = std::array::from_fn(pad);
    network(&mut padded);
    keys[..N].copy_from_slice(&padded);
}

#[inline(always)]
fn sort_four<const N: usize>(keys: &mut [u64; N], at: usize) {
    exchange(keys, at, at + 1);
    exchange(keys, at + 2, at + 3);
    exchange(keys, at, at + 2);
    exchange(keys, at + 1, at + 3);
    exchange(keys, at + 1, at + 2);
}

#[inline(always)]
fn sort_eight<const N: usize>(keys: &mut [u64; N], at: usize) {
    sort_four(keys, at);
    sort_four(keys, at + 4);
    for low in at..at + 4 {
        exchange(keys, low, low + 4);
    }
    exchange(keys, at + 2, at + 4);
    exchange(keys, at + 3, at + 5);
    for low in [at + 1, at + 3, at + 5] {
        exchange(keys, low, low + 1);
    }
}

#[inline(always)]
fn sort_sixteen<const N: usize>(keys: &mut [u64; N], at: usize) {
    sort_eight(keys, at);
    sort_eight(keys, at + 8);
    for low in at..at + 8 {
        exchange(keys, low, low + 8);
    }
    for low in at + 4..at + 8 {
        exchange(keys, low, low + 4);
    }
    for low in [2, 3, 6, 7, 10, 11] {
        exchange(keys, at + low, at + low + 2);
    }
    for low in [1, 3, 5, 7, 9, 11, 13] {
        exchange(keys, at + low, at + low + 1);
    }
}

#[inline(always)]
fn sort_widest(keys: &mut [u64; WIDEST]) {
    sort_sixteen(keys, 0);
    sort_sixteen(keys, 16);
    merge_halves(keys);
}

#[inline(always)]
fn merge_halves(keys: &mut [u64; WIDEST]) {
    for low in 0..16 {
        exchange(keys, low, low + 16);
    }
    for low in 8..16 {
        exchange(keys, low, low + 8);
    }
    for group in [4, 12, 20] {
        for low in group..group + 4 {
            exchange(keys, low, low + 4);
        }
    }
    for group in [2, 6, 10, 14, 18, 22, 26] {
        exchange(keys, group, group + 2);
        exchange(keys, group + 1, group + 3);
    }
    for half in 0..15 {
        exchange(keys, 2 * half + 1, 2 * half + 2);
    }
}

/// Puts two keys in order.
#[inline(always)]
fn exchange<const N: usize>(keys: &mut [u64; N], a: usize, b: usize) {
    let (low, high) = (keys[a].min(keys[b]), keys[a].max(keys[b]));
    (keys[a], keys[b]) = (low, high);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that sorts all lists of zeros and ones sorts all lists (Knuth).
    #[test]
    fn zeros_and_ones_are_sorted() {
        for length in 0..=16 {
            for bits in 0..1u32 << length {
                let mut keys = [7; 256];
                for (place, key) in keys[..length].iter_mut().enumerate() {
                    *key = u64::from(bits >> place & 1);
                }
                sort(&mut keys, length);
                assert!(keys[..length].is_sorted(), "{length}: {bits:b}");
                let ones: u64 = keys[..length].iter().sum();
                assert_eq!(ones, u64::from(bits.count_ones()));
            }
        }
    }

    /// The widest network sorts its halves as above; what is left is to merge them.
    #[test]
    fn sorted_halves_are_merged() {
        for (left, right) in (0..=16).flat_map(|left| (0..=16).map(move |right| (left, right))) {
            let mut keys = [0; WIDEST];
            keys[16 - left..16].fill(1);
            keys[32 - right..].fill(1);
            merge_halves(&mut keys);
            assert!(keys.is_sorted(), "{left} and {right}");
            assert_eq!(keys.iter().sum::<u64>(), left as u64 + right as u64);
        }
    }

    #[test]
    fn strays_are_put_back() {
        for (from, to) in (0..40).flat_map(|from| (0..40).map(move |to| (from, to))) {
            let mut keys: [u64; 256] = std::array::from_fn(|at| 3 * at as u64 / 2);
            keys[from] = 3 * to as u64 / 2;
            keys[(from + 7) % 40] = 5;
            let mut expected = keys[..40].to_vec();
            expected.sort_unstable();
            let mut strays = keys[..40].to_vec();
            assert!(put_strays_back(&mut strays));
            assert_eq!(strays, expected);
            sort(&mut keys, 40);
            assert_eq!(keys[..40], expected);
        }
        let mut many: Vec<u64> = (0..40).rev().collect();
        assert!(!put_strays_back(&mut many));
        many.sort_unstable();
        assert!(many.iter().copied().eq(0..40), "no key is lost");
    }

    #[test]
    fn long_lists_are_sorted_too() {
        for length in 16..=256 {
            let mut keys: [u64; 256] = std::array::from_fn(|at| (at as u64 * 7919) % 257);
            sort(&mut keys, length);
            assert!(keys[..length].is_sorted());
        }
    }
}
