//! The values of constant expressions.

use crate::typed::{BinaryOp, Expr, ExprKind, Number, UnaryOp};
use mandala_model::findings::{Fallible, error};
use mandala_model::source::Span;

/// The value of an expression, if it is constant: what decides it reads no variable, calls no function and has no
/// quantifier.
pub(super) fn fold(expr: &Expr) -> Fallible<Option<Number>> {
    fold_with(expr, from_the_left)
}

/// The value of an expression in a declaration, which is never evaluated when the model runs. So
/// operands that cannot change the value do not matter: `0 * f()` is 0, as in Rumur.
pub(super) fn fold_declared(expr: &Expr) -> Fallible<Option<Number>> {
    fold_with(expr, from_either_side)
}

/// How a value may follow from one operand alone.
type OneSided = fn(BinaryOp, Option<Number>, Option<Number>) -> Option<Number>;

fn fold_with(expr: &Expr, one_sided: OneSided) -> Fallible<Option<Number>> {
    let fold = |expr: &Expr| fold_with(expr, one_sided);
    Ok(match &expr.kind {
        ExprKind::Constant(value) => Some(*value),
        ExprKind::Unary(op, operand) => fold(operand)?.map(|operand| unary(*op, operand)),
        ExprKind::Binary(op, left, right) => {
            let left = fold(left)?;
            if let Some(decided) = from_the_left(*op, left, None) {
                return Ok(Some(decided));
            }
            match (left, fold(right)?) {
                (Some(left), Some(right)) => Some(checked_binary(*op, left, right, expr.span)?),
                (left, right) => one_sided(*op, left, right),
            }
        }
        // What is not chosen need not have a value: `N = 0 ? 1 : 12 / N`.
        ExprKind::Conditional(parts) => match fold(&parts[0])? {
            Some(0) => fold(&parts[2])?,
            Some(_) => fold(&parts[1])?,
            None => None,
        },
        _ => None,
    })
}

/// The value that the left operand decides, so that the right one is not evaluated.
fn from_the_left(op: BinaryOp, left: Option<Number>, _: Option<Number>) -> Option<Number> {
    match (op, left?) {
        (BinaryOp::And, 0) => Some(0),
        (BinaryOp::Or, 1) | (BinaryOp::Implies, 0) => Some(1),
        _ => None,
    }
}

/// The value that one operand decides, whatever the other is.
fn from_either_side(op: BinaryOp, left: Option<Number>, right: Option<Number>) -> Option<Number> {
    match (op, right) {
        (BinaryOp::And, Some(0)) => return Some(0),
        (BinaryOp::Or | BinaryOp::Implies, Some(1)) => return Some(1),
        _ => {}
    }
    let decides = match op {
        BinaryOp::Multiply | BinaryOp::BitAnd => left == Some(0) || right == Some(0),
        BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            left == Some(0)
        }
        _ => false,
    };
    decides.then_some(0)
}

/// Complains about numbers that no 64 bits can hold.
pub(super) fn check_width(value: Number, span: Span) -> Fallible<()> {
    if (i64::MIN.into()..=u64::MAX.into()).contains(&value) {
        return Ok(());
    }
    Err(error(span, format!("{value} does not fit into 64 bits")))
}

fn unary(op: UnaryOp, operand: Number) -> Number {
    match op {
        UnaryOp::Not => Number::from(operand == 0),
        UnaryOp::Negate => operand.saturating_neg(),
        UnaryOp::BitNot => !operand,
    }
}

fn checked_binary(op: BinaryOp, left: Number, right: Number, span: Span) -> Fallible<Number> {
    if right == 0 && matches!(op, BinaryOp::Divide | BinaryOp::Modulo) {
        return Err(error(
            span,
            format!("{left} {} 0 has no value", op.symbol()),
        ));
    }
    match binary(op, left, right) {
        Some(value) => Ok(value),
        None => Err(error(span, "the value of this expression is too large")),
    }
}

fn binary(op: BinaryOp, left: Number, right: Number) -> Option<Number> {
    let truth = |value: bool| Some(Number::from(value));
    match op {
        BinaryOp::Implies => truth(left == 0 || right != 0),
        BinaryOp::Or => truth(left != 0 || right != 0),
        BinaryOp::And => truth(left != 0 && right != 0),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::Less => truth(left < right),
        BinaryOp::LessEqual => truth(left <= right),
        BinaryOp::Equal => truth(left == right),
        BinaryOp::NotEqual => truth(left != right),
        BinaryOp::GreaterEqual => truth(left >= right),
        BinaryOp::Greater => truth(left > right),
        BinaryOp::ShiftLeft => shift_left(left, right),
        BinaryOp::ShiftRight => shift_left(left, right.checked_neg()?),
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide => left.checked_div(right),
        BinaryOp::Modulo => left.checked_rem(right),
    }
}

/// A shift by a negative number goes the other way, as in Rumur. To the right, the sign stays.
fn shift_left(value: Number, by: Number) -> Option<Number> {
    if by < 0 {
        return Some(value >> by.unsigned_abs().min(127));
    }
    if value == 0 || by == 0 {
        return Some(value);
    }
    // Beyond 64 bits nothing fits anyway.
    if by > 64 {
        None
    } else {
        value.checked_mul(1 << by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_go_both_ways() {
        assert_eq!(binary(BinaryOp::ShiftLeft, 3, 2), Some(12));
        assert_eq!(binary(BinaryOp::ShiftLeft, 12, -2), Some(3));
        assert_eq!(binary(BinaryOp::ShiftRight, -5, 1), Some(-3));
        assert_eq!(binary(BinaryOp::ShiftRight, 3, -2), Some(12));
        assert_eq!(binary(BinaryOp::ShiftRight, 5, 1000), Some(0));
        assert_eq!(binary(BinaryOp::ShiftLeft, 0, 1000), Some(0));
        assert_eq!(binary(BinaryOp::ShiftLeft, 1, 1000), None);
    }

    #[test]
    fn zero_decides_alone_where_it_can() {
        assert_eq!(from_either_side(BinaryOp::Multiply, None, Some(0)), Some(0));
        assert_eq!(from_either_side(BinaryOp::Modulo, Some(0), None), Some(0));
        assert_eq!(from_either_side(BinaryOp::Modulo, None, Some(0)), None);
        assert_eq!(from_either_side(BinaryOp::Multiply, Some(1), None), None);
        assert_eq!(from_either_side(BinaryOp::Add, Some(0), None), None);
        assert_eq!(from_either_side(BinaryOp::Implies, None, Some(1)), Some(1));
        assert_eq!(from_the_left(BinaryOp::Implies, Some(0), None), Some(1));
        assert_eq!(from_the_left(BinaryOp::And, Some(1), None), None);
    }

    #[test]
    fn division_goes_towards_zero() {
        assert_eq!(binary(BinaryOp::Divide, -7, 2), Some(-3));
        assert_eq!(binary(BinaryOp::Modulo, -7, 2), Some(-1));
    }

    #[test]
    fn nothing_overflows() {
        assert_eq!(binary(BinaryOp::Multiply, Number::MAX, 2), None);
        assert_eq!(binary(BinaryOp::Divide, Number::MIN, -1), None);
        assert_eq!(binary(BinaryOp::ShiftRight, 1, Number::MIN), None);
    }
}
