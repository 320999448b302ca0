//! The explicit engine behind the interface of all engines.
//!
//! `inquiry` says what the search loop is asked for a [`Task`], `state_reader` reads a property as an automaton over states, `findings` and `coverage` turn
//! what the loop has found into an [`Outcome`].

mod causes;
mod coverage;
mod findings;
mod inquiry;
mod state_reader;

pub use state_reader::{StateReader, state_reader};

use crate::options::{Concerns, Options, SearchError};
use crate::outcome as raw;
use crate::product::search_product;
use crate::proviso::with_better_proviso;
use crate::search::search_reduced;
use inquiry::Inquiry;
use mandala_encoding::Program;
use mandala_engine::{
    Capabilities, CycleSearch, Decision, Engine, EngineError, Evidence, Expansion, Extent, Firing,
    Limit, Limits, Outcome, PartialOrder, Progress, ProgressObserver, Question,
    ReductionStatistics, SymmetrySupport, SymmetryUse, Task, Wish,
};
use mandala_model::ids::EdgeId;
use mandala_model::step::Violation;
use mandala_prepare::{Prepared, ProofKind};
use mandala_reduce::{Described, Description, Identity, Reducers, Settings, Strategy};
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{Certificate, Choices};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The engine that stores one state at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplicitEngine;

impl Engine for ExplicitEngine {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn help(&self) -> &'static str {
        "one stored state at a time, on all cores"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            symmetry: SymmetrySupport::Representatives,
            workers: true,
            lossy_stores: true,
            native_code: true,
            causes: true,
            checkpoints: true,
            partial_order: true,
            cycles: true,
            shortest_cycles: true,
            depth_first_depth: true,
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
        let found = search(task, observer)?;
        Ok(shorter(task, found, observer))
    }
}

/// A counterexample that was met depth first is often much longer than it need be. If there are few states, their graph has a shorter
/// one. How many are few depends on the search and never on the clock, so that the same command shows the same counterexample.
fn shorter(task: &Task<'_>, mut found: Outcome, observer: &mut dyn ProgressObserver) -> Outcome {
    let is_long = |found: &Evidence| {
        found.violation == Violation::Cycle && found.path.len() + found.cycle.len() > READABLE
    };
    if !found.depth_first || !found.evidence.as_ref().is_some_and(is_long) {
        return found;
    }
    let few = (found.statistics.states.saturating_mul(4)).clamp(FEW, MANY);
    let again = Task {
        cycles: CycleSearch::Graph,
        limits: Limits {
            states: Some(task.limits.states.unwrap_or(few).min(few)),
            ..task.limits
        },
        ..task.after(found.statistics.time)
    };
    let other = search(&again, observer).ok();
    let other = other.and_then(|other| other.evidence);
    if let Some(other) = other.filter(|other| other.violation == Violation::Cycle) {
        found.evidence = Some(other);
    }
    found
}

/// A run through so many states can be read as it is.
const READABLE: usize = 30;

/// So many states are visited again in any case.
const FEW: u64 = 10_000;

/// So many states are never visited again.
const MANY: u64 = 50_000;

/// Searches.
fn search(task: &Task<'_>, observer: &mut dyn ProgressObserver) -> Result<Outcome, EngineError> {
    let began = Instant::now();
    if let Some(inquiry) = Inquiry::on_the_way(task)
        && let Some(found) = read_on_the_way(task, &inquiry, observer)?
    {
        return Ok(found);
    }
    let task = &task.after(began.elapsed());
    let inquiry = Inquiry::of(task);
    let found = inquire(task, &inquiry, observer)?;
    let is_finite = |found: &Evidence| found.violation != Violation::Cycle;
    let went_wrong = found.evidence.as_ref().is_some_and(is_finite)
        || found.extent == Extent::Limited(Limit::NoValueOfAutomaton);
    match went_wrong && inquiry.reads_claim && !task.is_about_progress() {
        // Something is wrong with the system, but perhaps in a run that the claim does not follow.
        true => inquire(task, &Inquiry::about_runs_along(task), observer),
        false => Ok(found),
    }
}

/// Lets a claim read the states on the way. None if that does not tell.
fn read_on_the_way(
    task: &Task<'_>,
    inquiry: &Inquiry,
    observer: &mut dyn ProgressObserver,
) -> Result<Option<Outcome>, EngineError> {
    let reducers = reducers(task)?;
    let program = program(task, inquiry, reducers.as_ref())?;
    let cancel = Arc::new(AtomicBool::new(false));
    let options = options(task, inquiry, &cancel);
    let mut report = reporter(observer, &cancel);
    let found = match &reducers {
        None => search_product(&program, &options, Identity, &mut report)
            .map(|(outcome, _)| (outcome, None)),
        Some(reducers) => {
            let reducer = reducers.make();
            search_product(&program, &options, reducer, &mut report)
                .map(|(outcome, used)| (outcome, Some(used.description())))
        }
    };
    let found = found.map(|(outcome, description)| {
        let reduction = description.map(|told| reduction_use(task, &outcome, &told));
        Ok(Outcome {
            reduction,
            depth_first: true,
            endless: endless_if_known(task, &outcome),
            ..findings::result(task, &program, inquiry, outcome)?
        })
    });
    found.transpose()
}

/// Tells who watches how far a search is, and cancels it if they wish.
fn reporter(
    observer: &mut dyn ProgressObserver,
    cancel: &Arc<AtomicBool>,
) -> impl FnMut(&raw::Progress) {
    let cancel = Arc::clone(cancel);
    move |progress| {
        if observer.update(&told(progress)) == Wish::Stop {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// Searches, and asks.
fn inquire(
    task: &Task<'_>,
    inquiry: &Inquiry,
    observer: &mut dyn ProgressObserver,
) -> Result<Outcome, EngineError> {
    let reducers = reducers(task)?;
    let program = program(task, inquiry, reducers.as_ref())?;
    let (outcome, description) = explore(task, inquiry, (&program, reducers), observer)?;
    let reduction = description.map(|told| reduction_use(task, &outcome, &told));
    Ok(Outcome {
        reduction,
        endless: endless_if_known(task, &outcome),
        ..findings::result(task, &program, inquiry, outcome)?
    })
}

/// Whether a step that can go on for ever was met. What was left out, or looked at before a checkpoint, has not been.
fn endless_if_known(task: &Task<'_>, outcome: &raw::ExplicitOutcome) -> Option<bool> {
    let met_all = task.partial_order == PartialOrder::Off && task.machine.checkpoints.is_none();
    met_all.then_some(outcome.has_atomic_cycle)
}

/// Lets the engine search, and says how symmetry was used.
fn explore(
    task: &Task<'_>,
    inquiry: &Inquiry,
    (program, reducers): (&Program, Option<Reducers<'_>>),
    observer: &mut dyn ProgressObserver,
) -> Result<(raw::ExplicitOutcome, Option<Description>), EngineError> {
    let cancel = Arc::new(AtomicBool::new(false));
    let options = options(task, inquiry, &cancel);
    let mut report = reporter(observer, &cancel);
    match reducers {
        None => {
            let outcome = crate::search(program, &options, &mut report);
            Ok((outcome.map_err(refused)?, None))
        }
        Some(reducers) => {
            let make = &mut || reducers.make();
            let found = search_reduced(program, &options, make, &mut report);
            let (outcome, used) = found.map_err(refused)?;
            Ok((outcome, Some(described(&used))))
        }
    }
}

/// How the search for a step that never comes to an end has ended, unless there is none. The task is that of safety.
pub fn endless_atomic(
    task: &Task<'_>,
    observer: &mut dyn ProgressObserver,
) -> Result<Option<Extent>, EngineError> {
    let inquiry = Inquiry::of(task);
    let reducers = reducers(task)?;
    let program = program(task, &inquiry, reducers.as_ref())?;
    if !program.may_have_atomic_cycle() {
        return Ok(None);
    }
    let (outcome, _) = explore(task, &inquiry, (&program, reducers), observer)?;
    Ok(match outcome.extent {
        _ if outcome.has_atomic_cycle => Some(Extent::Limited(Limit::EndlessAtomic)),
        Extent::Complete | Extent::FirstViolation => None,
        limited => Some(limited),
    })
}

/// What is searched, compiled.
fn program(
    task: &Task<'_>,
    inquiry: &Inquiry,
    reducers: Option<&Reducers<'_>>,
) -> Result<Program, EngineError> {
    let program = reduced_program(task, inquiry)?;
    let once = reducers.filter(|reducers| fires_once(task, inquiry, reducers));
    let sorts = task.certificate().and_then(Certificate::choices);
    Ok(match once.zip(sorts) {
        Some((reducers, sorts)) => {
            let roles = reducers.roles(&program, |edge, number| {
                sort_of_parameter(task.prepared, sorts, edge, number)
            });
            program.firing_once(roles)
        }
        None => program,
    })
}

/// Whether moves that lead to the same representative are made once. A claim that runs along moves before the system does.
fn fires_once(task: &Task<'_>, inquiry: &Inquiry, reducers: &Reducers<'_>) -> bool {
    let wished = match task.symmetry {
        SymmetryUse::Use { firing, .. } => *firing == Firing::Once,
        SymmetryUse::Off
        | SymmetryUse::OnSets(_)
        | SymmetryUse::Partial(_)
        | SymmetryUse::Counters => false,
    };
    wished && reducers.fires_once() && inquiry.observers.claim.is_none()
}

/// What the values of a parameter of what is searched mean: what those of the user's model do, if the certificate was derived from that.
fn sort_of_parameter(prepared: &Prepared, sorts: &Choices, edge: EdgeId, number: usize) -> Sort {
    let origin = match prepared.proof {
        ProofKind::ByTypes => prepared.rewrites.origins.of(edge),
        ProofKind::OfCertified => None,
    };
    let sorts = origin.and_then(|origin| sorts.get(&origin.edge));
    let sort = sorts.and_then(|sorts| sorts.get(number));
    sort.copied().unwrap_or(Sort::Plain)
}

/// The same, whichever moves are made.
fn reduced_program(task: &Task<'_>, inquiry: &Inquiry) -> Result<Program, EngineError> {
    let model = task.model();
    let program = task.prepared.searched.program(inquiry.observers);
    let program = program.and_then(|program| program.asking(model, &inquiry.conditions));
    let program = program.map_err(|error| EngineError::Unsupported(error.to_string()))?;
    let program = match task.question.decision {
        Decision::Cycles => program.keeping_stutter(),
        Decision::Full | Decision::Branching | Decision::Value => program,
    };
    let program = match (task.partial_order, inquiry.asks_for_run) {
        (PartialOrder::Off, _) => Ok(program),
        (PartialOrder::StubbornSets, false) => program
            .leaving_out_steps(model)
            .map(|program| with_better_proviso(program, task.limits)),
        (PartialOrder::StubbornSets, true) if inquiry.reads_claim => {
            program.leaving_out_unseen_steps(model, &inquiry.conditions)
        }
        // It runs along because something is wrong with the system: how far it follows depends on every step.
        (PartialOrder::StubbornSets, true) => Ok(program),
    };
    program.map_err(|obstacle| {
        EngineError::Unsupported(format!("no step can be left out, because of {obstacle}"))
    })
}

fn refused(error: SearchError) -> EngineError {
    EngineError::Search(error.to_string())
}

/// What the reducers of all workers reduce.
fn described(reducers: &[Box<dyn Described + '_>]) -> Description {
    let mut descriptions = reducers.iter().map(|reducer| reducer.description());
    let mut all = descriptions.next().unwrap_or_default();
    descriptions.for_each(|description| all.merge(description));
    all
}

/// Makes those who say which state is remembered in the stead of another, if there is any symmetry to use.
fn reducers<'a>(task: &Task<'a>) -> Result<Option<Reducers<'a>>, EngineError> {
    let Some(certificate) = task.certificate() else {
        return Ok(None);
    };
    let (strategy, main_array) = match task.symmetry {
        SymmetryUse::Use {
            strategy,
            main_array,
            ..
        } => (*strategy, main_array.clone()),
        // What has no order by the language is left, and nobody has asked for a way to deal with that.
        SymmetryUse::Off
        | SymmetryUse::OnSets(_)
        | SymmetryUse::Partial(_)
        | SymmetryUse::Counters => (Strategy::Auto, None),
    };
    let memory = task.limits.memory;
    let memory = memory.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let settings = Settings {
        main_array,
        memory: memory.unwrap_or(usize::MAX),
        ..Settings::default()
    };
    Reducers::new(task.model(), certificate, strategy, &settings)
        .map(Some)
        .map_err(|error| EngineError::Strategy(error.to_string()))
}

/// What the reduction took.
fn reduction_use(
    task: &Task<'_>,
    outcome: &raw::ExplicitOutcome,
    told: &Description,
) -> ReductionStatistics {
    let mut arrays: Vec<String> = told
        .domains
        .iter()
        .filter_map(|d| d.main_array.clone())
        .collect();
    arrays.dedup();
    ReductionStatistics {
        images: task
            .symmetry
            .keeps_all_images()
            .then_some(told.kept_states as u64),
        main_array: (!arrays.is_empty()).then(|| arrays.join(", ")),
        left_out: told.left_out.clone(),
        ..outcome.reduction.clone()
    }
}

fn options(task: &Task<'_>, inquiry: &Inquiry, cancel: &Arc<AtomicBool>) -> Options {
    Options {
        order: task.order,
        cycles: inquiry.cycles,
        on_violation: task.after_violation,
        bugs: task.bugs,
        causes: causes::causes(task, inquiry.observers),
        concerns: concerns(task.question),
        limits: task.limits,
        gauge: Some(crate::resident_bytes),
        cancel: Some(Arc::clone(cancel)),
        expand: match task.symmetry {
            SymmetryUse::Use { expand, .. } => *expand,
            SymmetryUse::Off
            | SymmetryUse::OnSets(_)
            | SymmetryUse::Partial(_)
            | SymmetryUse::Counters => Expansion::Representatives,
        },
        workers: task.machine.workers,
        store: task.machine.store,
        interpret: task.machine.interpret,
        checkpoints: task.machine.checkpoints.clone(),
        questions: inquiry.questions.clone(),
        propositions: inquiry.propositions.clone(),
        statements: task.prepared.statements.clone(),
        ..Options::default()
    }
}

fn concerns(check: &Question) -> Concerns {
    let check = check.clone();
    Concerns::new(move |violation| check.concerns(violation))
}

fn told(progress: &raw::Progress) -> Progress {
    Progress {
        states: progress.states,
        transitions: progress.transitions,
        depth: progress.depth.into(),
        frontier: progress.waiting,
        bytes: progress.bytes,
        total: progress.estimate.and_then(|e| Some((e.least, e.most?))),
    }
}
