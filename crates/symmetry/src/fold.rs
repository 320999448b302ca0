//! Operations on constants, as the model's arithmetic has them; `None` where the operation would fail.

use mandala_model::expr::{BinaryOp, UnaryOp};
use mandala_model::model::Arithmetic;

/// An operation on one constant.
pub(crate) fn unary(arithmetic: Arithmetic, op: UnaryOp, value: i64) -> Option<i64> {
    match op {
        UnaryOp::Not => Some(i64::from(value == 0)),
        UnaryOp::Negate => cut(arithmetic, value.checked_neg(), value.wrapping_neg()),
        UnaryOp::BitNot => cut(arithmetic, Some(!value), !value),
        UnaryOp::Defined => (value != 0).then_some(value),
    }
}

/// An operation on two constants.
pub(crate) fn binary(arithmetic: Arithmetic, op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let truth = |holds: bool| Some(i64::from(holds));
    match op {
        BinaryOp::Add => cut(arithmetic, a.checked_add(b), a.wrapping_add(b)),
        BinaryOp::Subtract => cut(arithmetic, a.checked_sub(b), a.wrapping_sub(b)),
        BinaryOp::Multiply => cut(arithmetic, a.checked_mul(b), a.wrapping_mul(b)),
        BinaryOp::Divide if b == 0 => None,
        BinaryOp::Divide => cut(arithmetic, a.checked_div(b), a.wrapping_div(b)),
        BinaryOp::Modulo if b == 0 => None,
        BinaryOp::Modulo => Some(a.wrapping_rem(b)),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => shift(arithmetic, op, a, b),
        BinaryOp::Equal => truth(a == b),
        BinaryOp::NotEqual => truth(a != b),
        BinaryOp::Less => truth(a < b),
        BinaryOp::LessEqual => truth(a <= b),
        BinaryOp::Greater => truth(a > b),
        BinaryOp::GreaterEqual => truth(a >= b),
        BinaryOp::And => truth(a != 0 && b != 0),
        BinaryOp::Or => truth(a != 0 || b != 0),
    }
}

/// How many bits a number has for the purposes of shifting it.
pub(crate) fn width(arithmetic: Arithmetic) -> i64 {
    match arithmetic {
        Arithmetic::Wrapping32 => 32,
        Arithmetic::Checked64 => 64,
    }
}

fn shift(arithmetic: Arithmetic, op: BinaryOp, value: i64, by: i64) -> Option<i64> {
    if !(0..width(arithmetic)).contains(&by) {
        return None;
    }
    if op == BinaryOp::ShiftRight {
        return Some(value >> by);
    }
    let shifted = value << by;
    let exact = (shifted >> by == value).then_some(shifted);
    cut(arithmetic, exact, shifted)
}

fn cut(arithmetic: Arithmetic, exact: Option<i64>, wrapped: i64) -> Option<i64> {
    match arithmetic {
        Arithmetic::Wrapping32 => Some(i64::from(exact.unwrap_or(wrapped) as i32)),
        Arithmetic::Checked64 => exact,
    }
}
