//! Values that are known before the model runs.

use crate::stepper::arithmetic::{binary, unary};
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::step::FaultKind;

/// The value of an expression that reads nothing, as long as no overflow is near: what a 32-bit
/// and a 64-bit language could disagree about is left to the run, and so is what fails.
pub(crate) fn constant_value(expr: &Expr) -> Option<i64> {
    let value = match &expr.kind {
        ExprKind::Const(value) => *value,
        ExprKind::Unary(op, operand) => {
            let value = constant_value(operand)?;
            agreed(|wrapping| unary(*op, value, wrapping))?
        }
        ExprKind::Binary(op, left, right) => {
            let (a, b) = (constant_value(left)?, constant_value(right)?);
            agreed(|wrapping| binary(*op, a, b, wrapping))?
        }
        _ => return None,
    };
    i32::try_from(value).ok().map(i64::from)
}

/// A result that does not depend on how wide numbers are.
fn agreed(result: impl Fn(bool) -> Result<i64, FaultKind>) -> Option<i64> {
    let value = result(true).ok()?;
    (result(false) == Ok(value)).then_some(value)
}
