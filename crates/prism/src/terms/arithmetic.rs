//! Operators and functions.

use super::quotient::{Quotient, quotient};
use super::{IntTerm, Names, RealTerm, Term, both, chosen, either, equal, mismatch, not};
use crate::ast::{BinaryOp, Expr as Tree, Function};
use crate::limits;
use dashu_ratio::RBig;
use mandala_model::Diagnostic;
use mandala_model::expr::{self, Expr, ExprKind, UnaryOp};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

/// A comparison.
pub(super) fn compared(op: BinaryOp, terms: (Term, Term), span: Span) -> Fallible<Expr> {
    let op = comparison(op);
    let is_equation = matches!(op, expr::BinaryOp::Equal | expr::BinaryOp::NotEqual);
    match terms {
        (Term::Bool(left), Term::Bool(right)) if is_equation => Ok(equal(op, left, right, span)),
        (Term::Bool(_), Term::Bool(_)) => {
            let help = "`=`, `!=`, `=>` and `<=>` are for them";
            Err(error_help(span, "truth values have no order", help))
        }
        (left @ Term::Bool(_), other) | (other, left @ Term::Bool(_)) => {
            let message = format!("{} is compared with {}", left.kind(), other.kind());
            Err(error(span, message))
        }
        (Term::Int(left), Term::Int(right)) => Ok(ints_compared(op, left, right, span)),
        (left, right) => reals_compared(op, &left.into_real(), &right.into_real(), span),
    }
}

fn comparison(op: BinaryOp) -> expr::BinaryOp {
    match op {
        BinaryOp::NotEqual => expr::BinaryOp::NotEqual,
        BinaryOp::Less => expr::BinaryOp::Less,
        BinaryOp::LessEqual => expr::BinaryOp::LessEqual,
        BinaryOp::Greater => expr::BinaryOp::Greater,
        BinaryOp::GreaterEqual => expr::BinaryOp::GreaterEqual,
        _ => expr::BinaryOp::Equal,
    }
}

/// What is known of a comparison of something in the first bounds with something in the second.
fn decided<T: PartialOrd>(op: expr::BinaryOp, left: (&T, &T), right: (&T, &T)) -> Option<bool> {
    use expr::BinaryOp as Op;
    let below = left.1 < right.0;
    let above = left.0 > right.1;
    let known = left.0 == left.1 && right.0 == right.1 && left.0 == right.0;
    match op {
        Op::Less if below => Some(true),
        Op::Less if left.0 >= right.1 => Some(false),
        Op::LessEqual if left.1 <= right.0 => Some(true),
        Op::LessEqual if above => Some(false),
        Op::Greater if above => Some(true),
        Op::Greater if left.1 <= right.0 => Some(false),
        Op::GreaterEqual if left.0 >= right.1 => Some(true),
        Op::GreaterEqual if below => Some(false),
        Op::Equal if below || above => Some(false),
        Op::NotEqual if below || above => Some(true),
        Op::Equal if known => Some(true),
        Op::NotEqual if known => Some(false),
        _ => None,
    }
}

fn ints_compared(op: expr::BinaryOp, left: IntTerm, right: IntTerm, span: Span) -> Expr {
    let known = decided(op, (&left.low, &left.high), (&right.low, &right.high));
    match known {
        Some(value) => Expr::constant(i64::from(value), span),
        None => {
            let mut compared = Expr::binary(op, left.expr, right.expr);
            compared.span = span;
            compared
        }
    }
}

/// Numbers are compared as the integers that are above their common divisor.
fn reals_compared(
    op: expr::BinaryOp,
    left: &RealTerm,
    right: &RealTerm,
    span: Span,
) -> Fallible<Expr> {
    if let (Some(left), Some(right)) = (&left.bounds, &right.bounds)
        && let Some(value) = decided(op, (&left.0, &left.1), (&right.0, &right.1))
    {
        return Ok(Expr::constant(i64::from(value), span));
    }
    let (left, right) = (quotient(left, span)?, quotient(right, span)?);
    let (below_left, below_right) = (left.known_below(span)?, right.known_below(span)?);
    let left = times(&left.above, &IntTerm::constant(below_right, span), span)?;
    let right = times(&right.above, &IntTerm::constant(below_left, span), span)?;
    Ok(ints_compared(op, left, right, span))
}

/// A sum, difference, product, quotient or power.
pub(super) fn calculated(op: BinaryOp, terms: (Term, Term), span: Span) -> Fallible<Term> {
    match terms {
        (found @ Term::Bool(_), _) | (_, found @ Term::Bool(_)) => {
            Err(mismatch("two numbers", &found, span))
        }
        (Term::Int(left), Term::Int(right)) => match op {
            BinaryOp::Add => plus(&left, &right, span).map(Term::Int),
            BinaryOp::Subtract => minus(&left, &right, span).map(Term::Int),
            BinaryOp::Multiply => times(&left, &right, span).map(Term::Int),
            BinaryOp::Power => int_power(&left, &right, span),
            _ => {
                let (left, right) = (RealTerm::of_int(&left), RealTerm::of_int(&right));
                left.divided(right, span).map(Term::Real)
            }
        },
        (left, right) => {
            let (left, right) = (left.into_real(), right.into_real());
            let result = match op {
                BinaryOp::Add => left.plus(right, span),
                BinaryOp::Subtract => left.minus(right, span),
                BinaryOp::Multiply => left.times(right, span),
                BinaryOp::Power => left.power(&right, span),
                _ => left.divided(right, span),
            };
            result.map(Term::Real)
        }
    }
}

fn too_large(span: Span) -> Box<Diagnostic> {
    error(span, "the value of this does not fit 64 bits")
}

/// An operation on two integers; constants are calculated.
fn operation(
    op: expr::BinaryOp,
    (left, right): (&IntTerm, &IntTerm),
    span: Span,
    exactly: fn(i64, i64) -> Option<i64>,
    (low, high): (i64, i64),
) -> Fallible<IntTerm> {
    if let (Some(a), Some(b)) = (left.as_constant(), right.as_constant()) {
        let value = exactly(a, b).ok_or_else(|| too_large(span))?;
        return Ok(IntTerm::constant(value, span));
    }
    let mut expr = Expr::binary(op, left.expr.clone(), right.expr.clone());
    expr.span = span;
    Ok(IntTerm { expr, low, high })
}

pub(super) fn plus(left: &IntTerm, right: &IntTerm, span: Span) -> Fallible<IntTerm> {
    let low = left.low.saturating_add(right.low);
    let high = left.high.saturating_add(right.high);
    let sides = (left, right);
    match (left.as_constant(), right.as_constant()) {
        (Some(0), None) => Ok(right.clone()),
        (None, Some(0)) => Ok(left.clone()),
        _ => operation(
            expr::BinaryOp::Add,
            sides,
            span,
            i64::checked_add,
            (low, high),
        ),
    }
}

pub(super) fn minus(left: &IntTerm, right: &IntTerm, span: Span) -> Fallible<IntTerm> {
    let low = left.low.saturating_sub(right.high);
    let high = left.high.saturating_sub(right.low);
    let sides = (left, right);
    match right.as_constant() {
        Some(0) => Ok(left.clone()),
        _ => operation(
            expr::BinaryOp::Subtract,
            sides,
            span,
            i64::checked_sub,
            (low, high),
        ),
    }
}

pub(super) fn times(left: &IntTerm, right: &IntTerm, span: Span) -> Fallible<IntTerm> {
    let ends = [
        left.low.saturating_mul(right.low),
        left.low.saturating_mul(right.high),
        left.high.saturating_mul(right.low),
        left.high.saturating_mul(right.high),
    ];
    let low = ends.into_iter().fold(i64::MAX, i64::min);
    let high = ends.into_iter().fold(i64::MIN, i64::max);
    let sides = (left, right);
    match (left.as_constant(), right.as_constant()) {
        (Some(1), _) => Ok(right.clone()),
        (_, Some(1)) => Ok(left.clone()),
        _ => operation(
            expr::BinaryOp::Multiply,
            sides,
            span,
            i64::checked_mul,
            (low, high),
        ),
    }
}

/// A power of integers.
fn int_power(base: &IntTerm, exponent: &IntTerm, span: Span) -> Fallible<Term> {
    match (base.as_constant(), exponent.as_constant()) {
        (Some(_), Some(exponent)) if exponent < 0 => {
            let exponent = RealTerm::constant(RBig::from(exponent));
            RealTerm::of_int(base)
                .power(&exponent, span)
                .map(Term::Real)
        }
        (Some(base), Some(exponent)) => {
            let exponent = u32::try_from(exponent).map_err(|_| too_large(span))?;
            let value = base.checked_pow(exponent).ok_or_else(|| too_large(span))?;
            Ok(Term::Int(IntTerm::constant(value, span)))
        }
        (None, Some(exponent)) if (0..=limits::POWER).contains(&exponent) => {
            let mut product = IntTerm::constant(1, span);
            for _ in 0..exponent {
                product = times(&product, base, span)?;
            }
            Ok(Term::Int(product))
        }
        _ => each_power(base, exponent, span).map(Term::Int),
    }
}

/// A power of a constant whose exponent depends on the state: one of few.
fn each_power(base: &IntTerm, exponent: &IntTerm, span: Span) -> Fallible<IntTerm> {
    let few = 0..=limits::POWER;
    let is_possible = few.contains(&exponent.low) && few.contains(&exponent.high);
    let base = base.as_constant().filter(|_| is_possible);
    let Some(base) = base else {
        let message = "the exponent of this power depends on the state";
        let help = format!(
            "exponents from 0 to {} of a constant are possible",
            limits::POWER
        );
        return Err(error_help(span, message, help));
    };
    let mut result: Option<IntTerm> = None;
    for number in (exponent.low..=exponent.high).rev() {
        let power = u32::try_from(number).ok().and_then(|n| base.checked_pow(n));
        let power = IntTerm::constant(power.ok_or_else(|| too_large(span))?, span);
        let number = IntTerm::constant(number, span);
        let is = ints_compared(expr::BinaryOp::Equal, exponent.clone(), number, span);
        result = Some(match result {
            None => power,
            Some(rest) => chosen(None, is, power, rest, span),
        });
    }
    result.ok_or_else(|| too_large(span))
}

impl Names {
    pub(super) fn negated(&self, inner: &Tree, span: Span) -> Fallible<Term> {
        match self.term(inner)? {
            Term::Int(term) => {
                let (low, high) = (term.high.saturating_neg(), term.low.saturating_neg());
                if let Some(value) = term.as_constant() {
                    let value = value.checked_neg().ok_or_else(|| too_large(span))?;
                    return Ok(Term::Int(IntTerm::constant(value, span)));
                }
                let kind = ExprKind::Unary(UnaryOp::Negate, Box::new(term.expr));
                let expr = Expr::new(kind, span);
                Ok(Term::Int(IntTerm { expr, low, high }))
            }
            Term::Real(term) => {
                let zero = RealTerm::constant(RBig::ZERO);
                zero.minus(term, span).map(Term::Real)
            }
            found @ Term::Bool(_) => Err(mismatch("a number", &found, span)),
        }
    }

    /// A call of a function, which has as many arguments as it needs.
    pub(super) fn called(
        &self,
        function: Function,
        arguments: &[Tree],
        span: Span,
    ) -> Fallible<Term> {
        match function {
            Function::Min => self.extreme(expr::BinaryOp::LessEqual, arguments, span),
            Function::Max => self.extreme(expr::BinaryOp::GreaterEqual, arguments, span),
            Function::Floor => self.rounded(&arguments[0], Way::Down, span),
            Function::Ceil => self.rounded(&arguments[0], Way::Up, span),
            Function::Round => self.rounded(&arguments[0], Way::Nearest, span),
            Function::Pow => {
                let terms = (self.term(&arguments[0])?, self.term(&arguments[1])?);
                calculated(BinaryOp::Power, terms, span)
            }
            Function::Mod => self.remainder(arguments, span),
            Function::Log => self.logarithm(arguments, span),
        }
    }

    /// The least or the greatest of some numbers.
    fn extreme(&self, op: expr::BinaryOp, arguments: &[Tree], span: Span) -> Fallible<Term> {
        let mut best: Option<Term> = None;
        for argument in arguments {
            let term = match self.term(argument)? {
                found @ Term::Bool(_) => return Err(mismatch("a number", &found, argument.span)),
                term => term,
            };
            best = Some(match (best, term) {
                (None, term) => term,
                (Some(Term::Int(a)), Term::Int(b)) => Term::Int(int_extreme(op, a, b, span)),
                (Some(a), b) => Term::Real(a.into_real().extreme(op, b.into_real())),
            });
        }
        best.ok_or_else(|| error(span, "expected a number"))
    }

    /// A number rounded to an integer.
    fn rounded(&self, argument: &Tree, way: Way, span: Span) -> Fallible<Term> {
        let term = match self.term(argument)? {
            Term::Int(term) => return Ok(Term::Int(term)),
            Term::Real(term) => term,
            found @ Term::Bool(_) => return Err(mismatch("a number", &found, argument.span)),
        };
        if let Some(value) = term.quantity.as_constant() {
            let rounded = match way {
                Way::Down => value.floor(),
                Way::Up => value.ceil(),
                Way::Nearest => (value + RBig::ONE / RBig::from(2)).floor(),
            };
            let value = i64::try_from(rounded).map_err(|_| too_large(span))?;
            return Ok(Term::Int(IntTerm::constant(value, span)));
        }
        let parts: Quotient = quotient(&term, span)?;
        let divisor = parts.known_below(span)?;
        let (factor, added) = match way {
            Way::Down => (1, 0),
            Way::Up => (1, divisor - 1),
            Way::Nearest => (2, divisor),
        };
        let above = times(&parts.above, &IntTerm::constant(factor, span), span)?;
        let above = plus(&above, &IntTerm::constant(added, span), span)?;
        let divisor = divisor.checked_mul(factor).ok_or_else(|| too_large(span))?;
        floor(&above, divisor, span).map(Term::Int)
    }

    /// The remainder, which is never negative.
    fn remainder(&self, arguments: &[Tree], span: Span) -> Fallible<Term> {
        let (left, right) = (self.int(&arguments[0])?, self.int(&arguments[1])?);
        if right.as_constant() == Some(0) {
            return Err(error(span, "division by 0"));
        }
        if right.low <= 0 {
            let message = "the divisor of this remainder may be 0 or less";
            return Err(error_help(
                span,
                message,
                "only positive divisors are possible",
            ));
        }
        let bounds = (0, right.high - 1);
        let modulo = |left: &IntTerm| {
            let sides = (left, &right);
            operation(
                expr::BinaryOp::Modulo,
                sides,
                span,
                i64::checked_rem,
                bounds,
            )
        };
        if left.low >= 0 {
            return modulo(&left).map(Term::Int);
        }
        // The remainder has the sign of the left side: moved up by the divisor, it is taken again.
        let moved = plus(&modulo(&left)?, &right, span)?;
        modulo(&moved).map(Term::Int)
    }

    /// A logarithm, if it is an integer.
    fn logarithm(&self, arguments: &[Tree], span: Span) -> Fallible<Term> {
        let (number, base) = (self.number(&arguments[0])?, self.number(&arguments[1])?);
        let mut power = RBig::ONE;
        if base > RBig::ONE && number >= RBig::ONE {
            for exponent in 0..=i64::from(limits::EXPONENT) {
                if power == number {
                    return Ok(Term::Int(IntTerm::constant(exponent, span)));
                }
                power *= &base;
            }
        }
        let message = "this logarithm is no integer, so it has no exact value";
        Err(error_help(span, message, "write the number that is meant"))
    }
}

/// How a number is rounded.
#[derive(Clone, Copy)]
enum Way {
    Down,
    Up,
    Nearest,
}

/// The lesser or the greater of two integers.
fn int_extreme(op: expr::BinaryOp, left: IntTerm, right: IntTerm, span: Span) -> IntTerm {
    let bounds = match op {
        expr::BinaryOp::LessEqual => (left.low.min(right.low), left.high.min(right.high)),
        _ => (left.low.max(right.low), left.high.max(right.high)),
    };
    let first = ints_compared(op, left.clone(), right.clone(), span);
    let known = first.as_constant().map(|value| value != 0);
    let mut term = chosen(known, first, left, right, span);
    (term.low, term.high) = bounds;
    term
}

/// The quotient of an integer and a positive number, rounded down.
fn floor(above: &IntTerm, divisor: i64, span: Span) -> Fallible<IntTerm> {
    let below = IntTerm::constant(divisor, span);
    let divide = |above: &IntTerm| {
        let bounds = (above.low / divisor, above.high / divisor);
        let sides = (above, &below);
        operation(
            expr::BinaryOp::Divide,
            sides,
            span,
            i64::checked_div,
            bounds,
        )
    };
    if above.low >= 0 {
        return divide(above);
    }
    let shifted = minus(above, &IntTerm::constant(divisor - 1, span), span)?;
    let zero = IntTerm::constant(0, span);
    let negative = ints_compared(expr::BinaryOp::Less, above.clone(), zero, span);
    let known = negative.as_constant().map(|value| value != 0);
    Ok(chosen(
        known,
        negative,
        divide(&shifted)?,
        divide(above)?,
        span,
    ))
}

/// Whether an integer is not zero.
pub(super) fn is_not_zero(term: IntTerm, span: Span) -> Expr {
    let zero = IntTerm::constant(0, span);
    ints_compared(expr::BinaryOp::NotEqual, term, zero, span)
}

/// The second where the condition is true, and else the third.
pub(super) fn cases(condition: &Expr, first: Expr, second: Expr, span: Span) -> Expr {
    let yes = both(condition.clone(), first, span);
    let no = both(not(condition.clone()), second, span);
    either(yes, no, span)
}
