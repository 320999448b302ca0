//! Answers to questions.
//!
//! A question is evaluated with bounds. If they are too far apart, or do not decide a comparison, it is evaluated again with more precision, and then with exact numbers if the process is small. What is not known then
//! stays unknown, with the best bounds so far.

use crate::bounds::Bounds;
use crate::error::MarkovError;
use crate::evaluate::{Evaluate, Evaluation};
use crate::exact::Exact;
use crate::process::{Kind, Process};
use crate::solve::Effort;
use dashu_ratio::RBig;
use mandala_kripke::Bits;
use mandala_temporal::pctl::Optimum;
use mandala_temporal::pctl::{FilterOperation, FilterSubject, Measure, Query, StateFormula};

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How far the upper bound may be from the lower one, as a part of that.
    pub precision: f64,
    /// In which numbers.
    pub numbers: Numbers,
    /// About how many products may be formed for each system of equations.
    pub work: u64,
}

/// In which numbers a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Bounds, and exact ones where bounds are not enough and the process is small.
    Bounds,
    /// Exact ones alone.
    Exact,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            precision: 1e-6,
            numbers: Numbers::Bounds,
            work: 20_000_000_000,
        }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What is known of it.
    pub bounds: Bounds,
    /// The value, if it is known exactly.
    pub exact: Option<Exact>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Whether something holds.
    Truth(bool),
    /// A value.
    Value(Value),
    /// The least and the greatest of several values.
    Range(Value, Value),
    /// How many states there are.
    Count(u64),
}

impl Answer {
    /// Whether its values are known that well.
    #[must_use]
    pub fn is_within(&self, precision: f64) -> bool {
        match self {
            Answer::Truth(_) | Answer::Count(_) => true,
            Answer::Value(value) => value.bounds.is_within(precision),
            Answer::Range(least, most) => {
                least.bounds.is_within(precision) && most.bounds.is_within(precision)
            }
        }
    }
}

/// The most states of a process that is evaluated with exact numbers without being asked.
const SMALL: usize = 1_000;

/// How much closer components of a system are solved than the whole is asked for, so that their errors together are small enough; one attempt after the other.
const CLOSER: [f64; 3] = [1e-2, 1e-5, 1e-8];

/// Answers a question about a process.
///
/// # Errors
///
/// If the question means nothing for this process, if this version cannot answer it, or if a comparison inside of it is not decided.
pub fn answer(
    process: &Process,
    query: &Query,
    settings: &Settings,
) -> Result<Answer, MarkovError> {
    let embedded = (process.kind() == Kind::ContinuousChain).then(|| process.embedded());
    let discrete = embedded.as_ref().unwrap_or(process);
    let effort = |closer| Effort {
        precision: settings.precision * closer,
        work: settings.work,
    };
    let exactly = || {
        let evaluation = Evaluation::<Exact>::new(process, discrete, effort(CLOSER[0]));
        asked(process, &evaluation, query)
    };
    if settings.numbers == Numbers::Exact {
        return exactly();
    }
    let mut best = Err(MarkovError::Undecided);
    for closer in CLOSER {
        let evaluation = Evaluation::<Bounds>::new(process, discrete, effort(closer));
        best = match asked(process, &evaluation, query) {
            Ok(answer) if answer.is_within(settings.precision) => return Ok(answer),
            Err(why) if why != MarkovError::Undecided => return Err(why),
            unclear => unclear,
        };
    }
    match process.states() <= SMALL {
        true => exactly().or(best),
        false => best,
    }
}

/// Evaluates a question.
fn asked<N: Evaluate>(
    process: &Process,
    evaluation: &Evaluation<'_, N>,
    query: &Query,
) -> Result<Answer, MarkovError> {
    let starts = crate::process::set_of(process.starts(), process.states());
    match query {
        Query::Holds(formula) => {
            let holding = evaluation.states(formula)?;
            Ok(Answer::Truth(starts.iter().all(|it| holding.has(it))))
        }
        Query::Value(measure) => {
            let values = evaluation.values(measure, None)?;
            let first = starts.iter().next().map(|start| values[start].clone());
            match first.filter(|_| starts.count() == 1) {
                Some(only) => Ok(Answer::Value(value_of(&only))),
                None => range(&values, &starts),
            }
        }
        Query::Filter {
            operation,
            subject: FilterSubject::Measure(measure),
            states,
        } => filter_values(evaluation, *operation, measure, states),
        Query::Filter {
            operation,
            subject: FilterSubject::Formula(formula),
            states,
        } => filter_states(evaluation, *operation, formula, states),
    }
}

fn value_of<N: Evaluate>(number: &N) -> Value {
    Value {
        bounds: number.bounds(),
        exact: number.exact(),
    }
}

/// The least and the greatest value of some states.
fn range<N: Evaluate>(values: &[N], states: &Bits) -> Result<Answer, MarkovError> {
    let least = best(values, states, Optimum::Least)?;
    let most = best(values, states, Optimum::Greatest)?;
    Ok(Answer::Range(value_of(&least), value_of(&most)))
}

fn best<N: Evaluate>(values: &[N], states: &Bits, optimum: Optimum) -> Result<N, MarkovError> {
    let chosen = states.iter().map(|state| values[state].clone());
    chosen
        .reduce(|best, it| best.better(&it, optimum))
        .ok_or(MarkovError::Meaningless("no state satisfies the filter"))
}

fn filter_values<N: Evaluate>(
    evaluation: &Evaluation<'_, N>,
    operation: FilterOperation,
    measure: &Measure,
    states: &StateFormula,
) -> Result<Answer, MarkovError> {
    let states = evaluation.states(states)?;
    let values = evaluation.values(measure, None)?;
    let sum = || {
        let chosen = states.iter().map(|state| &values[state]);
        chosen.fold(N::zero(), |sum, value| sum.plus(value))
    };
    let value = match operation {
        FilterOperation::Min => best(&values, &states, Optimum::Least)?,
        FilterOperation::Max => best(&values, &states, Optimum::Greatest)?,
        FilterOperation::Range => return range(&values, &states),
        FilterOperation::Sum => sum(),
        FilterOperation::Average if states.count() == 0 => {
            return Err(MarkovError::Meaningless("no state satisfies the filter"));
        }
        FilterOperation::Average => sum().over(&N::of(&RBig::from(states.count()))),
        FilterOperation::State if states.count() != 1 => {
            return Err(MarkovError::Meaningless(
                "the filter asks for the only state, and not exactly one satisfies it",
            ));
        }
        FilterOperation::State => sum(),
        FilterOperation::Count | FilterOperation::ForAll | FilterOperation::Exists => {
            return Err(MarkovError::Meaningless(
                "the filter asks whether something holds, and has a value in the place of a formula: compare it with a number",
            ));
        }
    };
    Ok(Answer::Value(value_of(&value)))
}

fn filter_states<N: Evaluate>(
    evaluation: &Evaluation<'_, N>,
    operation: FilterOperation,
    formula: &StateFormula,
    states: &StateFormula,
) -> Result<Answer, MarkovError> {
    let states = evaluation.states(states)?;
    let holding = evaluation.states(formula)?;
    let mut found = states.iter().map(|state| holding.has(state));
    Ok(match operation {
        FilterOperation::ForAll => Answer::Truth(found.all(|it| it)),
        FilterOperation::Exists => Answer::Truth(found.any(|it| it)),
        FilterOperation::Count => Answer::Count(found.filter(|it| *it).count() as u64),
        FilterOperation::State if states.count() == 1 => Answer::Truth(found.all(|it| it)),
        FilterOperation::State => {
            return Err(MarkovError::Meaningless(
                "the filter asks for the only state, and not exactly one satisfies it",
            ));
        }
        FilterOperation::Min
        | FilterOperation::Max
        | FilterOperation::Average
        | FilterOperation::Sum
        | FilterOperation::Range => {
            return Err(MarkovError::Meaningless(
                "the filter asks for values, and has a formula in the place of one: write =? in it",
            ));
        }
    })
}
