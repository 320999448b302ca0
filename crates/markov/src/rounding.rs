//! Arithmetic on numbers that are not negative, rounded down or up.
//!
//! A result that is exact stays as it is: of a sum the error is known exactly (Knuth, *The Art of Computer Programming*, volume 2, section 4.2.2: TwoSum), a product with a power of two has none, and of a
//! quotient what is left is. Everything else moves by one place of the last digit. So the arithmetic needs no rounding mode of the processor, and gives the same numbers everywhere.

/// The part of a number that says which power of two it is not.
const FRACTION: u64 = (1 << 52) - 1;

/// A number whose last digit is far from the least number that there is.
const TINY: f64 = 1e-280;

/// The sum, or a little less.
pub(crate) fn add_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if sum.is_infinite() {
        return if a.is_infinite() || b.is_infinite() {
            sum
        } else {
            f64::MAX
        };
    }
    if error_of_sum(a, b, sum) < 0.0 {
        sum.next_down()
    } else {
        sum
    }
}

/// The sum, or a little more.
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if sum.is_finite() && error_of_sum(a, b, sum) > 0.0 {
        sum.next_up()
    } else {
        sum
    }
}

/// What is missing in a sum.
fn error_of_sum(a: f64, b: f64, sum: f64) -> f64 {
    let second = sum - a;
    (a - (sum - second)) + (b - second)
}

/// The product, or a little less.
pub(crate) fn multiply_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let product = a * b;
    if is_exact(a, b, product) {
        product
    } else if product.is_infinite() && a.is_finite() && b.is_finite() {
        f64::MAX
    } else {
        less(product)
    }
}

/// The product, or a little more.
pub(crate) fn multiply_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let product = a * b;
    if is_exact(a, b, product) {
        product
    } else {
        product.next_up()
    }
}

/// The quotient, or a little less; without an end if the divisor is 0 and the dividend is not.
pub(crate) fn divide_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b.is_infinite() {
        return 0.0;
    }
    let quotient = a / b;
    if b == 0.0 || is_quotient(a, b, quotient) {
        quotient
    } else if quotient.is_infinite() && a.is_finite() {
        f64::MAX
    } else {
        less(quotient)
    }
}

/// The quotient, or a little more; without an end if the divisor is 0 and the dividend is not.
pub(crate) fn divide_up(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    let quotient = a / b;
    if b == 0.0 || is_quotient(a, b, quotient) {
        quotient
    } else {
        quotient.next_up()
    }
}

/// Whether a quotient is known to be exact: what is left of the dividend is computed with one rounding, and that cannot make nothing of something where the numbers are not tiny.
fn is_quotient(a: f64, b: f64, quotient: f64) -> bool {
    let is_plain = quotient.is_normal() && a > TINY && a.is_finite();
    is_plain && quotient.mul_add(-b, a) == 0.0
}

/// The difference, or a little less; 0 if it is negative.
pub(crate) fn subtract_down(a: f64, b: f64) -> f64 {
    let difference = a - b;
    if difference <= 0.0 {
        0.0
    } else if error_of_sum(a, -b, difference) < 0.0 {
        difference.next_down()
    } else {
        difference
    }
}

/// The difference, or a little more; 0 if it is negative.
pub(crate) fn subtract_up(a: f64, b: f64) -> f64 {
    let difference = a - b;
    if difference < 0.0 {
        0.0
    } else if error_of_sum(a, -b, difference) > 0.0 {
        difference.next_up()
    } else {
        difference
    }
}

/// Whether a product of two numbers is known to be exact.
fn is_exact(a: f64, b: f64, product: f64) -> bool {
    (is_power(a) || is_power(b)) && product.is_normal()
}

fn is_power(number: f64) -> bool {
    number.to_bits() & FRACTION == 0 && number.is_normal()
}

/// The next number below one that is not negative; 0 stays.
fn less(number: f64) -> f64 {
    if number == 0.0 {
        0.0
    } else {
        number.next_down()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_ratio::RBig;

    /// Numbers of all sizes, some of them with few digits.
    fn numbers() -> impl Iterator<Item = f64> {
        let mut seed = 7_u64;
        std::iter::repeat_with(move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = if seed >> 60 < 4 { 0 } else { seed >> 12 };
            let exponent = 1023 - 40 + (seed >> 33) % 80;
            f64::from_bits(exponent << 52 | digits & FRACTION)
        })
    }

    fn exact(number: f64) -> RBig {
        RBig::try_from(number).unwrap_or(RBig::ZERO)
    }

    /// Whether the exact value is between two numbers that are neighbours or equal.
    fn encloses(lower: f64, value: &RBig, upper: f64) -> bool {
        let near = lower == upper || lower.next_up().next_up() >= upper;
        exact(lower) <= *value && *value <= exact(upper) && near
    }

    #[test]
    fn results_are_on_the_right_side_of_the_exact_ones() {
        let mut numbers = numbers();
        for _ in 0..20_000 {
            let a = numbers.next().unwrap_or(1.0);
            let b = numbers.next().unwrap_or(1.0);
            let (x, y) = (exact(a), exact(b));
            assert!(encloses(add_down(a, b), &(&x + &y), add_up(a, b)));
            assert!(encloses(multiply_down(a, b), &(&x * &y), multiply_up(a, b)));
            assert!(encloses(divide_down(a, b), &(&x / &y), divide_up(a, b)));
            if a >= b {
                assert!(encloses(subtract_down(a, b), &(&x - &y), subtract_up(a, b)));
            }
        }
    }

    #[test]
    fn what_is_exact_stays() {
        assert_eq!(add_down(0.5, 0.25), add_up(0.5, 0.25));
        assert_eq!(multiply_down(0.1, 0.5), multiply_up(0.1, 0.5));
        assert_eq!(divide_down(0.1, 4.0), divide_up(0.1, 4.0));
        assert_ne!(add_down(0.1, 0.2), add_up(0.1, 0.2));
    }

    #[test]
    fn what_is_too_large_or_too_small_stays_on_its_side() {
        assert_eq!(add_down(f64::MAX, f64::MAX), f64::MAX);
        assert_eq!(multiply_up(f64::MAX, 3.0), f64::INFINITY);
        assert_eq!(multiply_down(f64::MIN_POSITIVE, f64::MIN_POSITIVE), 0.0);
        assert!(multiply_up(f64::MIN_POSITIVE, 0.25) >= f64::MIN_POSITIVE / 4.0);
        assert_eq!(subtract_down(1.0, 2.0), 0.0);
    }
}
