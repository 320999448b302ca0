//! The findings of the search loop in the words of all engines: renamings undone, answers attributed.

use super::coverage;
use super::inquiry::Inquiry;
use crate::options::Cycles;
use crate::outcome::{self as raw, Answer, Visit};
use mandala_encoding::Program;
use mandala_engine::{
    Branching, Decision, EngineError, Evidence, Extent, Limit, Outcome, Possibility, Task, Witness,
};
use mandala_model::State;
use mandala_model::step::Violation;
use mandala_symmetry::Action;

/// The outcome of a search, but for what its reduction took.
pub(super) fn result(
    task: &Task<'_>,
    program: &Program,
    inquiry: &Inquiry,
    mut outcome: raw::ExplicitOutcome,
) -> Result<Outcome, EngineError> {
    let early = take_run(inquiry, &mut outcome);
    let branching = branching(task, &mut outcome)?;
    let evidence = outcome.evidence.map(|evidence| found(task, evidence));
    let evidence = evidence.transpose()?;
    let further = outcome.further.into_iter();
    let further = further.map(|evidence| found(task, evidence));
    let further = further.collect::<Result<_, EngineError>>()?;
    let goals = task.goals.iter().zip(outcome.answers);
    let possible = goals.map(|(goal, found)| Ok((goal.property, possibility(task, found)?)));
    let possible = possible.collect::<Result<_, EngineError>>()?;
    Ok(Outcome {
        possible,
        branching,
        value: None,
        extent: early.unwrap_or(outcome.extent),
        reached: coverage::reached(task.model(), program, &outcome.reached),
        evidence,
        further,
        reduction: None,
        endless: None,
        depth_first: inquiry.cycles == Cycles::Nested,
        omissions: outcome.omissions,
        estimate: outcome.estimate.map(|e| (e.least, e.most)),
        is_written_down: outcome.is_written_down,
        no_checkpoint: outcome.checkpoint_error.map(|error| error.to_string()),
        violations: outcome.violations,
        statistics: outcome.statistics,
        levels: outcome.levels,
    })
}

/// A violation with the states of a run to it.
fn found(task: &Task<'_>, evidence: raw::Evidence) -> Result<Evidence, EngineError> {
    let (path, cycle) = lifted_round(task, evidence.path, evidence.cycle)?;
    Ok(Evidence {
        path,
        cycle,
        violation: evidence.violation,
    })
}

/// Takes what is known about a formula of branching time out of the answers.
fn branching(
    task: &Task<'_>,
    outcome: &mut raw::ExplicitOutcome,
) -> Result<Option<Branching>, EngineError> {
    if task.question.decision != Decision::Branching {
        return Ok(None);
    }
    let Some(answer) = outcome.answers.pop() else {
        return Ok(None);
    };
    Ok(Some(match answer {
        Answer::Holds(None) => Branching::Holds(None),
        Answer::Holds(Some(shown)) => Branching::Holds(Some(lifted_shown(task, shown)?)),
        Answer::Fails(shown) => Branching::Fails(lifted_shown(task, shown)?),
        Answer::Unknown(limit) => Branching::Unknown(limit),
        Answer::Fault(_) => Branching::Unknown(Limit::NoValueOfFormula),
    }))
}

fn lifted_shown(task: &Task<'_>, shown: raw::Shown) -> Result<Witness, EngineError> {
    let goes_on = shown.cycle.is_some();
    let instance = shown.instance;
    let (path, cycle) = lifted_round(task, shown.path, shown.cycle.unwrap_or_default())?;
    Ok(Witness {
        path,
        cycle: goes_on.then_some(cycle),
        instance,
    })
}

/// Takes what is known about runs that are forbidden out of the answers, and makes evidence of it. Why nothing is known, if so.
fn take_run(inquiry: &Inquiry, outcome: &mut raw::ExplicitOutcome) -> Option<Extent> {
    let is_answered = match outcome.extent {
        Extent::Complete | Extent::FirstViolation => outcome.violations.is_empty(),
        Extent::Limited(_) => false,
    };
    if !inquiry.asks_for_run || !is_answered {
        return None;
    }
    match outcome.answers.pop() {
        Some(Answer::Holds(_)) => None,
        Some(Answer::Fails(shown)) => {
            outcome.violations.note(Violation::Cycle.attribution(), 1);
            outcome.evidence = Some(raw::Evidence {
                path: shown.path,
                cycle: shown.cycle.unwrap_or_default(),
                violation: Violation::Cycle,
            });
            None
        }
        Some(Answer::Unknown(limit)) => Some(Extent::Limited(limit)),
        Some(Answer::Fault(_)) => Some(Extent::Limited(Limit::NoValueOfAutomaton)),
        None => Some(Extent::Limited(Limit::InfiniteRuns)),
    }
}

/// How often a cycle is gone round at most before the names come back: more than any number of processes takes.
const ROUNDS: usize = 100_000;

/// A path and a cycle as the model goes them. With symmetry the cycle comes back with other names: it is gone round until
/// they have come back, too.
fn lifted_round(
    task: &Task<'_>,
    path: Vec<Visit>,
    cycle: Vec<Visit>,
) -> Result<(Vec<State>, Vec<State>), EngineError> {
    let (entry, round) = (path.len(), cycle.len());
    let mut visits = path;
    visits.extend(cycle.iter().cloned());
    let mut states = lifted(task, visits.clone())?;
    let same = |a: &State, b: &State| task.model().arranged(a) == task.model().arranged(b);
    let closed = |states: &[State]| match (entry.checked_sub(1), states.last()) {
        (Some(entry), Some(last)) => round == 0 || same(&states[entry], last),
        _ => true,
    };
    while !closed(&states) {
        if states.len() > entry + ROUNDS.max(round * 1000) {
            return Err(EngineError::Defect(
                "a cycle of the reduced search does not close in the model".into(),
            ));
        }
        visits.extend(cycle.iter().cloned());
        states = lifted(task, visits.clone())?;
    }
    let cycle = states.split_off(entry);
    Ok((states, cycle))
}

/// The path as the model goes it, every renaming on the way taken back.
fn lifted(task: &Task<'_>, path: Vec<Visit>) -> Result<Vec<State>, EngineError> {
    let visits = path.into_iter();
    let Some(certificate) = task.certificate() else {
        return Ok(visits.map(|visit| visit.state).collect());
    };
    let visits: Vec<_> = visits.map(|visit| (visit.state, visit.witness)).collect();
    let action = Action::new(task.model(), certificate.sorts());
    match mandala_symmetry::lift(&action, &visits) {
        Some(states) => Ok(states),
        None => Err(EngineError::Defect(
            "a counterexample of the reduced search cannot be taken back to the model".into(),
        )),
    }
}

fn possibility(task: &Task<'_>, found: Answer) -> Result<Possibility, EngineError> {
    Ok(match found {
        Answer::Holds(_) => Possibility::Stays,
        // The graph of all states is searched breadth first for it, whatever the order of the search.
        Answer::Fails(shown) => Possibility::Lost {
            path: lifted(task, shown.path)?,
            shortest: true,
            instance: shown.instance,
        },
        Answer::Unknown(limit) => Possibility::Unknown(limit),
        Answer::Fault(_) => Possibility::Unknown(Limit::NoValueOfGoal),
    })
}
