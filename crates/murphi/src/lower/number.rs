//! Numbers: an expression, a constant that is added to it, and bounds.
//!
//! A cell holds a number of the range `lo .. hi` as 1 for `lo`, 2 for the next, and so on, so almost every
//! number in a model is "a cell plus a constant". Keeping the constant apart lets `x := y` become a
//! copy and `a[x]` an index without a detour through the numbers that the user sees. The bounds say
//! which checks cannot fail and how much room a temporary needs; they never say that a value is
//! defined.

use super::build::{compare, conditional, constant, negate, plus};
use crate::typed::{BinaryOp, Number as Integer};
use mandala_model::expr::{BinaryOp as Op, Expr, ExprKind, UnaryOp as Unary};
use mandala_model::findings::{Fallible, error};
use mandala_model::source::Span;

/// The least and the greatest value.
pub(super) type Bounds = (Integer, Integer);

/// All that the numbers of the intermediate representation can be.
const WIDE: Bounds = (i64::MIN as Integer, i64::MAX as Integer);

/// A number whose value is known when the model runs, or before.
#[derive(Clone, Debug)]
pub(super) struct Number {
    /// What the constant is added to; nothing for a constant.
    base: Option<Expr>,
    offset: Integer,
    /// The value is within.
    pub(super) bounds: Bounds,
    pub(super) span: Span,
}

impl Number {
    pub(super) fn constant(value: Integer, span: Span) -> Number {
        Number {
            base: None,
            offset: value,
            bounds: (value, value),
            span,
        }
    }

    /// The value of an expression plus a constant, which together are within the bounds.
    pub(super) fn new(base: Expr, offset: Integer, bounds: Bounds) -> Number {
        let span = base.span;
        match base.as_constant() {
            Some(value) => Number::constant(Integer::from(value) + offset, span),
            None => Number {
                base: Some(base),
                offset,
                bounds,
                span,
            },
        }
    }

    pub(super) fn as_constant(&self) -> Option<Integer> {
        match self.base {
            Some(_) => None,
            None => Some(self.offset),
        }
    }

    /// What a constant is added to; nothing for a constant.
    pub(super) fn base(&self) -> Option<&Expr> {
        self.base.as_ref()
    }

    pub(super) fn plus(mut self, by: Integer) -> Number {
        self.offset = self.offset.saturating_add(by);
        self.bounds = (
            self.bounds.0.saturating_add(by),
            self.bounds.1.saturating_add(by),
        );
        self
    }

    /// As an expression.
    pub(super) fn expr(self) -> Fallible<Expr> {
        let Ok(offset) = i64::try_from(self.offset) else {
            let message = format!("the number {} does not fit into 64 bits", self.offset);
            return Err(error(self.span, message));
        };
        Ok(match self.base {
            Some(base) => plus(base, offset),
            None => constant(offset, self.span),
        })
    }

    /// The comparison of two numbers.
    pub(super) fn compare(self, op: Op, other: Number) -> Expr {
        let span = self.span.to(other.span);
        let difference = other.offset.saturating_sub(self.offset);
        let mut expr = match (self.base, other.base) {
            (Some(left), Some(right)) => compare(op, left, plus(right, clamp(difference))),
            (Some(left), None) => compare(op, left, constant(clamp(difference), other.span)),
            (None, Some(right)) => compare(
                op,
                constant(clamp(difference.saturating_neg()), self.span),
                right,
            ),
            (None, None) => compare(op, constant(0, span), constant(clamp(difference), span)),
        };
        expr.span = span;
        expr
    }

    pub(super) fn negate(self) -> Number {
        Number {
            base: self.base.map(negate),
            offset: self.offset.saturating_neg(),
            bounds: (
                self.bounds.1.saturating_neg(),
                self.bounds.0.saturating_neg(),
            ),
            span: self.span,
        }
    }

    /// The result of an operation of arithmetic.
    pub(super) fn arithmetic(self, op: BinaryOp, other: Number, span: Span) -> Fallible<Number> {
        let bounds = bounds_of(op, self.bounds, other.bounds);
        let fits = WIDE.0 <= bounds.0 && bounds.1 <= WIDE.1;
        if let (Some(left), Some(right)) = (self.as_constant(), other.as_constant())
            && let Some(value) = folded(op, left, right)
        {
            return Ok(Number::constant(value, span));
        }
        let result = match op {
            BinaryOp::Add if fits => self.sum(other),
            BinaryOp::Subtract if fits => self.sum(other.negate()),
            BinaryOp::ShiftLeft => shift(self, other, Direction::Left, bounds)?,
            BinaryOp::ShiftRight => shift(self, other, Direction::Right, bounds)?,
            _ => {
                let expr = Expr::binary(plain(op), self.expr()?, other.expr()?);
                Number::new(expr, 0, cut(bounds))
            }
        };
        Ok(result.at(span))
    }

    fn sum(self, other: Number) -> Number {
        let bounds = bounds_of(BinaryOp::Add, self.bounds, other.bounds);
        let span = self.span.to(other.span);
        let base = match (self.base, other.base) {
            (Some(left), Some(right)) => Some(added(left, right)),
            (left, right) => left.or(right),
        };
        Number {
            base,
            offset: self.offset.saturating_add(other.offset),
            bounds,
            span,
        }
    }

    /// With this place in the source, for what can go wrong in the operation.
    pub(super) fn at(mut self, span: Span) -> Number {
        self.span = span;
        if let Some(base) = &mut self.base {
            base.span = span;
        }
        self
    }
}

/// The sum, as a difference if the right side is a negated value.
fn added(left: Expr, right: Expr) -> Expr {
    match right.kind {
        ExprKind::Unary(Unary::Negate, inner) => Expr::binary(Op::Subtract, left, *inner),
        kind => Expr::binary(Op::Add, left, Expr::new(kind, right.span)),
    }
}

/// Cells are far from the ends of 64 bits, so a constant beyond them may as well be at the end.
fn clamp(value: Integer) -> i64 {
    value.clamp(WIDE.0, WIDE.1) as i64
}

fn cut(bounds: Bounds) -> Bounds {
    (
        bounds.0.clamp(WIDE.0, WIDE.1),
        bounds.1.clamp(WIDE.0, WIDE.1),
    )
}

fn plain(op: BinaryOp) -> Op {
    match op {
        BinaryOp::BitOr => Op::BitOr,
        BinaryOp::BitXor => Op::BitXor,
        BinaryOp::BitAnd => Op::BitAnd,
        BinaryOp::Subtract => Op::Subtract,
        BinaryOp::Multiply => Op::Multiply,
        BinaryOp::Divide => Op::Divide,
        BinaryOp::Modulo => Op::Modulo,
        _ => Op::Add,
    }
}

/// The value of an operation on constants, unless it fails or leaves 64 bits: then that is for run time.
fn folded(op: BinaryOp, left: Integer, right: Integer) -> Option<Integer> {
    let value = match op {
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::BitAnd => left & right,
        BinaryOp::Add => left.checked_add(right)?,
        BinaryOp::Subtract => left.checked_sub(right)?,
        BinaryOp::Multiply => left.checked_mul(right)?,
        BinaryOp::Divide => left.checked_div(right)?,
        BinaryOp::Modulo => left.checked_rem(right)?,
        BinaryOp::ShiftLeft => shifted(left, right, Direction::Left),
        BinaryOp::ShiftRight => shifted(left, right, Direction::Right),
        _ => return None,
    };
    (WIDE.0 <= value && value <= Integer::from(u64::MAX)).then_some(value)
}

/// Where a shift goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
}

impl Direction {
    fn other(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        }
    }

    fn op(self) -> Op {
        match self {
            Direction::Left => Op::ShiftLeft,
            Direction::Right => Op::ShiftRight,
        }
    }
}

/// A shift as Rumur does it: by a negative distance it goes the other way; to the left, what leaves 64
/// bits is lost; to the right, the sign stays.
fn shifted(value: Integer, by: Integer, direction: Direction) -> Integer {
    if by < 0 {
        return shifted(value, by.saturating_neg(), direction.other());
    }
    match direction {
        Direction::Left if by > 63 => 0,
        Direction::Left => Integer::from((value as i64) << by),
        Direction::Right => value >> by.min(127),
    }
}

/// A shift whose distance may be anything: the operations themselves fail outside of 0 to 63.
fn shift(value: Number, by: Number, direction: Direction, bounds: Bounds) -> Fallible<Number> {
    let (low, high) = by.bounds;
    let distance = by.clone();
    let value = value.expr()?;
    let forth = one_way(&value, by.clone(), direction)?;
    let expr = if low >= 0 {
        forth
    } else {
        let back = one_way(&value, by.negate(), direction.other())?;
        let zero = Number::constant(0, distance.span);
        match high {
            ..0 => back,
            _ => conditional(distance.compare(Op::GreaterEqual, zero), forth, back),
        }
    };
    Ok(Number::new(expr, 0, cut(bounds)))
}

/// A shift by a distance that is not negative.
fn one_way(value: &Expr, by: Number, direction: Direction) -> Fallible<Expr> {
    let last = Number::constant(63, by.span);
    let far = match direction {
        Direction::Left => constant(0, value.span),
        Direction::Right => Expr::binary(Op::ShiftRight, value.clone(), constant(63, value.span)),
    };
    let is_near = by.bounds.1 <= 63;
    let distance = by.clone().expr()?;
    let near = Expr::binary(direction.op(), value.clone(), distance);
    Ok(match is_near {
        true => near,
        false => conditional(by.compare(Op::LessEqual, last), near, far),
    })
}

/// Between which values the result of an operation is.
fn bounds_of(op: BinaryOp, a: Bounds, b: Bounds) -> Bounds {
    match op {
        BinaryOp::Add => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
        BinaryOp::Subtract => (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)),
        BinaryOp::Multiply => corners(a, b, Integer::saturating_mul),
        BinaryOp::Divide if a.0 >= 0 && b.0 >= 0 => (0, a.1),
        BinaryOp::Divide => (-largest(a), largest(a)),
        BinaryOp::Modulo => toward_zero(a, largest(b).min(largest(a))),
        BinaryOp::BitAnd if a.0 >= 0 || b.0 >= 0 => (0, bits(a, b)),
        BinaryOp::BitOr | BinaryOp::BitXor if a.0 >= 0 && b.0 >= 0 => (0, bits(a, b)),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            let bits = bits(a, b);
            (-bits - 1, bits)
        }
        BinaryOp::ShiftRight if b.0 >= 0 => toward_zero(a, largest(a)),
        BinaryOp::ShiftLeft if a.0 >= 0 && b.0 >= 0 && b.1 < 60 && a.1 < 1 << 60 => {
            let high = a.1 << b.1;
            if high <= WIDE.1 { (0, high) } else { WIDE }
        }
        _ => WIDE,
    }
}

fn corners(a: Bounds, b: Bounds, op: fn(Integer, Integer) -> Integer) -> Bounds {
    let all = [op(a.0, b.0), op(a.0, b.1), op(a.1, b.0), op(a.1, b.1)];
    let low = all.iter().copied().min().unwrap_or(WIDE.0);
    let high = all.iter().copied().max().unwrap_or(WIDE.1);
    (low, high)
}

/// The largest absolute value.
fn largest(a: Bounds) -> Integer {
    let most = a.0.saturating_abs().max(a.1.saturating_abs());
    most.min(1 << 64)
}

/// At most that large, and on the same side of 0 as the operand.
fn toward_zero(a: Bounds, most: Integer) -> Bounds {
    let low = if a.0 < 0 { -most } else { 0 };
    (low, if a.1 > 0 { most } else { 0 })
}

/// The largest number that has no more bits than the operands.
fn bits(a: Bounds, b: Bounds) -> Integer {
    let most = largest(a).max(largest(b)).min(WIDE.1);
    let width = Integer::BITS - most.leading_zeros();
    (1 << width) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span::START;

    #[test]
    fn constants_shift_as_in_rumur() {
        assert_eq!(shifted(1, 64, Direction::Left), 0);
        assert_eq!(shifted(8, -2, Direction::Left), 2);
        assert_eq!(shifted(-1, 64, Direction::Right), -1);
        assert_eq!(shifted(2, -2, Direction::Right), 8);
        assert_eq!(shifted(-4, 1, Direction::Right), -2);
    }

    #[test]
    fn results_are_within_their_bounds() {
        let operators = [
            BinaryOp::Add,
            BinaryOp::Subtract,
            BinaryOp::Multiply,
            BinaryOp::Divide,
            BinaryOp::Modulo,
            BinaryOp::BitAnd,
            BinaryOp::BitOr,
            BinaryOp::BitXor,
            BinaryOp::ShiftLeft,
            BinaryOp::ShiftRight,
        ];
        let ranges = [(-5, 3), (0, 4), (1, 7), (-6, -2), (0, 0)];
        for op in operators {
            for (a, b) in ranges.iter().flat_map(|a| ranges.map(|b| (*a, b))) {
                let (low, high) = bounds_of(op, a, b);
                for left in a.0..=a.1 {
                    for value in (b.0..=b.1).filter_map(|right| folded(op, left, right)) {
                        assert!(low <= value && value <= high, "{op:?} {a:?} {b:?}: {value}");
                    }
                }
            }
        }
    }

    #[test]
    fn constants_stay_apart_from_cells() {
        let cell = || Number::new(Expr::new(ExprKind::SelfId, SPAN), -1, (0, 5));
        let sum = cell().arithmetic(BinaryOp::Add, Number::constant(1, SPAN), SPAN);
        assert_eq!(
            sum.and_then(Number::expr).map(|e| e.kind),
            Ok(ExprKind::SelfId)
        );
        let same = cell().compare(Op::Equal, cell());
        let plain = || Box::new(Expr::new(ExprKind::SelfId, SPAN));
        assert_eq!(same.kind, ExprKind::Binary(Op::Equal, plain(), plain()));
    }
}
