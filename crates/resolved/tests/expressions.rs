//! Random expressions have the value in resolved form that the reference interpreter gives them, or fail in the same way at the same place.

use crate::evaluator::Evaluator;
use crate::setting::{Maker, model, shuffle};
use mandala_interpreter::Interpreter;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::TemplateId;
use mandala_model::model::Arithmetic;
use mandala_model::step::Observers;
use mandala_resolved::Resolver;

const ROUNDS: u64 = 20_000;

/// Compares random expressions. Says how many of them had a value, and how many failed.
fn compare(arithmetic: Arithmetic) -> (u64, u64) {
    let model = model(arithmetic);
    let interpreter = Interpreter::new(&model, Observers::default());
    let start = interpreter.start().expect("nothing fails at the start");
    let resolver = Resolver::in_template(&model, TemplateId(0));
    let (mut values, mut faults) = (0, 0);
    for seed in 0..ROUNDS {
        let mut maker = Maker::new(seed);
        let expr = maker.expr(1 + (seed % 4) as u32, 0);
        let resolved = resolver.expr(&expr);
        let mut state = start.state.clone();
        shuffle(&mut state, &mut maker.random);
        let process = seed as usize % 2;
        let evaluator = Evaluator {
            model: &model,
            state: &state,
            process,
            bound: &[],
        };
        let expected = interpreter.evaluate(&state, Some(process as u32), &expr);
        let found = evaluator.value(&resolved);
        assert_eq!(found, expected, "seed {seed}: {expr:?} became {resolved:?}");
        match expected {
            Ok(_) => values += 1,
            Err(_) => faults += 1,
        }
    }
    (values, faults)
}

#[test]
fn random_expressions_mean_the_same() {
    for arithmetic in [Arithmetic::Wrapping32, Arithmetic::Checked64] {
        let (values, faults) = compare(arithmetic);
        assert!(values > ROUNDS / 4, "{values} have values");
        assert!(faults > ROUNDS / 20, "{faults} fail");
    }
}

/// A constant that a model has in it is a number in the resolved form, by the arithmetic of its language.
#[test]
fn constants_are_folded() {
    let mut constants = 0;
    for arithmetic in [Arithmetic::Wrapping32, Arithmetic::Checked64] {
        let model = model(arithmetic);
        let interpreter = Interpreter::new(&model, Observers::default());
        let state = interpreter.start().expect("nothing fails").state;
        let resolver = Resolver::outside(&model);
        for seed in 0..ROUNDS {
            let expr = Maker::new(seed).expr(2, 0);
            if !is_constant(&expr) {
                continue;
            }
            let value = interpreter.evaluate(&state, None, &expr);
            if let Ok(value) = value {
                assert_eq!(resolver.expr(&expr).as_constant(), Some(value), "{expr:?}");
                constants += 1;
            }
        }
    }
    assert!(constants > ROUNDS / 100, "{constants} constants");
}

/// Whether an expression is made of numbers by operators alone.
fn is_constant(expr: &Expr) -> bool {
    !expr.any(|part| {
        !matches!(
            part.kind,
            ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Binary(..)
        )
    })
}
