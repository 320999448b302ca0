//! Numbers: integers, and numbers with fractions.

use crate::limits;
use dashu_ratio::RBig;
use mandala_model::chance::{Operation, Quantity};
use mandala_model::expr::{self, Expr};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

/// An integer, and between what it is.
#[derive(Clone, Debug)]
pub(crate) struct IntTerm {
    pub(crate) expr: Expr,
    pub(crate) low: i64,
    pub(crate) high: i64,
}

/// A number, and between what it is if that is known.
#[derive(Clone, Debug)]
pub(crate) struct RealTerm {
    pub(crate) quantity: Quantity,
    pub(crate) bounds: Option<(RBig, RBig)>,
}

/// Between what a number is, if that is known.
type Bounds = Option<(RBig, RBig)>;

impl RealTerm {
    pub(crate) fn constant(value: RBig) -> Self {
        RealTerm {
            bounds: Some((value.clone(), value.clone())),
            quantity: Quantity::Constant(value),
        }
    }

    pub(crate) fn of_int(term: &IntTerm) -> Self {
        let quantity = match term.as_constant() {
            Some(value) => Quantity::integer(value),
            None => Quantity::Value(term.expr.clone()),
        };
        RealTerm {
            quantity,
            bounds: Some((RBig::from(term.low), RBig::from(term.high))),
        }
    }

    pub(super) fn choice(
        known: Option<bool>,
        condition: Expr,
        first: RealTerm,
        second: RealTerm,
    ) -> Self {
        match known {
            Some(true) => first,
            Some(false) => second,
            None => {
                let bounds = first.bounds.zip(second.bounds);
                let (first, second) = (Box::new(first.quantity), Box::new(second.quantity));
                RealTerm {
                    bounds: bounds.map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))),
                    quantity: Quantity::If(Box::new(condition), first, second),
                }
            }
        }
    }

    /// An operation; constants are calculated.
    fn operation(
        self,
        operation: Operation,
        other: RealTerm,
        exactly: fn(&RBig, &RBig) -> RBig,
        bounds: Bounds,
    ) -> Self {
        if let (Quantity::Constant(a), Quantity::Constant(b)) = (&self.quantity, &other.quantity) {
            return RealTerm::constant(exactly(a, b));
        }
        let (left, right) = (Box::new(self.quantity), Box::new(other.quantity));
        RealTerm {
            quantity: Quantity::Operation(operation, left, right),
            bounds,
        }
    }

    /// What is known of both.
    fn both(&self, other: &RealTerm) -> Option<((RBig, RBig), (RBig, RBig))> {
        self.bounds.clone().zip(other.bounds.clone())
    }

    pub(crate) fn plus(self, other: RealTerm, span: Span) -> Fallible<Self> {
        let bounds = self.both(&other).map(|(a, b)| (a.0 + b.0, a.1 + b.1));
        small(
            self.operation(Operation::Add, other, |a, b| a + b, bounds),
            span,
        )
    }

    pub(crate) fn minus(self, other: RealTerm, span: Span) -> Fallible<Self> {
        let bounds = self.both(&other).map(|(a, b)| (a.0 - b.1, a.1 - b.0));
        let difference = |a: &RBig, b: &RBig| a - b;
        small(
            self.operation(Operation::Subtract, other, difference, bounds),
            span,
        )
    }

    pub(crate) fn times(self, other: RealTerm, span: Span) -> Fallible<Self> {
        let one = Some(&RBig::ONE);
        if self.quantity.as_constant() == one {
            return Ok(other);
        }
        if other.quantity.as_constant() == one {
            return Ok(self);
        }
        let bounds = self.both(&other).map(|(a, b)| products(&a, &b));
        small(
            self.operation(Operation::Multiply, other, |a, b| a * b, bounds),
            span,
        )
    }

    pub(super) fn divided(self, other: RealTerm, span: Span) -> Fallible<Self> {
        if other.quantity.as_constant() == Some(&RBig::ZERO) {
            return Err(error(span, "division by 0"));
        }
        let bounds = self.both(&other).and_then(|(a, b)| {
            let is_apart = b.0 > RBig::ZERO || b.1 < RBig::ZERO;
            is_apart.then(|| {
                let inverse = (RBig::ONE / b.1, RBig::ONE / b.0);
                products(&a, &inverse)
            })
        });
        small(
            self.operation(Operation::Divide, other, |a, b| a / b, bounds),
            span,
        )
    }

    pub(super) fn power(self, other: &RealTerm, span: Span) -> Fallible<Self> {
        let exponent = other.quantity.as_constant().and_then(integer);
        let exponent = exponent.filter(|exponent| exponent.abs() <= i64::from(limits::EXPONENT));
        let Some(exponent) = exponent else {
            let message = "the exponent of this power is no integer that is known";
            let help = format!("a constant from -{0} to {0} is possible", limits::EXPONENT);
            return Err(error_help(span, message, help));
        };
        let base = match exponent < 0 {
            true => RealTerm::constant(RBig::ONE).divided(self, span)?,
            false => self,
        };
        let count = exponent.unsigned_abs() as usize;
        if let Some(value) = base.quantity.as_constant() {
            if bits(value).saturating_mul(count) > 4 * limits::BITS {
                return Err(too_long(span));
            }
            return small(RealTerm::constant(value.clone().pow(count as isize)), span);
        }
        Ok(RealTerm {
            quantity: Quantity::Operation(
                Operation::Power,
                Box::new(base.quantity),
                Box::new(Quantity::integer(exponent.abs())),
            ),
            bounds: None,
        })
    }

    pub(super) fn extreme(self, op: expr::BinaryOp, other: RealTerm) -> Self {
        let bounds = self.both(&other);
        match op {
            expr::BinaryOp::LessEqual => {
                let bounds = bounds.map(|(a, b)| (a.0.min(b.0), a.1.min(b.1)));
                let least = |a: &RBig, b: &RBig| a.min(b).clone();
                self.operation(Operation::Min, other, least, bounds)
            }
            _ => {
                let bounds = bounds.map(|(a, b)| (a.0.max(b.0), a.1.max(b.1)));
                let greatest = |a: &RBig, b: &RBig| a.max(b).clone();
                self.operation(Operation::Max, other, greatest, bounds)
            }
        }
    }
}

/// The integer that a number is, if it is one that fits 64 bits.
pub(crate) fn integer(value: &RBig) -> Option<i64> {
    let whole = value.floor();
    match RBig::from(whole.clone()) == *value {
        true => i64::try_from(whole).ok(),
        false => None,
    }
}

/// Between what products are.
fn products(a: &(RBig, RBig), b: &(RBig, RBig)) -> (RBig, RBig) {
    let ends = [&a.0 * &b.0, &a.0 * &b.1, &a.1 * &b.0, &a.1 * &b.1];
    let low = ends.iter().min().cloned().unwrap_or_default();
    let high = ends.iter().max().cloned().unwrap_or_default();
    (low, high)
}

/// The term, unless it is a constant with too many digits.
fn small(term: RealTerm, span: Span) -> Fallible<RealTerm> {
    match term.quantity.as_constant().map(bits) {
        Some(bits) if bits > limits::BITS => Err(too_long(span)),
        _ => Ok(term),
    }
}

fn too_long(span: Span) -> Box<mandala_model::Diagnostic> {
    error(span, "the exact value of this has too many digits")
}

/// How many bits the longer of the two parts of a number has, about.
fn bits(value: &RBig) -> usize {
    let above = value.numerator().to_le_bytes().len();
    8 * above.max(value.denominator().to_le_bytes().len())
}
