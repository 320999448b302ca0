//! Refusals of constructs that are not supported, by name and place.

use super::shapes::set_name;
use crate::typed::walk::{Part, any_part};
use crate::typed::{
    AliasTarget, Binder, ExprKind, Program, ScalarsetId, StmtKind, TypeId, TypeKind, Types,
};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::Findings;
use std::collections::HashMap;

/// Complaints about unions that cannot tell their members apart, and about properties that would change the state.
pub(super) fn unsupported(program: &Program) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    for (_, ty) in program.types.all() {
        if let TypeKind::Union(members) = &ty.kind
            && let Some(mixed) = mixed_members(&program.types, members)
        {
            findings.push(mixed);
        }
    }
    for property in keeping(program) {
        findings.push(property);
    }
    findings.into_vec()
}

/// A monitor only looks at a state, but a local multiset is in the state while it is used.
fn keeping(program: &Program) -> Vec<Diagnostic> {
    let mut keeping: Vec<bool> = Vec::new();
    for function in &program.functions {
        let has_one = function.locals.iter();
        let has_one = has_one.map(|id| program.variable(*id).ty);
        let keeps = has_one.into_iter().any(|ty| program.types.has_multiset(ty))
            || calls(program, function.body.iter().map(Part::Stmt), &keeping);
        keeping.push(keeps);
    }
    let properties = program.properties.iter();
    let wrong = properties.filter(|property| {
        let aliases = property.binders.iter().filter_map(|binder| match binder {
            Binder::Alias(id) => match &program.alias(*id).target {
                AliasTarget::Value(value) => Some(Part::Expr(value)),
                AliasTarget::Place(_) => None,
            },
            Binder::Each(_) => None,
        });
        let condition = [Part::Expr(&property.condition)];
        calls(program, aliases.chain(condition), &keeping)
    });
    let message = "a property cannot call a function that has multisets of its own";
    wrong
        .map(|property| Diagnostic::error(property.condition.span, message))
        .collect()
}

/// True if one of those functions is called.
fn calls<'p>(program: &'p Program, parts: impl Iterator<Item = Part<'p>>, such: &[bool]) -> bool {
    any_part(program, parts, |part| {
        let called = match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::Call(function, _) => function,
                _ => return false,
            },
            Part::Expr(expr) => match &expr.kind {
                ExprKind::Call(function, _) => function,
                _ => return false,
            },
        };
        such.get(called.index()).is_some_and(|such| *such)
    })
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
