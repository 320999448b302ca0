//! The place at which a model observes that processes that have ended leave.

use mandala_model::expr::Expr;
use mandala_model::source::Span;
use mandala_model::{Model, UncheckedModel};

/// The reason why processes that have ended must leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Where it can be observed, if that is one place.
    pub span: Option<Span>,
    /// How.
    pub how: &'static str,
}

impl Observed {
    pub(super) fn at(span: Span, how: &'static str) -> Self {
        Observed {
            span: Some(span),
            how,
        }
    }
}

/// Calls `visit` on every expression of a model.
pub(super) fn model_exprs(model: &Model, visit: &mut impl FnMut(&Expr)) {
    let mut model = UncheckedModel::clone(model);
    model.each_expr_mut(&mut |e| visit(e));
}
