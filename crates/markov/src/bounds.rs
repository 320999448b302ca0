//! A lower and an upper bound of a number that is not negative.

use crate::rounding::{
    add_down, add_up, divide_down, divide_up, multiply_down, multiply_up, subtract_down,
    subtract_up,
};
use dashu_ratio::RBig;

/// A number that is not negative, known to be between two others. What is infinite is infinite in both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// It is not less than this.
    pub lower: f64,
    /// It is not more than this.
    pub upper: f64,
}

impl Bounds {
    /// Nothing.
    pub const ZERO: Bounds = Bounds::exactly(0.0);
    /// One.
    pub const ONE: Bounds = Bounds::exactly(1.0);
    /// More than any number.
    pub const INFINITE: Bounds = Bounds::exactly(f64::INFINITY);
    /// Any number, also an infinite one.
    pub const ANY: Bounds = Bounds {
        lower: 0.0,
        upper: f64::INFINITY,
    };

    /// That number.
    #[must_use]
    pub const fn exactly(number: f64) -> Bounds {
        Bounds {
            lower: number,
            upper: number,
        }
    }

    /// The closest bounds of a number.
    #[must_use]
    pub fn of(number: &RBig) -> Bounds {
        let near = number.to_f64().value();
        Bounds {
            lower: below(near, number),
            upper: above(near, number),
        }
    }

    /// Whether the upper bound is not farther from the lower one than that part of it.
    #[must_use]
    pub fn is_within(&self, precision: f64) -> bool {
        self.lower == self.upper || subtract_up(self.upper, self.lower) <= precision * self.lower
    }

    /// Whether a number is between the bounds.
    #[must_use]
    pub fn contain(&self, number: &RBig) -> bool {
        let not_less = RBig::try_from(self.lower).is_ok_and(|lower| lower <= *number);
        let not_more = match RBig::try_from(self.upper) {
            Ok(upper) => *number <= upper,
            Err(_) => self.upper > 0.0,
        };
        not_less && not_more
    }

    pub(crate) fn plus(self, other: Bounds) -> Bounds {
        Bounds {
            lower: add_down(self.lower, other.lower),
            upper: add_up(self.upper, other.upper),
        }
    }

    pub(crate) fn times(self, other: Bounds) -> Bounds {
        Bounds {
            lower: multiply_down(self.lower, other.lower),
            upper: multiply_up(self.upper, other.upper),
        }
    }

    pub(crate) fn over(self, divisor: Bounds) -> Bounds {
        Bounds {
            lower: divide_down(self.lower, divisor.upper),
            upper: divide_up(self.upper, divisor.lower),
        }
    }

    /// One without it, if it is not more than one.
    pub(crate) fn complement(self) -> Bounds {
        Bounds {
            lower: subtract_down(1.0, self.upper),
            upper: subtract_up(1.0, self.lower),
        }
    }

    /// Both that and the other bounds hold.
    pub(crate) fn meet(self, other: Bounds) -> Bounds {
        Bounds {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }
}

/// The greatest floating-point number that is not above a number, from one near it.
fn below(mut near: f64, number: &RBig) -> f64 {
    near = near.min(f64::MAX);
    while RBig::try_from(near).is_ok_and(|it| it > *number) {
        near = near.next_down();
    }
    near
}

/// The least one that is not below it.
fn above(mut near: f64, number: &RBig) -> f64 {
    near = near.max(f64::MIN);
    while RBig::try_from(near).is_ok_and(|it| it < *number) {
        near = near.next_up();
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u64, denominator: u64) -> RBig {
        RBig::from_parts(numerator.into(), denominator.into())
    }

    #[test]
    fn bounds_of_a_number_are_its_neighbours() {
        for (numerator, denominator) in [(1, 3), (2, 3), (7, 10), (1, 1_000_003), (355, 113)] {
            let number = ratio(numerator, denominator);
            let bounds = Bounds::of(&number);
            assert!(bounds.contain(&number));
            assert_eq!(bounds.lower.next_up(), bounds.upper);
        }
        assert_eq!(Bounds::of(&ratio(5, 8)), Bounds::exactly(0.625));
        let huge = RBig::from(10).pow(400);
        assert_eq!(Bounds::of(&huge).lower, f64::MAX);
        assert_eq!(Bounds::of(&huge).upper, f64::INFINITY);
    }

    #[test]
    fn width_is_measured_against_the_lower_bound() {
        let bounds = Bounds {
            lower: 2.0,
            upper: 2.1,
        };
        assert!(bounds.is_within(0.06) && !bounds.is_within(0.04));
        assert!(Bounds::INFINITE.is_within(0.0) && !Bounds::ANY.is_within(1.0));
    }
}
