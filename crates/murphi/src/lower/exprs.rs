//! Expressions. Code that an expression needs, such as a call, is added before.

use super::build::{Chain, chain, compare, conditional, constant, not, read, truth};
use super::number::Number;
use super::places::Indices;
use super::value::Value;
use super::{Lowering, Meaning};
use crate::typed::{BinaryOp, Expr, ExprKind, Place, UnaryOp};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered};
use mandala_model::findings::{Fallible, error};
use mandala_model::source::Span;

impl Lowering<'_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Fallible<Value> {
        match &expr.kind {
            ExprKind::Binary(op, ..) if !is_logical(*op) => self.operations(expr),
            ExprKind::Binary(..) | ExprKind::Quantified(..) => {
                Ok(Value::Truth(self.logical(expr)?))
            }
            _ => self.other_value(expr),
        }
    }

    #[inline(never)]
    fn other_value(&mut self, expr: &Expr) -> Fallible<Value> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(self.constant_of(*value, expr.ty, expr.span)),
            ExprKind::Read(place) => {
                let meaning = self.place(place, Indices::Live)?;
                Ok(self.value_of_meaning(meaning))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.span),
            ExprKind::Conditional(parts) => self.conditional(parts, expr),
            ExprKind::Call(function, arguments) => {
                match self.call(*function, arguments, expr.span)? {
                    Some(value) => Ok(value),
                    None => Err(error(expr.span, "a procedure has no value")),
                }
            }
            ExprKind::IsUndefined(place) => Ok(Value::Truth(self.is_undefined(place)?)),
            ExprKind::IsMember(value, member) => Ok(Value::Truth(self.is_member(value, *member)?)),
            ExprKind::Convert(value) => self.converted(value, expr.ty),
            ExprKind::Count(binding, condition) => {
                self.count_elements(binding, condition, expr.span)
            }
            ExprKind::Binary(..) | ExprKind::Quantified(..) => {
                Ok(Value::Truth(self.logical(expr)?))
            }
        }
    }

    /// The value of a number.
    pub(super) fn number(&mut self, expr: &Expr) -> Fallible<Number> {
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            _ => Err(error(expr.span, "this is no number")),
        }
    }

    /// The value of a condition.
    pub(super) fn condition(&mut self, expr: &Expr) -> Fallible<Lowered> {
        match self.value(expr)?.into_truth() {
            Some(condition) => Ok(condition),
            None => Err(error(expr.span, "this is no condition")),
        }
    }

    fn is_undefined(&mut self, place: &Place) -> Fallible<Lowered> {
        Ok(match self.place(place, Indices::Live)? {
            Meaning::Spot(spot) => {
                let none = constant(0, place.span);
                compare(Op::Equal, read(spot.place()), none)
            }
            Meaning::Value(_) => truth(false, place.span),
        })
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Fallible<Value> {
        Ok(match op {
            UnaryOp::Not => Value::Truth(not(self.condition(operand)?)),
            UnaryOp::Negate => Value::Number(self.number(operand)?.negate().at(span)),
            // All bits turned round is the negated number less 1.
            UnaryOp::BitNot => Value::Number(self.number(operand)?.negate().plus(-1).at(span)),
        })
    }

    /// Operations that evaluate both sides. Long chains lean to the left, so that side is followed by a loop.
    #[inline(never)]
    fn operations(&mut self, expr: &Expr) -> Fallible<Value> {
        let mut pending = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(op, left, right) = &at.kind
            && !is_logical(*op)
        {
            pending.push((*op, &**right, left.ty, at.span));
            at = left;
        }
        let mut value = self.value(at)?;
        for (op, right, ty, span) in pending.into_iter().rev() {
            if self.needs_flow(right) {
                value = self.keep(value, ty)?;
            }
            let right = self.value(right)?;
            value = self.operation(op, value, right, span)?;
        }
        Ok(value)
    }

    fn operation(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Fallible<Value> {
        if let Some(op) = comparison(op) {
            return Ok(Value::Truth(self.comparison(op, left, right, span)?));
        }
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => {
                Ok(Value::Number(left.arithmetic(op, right, span)?))
            }
            _ => Err(error(span, "arithmetic is for numbers")),
        }
    }

    /// A comparison of two values of one type.
    pub(super) fn comparison(
        &mut self,
        op: Op,
        left: Value,
        right: Value,
        span: Span,
    ) -> Fallible<Lowered> {
        let mut expr = match (left, right) {
            (Value::Number(left), Value::Number(right)) => left.compare(op, right),
            (Value::Flag(left), Value::Flag(right))
            | (Value::Member(left), Value::Member(right)) => compare(op, left, right),
            (Value::Whole(left), Value::Whole(right)) => {
                let pairs = self.cells(&left).into_iter().zip(self.cells(&right));
                let equal = pairs.map(|((a, _), (b, _))| compare(Op::Equal, read(a), read(b)));
                let all = chain(Chain::All, equal, span);
                if op == Op::Equal { all } else { not(all) }
            }
            (left, right) => match (left.into_truth(), right.into_truth()) {
                (Some(left), Some(right)) => same_truth(op, left, right),
                _ => return Err(error(span, "these cannot be compared")),
            },
        };
        expr.span = span;
        Ok(expr)
    }

    /// `condition ? yes : no`
    fn conditional(&mut self, parts: &[Expr; 3], expr: &Expr) -> Fallible<Value> {
        let [condition, yes, no] = parts;
        let needs_flow = self.needs_flow(yes) || self.needs_flow(no);
        let condition = self.condition(condition)?;
        match condition.as_constant() {
            Some(0) => return self.value(no),
            Some(_) => return self.value(yes),
            None => {}
        }
        if needs_flow || !self.program.types.is_simple(expr.ty) {
            return self.conditional_flow(condition, yes, no, expr);
        }
        Ok(match (self.value(yes)?, self.value(no)?) {
            (Value::Number(yes), Value::Number(no)) => {
                let bounds = hull(yes.bounds, no.bounds);
                let value = conditional(condition, yes.expr()?, no.expr()?);
                Value::Number(Number::new(value, 0, bounds))
            }
            (Value::Flag(yes), Value::Flag(no)) => Value::Flag(conditional(condition, yes, no)),
            (Value::Member(yes), Value::Member(no)) => {
                Value::Member(conditional(condition, yes, no))
            }
            (yes, no) => match (yes.into_truth(), no.into_truth()) {
                (Some(yes), Some(no)) => Value::Truth(conditional(condition, yes, no)),
                _ => return Err(error(expr.span, "the two values are of different kinds")),
            },
        })
    }

    /// The same where a value needs code: only that of the value that is chosen may run.
    fn conditional_flow(
        &mut self,
        condition: Lowered,
        yes: &Expr,
        no: &Expr,
        expr: &Expr,
    ) -> Fallible<Value> {
        let mut result = self.new_result(expr.ty, expr.span)?;
        let (then, otherwise) = self.fork(condition, expr.span);
        self.flow.join(then);
        self.give_value(&mut result, yes)?;
        let done = self.flow.take_ends();
        self.flow.join(otherwise);
        self.give_value(&mut result, no)?;
        self.flow.join(done);
        Ok(self.result_value(result))
    }
}

/// True for operators whose right side may not matter.
fn is_logical(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies)
}

fn comparison(op: BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Less => Op::Less,
        BinaryOp::LessEqual => Op::LessEqual,
        BinaryOp::Equal => Op::Equal,
        BinaryOp::NotEqual => Op::NotEqual,
        BinaryOp::GreaterEqual => Op::GreaterEqual,
        BinaryOp::Greater => Op::Greater,
        _ => return None,
    })
}

/// Whether two truth values are equal, or not.
fn same_truth(op: Op, left: Lowered, right: Lowered) -> Lowered {
    let wanted = |known: i64| (known != 0) == (op == Op::Equal);
    let (known, other) = match (left.as_constant(), right.as_constant()) {
        (Some(known), _) => (known, right),
        (_, Some(known)) => (known, left),
        _ => return compare(op, left, right),
    };
    if wanted(known) { other } else { not(other) }
}

/// The bounds around both.
pub(super) fn hull(a: super::number::Bounds, b: super::number::Bounds) -> super::number::Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}
