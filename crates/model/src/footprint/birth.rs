//! What is known of one process for as long as it lives.

use crate::expr::{BinaryOp, Expr, ExprKind, Place};
use crate::ids::LocalId;
use crate::state::Value;
use std::collections::HashMap;

/// What is known of one process for as long as it lives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Birth {
    /// Its number, if that is known.
    pub number: Option<u32>,
    /// What is in cells of local variables that [never change](super::Analysis::is_fixed).
    pub fixed: HashMap<(LocalId, u32), Value>,
}

impl Birth {
    /// The value of an expression, if it is the same in every state. `cell` says which cell of a local variable a place is.
    pub(super) fn value(
        &self,
        expression: &Expr,
        cell: &dyn Fn(&Place) -> Option<(LocalId, u32)>,
    ) -> Option<Value> {
        let value = match &expression.kind {
            ExprKind::Const(value) => *value,
            ExprKind::SelfId => Value::from(self.number?),
            ExprKind::Read(place) => *self.fixed.get(&cell(place)?)?,
            ExprKind::Binary(op, left, right) => {
                binary(*op, self.value(left, cell)?, self.value(right, cell)?)?
            }
            ExprKind::Conditional(condition, yes, no) => match self.value(condition, cell)? {
                0 => self.value(no, cell)?,
                _ => self.value(yes, cell)?,
            },
            _ => return None,
        };
        // Where a language of 32 bits would go round is left to the run.
        i32::try_from(value).ok().map(Value::from)
    }
}

/// The operations that indices are made with.
fn binary(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Modulo => a.checked_rem(b),
        BinaryOp::Equal => Some((a == b).into()),
        BinaryOp::NotEqual => Some((a != b).into()),
        BinaryOp::Less => Some((a < b).into()),
        BinaryOp::LessEqual => Some((a <= b).into()),
        BinaryOp::Greater => Some((a > b).into()),
        BinaryOp::GreaterEqual => Some((a >= b).into()),
        _ => None,
    }
}
