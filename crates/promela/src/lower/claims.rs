//! `ltl` formulas.

use super::finished::FrameKind;
use super::{Lowered, Lowering};
use crate::ast::{Expr as AstExpr, Program, Unit};
use mandala_formulas::{Indices, add_linear, require_new};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::template::{Role, Template};
use mandala_model::types::Variable;

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
        require_new(&self.model, &name, span)?;
        let (written, _) = self.as_claim(span, |lowering| lowering.written(formula))?;
        let none = Indices::default();
        add_linear(&mut self.model, name, &written, none, span)
    }

    /// Lowers something as a claim sees it: with the variables that are declared on the way, which are given back.
    pub(super) fn as_claim<T>(
        &mut self,
        span: Span,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(T, Vec<Variable>)> {
        // What is lowered stands in some template. This one is taken away again.
        let claim = Template::empty("", Role::Claim, span);
        self.model.templates.push(claim);
        let template = TemplateId::from(self.model.templates.len() - 1);
        self.enter_body(template, FrameKind::Claim);
        let lowered = lower(self);
        self.frame = None;
        let claim = self.model.templates.pop();
        let variables = claim.map_or_else(Vec::new, |claim| claim.locals);
        Ok((lowered?, variables))
    }
}
