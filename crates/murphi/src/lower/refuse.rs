//! What cannot be lowered yet, by name and place.

use crate::diagnostics::Findings;
use crate::typed::walk::{Part, any_part};
use crate::typed::{ExprKind, Function, FunctionId, Program, StmtKind, TypeId, TypeKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;

/// Complaints about unions, multisets and functions that call themselves.
pub(super) fn unsupported(program: &Program) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    let variables = program.variables.iter().map(|v| (&v.name, v.ty, v.span));
    let results = program.functions.iter();
    let results = results.filter_map(|f| Some((&f.name, f.result?, f.name_span)));
    for (name, ty, span) in variables.chain(results) {
        if let Some(what) = unsupported_type(program, ty) {
            let message = format!("`{name}` has a {what} type, and these are not supported yet");
            findings.push(Diagnostic::error(span, message));
        }
    }
    for (index, function) in program.functions.iter().enumerate() {
        if let Some(span) = recursive_call(program, function, FunctionId::from(index)) {
            let name = &function.name;
            let message = format!("`{name}` calls itself, and this is not supported yet");
            let help = "write it as a loop";
            findings.push(Diagnostic::error(span, message).with_help(help));
        }
    }
    findings.into_vec()
}

fn unsupported_type(program: &Program, ty: TypeId) -> Option<&'static str> {
    let types = &program.types;
    let is_union = |kind: &TypeKind| match kind {
        TypeKind::Union(_) => true,
        TypeKind::Array { index, .. } => matches!(types.kind(*index), TypeKind::Union(_)),
        _ => false,
    };
    let is_multiset = |kind: &TypeKind| matches!(kind, TypeKind::Multiset { .. });
    if types.contains(ty, is_union) {
        Some("union")
    } else if types.contains(ty, is_multiset) {
        Some("multiset")
    } else {
        None
    }
}

/// Where a function calls itself.
fn recursive_call(program: &Program, function: &Function, id: FunctionId) -> Option<Span> {
    let mut found: Option<Span> = None;
    let body = function.body.iter().map(Part::Stmt);
    any_part(program, body, |part| {
        let span = match part {
            Part::Stmt(stmt) => match stmt.kind {
                StmtKind::Call(callee, _) if callee == id => Some(stmt.span),
                _ => None,
            },
            Part::Expr(expr) => match expr.kind {
                ExprKind::Call(callee, _) if callee == id => Some(expr.span),
                _ => None,
            },
        };
        found = [found, span].into_iter().flatten().min();
        false
    });
    found
}
