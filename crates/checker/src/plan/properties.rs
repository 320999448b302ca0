//! The properties that there are, and those of them that are checked.
//!
//! This is the one place where names of properties are compared, as people select by name. From here on a property is known by its
//! [`Subject`].

use super::{Decision, Judged, NotSelected, PlanError, Question, Scope, Subject};
use crate::assertions::assertions;
use crate::liveness::{automaton_has_accepting_cycle, claim_has_accepting_cycle};
use crate::options::{CheckOptions, Deadlock, NEVER, SAFETY, Selection};
use mandala_model::Model;
use mandala_model::ids::{PropertyId, TemplateId};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::step::Observers;

/// What is checked: the searches, and what is judged by the search for safety.
pub(super) fn selected(
    model: &Model,
    options: &CheckOptions,
) -> Result<(Vec<Question>, Vec<Judged>), PlanError> {
    let (checks, judged) = (checks(model, options.deadlock), judged(model));
    let (mut checks, judged) = match &options.properties {
        Selection::Everything => (checks, judged),
        Selection::Named(names) => select(checks, judged, &all_named(model, names)?),
    };
    if checks.is_empty() {
        return Err(PlanError::NothingSelected);
    }
    for check in &mut checks {
        if check.subject == Subject::Safety {
            check.invariants = invariants(model, &judged);
        }
    }
    Ok((checks, judged))
}

fn invariants(model: &Model, judged: &[Judged]) -> Vec<PropertyId> {
    let is_invariant = |id: &PropertyId| {
        let kind = &model.properties[id.index()].kind;
        matches!(kind, PropertyKind::Invariant { .. })
    };
    let judged = judged.iter().map(|judged| judged.property);
    judged.filter(is_invariant).collect()
}

/// What is wanted of all that can be checked. Who wants what is judged by the search for safety gets that search, too.
fn select(
    mut checks: Vec<Question>,
    mut judged: Vec<Judged>,
    wanted: &[Subject],
) -> (Vec<Question>, Vec<Judged>) {
    judged.retain(|judged| wanted.contains(&Subject::Stated(judged.property)));
    let judges = !judged.is_empty();
    checks.retain(|check| {
        wanted.contains(&check.subject) || judges && check.subject == Subject::Safety
    });
    (checks, judged)
}

/// What could be checked and is not. Of safety only assertions and deadlocks: a run-time error matters to every property.
pub(super) fn not_selected(
    model: &Model,
    checks: &[Question],
    judged: &[Judged],
) -> Vec<NotSelected> {
    let safety = checks.iter().find(|check| check.subject == Subject::Safety);
    let parts: &[&str] = match safety.map(|check| check.scope) {
        None => &[ASSERTIONS, DEADLOCK],
        Some(Scope::System(Deadlock::Ignore)) => &[DEADLOCK],
        Some(_) => &[],
    };
    let parts = parts.iter().map(|part| (Subject::Safety, *part));
    let is_checked = |subject: Subject| {
        checks.iter().any(|check| check.subject == subject)
            || judged
                .iter()
                .any(|judged| Subject::Stated(judged.property) == subject)
    };
    let stated = stated(model).map(|(id, property)| (Subject::Stated(id), property.name.as_str()));
    let stated = stated.filter(|(subject, _)| !is_checked(*subject));
    let left = parts.chain(stated);
    let left = left.map(|(subject, name)| NotSelected {
        subject,
        name: name.into(),
    });
    left.collect()
}

/// The parts of safety that are not looked for where safety is not selected.
const ASSERTIONS: &str = "assertions";
const DEADLOCK: &str = "deadlock";

/// All that the names stand for.
fn all_named(model: &Model, names: &[String]) -> Result<Vec<Subject>, PlanError> {
    let mut all = Vec::new();
    for name in names {
        let found = named(model, name);
        if found.is_empty() {
            return Err(no_such_property(model, name));
        }
        all.extend(found);
    }
    Ok(all)
}

/// All that a name stands for, as `--property` takes it. [`NEVER`] also names the only never claim, whatever its name is.
pub fn named(model: &Model, name: &str) -> Vec<Subject> {
    let stated = stated(model).filter(|(_, property)| property.name == name);
    let stated = stated.map(|(id, _)| Subject::Stated(id));
    let safety = (name == SAFETY).then_some(Subject::Safety);
    let named: Vec<Subject> = safety.into_iter().chain(stated).collect();
    match named.is_empty() && name == NEVER {
        true => only_never(model).into_iter().collect(),
        false => named,
    }
}

/// The error that says which names there are.
pub(crate) fn no_such_property(model: &Model, name: &str) -> PlanError {
    let mut known = vec![SAFETY.to_string()];
    for (_, property) in stated(model) {
        if !known.contains(&property.name) {
            known.push(property.name.clone());
        }
    }
    PlanError::NoSuchProperty {
        name: name.to_string(),
        known,
    }
}

/// The properties that can be selected. The observer of messages is a part of safety, and a remark claims nothing.
fn stated(model: &Model) -> impl Iterator<Item = (PropertyId, &Property)> {
    let properties = (0..).map(PropertyId).zip(&model.properties);
    let is_none = |kind: &_| {
        matches!(
            kind,
            PropertyKind::Events { .. } | PropertyKind::Remark { .. }
        )
    };
    properties.filter(move |(_, property)| !is_none(&property.kind))
}

fn only_never(model: &Model) -> Option<Subject> {
    let mut nevers = stated(model).filter(|(_, property)| property.kind.is_given_claim());
    let first = nevers.next();
    let only = first.filter(|_| nevers.next().is_none());
    only.map(|(id, _)| Subject::Stated(id))
}

/// The search that decides a property.
pub fn check_of(model: &Model, subject: Subject) -> Question {
    let events = events(model);
    let stated = subject.property();
    let stated = stated.and_then(|property| claim_check(model, property, events));
    stated.unwrap_or_else(|| Question {
        invariants: invariants(model, &judged(model)),
        ..safety(Deadlock::default(), events)
    })
}

/// Everything that the model states: its safety first, then its claims in order.
fn checks(model: &Model, deadlock: Deadlock) -> Vec<Question> {
    let events = events(model);
    let claims = stated(model).filter_map(|(id, _)| claim_check(model, id, events));
    std::iter::once(safety(deadlock, events))
        .chain(claims)
        .collect()
}

/// The observer of messages, if there is one.
fn events(model: &Model) -> Option<TemplateId> {
    model.properties.iter().find_map(|p| match p.kind {
        PropertyKind::Events { observer } => Some(observer),
        _ => None,
    })
}

fn safety(deadlock: Deadlock, events: Option<TemplateId>) -> Question {
    Question {
        subject: Subject::Safety,
        name: SAFETY.into(),
        scope: Scope::System(deadlock),
        invariants: Vec::new(),
        observers: Observers {
            events,
            ..Observers::default()
        },
        claim_assertions: Vec::new(),
        decision: Decision::Full,
    }
}

/// The search for a property, if it needs one of its own.
fn claim_check(model: &Model, id: PropertyId, events: Option<TemplateId>) -> Option<Question> {
    let property = &model.properties[id.index()];
    let claim = model.claim_of(id);
    let asked = Some(id).filter(|_| is_asked_of_graph(&property.kind));
    if claim.is_none() && asked.is_none() {
        return None;
    }
    let decision = decision(model, &property.kind);
    let runs = claim.map(|claim| model.template(model.runnable(claim)));
    let edges = runs.into_iter().flat_map(|template| &template.edges);
    let assertions = edges.flat_map(|edge| assertions(edge).map(|(condition, _)| condition.span));
    Some(Question {
        subject: Subject::Stated(id),
        name: property.name.clone(),
        scope: Scope::Property,
        invariants: Vec::new(),
        observers: Observers {
            claim,
            events,
            asked,
        },
        claim_assertions: assertions.collect(),
        decision,
    })
}

/// Whether a property asks conditions of the states of the whole graph.
fn is_asked_of_graph(kind: &PropertyKind) -> bool {
    matches!(kind, PropertyKind::Ctl { .. } | PropertyKind::Query { .. })
}

/// How a property of whole runs is decided.
fn decision(model: &Model, kind: &PropertyKind) -> Decision {
    let has_cycle = match kind {
        PropertyKind::Ctl { .. } => return Decision::Branching,
        PropertyKind::Query { .. } => return Decision::Value,
        PropertyKind::NoRun(question) => automaton_has_accepting_cycle(&question.automaton),
        PropertyKind::Never { claim } => claim_has_accepting_cycle(model.template(*claim)),
        _ => false,
    };
    match has_cycle {
        true => Decision::Cycles,
        false => Decision::Full,
    }
}

/// The properties that need no search of their own.
fn judged(model: &Model) -> Vec<Judged> {
    let is_judged = |kind: &PropertyKind| match kind {
        PropertyKind::Invariant { .. }
        | PropertyKind::Cover { .. }
        | PropertyKind::Reachable { .. } => true,
        PropertyKind::Never { .. }
        | PropertyKind::NoRun(_)
        | PropertyKind::Ctl { .. }
        | PropertyKind::Query { .. }
        | PropertyKind::Remark { .. }
        | PropertyKind::Events { .. } => false,
    };
    let judged = stated(model).filter(|(_, stated)| is_judged(&stated.kind));
    let judged = judged.map(|(property, stated)| Judged {
        name: stated.name.clone(),
        property,
    });
    judged.collect()
}
