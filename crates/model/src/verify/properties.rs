//! Invariant 22: properties name the observers that they need.

use super::{Findings, Rule};
use crate::model::UncheckedModel;
use crate::property::PropertyKind;
use crate::template::Role;

/// Checks all properties.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for property in &model.properties {
        let (id, wants): (_, fn(Role) -> bool) = match &property.kind {
            PropertyKind::Never { claim } | PropertyKind::Ltl { claim, .. } => {
                (*claim, |role| role == Role::Claim)
            }
            PropertyKind::Events { observer } => {
                (*observer, |role| matches!(role, Role::Events(_)))
            }
        };
        let template = model.templates.get(id.index());
        let fits = template.is_some_and(|t| wants(t.role));
        findings.require(fits, Rule::Properties, property.span, || {
            format!(
                "the property {} names {id}, which is no such observer",
                property.name
            )
        });
    }
}
