//! Removal of monitors, for a property that names none.
//!
//! Invariants, covers and the like are decided by monitors, which look at every state. A property of whole runs does not ask for any of them: what
//! they report is a matter of safety, and what they tell apart is no reason for the property to do without a symmetry.

use crate::reverify::{RewriteDefect, reverify};
use mandala_model::ids::CodeId;
use mandala_model::property::PropertyKind;
use mandala_model::symmetry::{UseKind, VariableRef};
use mandala_model::{Model, UncheckedModel};

/// The model without its monitors, or nothing if there are none.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn without_monitors(model: &Model) -> Result<Option<Model>, RewriteDefect> {
    if model.monitors.is_empty() {
        return Ok(None);
    }
    let mut rewritten = UncheckedModel::clone(model);
    rewritten.monitors.clear();
    rewritten.monitor_scratch.clear();
    for property in &mut rewritten.properties {
        forget_monitors(&mut property.kind);
    }
    for set in &mut rewritten.scalarsets {
        set.uses.retain(|used| !is_of_monitors(&used.kind));
    }
    reverify("the removal of monitors", rewritten).map(Some)
}

/// Whether names are said to occur in a variable of monitors.
fn is_of_monitors(used: &UseKind) -> bool {
    match used {
        UseKind::Holds { variable, .. } | UseKind::Indexes { variable, .. } => {
            matches!(variable, VariableRef::Monitor(_))
        }
        UseKind::Processes(_) | UseKind::Message { .. } => false,
    }
}

/// Leaves of a property what it says of steps.
fn forget_monitors(kind: &mut PropertyKind) {
    match kind {
        PropertyKind::Invariant { monitors } | PropertyKind::Reachable { monitors, .. } => {
            monitors.clear();
        }
        PropertyKind::Cover { monitors, nodes } => {
            monitors.clear();
            nodes.retain(|(code, _)| !matches!(code, CodeId::Monitor(_)));
        }
        PropertyKind::Remark { nodes } => {
            nodes.retain(|(code, _)| !matches!(code, CodeId::Monitor(_)));
        }
        PropertyKind::Never { .. }
        | PropertyKind::NoRun(_)
        | PropertyKind::Ctl { .. }
        | PropertyKind::Query { .. }
        | PropertyKind::Events { .. } => {}
    }
}
