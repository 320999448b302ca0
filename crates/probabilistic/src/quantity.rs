//! Exact numbers that depend on the state.

use dashu_ratio::RBig;
use mandala_interpreter::Interpreter;
use mandala_model::State;
use mandala_model::chance::{Operation, Quantity};
use mandala_model::expr::Expr;
use mandala_model::state::Value;
use std::cmp::{max, min};

/// The greatest exponent of a power, up or down.
const MOST: i64 = 10_000;

/// A state, as a process sees it.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub interpreter: &'a Interpreter<'a>,
    pub state: &'a State,
    /// The process; nobody for what belongs to the model.
    pub process: Option<u32>,
}

impl Seen<'_> {
    /// The value of an expression, or what is wrong with it.
    pub fn value(self, expr: &Expr) -> Result<Value, String> {
        let value = self.interpreter.evaluate(self.state, self.process, expr);
        value.map_err(|fault| fault.to_string())
    }

    /// Whether a condition holds.
    pub fn holds(self, condition: &Expr) -> Result<bool, String> {
        Ok(self.value(condition)? != 0)
    }

    /// The number that a quantity is, or what is wrong with it.
    pub fn number(self, quantity: &Quantity) -> Result<RBig, String> {
        Ok(match quantity {
            Quantity::Constant(number) => number.clone(),
            Quantity::Value(expr) => RBig::from(self.value(expr)?),
            Quantity::If(condition, first, second) => match self.holds(condition)? {
                true => self.number(first)?,
                false => self.number(second)?,
            },
            Quantity::Operation(operation, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                result(*operation, left, right)?
            }
            Quantity::Floor(inner) => RBig::from(self.number(inner)?.floor()),
            Quantity::Ceiling(inner) => RBig::from(self.number(inner)?.ceil()),
        })
    }
}

/// The result of an operation, or what is wrong with it.
fn result(operation: Operation, left: RBig, right: RBig) -> Result<RBig, String> {
    Ok(match operation {
        Operation::Add => left + right,
        Operation::Subtract => left - right,
        Operation::Multiply => left * right,
        Operation::Divide if right.is_zero() => return Err("division by 0".into()),
        Operation::Divide => left / right,
        Operation::Min => min(left, right),
        Operation::Max => max(left, right),
        Operation::Power => power(&left, right)?,
    })
}

fn power(base: &RBig, exponent: RBig) -> Result<RBig, String> {
    let whole = exponent.is_int().then(|| exponent.trunc());
    let whole = whole.and_then(|whole| i64::try_from(whole).ok());
    let whole = whole.filter(|whole| whole.abs() <= MOST);
    let whole = whole.ok_or_else(|| {
        format!("the exponent of a power is {exponent}; it has to be an integer up to {MOST}")
    })?;
    let raised = base.pow(whole.unsigned_abs() as usize);
    match whole < 0 {
        true if base.is_zero() => Err("division by 0".into()),
        true => Ok(RBig::ONE / raised),
        false => Ok(raised),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(above: i64, below: i64) -> RBig {
        RBig::from(above) / RBig::from(below)
    }

    fn of(operation: Operation, left: RBig, right: RBig) -> Result<RBig, String> {
        result(operation, left, right)
    }

    #[test]
    fn operations_are_exact() {
        let (third, half) = (ratio(1, 3), ratio(1, 2));
        let found = |operation| of(operation, third.clone(), half.clone());
        assert_eq!(found(Operation::Add), Ok(ratio(5, 6)));
        assert_eq!(found(Operation::Subtract), Ok(ratio(-1, 6)));
        assert_eq!(found(Operation::Multiply), Ok(ratio(1, 6)));
        assert_eq!(found(Operation::Divide), Ok(ratio(2, 3)));
        assert_eq!(found(Operation::Min), Ok(ratio(1, 3)));
        assert_eq!(found(Operation::Max), Ok(ratio(1, 2)));
    }

    #[test]
    fn a_power_has_an_integer_for_an_exponent() {
        let power = |base, exponent| of(Operation::Power, base, exponent);
        assert_eq!(power(ratio(2, 3), ratio(3, 1)), Ok(ratio(8, 27)));
        assert_eq!(power(ratio(2, 3), ratio(-2, 1)), Ok(ratio(9, 4)));
        assert_eq!(power(RBig::ZERO, RBig::ZERO), Ok(RBig::ONE));
        assert!(power(ratio(2, 1), ratio(1, 2)).is_err());
        assert!(power(ratio(2, 1), ratio(MOST + 1, 1)).is_err());
        assert!(power(RBig::ZERO, ratio(-1, 1)).is_err());
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        assert!(of(Operation::Divide, RBig::ONE, RBig::ZERO).is_err());
    }
}
