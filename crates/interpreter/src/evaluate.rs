//! The value of an expression, by plain recursion over it.
//!
//! Only two shapes are walked in a loop, because generated models nest them thousands deep: the
//! left spine of binary operations (`a + b + c + ...`) and the last branch of conditionals.

use crate::view::View;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use mandala_model::model::Arithmetic;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::{Fault, FaultKind};

/// A fault at a place.
pub(crate) fn fault(kind: FaultKind, span: Span) -> Fault {
    Fault {
        kind,
        span,
        monitors: None,
    }
}

impl View<'_> {
    /// The value of an expression.
    pub(crate) fn evaluate(&self, expr: &Expr) -> Result<Value, Fault> {
        let expr = self.branch_taken(expr)?;
        match &expr.kind {
            ExprKind::Const(value) => Ok(*value),
            ExprKind::Read(place) => Ok(self.read(&self.cell(place)?)),
            ExprKind::Unary(op, operand) => {
                let value = self.evaluate(operand)?;
                unary(self.model.arithmetic, *op, value, expr.span)
            }
            ExprKind::Binary(..) => self.spine(expr),
            ExprKind::Conditional(..) => self.evaluate(self.branch_taken(expr)?),
            ExprKind::Quantified(quantified) => self.quantified(quantified, expr.span),
            ExprKind::Bound(id) => Ok(self.bound[id.index()]),
            ExprKind::Channel(query, channel) => self.channel_query(*query, channel),
            ExprKind::Poll {
                channel,
                order,
                patterns,
            } => self.poll(channel, *order, patterns),
            _ => self.about_processes(expr),
        }
    }

    /// True for every number but 0.
    pub(crate) fn holds(&self, condition: &Expr) -> Result<bool, Fault> {
        Ok(self.evaluate(condition)? != 0)
    }

    /// Goes into the branches that conditionals take, until there is none left.
    fn branch_taken<'e>(&self, expr: &'e Expr) -> Result<&'e Expr, Fault> {
        let mut expr = expr;
        while let ExprKind::Conditional(condition, yes, no) = &expr.kind {
            expr = if self.holds(condition)? { yes } else { no };
        }
        Ok(expr)
    }

    /// A binary operation: down the left spine, then back up with the value so far.
    fn spine(&self, expr: &Expr) -> Result<Value, Fault> {
        let mut operations = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary(op, left, right) = &leftmost.kind {
            operations.push((*op, right, leftmost.span));
            leftmost = left;
        }
        let mut value = self.evaluate(leftmost)?;
        while let Some((op, right, span)) = operations.pop() {
            value = self.binary(op, value, right, span)?;
        }
        Ok(value)
    }

    fn binary(&self, op: BinaryOp, left: Value, right: &Expr, span: Span) -> Result<Value, Fault> {
        match op {
            BinaryOp::And => Ok(Value::from(left != 0 && self.holds(right)?)),
            BinaryOp::Or => Ok(Value::from(left != 0 || self.holds(right)?)),
            _ => {
                let right = self.evaluate(right)?;
                binary(self.model.arithmetic, op, left, right).map_err(|kind| fault(kind, span))
            }
        }
    }

    /// Questions about processes: who am I, how many are there, where are they.
    fn about_processes(&self, expr: &Expr) -> Result<Value, Fault> {
        match &expr.kind {
            ExprKind::SelfId => Ok(self.viewer.map_or(0, Value::from)),
            ExprKind::ProcessCount => Ok(self.state.processes.len() as Value),
            ExprKind::FirstInstance(template) => {
                let mut processes = self.state.processes.iter();
                let first = processes.position(|p| p.template == *template);
                Ok(first.map_or(-1, |number| number as Value))
            }
            ExprKind::LastMover => Ok(self.state.last_mover),
            ExprKind::Timeout => Ok(Value::from(self.timeout)),
            ExprKind::NonProgress => Ok(Value::from(self.no_progress())),
            ExprKind::Accepting => Ok(Value::from(self.is_accepting())),
            ExprKind::Enabled(process) => {
                let number = self.evaluate(process)?;
                Ok(Value::from(self.ask_enabled(number, expr.span)?))
            }
            ExprKind::LocationNumber(process) => {
                let process = self.process(self.evaluate(process)?);
                Ok(process.map_or(0, |p| Value::from(self.location_of(p).number)))
            }
            ExprKind::Priority(process) => {
                let process = self.process(self.evaluate(process)?);
                Ok(process.map_or(0, |p| Value::from(p.priority)))
            }
            ExprKind::At {
                template,
                process,
                location,
            } => {
                let process = self.process(self.evaluate(process)?);
                Ok(Value::from(process.is_some_and(|p| {
                    p.template == *template && p.location == *location
                })))
            }
            _ => unreachable!("`evaluate` keeps the other kinds to itself"),
        }
    }

    fn is_accepting(&self) -> bool {
        let mut processes = self.state.processes.iter();
        processes.any(|p| self.location_of(p).accept)
    }

    fn no_progress(&self) -> bool {
        let mut processes = self.state.processes.iter();
        processes.all(|p| !self.location_of(p).progress)
    }
}

fn unary(arithmetic: Arithmetic, op: UnaryOp, value: Value, span: Span) -> Result<Value, Fault> {
    let exact = match op {
        UnaryOp::Not => return Ok(Value::from(value == 0)),
        UnaryOp::Defined if value == 0 => return Err(fault(FaultKind::Undefined, span)),
        UnaryOp::Defined => return Ok(value),
        UnaryOp::Negate => value.checked_neg(),
        UnaryOp::BitNot => Some(!value),
    };
    in_range(arithmetic, exact, value.wrapping_neg()).map_err(|kind| fault(kind, span))
}

pub(crate) fn binary(
    arithmetic: Arithmetic,
    op: BinaryOp,
    left: Value,
    right: Value,
) -> Result<Value, FaultKind> {
    let truth = |condition: bool| Ok(Value::from(condition));
    let result = |exact, wrapped| in_range(arithmetic, exact, wrapped);
    match op {
        BinaryOp::Add => result(left.checked_add(right), left.wrapping_add(right)),
        BinaryOp::Subtract => result(left.checked_sub(right), left.wrapping_sub(right)),
        BinaryOp::Multiply => result(left.checked_mul(right), left.wrapping_mul(right)),
        BinaryOp::Divide | BinaryOp::Modulo if right == 0 => Err(FaultKind::DivisionByZero),
        BinaryOp::Divide => result(left.checked_div(right), left.wrapping_div(right)),
        BinaryOp::Modulo => Ok(left.wrapping_rem(right)),
        BinaryOp::BitAnd => Ok(left & right),
        BinaryOp::BitOr => Ok(left | right),
        BinaryOp::BitXor => Ok(left ^ right),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => shift(arithmetic, op, left, right),
        BinaryOp::Equal => truth(left == right),
        BinaryOp::NotEqual => truth(left != right),
        BinaryOp::Less => truth(left < right),
        BinaryOp::LessEqual => truth(left <= right),
        BinaryOp::Greater => truth(left > right),
        BinaryOp::GreaterEqual => truth(left >= right),
        BinaryOp::And => truth(left != 0 && right != 0),
        BinaryOp::Or => truth(left != 0 || right != 0),
    }
}

fn shift(arithmetic: Arithmetic, op: BinaryOp, left: Value, by: Value) -> Result<Value, FaultKind> {
    let width = match arithmetic {
        Arithmetic::Wrapping32 => 32,
        Arithmetic::Checked64 => 64,
    };
    if !(0..width).contains(&by) {
        return Err(FaultKind::BadShift { by });
    }
    if op == BinaryOp::ShiftRight {
        return Ok(left >> by);
    }
    let shifted = left << by;
    let exact = (shifted >> by == left).then_some(shifted);
    in_range(arithmetic, exact, shifted)
}

/// A result as the source language has it: cut to 32 bits, or refused if it does not fit 64.
fn in_range(
    arithmetic: Arithmetic,
    exact: Option<Value>,
    wrapped: Value,
) -> Result<Value, FaultKind> {
    match arithmetic {
        Arithmetic::Wrapping32 => Ok(Value::from(exact.unwrap_or(wrapped) as i32)),
        Arithmetic::Checked64 => exact.ok_or(FaultKind::Overflow),
    }
}
