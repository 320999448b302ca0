//! Arithmetic in the manner of the source language.

use super::{Stepper, Stop};
use crate::code::{Register, Relation, Site};
use mandala_model::expr::{BinaryOp, UnaryOp};
use mandala_model::step::FaultKind;

/// What an operation makes of numbers without bounds, and of those of 64 bits.
struct Outcome {
    exact: Option<i64>,
    wrapped: i64,
}

impl From<i64> for Outcome {
    fn from(value: i64) -> Self {
        Outcome {
            exact: Some(value),
            wrapped: value,
        }
    }
}

impl Outcome {
    /// What the language makes of it.
    #[inline]
    fn finished(self, wrapping: bool) -> Result<i64, FaultKind> {
        match (wrapping, self.exact) {
            (true, exact) => Ok(i64::from(exact.unwrap_or(self.wrapped) as i32)),
            (false, Some(exact)) => Ok(exact),
            (false, None) => Err(FaultKind::Overflow),
        }
    }
}

impl Stepper<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, to: Register, site: Site) -> Result<(), Stop> {
        let value = self.register(to);
        match unary(op, value, self.program.wrapping) {
            Ok(result) => {
                self.set(to, result);
                Ok(())
            }
            Err(kind) => self.fail(kind, site),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, to: Register, site: Site) -> Result<(), Stop> {
        let (a, b) = (self.register(to), self.register(to + 1));
        match binary(op, a, b, self.program.wrapping) {
            Ok(result) => {
                self.set(to, result);
                Ok(())
            }
            Err(kind) => self.fail(kind, site),
        }
    }
}

/// The result of an operation with one operand; `wrapping` if results are cut to 32 bits.
pub(crate) fn unary(op: UnaryOp, value: i64, wrapping: bool) -> Result<i64, FaultKind> {
    let outcome = match op {
        UnaryOp::Not => i64::from(value == 0).into(),
        UnaryOp::BitNot => (!value).into(),
        UnaryOp::Defined if value == 0 => return Err(FaultKind::Undefined),
        UnaryOp::Defined => return Ok(value),
        UnaryOp::Negate => Outcome {
            exact: value.checked_neg(),
            wrapped: value.wrapping_neg(),
        },
    };
    outcome.finished(wrapping)
}

/// The result of an operation with two operands; `wrapping` if results are cut to 32 bits.
#[inline]
pub(crate) fn binary(op: BinaryOp, a: i64, b: i64, wrapping: bool) -> Result<i64, FaultKind> {
    if let Some(relation) = Relation::of(op) {
        return Ok(i64::from(relation.holds(a, b)));
    }
    let outcome = match op {
        BinaryOp::Add => Outcome {
            exact: a.checked_add(b),
            wrapped: a.wrapping_add(b),
        },
        BinaryOp::Subtract => Outcome {
            exact: a.checked_sub(b),
            wrapped: a.wrapping_sub(b),
        },
        BinaryOp::Multiply => Outcome {
            exact: a.checked_mul(b),
            wrapped: a.wrapping_mul(b),
        },
        BinaryOp::Divide | BinaryOp::Modulo if b == 0 => return Err(FaultKind::DivisionByZero),
        BinaryOp::Divide => Outcome {
            exact: a.checked_div(b),
            wrapped: a.wrapping_div(b),
        },
        BinaryOp::ShiftLeft => shift_left(a, b, wrapping)?,
        _ => return uncut(op, a, b, wrapping),
    };
    outcome.finished(wrapping)
}

/// Operations whose results are never larger than their operands.
fn uncut(op: BinaryOp, a: i64, b: i64, wrapping: bool) -> Result<i64, FaultKind> {
    Ok(match op {
        BinaryOp::Modulo => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::And => i64::from(a != 0 && b != 0),
        BinaryOp::Or => i64::from(a != 0 || b != 0),
        BinaryOp::ShiftRight => {
            check_shift(b, wrapping)?;
            a >> b
        }
        other => unreachable!("{other:?} is cut to its width"),
    })
}

fn shift_left(a: i64, by: i64, wrapping: bool) -> Result<Outcome, FaultKind> {
    check_shift(by, wrapping)?;
    let wrapped = a << by;
    Ok(Outcome {
        exact: (wrapped >> by == a).then_some(wrapped),
        wrapped,
    })
}

fn check_shift(by: i64, wrapping: bool) -> Result<(), FaultKind> {
    let width = if wrapping { 32 } else { 64 };
    match (0..width).contains(&by) {
        true => Ok(()),
        false => Err(FaultKind::BadShift { by }),
    }
}
