//! Formulas of linear temporal logic, and the automata of the runs that violate them.

use crate::automaton::over_conditions;
use crate::property;
use crate::{Written, WrittenKind};
use mandala_model::expr::Expr;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::property::{
    BinaryTemporal, Condition, Indices, PropertyKind, RunOrigin, RunQuestion, Runs, UnaryTemporal,
};
use mandala_model::source::Span;
use mandala_model::{Diagnostic, UncheckedModel};
use mandala_temporal as temporal;
use std::sync::Arc;

/// Adds the property that every run satisfies a formula, for all values of the indices.
///
/// # Errors
///
/// If the formula is not of this logic, or too large, or there is a property of that name.
pub fn add_linear(
    model: &mut UncheckedModel,
    name: String,
    written: &Written,
    indices: Indices,
    span: Span,
) -> Fallible<()> {
    property::require_new(model, &name, span)?;
    let mut conditions = Conditions::default();
    let formula = conditions.formula(written)?;
    let names: temporal::Names = conditions.spellings.iter().collect();
    let Ok(never) = temporal::never_claim(&formula, &names) else {
        let message = "this formula is too large to be translated into an automaton";
        return Err(error(span, message));
    };
    let propositions = (&names, conditions.exprs.as_slice());
    let automaton = over_conditions(model, never.automaton, propositions, span);
    let origin = RunOrigin::Formula {
        text: formula.named(&names).to_string(),
        says_next: formula.says_next(),
    };
    let question = RunQuestion {
        indices,
        ..RunQuestion::new(origin, Arc::new(automaton))
    };
    property::add(model, name, PropertyKind::NoRun(question), span)
}

/// The conditions of a formula, each once, with the spelling that tells them apart.
#[derive(Default)]
struct Conditions {
    exprs: Vec<Expr>,
    spellings: Vec<String>,
}

impl Conditions {
    /// The formula over the propositions that stand for the conditions.
    fn formula(&mut self, written: &Written) -> Fallible<temporal::Formula> {
        match &written.kind {
            WrittenKind::Condition(condition) => Ok(self.add(condition)),
            WrittenKind::Unary(op, operand) => Ok(apply_unary(*op, self.formula(operand)?)),
            WrittenKind::Binary(op, left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                Ok(apply_binary(*op, left, right))
            }
            WrittenKind::Quantified(runs, _) => Err(of_other_logic(*runs, written.span)),
        }
    }

    /// The proposition that stands for a condition. Constants need none.
    fn add(&mut self, written: &Condition) -> temporal::Formula {
        match written.condition.as_constant() {
            Some(0) => return temporal::Formula::False,
            Some(1) => return temporal::Formula::True,
            _ => {}
        }
        let known = self.spellings.iter().position(|s| *s == written.text);
        temporal::Formula::proposition(known.unwrap_or_else(|| {
            self.exprs.push(written.condition.clone());
            self.spellings.push(written.text.clone());
            self.exprs.len() - 1
        }))
    }
}

fn of_other_logic(runs: Runs, span: Span) -> Box<Diagnostic> {
    let quantifier = match runs {
        Runs::All => "A",
        Runs::Some => "E",
    };
    error_help(
        span,
        format!("`{quantifier}` is a quantifier over runs, and here every run is meant"),
        "`--ctl` states formulas with such quantifiers",
    )
}

fn apply_unary(op: UnaryTemporal, a: temporal::Formula) -> temporal::Formula {
    match op {
        UnaryTemporal::Not => a.negate(),
        UnaryTemporal::Always => a.always(),
        UnaryTemporal::Eventually => a.eventually(),
        UnaryTemporal::Next => a.next(),
    }
}

fn apply_binary(
    op: BinaryTemporal,
    a: temporal::Formula,
    b: temporal::Formula,
) -> temporal::Formula {
    match op {
        BinaryTemporal::And => a.and(b),
        BinaryTemporal::Or => a.or(b),
        BinaryTemporal::Implies => a.implies(b),
        BinaryTemporal::Equivalent => a.equiv(b),
        BinaryTemporal::Until => a.until(b),
        BinaryTemporal::WeakUntil => a.weak_until(b),
        BinaryTemporal::Release => a.release(b),
    }
}
