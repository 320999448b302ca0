//! Invariant 32: what is left to chance.

use super::{Findings, Rule};
use crate::chance::{Outcome, Quantity, Stochastic};
use crate::model::UncheckedModel;
use crate::property::PropertyKind;
use crate::template::{Edge, Role, Step, Template};
use dashu_ratio::RBig;
use mandala_temporal::pctl::Measure;

/// Checks outcomes, structures of rewards, and the queries about them.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for template in &model.templates {
        findings.enter_template(&template.name);
        for (index, edge) in template.edges.iter().enumerate() {
            findings.edge = Some(index as u32);
            if let Some(outcome) = &edge.outcome {
                require_plain(model.stochastic, template, edge, findings);
                require_weight(outcome, edge, findings);
            }
        }
    }
    findings.leave_template();
    if let (None, Some(rewards)) = (model.stochastic, model.rewards.first()) {
        findings.require(false, Rule::Chance, rewards.span, || {
            "a model without chance has rewards".into()
        });
    }
    queries(model, findings);
}

/// An outcome is a step of a process by itself.
fn require_plain(
    stochastic: Option<Stochastic>,
    template: &Template,
    edge: &Edge,
    findings: &mut Findings,
) {
    let is_plain = matches!(edge.step, Step::Guarded { .. } | Step::Routine(_))
        && edge.escape == 0
        && edge.parameters.is_empty();
    let is_free = template.role == Role::Process && !template.deterministic;
    let fits = stochastic.is_some() && is_plain && is_free;
    findings.require(fits, Rule::Chance, edge.span, || {
        "an outcome has parameters, is no step by itself, or belongs to a model without chance"
            .into()
    });
}

/// A weight that is known is positive.
fn require_weight(outcome: &Outcome, edge: &Edge, findings: &mut Findings) {
    let positive = match &outcome.weight {
        Quantity::Constant(weight) => *weight > RBig::ZERO,
        _ => true,
    };
    findings.require(positive, Rule::Chance, edge.span, || {
        "the weight of an outcome is not positive".into()
    });
}

/// Queries are about models with chance, and about structures of rewards that there are.
fn queries(model: &UncheckedModel, findings: &mut Findings) {
    for property in &model.properties {
        let PropertyKind::Query { query } = &property.kind else {
            continue;
        };
        let mut fits = model.stochastic.is_some();
        query.each_measure(&mut |measure| {
            if let Measure::Reward { structure, .. } = measure {
                fits &= *structure < model.rewards.len();
            }
        });
        findings.require(fits, Rule::Chance, property.span, || {
            let name = &property.name;
            format!("the query {name} is about a model without chance, or about rewards that there are not")
        });
    }
}
