//! Probabilities of numbers of events in a time, with bounds.
//!
//! As in Fox and Glynn, *Computing Poisson probabilities*, 1988, the most likely number gets an arbitrary weight, those of its neighbours follow from it by one product and one quotient each, and all are divided by
//! their sum at the end. Here each of these operations is rounded outwards, and what is cut off on both sides is bounded by a geometric series. No logarithm or exponential is computed, so there is no error but that of
//! rounding, which is bounded, too.

use crate::bounds::Bounds;
use crate::error::MarkovError;
use dashu_ratio::RBig;

/// How likely numbers of events are.
pub(crate) struct Poisson {
    /// The least number that is not cut off.
    pub first: u64,
    /// The probabilities of it and those that follow.
    pub weights: Vec<Bounds>,
    /// An upper bound of the probability of fewer.
    pub below: f64,
    /// An upper bound of the probability of more.
    pub above: f64,
    /// An upper bound of the sum, over all numbers from the last one on, of the probability of more.
    pub excess: f64,
}

impl Poisson {
    /// Probabilities for that expected number. Weights less than that part of the greatest one are cut off.
    pub(crate) fn new(mean: &RBig, cut: f64, most: u64) -> Result<Poisson, MarkovError> {
        if mean.is_zero() {
            return Ok(Poisson {
                first: 0,
                weights: vec![Bounds::ONE],
                below: 0.0,
                above: 0.0,
                excess: 0.0,
            });
        }
        let mode = mean.to_f64().value();
        if mode > most as f64 {
            return Err(MarkovError::TooMuchWork);
        }
        let mode = mode.floor() as u64;
        let mean = Bounds::of(mean);
        let (less, below) = falling(mode, mean, cut);
        let (more, above, excess) = rising(mode, mean, cut);
        let first = mode - less.len() as u64;
        let weights = less.into_iter().rev().chain([Bounds::ONE]).chain(more);
        Ok(normalised(first, weights.collect(), [below, above, excess]))
    }

    /// For each number up to the last one the probability of more events.
    pub(crate) fn more_than(&self) -> Vec<Bounds> {
        let beyond = Bounds {
            lower: 0.0,
            upper: self.above,
        };
        let mut sum = beyond;
        let mut more = Vec::with_capacity(self.first as usize + self.weights.len());
        for weight in self.weights.iter().rev() {
            more.push(sum);
            sum = sum.plus(*weight);
        }
        sum.upper = 1.0;
        sum.lower = sum.lower.min(1.0);
        more.extend((0..self.first).map(|_| sum));
        more.reverse();
        more
    }
}

/// Weights of fewer events than the most likely number, and what the rest of them are together at most.
fn falling(mode: u64, mean: Bounds, cut: f64) -> (Vec<Bounds>, f64) {
    let mut weights = Vec::new();
    let mut last = Bounds::ONE;
    for number in (0..mode).rev() {
        last = last.times(count(number + 1)).over(mean);
        let ratio = count(number).over(mean);
        if last.upper < cut && ratio.upper < 1.0 {
            return (weights, geometric(last, ratio).upper);
        }
        weights.push(last);
    }
    (weights, 0.0)
}

/// Weights of more events, what the rest of them are together at most, and the sum of what is left after each of these.
fn rising(mode: u64, mean: Bounds, cut: f64) -> (Vec<Bounds>, f64, f64) {
    let mut weights = Vec::new();
    let mut last = Bounds::ONE;
    for number in mode + 1.. {
        last = last.times(mean).over(count(number));
        let ratio = mean.over(count(number + 1));
        if last.upper < cut && ratio.upper < 1.0 {
            let rest = geometric(last, ratio);
            return (weights, rest.upper, geometric(rest, ratio).upper);
        }
        weights.push(last);
    }
    (weights, 0.0, 0.0)
}

/// That, and each time the ratio of it.
fn geometric(first: Bounds, ratio: Bounds) -> Bounds {
    first.over(ratio.complement())
}

fn count(number: u64) -> Bounds {
    Bounds::exactly(number as f64)
}

/// Divides everything by the sum of all weights.
fn normalised(first: u64, weights: Vec<Bounds>, [below, above, excess]: [f64; 3]) -> Poisson {
    let beyond = |upper| Bounds { lower: 0.0, upper };
    let start = beyond(below).plus(beyond(above));
    let sum = weights.iter().fold(start, |sum, weight| sum.plus(*weight));
    Poisson {
        first,
        weights: weights.into_iter().map(|it| it.over(sum)).collect(),
        below: beyond(below).over(sum).upper,
        above: beyond(above).over(sum).upper,
        excess: beyond(excess).over(sum).upper,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u64, denominator: u64) -> RBig {
        RBig::from_parts(numerator.into(), denominator.into())
    }

    #[test]
    fn bounds_enclose_what_a_library_computes() {
        for mean in [ratio(1, 10), ratio(5, 2), ratio(40, 1), ratio(1234, 10)] {
            let poisson = Poisson::new(&mean, 1e-18, 1 << 40).unwrap();
            let lambda = mean.to_f64().value();
            let mut likely = (-lambda).exp();
            for number in 0..poisson.first + poisson.weights.len() as u64 {
                if number >= poisson.first {
                    let bounds = poisson.weights[(number - poisson.first) as usize];
                    let near = Bounds {
                        lower: likely * (1.0 - 1e-11),
                        upper: likely * (1.0 + 1e-11),
                    };
                    assert!(near.lower <= bounds.lower && bounds.upper <= near.upper);
                    assert!(bounds.is_within(1e-12));
                }
                likely = likely * lambda / (number + 1) as f64;
            }
            assert!(poisson.below < 1e-15 && poisson.above < 1e-15);
        }
    }

    #[test]
    fn all_probabilities_add_up_to_one() {
        let poisson = Poisson::new(&ratio(333, 7), 1e-6, 1 << 40).unwrap();
        let sum = poisson
            .weights
            .iter()
            .fold(Bounds::ZERO, |sum, it| sum.plus(*it));
        assert!(sum.lower <= 1.0 && sum.lower > 1.0 - 1e-4);
        assert!(sum.upper + poisson.below + poisson.above >= 1.0);
    }

    #[test]
    fn more_than_a_number_adds_up_to_the_mean() {
        let mean = ratio(47, 4);
        let poisson = Poisson::new(&mean, 1e-20, 1 << 40).unwrap();
        let more = poisson.more_than();
        let sum = more.iter().fold(Bounds::ZERO, |sum, it| sum.plus(*it));
        assert!(sum.lower <= 11.75 && 11.75 <= sum.upper + poisson.excess);
        assert!(sum.is_within(1e-12));
    }
}
