//! What cannot be lowered yet, by name and place.

use super::shapes::set_name;
use crate::typed::{Program, ScalarsetId, TypeId, TypeKind, Types};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::Findings;
use std::collections::HashMap;

/// Complaints about unions that cannot tell their members apart.
pub(super) fn unsupported(program: &Program) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    for (_, ty) in program.types.all() {
        if let TypeKind::Union(members) = &ty.kind
            && let Some(mixed) = mixed_members(&program.types, members)
        {
            findings.push(mixed);
        }
    }
    findings.into_vec()
}

/// Two scalarsets whose values are mixed elsewhere are one set, so a union of both would not say which of them a value
/// belongs to.
fn mixed_members(types: &Types, members: &[TypeId]) -> Option<Diagnostic> {
    let mut known: HashMap<ScalarsetId, ScalarsetId> = HashMap::new();
    for member in members {
        if let TypeKind::Scalarset(set) = *types.kind(*member)
            && let Some(other) = known.insert(types.scalarset(set).representative, set)
        {
            let (a, b) = (set_name(types, other), set_name(types, set));
            let message = format!("`{a}` and `{b}` are members of a union, but elsewhere mixed");
            let found = Diagnostic::error(types.scalarset(set).span, message);
            return Some(found.with_help("use one of them where values are mixed"));
        }
    }
    None
}
