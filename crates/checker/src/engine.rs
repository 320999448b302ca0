//! The registry of engines: each takes a model, observers and limits, and gives back a
//! [`SearchResult`]. A new engine is one crate, one file here and one line in [`search`].

mod explicit;
mod inquiry;
mod reference;
mod symbolic;

use crate::checkpoint;
use crate::options::{
    AfterViolation, CycleSearch, Deadlock, Engine, Fairness, Limits, SearchOrder,
};
use crate::plan::{self, CheckKind, CheckPlan, Decision, PartialOrder, PlannedCheck};
use crate::run::CheckError;
use crate::symmetry::{DetectedSymmetry, SymmetryWish};
use crate::watch::Watch;
use mandala_model::expr::Expr;
use mandala_model::ids::{EdgeId, PropertyId};
use mandala_model::property::{Ctl, Property, PropertyKind};
use mandala_model::step::{Observers, Violation};
use mandala_model::template::Step;
use mandala_model::{Model, State};
use mandala_report::document::{DiagramStats, TimeSplit};
use mandala_report::style::{counted, grouped, stated_bytes, stated_duration};
use mandala_store::Omissions;
use std::time::Duration;

/// What a search found. Still a claim: nothing of it is shown before it is replayed.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The first violation that it met, and how to get there.
    pub evidence: Option<Found>,
    /// How many violations it met.
    pub violations: u64,
    /// Size and cost.
    pub stats: SearchStats,
    /// Why it ended.
    pub ending: Ending,
    /// Which parts of the model were reached.
    pub reached: Reached,
    /// What the use of symmetry took; nothing if none was used.
    pub reduction: Option<ReductionUse>,
    /// What the store may have passed over; nothing if it is exact.
    pub omissions: Option<Omissions>,
    /// How many states there may be in all: at least, and probably at most. Nothing if all were visited, or nothing
    /// can be said.
    pub estimate: Option<(u64, Option<u64>)>,
    /// Whether there is more to do for who has more time or more room.
    pub unfinished: bool,
    /// Why a checkpoint could not be written, if that happened.
    pub no_checkpoint: Option<String>,
    /// Whether what must stay possible does, as far as the engine has looked at that.
    pub possible: Vec<(PropertyId, Possibility)>,
    /// What is known of the formula of branching time that was asked about, if one was.
    pub branching: Option<Branching>,
    /// Whether it went deepest first, whatever was asked for, since it looked for runs that go on for ever.
    pub deepest_first: bool,
    /// Whether it met a step that can go on for ever; nothing if it does not know.
    pub endless: Option<bool>,
}

/// A violation, and the remembered states of a run from the start to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The states up to the violation, or to where the run begins to go round.
    pub path: Vec<State>,
    /// The states that come after those, once round, if the run goes on for ever: the last of them is the last of the path. None if
    /// that one stands still.
    pub cycle: Vec<State>,
    /// What is wrong.
    pub violation: Violation,
}

/// What is known of a formula of branching time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Branching {
    /// It holds. A run that shows it, if one can.
    Holds(Option<Shown>),
    /// It does not, as this run shows.
    Fails(Shown),
    /// Not decided, and why.
    Unknown(String),
}

/// The remembered states of a run from the start that shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The states up to its end, or to where it begins to go round.
    pub path: Vec<State>,
    /// The states that come after those, once round, if it goes on for ever; none of them if the last of the path repeats.
    pub cycle: Option<Vec<State>>,
}

/// Whether something stays possible for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possibility {
    /// From every state there is a way to it.
    Stays,
    /// There is none from the last of these states, which are those of a run from the start.
    Lost(Vec<State>),
    /// Not decided, and why.
    Unknown(String),
}

/// What the use of symmetry took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReductionUse {
    /// For how many states a representative was looked for; none if that was done for whole sets, which nobody counts.
    pub states: u64,
    /// How many of the stored representatives may not be the only ones of their orbits.
    pub not_canonical: u64,
    /// How long it took.
    pub time: Duration,
    /// How many states the representatives stand for, if that is known.
    pub images: Option<u64>,
    /// What states were sorted by, if they were.
    pub main_array: Option<String>,
    /// What is interchangeable but was not exchanged in some states, and why.
    pub left_out: Vec<(String, String)>,
}

/// Size and cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchStats {
    /// States stored.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// States whose successors were looked for.
    pub expanded: u64,
    /// Those of them whose successors were found by native code.
    pub expanded_natively: u64,
    /// Those of them of which only some successors were looked for.
    pub expanded_partly: u64,
    /// How many first moves of steps were left out there.
    pub left_out: u64,
    /// How deep it went.
    pub depth: u64,
    /// How long it took.
    pub time: Duration,
    /// How many threads searched.
    pub workers: u32,
    /// Where their time went, if that is known.
    pub split: Option<TimeSplit>,
    /// Most memory in use.
    pub peak_bytes: u64,
    /// Memory for each stored state.
    pub bytes_per_state: f64,
    /// What diagrams say, if there are any.
    pub diagrams: Option<DiagramStats>,
}

impl SearchStats {
    /// The time of all workers together, as far as it is known what it went into.
    pub fn work(&self) -> Duration {
        let split = self.split.map(|split| split.total());
        let split = split.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        split.map_or(self.time, |split| split.max(self.time))
    }
}

/// Why a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every reachable state was visited.
    Complete,
    /// A violation was found, and that was enough.
    Violation,
    /// A limit was reached; which one, in words.
    Limit(String),
    /// Somebody asked it to stop.
    Interrupted,
}

/// Which parts of the model were reached: for each template, each location; and for each template,
/// the nodes of its routines by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// By template and location.
    pub locations: Vec<Vec<bool>>,
    /// Numbers of nodes of routines, by template; none if the engine does not look inside them.
    pub nodes: Option<Vec<std::collections::HashSet<u32>>>,
    /// How often edges were taken, by template and edge; none if the engine does not count.
    pub edges: Option<Vec<Vec<u64>>>,
    /// By property, whether something was met that it wants to be covered; none where that is not known, or it is of
    /// another kind.
    pub covered: Vec<Option<bool>>,
}

impl Reached {
    /// Nothing of the model.
    pub fn nothing(model: &Model) -> Self {
        let templates = model.templates.iter();
        Reached {
            locations: templates.map(|t| vec![false; t.locations.len()]).collect(),
            nodes: None,
            edges: None,
            covered: model.properties.iter().map(uncovered).collect(),
        }
    }

    /// Notes that an edge that only looks at states could be taken.
    pub fn observe(&mut self, model: &Model, edge: EdgeId) {
        for (covered, property) in self.covered.iter_mut().zip(&model.properties) {
            let PropertyKind::Cover { edges, .. } = &property.kind else {
                continue;
            };
            if edges.contains(&edge) {
                *covered = Some(true);
            }
        }
    }
}

/// What is known of a property before anything was met, by somebody who does not look inside of routines.
fn uncovered(property: &Property) -> Option<bool> {
    match &property.kind {
        PropertyKind::Cover { nodes, .. } => nodes.is_empty().then_some(false),
        _ => None,
    }
}

/// What an engine is asked to do.
#[derive(Clone)]
pub struct Task<'a> {
    /// The model, or what is searched in its place.
    pub model: &'a Model,
    /// The property.
    pub check: &'a PlannedCheck,
    /// In which order.
    pub order: SearchOrder,
    /// Up to where, with the time that is left.
    pub limits: Limits,
    /// The limits as the user stated them, to name the one that was reached.
    pub stated: Limits,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
    /// Whether steps that are independent of others are left out.
    pub partial_order: PartialOrder,
    /// How symmetry is used if there is any.
    pub wish: &'a SymmetryWish,
    /// What can be exchanged without the property noticing.
    pub symmetry: &'a DetectedSymmetry,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// How they are looked for.
    pub cycles: CycleSearch,
    /// Whether a shortest one is wanted.
    pub shortest: bool,
    /// What must stay possible: the properties, and the edges that look whether it is so.
    pub goals: Vec<(PropertyId, Vec<EdgeId>)>,
}

/// Why a formula of branching time is not decided where a condition divides by zero, or the like.
const NO_VALUE: &str = "in some state a condition of the formula has no value";

impl<'a> Task<'a> {
    /// The formula of branching time that is asked about, and the conditions that its propositions are.
    fn branching_formula(&self) -> (&'a Ctl, Vec<&'a Expr>) {
        let properties = self.model.properties.iter();
        let mut stated = properties.filter(|property| property.name == self.check.name);
        let found = stated.find_map(|property| match &property.kind {
            PropertyKind::Ctl { formula, watch } => Some((formula, *watch)),
            _ => None,
        });
        let (formula, watch) = found.expect("it is a formula of branching time that is planned");
        let guards = self.model.template(watch).edges.iter();
        let guards = guards.filter_map(|edge| match &edge.step {
            Step::Guarded { guard, .. } => Some(guard),
            _ => None,
        });
        (formula, guards.collect())
    }

    /// What is left of it once that much time has gone by.
    fn after(&self, time: Duration) -> Self {
        let left = self.limits.time.map(|limit| limit.saturating_sub(time));
        Task {
            limits: Limits {
                time: left,
                ..self.limits
            },
            ..self.clone()
        }
    }
}

/// Lets the engine of the plan search.
pub fn search(
    model: &Model,
    plan: &CheckPlan,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<SearchResult, CheckError> {
    let task = task(model, plan, check, symmetry, limits);
    match plan.engine {
        Engine::Explicit => {
            let means = means(&plan.means, &task)?;
            let found = explicit::search(&task, &means, watch)?;
            Ok(shorter(task, &means, found, watch))
        }
        Engine::Symbolic => symbolic::search(&task, watch),
        Engine::Reference => Ok(reference::search(&task, watch)),
    }
}

/// What the plan has to say about a search.
fn task<'a>(
    model: &'a Model,
    plan: &'a CheckPlan,
    check: &'a PlannedCheck,
    symmetry: &'a DetectedSymmetry,
    limits: Limits,
) -> Task<'a> {
    Task {
        model: symmetry.searched(model),
        check,
        order: plan.order,
        limits,
        stated: plan.limits,
        after_violation: plan.after_violation,
        partial_order: plan.partial_order,
        wish: &plan.symmetry,
        symmetry,
        fairness: plan.fairness,
        cycles: plan.cycles,
        shortest: plan.shortest,
        goals: goals(model, plan, check),
    }
}

/// Why nothing can be said of whole runs, if a step of one is never done.
const ENDLESS: &str =
    "an atomic sequence can go on for ever, and a run that never comes out of it is not looked at";

/// How a search that is complete has ended in fact: before whole runs were looked at, if a step of one may never come to an end. Where it does
/// not know that, all states are visited once more. Nothing if every step ends.
pub fn endless(
    model: &Model,
    plan: &CheckPlan,
    (check, symmetry): (&PlannedCheck, &DetectedSymmetry),
    found: &SearchResult,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<Option<Ending>, CheckError> {
    if let Some(endless) = found.endless {
        return Ok(endless.then(|| Ending::Limit(ENDLESS.into())));
    }
    let safety = PlannedCheck {
        name: check.name.clone(),
        kind: CheckKind::Safety(Deadlock::Ignore),
        observers: Observers {
            claim: None,
            ..check.observers
        },
        claim_assertions: Vec::new(),
        decision: Decision::Full,
    };
    let task = Task {
        after_violation: AfterViolation::GoOn,
        partial_order: PartialOrder::Off,
        goals: Vec::new(),
        ..task(model, plan, &safety, symmetry, limits)
    };
    let means = plan::Means {
        checkpoint: None,
        ..plan.means.clone()
    };
    explicit::endless(&task, &self::means(&means, &task)?, watch)
}

/// A run that was met depth first is often much longer than it need be. If all states are few, the graph of them has a shorter
/// one, and it takes no longer than the search did.
fn shorter(
    task: Task<'_>,
    means: &explicit::Means,
    mut found: SearchResult,
    watch: &mut dyn Watch,
) -> SearchResult {
    let is_long = |found: &Found| {
        found.violation == Violation::Cycle && found.path.len() + found.cycle.len() > READABLE
    };
    if !found.deepest_first || !found.evidence.as_ref().is_some_and(is_long) {
        return found;
    }
    let again = Task {
        cycles: CycleSearch::Graph,
        limits: Limits {
            states: Some(task.limits.states.unwrap_or(FEW).min(FEW)),
            time: Some(found.stats.time.max(MOMENT)),
            ..task.limits
        },
        ..task
    };
    let other = explicit::search(&again, means, watch).ok();
    let other = other.and_then(|other| other.evidence);
    if let Some(other) = other.filter(|other| other.violation == Violation::Cycle) {
        found.evidence = Some(other);
    }
    found
}

/// A run through so many states can be read as it is.
const READABLE: usize = 30;

/// So many states are few.
const FEW: u64 = 50_000;

/// Nobody notices if it takes that long.
const MOMENT: Duration = Duration::from_millis(100);

/// What must stay possible of all that is judged by the search, which is that for safety.
fn goals(model: &Model, plan: &CheckPlan, check: &PlannedCheck) -> Vec<(PropertyId, Vec<EdgeId>)> {
    let judges = matches!(check.kind, CheckKind::Safety(_));
    let judged = plan.judged.iter().filter(|_| judges);
    let judged = judged.map(|judged| judged.property);
    let goals = judged.filter_map(|id| match &model.properties[id.index()].kind {
        PropertyKind::Reachable { edges } => Some((id, edges.clone())),
        _ => None,
    });
    goals.collect()
}

/// How the explicit engine calls it.
fn means(means: &plan::Means, task: &Task<'_>) -> Result<explicit::Means, CheckError> {
    let checkpoint = means.checkpoint.as_ref();
    let checkpoints = |wish| checkpoint::checkpoints(wish, task.model, task.symmetry);
    Ok(explicit::Means {
        workers: means.workers.get() as usize,
        store: means.store,
        interpret: means.interpret,
        checkpoints: checkpoint.map(checkpoints).transpose()?,
    })
}

fn limit_of_states(states: u64) -> String {
    format!("the limit of {} was reached", counted(states, "state"))
}

fn limit_of_depth(depth: u64) -> String {
    format!("the limit of depth {} was reached", grouped(depth))
}

fn limit_of_time(time: Duration) -> String {
    format!("the limit of {} was reached", stated_duration(time))
}

fn limit_of_memory(memory: u64) -> String {
    format!(
        "the limit of {} of memory was reached",
        stated_bytes(memory)
    )
}
