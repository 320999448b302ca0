//! Properties that need no search of their own: what the search for safety has seen decides them.
//!
//! An *invariant* is violated where an edge that monitors it fails. Such a violation is that of the invariant, not of
//! safety in general: it says itself whose it is. A *cover* holds as soon as something was met that it wants to be met, whatever else came of the search; that it
//! does not hold takes a search that has seen everything. What must stay *possible* the engine has looked at after the search, on the
//! graph of all states.

use crate::error::CheckError;
use crate::frontend::LoadedModel;
use crate::limits;
use crate::missed;
use crate::options::AfterViolation;
use crate::outcome::{PropertyOutcome, Verdict};
use crate::plan::{CheckPlan, Judged, Question, Scope, Subject};
use crate::run::{Attributed, loss};
use mandala_engine::{Extent, Outcome, Possibility, ViolationCounts};
use mandala_model::ids::PropertyId;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::step::Attribution;
use std::rc::Rc;

/// The outcome of a search, followed by those of the properties that are judged by it. The violations are those that the search has met,
/// in order: each is that of the property that it belongs to, and of no other. What belongs to no property that is judged is
/// told with the search.
pub(crate) fn judge(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    judged: &[Judged],
    mut safety: PropertyOutcome,
    violations: Vec<Attributed>,
) -> Result<Vec<PropertyOutcome>, CheckError> {
    let verdicts = judged
        .iter()
        .map(|j| verdict(loaded, plan, j, &safety, &violations));
    let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
    let others = judged.iter().zip(verdicts);
    let others = others.map(|(judged, verdict)| of_judged(judged, verdict, &safety));
    let mut others: Vec<PropertyOutcome> = others.collect();
    let is_judged = |owner: Subject| judged.iter().any(|j| owner == Subject::Stated(j.property));
    safety.verdict = first_that(&violations, |found| !is_judged(found.owner))
        .unwrap_or_else(|| besides(loaded, plan, &safety, violations.first()));
    others.insert(0, safety);
    if let Some(first) = violations.first() {
        let mut judged = others.iter().skip(1);
        let row = judged.position(|outcome| outcome.check.subject == first.owner);
        others[row.map_or(0, |row| row + 1)].met_first = true;
    }
    count(plan, &mut others);
    if plan.bugs.get() > 1 {
        add_further(&mut others, &violations);
    }
    Ok(others)
}

/// Gives each row the violations of it beside the one that shows it.
fn add_further(rows: &mut [PropertyOutcome], violations: &[Attributed]) {
    let subjects: Vec<Subject> = rows.iter().map(|row| row.check.subject).collect();
    let mut shown = vec![false; rows.len()];
    for found in violations {
        let Verdict::Violated(run) = &found.verdict else {
            continue;
        };
        let row = subjects.iter().position(|subject| *subject == found.owner);
        let row = row.unwrap_or(0);
        if std::mem::replace(&mut shown[row], true) {
            rows[row].further.push((**run).clone());
        }
    }
}

/// Counts the violations of each row: those of the search, and first those that belong to no property that is judged. What only the graph of all
/// states shows is not among them, and is one.
fn count(plan: &CheckPlan, rows: &mut [PropertyOutcome]) {
    let met = rows.first().and_then(|row| row.search.as_ref());
    let met = met.map_or_else(ViolationCounts::default, |s| s.violations.clone());
    let subjects: Vec<Subject> = rows.iter().map(|row| row.check.subject).collect();
    for (index, row) in rows.iter_mut().enumerate() {
        let is_own = |owner| row_of(&subjects, owner) == index;
        let is_told = plan.after_violation == AfterViolation::GoOn || row.met_first;
        let own = if is_told { met.of_those(is_own) } else { 0 };
        let is_shown = matches!(row.verdict, Verdict::Violated(_));
        row.violations = own.max(u64::from(is_shown));
    }
}

/// The row that a violation belongs to: the first one, unless it is that of a property of another.
fn row_of(subjects: &[Subject], owner: Attribution) -> usize {
    let own = |property| {
        subjects
            .iter()
            .position(|s| *s == Subject::Stated(property))
    };
    match owner {
        Attribution::Property(property) => own(property).unwrap_or(0),
        Attribution::Search | Attribution::Evaluation(_) => 0,
    }
}

/// That something is violated, as the first of those violations shows that are its own and can be shown; or why none can.
fn first_that(violations: &[Attributed], is_own: impl Fn(&Attributed) -> bool) -> Option<Verdict> {
    let own = || violations.iter().filter(|found| is_own(found));
    let shown = own().find(|found| matches!(found.verdict, Verdict::Violated(_)));
    let found = shown.or_else(|| own().next())?;
    Some(found.verdict.clone())
}

/// That an invariant is not decided, if it has no value where one of the violations was met.
fn without_value(invariant: PropertyId, violations: &[Attributed]) -> Option<Verdict> {
    let mut violations = violations.iter();
    let found = violations.find(|found| found.without_value == Some(invariant))?;
    Some(Verdict::Unknown(format!(
        "not decided, because it has no value in some state: {}",
        found.message()
    )))
}

fn of_judged(judged: &Judged, verdict: Verdict, safety: &PropertyOutcome) -> PropertyOutcome {
    PropertyOutcome {
        check: Question {
            subject: Subject::Stated(judged.property),
            name: judged.name.clone(),
            scope: Scope::Property,
            ..safety.check.clone()
        },
        verdict,
        search: None,
        prepared: Rc::clone(&safety.prepared),
        judged: true,
        witness: None,
        value: None,
        further: Vec::new(),
        met_first: false,
        violations: 0,
    }
}

/// What is known of a property of which the search has met no violation, if the first one that it has met is that of another. A search
/// that has seen everything would have met one.
fn besides(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    safety: &PropertyOutcome,
    first: Option<&Attributed>,
) -> Verdict {
    match (&safety.search, first) {
        (Some(search), Some(_)) if passed_over(loaded, plan, search).is_none() => Verdict::Holds,
        (Some(_), Some(first)) => Verdict::Unknown(because_of(first)),
        _ => safety.verdict.clone(),
    }
}

fn because_of(first: &Attributed) -> String {
    format!(
        "not decided, because something else is violated: {}",
        first.message()
    )
}

fn verdict(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    judged: &Judged,
    safety: &PropertyOutcome,
    violations: &[Attributed],
) -> Result<Verdict, CheckError> {
    let Some(search) = &safety.search else {
        return Ok(safety.verdict.clone());
    };
    let (first, own) = (violations.first(), Subject::Stated(judged.property));
    match &loaded.model.properties[judged.property.index()].kind {
        PropertyKind::Cover { .. } => Ok(cover(loaded, plan, judged, search)),
        PropertyKind::Reachable { .. } => possible(loaded, plan, judged, (safety, search), first),
        _ => Ok(first_that(violations, |found| found.owner == own)
            .or_else(|| without_value(judged.property, violations))
            .unwrap_or_else(|| besides(loaded, plan, safety, first))),
    }
}

/// What must stay possible. A search that passes states over decides nothing: what is missing may lead there.
fn possible(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    judged: &Judged,
    (safety, search): (&PropertyOutcome, &Outcome),
    first: Option<&Attributed>,
) -> Result<Verdict, CheckError> {
    let unknown = |reason: String| Ok(Verdict::Unknown(reason));
    if let Some(reason) = passed_over(loaded, plan, search) {
        return unknown(reason);
    }
    if let Some(first) = first {
        return unknown(because_of(first));
    }
    let mut looked_at = search.possible.iter();
    match looked_at.find(|(property, _)| *property == judged.property) {
        Some((_, Possibility::Stays)) => Ok(Verdict::Holds),
        Some((property, lost @ Possibility::Lost { .. })) => {
            let (check, prepared) = (&safety.check, &safety.prepared);
            match loss(loaded, check, prepared, *property, lost) {
                Err(CheckError::NotShown(reason)) => unknown(reason),
                found => Ok(Verdict::Violated(Box::new(found?))),
            }
        }
        Some((_, Possibility::Unknown(limit))) => {
            unknown(limits::told(*limit, &plan.limits, &loaded.model))
        }
        None => {
            unknown("whether that stays possible forever is not decided with these options".into())
        }
    }
}

/// Why the search has not seen everything, if it has not.
fn passed_over(loaded: &LoadedModel, plan: &CheckPlan, search: &Outcome) -> Option<String> {
    missed::reason(plan, search).or_else(|| match &search.extent {
        Extent::Complete => None,
        Extent::FirstViolation => Some("the search ended at a violation".into()),
        Extent::Limited(limit) => Some(limits::told(*limit, &plan.limits, &loaded.model)),
    })
}

fn cover(loaded: &LoadedModel, plan: &CheckPlan, judged: &Judged, search: &Outcome) -> Verdict {
    let covered = search.reached.covered.get(judged.property.index());
    let covered = covered.copied().flatten();
    if covered == Some(true) {
        return Verdict::Holds;
    }
    let property = &loaded.model.properties[judged.property.index()];
    let hidden = search.reduction.is_some() && has_nodes(property);
    match passed_over(loaded, plan, search) {
        Some(reason) => Verdict::Unknown(format!("not met so far: {reason}")),
        None if hidden => Verdict::Unknown(
            "not met; with symmetry it may be met where only other names are; `--symmetry off` decides".into(),
        ),
        None if covered.is_none() => {
            Verdict::Unknown("not met as far as this engine looks".into())
        }
        None => Verdict::Missed("it is met in no run".into()),
    }
}

/// Whether the property is about statements inside of steps, which may differ between steps that do the same.
fn has_nodes(property: &Property) -> bool {
    matches!(&property.kind, PropertyKind::Cover { nodes, .. } if !nodes.is_empty())
}
