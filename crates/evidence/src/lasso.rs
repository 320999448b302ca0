//! Execution of a lasso by the interpreter.
//!
//! What an engine says of such a run is not believed: here the interpreter goes to where the run begins to go round, goes round once, and
//! looks whether it is back, whether it came through an accepting state on the way, and whether it was fair.

use crate::lift::LassoLabels;
use crate::replay::{Expectation, ReplayError, ReplayedRun, ReplayedStep, followed, step_of};
use mandala_engine::Fairness;
use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::ids::{EdgeId, PropertyId};
use mandala_model::step::{Actor, StepLabel, Turn, Violation};
use std::collections::{BTreeSet, HashSet};

/// What a run that goes round has to be.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Whether it has to come through an accepting state.
    pub accepted: bool,
    /// To whom it has to be fair.
    pub fairness: Fairness,
    /// What it shows.
    pub violation: Violation,
}

impl Wanted {
    /// A run that a claim forbids.
    pub fn forbidden(fairness: Fairness) -> Self {
        Wanted {
            accepted: true,
            fairness,
            violation: Violation::Cycle,
        }
    }

    /// A run that shows something of an instance of a formula of branching time.
    pub fn branching(fairness: Fairness, (property, instance): (PropertyId, u32)) -> Self {
        Wanted {
            accepted: false,
            fairness,
            violation: Violation::Lost { property, instance },
        }
    }
}

/// One step of a round, and where it leads.
struct Stride {
    step: ReplayedStep,
    configuration: Configuration,
    /// Whether a search remembers where it leads.
    remembered: bool,
}

/// Somebody to whom a run has to be fair: a process or, with an edge, one of its statements in a choice of its parameters.
pub type Party = (u32, Option<(EdgeId, u32)>);

/// Makes the steps before the run goes round, and then those of one round.
pub fn replay_lasso(
    interpreter: &Interpreter<'_>,
    labels: &LassoLabels,
    wanted: &Wanted,
    expectation: &impl Expectation,
) -> Result<ReplayedRun, ReplayError> {
    let (ends, history) = followed(interpreter, &labels.prefix, expectation)?;
    for (index, entry) in ends.iter().enumerate() {
        let Some(entry) = entry else { continue };
        let Some(round) = round(interpreter, entry, &labels.cycle) else {
            continue;
        };
        let told = |(index, stride): (usize, &Stride)| {
            expectation.agrees(labels.prefix.len() + index, &stride.step.changes)
        };
        let is_shown = (!wanted.accepted || is_accepted(interpreter, entry, &round))
            && is_fair(interpreter, entry, &round, wanted.fairness)
            && round.iter().enumerate().all(told);
        if is_shown {
            let cycle = round.into_iter().map(|stride| stride.step);
            return Ok(ReplayedRun::going_round(
                history.steps_to(index),
                cycle.collect(),
                wanted.violation.clone(),
                entry.state.clone(),
            ));
        }
    }
    Err(ReplayError::NoViolation)
}

/// A way from a configuration by those steps back to it; none if there is none. Without steps, nothing must be possible.
fn round(
    interpreter: &Interpreter<'_>,
    entry: &Configuration,
    labels: &[StepLabel],
) -> Option<Vec<Stride>> {
    if labels.is_empty() {
        let moves = interpreter.moves(entry);
        return (!moves.iter().any(Move::counts)).then(Vec::new);
    }
    let mut levels: Vec<Vec<(usize, Move)>> = Vec::new();
    for label in labels {
        let from: Vec<Configuration> = match levels.last() {
            None => vec![entry.clone()],
            Some(level) => level.iter().filter_map(|(_, m)| m.next.clone()).collect(),
        };
        levels.push(advance(interpreter, &from, *label));
    }
    let is_back = |(_, made): &(usize, Move)| {
        made.next
            .as_ref()
            .is_some_and(|c| same(interpreter, c, entry))
    };
    let end = levels.last()?.iter().position(is_back)?;
    Some(strides(interpreter, entry, &levels, end))
}

/// All moves with that label from some configurations, each with the number of the one that it starts in. Only those that lead
/// somewhere.
fn advance(
    interpreter: &Interpreter<'_>,
    from: &[Configuration],
    label: StepLabel,
) -> Vec<(usize, Move)> {
    let mut made: Vec<(usize, Move)> = Vec::new();
    for (parent, configuration) in from.iter().enumerate() {
        let moves = interpreter.moves(configuration).into_iter();
        for found in moves.filter(|m| m.label == label && m.next.is_some()) {
            if !made.iter().any(|(_, known)| known.next == found.next) {
                made.push((parent, found));
            }
        }
    }
    made
}

/// The moves that lead to one of the last level, as steps.
fn strides(
    interpreter: &Interpreter<'_>,
    entry: &Configuration,
    levels: &[Vec<(usize, Move)>],
    mut end: usize,
) -> Vec<Stride> {
    let mut moves = Vec::with_capacity(levels.len());
    for level in levels.iter().rev() {
        let (parent, made) = &level[end];
        moves.push(made.clone());
        end = *parent;
    }
    let mut before = entry.clone();
    let stride = |made: Move| {
        let configuration = made.next.clone()?;
        let step = step_of(interpreter, &before, &made);
        before = configuration.clone();
        Some(Stride {
            step,
            configuration,
            remembered: made.remembered,
        })
    };
    moves.into_iter().rev().filter_map(stride).collect()
}

/// Whether two configurations are the same but for the order of what has none.
pub fn same(interpreter: &Interpreter<'_>, a: &Configuration, b: &Configuration) -> bool {
    let model = interpreter.model();
    a.turn == b.turn && model.arranged(&a.state) == model.arranged(&b.state)
}

/// Whether an accepting state is met in a round.
fn is_accepted(interpreter: &Interpreter<'_>, entry: &Configuration, round: &[Stride]) -> bool {
    let met = round.iter().map(|stride| &stride.configuration);
    let mut met = met.chain([entry]);
    met.any(|c| !matches!(c.turn, Turn::Held(_)) && is_accepting(interpreter, &c.state))
}

/// Whether the claim is at an accepting location.
pub fn is_accepting(interpreter: &Interpreter<'_>, state: &State) -> bool {
    state.claim.as_ref().is_some_and(|claim| {
        let template = interpreter.model().template(claim.template);
        template.locations[claim.location.index()].accept
    })
}

/// Whether going round for ever is fair. Who can move is asked where a search would ask it: not in the middle of atomic sequences.
fn is_fair(
    interpreter: &Interpreter<'_>,
    entry: &Configuration,
    round: &[Stride],
    fairness: Fairness,
) -> bool {
    if fairness == Fairness::Off {
        return true;
    }
    let each = fairness.is_per_action();
    let acting: BTreeSet<Party> = round
        .iter()
        .flat_map(|stride| parties(&stride.step.label, each))
        .collect();
    let remembered = round.iter().filter(|stride| stride.remembered);
    let met = remembered.map(|stride| &stride.configuration);
    let able: Vec<BTreeSet<Party>> = match round.is_empty() {
        true => vec![able_to_move(interpreter, entry, each)],
        false => met.map(|c| able_to_move(interpreter, c, each)).collect(),
    };
    let everybody: BTreeSet<Party> = able.iter().flatten().copied().collect();
    everybody.iter().all(|party| {
        let is_passed_over = match fairness {
            Fairness::Strong | Fairness::StrongAction => true,
            _ => able.iter().all(|able| able.contains(party)),
        };
        !is_passed_over || acting.contains(party)
    })
}

/// The processes that could move on a cycle and never do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Those that could in every state.
    pub always: BTreeSet<u32>,
    /// Those that could in some state, but not in all.
    pub sometimes: BTreeSet<u32>,
}

/// The processes that could move on a cycle and never do, asked where a search would ask it.
pub fn passed_over(interpreter: &Interpreter<'_>, cycle: &[ReplayedStep]) -> PassedOver {
    let acting: BTreeSet<u32> = cycle
        .iter()
        .flat_map(|step| parties(&step.label, false))
        .map(|(process, _)| process)
        .collect();
    let met = cycle.iter().filter(|step| step.remembered);
    let met = met.filter_map(|step| step.after.as_ref());
    let able = met.map(|at| able_to_move(interpreter, at, false));
    let able: Vec<BTreeSet<u32>> = able
        .map(|parties| parties.into_iter().map(|(process, _)| process).collect())
        .collect();
    let everybody: BTreeSet<u32> = able.iter().flatten().copied().collect();
    let never = everybody.difference(&acting).copied();
    let (always, sometimes) = never.partition(|process| able.iter().all(|a| a.contains(process)));
    PassedOver { always, sometimes }
}

/// Who begins a step of the system that is possible: one that comes to its end, or on which something is wrong. The ways through
/// an atomic sequence are followed until one of them is, and what is passed through is passed through once for each who begins.
fn able_to_move(
    interpreter: &Interpreter<'_>,
    from: &Configuration,
    each: bool,
) -> BTreeSet<Party> {
    let mut able = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut waiting: Vec<(Configuration, Option<Party>)> = vec![(from.clone(), None)];
    while let Some((at, first)) = waiting.pop() {
        if first.is_some_and(|first| able.contains(&first)) {
            continue;
        }
        // The last one comes up first.
        for step in interpreter.moves(&at).into_iter().rev() {
            let first = first.or_else(|| parties(&step.label, each).next());
            if step.remembered_next().is_some() || !step.violations.is_empty() {
                able.extend(first);
            }
            let passed = step.passed_next().map(|next| (next.clone(), first));
            waiting.extend(passed.filter(|passed| seen.insert(passed.clone())));
        }
    }
    able
}

/// Who takes part in a step, the one whose step it is first.
pub fn parties(label: &StepLabel, each: bool) -> impl Iterator<Item = Party> {
    let party =
        move |process: u32, edge: EdgeId, choice: u32| (process, each.then_some((edge, choice)));
    let actor = match label.actor {
        Actor::Process(process) => Some(party(process, label.edge, label.choice)),
        Actor::Claim => None,
    };
    // What receives has no parameters.
    let partner = label.partner.map(|(process, edge)| party(process, edge, 0));
    actor.into_iter().chain(partner)
}
