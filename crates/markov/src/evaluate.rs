//! Values of measures and truth of formulas in all states.

use crate::bounds::Bounds;
use crate::error::MarkovError;
use crate::long_run::averages;
use crate::number::Number;
use crate::path::{Bounded, Path, simple_path};
use crate::process::{Kind, Process};
use crate::qualitative::{Predecessors, complement};
use crate::reach::Reach;
use crate::solve::{Effort, Solve};
use crate::steps::{Steps, indicator, pick};
use crate::uniform::Uniform;
use dashu_ratio::RBig;
use mandala_kripke::Bits;
use mandala_temporal::pctl::{Accumulation, Comparison, Measure, Optimum, StateFormula};
use std::marker::PhantomData;

/// Evaluates with one sort of numbers.
pub(crate) struct Evaluation<'a, N> {
    process: &'a Process,
    /// The process of discrete time that goes through the same states.
    discrete: &'a Process,
    effort: Effort,
    numbers: PhantomData<N>,
}

/// Numbers in which everything can be evaluated, or an error that says what cannot.
pub(crate) trait Evaluate: Solve {
    /// Those numbers, of bounds.
    fn of_bounds(bounds: Vec<Bounds>) -> Result<Vec<Self>, MarkovError>;
}

impl Evaluate for Bounds {
    fn of_bounds(bounds: Vec<Bounds>) -> Result<Vec<Self>, MarkovError> {
        Ok(bounds)
    }
}

impl Evaluate for crate::exact::Exact {
    /// Values at a time are not rational in continuous time.
    fn of_bounds(_: Vec<Bounds>) -> Result<Vec<Self>, MarkovError> {
        Err(MarkovError::Unsupported(
            "a value at or up to a time in continuous time has no exact rational number, so --exact",
        ))
    }
}

impl<'a, N: Evaluate> Evaluation<'a, N> {
    pub(crate) fn new(process: &'a Process, discrete: &'a Process, effort: Effort) -> Self {
        Evaluation {
            process,
            discrete,
            effort,
            numbers: PhantomData,
        }
    }

    /// The states in which a formula holds.
    pub(crate) fn states(&self, formula: &StateFormula) -> Result<Bits, MarkovError> {
        let states = self.process.states();
        Ok(match formula {
            StateFormula::Constant(true) => Bits::all(states),
            StateFormula::Constant(false) => Bits::none(states),
            StateFormula::Proposition(proposition) => {
                let label = self.process.label(*proposition);
                label.cloned().ok_or(MarkovError::Meaningless(
                    "the question has a proposition that the process does not have",
                ))?
            }
            StateFormula::Initial => crate::process::set_of(self.process.starts(), states),
            StateFormula::Deadlock => self.process.deadlocks().clone(),
            StateFormula::Not(inner) => complement(&self.states(inner)?),
            StateFormula::And(left, right) => both(self.states(left)?, &self.states(right)?),
            StateFormula::Or(left, right) => either(self.states(left)?, &self.states(right)?),
            StateFormula::Implies(left, right) => {
                either(complement(&self.states(left)?), &self.states(right)?)
            }
            StateFormula::Iff(left, right) => {
                let (left, right) = (self.states(left)?, self.states(right)?);
                let neither = both(complement(&left), &complement(&right));
                either(both(left, &right), &neither)
            }
            StateFormula::Compare {
                measure,
                comparison,
                threshold,
            } => self.compare(measure, *comparison, threshold)?,
        })
    }

    /// The states whose value is on that side of a number.
    fn compare(
        &self,
        measure: &Measure,
        comparison: Comparison,
        threshold: &RBig,
    ) -> Result<Bits, MarkovError> {
        let decisive = match comparison {
            Comparison::AtLeast | Comparison::More => Optimum::Least,
            Comparison::AtMost | Comparison::Less => Optimum::Greatest,
        };
        let values = self.values(measure, Some(decisive))?;
        let mut holding = Bits::none(values.len());
        for (state, value) in values.iter().enumerate() {
            if value
                .compare(comparison, threshold)
                .ok_or(MarkovError::Undecided)?
            {
                holding.insert(state);
            }
        }
        Ok(holding)
    }

    /// The value of a measure in each state. Where the model has choices and the measure does not say which value is meant, it is the one that decides, if there is something to decide.
    pub(crate) fn values(
        &self,
        measure: &Measure,
        decisive: Option<Optimum>,
    ) -> Result<Vec<N>, MarkovError> {
        match measure {
            Measure::Probability { optimum, path } => {
                let optimum = self.optimum(*optimum, decisive)?;
                self.path(&simple_path(path)?, optimum)
            }
            Measure::Reward {
                structure,
                optimum,
                what,
            } => {
                if *structure >= self.process.structures() {
                    return Err(MarkovError::Meaningless(
                        "the question has a structure of rewards that the process does not have",
                    ));
                }
                let optimum = self.optimum(*optimum, decisive)?;
                self.reward(*structure, what, optimum)
            }
            Measure::LongRun(formula) => {
                let holding = self.states(formula)?;
                self.long_run(|state| match holding.has(state as usize) {
                    true => N::one(),
                    false => N::zero(),
                })
            }
        }
    }

    fn optimum(
        &self,
        said: Option<Optimum>,
        decisive: Option<Optimum>,
    ) -> Result<Optimum, MarkovError> {
        match (said.or(decisive), self.process.has_choices()) {
            (Some(optimum), _) => Ok(optimum),
            (None, false) => Ok(Optimum::Greatest),
            (None, true) => Err(MarkovError::Meaningless(
                "the model has choices, so there are several values: ask for the least (min) or the greatest (max)",
            )),
        }
    }

    /// The probability of the runs of which a path formula is true.
    fn path(&self, path: &Path<'_>, optimum: Optimum) -> Result<Vec<N>, MarkovError> {
        match path {
            Path::Now(formula) => Ok(indicator(&self.states(formula)?)),
            Path::Next(formula) => {
                let goal = indicator(&self.states(formula)?);
                Ok(self.steps(optimum).back(&goal, |_, _| None))
            }
            Path::Not(inner) => {
                let other = match optimum {
                    Optimum::Least => Optimum::Greatest,
                    Optimum::Greatest => Optimum::Least,
                };
                let values = self.path(inner, other)?;
                Ok(values.iter().map(N::complement).collect())
            }
            Path::Until(left, right, within) => {
                let (left, right) = (self.states(left)?, self.states(right)?);
                match self.process.kind() {
                    Kind::ContinuousChain => self.until_time(&left, &right, within, optimum),
                    _ => self.until_steps(&left, &right, within, optimum),
                }
            }
        }
    }

    fn reach(&self) -> Reach<'a> {
        Reach::new(self.discrete, self.effort)
    }

    fn steps(&self, optimum: Optimum) -> Steps<'a> {
        let process = self.discrete;
        Steps { process, optimum }
    }

    /// A number of steps, if so many can be made.
    fn whole(&self, steps: &RBig, rounded: Rounded) -> Result<u64, MarkovError> {
        let whole = match rounded {
            Rounded::Down => steps.floor(),
            Rounded::Up => steps.ceil(),
        };
        let most = self.effort.work / (self.process.all_branches() as u64 + 1);
        let whole = u64::try_from(whole).ok();
        whole
            .filter(|&whole| whole <= most)
            .ok_or(MarkovError::TooMuchWork)
    }

    fn until_steps(
        &self,
        left: &Bits,
        right: &Bits,
        within: &Bounded<'_>,
        optimum: Optimum,
    ) -> Result<Vec<N>, MarkovError> {
        let from = self.whole(within.from, Rounded::Up)?;
        let steps = self.steps(optimum);
        let values = match within.to {
            None => self.reach().probability(left, right, optimum)?,
            Some(to) => match self.whole(to, Rounded::Down)?.checked_sub(from) {
                Some(left_over) => steps.until(left, right, left_over),
                None => vec![N::zero(); self.process.states()],
            },
        };
        Ok(steps.through(left, values, from))
    }

    fn until_time(
        &self,
        left: &Bits,
        right: &Bits,
        within: &Bounded<'_>,
        optimum: Optimum,
    ) -> Result<Vec<N>, MarkovError> {
        let values = match within.to {
            None => self.reach().probability(left, right, optimum)?,
            Some(to) => self.until_deadline(left, right, &(to - within.from))?,
        };
        if within.from.is_zero() {
            return Ok(values);
        }
        // Until the time begins, runs go through states in which the left holds.
        let absorbing = complement(left);
        let start = pick(values, |state| absorbing.has(state).then(N::zero));
        let bounds: Vec<Bounds> = start.iter().map(N::bounds).collect();
        let uniform = Uniform::new(self.process, &absorbing, self.effort);
        let values = uniform.at(within.from, bounds.clone())?;
        N::of_bounds(at_most_one(self.reachable(left, &bounds, values)))
    }

    fn until_deadline(
        &self,
        left: &Bits,
        right: &Bits,
        time: &RBig,
    ) -> Result<Vec<N>, MarkovError> {
        if *time < RBig::ZERO {
            return Ok(vec![N::zero(); self.process.states()]);
        }
        let absorbing = either(complement(left), right);
        let uniform = Uniform::new(self.process, &absorbing, self.effort);
        let goal: Vec<Bounds> = indicator(right);
        let values = uniform.at(time, goal.clone())?;
        N::of_bounds(at_most_one(self.reachable(left, &goal, values)))
    }

    /// The values, but 0 where no run goes through those states to one with a value: what is cut off of times says nothing there.
    fn reachable(&self, through: &Bits, goal: &[Bounds], values: Vec<Bounds>) -> Vec<Bounds> {
        let mut some = Bits::none(goal.len());
        for (state, _) in goal.iter().enumerate().filter(|(_, it)| it.upper > 0.0) {
            some.insert(state);
        }
        let predecessors = Predecessors::new(self.process);
        let found = predecessors.some_run(through, &some, |_| true);
        pick(values, |state| (!found.has(state)).then_some(Bounds::ZERO))
    }

    fn reward(
        &self,
        structure: usize,
        what: &Accumulation,
        optimum: Optimum,
    ) -> Result<Vec<N>, MarkovError> {
        let is_continuous = self.process.kind() == Kind::ContinuousChain;
        match what {
            Accumulation::Until(formula) => {
                let goal = self.states(formula)?;
                self.reach().reward(structure, &goal, optimum)
            }
            Accumulation::Total => self.reach().total(structure, optimum),
            Accumulation::UpTo(time) | Accumulation::At(time) if *time < RBig::ZERO => {
                Err(MarkovError::Meaningless("the time of a reward is negative"))
            }
            Accumulation::UpTo(time) if is_continuous => {
                let earned = self.all_states(|state| self.earned(structure, state).bounds());
                self.in_time(earned, |uniform, earned| uniform.earned(time, earned))
            }
            Accumulation::At(time) if is_continuous => {
                let there = self.all_states(|state| self.there::<Bounds>(structure, state));
                self.in_time(there, |uniform, there| uniform.at(time, there))
            }
            Accumulation::UpTo(time) => {
                let steps = self.whole(time, Rounded::Down)?;
                Ok(self.steps(optimum).earned(structure, steps))
            }
            Accumulation::At(time) => {
                let steps = self.whole(time, Rounded::Down)?;
                let there = self.all_states(|state| self.there(structure, state));
                let everywhere = Bits::all(self.process.states());
                Ok(self.steps(optimum).through(&everywhere, there, steps))
            }
            Accumulation::LongRun => self.long_run(|state| self.earned(structure, state)),
        }
    }

    /// What comes of values of states in continuous time.
    fn in_time(
        &self,
        values: Vec<Bounds>,
        what: impl Fn(&Uniform<'_>, Vec<Bounds>) -> Result<Vec<Bounds>, MarkovError>,
    ) -> Result<Vec<N>, MarkovError> {
        let nowhere = Bits::none(self.process.states());
        let uniform = Uniform::new(self.process, &nowhere, self.effort);
        let found = what(&uniform, values.clone())?;
        N::of_bounds(self.reachable(&complement(&nowhere), &values, found))
    }

    fn all_states<T>(&self, value: impl Fn(u32) -> T) -> Vec<T> {
        (0..self.process.states() as u32).map(value).collect()
    }

    /// What being in a state earns.
    fn there<M: Number>(&self, structure: usize, state: u32) -> M {
        let place = self.process.rewards[structure].states[state as usize];
        M::pooled(&self.process.pool, place)
    }

    /// What a state of a chain earns in a unit of time, with what the steps from it earn.
    fn earned(&self, structure: usize, state: u32) -> N {
        let choices = self.process.choices(state);
        choices.fold(self.there(structure, state), |sum: N, choice| {
            let place = self.process.rewards[structure].choices[choice as usize];
            sum.plus(&N::pooled(&self.process.pool, place))
        })
    }

    /// The average over time in the long run of what states earn.
    fn long_run(&self, earned: impl Fn(u32) -> N) -> Result<Vec<N>, MarkovError> {
        if self.process.has_choices() {
            return Err(MarkovError::Unsupported(
                "the long-run average of a model with choices",
            ));
        }
        let ends = averages(self.process, earned)?;
        self.reach().at_the_end(&ends)
    }
}

/// How a number is made a whole one.
#[derive(Clone, Copy)]
enum Rounded {
    Down,
    Up,
}

/// Probabilities.
fn at_most_one(values: Vec<Bounds>) -> Vec<Bounds> {
    let values = values.into_iter();
    values
        .map(|it| it.better(&Bounds::ONE, Optimum::Least))
        .collect()
}

fn both(mut left: Bits, right: &Bits) -> Bits {
    left.intersect(right);
    left
}

fn either(mut left: Bits, right: &Bits) -> Bits {
    left.unite(right);
    left
}
