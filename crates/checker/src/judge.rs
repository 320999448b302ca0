//! Properties that need no search of their own: what the search for safety has seen decides them.
//!
//! An *invariant* is violated where an edge that looks at states fails. Such a violation is that of the invariant, not of
//! safety in general. A *cover* holds as soon as something was met that it wants to be met, whatever else came of the search; that it
//! does not hold takes a search that has seen everything. What must stay *possible* the engine has looked at after the search, on the
//! graph of all states.

use crate::engine::{Ending, Possibility, SearchResult};
use crate::frontend::LoadedModel;
use crate::missed;
use crate::plan::{CheckKind, CheckPlan, Judged, PlannedCheck};
use crate::run::{CheckError, PropertyOutcome, Verdict, loss};
use mandala_model::Model;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::Span;
use mandala_model::template::{Edge, Effect, Step};
use mandala_report::document::Counterexample;
use std::rc::Rc;

/// The outcome of the search for safety, followed by those of the properties that are judged by it.
pub fn judge(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    judged: &[Judged],
    mut safety: PropertyOutcome,
) -> Result<Vec<PropertyOutcome>, CheckError> {
    let owner = match &safety.verdict {
        Verdict::Violated(found) => judged.iter().find(|j| j.name == found.violation.property),
        _ => None,
    };
    let mut verdicts: Vec<Verdict> = judged
        .iter()
        .map(|j| verdict(loaded, plan, j, &safety))
        .collect::<Result<_, _>>()?;
    if let Some(owner) = owner.and_then(|owner| judged.iter().position(|j| j == owner)) {
        let rest = without(&safety, &judged[owner].name);
        verdicts[owner] = std::mem::replace(&mut safety.verdict, rest);
    }
    let symmetry = Rc::clone(&safety.symmetry);
    let check = safety.check.clone();
    let others = judged.iter().zip(verdicts);
    let others = others.map(|(judged, verdict)| PropertyOutcome {
        check: PlannedCheck {
            name: judged.name.clone(),
            kind: judged.kind,
            ..check.clone()
        },
        verdict,
        search: None,
        symmetry: Rc::clone(&symmetry),
        judged: true,
        witness: None,
    });
    let others: Vec<PropertyOutcome> = others.collect();
    Ok(std::iter::once(safety).chain(others).collect())
}

/// What is known of safety if the violation that was found is that of an invariant.
fn without(safety: &PropertyOutcome, invariant: &str) -> Verdict {
    match &safety.search {
        Some(search) if is_only_violation(search) => Verdict::Holds,
        _ => Verdict::Unknown(format!("not decided, because `{invariant}` is violated")),
    }
}

/// Whether there is exactly one violation in all that can be reached.
fn is_only_violation(search: &SearchResult) -> bool {
    search.ending == Ending::Complete && search.violations == 1 && search.omissions.is_none()
}

fn verdict(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    judged: &Judged,
    safety: &PropertyOutcome,
) -> Result<Verdict, CheckError> {
    let Some(search) = &safety.search else {
        return Ok(safety.verdict.clone());
    };
    match judged.kind {
        CheckKind::Cover => Ok(cover(loaded, plan, judged, search)),
        CheckKind::Reachable => possible(loaded, plan, judged, safety, search),
        _ => Ok(invariant(safety, search)),
    }
}

/// What must stay possible. A search that passes states over decides nothing: what is missing may lead there.
fn possible(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    judged: &Judged,
    safety: &PropertyOutcome,
    search: &SearchResult,
) -> Result<Verdict, CheckError> {
    let unknown = |reason: String| Ok(Verdict::Unknown(reason));
    if let Some(reason) = passed_over(plan, search) {
        return unknown(reason);
    }
    if let Verdict::Violated(found) = &safety.verdict {
        return unknown(besides(found));
    }
    let mut looked_at = search.possible.iter();
    match looked_at.find(|(property, _)| *property == judged.property) {
        Some((_, Possibility::Stays)) => Ok(Verdict::Holds),
        Some((property, Possibility::Lost(path))) => {
            let (check, symmetry) = (&safety.check, &safety.symmetry);
            let found = loss(loaded, plan, check, symmetry, *property, path)?;
            Ok(Verdict::Violated(Box::new(found)))
        }
        Some((_, Possibility::Unknown(reason))) => unknown(reason.clone()),
        None => unknown(
            "whether that stays possible for ever is not found out with these options".into(),
        ),
    }
}

/// An invariant that is not the one whose violation is shown.
fn invariant(safety: &PropertyOutcome, search: &SearchResult) -> Verdict {
    match &safety.verdict {
        Verdict::Violated(_) if is_only_violation(search) => Verdict::Holds,
        Verdict::Violated(found) => Verdict::Unknown(besides(found)),
        other => other.clone(),
    }
}

fn besides(found: &Counterexample) -> String {
    format!(
        "not decided, because something else is violated: {}",
        found.violation.message
    )
}

/// Why the search has not seen everything, if it has not.
fn passed_over(plan: &CheckPlan, search: &SearchResult) -> Option<String> {
    missed::reason(plan, search).or_else(|| match &search.ending {
        Ending::Complete => None,
        Ending::Violation => Some("the search ended at a violation".into()),
        Ending::Limit(reason) => Some(reason.clone()),
        Ending::Interrupted => Some("the search was interrupted".into()),
    })
}

fn cover(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    judged: &Judged,
    search: &SearchResult,
) -> Verdict {
    let covered = search.reached.covered.get(judged.property.index());
    let covered = covered.copied().flatten();
    if covered == Some(true) {
        return Verdict::Holds;
    }
    let property = &loaded.model.properties[judged.property.index()];
    let hidden = search.reduction.is_some() && has_nodes(property);
    match passed_over(plan, search) {
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

/// The invariant that is violated if the edge or choice at that place fails.
pub fn invariant_at(model: &Model, span: Span) -> Option<&Property> {
    let checks = |property: &&Property| {
        let mut edges = match &property.kind {
            PropertyKind::Invariant { edges } => edges.iter(),
            _ => return false,
        };
        edges.any(|id| {
            let template = model.template(id.template);
            fails_at(&template.edges[id.index as usize], span)
        })
    };
    model.properties.iter().find(checks)
}

/// Whether the edge, or a choice in it, may fail at that place.
fn fails_at(edge: &Edge, span: Span) -> bool {
    let fails = |step: &Step| match step {
        Step::Guarded { effects, .. } => effects.iter().any(|e| matches!(e, Effect::Fail { .. })),
        _ => false,
    };
    match &edge.step {
        Step::Routine(routine) => {
            let mut choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.any(|choice| choice.span == span && fails(&choice.step))
        }
        step => edge.span == span && fails(step),
    }
}
