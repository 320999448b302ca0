//! What happens until some time, in continuous time: uniformisation.
//!
//! Jensen 1953; Baier, Haverkort, Hermanns and Katoen, *Model-checking algorithms for continuous-time Markov chains*, 2003. Steps happen at one rate that is not less than that of any state; who would take fewer stays where he is now and then.
//! Then the number of steps until a time has the distribution of [`Poisson`](crate::poisson), and what is cut off of it is added to the upper bounds.

use crate::bounds::Bounds;
use crate::error::MarkovError;
use crate::poisson::Poisson;
use crate::process::Process;
use crate::rounding::multiply_up;
use crate::solve::Effort;
use dashu_ratio::RBig;
use mandala_kripke::Bits;

/// A chain of continuous time in which some states are never left.
pub(crate) struct Uniform<'a> {
    process: &'a Process,
    absorbing: &'a Bits,
    rate: RBig,
    /// The probabilities of branches, by the numbers of their weights.
    weights: Vec<Bounds>,
    /// The probability of each state to stay.
    staying: Vec<Bounds>,
    effort: Effort,
}

impl<'a> Uniform<'a> {
    pub(crate) fn new(process: &'a Process, absorbing: &'a Bits, effort: Effort) -> Uniform<'a> {
        let states = 0..process.states() as u32;
        let rates: Vec<RBig> = states
            .map(|state| match absorbing.has(state as usize) {
                true => RBig::ZERO,
                false => process.exit_rate(state),
            })
            .collect();
        let rate = rates.iter().max().cloned().unwrap_or(RBig::ZERO);
        let mut uniform = Uniform {
            process,
            absorbing,
            rate,
            weights: Vec::new(),
            staying: Vec::new(),
            effort,
        };
        uniform.weights = uniform.divide(process.pool.numbers());
        let staying: Vec<RBig> = rates.iter().map(|it| &uniform.rate - it).collect();
        uniform.staying = uniform.divide(&staying);
        uniform
    }

    /// Those numbers divided by the rate. Where all states are absorbing nothing is asked of them.
    fn divide(&self, numbers: &[RBig]) -> Vec<Bounds> {
        if self.rate.is_zero() {
            return vec![Bounds::ZERO; numbers.len()];
        }
        let quotients = numbers.iter().map(|it| Bounds::of(&(it / &self.rate)));
        quotients.collect()
    }

    fn poisson(&self, time: &RBig) -> Result<Poisson, MarkovError> {
        let size = self.process.all_branches() as u64 + 1;
        let most = self.effort.work / size;
        Poisson::new(&(&self.rate * time), self.effort.precision.powi(4), most)
    }

    /// What is expected of values at that time.
    pub(crate) fn at(&self, time: &RBig, values: Vec<Bounds>) -> Result<Vec<Bounds>, MarkovError> {
        let poisson = self.poisson(time)?;
        let largest = most(&values);
        let mut sums = vec![Bounds::ZERO; values.len()];
        let mut values = values;
        for _ in 0..poisson.first {
            values = self.back(&values);
        }
        for (place, weight) in poisson.weights.iter().enumerate() {
            if place > 0 {
                values = self.back(&values);
            }
            add_weighted(&mut sums, *weight, &values);
        }
        let missing = Bounds {
            lower: 0.0,
            upper: multiply_up(poisson.below, largest),
        };
        let missing = missing.plus(Bounds {
            lower: 0.0,
            upper: multiply_up(poisson.above, largest),
        });
        Ok(sums.into_iter().map(|sum| sum.plus(missing)).collect())
    }

    /// What is earned until that time, if each state earns that much for each unit of it.
    pub(crate) fn earned(
        &self,
        time: &RBig,
        values: Vec<Bounds>,
    ) -> Result<Vec<Bounds>, MarkovError> {
        if self.rate.is_zero() {
            let time = Bounds::of(time);
            return Ok(values.into_iter().map(|it| it.times(time)).collect());
        }
        let poisson = self.poisson(time)?;
        let missing = Bounds {
            lower: 0.0,
            upper: multiply_up(poisson.excess, most(&values)),
        };
        let mut sums = vec![missing; values.len()];
        let mut values = values;
        for (number, more) in poisson.more_than().into_iter().enumerate() {
            if number > 0 {
                values = self.back(&values);
            }
            add_weighted(&mut sums, more, &values);
        }
        let rate = Bounds::of(&self.rate);
        Ok(sums.into_iter().map(|sum| sum.over(rate)).collect())
    }

    /// What is expected of values after one step.
    fn back(&self, values: &[Bounds]) -> Vec<Bounds> {
        let states = 0..values.len() as u32;
        states.map(|state| self.back_to(state, values)).collect()
    }

    fn back_to(&self, state: u32, values: &[Bounds]) -> Bounds {
        let here = values[state as usize];
        if self.absorbing.has(state as usize) {
            return here;
        }
        let staying = self.staying[state as usize].times(here);
        let choices = self.process.choices(state);
        let branches = choices.flat_map(|choice| self.process.branches(choice));
        branches.fold(staying, |sum, branch| {
            let weight = self.weights[branch.weight as usize];
            sum.plus(weight.times(values[branch.target as usize]))
        })
    }
}

fn most(values: &[Bounds]) -> f64 {
    values.iter().map(|it| it.upper).fold(0.0, f64::max)
}

fn add_weighted(sums: &mut [Bounds], weight: Bounds, values: &[Bounds]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = sum.plus(weight.times(*value));
    }
}
