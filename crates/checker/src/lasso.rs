//! A run that goes round for ever, as the interpreter makes it.
//!
//! What an engine says of such a run is not believed: here the interpreter goes to where the run begins to go round, goes round once, and
//! looks whether it is back, and whether it came through an accepting state on the way.

use crate::lift::LassoLabels;
use crate::replay::{Expectation, ReplayError, ReplayedRun, ReplayedStep, followed, step_of};
use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::step::{StepLabel, Turn, Violation};

/// One step of a round, and where it leads.
struct Stride {
    step: ReplayedStep,
    configuration: Configuration,
}

/// Makes the steps before the run goes round, and then those of one round.
pub fn replay_lasso(
    interpreter: &Interpreter<'_>,
    labels: &LassoLabels,
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
        if is_accepted(interpreter, entry, &round) && round.iter().enumerate().all(told) {
            let cycle = round.into_iter().map(|stride| stride.step);
            return Ok(ReplayedRun::going_round(
                history.steps_to(index),
                cycle.collect(),
                Violation::Cycle,
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
        return interpreter.moves(entry).is_empty().then(Vec::new);
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
        })
    };
    moves.into_iter().rev().filter_map(stride).collect()
}

/// Whether two configurations are the same but for the order of what has none.
fn same(interpreter: &Interpreter<'_>, a: &Configuration, b: &Configuration) -> bool {
    let model = interpreter.model();
    a.turn == b.turn && model.arranged(&a.state) == model.arranged(&b.state)
}

/// Whether an accepting state is met in a round.
fn is_accepted(interpreter: &Interpreter<'_>, entry: &Configuration, round: &[Stride]) -> bool {
    let met = round.iter().map(|stride| &stride.configuration);
    let mut met = met.chain([entry]);
    met.any(|c| !matches!(c.turn, Turn::Held(_)) && is_accepting(interpreter, &c.state))
}

/// Whether the claim is at an accepting location or, if there is none, some process.
pub(crate) fn is_accepting(interpreter: &Interpreter<'_>, state: &State) -> bool {
    let accepts = |process: &mandala_model::state::ProcessState| {
        let template = interpreter.model().template(process.template);
        template.locations[process.location.index()].accept
    };
    match &state.claim {
        Some(claim) => accepts(claim),
        None => state.processes.iter().any(accepts),
    }
}
