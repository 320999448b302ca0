//! Expressions without operands that change nothing.

use crate::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::fold::fold;
use crate::source::Span;

/// Decides what is known of an expression whose parts are simplified.
pub(crate) fn simplify(expr: &mut Expr) {
    fold(expr);
    let span = expr.span;
    let part = match &mut expr.kind {
        ExprKind::Binary(op, left, right) => remaining(*op, left, right, span),
        ExprKind::Conditional(condition, yes, no) => match condition.as_constant() {
            Some(0) => Some(no),
            Some(_) => Some(yes),
            None => None,
        },
        _ => None,
    };
    if let Some(part) = part {
        *expr = std::mem::replace(&mut **part, Expr::constant(0, span));
    }
}

/// The operand that decides, if the other one changes nothing. It stands where the operation does.
fn remaining<'e>(
    op: BinaryOp,
    left: &'e mut Box<Expr>,
    right: &'e mut Box<Expr>,
    span: Span,
) -> Option<&'e mut Box<Expr>> {
    let neutral = match op {
        BinaryOp::And | BinaryOp::BitAnd => 1,
        BinaryOp::Or | BinaryOp::BitOr => 0,
        _ => return None,
    };
    let is_neutral = |operand: &Expr| operand.as_constant() == Some(neutral);
    let decides = match (is_neutral(left), is_neutral(right)) {
        (true, _) if is_truth(right) => right,
        (_, true) if is_truth(left) => left,
        _ => return None,
    };
    decides.span = span;
    Some(decides)
}

/// True if the value can only be 0 or 1.
pub(crate) fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(value) => matches!(value, 0 | 1),
        ExprKind::Unary(op, _) => *op == UnaryOp::Not,
        ExprKind::Binary(BinaryOp::BitAnd | BinaryOp::BitOr, left, right) => {
            is_truth(left) && is_truth(right)
        }
        ExprKind::Binary(op, ..) => {
            op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or)
        }
        ExprKind::Quantified(quantified) => quantified.quantifier.is_condition(),
        _ => false,
    }
}
