//! Values that parameters, loops and quantifiers go through.

use super::Lowering;
use crate::check::quantifier::leads_away;
use crate::typed::{Binding, Domain, ExprKind, Number, TypeId, TypeKind};

/// The values of a domain that are known before the model runs, as numbers that go up or down evenly: the
/// numbers of a range, or the indices of members from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) first: Number,
    pub(super) step: Number,
    pub(super) count: u128,
    pub(super) ty: TypeId,
}

impl Values {
    pub(super) fn get(&self, index: u128) -> Number {
        self.first + self.step * index as Number
    }

    /// The least and the greatest value, of which there is one at least.
    pub(super) fn bounds(&self) -> (Number, Number) {
        let last = self.get(self.count.saturating_sub(1));
        (self.first.min(last), self.first.max(last))
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Number> {
        (0..self.count).map(move |index| self.get(index))
    }
}

impl Lowering<'_> {
    /// The values of a binding, if they are known.
    pub(super) fn values(&self, binding: &Binding) -> Option<Values> {
        let variable = self.program.variable(binding.variable);
        match &binding.domain {
            Domain::Type(ty) => {
                let first = match self.kind(*ty) {
                    TypeKind::Range { lo, .. } => *lo,
                    _ => 0,
                };
                Some(Values {
                    first,
                    step: 1,
                    count: self.program.types.values(*ty)?.unsigned_abs(),
                    ty: *ty,
                })
            }
            Domain::Steps { from, to, step } => {
                let constant = |expr: &crate::typed::Expr| match expr.kind {
                    ExprKind::Constant(value) => Some(value),
                    _ => None,
                };
                let (first, last) = (constant(from)?, constant(to)?);
                let step = step.as_ref().map_or(Some(1), constant)?;
                let count = match leads_away(first, last, step) {
                    true => 0,
                    false => ((last - first) / step).unsigned_abs() + 1,
                };
                Some(Values {
                    first,
                    step,
                    count,
                    ty: variable.ty,
                })
            }
            Domain::Elements(place) => Some(Values {
                first: 1,
                step: 1,
                count: self.pool_of(place)?.positions.into(),
                ty: variable.ty,
            }),
        }
    }
}
