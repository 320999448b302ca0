//! Invariant 24: declared symmetry is about things that exist.

use super::{Findings, Rule};
use crate::model::UncheckedModel;
use crate::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef, dimensions, element};
use crate::template::Role;
use crate::types::Type;

/// Checks all declared sets of names.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for set in &model.scalarsets {
        range(set, findings);
        for used in &set.uses {
            let fits = fits(model, used) && (!set.unordered || is_global_index(used));
            findings.require(fits, Rule::Scalarsets, used.span, || {
                format!("the set {} has a use that does not exist", set.name)
            });
        }
    }
}

fn range(set: &Scalarset, findings: &mut Findings) {
    let last = set.first.checked_add(i64::from(set.size) - 1);
    let fits = set.size > 0 && last.is_some();
    findings.require(fits, Rule::Scalarsets, set.span, || {
        format!("the set {} has no names", set.name)
    });
}

fn fits(model: &UncheckedModel, used: &ScalarsetUse) -> bool {
    match &used.kind {
        UseKind::Processes(id) => {
            let template = model.templates.get(id.index());
            template.is_some_and(|t| t.role == Role::Process)
        }
        UseKind::Holds { variable, path } => {
            type_of(model, *variable, path).is_some_and(|ty| matches!(element(ty), Type::Scalar(_)))
        }
        UseKind::Indexes {
            variable,
            path,
            dimension,
        } => type_of(model, *variable, path).is_some_and(|ty| *dimension < dimensions(ty)),
        UseKind::Message { kind, field } => {
            let kind = model.channel_kinds.get(kind.index());
            kind.is_some_and(|k| (*field as usize) < k.fields.len())
        }
    }
}

/// Whether the names are indices of a global variable.
fn is_global_index(used: &ScalarsetUse) -> bool {
    let UseKind::Indexes { variable, .. } = used.kind else {
        return false;
    };
    matches!(variable, VariableRef::Global(_))
}

fn type_of<'m>(model: &'m UncheckedModel, variable: VariableRef, path: &[u32]) -> Option<&'m Type> {
    model.type_at(&model.variable(variable)?.ty, path)
}
