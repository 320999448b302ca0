//! Invariant 22: properties name the observers, the monitors, the nodes and the conditions that they need.

use super::{Findings, Rule};
use crate::ids::{CodeId, ConditionId, EdgeId, MonitorId, NodeId, TemplateId};
use crate::model::UncheckedModel;
use crate::property::{Indices, Property, PropertyKind, RunQuestion};
use crate::template::{Edge, Role};
use crate::types::{Initial, Type};
use mandala_temporal::StateId;
use std::collections::{BTreeSet, HashMap};

/// Checks all properties.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for property in &model.properties {
        let what = match &property.kind {
            PropertyKind::Never { claim } => has_role(model, *claim, |role| role == Role::Claim),
            PropertyKind::NoRun(question) => missing(model, &property.kind)
                .or_else(|| unknown_state(question))
                .or_else(|| unfit_index(&question.indices)),
            PropertyKind::Ctl { indices, .. } => {
                missing(model, &property.kind).or_else(|| unfit_index(indices))
            }
            PropertyKind::Query { .. } => missing(model, &property.kind),
            PropertyKind::Events { observer } => {
                has_role(model, *observer, |role| matches!(role, Role::Events(_)))
            }
            PropertyKind::Invariant { monitors } | PropertyKind::Reachable { monitors, .. } => {
                missing_monitor(model, monitors)
            }
            PropertyKind::Cover { monitors, nodes } => {
                missing_monitor(model, monitors).or_else(|| missing_node(model, nodes))
            }
            PropertyKind::Remark { nodes } => missing_node(model, nodes),
        };
        refuse(property, what, findings);
    }
    require_one_owner(model, findings);
    require_asked(model, findings);
}

/// What there is none of, among nodes of routines.
fn missing_node(model: &UncheckedModel, nodes: &[(CodeId, NodeId)]) -> Option<String> {
    let mut nodes = nodes.iter();
    let missing = nodes.find(|(code, node)| !has_node(model, *code, *node));
    missing.map(|(code, node)| match code {
        CodeId::Edge(edge) => format!("{node} of edge {} of {}", edge.index, edge.template),
        CodeId::Monitor(monitor) => format!("{node} of {monitor}"),
        CodeId::Function(function) => format!("{node} of {function}"),
    })
}

/// Every condition is asked by some property.
fn require_asked(model: &UncheckedModel, findings: &mut Findings) {
    let asked = model.properties.iter().flat_map(|p| p.kind.conditions());
    let asked: BTreeSet<ConditionId> = asked.collect();
    for (id, condition) in (0..).map(ConditionId).zip(&model.conditions) {
        let span = condition.condition.span;
        findings.require(asked.contains(&id), Rule::Properties, span, || {
            format!("no property asks the condition {id}")
        });
    }
}

/// A monitor belongs to one property: what it reports is that property's.
fn require_one_owner(model: &UncheckedModel, findings: &mut Findings) {
    let mut owners = HashMap::new();
    for (number, property) in model.properties.iter().enumerate() {
        for monitor in property.kind.monitors() {
            let owner = *owners.entry(*monitor).or_insert(number);
            findings.require(owner == number, Rule::Properties, property.span, || {
                let (name, other) = (&property.name, &model.properties[owner].name);
                format!("{monitor} belongs to two properties, {other} and {name}")
            });
        }
    }
    for (id, monitor) in (0..).map(MonitorId).zip(&model.monitors) {
        let owned = owners.contains_key(&id);
        findings.require(owned, Rule::Properties, monitor.span, || {
            format!("no property names {id}")
        });
    }
}

fn refuse(property: &Property, what: Option<String>, findings: &mut Findings) {
    if let Some(what) = what {
        findings.require(false, Rule::Properties, property.span, || {
            format!(
                "the property {} names {what}, which is no such observer",
                property.name
            )
        });
    }
}

/// What is wrong with the template that a property names.
fn has_role(model: &UncheckedModel, id: TemplateId, wants: fn(Role) -> bool) -> Option<String> {
    let template = model.templates.get(id.index());
    let fits = template.is_some_and(|t| wants(t.role));
    (!fits).then(|| id.to_string())
}

/// A condition that a property asks and the model does not have.
fn missing(model: &UncheckedModel, kind: &PropertyKind) -> Option<String> {
    let mut conditions = kind.conditions().into_iter();
    let missing = conditions.find(|id| id.index() >= model.conditions.len());
    missing.map(|id| id.to_string())
}

/// A state that the automaton of a property names and does not have.
fn unknown_state(question: &RunQuestion) -> Option<String> {
    let automaton = &question.automaton;
    let targets = automaton.transitions().map(|transition| transition.target);
    let mut named = targets.chain(automaton.accept_all).chain([StateId(0)]);
    let unknown = named.find(|state| state.0 >= automaton.states.len());
    unknown.map(|state| format!("the state {} of its automaton", state.0))
}

/// An index without values, or with one that does not fit its type.
fn unfit_index(indices: &Indices) -> Option<String> {
    let (variables, values) = (&indices.variables, &indices.values);
    if variables.len() != values.len() {
        return Some("values for other variables".into());
    }
    let mut pairs = variables.iter().zip(values);
    let unfit = pairs.find(|(variable, values)| {
        let fits = |value: &i64| match variable.ty {
            Type::Scalar(scalar) => scalar.store(*value) == Some(*value),
            _ => false,
        };
        values.is_empty() || !values.iter().all(fits) || variable.initial != Initial::Default
    });
    let unfit = unfit.map(|(variable, _)| format!("the index {}", variable.name));
    unfit.or_else(|| {
        (indices.count() > MOST_COMBINATIONS).then(|| "too many combinations of indices".into())
    })
}

/// Indices have no more combinations: each of them is an edge of what chooses them.
const MOST_COMBINATIONS: u32 = 1 << 20;

/// The first of the monitors that there is not.
fn missing_monitor(model: &UncheckedModel, monitors: &[MonitorId]) -> Option<String> {
    let mut monitors = monitors.iter();
    let missing = monitors.find(|id| id.index() >= model.monitors.len());
    missing.map(ToString::to_string)
}

fn has_node(model: &UncheckedModel, code: CodeId, node: NodeId) -> bool {
    let routine = match code {
        CodeId::Edge(id) => edge(model, id).and_then(|edge| edge.step.routine()),
        CodeId::Monitor(id) => {
            let monitor = model.monitors.get(id.index());
            monitor.and_then(|monitor| monitor.step.routine())
        }
        CodeId::Function(id) => model.functions.get(id.index()).map(|f| &f.body),
    };
    routine.is_some_and(|routine| node.index() < routine.nodes.len())
}

fn edge(model: &UncheckedModel, id: EdgeId) -> Option<&Edge> {
    let template = model.templates.get(id.template.index())?;
    template.edges.get(id.index as usize)
}
