//! From evidence to a run.
//!
//! An engine remembers only some of the states of a run, and says nothing about the steps between
//! them. Here the interpreter finds those steps: from each remembered state, the chain of steps that
//! ends in the next one, and from the last one the chain that brings the violation. An engine that
//! is wrong is caught here, because no such chain exists.

use crate::lasso::{Party, parties, same, ways};
use crate::options::Fairness;
use mandala_interpreter::{CHAIN_LIMIT, Configuration, Interpreter, MacroStep, Move};
use mandala_model::State;
use mandala_model::step::{StepLabel, Turn, Violation, Ways};
use std::collections::BTreeSet;
use std::fmt;

/// Evidence that does not fit the model: a defect of the engine or of the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiftError {
    /// The path does not begin where the model does.
    OtherStart,
    /// No step leads from the state of that number to the one after it.
    NoStep {
        /// The number of the state, from 0.
        after: usize,
    },
    /// The last state does not show the violation.
    NoViolation,
    /// The run does not come back to where it began to go round.
    Open,
}

impl fmt::Display for LiftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LiftError::OtherStart => f.write_str("the path starts in another state than the model"),
            LiftError::NoStep { after } => {
                write!(
                    f,
                    "no step leads from state {after} of the path to the next one, as far as \
                     atomic sequences of up to {CHAIN_LIMIT} steps go"
                )
            }
            LiftError::Open => f.write_str("the cycle does not come back to where it begins"),
            LiftError::NoViolation => {
                write!(
                    f,
                    "the end of the path does not show the violation, as far as atomic \
                     sequences of up to {CHAIN_LIMIT} steps go"
                )
            }
        }
    }
}

/// A way to a configuration: the last chain of steps, and where it came from.
struct Reached {
    configuration: Configuration,
    /// The index of the predecessor among those of the level before.
    parent: usize,
    chain: Vec<StepLabel>,
}

/// The labels of a run through the states of `path` to a violation that is `wanted`.
pub fn lift(
    interpreter: &Interpreter<'_>,
    path: &[State],
    wanted: &dyn Fn(&Violation) -> bool,
) -> Result<Vec<StepLabel>, LiftError> {
    let start = match interpreter.start() {
        Ok(start) => start,
        Err(fault) if wanted(&Violation::Fault(fault.clone())) => return Ok(Vec::new()),
        Err(_) => return Err(LiftError::OtherStart),
    };
    finish(interpreter, &levels(interpreter, start, path)?, wanted)
}

/// The labels of a run through the states of `path` that ends in the last of them.
pub fn lift_states(
    interpreter: &Interpreter<'_>,
    path: &[State],
) -> Result<Vec<StepLabel>, LiftError> {
    let start = interpreter.start().map_err(|_| LiftError::OtherStart)?;
    let levels = levels(interpreter, start, path)?;
    Ok(backtrack(&levels, 0, Vec::new()))
}

/// The labels of a run that goes round for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LassoLabels {
    /// The steps before it goes round.
    pub prefix: Vec<StepLabel>,
    /// The steps of one round. None if nothing can happen any more.
    pub cycle: Vec<StepLabel>,
}

impl LassoLabels {
    /// Those labels that are wanted.
    pub fn filtered(mut self, wanted: impl Fn(&StepLabel) -> bool) -> Self {
        self.prefix.retain(&wanted);
        self.cycle.retain(&wanted);
        self
    }
}

/// How often a cycle of states is gone round to find one of configurations. The first time the system may come to a stop, which a
/// state alone does not tell.
const ROUNDS: usize = 3;

/// The labels of a run through the states of `path` and then, for ever, through those of `cycle`, which come back to the last of `path`. If
/// it has to be fair, the cycle is gone round until everybody has moved who can on a way through these states: several may lead
/// from one state to the next.
pub fn lift_lasso(
    interpreter: &Interpreter<'_>,
    path: &[State],
    cycle: &[State],
    fairness: Fairness,
) -> Result<LassoLabels, LiftError> {
    let start = interpreter.start().map_err(|_| LiftError::OtherStart)?;
    let mut states = path.to_vec();
    for _ in 0..ROUNDS {
        states.extend_from_slice(cycle);
        let levels = levels(interpreter, start.clone(), &states)?;
        let entry = levels.len() - 1 - cycle.len();
        if let Some(end) = closing(interpreter, &levels, entry) {
            let before = ancestor(&levels, end, entry);
            let prefix = backtrack(&levels[..=entry], before, Vec::new());
            let cycle = match fairness {
                Fairness::Off => backtrack(&levels, end, Vec::new())[prefix.len()..].to_vec(),
                _ => with_everybody(interpreter, &way(&levels, end, entry), fairness),
            };
            return Ok(LassoLabels { prefix, cycle });
        }
    }
    Err(LiftError::Open)
}

/// The member of the last level that has come back to where its way was at another one, up to the order of what has none.
fn closing(interpreter: &Interpreter<'_>, levels: &[Vec<Reached>], entry: usize) -> Option<usize> {
    let last = levels.last()?;
    (0..last.len()).find(|&end| {
        let before = &levels[entry][ancestor(levels, end, entry)];
        same(interpreter, &before.configuration, &last[end].configuration)
    })
}

/// The member of a level that the way to a member of the last one goes through.
fn ancestor(levels: &[Vec<Reached>], mut index: usize, entry: usize) -> usize {
    for level in levels[entry + 1..].iter().rev() {
        index = level[index].parent;
    }
    index
}

/// The configurations from a level on to a member of the last one.
fn way(levels: &[Vec<Reached>], end: usize, entry: usize) -> Vec<&Configuration> {
    let mut index = end;
    let mut way = vec![&levels[levels.len() - 1][end].configuration];
    for number in (entry + 1..levels.len()).rev() {
        index = levels[number][index].parent;
        way.push(&levels[number - 1][index].configuration);
    }
    way.reverse();
    way
}

/// The labels of rounds through those configurations, until there is nobody left who can take part in a step between two of them and has
/// not.
fn with_everybody(
    interpreter: &Interpreter<'_>,
    way: &[&Configuration],
    fairness: Fairness,
) -> Vec<StepLabel> {
    let steps = way.windows(2);
    let ways = ways(fairness.is_per_action());
    let steps = steps.map(|s| chains(interpreter, s[0], s[1], ways));
    let steps: Vec<_> = steps.collect();
    let who = |chain: &[StepLabel]| -> BTreeSet<Party> {
        let labels = chain.iter();
        let parties = labels.flat_map(|label| parties(label, fairness.is_per_action()));
        parties.collect()
    };
    let mut covered = BTreeSet::new();
    let mut rounds = Vec::new();
    loop {
        let mut round = Vec::new();
        let before = covered.len();
        for chains in &steps {
            let has_news = |chain: &&Vec<StepLabel>| !who(chain).is_subset(&covered);
            let news = chains.iter().find(has_news);
            let Some(chain) = news.or(chains.first()) else {
                continue;
            };
            covered.extend(who(chain));
            round.extend_from_slice(chain);
        }
        let is_last = covered.len() == before;
        if !is_last || rounds.is_empty() {
            rounds.extend(round);
        }
        if is_last {
            return rounds;
        }
    }
}

/// The chains of steps from one remembered configuration to the next.
fn chains(
    interpreter: &Interpreter<'_>,
    from: &Configuration,
    to: &Configuration,
    ways: Ways,
) -> Vec<Vec<StepLabel>> {
    let chains = next_chains(interpreter, from, ways).into_iter();
    let chains = chains.filter(|chain| remembered_end(&chain.steps) == Some(to));
    chains.map(|chain| labels(&chain.steps)).collect()
}

/// All ways through the states of `path`, state by state.
fn levels(
    interpreter: &Interpreter<'_>,
    start: Configuration,
    path: &[State],
) -> Result<Vec<Vec<Reached>>, LiftError> {
    // Where the start is held it is no state, and the first state of the path comes after it.
    let held = interpreter.model().start_held;
    let rest = match path.split_first() {
        _ if held => path,
        Some((first, rest)) if *first == start.state => rest,
        _ => return Err(LiftError::OtherStart),
    };
    let mut levels = vec![vec![Reached {
        configuration: start,
        parent: 0,
        chain: Vec::new(),
    }]];
    for (after, target) in rest.iter().enumerate() {
        let level = advance(interpreter, &levels[after], target);
        if level.is_empty() {
            return Err(match held && after == 0 {
                true => LiftError::OtherStart,
                false => LiftError::NoStep { after },
            });
        }
        levels.push(level);
    }
    Ok(levels)
}

/// All configurations with that state that follow one of `from`. There may be several, as a state
/// alone does not say whose turn it is.
fn advance(interpreter: &Interpreter<'_>, from: &[Reached], target: &State) -> Vec<Reached> {
    // What has no order may have another one where the run comes from.
    let target = interpreter.model().arranged(target);
    let mut reached: Vec<Reached> = Vec::new();
    for (parent, before) in from.iter().enumerate() {
        for step in next_chains(interpreter, &before.configuration, Ways::Alike) {
            let Some(end) = remembered_end(&step.steps) else {
                continue;
            };
            let known = reached.iter().any(|r| r.configuration == *end);
            if interpreter.model().arranged(&end.state) == target && !known {
                reached.push(Reached {
                    configuration: end.clone(),
                    parent,
                    chain: labels(&step.steps),
                });
            }
        }
    }
    reached
}

/// The chains of steps from a configuration. Where the system has stopped for ever, some searches remember each step of the
/// claim and others the second one first.
fn next_chains(interpreter: &Interpreter<'_>, from: &Configuration, ways: Ways) -> Vec<MacroStep> {
    let mut chains = interpreter.macro_steps_by(from, ways);
    if from.turn == Turn::Claim && interpreter.has_stopped(&from.state) {
        let stopped = Configuration {
            state: from.state.clone(),
            turn: Turn::Stutter,
        };
        chains.extend(interpreter.macro_steps_by(&stopped, ways));
    }
    chains
}

fn remembered_end(chain: &[Move]) -> Option<&Configuration> {
    let last = chain.last()?;
    last.next.as_ref().filter(|_| last.remembered)
}

fn labels(chain: &[Move]) -> Vec<StepLabel> {
    chain.iter().map(|m| m.label).collect()
}

fn finish(
    interpreter: &Interpreter<'_>,
    levels: &[Vec<Reached>],
    wanted: &dyn Fn(&Violation) -> bool,
) -> Result<Vec<StepLabel>, LiftError> {
    let last = levels.last().map_or(&[][..], Vec::as_slice);
    let ends = last.iter().enumerate().filter_map(|(index, reached)| {
        let chain = violating_chain(interpreter, &reached.configuration, wanted)?;
        Some((index, chain))
    });
    let (index, chain) = ends
        .min_by_key(|(_, chain)| chain.len())
        .ok_or(LiftError::NoViolation)?;
    Ok(backtrack(levels, index, chain))
}

/// The shortest chain from there to a violation that is wanted, empty if it is there already.
fn violating_chain(
    interpreter: &Interpreter<'_>,
    from: &Configuration,
    wanted: &dyn Fn(&Violation) -> bool,
) -> Option<Vec<StepLabel>> {
    if interpreter.verdicts_here(from).iter().any(wanted) {
        return Some(Vec::new());
    }
    let chains = interpreter.macro_steps(from).into_iter();
    chains
        .filter_map(|step| {
            let shows = |m: &Move| m.violations.iter().any(wanted);
            let end = step.steps.iter().position(shows)?;
            Some(labels(&step.steps[..=end]))
        })
        .min_by_key(Vec::len)
}

/// All chains from the start to that member of the last level, and the last chain.
fn backtrack(levels: &[Vec<Reached>], mut index: usize, last: Vec<StepLabel>) -> Vec<StepLabel> {
    let mut chains = vec![last.as_slice()];
    for level in levels.iter().rev() {
        chains.push(&level[index].chain);
        index = level[index].parent;
    }
    chains.into_iter().rev().flatten().copied().collect()
}
