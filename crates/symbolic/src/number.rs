//! Numbers that depend on the state: two's complement, each bit a condition.
//!
//! A number has as many bits as it needs, so nothing overflows here: sums get one bit more, products as many as both factors together.
//! What a language does with large results is decided by who asks (`evaluate`). Constants are numbers whose bits are constant, and the
//! diagrams fold operations on them at no cost.

use crate::diagrams::{Bdd, Diagrams, Made};
use oxidd::BooleanFunction;

/// A number for every state. The last bit is the sign, and goes on for ever.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Number {
    bits: Vec<Bdd>,
}

/// The two results of a division.
pub(crate) struct Divided {
    pub quotient: Number,
    pub remainder: Number,
}

impl Number {
    /// A number from its bits, the lowest first, the sign last.
    pub(crate) fn signed(mut bits: Vec<Bdd>) -> Self {
        while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
            bits.pop();
        }
        Number { bits }
    }

    /// A number from its bits, the lowest first. It is not negative.
    pub(crate) fn unsigned(d: &Diagrams, mut bits: Vec<Bdd>) -> Self {
        bits.push(d.no.clone());
        Number::signed(bits)
    }

    /// 1 where the condition holds, else 0.
    pub(crate) fn truth(d: &Diagrams, condition: Bdd) -> Self {
        Number::unsigned(d, vec![condition])
    }

    pub(crate) fn constant(d: &Diagrams, value: i64) -> Self {
        // Those that are not like the sign, and the sign.
        let width = 65 - (value ^ (value >> 63)).leading_zeros();
        let bits = (0..width).map(|i| d.constant(value >> i.min(63) & 1 == 1).clone());
        Number {
            bits: bits.collect(),
        }
    }

    /// The number, if it is the same everywhere.
    pub(crate) fn as_constant(&self, d: &Diagrams) -> Option<i64> {
        if self.bits.len() > 64 {
            return None;
        }
        let mut value = if d.as_constant(self.sign())? { -1 } else { 0 };
        for bit in self.bits.iter().rev() {
            value = value << 1 | i64::from(d.as_constant(bit)?);
        }
        Some(value)
    }

    /// How many bits it has, with the sign.
    pub(crate) fn width(&self) -> usize {
        self.bits.len()
    }

    /// Any bit; those beyond the last are the sign.
    pub(crate) fn bit(&self, index: usize) -> &Bdd {
        &self.bits[index.min(self.bits.len() - 1)]
    }

    /// Holds where it is negative.
    pub(crate) fn sign(&self) -> &Bdd {
        &self.bits[self.bits.len() - 1]
    }

    /// Holds where it is 0.
    pub(crate) fn is_zero(&self, d: &Diagrams) -> Made<Bdd> {
        Ok(self.is_true(d)?.not()?)
    }

    /// Holds where it is not 0.
    pub(crate) fn is_true(&self, d: &Diagrams) -> Made<Bdd> {
        let mut some = d.no.clone();
        for bit in &self.bits {
            some = some.or(bit)?;
        }
        Ok(some)
    }

    /// Holds where both are the same.
    pub(crate) fn equals(&self, d: &Diagrams, other: &Number) -> Made<Bdd> {
        let mut same = d.yes.clone();
        for i in (0..self.width().max(other.width())).rev() {
            same = same.and(&self.bit(i).equiv(other.bit(i))?)?;
        }
        Ok(same)
    }

    pub(crate) fn is(&self, d: &Diagrams, value: i64) -> Made<Bdd> {
        self.equals(d, &Number::constant(d, value))
    }

    /// Holds where it is less than the other.
    pub(crate) fn less(&self, d: &Diagrams, other: &Number) -> Made<Bdd> {
        let width = self.width().max(other.width());
        let mut less = d.no.clone();
        for i in 0..width {
            let (mine, theirs) = (self.bit(i), other.bit(i));
            // A sign that is set makes a number smaller, every other bit makes it larger.
            let larger = if i + 1 == width { mine } else { theirs };
            less = mine.xor(theirs)?.ite(larger, &less)?;
        }
        Ok(less)
    }

    /// This number where the condition holds, the other where it does not.
    pub(crate) fn choose(condition: &Bdd, yes: &Number, no: &Number) -> Made<Number> {
        let width = yes.width().max(no.width());
        let bits = (0..width).map(|i| Ok(condition.ite(yes.bit(i), no.bit(i))?));
        Ok(Number::signed(bits.collect::<Made<_>>()?))
    }

    /// The low bits of it, read as a signed or an unsigned number.
    pub(crate) fn wrapped(&self, d: &Diagrams, width: usize, signed: bool) -> Number {
        let bits = (0..width).map(|i| self.bit(i).clone()).collect();
        match signed {
            true => Number::signed(bits),
            false => Number::unsigned(d, bits),
        }
    }

    /// Holds where it does not fit so many bits, the sign among them.
    pub(crate) fn exceeds(&self, d: &Diagrams, width: usize) -> Made<Bdd> {
        let mut differs = d.no.clone();
        for i in width..self.width() {
            differs = differs.or(&self.bit(i).xor(self.bit(width - 1))?)?;
        }
        Ok(differs)
    }

    pub(crate) fn plus(&self, d: &Diagrams, other: &Number) -> Made<Number> {
        self.plus_carry(d.no.clone(), other)
    }

    pub(crate) fn minus(&self, d: &Diagrams, other: &Number) -> Made<Number> {
        self.plus_carry(d.yes.clone(), &other.flipped()?)
    }

    pub(crate) fn negated(&self, d: &Diagrams) -> Made<Number> {
        Number::constant(d, 0).minus(d, self)
    }

    fn plus_carry(&self, mut carry: Bdd, other: &Number) -> Made<Number> {
        let mut bits = Vec::new();
        for i in 0..=self.width().max(other.width()) {
            let (a, b) = (self.bit(i), other.bit(i));
            let differ = a.xor(b)?;
            bits.push(differ.xor(&carry)?);
            carry = differ.ite(&carry, a)?;
        }
        Ok(Number::signed(bits))
    }

    pub(crate) fn times(&self, d: &Diagrams, other: &Number) -> Made<Number> {
        let mut product = Number::constant(d, 0);
        for i in 0..other.width() {
            let part = self.shifted_left(d, i).masked(other.bit(i))?;
            product = match i + 1 == other.width() {
                true => product.minus(d, &part)?,
                false => product.plus(d, &part)?,
            };
        }
        Ok(product)
    }

    /// This number where the condition holds, else 0.
    fn masked(&self, condition: &Bdd) -> Made<Number> {
        let bits = self.bits.iter().map(|bit| Ok(bit.and(condition)?));
        Ok(Number::signed(bits.collect::<Made<_>>()?))
    }

    fn magnitude(&self, d: &Diagrams) -> Made<Number> {
        Number::choose(self.sign(), &self.negated(d)?, self)
    }

    /// Divides towards 0, bit by bit as on paper. Where the divisor is 0, the results mean nothing.
    pub(crate) fn divided(&self, d: &Diagrams, divisor: &Number) -> Made<Divided> {
        let (dividend, by) = (self.magnitude(d)?, divisor.magnitude(d)?);
        let mut rest = Number::constant(d, 0);
        let mut quotient = vec![d.no.clone(); dividend.width()];
        for i in (0..dividend.width()).rev() {
            rest = rest.followed_by(dividend.bit(i));
            let fits = rest.less(d, &by)?.not()?;
            rest = Number::choose(&fits, &rest.minus(d, &by)?, &rest)?;
            quotient[i] = fits;
        }
        let quotient = Number::unsigned(d, quotient);
        let differ = self.sign().xor(divisor.sign())?;
        Ok(Divided {
            quotient: Number::choose(&differ, &quotient.negated(d)?, &quotient)?,
            remainder: Number::choose(self.sign(), &rest.negated(d)?, &rest)?,
        })
    }

    /// Twice this number, and one more where the condition holds.
    fn followed_by(&self, lowest: &Bdd) -> Number {
        let bits = std::iter::once(lowest).chain(&self.bits).cloned();
        Number::signed(bits.collect())
    }

    /// All bits flipped.
    pub(crate) fn flipped(&self) -> Made<Number> {
        let bits = self.bits.iter().map(|bit| Ok(bit.not()?));
        Ok(Number::signed(bits.collect::<Made<_>>()?))
    }

    /// An operation on each pair of bits.
    pub(crate) fn bitwise(
        &self,
        other: &Number,
        op: impl Fn(&Bdd, &Bdd) -> Made<Bdd>,
    ) -> Made<Number> {
        let width = self.width().max(other.width());
        let bits = (0..width).map(|i| op(self.bit(i), other.bit(i)));
        Ok(Number::signed(bits.collect::<Made<_>>()?))
    }

    pub(crate) fn shifted_left(&self, d: &Diagrams, by: usize) -> Number {
        let zeros = std::iter::repeat_n(&d.no, by);
        Number::signed(zeros.chain(&self.bits).cloned().collect())
    }

    /// The sign is kept.
    pub(crate) fn shifted_right(&self, by: usize) -> Number {
        let last = self.width() - 1;
        Number::signed(self.bits[by.min(last)..].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::Stop;

    /// Two numbers of three bits each, and all pairs of their values.
    fn check(
        compute: impl Fn(&Diagrams, &Number, &Number) -> Made<Number>,
        expected: impl Fn(i64, i64) -> Option<i64>,
    ) {
        let d = Diagrams::new(6, 1 << 22).unwrap_or_else(|_| unreachable!());
        let read = |first: usize| (first..first + 3).map(|bit| d.now(bit).clone()).collect();
        let (a, b) = (Number::signed(read(0)), Number::signed(read(3)));
        let result = compute(&d, &a, &b).unwrap_or_else(|_| panic!("out of nodes"));
        for (x, y) in (-4..4).flat_map(|x| (-4..4).map(move |y| (x, y))) {
            let Some(expected) = expected(x, y) else {
                continue;
            };
            let chosen = |bit: usize| {
                if bit < 3 {
                    x >> bit & 1
                } else {
                    y >> (bit - 3) & 1
                }
            };
            let values = (0..6).map(|bit| (2 * bit as u32, chosen(bit) == 1));
            let bits = result.bits.iter().map(|bit| bit.eval(values.clone()));
            let bits: Vec<bool> = bits.collect();
            let sign = if bits[bits.len() - 1] { -1 } else { 0 };
            let found = bits
                .iter()
                .rev()
                .fold(sign, |v, &bit| v << 1 | i64::from(bit));
            assert_eq!(found, expected, "{x} and {y}");
        }
    }

    #[test]
    fn arithmetic_is_that_of_numbers() {
        check(|d, a, b| a.plus(d, b), |x, y| Some(x + y));
        check(|d, a, b| a.minus(d, b), |x, y| Some(x - y));
        check(|d, a, b| a.times(d, b), |x, y| Some(x * y));
        check(
            |d, a, b| Ok(a.divided(d, b)?.quotient),
            |x, y| x.checked_div(y),
        );
        check(
            |d, a, b| Ok(a.divided(d, b)?.remainder),
            |x, y| x.checked_rem(y),
        );
        check(|d, a, _| a.negated(d), |x, _| Some(-x));
    }

    #[test]
    fn comparisons_are_those_of_numbers() {
        check(
            |d, a, b| Ok(Number::truth(d, a.less(d, b)?)),
            |x, y| Some(i64::from(x < y)),
        );
        check(
            |d, a, b| Ok(Number::truth(d, a.equals(d, b)?)),
            |x, y| Some(i64::from(x == y)),
        );
        check(
            |d, a, _| Ok(Number::truth(d, a.is_zero(d)?)),
            |x, _| Some(i64::from(x == 0)),
        );
        check(
            |d, a, _| Ok(Number::truth(d, a.exceeds(d, 2)?)),
            |x, _| Some(i64::from(!(-2..2).contains(&x))),
        );
    }

    #[test]
    fn bits_are_those_of_numbers() {
        check(
            |_, a, b| a.bitwise(b, |p, q| Ok(p.and(q)?)),
            |x, y| Some(x & y),
        );
        check(
            |_, a, b| a.bitwise(b, |p, q| Ok(p.xor(q)?)),
            |x, y| Some(x ^ y),
        );
        check(|_, a, _| a.flipped(), |x, _| Some(!x));
        check(|d, a, _| Ok(a.shifted_left(d, 2)), |x, _| Some(x << 2));
        check(|_, a, _| Ok(a.shifted_right(1)), |x, _| Some(x >> 1));
        check(|d, a, _| Ok(a.wrapped(d, 2, false)), |x, _| Some(x & 3));
        check(
            |d, a, b| Number::choose(&a.less(d, b)?, a, b),
            |x, y| Some(x.min(y)),
        );
    }

    #[test]
    fn constants_stay_constant() -> Result<(), Stop> {
        let d = Diagrams::new(1, 1 << 22)?;
        for value in [0, 1, -1, 5, -8, i64::MAX, i64::MIN] {
            let number = Number::constant(&d, value);
            assert_eq!(number.as_constant(&d), Some(value));
        }
        let sum = Number::constant(&d, i64::MAX).plus(&d, &Number::constant(&d, 1))?;
        assert_eq!(sum.as_constant(&d), None);
        assert!(sum.exceeds(&d, 64)? == d.yes);
        Ok(())
    }
}
