//! What guards say of single variables: guards that contradict each other are never true at once.

use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::GlobalId;
use std::collections::BTreeMap;

/// A cell: a global variable, and which element of it.
type CellKey = (GlobalId, i64);

/// Between what values cells are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(BTreeMap<CellKey, (i64, i64)>);

impl Known {
    /// Adds that a condition is true. False if that contradicts what is known.
    pub(crate) fn add(&mut self, condition: &Expr) -> bool {
        match &condition.kind {
            ExprKind::Const(value) => *value != 0,
            ExprKind::Binary(BinaryOp::And, left, right) => self.add(left) && self.add(right),
            ExprKind::Binary(op, left, right) => match (cell(left), right.as_constant()) {
                (Some(cell), Some(value)) => self.compare(cell, *op, value),
                _ => true,
            },
            ExprKind::Read(_) => cell(condition).is_none_or(|cell| self.within(cell, 1, 1)),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                cell(inner).is_none_or(|cell| self.within(cell, 0, 0))
            }
            _ => true,
        }
    }

    /// Adds all that something else knows. False if that is a contradiction.
    pub(crate) fn join(&mut self, other: &Known) -> bool {
        let mut cells = other.0.iter();
        cells.all(|(cell, (low, high))| self.within(*cell, *low, *high))
    }

    fn compare(&mut self, cell: CellKey, op: BinaryOp, value: i64) -> bool {
        match op {
            BinaryOp::Equal => self.within(cell, value, value),
            BinaryOp::Less => self.within(cell, i64::MIN, value.saturating_sub(1)),
            BinaryOp::LessEqual => self.within(cell, i64::MIN, value),
            BinaryOp::Greater => self.within(cell, value.saturating_add(1), i64::MAX),
            BinaryOp::GreaterEqual => self.within(cell, value, i64::MAX),
            BinaryOp::NotEqual => {
                !matches!(self.0.get(&cell), Some(known) if *known == (value, value))
            }
            _ => true,
        }
    }

    fn within(&mut self, cell: CellKey, low: i64, high: i64) -> bool {
        let known = self.0.entry(cell).or_insert((i64::MIN, i64::MAX));
        *known = (known.0.max(low), known.1.min(high));
        known.0 <= known.1
    }
}

/// The cell that an expression reads, if it reads one that is known.
fn cell(expr: &Expr) -> Option<CellKey> {
    match &expr.kind {
        ExprKind::Read(place) => cell_of(place),
        _ => None,
    }
}

/// The cell that a place is.
pub(crate) fn cell_of(place: &Place) -> Option<CellKey> {
    let Root::Global(global) = place.root else {
        return None;
    };
    match place.path.as_slice() {
        [] => Some((global, 0)),
        [Projection::Index(index)] => Some((global, index.as_constant()?)),
        _ => None,
    }
}
