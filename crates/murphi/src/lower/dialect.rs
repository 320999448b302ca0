//! Which tool a model is written for.
//!
//! The meaning of a model is that of Rumur. Where CMurphi differs, a model gets its meaning if it uses what only CMurphi has: unions,
//! multisets, or `undefined` as an argument.

use crate::typed::walk::{Part, any_part};
use crate::typed::{Argument, ExprKind, Program, StmtKind, TypeKind};

/// True if Rumur would not accept the model.
pub(super) fn is_of_cmurphi(program: &Program) -> bool {
    let mut types = program.types.all();
    let has_type =
        types.any(|(_, ty)| matches!(ty.kind, TypeKind::Union(_) | TypeKind::Multiset { .. }));
    has_type || passes_undefined(program)
}

/// True if `undefined` is an argument of a call that is a statement or a part of one.
fn passes_undefined(program: &Program) -> bool {
    let functions = program.functions.iter().flat_map(|function| &function.body);
    let rules = program.rules.iter().flat_map(|rule| &rule.body);
    let starts = program.start_states.iter().flat_map(|start| &start.body);
    let guards = program.rules.iter().filter_map(|rule| rule.guard.as_ref());
    let conditions = program
        .properties
        .iter()
        .map(|property| &property.condition);
    let stmts = functions.chain(rules).chain(starts).map(Part::Stmt);
    let exprs = guards.chain(conditions).map(Part::Expr);
    any_part(program, stmts.chain(exprs), |part| {
        let arguments = match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::Call(_, arguments) => arguments,
                _ => return false,
            },
            Part::Expr(expr) => match &expr.kind {
                ExprKind::Call(_, arguments) => arguments,
                _ => return false,
            },
        };
        arguments.contains(&Argument::Undefined)
    })
}
