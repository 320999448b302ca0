//! Numbers, conditions and assignments.

use super::PROCESS;
use crate::ast::{Arithmetic, Comparison};
use crate::typed::{Assignment, Condition, ModeId, Need, Operand, Process, Value};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::{GlobalId, LocalId, LocationId};
use mandala_model::source::Span;
use mandala_model::template::Effect;

/// Whether a pointer that is followed is known not to be NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// It has been asked for.
    Checked,
    /// Nobody knows: NULL is a run-time error.
    Risky,
}

/// A number at a place.
pub(super) fn constant(value: i64, span: Span) -> Expr {
    Expr::constant(value, span)
}

/// The parts joined by an operation, from left to right.
pub(super) fn join(op: BinaryOp, mut parts: Vec<Expr>, span: Span) -> Expr {
    match parts.len() {
        0 => constant(i64::from(op == BinaryOp::And), span),
        1 => parts.swap_remove(0),
        count => {
            let right = parts.split_off(count / 2);
            Expr::binary(op, join(op, parts, span), join(op, right, span))
        }
    }
}

/// That the condition is true, which it is not if it has no value.
pub(super) fn truth(condition: &Condition, span: Span) -> Expr {
    let mut parts = has_value(condition, span);
    parts.extend(condition.conjuncts().iter().map(|part| plain(part, span)));
    join(BinaryOp::And, parts, span)
}

/// What must hold for the condition to have a value, each after what it takes to ask for it.
pub(super) fn has_value(condition: &Condition, span: Span) -> Vec<Expr> {
    let mut needs: Vec<Need<'_>> = Vec::new();
    condition.needs(&mut |need| {
        if !needs.contains(&need) {
            needs.push(need);
        }
    });
    let holds = |need: Need<'_>| {
        let number = match need {
            Need::Pointer(pointer) => read(pointer, Trust::Checked),
            Need::Divisor(divisor) => value(divisor, span, Trust::Checked),
        };
        Expr::binary(BinaryOp::NotEqual, number, constant(0, span))
    };
    needs.into_iter().map(holds).collect()
}

/// The condition where it has a value.
pub(super) fn plain(condition: &Condition, span: Span) -> Expr {
    match condition {
        Condition::Constant(value) => constant(i64::from(*value), span),
        Condition::Compare(op, left, right) => compared(*op, left, right, span),
        Condition::In(process, mode) => is_in(process, *mode, span),
        Condition::Not(inner) => plain(inner, span).negated(),
        Condition::And(parts) => join(BinaryOp::And, plain_all(parts, span), span),
        Condition::Or(parts) => join(BinaryOp::Or, plain_all(parts, span), span),
    }
}

fn plain_all(parts: &[Condition], span: Span) -> Vec<Expr> {
    parts.iter().map(|part| plain(part, span)).collect()
}

fn compared(op: Comparison, left: &Value, right: &Value, span: Span) -> Expr {
    let operator = match op {
        Comparison::Equal => BinaryOp::Equal,
        Comparison::NotEqual => BinaryOp::NotEqual,
        Comparison::Less => BinaryOp::Less,
        Comparison::LessEqual => BinaryOp::LessEqual,
        Comparison::Greater => BinaryOp::Greater,
        Comparison::GreaterEqual => BinaryOp::GreaterEqual,
    };
    let [left, right] = [left, right].map(|side| value(side, span, Trust::Checked));
    Expr::binary(operator, left, right)
}

fn is_in(process: &Process, mode: ModeId, span: Span) -> Expr {
    let at = ExprKind::At {
        template: PROCESS,
        process: Box::new(address(process, span, Trust::Checked)),
        location: LocationId::from(mode.0),
    };
    Expr::new(at, span)
}

/// A number.
pub(super) fn value(number: &Value, span: Span, trust: Trust) -> Expr {
    match number {
        Value::Constant(number) => constant(*number, span),
        Value::Me => Expr::new(ExprKind::SelfId, span),
        Value::Chosen(number) => chosen(*number, span),
        Value::Read(operand) => read(operand, trust),
        Value::Mode(process) => {
            let process = Box::new(address(process, span, trust));
            Expr::new(ExprKind::LocationNumber(process), span)
        }
        Value::Calculate(op, left, right) => {
            let [left, right] = [left, right].map(|side| value(side, span, trust));
            Expr::binary(operator(*op), left, right)
        }
    }
}

fn operator(op: Arithmetic) -> BinaryOp {
    match op {
        Arithmetic::Add => BinaryOp::Add,
        Arithmetic::Subtract => BinaryOp::Subtract,
        Arithmetic::Multiply => BinaryOp::Multiply,
        Arithmetic::Divide => BinaryOp::Divide,
    }
}

fn read(operand: &Operand, trust: Trust) -> Expr {
    Expr::new(ExprKind::Read(place(operand, trust)), operand.span)
}

fn place(operand: &Operand, trust: Trust) -> Place {
    let root = Root::Global(GlobalId::from(operand.variable.0));
    let mut place = Place::variable(root, operand.span);
    if let Some(owner) = &operand.owner {
        let index = address(owner, operand.span, trust);
        place.path.push(Projection::Index(index));
    }
    place
}

/// The process that a claim keeps in its variable of that number.
fn chosen(number: u32, span: Span) -> Expr {
    let place = Place::variable(Root::Local(LocalId(number)), span);
    Expr::new(ExprKind::Read(place), span)
}

/// The number of a process.
fn address(process: &Process, span: Span, trust: Trust) -> Expr {
    match process {
        Process::Own => Expr::new(ExprKind::SelfId, span),
        Process::Named(process) => constant(i64::from(*process), span),
        Process::Chosen(number) => chosen(*number, span),
        Process::Behind(pointer) => match trust {
            Trust::Checked => read(pointer, trust),
            Trust::Risky => {
                let inner = Box::new(read(pointer, trust));
                Expr::new(ExprKind::Unary(UnaryOp::Defined, inner), pointer.span)
            }
        },
    }
}

/// An action.
pub(super) fn assign(assignment: &Assignment) -> Effect {
    Effect::Assign {
        place: place(&assignment.place, Trust::Risky),
        value: value(&assignment.value, assignment.span, Trust::Risky),
    }
}
