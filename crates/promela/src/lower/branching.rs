//! Formulas of computation tree logic.

use super::{Lowered, Lowering};
use crate::ast::Expr as AstExpr;
use mandala_formulas::add_branching;
use mandala_model::stated::StatedForm;

impl Lowering {
    /// A formula that has to hold at the start.
    pub(super) fn lower_branching(
        &mut self,
        name: String,
        form: StatedForm,
        formula: &AstExpr,
    ) -> Lowered<()> {
        let watch = self.new_observer(&name, formula.span)?;
        let written = self.written(formula);
        self.frame = None;
        add_branching(&mut self.model, (name, watch), form, &written?)
    }
}
