//! The registry of engines: each takes a model, observers and limits, and gives back a
//! [`SearchResult`]. A new engine is one crate, one file here and one line in [`search`].

mod explicit;
mod reference;

use crate::options::{AfterViolation, Engine, Limits, SearchOrder};
use crate::plan::{CheckPlan, PlannedCheck};
use crate::run::CheckError;
use crate::symmetry::{DetectedSymmetry, SymmetryWish};
use crate::watch::Watch;
use mandala_model::step::Violation;
use mandala_model::{Model, State};
use mandala_report::style::{counted, grouped, stated_bytes, stated_duration};
use std::time::Duration;

/// What a search found. Still a claim: nothing of it is shown before it is replayed.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The remembered states of a run from the start, and the violation at its end.
    pub evidence: Option<(Vec<State>, Violation)>,
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
}

/// What the use of symmetry took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReductionUse {
    /// For how many states a representative was looked for.
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
    /// How deep it went.
    pub depth: u64,
    /// How long it took.
    pub time: Duration,
    /// Most memory in use.
    pub peak_bytes: u64,
    /// Memory for each stored state.
    pub bytes_per_state: f64,
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
}

impl Reached {
    /// Nothing of the model.
    pub fn nothing(model: &Model) -> Self {
        let templates = model.templates.iter();
        Reached {
            locations: templates.map(|t| vec![false; t.locations.len()]).collect(),
            nodes: None,
        }
    }
}

/// What an engine is asked to do.
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
    /// How symmetry is used if there is any.
    pub wish: &'a SymmetryWish,
    /// What can be exchanged without the property noticing.
    pub symmetry: &'a DetectedSymmetry,
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
    let task = Task {
        model: symmetry.rewritten.as_ref().unwrap_or(model),
        check,
        order: plan.order,
        limits,
        stated: plan.limits,
        after_violation: plan.after_violation,
        wish: &plan.symmetry,
        symmetry,
    };
    match plan.engine {
        Engine::Explicit => explicit::search(&task, watch),
        Engine::Reference => Ok(reference::search(&task, watch)),
    }
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
