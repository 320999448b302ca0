//! Of several forms with one meaning one is made.

use crate::setting::{model, span};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::{BinderId, GlobalId};
use mandala_model::model::Arithmetic;
use mandala_model::parameters::{Progression, Values};
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::template::{Effect, Step};
use mandala_model::types::Scalar;
use mandala_resolved::{
    Base, Junction, Otherwise, ResolvedEffect, ResolvedExpr, ResolvedKind, ResolvedPlace,
    ResolvedStep, Resolver, Store,
};

fn resolved(expr: &Expr) -> ResolvedExpr {
    Resolver::outside(&model(Arithmetic::Wrapping32)).expr(expr)
}

fn number(value: i64) -> Expr {
    Expr::constant(value, span(1))
}

fn global(id: u32, path: Vec<Projection>) -> Place {
    Place {
        root: Root::Global(GlobalId(id)),
        path,
        span: span(3),
    }
}

fn wide() -> Expr {
    Expr::new(ExprKind::Read(global(2, Vec::new())), span(5))
}

fn index(expr: Expr) -> Projection {
    Projection::Index(expr)
}

fn place(path: Vec<Projection>) -> ResolvedPlace {
    Resolver::outside(&model(Arithmetic::Wrapping32)).place(&global(1, path))
}

#[test]
fn what_is_known_of_a_place_is_its_offset() {
    let known = place(vec![
        index(number(1)),
        Projection::Field(1),
        index(number(1)),
    ]);
    assert_eq!(
        (known.base, known.offset),
        (Base::Global, 3 + 3 + 1 + 1),
        "three cells of `x`, three of `r[0]`, `r[1].a` and `r[1].b[0]`"
    );
    assert!(known.indices.is_empty());
    let store = Store::Bits {
        bits: 16,
        signed: true,
    };
    assert_eq!(known.store, store);
}

#[test]
fn what_is_not_known_of_a_place_has_a_stride_and_a_bound() {
    let place = place(vec![index(wide()), Projection::Field(1), index(number(2))]);
    assert_eq!(place.offset, 3 + 1);
    let indices: Vec<_> = place.indices.iter().map(|i| (i.stride, i.bound)).collect();
    assert_eq!(indices, [(3, 2), (1, 2)], "an index out of bounds stays");
    assert_eq!(place.indices[0].value.span, span(5));
}

#[test]
fn negations_become_relations() {
    let less = || Expr::binary(BinaryOp::Less, number(7), wide());
    let greater = resolved(&less());
    let ResolvedKind::Compare(relation, operands) = &greater.kind else {
        panic!("{greater:?}");
    };
    assert_eq!(operands[1].as_constant(), Some(7), "constants stand right");
    assert!(relation.holds(8, 7) && !relation.holds(7, 7));
    let negated = resolved(&less().negated());
    let kind = ResolvedKind::Compare(relation.negated(), operands.clone());
    assert_eq!(negated.kind, kind);
    assert_eq!(resolved(&less().negated().negated()).kind, greater.kind);
}

#[test]
fn chains_of_conditions_are_one_junction() {
    let and = |a, b| Expr::binary(BinaryOp::And, a, b);
    let chain = and(and(wide(), number(1)), and(wide(), and(wide(), number(0))));
    let ResolvedKind::Junction(Junction { decisive, parts }) = resolved(&and(chain, wide())).kind
    else {
        panic!("a junction");
    };
    let constants: Vec<_> = parts.iter().map(ResolvedExpr::as_constant).collect();
    assert!(!decisive);
    assert_eq!(constants, [None, None, None, Some(0)]);
}

#[test]
fn a_long_chain_is_resolved() {
    let mut chain = wide();
    for _ in 0..2_000 {
        chain = Expr::binary(BinaryOp::And, chain, wide());
    }
    let ResolvedKind::Junction(junction) = resolved(&chain).kind else {
        panic!("a junction");
    };
    assert_eq!(junction.parts.len(), 2_001);
}

#[test]
fn what_fails_stays_where_it_stands() {
    let divided = Expr::binary(BinaryOp::Divide, number(1), number(0));
    assert_eq!(resolved(&divided).as_constant(), None);
    assert_eq!(resolved(&divided).span, divided.span);
    let defined = |value| {
        let kind = ExprKind::Unary(UnaryOp::Defined, Box::new(number(value)));
        resolved(&Expr::new(kind, span(9)))
    };
    assert_eq!(defined(3).as_constant(), Some(3));
    assert_eq!(defined(0).as_constant(), None);
}

#[test]
fn failures_and_assertions_are_checks() {
    let model = model(Arithmetic::Wrapping32);
    let step = Step::Guarded {
        guard: number(1),
        effects: vec![
            Effect::Assert { condition: wide() },
            Effect::Fail {
                message: "no".into(),
            },
            Effect::Abandon,
        ],
    };
    let ResolvedStep::Guarded { effects, .. } = Resolver::outside(&model).step(&step, span(20))
    else {
        panic!("a guarded step");
    };
    let checks: Vec<Otherwise> = effects
        .iter()
        .map(|effect| match effect {
            ResolvedEffect::Check { otherwise, .. } => *otherwise,
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        Otherwise::Report(span(5)),
        Otherwise::Fail(span(20)),
        Otherwise::Abandon,
    ];
    assert_eq!(checks, expected);
}

/// What is asked for each of three values.
fn quantified(quantifier: Quantifier, evaluation: Evaluation, body: Expr) -> Expr {
    let variable = BoundVariable {
        id: BinderId(0),
        name: "i".into(),
        scalar: Scalar::unsigned(8),
        span: span(30),
    };
    let quantified = Quantified {
        quantifier,
        evaluation,
        variable,
        values: Values(vec![Progression::range(0, 3)]),
        body,
    };
    Expr::new(ExprKind::Quantified(Box::new(quantified)), span(31))
}

fn both(left: Expr, right: Expr) -> Expr {
    let kind = ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right));
    Expr::new(kind, span(32))
}

/// How many conditions stand before each quantifier of an expression, and in its body.
fn conditions(expr: &Expr) -> Vec<usize> {
    let mut lengths = Vec::new();
    resolved(expr).walk(&mut |part| {
        if let ResolvedKind::Junction(junction) = &part.kind {
            lengths.push(junction.parts.len());
        }
    });
    lengths
}

#[test]
fn what_does_not_depend_on_the_variable_is_asked_once() {
    let bound = || Expr::new(ExprKind::Bound(BinderId(0)), span(33));
    let negated = |expr| Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(expr)), span(34));
    for evaluation in [Evaluation::Ordered, Evaluation::Strict] {
        let ask = |quantifier, body| quantified(quantifier, evaluation, body);
        let exists = ask(Quantifier::Exists, both(wide(), bound()));
        assert!(matches!(resolved(&exists).kind, ResolvedKind::Junction(_)));
        assert_eq!(
            conditions(&exists),
            [2],
            "nothing is left to be joined inside"
        );
        let all = ask(Quantifier::ForAll, negated(both(wide(), bound())));
        assert_eq!(conditions(&all), [2]);
        let before = ask(Quantifier::Exists, both(both(wide(), bound()), wide()));
        assert_eq!(
            conditions(&before),
            [2, 2],
            "what comes behind stays behind"
        );
        for quantifier in [Quantifier::Count, Quantifier::Sum, Quantifier::FirstOf] {
            let kept = ask(quantifier, both(wide(), bound()));
            assert!(matches!(resolved(&kept).kind, ResolvedKind::Quantified(_)));
        }
        let depends = ask(Quantifier::Exists, both(bound(), wide()));
        assert!(matches!(
            resolved(&depends).kind,
            ResolvedKind::Quantified(_)
        ));
        let constant = ask(Quantifier::Exists, both(wide(), wide()));
        assert_eq!(conditions(&constant), [2], "one condition stays inside");
    }
}
