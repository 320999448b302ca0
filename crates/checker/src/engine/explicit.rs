//! The explicit engine, called in its own words.

use super::inquiry::Inquiry;
use super::{
    Branching, Ending, Found, Possibility, Reached, ReductionUse, SearchResult, SearchStats, Shown,
    Task,
};
use crate::options::{AfterViolation, Expansion, SearchOrder};
use crate::plan::{CheckKind, Decision, PartialOrder, PlannedCheck};
use crate::run::CheckError;
use crate::symmetry::SymmetryWish;
use crate::watch::{Progress, Watch, Wish};
use mandala_encoding::{Coverage, Program};
use mandala_explicit::{
    Answer, Checkpoints, Concerns, Cycles, Evidence, Expand, Extent, Identity, Limit, OnViolation,
    Options, Order, Outcome, SearchError, Statistics, StoreKind, Visit,
};
use mandala_interpreter::Interpreter;
use mandala_model::ids::{EdgeId, LocationId, NodeId, TemplateId};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::step::Violation;
use mandala_model::template::{Step, Template};
use mandala_model::{Model, State};
use mandala_reduce::{Described, Description, Reducers, Settings, Strategy};
use mandala_report::document::TimeSplit;
use mandala_report::style::{counted, grouped};
use mandala_symmetry::Action;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How the machine is used for a search. None of it changes the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Means {
    /// How many threads search; as many as there are cores if zero.
    pub workers: usize,
    /// What is remembered of a state.
    pub store: StoreKind,
    /// Whether native code is never used.
    pub interpret: bool,
    /// Where the search writes down how far it is, if it does.
    pub checkpoints: Option<Checkpoints>,
}

/// Why there is no answer, if a condition cannot be evaluated that a claim might never have asked for.
const NO_VALUE_OF_CLAIM: &str = "in some state a condition of the claim has no value";

/// Searches.
pub fn search(
    task: &Task<'_>,
    means: &Means,
    watch: &mut dyn Watch,
) -> Result<SearchResult, CheckError> {
    let began = Instant::now();
    if let Some(inquiry) = Inquiry::on_the_way(task)
        && let Some(found) = read_on_the_way(task, means, &inquiry, watch)?
    {
        return Ok(found);
    }
    let task = &task.after(began.elapsed());
    let inquiry = Inquiry::of(task);
    let found = inquire(task, means, &inquiry, watch)?;
    let is_finite = |found: &Found| found.violation != Violation::Cycle;
    let went_wrong = found.evidence.as_ref().is_some_and(is_finite)
        || found.ending == Ending::Limit(NO_VALUE_OF_CLAIM.into());
    match went_wrong && inquiry.reads_claim && task.check.kind != CheckKind::Progress {
        // Something is wrong with the system, but perhaps in a run that the claim does not follow.
        true => inquire(task, means, &Inquiry::about_runs_along(task), watch),
        false => Ok(found),
    }
}

/// Lets a claim read the states on the way. None if that does not tell.
fn read_on_the_way(
    task: &Task<'_>,
    means: &Means,
    inquiry: &Inquiry,
    watch: &mut dyn Watch,
) -> Result<Option<SearchResult>, CheckError> {
    let program = program(task, inquiry)?;
    let cancel = Arc::new(AtomicBool::new(false));
    let options = options(task, means, inquiry, &cancel);
    let reducers = reducers(task)?;
    let mut observer = observer(watch, &cancel);
    let found = match &reducers {
        None => mandala_explicit::search_reading(&program, &options, Identity, &mut observer)
            .map(|(outcome, _)| (outcome, None)),
        Some(reducers) => {
            let reducer = reducers.make();
            mandala_explicit::search_reading(&program, &options, reducer, &mut observer)
                .map(|(outcome, used)| (outcome, Some(used.description())))
        }
    };
    let found = found.map(|(outcome, description)| {
        let reduction = description.map(|told| reduction_use(task, &outcome, &told));
        Ok(SearchResult {
            reduction,
            deepest_first: true,
            endless: endless_if_known(task, means, &outcome),
            ..result(task, &program, inquiry, outcome)?
        })
    });
    found.transpose()
}

/// Tells who watches how far a search is, and cancels it if they wish.
fn observer(
    watch: &mut dyn Watch,
    cancel: &Arc<AtomicBool>,
) -> impl FnMut(&mandala_explicit::Progress) {
    let cancel = Arc::clone(cancel);
    move |progress| {
        if watch.update(&told(progress)) == Wish::Stop {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// Searches, and asks.
fn inquire(
    task: &Task<'_>,
    means: &Means,
    inquiry: &Inquiry,
    watch: &mut dyn Watch,
) -> Result<SearchResult, CheckError> {
    let program = program(task, inquiry)?;
    let (outcome, description) = explore(task, means, inquiry, &program, watch)?;
    let reduction = description.map(|told| reduction_use(task, &outcome, &told));
    Ok(SearchResult {
        reduction,
        endless: endless_if_known(task, means, &outcome),
        ..result(task, &program, inquiry, outcome)?
    })
}

/// Whether a step that can go on for ever was met. What was left out, or looked at before a checkpoint, has not been.
fn endless_if_known(task: &Task<'_>, means: &Means, outcome: &Outcome) -> Option<bool> {
    let met_all = task.partial_order == PartialOrder::Off && means.checkpoints.is_none();
    met_all.then_some(outcome.goes_round)
}

/// Lets the engine search, and says how symmetry was used.
fn explore(
    task: &Task<'_>,
    means: &Means,
    inquiry: &Inquiry,
    program: &Program,
    watch: &mut dyn Watch,
) -> Result<(Outcome, Option<Description>), CheckError> {
    let cancel = Arc::new(AtomicBool::new(false));
    let options = options(task, means, inquiry, &cancel);
    let mut observer = observer(watch, &cancel);
    match reducers(task)? {
        None => {
            let outcome = mandala_explicit::search(program, &options, &mut observer);
            Ok((outcome.map_err(refused)?, None))
        }
        Some(reducers) => {
            let make = &mut || reducers.make();
            let found = mandala_explicit::search_reduced(program, &options, make, &mut observer);
            let (outcome, used) = found.map_err(refused)?;
            Ok((outcome, Some(described(&used))))
        }
    }
}

/// How the search for a step that never comes to an end has ended, unless there is none. The task is that of safety.
pub fn endless(
    task: &Task<'_>,
    means: &Means,
    watch: &mut dyn Watch,
) -> Result<Option<Ending>, CheckError> {
    let inquiry = Inquiry::of(task);
    let program = program(task, &inquiry)?;
    if !program.may_go_round() {
        return Ok(None);
    }
    let (outcome, _) = explore(task, means, &inquiry, &program, watch)?;
    Ok(match ending(outcome.extent, task) {
        _ if outcome.goes_round => Some(Ending::Limit(super::ENDLESS.into())),
        Ending::Complete | Ending::Violation => None,
        unfinished => Some(unfinished),
    })
}

/// What is searched, compiled.
fn program(task: &Task<'_>, inquiry: &Inquiry) -> Result<Program, CheckError> {
    let program = Program::compile_with(task.model, inquiry.observers, &inquiry.conditions)
        .map_err(|error| CheckError::Unsupported(error.to_string()))?;
    let program = match task.check.decision {
        Decision::Cycles => program.keeping_stutter(),
        Decision::Full | Decision::Branching => program,
    };
    let program = match (task.partial_order, inquiry.asks_for_run) {
        (PartialOrder::Off, _) => Ok(program),
        (PartialOrder::StubbornSets, false) => program.leaving_out_steps(task.model),
        (PartialOrder::StubbornSets, true) if inquiry.reads_claim => {
            program.leaving_out_unseen_steps(task.model, &inquiry.conditions)
        }
        // It runs along because something is wrong with the system: how far it follows depends on every step.
        (PartialOrder::StubbornSets, true) => Ok(program),
    };
    program.map_err(|obstacle| {
        CheckError::Unsupported(format!("no step can be left out, because of {obstacle}"))
    })
}

fn refused(error: SearchError) -> CheckError {
    CheckError::Search(error.to_string())
}

/// What the reducers of all workers reduce.
fn described(reducers: &[Box<dyn Described + '_>]) -> Description {
    let mut descriptions = reducers.iter().map(|reducer| reducer.description());
    let mut all = descriptions.next().unwrap_or_default();
    descriptions.for_each(|description| all.merge(description));
    all
}

/// Makes those who say which state is remembered in the stead of another, if there is any symmetry to use.
fn reducers<'a>(task: &Task<'a>) -> Result<Option<Reducers<'a>>, CheckError> {
    let Some(certificate) = &task.symmetry.certificate else {
        return Ok(None);
    };
    let (strategy, main_array) = match task.wish {
        SymmetryWish::Use {
            strategy,
            main_array,
            ..
        } => (*strategy, main_array.clone()),
        // What has no order by the language is left, and nobody has asked for a way to deal with that.
        SymmetryWish::Off | SymmetryWish::OnSets(_) => (Strategy::Auto, None),
    };
    let memory = task.limits.memory;
    let memory = memory.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let settings = Settings {
        main_array,
        memory: memory.unwrap_or(usize::MAX),
        ..Settings::default()
    };
    Reducers::new(task.model, certificate, strategy, &settings)
        .map(Some)
        .map_err(|error| CheckError::Strategy(error.to_string()))
}

/// What the reduction took.
fn reduction_use(task: &Task<'_>, outcome: &Outcome, told: &Description) -> ReductionUse {
    let numbers = outcome.statistics.reduction;
    let mut arrays: Vec<String> = told
        .domains
        .iter()
        .filter_map(|d| d.main_array.clone())
        .collect();
    arrays.dedup();
    ReductionUse {
        states: numbers.states,
        not_canonical: numbers.not_canonical,
        time: Duration::try_from_secs_f64(numbers.seconds).unwrap_or_default(),
        images: task
            .wish
            .keeps_all_images()
            .then_some(told.kept_states as u64),
        main_array: (!arrays.is_empty()).then(|| arrays.join(", ")),
        left_out: told.left_out.clone(),
    }
}

fn options(task: &Task<'_>, means: &Means, inquiry: &Inquiry, cancel: &Arc<AtomicBool>) -> Options {
    let limits = task.limits;
    Options {
        order: match task.order {
            SearchOrder::BreadthFirst => Order::BreadthFirst,
            SearchOrder::DepthFirst => Order::DepthFirst,
        },
        cycles: inquiry.cycles,
        on_violation: match task.after_violation {
            AfterViolation::Stop => OnViolation::Stop,
            AfterViolation::GoOn => OnViolation::Continue,
        },
        concerns: concerns(task.check),
        limits: mandala_explicit::Limits {
            states: limits
                .states
                .map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
            depth: limits.depth.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
            time: limits.time,
            memory: limits
                .memory
                .map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
        },
        gauge: Some(mandala_explicit::resident_bytes),
        cancel: Some(Arc::clone(cancel)),
        expand: match task.wish {
            SymmetryWish::Use {
                expand: Expansion::Originals,
                ..
            } => Expand::Originals,
            SymmetryWish::Use { .. } | SymmetryWish::OnSets(_) | SymmetryWish::Off => {
                Expand::Representatives
            }
        },
        workers: means.workers,
        store: means.store,
        interpret: means.interpret,
        checkpoints: means.checkpoints.clone(),
        questions: inquiry.questions.clone(),
        propositions: inquiry.propositions.clone(),
        statements: task.symmetry.statements.clone(),
        ..Options::default()
    }
}

fn concerns(check: &PlannedCheck) -> Concerns {
    let check = check.clone();
    Concerns::new(move |violation| check.concerns(violation))
}

fn told(progress: &mandala_explicit::Progress) -> Progress {
    Progress {
        states: progress.states,
        transitions: progress.transitions,
        depth: progress.depth.into(),
        frontier: progress.waiting,
        bytes: progress.bytes,
        total: progress.estimate.and_then(|e| Some((e.least, e.most?))),
    }
}

fn result(
    task: &Task<'_>,
    program: &Program,
    inquiry: &Inquiry,
    mut outcome: Outcome,
) -> Result<SearchResult, CheckError> {
    let found = take_run(task, inquiry, &mut outcome);
    let branching = branching(task, &mut outcome)?;
    let evidence = outcome.evidence.map(|evidence| {
        let (path, cycle) = lifted_round(task, evidence.path, evidence.cycle)?;
        Ok(Found {
            path,
            cycle,
            violation: evidence.violation,
        })
    });
    let evidence = evidence.transpose()?;
    let goals = task.goals.iter().zip(outcome.answers);
    let possible = goals.map(|((id, _), found)| Ok((*id, possibility(task, found)?)));
    let possible = possible.collect::<Result<_, CheckError>>()?;
    Ok(SearchResult {
        possible,
        branching,
        ending: found.unwrap_or_else(|| ending(outcome.extent, task)),
        reached: reached(task.model, program, &outcome.reached),
        evidence,
        reduction: None,
        endless: None,
        deepest_first: inquiry.cycles == Cycles::Nested,
        omissions: outcome.statistics.omissions,
        estimate: outcome.estimate.map(|e| (e.least, e.most)),
        unfinished: is_unfinished(outcome.extent),
        no_checkpoint: outcome.checkpoint_error.map(|error| error.to_string()),
        violations: outcome.violations,
        stats: stats(&outcome.statistics),
    })
}

/// Takes what is known about a formula of branching time out of the answers.
fn branching(task: &Task<'_>, outcome: &mut Outcome) -> Result<Option<Branching>, CheckError> {
    if task.check.decision != Decision::Branching {
        return Ok(None);
    }
    let Some(answer) = outcome.answers.pop() else {
        return Ok(None);
    };
    Ok(Some(match answer {
        Answer::Holds(None) => Branching::Holds(None),
        Answer::Holds(Some(shown)) => Branching::Holds(Some(lifted_shown(task, shown)?)),
        Answer::Fails(shown) => Branching::Fails(lifted_shown(task, shown)?),
        Answer::Unknown(limit) => Branching::Unknown(limit_text(limit, task)),
        Answer::Fault(_) => Branching::Unknown(super::NO_VALUE.into()),
    }))
}

fn lifted_shown(task: &Task<'_>, shown: mandala_explicit::Shown) -> Result<Shown, CheckError> {
    let goes_on = shown.cycle.is_some();
    let (path, cycle) = lifted_round(task, shown.path, shown.cycle.unwrap_or_default())?;
    Ok(Shown {
        path,
        cycle: goes_on.then_some(cycle),
    })
}

/// Takes what is known about runs that are forbidden out of the answers, and makes evidence of it. Why nothing is known, if so.
fn take_run(task: &Task<'_>, inquiry: &Inquiry, outcome: &mut Outcome) -> Option<Ending> {
    let is_answered = match outcome.extent {
        Extent::Complete | Extent::FirstViolation => outcome.violations == 0,
        Extent::Limited(_) => false,
    };
    if !inquiry.asks_for_run || !is_answered {
        return None;
    }
    match outcome.answers.pop() {
        Some(Answer::Holds(_)) => None,
        Some(Answer::Fails(shown)) => {
            outcome.violations += 1;
            outcome.evidence = Some(Evidence {
                path: shown.path,
                cycle: shown.cycle.unwrap_or_default(),
                violation: Violation::Cycle,
            });
            None
        }
        Some(Answer::Unknown(limit)) => Some(Ending::Limit(limit_text(limit, task))),
        Some(Answer::Fault(_)) => Some(Ending::Limit(NO_VALUE_OF_CLAIM.into())),
        None => Some(Ending::Limit(
            "infinite runs are not looked at with these options".into(),
        )),
    }
}

fn stats(numbers: &Statistics) -> SearchStats {
    SearchStats {
        states: numbers.states,
        transitions: numbers.transitions,
        expanded: numbers.expanded,
        expanded_natively: numbers.expanded_natively,
        expanded_partly: numbers.expanded_partly,
        left_out: numbers.left_out,
        depth: numbers.depth.into(),
        time: Duration::from_secs_f64(numbers.seconds),
        workers: u32::try_from(numbers.workers).unwrap_or(u32::MAX),
        split: Some(TimeSplit {
            expand: numbers.split.expand,
            canonicalise: numbers.split.canonicalise,
            store: numbers.split.store,
        }),
        peak_bytes: numbers.peak_bytes,
        bytes_per_state: numbers.bytes_per_state,
        diagrams: None,
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
) -> Result<(Vec<State>, Vec<State>), CheckError> {
    let (entry, round) = (path.len(), cycle.len());
    let mut visits = path;
    visits.extend(cycle.iter().cloned());
    let mut states = lifted(task, visits.clone())?;
    let same = |a: &State, b: &State| task.model.arranged(a) == task.model.arranged(b);
    let closed = |states: &[State]| match (entry.checked_sub(1), states.last()) {
        (Some(entry), Some(last)) => round == 0 || same(&states[entry], last),
        _ => true,
    };
    while !closed(&states) {
        if states.len() > entry + ROUNDS.max(round * 1000) {
            return Err(CheckError::Defect(
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
fn lifted(task: &Task<'_>, path: Vec<Visit>) -> Result<Vec<State>, CheckError> {
    let visits = path.into_iter();
    let Some(certificate) = &task.symmetry.certificate else {
        return Ok(visits.map(|visit| visit.state).collect());
    };
    let visits: Vec<_> = visits.map(|visit| (visit.state, visit.witness)).collect();
    let action = Action::new(task.model, certificate.sorts());
    match mandala_symmetry::lift(&action, &visits) {
        Some(states) => Ok(states),
        None => Err(CheckError::Defect(
            "a counterexample of the reduced search cannot be taken back to the model".into(),
        )),
    }
}

fn possibility(task: &Task<'_>, found: Answer) -> Result<Possibility, CheckError> {
    Ok(match found {
        Answer::Holds(_) => Possibility::Stays,
        Answer::Fails(shown) => Possibility::Lost(lifted(task, shown.path)?),
        Answer::Unknown(limit) => Possibility::Unknown(limit_text(limit, task)),
        Answer::Fault(_) => Possibility::Unknown("a condition fails in some state".into()),
    })
}

/// Whether there is more to do for who has more time or more room.
fn is_unfinished(extent: Extent) -> bool {
    match extent {
        Extent::Complete | Extent::FirstViolation => false,
        Extent::Limited(limit) => matches!(
            limit,
            Limit::States | Limit::Time | Limit::Memory | Limit::Cancelled
        ),
    }
}

/// Why it ended, with the number that was the limit.
fn ending(extent: Extent, task: &Task<'_>) -> Ending {
    let limit = match extent {
        Extent::Complete => return Ending::Complete,
        Extent::FirstViolation => return Ending::Violation,
        Extent::Limited(Limit::Cancelled) => return Ending::Interrupted,
        Extent::Limited(limit) => limit,
    };
    Ending::Limit(limit_text(limit, task))
}

/// Which limit was reached.
fn limit_text(limit: Limit, task: &Task<'_>) -> String {
    let limits = task.stated;
    let numbered = match limit {
        Limit::States => limits.states.map(super::limit_of_states),
        Limit::Depth => limits.depth.map(super::limit_of_depth),
        Limit::Time => limits.time.map(super::limit_of_time),
        Limit::Memory => limits.memory.map(super::limit_of_memory),
        Limit::StateSize => Some(limit_of_state_size(task)),
        Limit::StateNumbers | Limit::Cancelled => None,
    };
    numbered.unwrap_or_else(|| limit.describe().into())
}

/// What is too large, and what would not be.
fn limit_of_state_size(task: &Task<'_>) -> String {
    let limit = grouped(mandala_store::MAX_STATE_LENGTH as u64);
    let what =
        format!("a state is too large to be stored: packed it takes more than {limit} bytes");
    let interpreter = Interpreter::new(task.model, task.check.observers);
    match interpreter.start() {
        Ok(start) => {
            let values = counted(values(task.model, &start.state), "value");
            format!("{what}, which is the limit (the first state alone has {values})")
        }
        Err(_) => format!("{what}, which is the limit"),
    }
}

/// How many values a state has room for.
fn values(model: &Model, state: &State) -> u64 {
    let processes = state.processes.iter().map(|p| p.locals.len() as u64);
    let channels = state.channels.iter().map(|channel| {
        let kind = model.channel_kind(channel.kind);
        u64::from(kind.capacity) * kind.fields.len() as u64
    });
    state.globals.len() as u64 + processes.sum::<u64>() + channels.sum::<u64>()
}

fn reached(model: &Model, program: &Program, coverage: &Coverage) -> Reached {
    let templates = || (0..).map(TemplateId).zip(&model.templates);
    let locations = |(id, template): (TemplateId, &Template)| {
        let locations = (0..template.locations.len()).map(LocationId::from);
        locations
            .map(|l| coverage.location(program, id, l))
            .collect()
    };
    Reached {
        locations: templates().map(locations).collect(),
        nodes: Some(
            templates()
                .map(|(id, template)| reached_nodes(id, template, program, coverage))
                .collect(),
        ),
        edges: Some(
            templates()
                .map(|(id, template)| taken_edges(id, template, program, coverage))
                .collect(),
        ),
        covered: model
            .properties
            .iter()
            .map(|property| covered(property, program, coverage))
            .collect(),
    }
}

/// Whether something was met that a property wants to be covered.
fn covered(property: &Property, program: &Program, coverage: &Coverage) -> Option<bool> {
    let PropertyKind::Cover { edges, nodes } = &property.kind else {
        return None;
    };
    let by_edge = edges.iter().any(|edge| coverage.edge(program, *edge) > 0);
    let mut nodes = nodes.iter();
    Some(by_edge || nodes.any(|(edge, node)| coverage.node(program, *edge, *node)))
}

/// How often each edge of a template was taken.
fn taken_edges(
    template: TemplateId,
    of: &Template,
    program: &Program,
    coverage: &Coverage,
) -> Vec<u64> {
    let edges = (0..of.edges.len() as u32).map(|index| EdgeId { template, index });
    edges.map(|edge| coverage.edge(program, edge)).collect()
}

/// The numbers of the nodes of a template's routines that were reached.
fn reached_nodes(
    id: TemplateId,
    template: &Template,
    program: &Program,
    coverage: &Coverage,
) -> HashSet<u32> {
    let mut numbers = HashSet::new();
    for (index, edge) in (0..).zip(&template.edges) {
        let Step::Routine(routine) = &edge.step else {
            continue;
        };
        let edge = EdgeId {
            template: id,
            index,
        };
        let nodes = (0..).map(NodeId).zip(&routine.nodes);
        let reached = nodes.filter(|(node, _)| coverage.node(program, edge, *node));
        numbers.extend(reached.map(|(_, node)| node.number));
    }
    numbers
}
