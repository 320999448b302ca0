//! Invariants 25 and 26: what systems of rules have, and what they do without.

use super::{Findings, Rule};
use crate::model::UncheckedModel;
use crate::template::{Edge, Role, Step, Template};

/// Checks edges that observe, and that nobody else does where there are some.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for template in &model.templates {
        findings.enter_template(&template.name);
        for (index, edge) in template.edges.iter().enumerate() {
            findings.edge = Some(index as u32);
            observing(template, edge, findings);
        }
    }
    findings.leave_template();
    if model.is_system_of_rules() {
        alone(model, findings);
    }
}

fn observing(template: &Template, edge: &Edge, findings: &mut Findings) {
    let plain = matches!(edge.step, Step::Guarded { .. } | Step::Routine(_));
    let stays = edge.source == edge.target && edge.escape == 0;
    let free = template.role == Role::Process && template.provided.is_none();
    let holds = !edge.observes() || (plain && stays && free);
    findings.require(holds, Rule::Observing, edge.span, || {
        "an edge that observes moves, waits, escapes or has a condition from outside".into()
    });
}

fn alone(model: &UncheckedModel, findings: &mut Findings) {
    let is_events = |t: &Template| matches!(t.role, Role::Events(_));
    let nobody = !model.templates.iter().any(is_events);
    findings.require(nobody && !model.prioritised, Rule::Alone, None, || {
        "a system of rules has priorities or an observer of events".into()
    });
    let somebody = !model.start_held || !model.start.is_empty();
    findings.require(somebody, Rule::Alone, None, || {
        "nobody is there to hold control at the start".into()
    });
}
