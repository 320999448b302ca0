//! `ltl` formulas, and the claims that look for runs which violate them.

use super::{FrameKind, Lowered, Lowering};
use crate::ast::{Expr as AstExpr, Program, Unit};
use mandala_formulas::{add_linear, new_observer};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;

impl Lowering {
    pub(super) fn lower_formulas(&mut self, program: &Program) {
        // A formula may name everything in the model, wherever it stands.
        self.unit = program.units.len();
        let formulas = program
            .units
            .iter()
            .filter_map(|u| if let Unit::Ltl(l) = u { Some(l) } else { None });
        for (index, ltl) in formulas.enumerate() {
            let made_up = format!("ltl_{index}");
            let name = ltl.name.as_ref().map_or(made_up, |n| n.name.to_string());
            let lowered = self.lower_formula(name, &ltl.formula, ltl.span);
            self.recover(lowered, || ());
        }
    }

    /// A formula that every run has to satisfy.
    pub(super) fn lower_formula(
        &mut self,
        name: String,
        formula: &AstExpr,
        span: Span,
    ) -> Lowered<()> {
        let template = self.new_observer(&name, span)?;
        self.complete_formula(name, template, formula, span)
    }

    /// Makes a claim whose body has been entered that of a formula, and the property.
    pub(super) fn complete_formula(
        &mut self,
        name: String,
        template: TemplateId,
        formula: &AstExpr,
        span: Span,
    ) -> Lowered<()> {
        let written = self.written(formula);
        self.frame = None;
        add_linear(&mut self.model, (name, template), &written?, span)
    }

    /// A claim for a property of that name, with no body so far; what is lowered next is lowered inside of it.
    pub(super) fn new_observer(&mut self, name: &str, span: Span) -> Lowered<TemplateId> {
        let template = new_observer(&mut self.model, name, span)?;
        self.enter_body(template, FrameKind::Claim);
        Ok(template)
    }
}
