//! Quantifiers: conditions on, and numbers for, each of some values, put together by one expression.
//!
//! A quantifier is one expression, however many values its variable has. It has one of two meanings ([`Evaluation`]): a *strict* one evaluates its
//! body for every value, so that a fault for any value is a fault of the whole; an *ordered* one goes through the values in order and stops at the
//! first that decides. The two differ only where a body may fail.
//!
//! Values without order, as those of a scalarset, want a strict quantifier: which fault keeps which other one from being found must not depend on an
//! order. Whoever reasons about single values wants [the quantifier written out](Quantified::written_out).

use crate::expr::{Expr, ExprKind};
use crate::ids::BinderId;
use crate::source::Span;
use crate::types::Scalar;
use crate::values::Values;

/// An expression for each value of a variable, and how the results are put together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quantified {
    /// What is made of the results.
    pub quantifier: Quantifier,
    /// Which values the body is evaluated for.
    pub evaluation: Evaluation,
    /// The variable.
    pub variable: BoundVariable,
    /// The values that the variable goes through, in order. There is one at least.
    pub values: Values,
    /// The expression for each value. It reads the variable by [`ExprKind::Bound`].
    pub body: Expr,
}

/// What a quantifier makes of the values of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// 1 if all of them are true, else 0.
    ForAll,
    /// 1 if one of them is true, else 0.
    Exists,
    /// How many of them are true.
    Count,
    /// Their sum: that of the first half, which is not the smaller one, plus that of the second. So it is known which sums must fit.
    Sum,
    /// The first of the values of the variable for which the body is true; 0 if there is none.
    FirstOf,
}

/// Which values of its variable a quantifier evaluates its body for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// All of them: a fault for any value is a fault of the whole. The first one in order is reported.
    Strict,
    /// One after the other, until one decides. `Count` and `Sum` have no such value, and are strict; `FirstOf` is always ordered.
    Ordered,
}

/// The variable of a quantifier.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoundVariable {
    /// How many quantifiers there are around this one, in the same expression.
    pub id: BinderId,
    /// Its name in the source.
    pub name: String,
    /// The type of its values.
    pub scalar: Scalar,
    /// Where it is declared.
    pub span: Span,
}

impl Quantifier {
    /// The truth value of the body that decides, if there is one.
    pub fn deciding(self) -> Option<bool> {
        match self {
            Quantifier::ForAll => Some(false),
            Quantifier::Exists | Quantifier::FirstOf => Some(true),
            Quantifier::Count | Quantifier::Sum => None,
        }
    }

    /// Whether its value is a truth value.
    pub fn is_condition(self) -> bool {
        self.dual().is_some()
    }

    /// The quantifier that is false where this one is true if the body is negated, if its value is a truth value. The body is evaluated for the same
    /// values.
    pub fn dual(self) -> Option<Self> {
        match self {
            Quantifier::ForAll => Some(Quantifier::Exists),
            Quantifier::Exists => Some(Quantifier::ForAll),
            Quantifier::Count | Quantifier::Sum | Quantifier::FirstOf => None,
        }
    }
}

impl Quantified {
    /// The truth value of the body at which the evaluation stops, if it does.
    pub fn stops_at(&self) -> Option<bool> {
        match self.evaluation {
            Evaluation::Strict => None,
            Evaluation::Ordered => self.quantifier.deciding(),
        }
    }

    /// How many conditions there are when the quantifier, and those inside, are written out.
    pub fn members(&self) -> u64 {
        let inside = members(&self.body).saturating_add(1);
        self.values.count().saturating_mul(inside)
    }
}

/// How many conditions the quantifiers inside an expression become when they are written out.
pub fn members(expr: &Expr) -> u64 {
    match &expr.kind {
        ExprKind::Quantified(quantified) => quantified.members(),
        _ => {
            let mut inside: u64 = 0;
            expr.each_part(&mut |part| inside = inside.saturating_add(members(part)));
            inside
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::BinaryOp;

    use crate::values::Progression;

    const SPAN: Span = Span::START;

    fn over(
        quantifier: Quantifier,
        evaluation: Evaluation,
        values: Vec<Progression>,
        body: Expr,
    ) -> Quantified {
        let variable = BoundVariable {
            id: BinderId(0),
            name: "i".into(),
            scalar: Scalar::unsigned(8),
            span: SPAN,
        };
        Quantified {
            quantifier,
            evaluation,
            variable,
            values: Values(values),
            body,
        }
    }

    fn bound() -> Expr {
        Expr::new(ExprKind::Bound(BinderId(0)), SPAN)
    }

    fn constant(value: i64) -> Expr {
        Expr::constant(value, SPAN)
    }

    fn unknown() -> Expr {
        Expr::new(ExprKind::SelfId, SPAN)
    }

    /// Whether the variable is at most 2, or else the number of the process.
    fn small_or_unknown() -> Expr {
        let small = Expr::binary(BinaryOp::LessEqual, bound(), constant(2));
        let same = Expr::binary(BinaryOp::Equal, unknown(), bound());
        Expr::binary(BinaryOp::Or, small, same)
    }

    fn is(value: i64) -> Expr {
        Expr::binary(BinaryOp::Equal, unknown(), constant(value))
    }

    #[test]
    fn what_is_known_of_values_is_decided() {
        let values = || vec![Progression::range(1, 4)];
        let all = |evaluation| over(Quantifier::ForAll, evaluation, values(), small_or_unknown());
        let joined = |op| Expr::binary(op, is(3), is(4));
        let strict = all(Evaluation::Strict).written_out(SPAN);
        assert_eq!(strict, joined(BinaryOp::BitAnd));
        let ordered = all(Evaluation::Ordered).written_out(SPAN);
        assert_eq!(ordered, joined(BinaryOp::And));
        let count = over(
            Quantifier::Count,
            Evaluation::Strict,
            values(),
            small_or_unknown(),
        );
        let two = Expr::binary(BinaryOp::Add, constant(1), constant(1));
        let rest = Expr::binary(BinaryOp::Add, is(3), is(4));
        assert_eq!(
            count.written_out(SPAN),
            Expr::binary(BinaryOp::Add, two, rest)
        );
    }

    #[test]
    fn an_ordered_quantifier_ends_with_the_value_that_decides() {
        let exists = |evaluation| {
            let values = vec![Progression {
                first: 4,
                step: -1,
                count: 4,
            }];
            over(Quantifier::Exists, evaluation, values, small_or_unknown()).written_out(SPAN)
        };
        let before = Expr::binary(BinaryOp::Or, is(4), is(3));
        let ordered = Expr::binary(BinaryOp::Or, before, constant(1));
        assert_eq!(exists(Evaluation::Ordered), ordered);
        let strict = exists(Evaluation::Strict);
        assert!(strict.any(|e| *e == constant(1)));
        assert!(strict.any(|e| *e == is(4)) && strict.any(|e| *e == is(3)));
    }

    #[test]
    fn a_condition_that_is_any_number_becomes_a_truth_value() {
        let one = over(
            Quantifier::ForAll,
            Evaluation::Strict,
            vec![Progression::range(5, 1)],
            unknown(),
        );
        assert_eq!(one.written_out(SPAN), unknown().negated().negated());
    }

    #[test]
    fn a_member_stands_outside_of_the_quantifier() {
        let inner = |id| {
            let body = Expr::binary(
                BinaryOp::Less,
                bound(),
                Expr::new(ExprKind::Bound(id), SPAN),
            );
            let values = vec![Progression::range(1, 2)];
            let mut inner = over(Quantifier::Exists, Evaluation::Strict, values, body);
            inner.variable.id = id;
            inner
        };
        let whole = |inner: Quantified| Expr::new(ExprKind::Quantified(Box::new(inner)), SPAN);
        let outer = over(
            Quantifier::ForAll,
            Evaluation::Strict,
            vec![Progression::range(1, 3)],
            whole(inner(BinderId(1))),
        );
        assert_eq!(outer.members(), 9);
        let member = outer.member(7);
        let mut expected = inner(BinderId(0));
        expected.body = Expr::binary(BinaryOp::Less, constant(7), bound());
        assert_eq!(member, whole(expected));
    }
}
