//! Quantities as quotients of integers.

use super::arithmetic::{cases, is_not_zero, minus, plus, times};
use super::real::integer;
use super::{IntTerm, RealTerm, both, chosen, either};
use crate::limits;
use dashu_ratio::RBig;
use mandala_model::chance::{Operation, Quantity};
use mandala_model::expr::{self, Expr};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

/// An integer divided by another one.
pub(super) struct Quotient {
    pub(super) above: IntTerm,
    pub(super) below: IntTerm,
}

impl Quotient {
    /// The divisor, which is positive and does not depend on the state.
    pub(super) fn known_below(&self, span: Span) -> Fallible<i64> {
        match self.below.as_constant() {
            Some(below) if below > 0 => Ok(below),
            _ => {
                let message =
                    "this compares or rounds a quotient whose divisor depends on the state";
                Err(error_help(span, message, "multiply by the divisor instead"))
            }
        }
    }
}

/// A quantity as a quotient.
pub(super) fn quotient(term: &RealTerm, span: Span) -> Fallible<Quotient> {
    of_quantity(&term.quantity, span)
}

fn whole(above: IntTerm, span: Span) -> Quotient {
    let below = IntTerm::constant(1, span);
    Quotient { above, below }
}

fn of_quantity(quantity: &Quantity, span: Span) -> Fallible<Quotient> {
    match quantity {
        Quantity::Constant(value) => of_constant(value, span),
        // Nothing is known of its size: what does not fit 64 bits is an error when it is met.
        Quantity::Value(value) => {
            let (expr, low, high) = (value.clone(), i64::MIN, i64::MAX);
            Ok(whole(IntTerm { expr, low, high }, span))
        }
        Quantity::If(condition, first, second) => {
            let (first, second) = (of_quantity(first, span)?, of_quantity(second, span)?);
            let (first, second, below) = same_below(first, second, span)?;
            let above = chosen(None, Expr::clone(condition), first, second, span);
            Ok(Quotient { above, below })
        }
        Quantity::Operation(Operation::Power, base, exponent) => power(base, exponent, span),
        Quantity::Operation(operation, left, right) => {
            let (left, right) = (of_quantity(left, span)?, of_quantity(right, span)?);
            of_operation(*operation, left, right, span)
        }
        Quantity::Floor(_) | Quantity::Ceiling(_) => {
            Err(error(span, "this is rounded where it cannot be"))
        }
    }
}

fn of_constant(value: &RBig, span: Span) -> Fallible<Quotient> {
    let (above, below) = value.clone().into_parts();
    let parts = i64::try_from(above).ok().zip(i64::try_from(below).ok());
    match parts {
        Some((above, below)) => Ok(Quotient {
            above: IntTerm::constant(above, span),
            below: IntTerm::constant(below, span),
        }),
        None => Err(error(
            span,
            "this number has too many digits to be compared",
        )),
    }
}

/// What is above, with one divisor for both.
fn same_below(a: Quotient, b: Quotient, span: Span) -> Fallible<(IntTerm, IntTerm, IntTerm)> {
    let known = a.below.as_constant();
    if known.is_some() && known == b.below.as_constant() {
        return Ok((a.above, b.above, a.below));
    }
    let first = times(&a.above, &b.below, span)?;
    let second = times(&b.above, &a.below, span)?;
    Ok((first, second, times(&a.below, &b.below, span)?))
}

fn of_operation(
    operation: Operation,
    left: Quotient,
    right: Quotient,
    span: Span,
) -> Fallible<Quotient> {
    match operation {
        Operation::Multiply => Ok(Quotient {
            above: times(&left.above, &right.above, span)?,
            below: times(&left.below, &right.below, span)?,
        }),
        Operation::Divide => Ok(Quotient {
            above: times(&left.above, &right.below, span)?,
            below: times(&left.below, &right.above, span)?,
        }),
        Operation::Add => {
            let (first, second, below) = same_below(left, right, span)?;
            let above = plus(&first, &second, span)?;
            Ok(Quotient { above, below })
        }
        Operation::Subtract => {
            let (first, second, below) = same_below(left, right, span)?;
            let above = minus(&first, &second, span)?;
            Ok(Quotient { above, below })
        }
        Operation::Min | Operation::Max | Operation::Power => {
            left.known_below(span)?;
            right.known_below(span)?;
            let (first, second, below) = same_below(left, right, span)?;
            let op = match operation {
                Operation::Min => expr::BinaryOp::LessEqual,
                _ => expr::BinaryOp::GreaterEqual,
            };
            let is_first = Expr::binary(op, first.expr.clone(), second.expr.clone());
            let above = chosen(None, is_first, first, second, span);
            Ok(Quotient { above, below })
        }
    }
}

fn power(base: &Quantity, exponent: &Quantity, span: Span) -> Fallible<Quotient> {
    let base = of_quantity(base, span)?;
    let mut result = whole(IntTerm::constant(1, span), span);
    match exponent.as_constant().and_then(integer) {
        Some(exponent) if (0..=limits::POWER).contains(&exponent) => {
            for _ in 0..exponent {
                result.above = times(&result.above, &base.above, span)?;
                result.below = times(&result.below, &base.below, span)?;
            }
            Ok(result)
        }
        _ => Err(error(
            span,
            "the exponent of this power is too large to be compared",
        )),
    }
}

/// Whether a quantity is not zero, provided that it has a value.
pub(crate) fn not_zero(term: &RealTerm, span: Span) -> Fallible<Expr> {
    let is_apart = |(low, high): &(RBig, RBig)| *low > RBig::ZERO || *high < RBig::ZERO;
    match term.bounds.as_ref().is_some_and(is_apart) {
        true => Ok(Expr::constant(1, span)),
        false => is_quantity_not_zero(&term.quantity, span),
    }
}

fn is_quantity_not_zero(quantity: &Quantity, span: Span) -> Fallible<Expr> {
    match quantity {
        Quantity::Constant(value) => Ok(Expr::constant(i64::from(*value != RBig::ZERO), span)),
        Quantity::If(condition, first, second) => {
            let first = is_quantity_not_zero(first, span)?;
            let second = is_quantity_not_zero(second, span)?;
            Ok(cases(condition, first, second, span))
        }
        Quantity::Operation(Operation::Multiply, left, right) => {
            let left = is_quantity_not_zero(left, span)?;
            Ok(both(left, is_quantity_not_zero(right, span)?, span))
        }
        Quantity::Operation(Operation::Divide, left, _) => is_quantity_not_zero(left, span),
        Quantity::Operation(Operation::Power, base, exponent) => {
            let is_one = exponent.as_constant() == Some(&RBig::ZERO);
            let always = Expr::constant(i64::from(is_one), span);
            Ok(either(always, is_quantity_not_zero(base, span)?, span))
        }
        _ => Ok(is_not_zero(of_quantity(quantity, span)?.above, span)),
    }
}
