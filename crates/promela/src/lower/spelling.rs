//! Conditions as Spin spells them.
//!
//! Spin's translation of formulas sorts conditions by their spelling, so the shape of the automaton,
//! and with it the number of states of a product, depends on it.

use crate::ast::{
    Expr, ExprKind, Field, Receive, ReceiveArgKind, ReceiveOp, RemoteRef, UnaryOp, VarRef,
};

/// The spelling of a condition.
pub(super) fn spelling(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Const(value, _) => value.to_string(),
        ExprKind::Var(v) => variable(v),
        ExprKind::Predefined(p) => p.name().to_owned(),
        ExprKind::Unary(UnaryOp::Neg, e) => format!("-{}", spelling(e)),
        ExprKind::Unary(op, e) => format!(" {}({})", op.symbol().trim(), spelling(e)),
        ExprKind::Binary(op, a, b) => format!("({}{}{})", spelling(a), op.symbol(), spelling(b)),
        ExprKind::Conditional(c, a, b) => format!(
            "( ({}) -> ({}) : ({}) )",
            spelling(c),
            spelling(a),
            spelling(b)
        ),
        ExprKind::Run(run) => format!("run {}()", run.process.name),
        ExprKind::Len(v) => format!("len({})", variable(v)),
        ExprKind::Probe(p, v) => format!("{}({})", p.name(), variable(v)),
        ExprKind::Enabled(e) => format!("enabled({})", spelling(e)),
        ExprKind::PcValue(e) => format!("pc_value({})", spelling(e)),
        ExprKind::GetPriority(e) => format!("get_priority({})", spelling(e)),
        ExprKind::Poll(receive) => poll(receive),
        ExprKind::RemoteLabel(process, label) => {
            format!("({}._p=={})", remote(process), label.name)
        }
        ExprKind::RemoteVar(process, part) => format!("{}.{}", remote(process), field(part)),
        ExprKind::Error => String::new(),
    }
}

fn variable(var: &VarRef) -> String {
    var.fields.iter().map(field).collect::<Vec<_>>().join(".")
}

fn field(field: &Field) -> String {
    match &field.index {
        Some(index) => format!("{}[{}]", field.name.name, spelling(index)),
        None => field.name.name.to_string(),
    }
}

fn remote(process: &RemoteRef) -> String {
    let pid = process
        .pid
        .as_ref()
        .map_or(String::new(), |e| format!("[{}]", spelling(e)));
    format!("{}{pid}", process.process.name)
}

fn poll(receive: &Receive) -> String {
    let op = if receive.op == ReceiveOp::Random {
        "??"
    } else {
        "?"
    };
    let args: Vec<String> = receive
        .args
        .iter()
        .map(|a| match &a.kind {
            ReceiveArgKind::Var(v) => variable(v),
            ReceiveArgKind::Const(e) => spelling(e),
            ReceiveArgKind::Eval(e) => format!("eval({})", spelling(e)),
        })
        .collect();
    format!("{}{op}[{}]", variable(&receive.channel), args.join(","))
}
