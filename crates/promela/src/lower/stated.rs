//! Properties beside the model.

use super::{Lowered, Lowering};
use crate::ast::{Expr as AstExpr, Program, StatedBody, StatedProperty, Unit};
use mandala_formulas::{add_automaton, require_new};
use mandala_model::labels;
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_temporal::Hoa;

impl Lowering {
    pub(super) fn lower_stated(&mut self, program: &Program) {
        // What is beside the model may name everything in it.
        self.unit = program.units.len();
        for (index, property) in program.stated.iter().enumerate() {
            let given = property.name.clone();
            let name = given.unwrap_or_else(|| made_up_name(program, index));
            let lowered = self.stated(name, property);
            self.recover(lowered, || ());
        }
    }

    fn stated(&mut self, name: String, property: &StatedProperty) -> Lowered<()> {
        match &property.body {
            StatedBody::Formula(formula) if property.form == StatedForm::Ltl => {
                self.lower_formula(name, formula, property.span)
            }
            StatedBody::Formula(formula) => self.lower_branching(name, property.form, formula),
            StatedBody::Indexed(quantifiers, formula) => {
                self.lower_indexed((name, property.form), quantifiers, formula, property.span)
            }
            StatedBody::Labels => {
                match property.form {
                    StatedForm::Accept => labels::add_accept(&mut self.model, property.span),
                    _ => labels::add_progress(&mut self.model, property.span),
                }
                Ok(())
            }
            StatedBody::Automaton(automaton, conditions) => {
                self.lower_automaton(name, (automaton, conditions), property.span)
            }
        }
    }

    /// An automaton that no run is followed by.
    fn lower_automaton(
        &mut self,
        name: String,
        (automaton, conditions): (&Hoa, &[AstExpr]),
        span: Span,
    ) -> Lowered<()> {
        require_new(&self.model, &name, span)?;
        let (conditions, _) = self.as_claim(span, |lowering| {
            let conditions = conditions.iter().map(|condition| lowering.expr(condition));
            conditions.collect::<Lowered<Vec<_>>>()
        })?;
        add_automaton(&mut self.model, name, automaton, &conditions, span)
    }
}

/// What a property is called that has no name: its form, and a number that counts through the properties of that
/// form. Formulas of linear temporal logic are counted with those of the model.
fn made_up_name(program: &Program, index: usize) -> String {
    let form = program.stated[index].form;
    let before = program.stated[..index].iter();
    let before = before.filter(|property| property.form == form).count();
    let inside = match form {
        StatedForm::Ltl => {
            let units = program.units.iter();
            units.filter(|unit| matches!(unit, Unit::Ltl(_))).count()
        }
        _ => 0,
    };
    format!("{}_{}", form.name().replace('-', "_"), inside + before)
}
