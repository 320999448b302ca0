//! Formulas of computation tree logic.

use super::{Lowered, Lowering};
use crate::ast::Expr as AstExpr;
use mandala_formulas::{Indices, add_branching, require_new};
use mandala_model::stated::StatedForm;

impl Lowering {
    /// A formula that has to hold at the start.
    pub(super) fn lower_branching(
        &mut self,
        name: String,
        form: StatedForm,
        formula: &AstExpr,
    ) -> Lowered<()> {
        require_new(&self.model, &name, formula.span)?;
        let (written, _) = self.as_claim(formula.span, |lowering| lowering.written(formula))?;
        let none = Indices::default();
        add_branching(&mut self.model, name, form, &written, none)
    }
}
