//! Runs a plan: one search for each property, its evidence lifted and replayed, and a verdict.

use crate::engine::{self, Ending, SearchResult};
use crate::explain::explain;
use crate::frontend::LoadedModel;
use crate::lift::lift;
use crate::options::{AfterViolation, Limits, SearchOrder};
use crate::plan::{CheckPlan, Decision, PlannedCheck};
use crate::present;
use crate::replay::{Anything, replay};
use crate::watch::Watch;
use mandala_interpreter::Interpreter;
use mandala_model::State;
use mandala_model::step::Violation;
use mandala_report::document::Counterexample;
use std::fmt;
use std::time::Instant;

/// What can be said of a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every run satisfies it.
    Holds,
    /// Some run does not.
    Violated(Box<Counterexample>),
    /// Not decided, and why.
    Unknown(String),
}

/// What was found about one property.
#[derive(Clone, Debug)]
pub struct PropertyOutcome {
    /// The property.
    pub check: PlannedCheck,
    /// What can be said of it.
    pub verdict: Verdict,
    /// The search that was made for it, if one was.
    pub search: Option<SearchResult>,
}

/// Something that cannot happen, did: the answer cannot be trusted, so there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The engine cannot carry this model, though the model is right.
    Unsupported(String),
    /// The engine and the interpreter disagree.
    Defect(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unsupported(what) => write!(f, "this model is out of reach: {what}"),
            CheckError::Defect(what) => f.write_str(what),
        }
    }
}

/// Checks one property after the other. Unless told to go on, what comes after a violation is not
/// checked any more.
pub fn run(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    watch: &mut dyn Watch,
) -> Result<Vec<PropertyOutcome>, CheckError> {
    let started = Instant::now();
    let mut outcomes: Vec<PropertyOutcome> = Vec::new();
    for check in &plan.checks {
        let outcome = match reason_to_skip(plan, &outcomes) {
            Some(reason) => skipped(check, reason),
            None => run_one(loaded, plan, check, remaining(plan.limits, started), watch)?,
        };
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

fn reason_to_skip(plan: &CheckPlan, outcomes: &[PropertyOutcome]) -> Option<String> {
    let interrupted = |o: &&PropertyOutcome| {
        let search = o.search.as_ref();
        search.is_some_and(|s| s.ending == Ending::Interrupted)
    };
    if outcomes.iter().any(|o| interrupted(&o)) {
        return Some("not checked: the search was interrupted".into());
    }
    let violated = |o: &&PropertyOutcome| matches!(o.verdict, Verdict::Violated(_));
    match (plan.after_violation, outcomes.iter().find(violated)) {
        (AfterViolation::Stop, Some(first)) => Some(format!(
            "not checked, because `{}` is violated; `--keep-going` checks all",
            first.check.name
        )),
        _ => None,
    }
}

fn skipped(check: &PlannedCheck, reason: String) -> PropertyOutcome {
    PropertyOutcome {
        check: check.clone(),
        verdict: Verdict::Unknown(reason),
        search: None,
    }
}

/// The limits with the time that is left.
fn remaining(limits: Limits, started: Instant) -> Limits {
    let spent = started.elapsed();
    Limits {
        time: limits.time.map(|time| time.saturating_sub(spent)),
        ..limits
    }
}

fn run_one(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &PlannedCheck,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<PropertyOutcome, CheckError> {
    let mut search = engine::search(&loaded.model, plan, check, limits, watch)?;
    let verdict = match search.evidence.take() {
        Some((path, violation)) => {
            let found = counterexample(loaded, plan, check, &path, &violation)?;
            Verdict::Violated(Box::new(found))
        }
        None => without_violation(check, &search.ending),
    };
    Ok(PropertyOutcome {
        check: check.clone(),
        verdict,
        search: Some(search),
    })
}

fn without_violation(check: &PlannedCheck, ending: &Ending) -> Verdict {
    match (ending, check.decision) {
        (Ending::Complete | Ending::Violation, Decision::Full) => Verdict::Holds,
        (Ending::Complete | Ending::Violation, Decision::CyclesRemain) => Verdict::Unknown(
            "no violation at any moment, but liveness checking is not available yet".into(),
        ),
        (Ending::Limit(reason), _) => Verdict::Unknown(reason.clone()),
        (Ending::Interrupted, _) => Verdict::Unknown("the search was interrupted".into()),
    }
}

/// The evidence as a run that the interpreter has made, explained.
fn counterexample(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &PlannedCheck,
    path: &[State],
    violation: &Violation,
) -> Result<Counterexample, CheckError> {
    let interpreter = Interpreter::new(&loaded.model, check.observers);
    let defect = |what: String| CheckError::Defect(format!("a counterexample {what}"));
    let labels = lift(&interpreter, path, violation)
        .map_err(|error| defect(format!("is not a run of the model: {error}")))?;
    let run = replay(&interpreter, &labels, &Anything, |v| v == violation)
        .map_err(|error| defect(format!("does not replay: {error}")))?;
    let shortest = plan.order == SearchOrder::BreadthFirst;
    Ok(Counterexample {
        violation: explain(loaded, &interpreter, check, &run),
        trace: present::trace(loaded, &check.name, &run, shortest),
    })
}
