//! Runs a plan: one search for each property, its evidence lifted and replayed, and a verdict.

use crate::engine::{self, Branching, Ending, Found, SearchResult, Shown};
use crate::explain::explain;
use crate::follow::follow;
use crate::frontend::LoadedModel;
use crate::judge::judge;
use crate::lasso::{Wanted, replay_lasso};
use crate::leaving::with_leavings;
use crate::lift::{LassoLabels, lift, lift_lasso, lift_states};
use crate::missed;
use crate::options::{AfterViolation, Choice, Engine, Fairness, Limits, SearchOrder};
use crate::plan::{CheckKind, CheckPlan, Decision, PartialOrder, PlannedCheck};
use crate::present;
use crate::replay::{Anything, replay, replay_to_end, replay_to_loss};
use crate::symmetry::DetectedSymmetry;
use crate::trimming::without_idle_ends;
use crate::watch::Watch;
use mandala_interpreter::Interpreter;
use mandala_model::ids::PropertyId;
use mandala_model::source::{Sources, Span};
use mandala_model::step::{Observers, StepLabel, Violation};
use mandala_model::{Model, State};
use mandala_reduce::Guarantee;
use mandala_report::document::{Counterexample, Trace};
use std::fmt;
use std::mem::discriminant;
use std::rc::Rc;
use std::time::Instant;

/// How many rounds at most a run makes until what nobody reads is the same in every round: after one round everything has been written that
/// a round writes.
const SETTLED: usize = 3;

/// What can be said of a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every run satisfies it.
    Holds,
    /// Some run does not.
    Violated(Box<Counterexample>),
    /// What it wants to happen does not happen in any run; there is none to show.
    Missed(String),
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
    /// What can be exchanged without the property noticing.
    pub symmetry: Rc<DetectedSymmetry>,
    /// Whether it is judged by what the search for safety has seen.
    pub judged: bool,
    /// A run that shows that it holds, if it is one that a run can show.
    pub witness: Option<Trace>,
}

/// Something that cannot happen, did: the answer cannot be trusted, so there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The engine cannot carry this model, though the model is right.
    Unsupported(String),
    /// The engine does not take something in this model, which others do.
    NotTaken {
        /// What it is, in words.
        what: String,
        /// Where it stands, if it stands somewhere.
        span: Option<Span>,
    },
    /// The strategy cannot be used as wished on this model.
    Strategy(String),
    /// The search cannot be made as wished, or cannot go on.
    Search(String),
    /// The engine and the interpreter disagree.
    Defect(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unsupported(what) => write!(f, "this model is out of reach: {what}"),
            CheckError::NotTaken { what, .. }
            | CheckError::Strategy(what)
            | CheckError::Search(what)
            | CheckError::Defect(what) => f.write_str(what),
        }
    }
}

impl CheckError {
    /// The same with its place in words.
    fn located(self, sources: &Sources) -> Self {
        match self {
            CheckError::NotTaken {
                what,
                span: Some(span),
            } => CheckError::NotTaken {
                what: format!("{what} ({})", sources.location(span)),
                span: Some(span),
            },
            other => other,
        }
    }
}

/// Checks one property after the other. Unless told to go on, what comes after a violation is not
/// checked any more.
pub fn run(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    symmetries: &[Rc<DetectedSymmetry>],
    watch: &mut dyn Watch,
) -> Result<Vec<PropertyOutcome>, CheckError> {
    let started = Instant::now();
    let mut outcomes: Vec<PropertyOutcome> = Vec::new();
    let mut judged = plan.judged.as_slice();
    for (check, symmetry) in plan.checks.iter().zip(symmetries) {
        let outcome = match reason_to_skip(plan, &outcomes) {
            Some(reason) => skipped(check, symmetry, reason),
            None => {
                let limits = remaining(plan.limits, started);
                run_one(loaded, plan, check, symmetry, limits, watch)?
            }
        };
        // The first search is that for safety, if something is to be judged by it.
        let judging = std::mem::take(&mut judged);
        outcomes.extend(judge(loaded, plan, judging, outcome)?);
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
    let violated =
        |o: &&PropertyOutcome| matches!(o.verdict, Verdict::Violated(_) | Verdict::Missed(_));
    match (plan.after_violation, outcomes.iter().find(violated)) {
        (AfterViolation::Stop, Some(first)) => Some(format!(
            "not checked, because `{}` is violated; `--keep-going` checks all",
            first.check.name
        )),
        _ => None,
    }
}

fn skipped(
    check: &PlannedCheck,
    symmetry: &Rc<DetectedSymmetry>,
    reason: String,
) -> PropertyOutcome {
    PropertyOutcome {
        check: check.clone(),
        verdict: Verdict::Unknown(reason),
        search: None,
        symmetry: Rc::clone(symmetry),
        judged: false,
        witness: None,
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
    symmetry: &Rc<DetectedSymmetry>,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<PropertyOutcome, CheckError> {
    let started = Instant::now();
    let search = engine::search(&loaded.model, plan, check, symmetry, limits, watch);
    let mut search = search.map_err(|error| error.located(&loaded.sources))?;
    let mut witness = None;
    let verdict = match search.evidence.take() {
        Some(found) => {
            let found = followed(loaded, check, symmetry, found)?;
            let found = match found.violation {
                Violation::Cycle => lasso(loaded, plan, check, symmetry, &found)?,
                _ => {
                    let Found {
                        path, violation, ..
                    } = &found;
                    counterexample(loaded, plan, check, symmetry, path, violation)?
                }
            };
            Verdict::Violated(Box::new(found))
        }
        None => match search.branching.take() {
            Some(answer) => {
                let (verdict, shown) = branching(loaded, plan, check, symmetry, answer)?;
                witness = shown;
                verdict
            }
            None => without_violation(plan, check, &search),
        },
    };
    let doubt = match is_about_whole_runs(check, &verdict) {
        true => {
            let (about, limits) = ((check, &**symmetry), remaining(limits, started));
            engine::endless(&loaded.model, plan, about, &search, limits, watch)?
        }
        false => None,
    };
    let verdict = match doubt {
        Some(ending) => {
            (search.ending, witness) = (ending, None);
            without_violation(plan, check, &search)
        }
        None => verdict,
    };
    Ok(PropertyOutcome {
        check: check.clone(),
        verdict,
        search: Some(search),
        symmetry: Rc::clone(symmetry),
        judged: false,
        witness,
    })
}

/// Whether the verdict says something of runs that might never come out of a step. A run that was shown does.
fn is_about_whole_runs(check: &PlannedCheck, verdict: &Verdict) -> bool {
    match (check.decision, verdict) {
        (Decision::Full, _) | (_, Verdict::Unknown(_)) => false,
        (Decision::Cycles, verdict) => matches!(verdict, Verdict::Holds),
        (Decision::Branching, _) => true,
    }
}

fn without_violation(plan: &CheckPlan, check: &PlannedCheck, search: &SearchResult) -> Verdict {
    match (&search.ending, missed::reason(plan, search)) {
        (Ending::Limit(reason), _) => Verdict::Unknown(reason.clone()),
        (Ending::Interrupted, _) => Verdict::Unknown("the search was interrupted".into()),
        (Ending::Complete | Ending::Violation, Some(reason)) => Verdict::Unknown(reason),
        (Ending::Complete | Ending::Violation, None) if check.kind == CheckKind::Ctl => {
            Verdict::Unknown("the graph of all states was not looked at".into())
        }
        (Ending::Complete | Ending::Violation, None) => Verdict::Holds,
    }
}

/// The check with what runs along on a path: where the claim has not, it does not.
fn on_path(loaded: &LoadedModel, check: &PlannedCheck, path: &[State]) -> PlannedCheck {
    let running = loaded.model.running(check.observers);
    let runs = path.first().is_none_or(|state| state.claim.is_some());
    PlannedCheck {
        observers: Observers {
            claim: running.claim.filter(|_| runs),
            ..running
        },
        ..check.clone()
    }
}

/// The evidence as a run that the interpreter has made, explained.
fn counterexample(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    path: &[State],
    violation: &Violation,
) -> Result<Counterexample, CheckError> {
    let check = &on_path(loaded, check, path);
    let wanted = |found: &Violation| is_wanted(check, symmetry, violation, found);
    let interpreter = Interpreter::new(&loaded.model, check.observers);
    let labels = labels(loaded, check, symmetry, path, &wanted)?;
    let labels = without_idle_ends(
        &interpreter,
        symmetry.searched(&loaded.model),
        labels,
        &wanted,
    );
    let run = replay(&interpreter, &labels, &Anything, wanted)
        .map_err(|error| defect(format!("does not replay: {error}")))?;
    // Where steps are merged, a run with fewer stored states may have more steps; where steps are left out, the shortest run may be.
    let shortest = plan.order == SearchOrder::BreadthFirst
        && plan.partial_order == PartialOrder::Off
        && symmetry.statics.merged.is_none()
        && plan.symmetry.guarantee() != Some(Guarantee::MayMiss);
    Ok(Counterexample {
        violation: explain(loaded, &interpreter, check, &run),
        trace: present::trace(loaded, &check.name, &run, shortest),
    })
}

/// What is to be said of a formula of branching time, and a run that shows that it holds if one can.
fn branching(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    answer: Branching,
) -> Result<(Verdict, Option<Trace>), CheckError> {
    Ok(match answer {
        Branching::Holds(None) => (Verdict::Holds, None),
        Branching::Holds(Some(shown)) => {
            let shown = branching_run(loaded, plan, check, symmetry, shown)?;
            (Verdict::Holds, Some(shown.trace))
        }
        Branching::Fails(shown) => {
            let found = branching_run(loaded, plan, check, symmetry, shown)?;
            (Verdict::Violated(Box::new(found)), None)
        }
        Branching::Unknown(reason) => (Verdict::Unknown(reason), None),
    })
}

/// What was found, with the claim on it that it was found for, if that has not run along.
fn followed(
    loaded: &LoadedModel,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    found: Found,
) -> Result<Found, CheckError> {
    let has_claim = |state: &State| state.claim.is_some();
    let alone = check.observers.claim.is_some() && !found.path.iter().any(has_claim);
    if !alone || found.violation != Violation::Cycle {
        return Ok(found);
    }
    let searched = Interpreter::new(symmetry.searched(&loaded.model), check.observers);
    let concerns = |violation: &Violation| check.concerns(violation);
    follow(&searched, &found.path, &found.cycle, &concerns)
        .ok_or_else(|| defect("is not followed by the claim".into()))
}

/// A run that goes round for ever, made by the interpreter and explained.
fn lasso(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    found: &Found,
) -> Result<Counterexample, CheckError> {
    let observers = loaded.model.running(check.observers);
    let searched = Interpreter::new(symmetry.searched(&loaded.model), observers);
    let labels = lift_lasso(&searched, &found.path, &found.cycle, plan.fairness);
    let labels = labels.map_err(|error| defect(format!("is not a run of the model: {error}")))?;
    let labels = labels.filtered(|label| is_of_the_user(&loaded.model, label));
    let interpreter = Interpreter::new(&loaded.model, observers);
    let wanted = match branching_property(&loaded.model, check) {
        Some(property) => Wanted::branching(plan.fairness, property),
        None => Wanted::forbidden(plan.fairness),
    };
    let runs =
        settled(&labels).map(|labels| replay_lasso(&interpreter, &labels, &wanted, &Anything));
    let mut runs = runs.enumerate();
    let run = runs.find_map(|(rounds, run)| Some((rounds, run.ok()?)));
    let (rounds, run) =
        run.ok_or_else(|| defect("does not replay: it does not go round".into()))?;
    // Where steps are merged or names exchanged, states that are stored are no measure.
    let shortest = plan.shortest
        && rounds == 0
        && check.kind != CheckKind::Ctl
        && symmetry.certificate.is_none()
        && symmetry.statics.merged.is_none();
    let fairness = (plan.fairness != Fairness::Off).then(|| plan.fairness.name().into());
    Ok(Counterexample {
        violation: explain(loaded, &interpreter, check, &run),
        trace: Trace {
            fairness,
            ..present::trace(loaded, &check.name, &run, shortest)
        },
    })
}

/// The property of a check that is a formula of branching time.
pub(crate) fn branching_property(model: &Model, check: &PlannedCheck) -> Option<PropertyId> {
    let mut properties = model.properties.iter();
    let found = properties.position(|property| property.name == check.name);
    found
        .filter(|_| check.kind == CheckKind::Ctl)
        .map(PropertyId::from)
}

/// A run that shows something of a formula of branching time, made by the interpreter and explained.
fn branching_run(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    shown: Shown,
) -> Result<Counterexample, CheckError> {
    let Some(cycle) = shown.cycle else {
        return branching_path(loaded, check, symmetry, &shown.path);
    };
    let found = Found {
        path: shown.path,
        cycle,
        violation: Violation::Cycle,
    };
    lasso(loaded, plan, check, symmetry, &found)
}

/// A finite one.
fn branching_path(
    loaded: &LoadedModel,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    path: &[State],
) -> Result<Counterexample, CheckError> {
    let observers = loaded.model.running(check.observers);
    let searched = Interpreter::new(symmetry.searched(&loaded.model), observers);
    let mut labels = lift_states(&searched, path)
        .map_err(|error| defect(format!("is not a run of the model: {error}")))?;
    labels.retain(|label| is_of_the_user(&loaded.model, label));
    let interpreter = Interpreter::new(&loaded.model, observers);
    let property = branching_property(&loaded.model, check).unwrap_or(PropertyId(0));
    let run = replay_to_end(&interpreter, &labels, &Anything, property)
        .map_err(|error| defect(format!("does not replay: {error}")))?;
    Ok(Counterexample {
        violation: explain(loaded, &interpreter, check, &run),
        trace: present::trace(loaded, &check.name, &run, symmetry.certificate.is_none()),
    })
}

/// The run as it is, and with some rounds made before it counts as going round: where values that nobody reads again are forgotten by
/// what was searched, the first rounds of the model itself may leave others behind than later ones.
fn settled(labels: &LassoLabels) -> impl Iterator<Item = LassoLabels> + '_ {
    (0..SETTLED).map(|rounds| LassoLabels {
        prefix: [labels.prefix.clone(), labels.cycle.repeat(rounds)].concat(),
        cycle: labels.cycle.clone(),
    })
}

/// A run to a state from which a property can never be met again, made by the interpreter and explained.
pub(crate) fn loss(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    property: PropertyId,
    path: &[State],
) -> Result<Counterexample, CheckError> {
    let searched = Interpreter::new(symmetry.searched(&loaded.model), check.observers);
    let mut labels = lift_states(&searched, path)
        .map_err(|error| defect(format!("is not a run of the model: {error}")))?;
    labels.retain(|label| is_of_the_user(&loaded.model, label));
    let interpreter = Interpreter::new(&loaded.model, check.observers);
    let run = replay_to_loss(&interpreter, &labels, &Anything, property)
        .map_err(|error| defect(format!("does not replay: {error}")))?;
    let name = &loaded.model.properties[property.index()].name;
    // The explicit engine visits states breadth first for it, whatever the order of the search.
    let shortest = plan.engine == Engine::Explicit || plan.order == SearchOrder::BreadthFirst;
    Ok(Counterexample {
        violation: explain(loaded, &interpreter, check, &run),
        trace: present::trace(loaded, name, &run, shortest),
    })
}

fn defect(what: String) -> CheckError {
    CheckError::Defect(format!("a counterexample {what}"))
}

/// Whether that is the violation that the search met. A renaming may lead to the same kind of violation at another
/// place: one branch of a choice for each name, say.
fn is_wanted(
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    met: &Violation,
    found: &Violation,
) -> bool {
    let alike = discriminant(met) == discriminant(found) && check.concerns(found);
    met == found || (symmetry.certificate.is_some() && alike)
}

/// The steps of a run through those states. If another model was searched, they are steps of the user's
/// model all the same, but there may be others that only forget something, and those in which processes leave may be
/// missing.
fn labels(
    loaded: &LoadedModel,
    check: &PlannedCheck,
    symmetry: &DetectedSymmetry,
    path: &[State],
    wanted: &dyn Fn(&Violation) -> bool,
) -> Result<Vec<StepLabel>, CheckError> {
    let searched = symmetry.searched(&loaded.model);
    let interpreter = Interpreter::new(searched, check.observers);
    let mut labels = lift(&interpreter, path, wanted)
        .map_err(|error| defect(format!("is not a run of the model: {error}")))?;
    if std::ptr::eq(searched, &loaded.model) {
        return Ok(labels);
    }
    labels.retain(|label| is_of_the_user(&loaded.model, label));
    let interpreter = Interpreter::new(&loaded.model, check.observers);
    Ok(with_leavings(&interpreter, labels, wanted))
}

/// Whether the edge is one of the user's model: what a rewriting adds comes behind.
fn is_of_the_user(model: &Model, label: &StepLabel) -> bool {
    let edges = &model.template(label.edge.template).edges;
    (label.edge.index as usize) < edges.len()
}
