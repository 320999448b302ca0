//! The engine for probabilities: makes the graph of all states, reads it as a Markov chain or decision process, and has [`mandala_markov`] answer the question.
//!
//! `chain` goes from the graph to a process with exact weights. The graph is that of the user's model, state by state, made by the reference interpreter ([`mandala_statespace`]): no symmetry is used, and nothing is rewritten. If a limit ends it, nothing
//! is said: a probability in a part of the graph is none in the whole.

mod chain;

use chain::Maker;
use mandala_engine::{
    Amount, Capabilities, ChanceStatistics, Decision, Engine, EngineError, Extent, Limit, Numbers,
    Outcome, Precision, Progress, ProgressObserver, Reached, Statistics, SymmetrySupport, Task,
    Valued, Wish,
};
use mandala_markov::{self as markov, Answer, Exact, MarkovError, Process, Settings, Value};
use mandala_model::Model;
use mandala_model::property::PropertyKind;
use mandala_model::step::{Observers, Violation};
use mandala_prepare::Prepared;
use mandala_statespace::{Cut, GraphError, StateSpace, StateSpaceOptions, explore};
use mandala_temporal::pctl::Query;
use std::time::Instant;

/// How many states are expanded between questions whether to go on.
const PERIOD: usize = 256;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct ProbabilisticEngine;

impl Engine for ProbabilisticEngine {
    fn name(&self) -> &'static str {
        "probabilistic"
    }

    fn help(&self) -> &'static str {
        "probabilities and expected rewards, with bounds that are right; answers questions about these in any case"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            symmetry: SymmetrySupport::None,
            workers: false,
            lossy_stores: false,
            native_code: false,
            causes: false,
            checkpoints: false,
            partial_order: false,
            cycles: false,
            shortest_cycles: false,
            depth_first_depth: false,
            memory: false,
            statement_counts: false,
            multiset_elements: true,
            rules: true,
            chance: true,
        }
    }

    fn run(
        &self,
        task: &Task<'_>,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Outcome, EngineError> {
        let started = Instant::now();
        let query = question(task)?;
        let space = space(task, observer, started)?;
        let reached = reached(&task.prepared.user, &space);
        if let Some(cut) = space.cut {
            let extent = Extent::Limited(limit(cut, task, started));
            return Ok(Outcome {
                statistics: statistics(&space, started),
                ..Outcome::nothing(extent, reached)
            });
        }
        let process = match breaks_off(&space) {
            Some(_) => None,
            None => Some(maker(task, query)?.chain(&space)?),
        };
        let value = match &process {
            Some(process) => valued(process, query.1, task.precision)?,
            None => Valued::Unknown(
                "in some state something goes wrong, so runs break off; `--property safety` shows it".into(),
                None,
            ),
        };
        Ok(Outcome {
            value: Some(value),
            statistics: Statistics {
                chance: process.as_ref().map(chance),
                ..statistics(&space, started)
            },
            endless: Some(false),
            ..Outcome::nothing(Extent::Complete, reached)
        })
    }
}

/// The property that is asked about, and its question.
fn question<'a>(task: &Task<'a>) -> Result<(&'a PropertyKind, &'a Query), EngineError> {
    let kind = task.question.property_kind(&task.prepared.user);
    match (task.question.decision, kind) {
        (Decision::Value, Some(kind @ PropertyKind::Query { query })) => Ok((kind, query)),
        _ => Err(EngineError::Unsupported(format!(
            "`{}` does not ask for probabilities, and this engine computes nothing else; `--engine explicit` decides it",
            task.question.name
        ))),
    }
}

fn maker<'a>(task: &Task<'a>, question: (&PropertyKind, &Query)) -> Result<Maker<'a>, EngineError> {
    let model: &Model = &task.prepared.user;
    let stochastic = model.stochastic.ok_or_else(|| {
        EngineError::Defect("a question about probabilities in a model without chance".into())
    })?;
    Ok(Maker::new(model, stochastic, question))
}

/// The graph of all states of the user's model.
fn space(
    task: &Task<'_>,
    observer: &mut dyn ProgressObserver,
    started: Instant,
) -> Result<StateSpace, EngineError> {
    let prepared = Prepared::plain(&task.prepared.user);
    let wanted = StateSpaceOptions {
        prepared: &prepared,
        observers: Observers::default(),
        strategy: None,
        most: task.limits.states.map_or(usize::MAX, |most| most as usize),
        deepest: task.limits.depth,
    };
    let mut asked = 0_usize;
    let mut goes_on = |states: usize| {
        asked += 1;
        let progress = || Progress {
            states: states as u64,
            transitions: 0,
            depth: 0,
            frontier: 0,
            bytes: 0,
            total: None,
        };
        let is_asked = asked.is_multiple_of(PERIOD);
        !(is_over(task, started) || is_asked && observer.update(&progress()) == Wish::Stop)
    };
    explore(wanted, &mut goes_on).map_err(|error| match error {
        GraphError::Unsupported(what) => EngineError::Unsupported(what.to_string()),
        GraphError::Strategy(what) => EngineError::Strategy(what),
        GraphError::Defect(what) => EngineError::Defect(what),
    })
}

/// The locations at which processes are in some state of the graph.
fn reached(model: &Model, space: &StateSpace) -> Reached {
    let mut reached = Reached {
        nodes: None,
        ..Reached::nothing(model)
    };
    let states = space.states.iter().map(|known| &known.state);
    for process in states.flat_map(|state| &state.processes) {
        reached.locations[process.template.index()][process.location.index()] = true;
    }
    reached
}

fn is_over(task: &Task<'_>, started: Instant) -> bool {
    let limit = task.limits.time;
    limit.is_some_and(|limit| started.elapsed() >= limit)
}

/// Which limit has ended the graph.
fn limit(cut: Cut, task: &Task<'_>, started: Instant) -> Limit {
    match cut {
        Cut::States => Limit::States,
        Cut::Depth => Limit::Depth,
        Cut::Stopped if is_over(task, started) => Limit::Time,
        Cut::Stopped => Limit::Cancelled,
        Cut::Oversize => Limit::StateSize,
        Cut::Ways => Limit::AtomicSteps {
            most: mandala_statespace::MOST_STEPS as u64,
        },
    }
}

/// Something that is wrong with a state or a step. A state that nothing leads out of is in order: it stays as it is.
fn breaks_off(space: &StateSpace) -> Option<&Violation> {
    let states = space.states.iter().flat_map(|state| &state.violations);
    let mut all = space.violations.iter().chain(states);
    all.find(|violation| **violation != Violation::Deadlock)
}

fn statistics(space: &StateSpace, started: Instant) -> Statistics {
    let states = space.states.len() as u64;
    Statistics {
        states,
        transitions: space.arrows(),
        fired: space.arrows(),
        expanded: states,
        depth: space
            .states
            .iter()
            .map(|it| u64::from(it.depth))
            .max()
            .unwrap_or(0),
        time: started.elapsed(),
        workers: 1,
        ..Statistics::default()
    }
}

fn chance(process: &Process) -> ChanceStatistics {
    ChanceStatistics {
        choices: process.all_choices() as u64,
        branches: process.all_branches() as u64,
        starts: process.starts().len() as u64,
    }
}

/// The answer.
fn valued(process: &Process, query: &Query, precision: Precision) -> Result<Valued, EngineError> {
    let settings = Settings {
        precision: precision.relative,
        numbers: match precision.numbers {
            Numbers::Bounds => markov::Numbers::Bounds,
            Numbers::Exact => markov::Numbers::Exact,
        },
        ..Settings::default()
    };
    let answer = match markov::answer(process, query, &settings) {
        Ok(answer) => answer,
        Err(why @ (MarkovError::Undecided | MarkovError::TooMuchWork)) => {
            return Ok(Valued::Unknown(why.to_string(), None));
        }
        Err(why) => return Err(EngineError::Search(why.to_string())),
    };
    let is_close = answer.is_within(precision.relative);
    Ok(match answer {
        Answer::Truth(truth) => Valued::Truth(truth),
        Answer::Count(count) => Valued::Amount(counted(count)),
        Answer::Value(value) if is_close => Valued::Amount(amount(&value)),
        Answer::Range(least, most) if is_close => Valued::Range(amount(&least), amount(&most)),
        Answer::Value(value) => far(amount(&value), amount(&value)),
        Answer::Range(least, most) => far(amount(&least), amount(&most)),
    })
}

/// Bounds that are too far apart.
fn far(least: Amount, most: Amount) -> Valued {
    let why = "the bounds are farther apart than `--precision` wants";
    Valued::Unknown(why.into(), Some((least, most)))
}

fn amount(value: &Value) -> Amount {
    Amount {
        lower: value.bounds.lower,
        upper: value.bounds.upper,
        exact: value.exact.as_ref().map(|exact| match exact {
            Exact::Finite(number) => number.to_string(),
            Exact::Infinite => "infinity".into(),
        }),
    }
}

fn counted(count: u64) -> Amount {
    Amount {
        lower: count as f64,
        upper: count as f64,
        exact: Some(count.to_string()),
    }
}
