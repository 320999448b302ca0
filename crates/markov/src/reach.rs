//! Probabilities to reach something at any time, and what is earned until then.
//!
//! What is 0, 1 or infinite is decided on the graph ([`crate::qualitative`]); the rest are unknowns of a proper [`System`]. For the greatest probability, end components count as one state; for
//! the least reward, those in which nothing is earned do, as a run could stay there without ever arriving: Baier and others, *Ensuring the reliability of your model checker*, CAV 2017.

use crate::end_components::{EndComponents, end_components};
use crate::error::MarkovError;
use crate::process::Process;
use crate::qualitative::{Predecessors, complement};
use crate::solve::{Effort, Solve};
use crate::system::{Recipe, System};
use dashu_ratio::RBig;
use mandala_kripke::Bits;
use mandala_temporal::pctl::Optimum;

/// Questions about the runs of a process of discrete time.
pub(crate) struct Reach<'a> {
    process: &'a Process,
    predecessors: Predecessors,
    effort: Effort,
}

static ZERO: RBig = RBig::ZERO;
static ONE: RBig = RBig::ONE;

impl<'a> Reach<'a> {
    pub(crate) fn new(process: &'a Process, effort: Effort) -> Reach<'a> {
        Reach {
            process,
            predecessors: Predecessors::new(process),
            effort,
        }
    }

    /// The probability to go through the first set into the second one.
    pub(crate) fn probability<N: Solve>(
        &self,
        left: &Bits,
        right: &Bits,
        optimum: Optimum,
    ) -> Result<Vec<N>, MarkovError> {
        let (mut open, sure) = self.split(left, right, optimum);
        open.intersect(&complement(&sure));
        let components = match optimum {
            Optimum::Greatest => self.components(&open, |_, _| true),
            Optimum::Least => None,
        };
        let known = |state| match sure.has(state as usize) {
            true => Some(&ONE),
            false => Some(&ZERO),
        };
        let gain = |_, _| RBig::ZERO;
        let values = self.solve::<N>(&open, optimum, components.as_ref(), &known, &gain)?;
        Ok(self.fill(values, |state| match sure.has(state) {
            true => N::one(),
            false => N::zero(),
        }))
    }

    /// The states whose probability is not 0, and those whose is 1.
    fn split(&self, left: &Bits, right: &Bits, optimum: Optimum) -> (Bits, Bits) {
        let predecessors = &self.predecessors;
        match optimum {
            Optimum::Greatest => (
                predecessors.some_run(left, right, |_| true),
                predecessors.surely_if_wanted(self.process, left, right),
            ),
            Optimum::Least => {
                let positive = predecessors.some_run_always(self.process, left, right);
                let sure = predecessors.surely(left, right, &complement(&positive));
                (positive, sure)
            }
        }
    }

    /// What is earned until a set is reached; infinite where it may not be reached.
    pub(crate) fn reward<N: Solve>(
        &self,
        structure: usize,
        goal: &Bits,
        optimum: Optimum,
    ) -> Result<Vec<N>, MarkovError> {
        let everywhere = Bits::all(self.process.states());
        // The least reward is that of a scheduler that arrives, and the greatest is infinite if one does not.
        let other = match optimum {
            Optimum::Least => Optimum::Greatest,
            Optimum::Greatest => Optimum::Least,
        };
        let (_, finite) = self.split(&everywhere, goal, other);
        let mut open = finite.clone();
        open.intersect(&complement(goal));
        let gain = |state, choice| self.gain(structure, state, choice);
        let components = match optimum {
            Optimum::Least => self.components(&open, |s, c| self.is_free(structure, s, c)),
            Optimum::Greatest => None,
        };
        let known = |state| goal.has(state as usize).then_some(&ZERO);
        let values = self.solve::<N>(&open, optimum, components.as_ref(), &known, &gain)?;
        Ok(self.fill(values, |state| match goal.has(state) {
            true => N::zero(),
            false => N::infinite(),
        }))
    }

    /// What is earned for ever.
    pub(crate) fn total<N: Solve>(
        &self,
        structure: usize,
        optimum: Optimum,
    ) -> Result<Vec<N>, MarkovError> {
        let everywhere = Bits::all(self.process.states());
        let is_free = |state, choice| self.is_free(structure, state, choice);
        if optimum == Optimum::Least {
            // Whoever earns a finite amount comes to where nothing is earned and stays there.
            let free = self.every_component(&everywhere, is_free);
            let mut goal = Bits::none(self.process.states());
            let members = free.of_state.iter().enumerate();
            for (state, _) in members.filter(|(_, component)| component.is_some()) {
                goal.insert(state);
            }
            return self.reward(structure, &goal, optimum);
        }
        let (mut earning, mut unending) = self.earning(structure);
        unending = self.predecessors.some_run(&everywhere, &unending, |_| true);
        earning = self.predecessors.some_run(&everywhere, &earning, |_| true);
        earning.intersect(&complement(&unending));
        let components = self.components(&earning, is_free);
        let gain = |state, choice| self.gain(structure, state, choice);
        let known = |_| Some(&ZERO);
        let values = self.solve::<N>(&earning, optimum, components.as_ref(), &known, &gain)?;
        Ok(self.fill(values, |state| match unending.has(state) {
            true => N::infinite(),
            false => N::zero(),
        }))
    }

    /// The states with a choice that earns something, and those with one of an end component.
    fn earning(&self, structure: usize) -> (Bits, Bits) {
        let states = self.process.states();
        let all = self.every_component(&Bits::all(states), |_, _| true);
        let (mut earning, mut unending) = (Bits::none(states), Bits::none(states));
        for state in 0..states as u32 {
            for choice in self.process.choices(state) {
                if !self.is_free(structure, state, choice) {
                    earning.insert(state as usize);
                    if all.inside.has(choice as usize) {
                        unending.insert(state as usize);
                    }
                }
            }
        }
        (earning, unending)
    }

    /// The value that is expected of a known one at the end of runs. All runs of a chain come to an end.
    pub(crate) fn at_the_end<N: Solve>(&self, ends: &[Option<N>]) -> Result<Vec<N>, MarkovError> {
        let mut open = Bits::none(ends.len());
        let mut lower = vec![RBig::ZERO; ends.len()];
        let mut upper = lower.clone();
        for (state, end) in ends.iter().enumerate() {
            match end.as_ref().map(|end| end.ends()) {
                None => _ = open.insert(state),
                Some(Some((least, most))) => (lower[state], upper[state]) = (least, most),
                Some(None) => return Err(MarkovError::TooMuchWork),
            }
        }
        let solve = |known: &[RBig]| {
            let known = |state: u32| Some(&known[state as usize]);
            let gain = |_, _| RBig::ZERO;
            self.solve::<N>(&open, Optimum::Greatest, None, &known, &gain)
        };
        let (least, most) = (solve(&lower)?, solve(&upper)?);
        let states = 0..ends.len();
        Ok(states
            .map(|state| match (&ends[state], &least[state], &most[state]) {
                (None, Some(least), Some(most)) => N::between(least, most),
                (end, ..) => end.clone().unwrap_or_else(N::zero),
            })
            .collect())
    }

    /// The end components in those states, if there are choices at all.
    fn components(
        &self,
        states: &Bits,
        allowed: impl Fn(u32, u32) -> bool,
    ) -> Option<EndComponents> {
        let has_choices = self.process.has_choices();
        has_choices.then(|| self.every_component(states, allowed))
    }

    fn every_component(&self, states: &Bits, allowed: impl Fn(u32, u32) -> bool) -> EndComponents {
        let mut stays = Bits::none(self.process.all_choices());
        for state in states.iter() {
            for choice in self.process.choices(state as u32) {
                let mut branches = self.process.branches(choice).iter();
                if branches.all(|it| states.has(it.target as usize))
                    && allowed(state as u32, choice)
                {
                    stays.insert(choice as usize);
                }
            }
        }
        end_components(self.process, states, |choice| stays.has(choice as usize))
    }

    /// What a choice earns, with its state.
    fn gain(&self, structure: usize, state: u32, choice: u32) -> RBig {
        if self.is_free(structure, state, choice) {
            return RBig::ZERO;
        }
        self.process.state_reward(structure, state) + self.process.choice_reward(structure, choice)
    }

    fn is_free(&self, structure: usize, state: u32, choice: u32) -> bool {
        self.process.state_reward(structure, state).is_zero()
            && self.process.choice_reward(structure, choice).is_zero()
    }

    /// The values of the open states.
    fn solve<'v, N: Solve>(
        &self,
        open: &Bits,
        optimum: Optimum,
        components: Option<&EndComponents>,
        known: &dyn Fn(u32) -> Option<&'v RBig>,
        gain: &dyn Fn(u32, u32) -> RBig,
    ) -> Result<Vec<Option<N>>, MarkovError> {
        let (unknowns, count) = numbered(open, components);
        let counts = |choice: u32| components.is_none_or(|it| !it.inside.has(choice as usize));
        let system = System::new(&Recipe {
            process: self.process,
            optimum,
            unknowns: &unknowns,
            count,
            known,
            counts: &counts,
            gain,
        });
        let solution = N::solve(&system, self.effort)?;
        let value = |unknown: &Option<u32>| unknown.map(|it| solution[it as usize].clone());
        Ok(unknowns.iter().map(value).collect())
    }

    /// The values that were computed, and for all other states those that are known.
    fn fill<N: Solve>(&self, values: Vec<Option<N>>, known: impl Fn(usize) -> N) -> Vec<N> {
        let states = values.into_iter().enumerate();
        states
            .map(|(state, value)| value.unwrap_or_else(|| known(state)))
            .collect()
    }
}

/// The unknown of each open state, one for all states of an end component, and how many there are.
fn numbered(open: &Bits, components: Option<&EndComponents>) -> (Vec<Option<u32>>, u32) {
    let mut unknowns = vec![None; open.length()];
    let mut of_component = vec![None; components.map_or(0, |it| it.count as usize)];
    let mut count = 0;
    let mut next = || {
        count += 1;
        count - 1
    };
    for state in open.iter() {
        let component = components.and_then(|it| it.of_state[state]);
        let unknown = match component {
            Some(component) => *of_component[component as usize].get_or_insert_with(&mut next),
            None => next(),
        };
        unknowns[state] = Some(unknown);
    }
    (unknowns, count)
}
