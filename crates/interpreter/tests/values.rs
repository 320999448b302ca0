//! The values of expressions.

use crate::common::*;
use mandala_interpreter::Interpreter;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use mandala_model::state::Value;

fn value(expr: &Expr) -> Value {
    let mut sketch = Sketch::new();
    sketch.run(Automaton::new("p").edge(0, 1, skip()));
    let model = sketch.verified();
    let interpreter = Interpreter::new(&model, ALONE);
    let state = start(&interpreter).state;
    interpreter.evaluate(&state, Some(0), expr).unwrap()
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
