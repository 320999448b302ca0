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

impl Stepper<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, to: Register, site: Site) -> Result<(), Stop> {
        let value = self.register(to);
        let outcome = match op {
            UnaryOp::Not => i64::from(value == 0).into(),
            UnaryOp::BitNot => (!value).into(),
            UnaryOp::Negate => Outcome {
                exact: value.checked_neg(),
                wrapped: value.wrapping_neg(),
            },
        };
        self.finish(outcome, to, site)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, to: Register, site: Site) -> Result<(), Stop> {
        let (a, b) = (self.register(to), self.register(to + 1));
        if let Some(relation) = Relation::of(op) {
            self.set(to, i64::from(relation.holds(a, b)));
            return Ok(());
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
            BinaryOp::Divide | BinaryOp::Modulo if b == 0 => {
                return self.fail(FaultKind::DivisionByZero, site);
            }
            BinaryOp::Divide => Outcome {
                exact: a.checked_div(b),
                wrapped: a.wrapping_div(b),
            },
            BinaryOp::ShiftLeft => self.shift_left(a, b, site)?,
            _ => {
                let value = self.uncut(op, a, b, site)?;
                self.set(to, value);
                return Ok(());
            }
        };
        self.finish(outcome, to, site)
    }

    /// Operations whose results are never larger than their operands.
    fn uncut(&mut self, op: BinaryOp, a: i64, b: i64, site: Site) -> Result<i64, Stop> {
        Ok(match op {
            BinaryOp::Modulo => a.wrapping_rem(b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::And => i64::from(a != 0 && b != 0),
            BinaryOp::Or => i64::from(a != 0 || b != 0),
            BinaryOp::ShiftRight => {
                self.check_shift(b, site)?;
                a >> b
            }
            other => unreachable!("{other:?} is cut to its width"),
        })
    }

    fn shift_left(&mut self, a: i64, by: i64, site: Site) -> Result<Outcome, Stop> {
        self.check_shift(by, site)?;
        let wrapped = a << by;
        Ok(Outcome {
            exact: (wrapped >> by == a).then_some(wrapped),
            wrapped,
        })
    }

    fn check_shift(&mut self, by: i64, site: Site) -> Result<(), Stop> {
        let width = if self.program.wrapping { 32 } else { 64 };
        match (0..width).contains(&by) {
            true => Ok(()),
            false => self.fail(FaultKind::BadShift { by }, site),
        }
    }

    fn finish(&mut self, outcome: Outcome, to: Register, site: Site) -> Result<(), Stop> {
        let value = match (self.program.wrapping, outcome.exact) {
            (true, exact) => i64::from(exact.unwrap_or(outcome.wrapped) as i32),
            (false, Some(exact)) => exact,
            (false, None) => return self.fail(FaultKind::Overflow, site),
        };
        self.set(to, value);
        Ok(())
    }
}
