//! Values that are known before the model runs.

use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};

/// The value of an expression that reads nothing, as long as no overflow is near: what a 32-bit
/// and a 64-bit language could disagree about is left to the run.
pub(crate) fn constant_value(expr: &Expr) -> Option<i64> {
    let value = match &expr.kind {
        ExprKind::Const(value) => *value,
        ExprKind::Unary(op, operand) => unary(*op, constant_value(operand)?)?,
        ExprKind::Binary(op, left, right) => {
            binary(*op, constant_value(left)?, constant_value(right)?)?
        }
        _ => return None,
    };
    i32::try_from(value).ok().map(i64::from)
}

fn unary(op: UnaryOp, value: i64) -> Option<i64> {
    match op {
        UnaryOp::Negate => value.checked_neg(),
        UnaryOp::Not => Some(i64::from(value == 0)),
        UnaryOp::BitNot => Some(!value),
        UnaryOp::Defined => (value != 0).then_some(value),
    }
}

/// Operations that can fail are not folded.
fn binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let truth = |value: bool| Some(i64::from(value));
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Equal => truth(a == b),
        BinaryOp::NotEqual => truth(a != b),
        BinaryOp::Less => truth(a < b),
        BinaryOp::LessEqual => truth(a <= b),
        BinaryOp::Greater => truth(a > b),
        BinaryOp::GreaterEqual => truth(a >= b),
        BinaryOp::And => truth(a != 0 && b != 0),
        BinaryOp::Or => truth(a != 0 || b != 0),
        BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => None,
    }
}
