//! Arithmetic of the input languages: one implementation, with what a language does about large results as data.
//!
//! The operators of the [intermediate representation](crate::expr::BinaryOp) are of three kinds: a [calculation](Calculation) makes a number of two
//! numbers, a [relation](Relation) compares two numbers, and a junction asks conditions until one decides. Everything that computes with known
//! numbers, executes a model or folds constants does it here, but for the reference interpreter, which is the oracle.

use crate::expr::{BinaryOp, UnaryOp};
use crate::model::Arithmetic;
use crate::step::FaultKind;

/// An operation that makes a number of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Calculation {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient towards zero; by zero is a run-time error.
    Divide,
    /// Remainder with the sign of the left side; by zero is a run-time error.
    Modulo,
    /// Bits of both.
    BitAnd,
    /// Bits of either.
    BitOr,
    /// Bits of exactly one.
    BitXor,
    /// Shifted left; a shift by a negative number or by the width or more is a run-time error.
    ShiftLeft,
    /// Shifted right keeping the sign; a shift by a negative number or by the width or more is a run-time error.
    ShiftRight,
}

impl Calculation {
    /// Whether the sides can be exchanged.
    pub fn commutes(self) -> bool {
        match self {
            Calculation::Add
            | Calculation::Multiply
            | Calculation::BitAnd
            | Calculation::BitOr
            | Calculation::BitXor => true,
            Calculation::Subtract
            | Calculation::Divide
            | Calculation::Modulo
            | Calculation::ShiftLeft
            | Calculation::ShiftRight => false,
        }
    }
}

/// Which results of a comparison count: 1 for less, 2 for equal, 4 for greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relation(pub u8);

impl Relation {
    /// Equal.
    pub const EQUAL: Relation = Relation(2);
    /// Not equal.
    pub const NOT_EQUAL: Relation = Relation(5);

    /// True where this one is false.
    pub fn negated(self) -> Self {
        Relation(7 - self.0)
    }

    /// The relation with its sides exchanged.
    pub fn mirrored(self) -> Self {
        Relation((self.0 & 2) | (self.0 & 1) << 2 | self.0 >> 2)
    }

    /// Whether it holds.
    #[inline]
    pub fn holds(self, a: i64, b: i64) -> bool {
        let result = 1u8 << (a.cmp(&b) as i8 + 1);
        self.0 & result != 0
    }
}

/// What a binary operator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// It makes a number of two numbers.
    Calculate(Calculation),
    /// It compares two numbers.
    Compare(Relation),
    /// It asks whether conditions are true, the right one only if the left one does not decide.
    Junction {
        /// The truth value that decides.
        decisive: bool,
    },
}

impl BinaryOp {
    /// What it does.
    #[inline]
    pub fn operator(self) -> Operator {
        match self {
            BinaryOp::Add => Operator::Calculate(Calculation::Add),
            BinaryOp::Subtract => Operator::Calculate(Calculation::Subtract),
            BinaryOp::Multiply => Operator::Calculate(Calculation::Multiply),
            BinaryOp::Divide => Operator::Calculate(Calculation::Divide),
            BinaryOp::Modulo => Operator::Calculate(Calculation::Modulo),
            BinaryOp::BitAnd => Operator::Calculate(Calculation::BitAnd),
            BinaryOp::BitOr => Operator::Calculate(Calculation::BitOr),
            BinaryOp::BitXor => Operator::Calculate(Calculation::BitXor),
            BinaryOp::ShiftLeft => Operator::Calculate(Calculation::ShiftLeft),
            BinaryOp::ShiftRight => Operator::Calculate(Calculation::ShiftRight),
            BinaryOp::Less => Operator::Compare(Relation(1)),
            BinaryOp::Equal => Operator::Compare(Relation::EQUAL),
            BinaryOp::LessEqual => Operator::Compare(Relation(3)),
            BinaryOp::Greater => Operator::Compare(Relation(4)),
            BinaryOp::NotEqual => Operator::Compare(Relation::NOT_EQUAL),
            BinaryOp::GreaterEqual => Operator::Compare(Relation(6)),
            BinaryOp::And => Operator::Junction { decisive: false },
            BinaryOp::Or => Operator::Junction { decisive: true },
        }
    }
}

impl Arithmetic {
    /// How many bits its numbers have.
    #[inline]
    pub fn bits(self) -> u32 {
        match self {
            Arithmetic::Wrapping32 => 32,
            Arithmetic::Checked64 => 64,
        }
    }

    /// Whether a result that does not fit is cut; if not, it is a run-time error.
    #[inline]
    pub fn wraps(self) -> bool {
        match self {
            Arithmetic::Wrapping32 => true,
            Arithmetic::Checked64 => false,
        }
    }

    /// The result of an operation on one number, or what is wrong with it.
    pub fn unary(self, op: UnaryOp, value: i64) -> Result<i64, FaultKind> {
        match op {
            UnaryOp::Not => Ok(i64::from(value == 0)),
            UnaryOp::Negate => self.calculate(Calculation::Subtract, 0, value),
            UnaryOp::BitNot => self.calculate(Calculation::Subtract, -1, value),
            UnaryOp::Defined if value == 0 => Err(FaultKind::Undefined),
            UnaryOp::Defined => Ok(value),
        }
    }

    /// The result of an operation on two numbers, or what is wrong with it.
    pub fn binary(self, op: BinaryOp, a: i64, b: i64) -> Result<i64, FaultKind> {
        match op.operator() {
            Operator::Calculate(calculation) => self.calculate(calculation, a, b),
            Operator::Compare(relation) => Ok(relation.holds(a, b).into()),
            Operator::Junction { decisive } => {
                let decides = |value: i64| (value != 0) == decisive;
                Ok(i64::from((decides(a) || decides(b)) == decisive))
            }
        }
    }

    /// The number that a calculation makes of two numbers, or what is wrong with them.
    #[inline]
    pub fn calculate(self, op: Calculation, a: i64, b: i64) -> Result<i64, FaultKind> {
        match op {
            Calculation::Add => self.result(a.checked_add(b), a.wrapping_add(b)),
            Calculation::Subtract => self.result(a.checked_sub(b), a.wrapping_sub(b)),
            Calculation::Multiply => self.result(a.checked_mul(b), a.wrapping_mul(b)),
            Calculation::Divide | Calculation::Modulo if b == 0 => Err(FaultKind::DivisionByZero),
            Calculation::Divide => self.result(a.checked_div(b), a.wrapping_div(b)),
            Calculation::Modulo => Ok(a.wrapping_rem(b)),
            Calculation::BitAnd => Ok(a & b),
            Calculation::BitOr => Ok(a | b),
            Calculation::BitXor => Ok(a ^ b),
            Calculation::ShiftLeft | Calculation::ShiftRight => self.shift(op, a, b),
        }
    }

    fn shift(self, op: Calculation, value: i64, by: i64) -> Result<i64, FaultKind> {
        if !(0..i64::from(self.bits())).contains(&by) {
            return Err(FaultKind::BadShift { by });
        }
        if op == Calculation::ShiftRight {
            return Ok(value >> by);
        }
        let shifted = value << by;
        let exact = (shifted >> by == value).then_some(shifted);
        self.result(exact, shifted)
    }

    /// A result as the language has it: cut to its width, or refused if it does not fit.
    #[inline]
    fn result(self, exact: Option<i64>, wrapped: i64) -> Result<i64, FaultKind> {
        match self {
            Arithmetic::Wrapping32 => Ok(i64::from(exact.unwrap_or(wrapped) as i32)),
            Arithmetic::Checked64 => exact.ok_or(FaultKind::Overflow),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Arithmetic; 2] = [Arithmetic::Wrapping32, Arithmetic::Checked64];

    #[test]
    fn large_results_are_cut_or_refused() {
        let max = i64::from(i32::MAX);
        let sum = |arithmetic: Arithmetic, a, b| arithmetic.calculate(Calculation::Add, a, b);
        assert_eq!(sum(Arithmetic::Wrapping32, max, 1), Ok(i64::from(i32::MIN)));
        assert_eq!(sum(Arithmetic::Checked64, max, 1), Ok(max + 1));
        let overflow = Err(FaultKind::Overflow);
        assert_eq!(sum(Arithmetic::Checked64, i64::MAX, 1), overflow);
        let negated = Arithmetic::Checked64.unary(UnaryOp::Negate, i64::MIN);
        assert_eq!(negated, overflow);
    }

    #[test]
    fn all_bits_are_flipped() {
        for value in [0, 1, -1, 77, i64::MIN, i64::MAX] {
            let flipped = |arithmetic: Arithmetic| arithmetic.unary(UnaryOp::BitNot, value);
            assert_eq!(flipped(Arithmetic::Checked64), Ok(!value));
            let cut = i64::from(!value as i32);
            assert_eq!(flipped(Arithmetic::Wrapping32), Ok(cut));
        }
    }

    #[test]
    fn what_has_no_result_is_a_fault() {
        for arithmetic in BOTH {
            for op in [Calculation::Divide, Calculation::Modulo] {
                let divided = arithmetic.calculate(op, 1, 0);
                assert_eq!(divided, Err(FaultKind::DivisionByZero));
            }
            for by in [-1, i64::from(arithmetic.bits())] {
                let shifted = arithmetic.calculate(Calculation::ShiftLeft, 1, by);
                assert_eq!(shifted, Err(FaultKind::BadShift { by }));
            }
            let undefined = arithmetic.unary(UnaryOp::Defined, 0);
            assert_eq!(undefined, Err(FaultKind::Undefined));
        }
    }

    #[test]
    fn relations_agree_with_the_operators() {
        for (a, b) in [(1, 2), (2, 2), (3, 2), (-1, 1)] {
            let expected = [
                (BinaryOp::Less, a < b),
                (BinaryOp::LessEqual, a <= b),
                (BinaryOp::Equal, a == b),
                (BinaryOp::NotEqual, a != b),
                (BinaryOp::Greater, a > b),
                (BinaryOp::GreaterEqual, a >= b),
            ];
            for (op, truth) in expected {
                let Operator::Compare(relation) = op.operator() else {
                    panic!("{op:?} compares");
                };
                assert_eq!(relation.holds(a, b), truth, "{op:?} {a} {b}");
                assert_eq!(relation.negated().holds(a, b), !truth, "not {op:?} {a} {b}");
                assert_eq!(relation.mirrored().holds(b, a), truth, "{op:?} {a} {b}");
            }
        }
    }

    #[test]
    fn junctions_are_truth_values() {
        for (a, b) in [(0, 0), (0, 7), (7, 0), (7, 7)] {
            for arithmetic in BOTH {
                let both = i64::from(a != 0 && b != 0);
                assert_eq!(arithmetic.binary(BinaryOp::And, a, b), Ok(both));
                let either = i64::from(a != 0 || b != 0);
                assert_eq!(arithmetic.binary(BinaryOp::Or, a, b), Ok(either));
            }
        }
    }
}
