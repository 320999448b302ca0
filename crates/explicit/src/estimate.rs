//! An estimate of the number of states, from the levels of the search so far.
//!
//! # The method
//!
//! Breadth first, levels grow, and after the largest one they shrink; towards the end they shrink faster and faster. It cannot be said
//! when the largest one comes, so before that nothing is said but how many states there are already. Once the last
//! [`WITNESSES`] steps from level to level all led down, and the last level has less than [`PAST_THE_PEAK`] of the largest, it
//! is assumed that from now on every level has at most as large a part of the one before as the best of these steps had. The sum of
//! what would follow then is the upper end of the range; the lower end is what is known already.
//!
//! # How good it is
//!
//! It is no bound: a model can have a second part behind a narrow door, and levels that rise and fall in waves mislead it.
//! `bench/examples/estimates.rs` asks after every level of a model. Of the 28 bundled ones, 14 end with levels that shrink for long
//! enough. There the first upper end came when between half and nearly all of the states were known, and was 1.1 to 1.9
//! times the truth (philosophers: 4.6). In four of them some upper end was too low: by 2 per cent in three, by 13 in one.

use crate::outcome::Estimate;

/// How many steps from level to level are looked at.
const WITNESSES: usize = 4;

/// What part of the largest level the last one may have at most.
const PAST_THE_PEAK: f64 = 0.8;

/// No level has a larger part of the one before, or there would be no end.
const SLOWEST: f64 = 0.98;

/// The estimate when so many states are known, and levels up to the last complete one have so many.
pub fn estimate(levels: &[u64], known: u64) -> Estimate {
    Estimate {
        least: known,
        most: ratio(levels).map(|ratio| {
            let last = levels.last().copied().unwrap_or(0);
            let all: u64 = levels.iter().sum();
            let rest = last as f64 * ratio / (1.0 - ratio);
            known.max(all.saturating_add(rest.ceil() as u64))
        }),
    }
}

/// The largest part that a level has of the one before it, if levels have begun to shrink.
fn ratio(levels: &[u64]) -> Option<f64> {
    let largest = levels.iter().max().copied()? as f64;
    let last = levels.last().copied()? as f64;
    let recent = levels.get(levels.len().checked_sub(WITNESSES + 1)?..)?;
    let steps = recent
        .windows(2)
        .map(|pair| pair[1] as f64 / pair[0] as f64);
    let slowest = steps.fold(0.0, f64::max);
    (last < PAST_THE_PEAK * largest && slowest < 1.0).then_some(slowest.min(SLOWEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The levels of `n` counters that each count to `k`.
    fn counters(n: u32, k: usize) -> Vec<u64> {
        (0..n).fold(vec![1], |levels: Vec<u64>, _| {
            let mut sums = vec![0; levels.len() + k];
            for (at, level) in levels.iter().enumerate() {
                (at..=at + k).for_each(|sum| sums[sum] += level);
            }
            sums
        })
    }

    /// After each level, whether an upper end is told and how it compares with the truth.
    fn told(levels: &[u64]) -> Vec<f64> {
        let total: u64 = levels.iter().sum();
        let after = (1..=levels.len()).map(|n| &levels[..n]);
        let told = after.filter_map(|known| estimate(known, known.iter().sum()).most);
        told.map(|most| most as f64 / total as f64).collect()
    }

    #[test]
    fn nothing_is_said_before_levels_shrink() {
        let levels = counters(8, 5);
        let largest = levels.iter().position(|l| Some(l) == levels.iter().max());
        let largest = largest.expect("there are levels");
        for n in 0..=largest + 1 {
            let known = levels[..n].iter().sum();
            let said = estimate(&levels[..n], known);
            assert_eq!((said.least, said.most), (known, None));
        }
    }

    #[test]
    fn the_upper_end_is_above_the_truth_and_comes_down_to_it() {
        for levels in [counters(8, 5), counters(20, 3), counters(50, 1)] {
            let told = told(&levels);
            assert!(told.len() > 5, "{told:?}");
            assert!(told.iter().all(|ratio| *ratio >= 1.0), "{told:?}");
            assert!(told.is_sorted_by(|a, b| a >= b), "{told:?}");
            assert!(told[0] < 5.0 && told[told.len() - 1] < 1.01, "{told:?}");
        }
    }
}
