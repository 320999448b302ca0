//! The symbolic engine behind the interface of all engines.
//!
//! What it finds is a run to a state where something is wrong. What exactly is wrong there the interpreter says.

use crate::outcome::{self as raw, Formula, Options, Reduction, Unsupported, whole};
use mandala_engine::{
    Capabilities, Decision, DiagramStatistics, Engine, EngineError, Evidence, Extent, Limit,
    Outcome, Progress, ProgressObserver, Reached, ReductionStatistics, Statistics, SymmetrySupport,
    SymmetryUse, Task, Wish, resident_bytes,
};
use mandala_evidence::Searched;
use mandala_evidence::lift::first_violation;
use mandala_interpreter::Configuration;
use mandala_model::source::Span;
use mandala_model::step::{Turn, Violation};
use mandala_symmetry::{Certificate, Renaming};
use std::mem::discriminant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The engine that handles sets of states as decision diagrams.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymbolicEngine;

impl Engine for SymbolicEngine {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn help(&self) -> &'static str {
        "sets of states as decision diagrams, for what is wide and regular"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            symmetry: SymmetrySupport::Sets,
            workers: false,
            lossy_stores: false,
            native_code: false,
            causes: false,
            checkpoints: false,
            partial_order: false,
            cycles: false,
            shortest_cycles: false,
            depth_first_depth: false,
            memory: true,
            statement_counts: true,
            multiset_elements: false,
            rules: true,
            chance: false,
        }
    }

    fn run(
        &self,
        task: &Task<'_>,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Outcome, EngineError> {
        task.require_no_chance()?;
        search(task, observer)
    }
}

/// Memory for diagrams if nobody says.
const USUAL_MEMORY: u64 = 1 << 28;

/// Searches.
fn search(task: &Task<'_>, observer: &mut dyn ProgressObserver) -> Result<Outcome, EngineError> {
    let started = Instant::now();
    let cancel = Arc::new(AtomicBool::new(false));
    let check = task.question;
    let exchanged = Exchanged::of(task);
    let concerns = |violation: &Violation| check.concerns(violation);
    let options = Options {
        order: task.order,
        on_violation: task.after_violation,
        concerns: &concerns,
        states: task.limits.states,
        depth: task.limits.depth,
        time: task.limits.time,
        memory: task.limits.memory.unwrap_or(USUAL_MEMORY),
        goals: task.goals.clone(),
        formula: formula(task),
        reduction: reduction(task, &exchanged),
        cancel: Arc::clone(&cancel),
    };
    let outcome = on_a_large_stack(task, &options, &cancel, observer)?;
    result((task, &exchanged), outcome, started.elapsed())
}

/// The formula of branching time that is asked about, if one is.
fn formula<'a>(task: &Task<'a>) -> Option<Formula<'a>> {
    let is_asked = task.question.decision == Decision::Branching;
    is_asked.then(|| {
        let (formula, instances) = task.branching_formula();
        Formula { formula, instances }
    })
}

/// How symmetry is used, if it is wished for and there is any.
fn reduction<'a>(task: &Task<'_>, exchanged: &'a Exchanged) -> Option<Reduction<'a>> {
    match (task.symmetry, &exchanged.certificate) {
        (SymmetryUse::OnSets(manner), Some(certificate)) => Some(Reduction {
            certificate,
            manner: *manner,
        }),
        _ => None,
    }
}

/// What may be exchanged on sets.
struct Exchanged {
    certificate: Option<Certificate>,
    /// Whether something else is certified that may not.
    has_less: bool,
}

impl Exchanged {
    /// What is certified and leaves alone what is asked about: where a formula is asked of each of several things, or each of them must stay possible, the states in which that is
    /// so of one of them are no union of orbits.
    fn of(task: &Task<'_>) -> Self {
        let Some(certificate) = task.certificate() else {
            return Exchanged {
                certificate: None,
                has_less: false,
            };
        };
        let goals = task.goals.iter().map(|goal| goal.property);
        let several = goals.chain(task.indexed_formula());
        let several = several.filter_map(|property| task.prepared.instances(property));
        let several: Vec<_> = several.collect();
        let is_kept = |renaming: &Renaming| several.iter().all(|own| own.is_kept_by(renaming));
        let has_less = !certificate.generators().iter().all(is_kept);
        Exchanged {
            certificate: certificate.keeping(is_kept),
            has_less,
        }
    }
}

/// Lets a thread of its own search, which has the stack that diagrams take; meanwhile this one watches.
fn on_a_large_stack(
    task: &Task<'_>,
    options: &Options<'_>,
    cancel: &AtomicBool,
    observer: &mut dyn ProgressObserver,
) -> Result<raw::SymbolicOutcome, EngineError> {
    let (model, observers) = (task.model(), task.question.observers);
    let (prepared, counts) = (task.prepared, *task.symmetry == SymmetryUse::Counters);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let work = move || {
            let mut tell = |progress: &raw::Progress| {
                // Nobody may be listening any more.
                let _ = sender.send(*progress);
            };
            match counts {
                true => crate::counters::search(prepared, observers, options, &mut tell),
                false => crate::search(model, observers, options, &mut tell),
            }
        };
        let builder = std::thread::Builder::new().stack_size(crate::stack_size());
        let thread = builder
            .spawn_scoped(scope, work)
            .map_err(|error| EngineError::Search(format!("no thread for the search: {error}")))?;
        for progress in receiver {
            if observer.update(&told(progress)) == Wish::Stop {
                cancel.store(true, Ordering::Relaxed);
            }
        }
        match thread.join() {
            Ok(outcome) => outcome.map_err(refused),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn refused(unsupported: Unsupported) -> EngineError {
    EngineError::NotTaken {
        what: unsupported.to_string(),
        span: unsupported.span,
    }
}

fn told(progress: raw::Progress) -> Progress {
    Progress {
        depth: progress.rounds,
        frontier: progress.nodes,
        ..Progress::default()
    }
}

fn result(
    (task, exchanged): (&Task<'_>, &Exchanged),
    outcome: raw::SymbolicOutcome,
    time: Duration,
) -> Result<Outcome, EngineError> {
    let evidence = outcome.evidence.clone();
    let evidence = evidence.map(|evidence| found(task, evidence)).transpose()?;
    let further = outcome.further.iter().cloned();
    let further = further.map(|evidence| found(task, evidence));
    let further = further.collect::<Result<_, EngineError>>()?;
    Ok(Outcome {
        evidence,
        further,
        violations: outcome.violations.clone(),
        reduction: reduction_use(task, exchanged, &outcome),
        statistics: statistics(task, &outcome, time),
        possible: outcome.possible.clone(),
        branching: outcome.branching.clone(),
        ..Outcome::nothing(extent(outcome.extent, task), reached(task, &outcome))
    })
}

/// How it ended. If the user has set no limit on memory, there is one for the diagrams.
fn extent(extent: Extent, task: &Task<'_>) -> Extent {
    match extent {
        Extent::Limited(Limit::Memory) if task.limits.memory.is_none() => {
            Extent::Limited(Limit::Diagrams)
        }
        other => other,
    }
}

/// That symmetry was used, and whether everywhere. What it took is not told: representatives are looked for in whole sets.
fn reduction_use(
    task: &Task<'_>,
    exchanged: &Exchanged,
    outcome: &raw::SymbolicOutcome,
) -> Option<ReductionStatistics> {
    if *task.symmetry == SymmetryUse::Counters {
        return Some(ReductionStatistics::default());
    }
    let is_wished = matches!(task.symmetry, SymmetryUse::OnSets(_));
    let is_used = reduction(task, exchanged).is_some();
    if !is_wished || !(is_used || exchanged.has_less) {
        return None;
    }
    let late = (is_used && !outcome.all_exchanged).then(|| {
        let what = "processes that are made while others run";
        (what.into(), "not all of them are there yet".into())
    });
    let asked = exchanged.has_less.then(|| {
        let what = "what a property is asked of each of";
        (
            what.into(),
            "this engine asks it of one after the other".into(),
        )
    });
    Some(ReductionStatistics {
        left_out: late.into_iter().chain(asked).collect(),
        ..ReductionStatistics::default()
    })
}

fn statistics(task: &Task<'_>, outcome: &raw::SymbolicOutcome, time: Duration) -> Statistics {
    // All engines count the way into the first state, if there is one state to start in.
    let first = u128::from(!task.model().start_held);
    let bytes = resident_bytes().unwrap_or(0) as u64;
    let states = whole(outcome.states);
    let transitions = outcome.transitions.saturating_add(first);
    Statistics {
        states,
        transitions: whole(transitions),
        expanded: states,
        depth: outcome.rounds,
        time,
        workers: 1,
        peak_bytes: bytes,
        bytes_per_state: bytes as f64 / (states.max(1) as f64),
        diagrams: Some(DiagramStatistics {
            states: outcome.states,
            transitions,
            bits: outcome.bits,
            nodes: outcome.nodes.1,
        }),
        ..Statistics::default()
    }
}

fn reached(task: &Task<'_>, outcome: &raw::SymbolicOutcome) -> Reached {
    let edges = outcome.edges.iter();
    let edges = edges.map(|counts| counts.iter().map(|&count| whole(count)).collect());
    let mut reached = Reached {
        locations: outcome.locations.clone(),
        edges: Some(edges.collect()),
        ..Reached::nothing(task.model())
    };
    for &(edge, node) in &outcome.executed {
        reached.execute(task.model(), edge, node);
    }
    for &monitor in &outcome.observed {
        reached.observe(task.model(), monitor);
    }
    reached
}

/// The violation at the end of a run, as the interpreter tells it.
fn found(task: &Task<'_>, evidence: raw::SymbolicEvidence) -> Result<Evidence, EngineError> {
    let owner = evidence.violation.attribution();
    let concerns = |violation: &Violation| {
        violation.attribution() == owner && task.question.concerns(violation)
    };
    let is_same = |v: &Violation| concerns(v) && is_alike(v, &evidence.violation);
    let here = violation_at_end(task, &evidence, &is_same);
    match here.or_else(|| violation_at_end(task, &evidence, &concerns)) {
        Some(violation) => Ok(Evidence {
            path: evidence.path,
            cycle: Vec::new(),
            violation,
        }),
        None => Err(EngineError::Defect(
            "the symbolic engine has found a violation that the interpreter does not see".into(),
        )),
    }
}

/// What is wrong with the last state of a run, or on the way from it to the next ones: the first that is wanted.
fn violation_at_end(
    task: &Task<'_>,
    evidence: &raw::SymbolicEvidence,
    wanted: &dyn Fn(&Violation) -> bool,
) -> Option<Violation> {
    let searched = Searched::new(&task.prepared.searched, task.question.observers);
    let last = match (evidence.path.last(), searched.interpreter.start()) {
        (Some(state), _) => Configuration {
            state: state.clone(),
            turn: Turn::Free,
        },
        (None, Ok(start)) => start,
        (None, Err(fault)) => return Some(Violation::Fault(fault)).filter(wanted),
    };
    first_violation(&searched, &last, wanted)
}

/// Whether two violations are of one kind and at one place.
fn is_alike(a: &Violation, b: &Violation) -> bool {
    discriminant(a) == discriminant(b) && place(a) == place(b)
}

fn place(violation: &Violation) -> Option<Span> {
    match violation {
        Violation::Assertion { span } | Violation::Failed { span, .. } => Some(*span),
        Violation::Fault(fault) => Some(fault.span),
        _ => None,
    }
}
