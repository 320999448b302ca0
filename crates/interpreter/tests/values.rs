//! The values of expressions.

use crate::common::*;
use mandala_interpreter::Interpreter;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use mandala_model::model::Arithmetic;
use mandala_model::state::Value;
use mandala_model::step::FaultKind;

fn value(expr: &Expr) -> Value {
    evaluated(Arithmetic::Wrapping32, expr).unwrap()
}

fn evaluated(arithmetic: Arithmetic, expr: &Expr) -> Result<Value, FaultKind> {
    let mut sketch = Sketch::new();
    sketch.model.arithmetic = arithmetic;
    sketch.run(Automaton::new("p").edge(0, 1, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = start(&interpreter).state;
    let value = interpreter.evaluate(&state, Some(0), expr);
    value.map_err(|fault| fault.kind)
}

fn of(operation: BinaryOp, left: i64, right: i64) -> Value {
    value(&op(operation, num(left), num(right)))
}

fn unary(operation: UnaryOp, operand: i64) -> Value {
    value(&expr(ExprKind::Unary(operation, Box::new(num(operand)))))
}

#[test]
fn results_are_cut_to_32_bits() {
    let max = i64::from(i32::MAX);
    let min = i64::from(i32::MIN);
    assert_eq!(of(BinaryOp::Add, max, 1), min);
    assert_eq!(of(BinaryOp::Subtract, min, 1), max);
    assert_eq!(of(BinaryOp::Multiply, 65_536, 65_536), 0);
    assert_eq!(of(BinaryOp::ShiftLeft, 1, 31), min);
    assert_eq!(of(BinaryOp::Divide, min, -1), min);
    assert_eq!(unary(UnaryOp::Negate, min), min);
}

#[test]
fn results_that_do_not_fit_64_bits_are_faults() {
    let of = |operation, left, right| {
        evaluated(Arithmetic::Checked64, &op(operation, num(left), num(right)))
    };
    assert_eq!(of(BinaryOp::Add, i64::MAX - 1, 1), Ok(i64::MAX));
    assert_eq!(of(BinaryOp::Add, i64::MAX, 1), Err(FaultKind::Overflow));
    assert_eq!(
        of(BinaryOp::Multiply, 1 << 32, 1 << 31),
        Err(FaultKind::Overflow)
    );
    assert_eq!(of(BinaryOp::Divide, i64::MIN, -1), Err(FaultKind::Overflow));
    assert_eq!(of(BinaryOp::ShiftLeft, 1, 62), Ok(1 << 62));
    assert_eq!(of(BinaryOp::ShiftLeft, 1, 63), Err(FaultKind::Overflow));
    assert_eq!(of(BinaryOp::ShiftRight, -1, 63), Ok(-1));
    let too_far = |by| Err(FaultKind::BadShift { by });
    assert_eq!(of(BinaryOp::ShiftRight, 1, 64), too_far(64));
    assert_eq!(of(BinaryOp::ShiftLeft, 1, -1), too_far(-1));
    let negated = expr(ExprKind::Unary(UnaryOp::Negate, Box::new(num(i64::MIN))));
    let negated = evaluated(Arithmetic::Checked64, &negated);
    assert_eq!(negated, Err(FaultKind::Overflow));
}

#[test]
fn shifts_reach_as_far_as_there_are_bits() {
    let of = |operation, by| evaluated(Arithmetic::Wrapping32, &op(operation, num(-1), num(by)));
    assert_eq!(of(BinaryOp::ShiftRight, 31), Ok(-1));
    for operation in [BinaryOp::ShiftLeft, BinaryOp::ShiftRight] {
        assert_eq!(of(operation, 32), Err(FaultKind::BadShift { by: 32 }));
    }
}

#[test]
fn division_goes_towards_zero() {
    assert_eq!(of(BinaryOp::Divide, -7, 2), -3);
    assert_eq!(of(BinaryOp::Modulo, -7, 2), -1);
    assert_eq!(of(BinaryOp::Modulo, 7, -2), 1);
    assert_eq!(of(BinaryOp::ShiftRight, -8, 1), -4);
}

#[test]
fn bits_and_comparisons() {
    assert_eq!(of(BinaryOp::BitAnd, 12, 10), 8);
    assert_eq!(of(BinaryOp::BitOr, 12, 10), 14);
    assert_eq!(of(BinaryOp::BitXor, 12, 10), 6);
    assert_eq!(unary(UnaryOp::BitNot, 5), -6);
    assert_eq!(unary(UnaryOp::Not, 5), 0);
    let compare = |left, right| {
        [
            BinaryOp::Equal,
            BinaryOp::NotEqual,
            BinaryOp::Less,
            BinaryOp::LessEqual,
            BinaryOp::Greater,
            BinaryOp::GreaterEqual,
        ]
        .map(|operation| of(operation, left, right))
    };
    assert_eq!(compare(1, 2), [0, 1, 1, 1, 0, 0]);
    assert_eq!(compare(2, 2), [1, 0, 0, 1, 0, 1]);
}

#[test]
fn what_does_not_matter_is_not_evaluated() {
    let broken = || op(BinaryOp::Divide, num(1), num(0));
    assert_eq!(value(&op(BinaryOp::And, num(0), broken())), 0);
    assert_eq!(value(&op(BinaryOp::Or, num(7), broken())), 1);
    let conditional = |condition, yes, no| {
        expr(ExprKind::Conditional(
            Box::new(num(condition)),
            Box::new(yes),
            Box::new(no),
        ))
    };
    assert_eq!(value(&conditional(1, num(5), broken())), 5);
    assert_eq!(value(&conditional(0, broken(), num(6))), 6);
}

#[test]
fn long_chains_do_not_exhaust_the_stack() {
    let sum = (0..2_000).fold(num(0), |sum, _| plus(sum, num(1)));
    let choice = (0..2_000).fold(sum, |no, _| {
        let zero = Box::new(num(0));
        expr(ExprKind::Conditional(zero.clone(), zero, Box::new(no)))
    });
    assert_eq!(value(&choice), 2_000);
}
