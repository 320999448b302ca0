//! The first values of the cells of variables.

use crate::expr::ResolvedExpr;
use crate::resolver::Resolver;
use mandala_model::ids::ChannelKindId;
use mandala_model::types::{Initial, Type, Variable};
use std::sync::Arc;

/// What a cell holds at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstValue {
    /// 0.
    Zero,
    /// The value of an expression. Cells that were given one value share it.
    Value(Arc<ResolvedExpr>),
    /// A new channel.
    NewChannel(ChannelKindId),
}

impl Resolver<'_> {
    /// What the cells of a variable hold at first, in order.
    pub fn first_values(&self, variable: &Variable) -> Vec<FirstValue> {
        let cells = self.model.cells(&variable.ty);
        match &variable.initial {
            Initial::Default => self.default_values(&variable.ty),
            Initial::Fill(value) => vec![FirstValue::Value(Arc::new(self.expr(value))); cells],
            Initial::List(values) => {
                let values = values.iter().map(|value| Arc::new(self.expr(value)));
                let values: Vec<_> = values.map(FirstValue::Value).collect();
                let last = values.len() - 1;
                (0..cells).map(|i| values[i.min(last)].clone()).collect()
            }
            Initial::NewChannel(kind) => vec![FirstValue::NewChannel(*kind); cells],
        }
    }

    fn default_values(&self, ty: &Type) -> Vec<FirstValue> {
        match ty {
            Type::Scalar(_) => vec![FirstValue::Zero],
            Type::Record(id) => {
                let fields = self.model.record(*id).fields.iter();
                fields.flat_map(|field| self.first_values(field)).collect()
            }
            Type::Array { element, length } => {
                let one = self.default_values(element);
                (0..*length).flat_map(|_| one.iter().cloned()).collect()
            }
        }
    }
}
