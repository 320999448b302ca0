//! What values are computed with: bounds, or exact numbers. The algorithms that are the same for both are written once.

use crate::bounds::Bounds;
use crate::exact::Exact;
use crate::pool::Pool;
use dashu_ratio::RBig;
use mandala_temporal::pctl::{Comparison, Optimum};
use std::cmp::Ordering;
use std::fmt::Debug;

/// A number that is not negative, or what is known of it. Nothing is ever subtracted but from 1.
pub(crate) trait Number: Clone + Debug {
    /// Nothing.
    fn zero() -> Self;
    /// One.
    fn one() -> Self;
    /// More than any number.
    fn infinite() -> Self;
    /// That number.
    fn of(number: &RBig) -> Self;
    /// A number of a pool.
    fn pooled(pool: &Pool, place: u32) -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// The quotient.
    fn over(&self, divisor: &Self) -> Self;
    /// One without it.
    fn complement(&self) -> Self;
    /// The lesser or the greater.
    fn better(&self, other: &Self, optimum: Optimum) -> Self;
    /// Whether it is 0 for certain.
    fn is_zero(&self) -> bool;
    /// Whether a comparison with a number holds, if that is known.
    fn compare(&self, comparison: Comparison, threshold: &RBig) -> Option<bool>;
    /// What is known of it.
    fn bounds(&self) -> Bounds;
    /// The number, if it is known.
    fn exact(&self) -> Option<Exact>;
}

impl Number for Bounds {
    fn zero() -> Self {
        Bounds::ZERO
    }

    fn one() -> Self {
        Bounds::ONE
    }

    fn infinite() -> Self {
        Bounds::INFINITE
    }

    fn of(number: &RBig) -> Self {
        Bounds::of(number)
    }

    fn pooled(pool: &Pool, place: u32) -> Self {
        pool.bounds(place)
    }

    fn plus(&self, other: &Self) -> Self {
        Bounds::plus(*self, *other)
    }

    fn times(&self, other: &Self) -> Self {
        Bounds::times(*self, *other)
    }

    fn over(&self, divisor: &Self) -> Self {
        Bounds::over(*self, *divisor)
    }

    fn complement(&self) -> Self {
        Bounds::complement(*self)
    }

    fn better(&self, other: &Self, optimum: Optimum) -> Self {
        let pick: fn(f64, f64) -> f64 = match optimum {
            Optimum::Least => f64::min,
            Optimum::Greatest => f64::max,
        };
        Bounds {
            lower: pick(self.lower, other.lower),
            upper: pick(self.upper, other.upper),
        }
    }

    fn is_zero(&self) -> bool {
        self.upper == 0.0
    }

    fn compare(&self, comparison: Comparison, threshold: &RBig) -> Option<bool> {
        let (lower, upper) = (
            ordering(self.lower, threshold),
            ordering(self.upper, threshold),
        );
        let (least, most) = (holds(lower, comparison), holds(upper, comparison));
        (least == most).then_some(least)
    }

    fn bounds(&self) -> Bounds {
        *self
    }

    fn exact(&self) -> Option<Exact> {
        if self.lower != self.upper {
            return None;
        }
        Some(RBig::try_from(self.lower).map_or(Exact::Infinite, Exact::Finite))
    }
}

/// How a floating-point number that may be infinite compares with an exact one.
fn ordering(number: f64, threshold: &RBig) -> Ordering {
    RBig::try_from(number).map_or(Ordering::Greater, |number| number.cmp(threshold))
}

fn holds(ordering: Ordering, comparison: Comparison) -> bool {
    match comparison {
        Comparison::Less => ordering.is_lt(),
        Comparison::AtMost => ordering.is_le(),
        Comparison::AtLeast => ordering.is_ge(),
        Comparison::More => ordering.is_gt(),
    }
}

impl Number for Exact {
    fn zero() -> Self {
        Exact::Finite(RBig::ZERO)
    }

    fn one() -> Self {
        Exact::Finite(RBig::ONE)
    }

    fn infinite() -> Self {
        Exact::Infinite
    }

    fn of(number: &RBig) -> Self {
        Exact::Finite(number.clone())
    }

    fn pooled(pool: &Pool, place: u32) -> Self {
        Exact::Finite(pool.exact(place).clone())
    }

    fn plus(&self, other: &Self) -> Self {
        self.with(other, |left, right| left + right)
    }

    fn times(&self, other: &Self) -> Self {
        if Number::is_zero(self) || Number::is_zero(other) {
            return Exact::zero();
        }
        self.with(other, |left, right| left * right)
    }

    fn over(&self, divisor: &Self) -> Self {
        self.with(divisor, |left, right| left / right)
    }

    fn complement(&self) -> Self {
        Exact::one().with(self, |left, right| left - right)
    }

    fn better(&self, other: &Self, optimum: Optimum) -> Self {
        match optimum {
            Optimum::Least => self.min(other).clone(),
            Optimum::Greatest => self.max(other).clone(),
        }
    }

    fn is_zero(&self) -> bool {
        self.finite().is_some_and(RBig::is_zero)
    }

    fn compare(&self, comparison: Comparison, threshold: &RBig) -> Option<bool> {
        let ordering = self
            .finite()
            .map_or(Ordering::Greater, |it| it.cmp(threshold));
        Some(holds(ordering, comparison))
    }

    fn bounds(&self) -> Bounds {
        self.finite().map_or(Bounds::INFINITE, Bounds::of)
    }

    fn exact(&self) -> Option<Exact> {
        Some(self.clone())
    }
}
