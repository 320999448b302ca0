//! What happens within a number of steps: one multiplication for each, for the best choices of each state.

use crate::number::Number;
use crate::process::Process;
use mandala_kripke::Bits;
use mandala_temporal::pctl::Optimum;

/// Steps of a process of discrete time, backwards.
pub(crate) struct Steps<'a> {
    pub process: &'a Process,
    pub optimum: Optimum,
}

impl Steps<'_> {
    /// What is expected of values after one step, with what the step itself earns.
    pub(crate) fn back<N: Number>(
        &self,
        values: &[N],
        earned: impl Fn(u32, u32) -> Option<N>,
    ) -> Vec<N> {
        let states = 0..self.process.states() as u32;
        states
            .map(|state| self.best(values, state, &earned))
            .collect()
    }

    fn best<N: Number>(
        &self,
        values: &[N],
        state: u32,
        earned: &impl Fn(u32, u32) -> Option<N>,
    ) -> N {
        let choices = self.process.choices(state);
        let of_choices = choices.map(|choice| {
            let start = earned(state, choice).unwrap_or_else(N::zero);
            let branches = self.process.branches(choice).iter();
            branches.fold(start, |sum, branch| {
                let weight = N::pooled(&self.process.pool, branch.weight);
                sum.plus(&weight.times(&values[branch.target as usize]))
            })
        });
        let best = of_choices.reduce(|best, it| best.better(&it, self.optimum));
        best.unwrap_or_else(N::zero)
    }

    /// The probability to go through the first set into the second one within that many steps, if `after` are the values of what comes then.
    pub(crate) fn until<N: Number>(&self, left: &Bits, right: &Bits, steps: u64) -> Vec<N> {
        let mut values = indicator(right);
        for _ in 0..steps {
            let next = self.back(&values, |_, _| None);
            values = pick(next, |state| {
                if right.has(state) {
                    Some(N::one())
                } else {
                    (!left.has(state)).then(N::zero)
                }
            });
        }
        values
    }

    /// The values expected after that many steps through a set; 0 for runs that leave it.
    pub(crate) fn through<N: Number>(&self, left: &Bits, mut values: Vec<N>, steps: u64) -> Vec<N> {
        for _ in 0..steps {
            let next = self.back(&values, |_, _| None);
            values = pick(next, |state| (!left.has(state)).then(N::zero));
        }
        values
    }

    /// What is earned in that many steps.
    pub(crate) fn earned<N: Number>(&self, structure: usize, steps: u64) -> Vec<N> {
        let mut values = vec![N::zero(); self.process.states()];
        let rewards = &self.process.rewards[structure];
        let pool = &self.process.pool;
        for _ in 0..steps {
            values = self.back(&values, |state, choice| {
                let here = N::pooled(pool, rewards.states[state as usize]);
                Some(here.plus(&N::pooled(pool, rewards.choices[choice as usize])))
            });
        }
        values
    }
}

/// 1 in the set, and 0 elsewhere.
pub(crate) fn indicator<N: Number>(set: &Bits) -> Vec<N> {
    let states = 0..set.length();
    states
        .map(|state| match set.has(state) {
            true => N::one(),
            false => N::zero(),
        })
        .collect()
}

/// The values, but for states for which there is another one.
pub(crate) fn pick<N>(values: Vec<N>, other: impl Fn(usize) -> Option<N>) -> Vec<N> {
    let states = values.into_iter().enumerate();
    states
        .map(|(state, value)| other(state).unwrap_or(value))
        .collect()
}
