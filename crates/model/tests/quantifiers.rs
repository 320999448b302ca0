//! Quantifiers: what the verifier asks of them.

use crate::build::*;
use crate::verify::{Break, errors, formula, guard};
use mandala_model::expr::*;
use mandala_model::ids::*;
use mandala_model::parameters::{Progression, Values};
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::types::*;
use mandala_model::verify::Rule;

/// Ways to break the invariant about quantifiers.
pub const BREAKS: &[Break] = &[
    (Rule::Quantifiers, "a quantifier without values", |m| {
        guard(m, quantified(Quantifier::ForAll, Vec::new(), bound(0)));
    }),
    (
        Rule::Quantifiers,
        "a value that the variable has no room for",
        |m| {
            let values = vec![Progression::range(250, 10)];
            guard(m, quantified(Quantifier::Exists, values, bound(0)));
        },
    ),
    (
        Rule::Quantifiers,
        "more values than a count can tell",
        |m| {
            let run = Progression {
                first: 1,
                step: 0,
                count: u32::MAX,
            };
            guard(m, quantified(Quantifier::Count, vec![run], bound(0)));
        },
    ),
    (
        Rule::Quantifiers,
        "a variable outside of its quantifier",
        |m| {
            guard(m, bound(0));
        },
    ),
    (
        Rule::Quantifiers,
        "a variable of a quantifier further inside",
        |m| {
            guard(m, quantified(Quantifier::Sum, some_values(), bound(1)));
        },
    ),
    (
        Rule::Quantifiers,
        "a variable outside of its quantifier, in a condition",
        |m| {
            formula(m, bound(0));
        },
    ),
    (Rule::Quantifiers, "a quantifier inside of itself", |m| {
        let inner = quantified(Quantifier::Exists, some_values(), bound(0));
        guard(m, quantified(Quantifier::ForAll, some_values(), inner));
    }),
    (Rule::Quantifiers, "a count that stops early", |m| {
        guard(m, ordered(Quantifier::Count, bound(0)));
    }),
    (Rule::Quantifiers, "a sum that stops early", |m| {
        guard(m, ordered(Quantifier::Sum, bound(0)));
    }),
    (Rule::Quantifiers, "the first value without an order", |m| {
        guard(m, quantified(Quantifier::FirstOf, some_values(), bound(0)));
    }),
];

/// A strict quantifier over a byte with no quantifiers around it.
fn quantified(quantifier: Quantifier, values: Vec<Progression>, body: Expr) -> Expr {
    expr(ExprKind::Quantified(Box::new(Quantified {
        quantifier,
        evaluation: Evaluation::Strict,
        variable: BoundVariable {
            id: BinderId(0),
            name: "i".into(),
            scalar: Scalar::unsigned(8),
            span: SPAN,
        },
        values: Values(values),
        body,
    })))
}

fn ordered(quantifier: Quantifier, body: Expr) -> Expr {
    let mut whole = quantified(quantifier, some_values(), body);
    if let ExprKind::Quantified(quantified) = &mut whole.kind {
        quantified.evaluation = Evaluation::Ordered;
    }
    whole
}

fn some_values() -> Vec<Progression> {
    vec![Progression::range(1, 3)]
}

fn bound(id: u32) -> Expr {
    expr(ExprKind::Bound(BinderId(id)))
}

#[test]
fn quantifiers_of_every_kind_are_valid() {
    let strict = [
        Quantifier::ForAll,
        Quantifier::Exists,
        Quantifier::Count,
        Quantifier::Sum,
    ];
    let strict = strict.map(|kind| quantified(kind, some_values(), bound(0)));
    let kinds = [Quantifier::ForAll, Quantifier::Exists, Quantifier::FirstOf];
    let ordered = kinds.map(|kind| ordered(kind, bound(0)));
    for valid in strict.into_iter().chain(ordered) {
        let mut model = sample();
        guard(&mut model, valid);
        assert_eq!(errors(model), []);
    }
}
