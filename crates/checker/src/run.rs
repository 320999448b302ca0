//! Runs a plan: one search for each property, its evidence lifted and replayed, and a verdict.

use crate::engine;
pub use crate::error::CheckError;
use crate::explain::explain;
use crate::frontend::LoadedModel;
use crate::judge::judge;
use crate::limits;
use crate::missed;
use crate::options::{AfterViolation, Fairness, Limits, SearchOrder};
use crate::outcome::{ExplainedRun, Interim, PropertyOutcome, ShownRun, Verdict};
use crate::plan::{CheckPlan, Decision, PartialOrder, Question, Subject};
use crate::values;
use crate::watch::{Phase, Watch, Wish};
pub use mandala_engine::EngineError;
use mandala_engine::{Branching, Evidence, Extent, Limit, Outcome, Possibility, Witness};
use mandala_evidence::follow::follow;
use mandala_evidence::lasso::{Wanted, replay_lasso};
use mandala_evidence::leaving::{with_leavings, with_leavings_of_lasso};
use mandala_evidence::lift::{LassoLabels, LiftError, lift, lift_lasso, lift_states};
use mandala_evidence::replay::{Anything, replay, replay_to_end, replay_to_loss};
use mandala_evidence::trimming::without_idle_ends;
use mandala_evidence::{Searched, TooMany};
use mandala_interpreter::Interpreter;
use mandala_model::ids::PropertyId;
use mandala_model::model::Language;
use mandala_model::step::{Attribution, Observers, StepLabel, Violation};
use mandala_model::template::Template;
use mandala_model::{Diagnostic, Model, State};
use mandala_prepare::Prepared;
use mandala_reduce::Guarantee;
use std::mem::discriminant;
use std::rc::Rc;

/// How many rounds at most a run makes until what nobody reads is the same in every round: after one round everything has been written that
/// a round writes.
const SETTLED: usize = 3;

/// A violation that a search has met, and whose it is.
#[derive(Clone, Debug)]
pub(crate) struct Attributed {
    pub owner: Subject,
    /// The invariant that has no value there, if it was met while one was evaluated.
    pub without_value: Option<PropertyId>,
    /// That it is a violation, as a run shows; or why no run can.
    pub verdict: Verdict,
}

impl Attributed {
    /// What is wrong, in words.
    pub fn message(&self) -> &str {
        match &self.verdict {
            Verdict::Violated(found) => &found.explanation.message,
            Verdict::Missed(reason) | Verdict::Unknown(reason) => reason,
            Verdict::Holds | Verdict::Value => "",
        }
    }
}

/// Checks one property after the other. Unless told to go on, what comes after a violation is not
/// checked any more.
pub fn run(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    prepared: &[Rc<Prepared>],
    watch: &mut dyn Watch,
) -> Result<Vec<PropertyOutcome>, CheckError> {
    let mut outcomes: Vec<PropertyOutcome> = Vec::new();
    let mut judged = plan.judged.as_slice();
    for (index, (check, prepared)) in plan.checks.iter().zip(prepared).enumerate() {
        if index > 0 {
            let open = &plan.checks[index..];
            watch.learn(Interim::new(loaded, plan, outcomes.clone(), open));
        }
        let (outcome, violations) = match reason_to_skip(plan, &outcomes, watch) {
            Some(reason) => (
                PropertyOutcome::unsearched(check, prepared, reason),
                Vec::new(),
            ),
            None => {
                let limits = remaining(plan);
                run_one(loaded, plan, check, prepared, limits, watch)?
            }
        };
        // The first search is that for safety, if something is to be judged by it.
        let judging = std::mem::take(&mut judged);
        outcomes.extend(judge(loaded, plan, judging, outcome, violations)?);
    }
    Ok(outcomes)
}

/// What is known of a check that is planned: its properties, all of them open.
pub(crate) fn planned<'a>(
    loaded: &'a LoadedModel,
    plan: &'a CheckPlan,
) -> Result<Interim<'a>, CheckError> {
    let Some((first, others)) = plan.checks.split_first() else {
        return Ok(Interim::new(loaded, plan, Vec::new(), &[]));
    };
    let first = PropertyOutcome::pending(loaded, first);
    let known = judge(loaded, plan, &plan.judged, first, Vec::new())?;
    Ok(Interim::new(loaded, plan, known, others))
}

fn reason_to_skip(
    plan: &CheckPlan,
    outcomes: &[PropertyOutcome],
    watch: &mut dyn Watch,
) -> Option<String> {
    let interrupted = |o: &&PropertyOutcome| {
        let search = o.search.as_ref();
        search.is_some_and(|s| s.extent == Extent::Limited(Limit::Cancelled))
    };
    let asked = watch.enter(Phase::Searching) == Wish::Stop;
    if asked || outcomes.iter().any(|o| interrupted(&o)) {
        return Some("not checked: the search was interrupted".into());
    }
    let is_first = outcomes.is_empty();
    if let Some(time) = plan.limits.time.filter(|_| plan.is_over() && !is_first) {
        return Some(format!("not checked: {}", limits::limit_of_time(time)));
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

/// The limits with the time that is left.
fn remaining(plan: &CheckPlan) -> Limits {
    Limits {
        time: plan.time_left(),
        ..plan.limits
    }
}

/// Searches. The verdict is what is known if none of the violations is that of the property itself; those come in the order in which
/// they were met.
fn run_one(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &Question,
    prepared: &Rc<Prepared>,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<(PropertyOutcome, Vec<Attributed>), CheckError> {
    let search = engine::search(plan, check, prepared, limits, watch);
    let mut search = search.map_err(|error| error.located(&loaded.sources))?;
    require_run(&loaded.model, &search)?;
    watch.enter(Phase::Replaying);
    let violations = violations(loaded, plan, check, prepared, &mut search)?;
    let answer = search.branching.take().filter(|_| violations.is_empty());
    let answer = answer.map(|answer| branching(loaded, plan, check, prepared, answer));
    let (valued, value) = search.value.take().map(values::told).unzip();
    let answer = answer.or(valued.map(|verdict| Ok((verdict, None))));
    let (verdict, mut witness) = match answer {
        Some(Err(CheckError::NotShown(reason))) => (Verdict::Unknown(reason), None),
        Some(answer) => answer?,
        None => (without_violation(loaded, plan, check, &search), None),
    };
    let is_open = violations.is_empty() && is_about_whole_runs(check, &verdict);
    let doubt = match is_open {
        true => {
            watch.enter(Phase::Searching);
            let (about, limits) = ((check, &**prepared), remaining(plan));
            engine::endless(plan, about, &search, limits, watch)?
        }
        false => None,
    };
    let verdict = match doubt {
        Some(ending) => {
            (search.extent, witness) = (ending, None);
            without_violation(loaded, plan, check, &search)
        }
        None => verdict,
    };
    let outcome = PropertyOutcome {
        check: check.clone(),
        verdict,
        search: Some(search),
        prepared: Rc::clone(prepared),
        judged: false,
        witness,
        value: value.flatten(),
        further: Vec::new(),
        met_first: false,
        violations: 0,
    };
    Ok((outcome, violations))
}

/// All that the search has met, in order.
fn violations(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &Question,
    prepared: &Prepared,
    search: &mut Outcome,
) -> Result<Vec<Attributed>, CheckError> {
    let evidence = search.evidence.take().into_iter();
    let evidence = evidence.chain(std::mem::take(&mut search.further));
    let violations = evidence.map(|found| {
        let owner = check.owner(&found.violation);
        let without_value = match found.violation.attribution() {
            Attribution::Evaluation(invariant) => Some(invariant),
            Attribution::Search | Attribution::Property(_) => None,
        };
        let verdict = match shown(loaded, plan, check, prepared, found) {
            // It was found, but who does not see it need not believe it.
            Err(CheckError::NotShown(reason)) => Verdict::Unknown(reason),
            shown => Verdict::Violated(Box::new(shown?)),
        };
        Ok(Attributed {
            owner,
            without_value,
            verdict,
        })
    });
    violations.collect()
}

/// What the search has met, shown to be a violation.
fn shown(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &Question,
    prepared: &Prepared,
    found: Evidence,
) -> Result<ExplainedRun, CheckError> {
    let found = followed(check, prepared, found)?;
    match found.violation {
        Violation::Cycle => lasso(loaded, plan, check, prepared, (&found, 0)),
        _ => counterexample(loaded, plan, check, prepared, &found),
    }
}

/// A search that ends without having met a single state says nothing about the model. Only where states to start in are made by steps may there be none.
fn require_run(model: &Model, search: &Outcome) -> Result<(), CheckError> {
    let nothing = model.start_held && search.statistics.states == 0 && search.violations.is_empty();
    match model.start.first() {
        Some(first) if nothing && search.extent == Extent::Complete => Err(CheckError::NoRun(
            Box::new(no_run(model.template(first.template), model.language)),
        )),
        _ => Ok(()),
    }
}

/// The complaint that no run begins, at the first of the start states that a template makes.
fn no_run(starting: &Template, language: Language) -> Diagnostic {
    let mut starts = starting.edges_from(starting.entry);
    let (span, why) = match starts.next() {
        Some((_, start)) => (start.span, "every start state is left out by an assumption"),
        None => (starting.span, "it has no start state"),
    };
    Diagnostic::error(span, format!("no run of the model begins: {why}")).with_help(
        match language {
            Language::Cubicle | Language::Prism => "weaken what `init` says",
            _ => "weaken the `assume`, or add a start state that satisfies it",
        },
    )
}

/// Whether the verdict says something of runs that might never come out of a step. A run that was shown does.
fn is_about_whole_runs(check: &Question, verdict: &Verdict) -> bool {
    match (check.decision, verdict) {
        (Decision::Full, _) | (_, Verdict::Unknown(_)) => false,
        (Decision::Cycles, verdict) => matches!(verdict, Verdict::Holds),
        (Decision::Branching | Decision::Value, _) => true,
    }
}

fn without_violation(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &Question,
    search: &Outcome,
) -> Verdict {
    match (&search.extent, missed::reason(plan, search)) {
        (Extent::Limited(limit), _) => {
            Verdict::Unknown(limits::told(*limit, &plan.limits, &loaded.model))
        }
        (Extent::Complete | Extent::FirstViolation, Some(reason)) => Verdict::Unknown(reason),
        (Extent::Complete | Extent::FirstViolation, None)
            if check.branching_property().is_some() =>
        {
            Verdict::Unknown("the graph of all states was not looked at".into())
        }
        (Extent::Complete | Extent::FirstViolation, None) => Verdict::Holds,
    }
}

/// The check with what runs along on a path: where the claim has not, it does not.
fn on_path(check: &Question, path: &[State]) -> Question {
    let runs = path.first().is_none_or(|state| state.claim.is_some());
    Question {
        observers: Observers {
            claim: check.observers.claim.filter(|_| runs),
            ..check.observers
        },
        ..check.clone()
    }
}

/// The evidence as a run that the interpreter has made, explained.
fn counterexample(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &Question,
    prepared: &Prepared,
    Evidence {
        path, violation, ..
    }: &Evidence,
) -> Result<ExplainedRun, CheckError> {
    let check = &on_path(check, path);
    let wanted = |found: &Violation| is_wanted(check, prepared, violation, found);
    let interpreter = Interpreter::new(&loaded.model, check.observers);
    let labels = labels(loaded, check, prepared, path, &wanted)?;
    let labels = without_idle_ends(&interpreter, &prepared.searched, labels, &wanted);
    let run = replay(&interpreter, &labels, &Anything, wanted)
        .map_err(|error| defect(format!("does not replay: {error}")))?;
    // Where steps are merged, a run with fewer stored states may have more steps; where steps are left out, the shortest run may be.
    let shortest = plan.order == SearchOrder::BreadthFirst
        && plan.partial_order == PartialOrder::Off
        && prepared.rewrites.merged.is_none()
        && plan.symmetry.guarantee() != Some(Guarantee::MayMiss);
    Ok(ExplainedRun {
        explanation: explain(loaded, &interpreter, check, &run),
        shown: ShownRun {
            subject: check.owner(run.violation()),
            run,
            shortest,
            fairness: Fairness::Off,
        },
    })
}

/// What is to be said of a formula of branching time, and a run that shows that it holds if one can.
fn branching(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &Question,
    prepared: &Prepared,
    answer: Branching,
) -> Result<(Verdict, Option<ShownRun>), CheckError> {
    Ok(match answer {
        Branching::Holds(None) => (Verdict::Holds, None),
        Branching::Holds(Some(shown)) => {
            let shown = branching_run(loaded, plan, check, prepared, shown)?;
            (Verdict::Holds, Some(shown.shown))
        }
        Branching::Fails(shown) => {
            let found = branching_run(loaded, plan, check, prepared, shown)?;
            (Verdict::Violated(Box::new(found)), None)
        }
        Branching::Unknown(limit) => {
            let reason = limits::told(limit, &plan.limits, &loaded.model);
            (Verdict::Unknown(reason), None)
        }
    })
}

/// What was found, with the claim on it that it was found for, if that has not run along.
fn followed(
    check: &Question,
    prepared: &Prepared,
    found: Evidence,
) -> Result<Evidence, CheckError> {
    let has_claim = |state: &State| state.claim.is_some();
    let alone = check.observers.claim.is_some() && !found.path.iter().any(has_claim);
    if !alone || found.violation != Violation::Cycle {
        return Ok(found);
    }
    let searched = Searched::new(&prepared.searched, check.observers);
    let concerns = |violation: &Violation| check.concerns(violation);
    let followed = follow(&searched, &found.path, &found.cycle, &concerns);
    followed
        .map_err(|TooMany| not_shown("there are too many ways through an atomic sequence"))?
        .ok_or_else(|| defect("is not followed by the claim".into()))
}

/// A run that goes round for ever, made by the interpreter and explained; of a formula of branching time, for that instance.
fn lasso(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &Question,
    prepared: &Prepared,
    (found, instance): (&Evidence, u32),
) -> Result<ExplainedRun, CheckError> {
    let observers = check.observers;
    let searched = Searched::new(&prepared.searched, observers);
    let labels = lift_lasso(&searched, &found.path, &found.cycle, plan.fairness);
    let labels = labels.map_err(not_a_run)?;
    let labels = labels.of_user(prepared);
    let interpreter = Interpreter::new(&loaded.model, observers);
    let labels = match prepared.rewrites.ended_stay {
        true => with_leavings_of_lasso(&interpreter, labels),
        false => labels,
    };
    let wanted = match check.branching_property() {
        Some(property) => Wanted::branching(plan.fairness, (property, instance)),
        None => Wanted::forbidden(plan.fairness),
    };
    let runs =
        settled(&labels).map(|labels| replay_lasso(&interpreter, &labels, &wanted, &Anything));
    let mut runs = runs.enumerate();
    let run = runs.find_map(|(rounds, run)| Some((rounds, run.ok()?)));
    let (rounds, run) = run.ok_or_else(|| match labels.cut {
        true => not_shown("there are too many ways through an atomic sequence to be fair to all"),
        false => defect("does not replay: it does not go round".into()),
    })?;
    // Where steps are merged or names exchanged, states that are stored are no measure.
    let shortest = plan.shortest
        && rounds == 0
        && check.branching_property().is_none()
        && prepared.certificate.is_none()
        && prepared.rewrites.merged.is_none();
    Ok(ExplainedRun {
        explanation: explain(loaded, &interpreter, check, &run),
        shown: ShownRun {
            subject: check.subject,
            run,
            shortest,
            fairness: plan.fairness,
        },
    })
}

/// A run that shows something of a formula of branching time, made by the interpreter and explained.
fn branching_run(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    check: &Question,
    prepared: &Prepared,
    shown: Witness,
) -> Result<ExplainedRun, CheckError> {
    let Some(cycle) = shown.cycle else {
        return branching_path(loaded, check, prepared, &shown);
    };
    let found = Evidence {
        path: shown.path,
        cycle,
        violation: Violation::Cycle,
    };
    lasso(loaded, plan, check, prepared, (&found, shown.instance))
}

/// A finite one.
fn branching_path(
    loaded: &LoadedModel,
    check: &Question,
    prepared: &Prepared,
    shown: &Witness,
) -> Result<ExplainedRun, CheckError> {
    let observers = check.observers;
    let searched = Searched::new(&prepared.searched, observers);
    let labels = lift_states(&searched, &shown.path).map_err(not_a_run)?;
    let labels = prepared.steps_of_user(&labels);
    let interpreter = Interpreter::new(&loaded.model, observers);
    let property = check.branching_property();
    let property = property.ok_or_else(|| defect("is for a formula that is none".into()))?;
    let asked = (property, shown.instance);
    let run = replay_to_end(&interpreter, &labels, &Anything, asked)
        .map_err(|error| defect(format!("does not replay: {error}")))?;
    Ok(ExplainedRun {
        explanation: explain(loaded, &interpreter, check, &run),
        shown: ShownRun {
            subject: check.subject,
            run,
            shortest: prepared.certificate.is_none(),
            fairness: Fairness::Off,
        },
    })
}

/// The run as it is, and with some rounds made before it counts as going round: where values that nobody reads again are forgotten by
/// what was searched, the first rounds of the model itself may leave others behind than later ones.
fn settled(labels: &LassoLabels) -> impl Iterator<Item = LassoLabels> + '_ {
    (0..SETTLED).map(|rounds| LassoLabels {
        prefix: [labels.prefix.clone(), labels.cycle.repeat(rounds)].concat(),
        cycle: labels.cycle.clone(),
        cut: labels.cut,
    })
}

/// A run to a state from which a property can never be met again, made by the interpreter and explained.
pub(crate) fn loss(
    loaded: &LoadedModel,
    check: &Question,
    prepared: &Prepared,
    property: PropertyId,
    lost: &Possibility,
) -> Result<ExplainedRun, CheckError> {
    let Possibility::Lost {
        path,
        shortest,
        instance,
    } = lost
    else {
        return Err(defect("is for what stays possible".into()));
    };
    let searched = Searched::new(&prepared.searched, check.observers);
    let labels = lift_states(&searched, path).map_err(not_a_run)?;
    let labels = prepared.steps_of_user(&labels);
    let interpreter = Interpreter::new(&loaded.model, check.observers);
    let run = replay_to_loss(&interpreter, &labels, &Anything, (property, *instance))
        .map_err(|error| defect(format!("does not replay: {error}")))?;
    Ok(ExplainedRun {
        explanation: explain(loaded, &interpreter, check, &run),
        shown: ShownRun {
            subject: Subject::Stated(property),
            run,
            shortest: *shortest,
            fairness: Fairness::Off,
        },
    })
}

/// A path that cannot be lifted.
fn not_a_run(error: LiftError) -> CheckError {
    match error {
        LiftError::TooManyWays { .. } => not_shown(&error.to_string()),
        error => defect(format!("is not a run of the model: {error}")),
    }
}

/// A run that takes too much to be shown.
fn not_shown(why: &str) -> CheckError {
    CheckError::NotShown(format!(
        "a run was found that decides it, but not the steps of that run: {why}"
    ))
}

fn defect(what: String) -> CheckError {
    CheckError::Defect(format!("a counterexample {what}"))
}

/// Whether that is the violation that the search met. A renaming may lead to the same kind of violation of the same property at another
/// place: one branch of a choice for each name, say.
fn is_wanted(check: &Question, prepared: &Prepared, met: &Violation, found: &Violation) -> bool {
    let alike = discriminant(met) == discriminant(found)
        && met.attribution() == found.attribution()
        && check.concerns(found);
    met == found || (prepared.certificate.is_some() && alike)
}

/// The steps of a run through those states. If another model was searched, they are steps of the user's
/// model all the same, but there may be others that only forget something, and those in which processes leave may be
/// missing.
fn labels(
    loaded: &LoadedModel,
    check: &Question,
    prepared: &Prepared,
    path: &[State],
    wanted: &dyn Fn(&Violation) -> bool,
) -> Result<Vec<StepLabel>, CheckError> {
    let searched = Searched::new(&prepared.searched, check.observers);
    let labels = lift(&searched, path, wanted).map_err(not_a_run)?;
    if !prepared.is_rewritten() {
        return Ok(labels);
    }
    let labels = prepared.steps_of_user(&labels);
    let interpreter = Interpreter::new(&loaded.model, check.observers);
    Ok(with_leavings(&interpreter, labels, wanted))
}
