//! From evidence to a run.
//!
//! An engine remembers only some of the states of a run, and says nothing about the steps between
//! them. Here the interpreter finds those steps: from each remembered state, the chain of steps that
//! ends in the next one, and from the last one the chain that brings the violation. An engine that
//! is wrong is caught here, because no such chain exists. Where there are too many chains to look at, the moves of one come from
//! [`crate::pathfinder`], and the interpreter makes them.

use crate::lasso::{Party, parties, same};
use crate::pathfinder::{PATIENCE, Pathfinder, TooMany, Way, starts};
use crate::searched::Searched;
use mandala_engine::Fairness;
use mandala_interpreter::{Chains, Configuration, Interpreter};
use mandala_model::State;
use mandala_model::step::{StepLabel, Violation};
use mandala_prepare::Prepared;
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
    /// There are too many ways through an atomic sequence that begins in the state of that number to find out which one it was. That is no
    /// defect.
    TooManyWays {
        /// The number of the state, from 0.
        after: usize,
    },
}

impl fmt::Display for LiftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LiftError::OtherStart => f.write_str("the path starts in another state than the model"),
            LiftError::NoStep { after } => {
                write!(
                    f,
                    "no step leads from state {after} of the path to the next one"
                )
            }
            LiftError::Open => f.write_str("the cycle does not come back to where it begins"),
            LiftError::NoViolation => {
                f.write_str("the end of the path does not show the violation")
            }
            LiftError::TooManyWays { after } => {
                write!(
                    f,
                    "there are too many ways through the atomic sequence that begins after state {after} of the path"
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
    searched: &Searched<'_>,
    path: &[State],
    wanted: &dyn Fn(&Violation) -> bool,
) -> Result<Vec<StepLabel>, LiftError> {
    let start = match searched.interpreter.start() {
        Ok(start) => start,
        Err(fault) if wanted(&Violation::Fault(fault.clone())) => return Ok(Vec::new()),
        Err(_) => return Err(LiftError::OtherStart),
    };
    let finder = Pathfinder::new(searched);
    finish(&finder, &levels(&finder, start, path)?, wanted)
}

/// The labels of a run through the states of `path` that ends in the last of them.
pub fn lift_states(searched: &Searched<'_>, path: &[State]) -> Result<Vec<StepLabel>, LiftError> {
    let start = searched
        .interpreter
        .start()
        .map_err(|_| LiftError::OtherStart)?;
    let levels = levels(&Pathfinder::new(searched), start, path)?;
    Ok(backtrack(&levels, 0, Vec::new()))
}

/// The labels of a run that goes round for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LassoLabels {
    /// The steps before it goes round.
    pub prefix: Vec<StepLabel>,
    /// The steps of one round. None if nothing can happen any more.
    pub cycle: Vec<StepLabel>,
    /// Whether there were too many ways through an atomic sequence to let every party take part that can.
    pub cut: bool,
}

impl LassoLabels {
    /// The run of the user's model that this run of the searched one is.
    pub fn of_user(self, prepared: &Prepared) -> Self {
        LassoLabels {
            prefix: prepared.steps_of_user(&self.prefix),
            cycle: prepared.steps_of_user(&self.cycle),
            ..self
        }
    }
}

/// How often a cycle of states is gone round to find one of configurations. The first time the system may come to a stop, which a
/// state alone does not tell.
const ROUNDS: usize = 3;

/// The labels of a run through the states of `path` and then, for ever, through those of `cycle`, which come back to the last of `path`. If
/// it has to be fair, the cycle is gone round until everybody has moved who can on a way through these states: several may lead
/// from one state to the next.
pub fn lift_lasso(
    searched: &Searched<'_>,
    path: &[State],
    cycle: &[State],
    fairness: Fairness,
) -> Result<LassoLabels, LiftError> {
    let interpreter = &searched.interpreter;
    let start = interpreter.start().map_err(|_| LiftError::OtherStart)?;
    let finder = Pathfinder::new(searched);
    let mut states = path.to_vec();
    for _ in 0..ROUNDS {
        states.extend_from_slice(cycle);
        let levels = levels(&finder, start.clone(), &states)?;
        let entry = levels.len() - 1 - cycle.len();
        if let Some(end) = closing(interpreter, &levels, entry) {
            let before = ancestor(&levels, end, entry);
            let prefix = backtrack(&levels[..=entry], before, Vec::new());
            let stages = stages(&levels, end, entry);
            let (cycle, cut) = match fairness {
                Fairness::Off => (
                    stages.iter().flat_map(|s| s.chain).copied().collect(),
                    false,
                ),
                _ => with_everybody(&finder, &stages, fairness),
            };
            return Ok(LassoLabels { prefix, cycle, cut });
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

/// A step of a run between remembered configurations, and a chain that makes it.
#[derive(Clone, Copy)]
struct Stage<'l> {
    from: &'l Configuration,
    to: &'l Configuration,
    chain: &'l [StepLabel],
}

/// The steps from a level on to a member of the last one.
fn stages(levels: &[Vec<Reached>], end: usize, entry: usize) -> Vec<Stage<'_>> {
    let mut index = end;
    let mut stages = Vec::new();
    for number in (entry + 1..levels.len()).rev() {
        let reached = &levels[number][index];
        index = reached.parent;
        stages.push(Stage {
            from: &levels[number - 1][index].configuration,
            to: &reached.configuration,
            chain: &reached.chain,
        });
    }
    stages.reverse();
    stages
}

/// The labels of rounds through those steps, until there is no party left that can take part in one of them and has not. Says whether there
/// were too many ways to know that.
fn with_everybody(
    finder: &Pathfinder<'_, '_>,
    stages: &[Stage<'_>],
    fairness: Fairness,
) -> (Vec<StepLabel>, bool) {
    let each = fairness.is_per_action();
    let mut covered: BTreeSet<Party> = BTreeSet::new();
    let mut rounds = Vec::new();
    let mut cut = false;
    loop {
        let mut round = Vec::new();
        let before = covered.len();
        for stage in stages {
            let is_new = |label: &StepLabel| parties(label, each).any(|p| !covered.contains(&p));
            let chain = match finder.through(stage.from, stage.to, &is_new) {
                Ok(Some(labels)) => labels,
                Ok(None) => stage.chain.to_vec(),
                Err(TooMany) => {
                    cut = true;
                    stage.chain.to_vec()
                }
            };
            covered.extend(chain.iter().flat_map(|label| parties(label, each)));
            round.extend(chain);
        }
        let is_last = covered.len() == before;
        if !is_last || rounds.is_empty() {
            rounds.extend(round);
        }
        if is_last {
            return (rounds, cut);
        }
    }
}

/// All ways through the states of `path`, state by state.
fn levels(
    finder: &Pathfinder<'_, '_>,
    start: Configuration,
    path: &[State],
) -> Result<Vec<Vec<Reached>>, LiftError> {
    // Where the start is held it is no state, and the first state of the path comes after it.
    let held = finder.interpreter.model().start_held;
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
        let level = advance(finder, &levels[after], target)
            .map_err(|TooMany| LiftError::TooManyWays { after })?;
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
fn advance(
    finder: &Pathfinder<'_, '_>,
    from: &[Reached],
    target: &State,
) -> Result<Vec<Reached>, TooMany> {
    let mut reached = Vec::new();
    let mut cut = false;
    for (parent, before) in from.iter().enumerate() {
        cut |= reach(finder.interpreter, (parent, before), target, &mut reached);
    }
    let mut from = from.iter().enumerate();
    while cut
        && reached.is_empty()
        && let Some((parent, before)) = from.next()
    {
        let way = finder.to_state(&before.configuration, target)?;
        let next = way.and_then(|Way { labels, last }| Some((labels, last.next?)));
        reached.extend(next.map(|(chain, configuration)| Reached {
            configuration,
            parent,
            chain,
        }));
    }
    Ok(reached)
}

/// Adds the configurations with that state that follow one. Says whether there are chains that were not looked at.
fn reach(
    interpreter: &Interpreter<'_>,
    (parent, before): (usize, &Reached),
    target: &State,
    reached: &mut Vec<Reached>,
) -> bool {
    let model = interpreter.model();
    // What has no order may have another one where the run comes from.
    let target = model.arranged(target);
    // Without a claim the state says whose turn it is.
    let is_only_one = target.claim.is_none() && model.bags().is_empty();
    let mut cut = false;
    for mut chains in next_chains(interpreter, &before.configuration) {
        while let Some(end) = chains.next_end() {
            let Some(next) = chains.last_step(end).remembered_next() else {
                continue;
            };
            let known = reached.iter().any(|r| r.configuration == *next);
            if model.arranged(&next.state) == target && !known {
                reached.push(Reached {
                    configuration: next.clone(),
                    parent,
                    chain: chains.labels(end),
                });
            }
            if is_only_one && !reached.is_empty() {
                return false;
            }
        }
        cut |= chains.is_cut();
    }
    cut
}

/// The chains of steps from a configuration.
fn next_chains<'i, 'm>(
    interpreter: &'i Interpreter<'m>,
    from: &Configuration,
) -> impl Iterator<Item = Chains<'i, 'm>> {
    let starts = starts(interpreter, from).into_iter();
    starts.map(|start| interpreter.chains(&start).within(PATIENCE))
}

fn finish(
    finder: &Pathfinder<'_, '_>,
    levels: &[Vec<Reached>],
    wanted: &dyn Fn(&Violation) -> bool,
) -> Result<Vec<StepLabel>, LiftError> {
    let last = levels.last().map_or(&[][..], Vec::as_slice);
    let mut ends = Vec::new();
    for (index, reached) in last.iter().enumerate() {
        let after = levels.len() - 1;
        let chain = violating_chain(finder, &reached.configuration, wanted)
            .map_err(|TooMany| LiftError::TooManyWays { after })?;
        ends.extend(chain.map(|chain| (index, chain)));
    }
    let shortest = ends.into_iter().min_by_key(|(_, chain)| chain.len());
    let (index, chain) = shortest.ok_or(LiftError::NoViolation)?;
    Ok(backtrack(levels, index, chain))
}

/// The shortest chain from there to a violation that is wanted, or one of very many; empty if it is there already.
fn violating_chain(
    finder: &Pathfinder<'_, '_>,
    from: &Configuration,
    wanted: &dyn Fn(&Violation) -> bool,
) -> Result<Option<Vec<StepLabel>>, TooMany> {
    let here = finder.interpreter.verdicts_here(from);
    if here.iter().any(wanted) {
        return Ok(Some(Vec::new()));
    }
    let mut chains = finder.interpreter.chains(from);
    chains = chains.within(PATIENCE);
    // A step on which something goes wrong ends a chain of its own, and the shorter chains come first.
    while let Some(end) = chains.next_end() {
        if chains.last_step(end).violations.iter().any(wanted) {
            return Ok(Some(chains.labels(end)));
        }
    }
    match chains.is_cut() {
        true => Ok(finder.to_violation(from, wanted)?.map(|way| way.labels)),
        false => Ok(None),
    }
}

/// What is wrong in a configuration or on the way to the next ones: the first that is wanted.
pub fn first_violation(
    searched: &Searched<'_>,
    from: &Configuration,
    wanted: &dyn Fn(&Violation) -> bool,
) -> Option<Violation> {
    let interpreter = &searched.interpreter;
    let here = interpreter.verdicts_here(from).into_iter();
    if let Some(violation) = { here }.find(|violation| wanted(violation)) {
        return Some(violation);
    }
    let mut chains = interpreter.chains(from).within(PATIENCE);
    while let Some(end) = chains.next_end() {
        let mut wrong = chains.last_step(end).violations.iter();
        if let Some(violation) = wrong.find(|violation| wanted(violation)) {
            return Some(violation.clone());
        }
    }
    let cut = chains.is_cut();
    let way = cut.then(|| {
        Pathfinder::new(searched)
            .to_violation(from, wanted)
            .ok()
            .flatten()
    });
    let wrong = way.flatten()?.last.violations;
    wrong.into_iter().find(|violation| wanted(violation))
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
