//! The symbolic engine, called in its own words.
//!
//! What it finds is a run to a state where something is wrong. What exactly is wrong there the interpreter says.

use super::{
    Branching, Ending, Found, Possibility, Reached, ReductionUse, SearchResult, SearchStats, Shown,
    Task,
};
use crate::options::{AfterViolation, SearchOrder};
use crate::plan::Decision;
use crate::run::CheckError;
use crate::symmetry::SymmetryWish;
use crate::watch::{Progress, Watch, Wish};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::source::Span;
use mandala_model::step::{Observers, Turn, Violation};
use mandala_report::document::DiagramStats;
use mandala_symbolic::{
    Evidence, Extent, Formula, Limit, OnViolation, Options, Order, Outcome, Reduction, Unsupported,
};
use std::mem::discriminant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Memory for diagrams if nobody says.
const USUAL_MEMORY: u64 = 1 << 28;

/// Searches.
pub fn search(task: &Task<'_>, watch: &mut dyn Watch) -> Result<SearchResult, CheckError> {
    let started = Instant::now();
    let cancel = Arc::new(AtomicBool::new(false));
    let check = task.check;
    let concerns = |violation: &Violation| check.concerns(violation);
    let options = Options {
        order: match task.order {
            SearchOrder::BreadthFirst => Order::Levels,
            SearchOrder::DepthFirst => Order::Chaining,
        },
        on_violation: match task.after_violation {
            AfterViolation::Stop => OnViolation::Stop,
            AfterViolation::GoOn => OnViolation::Continue,
        },
        concerns: &concerns,
        states: task.limits.states,
        depth: task.limits.depth,
        time: task.limits.time,
        memory: task.limits.memory.unwrap_or(USUAL_MEMORY),
        goals: task.goals.clone(),
        formula: formula(task),
        reduction: reduction(task),
        cancel: Arc::clone(&cancel),
    };
    let outcome = on_a_large_stack(task, &options, &cancel, watch)?;
    result(task, outcome, started.elapsed())
}

/// The formula of branching time that is asked about, if one is.
fn formula<'a>(task: &Task<'a>) -> Option<Formula<'a>> {
    let is_asked = task.check.decision == Decision::Branching;
    is_asked.then(|| {
        let (formula, conditions) = task.branching_formula();
        Formula {
            formula,
            conditions,
        }
    })
}

/// What runs along with the system.
fn observers(task: &Task<'_>) -> Observers {
    task.model.running(task.check.observers)
}

/// How symmetry is used, if it is wished for and there is any.
fn reduction<'a>(task: &Task<'a>) -> Option<Reduction<'a>> {
    match (task.wish, &task.symmetry.certificate) {
        (SymmetryWish::OnSets(manner), Some(certificate)) => Some(Reduction {
            certificate,
            manner: *manner,
        }),
        _ => None,
    }
}

/// Lets a thread of its own search, which has the stack that diagrams take; meanwhile this one watches.
fn on_a_large_stack(
    task: &Task<'_>,
    options: &Options<'_>,
    cancel: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<Outcome, CheckError> {
    let (model, observers) = (task.model, observers(task));
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let work = move || {
            let mut tell = |progress: &mandala_symbolic::Progress| {
                // Nobody may be listening any more.
                let _ = sender.send(*progress);
            };
            mandala_symbolic::search(model, observers, options, &mut tell)
        };
        let builder = std::thread::Builder::new().stack_size(mandala_symbolic::stack_size());
        let thread = builder
            .spawn_scoped(scope, work)
            .map_err(|error| CheckError::Search(format!("no thread for the search: {error}")))?;
        for progress in receiver {
            if watch.update(&told(progress)) == Wish::Stop {
                cancel.store(true, Ordering::Relaxed);
            }
        }
        match thread.join() {
            Ok(outcome) => outcome.map_err(refused),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn refused(unsupported: Unsupported) -> CheckError {
    CheckError::NotTaken {
        what: unsupported.to_string(),
        span: unsupported.span,
    }
}

fn told(progress: mandala_symbolic::Progress) -> Progress {
    Progress {
        depth: progress.rounds,
        frontier: progress.nodes,
        ..Progress::default()
    }
}

fn result(task: &Task<'_>, outcome: Outcome, time: Duration) -> Result<SearchResult, CheckError> {
    let evidence = outcome.evidence.clone();
    let evidence = evidence.map(|evidence| found(task, evidence)).transpose()?;
    let possible = outcome.possible.iter().map(|(property, known)| {
        let known = match known {
            mandala_symbolic::Possibility::Stays => Possibility::Stays,
            mandala_symbolic::Possibility::Lost(path) => Possibility::Lost(path.clone()),
        };
        (*property, known)
    });
    Ok(SearchResult {
        evidence,
        violations: whole(outcome.violations),
        ending: ending(outcome.extent, task),
        reached: reached(task, &outcome),
        reduction: reduction(task).map(|_| reduction_use(&outcome)),
        omissions: None,
        estimate: None,
        unfinished: matches!(outcome.extent, Extent::Limited(_)),
        no_checkpoint: None,
        possible: possible.collect(),
        branching: outcome.branching.clone().map(branching),
        deepest_first: false,
        endless: None,
        stats: stats(task, &outcome, time),
    })
}

/// That symmetry was used, and whether everywhere. What it took is not told: representatives are looked for in whole sets.
fn reduction_use(outcome: &Outcome) -> ReductionUse {
    let left_out = (!outcome.all_exchanged).then(|| {
        let what = "processes that are made while others run";
        (what.into(), "not all of them are there yet".into())
    });
    ReductionUse {
        left_out: left_out.into_iter().collect(),
        ..ReductionUse::default()
    }
}

/// What is known of a formula, in the words of all engines.
fn branching(known: mandala_symbolic::Branching) -> Branching {
    match known {
        mandala_symbolic::Branching::Holds(run) => Branching::Holds(run.map(shown)),
        mandala_symbolic::Branching::Fails(run) => Branching::Fails(shown(run)),
        mandala_symbolic::Branching::NoValue => Branching::Unknown(super::NO_VALUE.into()),
    }
}

fn shown(run: mandala_symbolic::Shown) -> Shown {
    Shown {
        path: run.path,
        cycle: run.cycle,
    }
}

/// A number as reports have it. What is larger than all of them is the largest of them.
fn whole(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn stats(task: &Task<'_>, outcome: &Outcome, time: Duration) -> SearchStats {
    // All engines count the way into the first state, if there is one state to start in.
    let first = u128::from(!task.model.start_held);
    let bytes = mandala_explicit::resident_bytes().unwrap_or(0) as u64;
    let states = whole(outcome.states);
    let transitions = outcome.transitions.saturating_add(first);
    SearchStats {
        states,
        transitions: whole(transitions),
        expanded: states,
        depth: outcome.rounds,
        time,
        workers: 1,
        peak_bytes: bytes,
        bytes_per_state: bytes as f64 / (states.max(1) as f64),
        diagrams: Some(DiagramStats {
            states: outcome.states,
            transitions,
            bits: outcome.bits,
            nodes: outcome.nodes.1,
        }),
        ..SearchStats::default()
    }
}

fn reached(task: &Task<'_>, outcome: &Outcome) -> Reached {
    let edges = outcome.edges.iter();
    let edges = edges.map(|counts| counts.iter().map(|&count| whole(count)).collect());
    let mut reached = Reached {
        locations: outcome.locations.clone(),
        edges: Some(edges.collect()),
        ..Reached::nothing(task.model)
    };
    for &edge in &outcome.observed {
        reached.observe(task.model, edge);
    }
    reached
}

fn ending(extent: Extent, task: &Task<'_>) -> Ending {
    let limits = task.stated;
    let text = match extent {
        Extent::Complete => return Ending::Complete,
        Extent::FirstViolation => return Ending::Violation,
        Extent::Limited(Limit::Cancelled) => return Ending::Interrupted,
        Extent::Limited(Limit::States) => limits.states.map(super::limit_of_states),
        Extent::Limited(Limit::Depth) => limits.depth.map(super::limit_of_depth),
        Extent::Limited(Limit::Time) => limits.time.map(super::limit_of_time),
        Extent::Limited(Limit::Memory) => limits.memory.map(super::limit_of_memory),
    };
    Ending::Limit(text.unwrap_or_else(|| "there is no room for more diagrams".into()))
}

/// The violation at the end of a run, as the interpreter tells it.
fn found(task: &Task<'_>, evidence: Evidence) -> Result<Found, CheckError> {
    let mut here = violations_at_end(task, &evidence);
    here.retain(|violation| task.check.concerns(violation));
    let same = here.iter().position(|v| is_alike(v, &evidence.violation));
    match here.get(same.unwrap_or(0)) {
        Some(violation) => Ok(Found {
            path: evidence.path,
            cycle: Vec::new(),
            violation: violation.clone(),
        }),
        None => Err(CheckError::Defect(
            "the symbolic engine has found a violation that the interpreter does not see".into(),
        )),
    }
}

/// All that is wrong with the last state of a run, or on the way from it to the next ones.
fn violations_at_end(task: &Task<'_>, evidence: &Evidence) -> Vec<Violation> {
    let interpreter = Interpreter::new(task.model, observers(task));
    let last = match (evidence.path.last(), interpreter.start()) {
        (Some(state), _) => Configuration {
            state: state.clone(),
            turn: Turn::Free,
        },
        (None, Ok(start)) => start,
        (None, Err(fault)) => return vec![Violation::Fault(fault)],
    };
    let mut all = interpreter.verdicts_here(&last);
    let steps = interpreter.macro_steps(&last).into_iter();
    all.extend(
        steps
            .flat_map(|chain| chain.steps)
            .flat_map(|step| step.violations),
    );
    all
}

/// Whether two violations are of one kind and at one place.
fn is_alike(a: &Violation, b: &Violation) -> bool {
    discriminant(a) == discriminant(b) && place(a) == place(b)
}

fn place(violation: &Violation) -> Option<Span> {
    match violation {
        Violation::Assertion { span } | Violation::Failed { span } => Some(*span),
        Violation::Fault(fault) => Some(fault.span),
        _ => None,
    }
}
