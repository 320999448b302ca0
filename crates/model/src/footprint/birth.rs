//! What is known of one process for as long as it lives.

use crate::expr::{BinaryOp, Expr, ExprKind, Place};
use crate::ids::LocalId;
use crate::model::Arithmetic;
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

/// The operations that indices are made with, on numbers that fit 32 bits.
fn binary(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
    match op {
        BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::And
        | BinaryOp::Or => None,
        _ => Arithmetic::Checked64.binary(op, a, b).ok(),
    }
}
