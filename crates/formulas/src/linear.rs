//! Formulas of linear temporal logic, and the claims that look for runs which violate them.

use crate::automaton::install;
use crate::{Written, WrittenKind};
use mandala_model::claim::WrittenCondition;
use mandala_model::expr::Expr;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::TemplateId;
use mandala_model::property::{
    BinaryTemporal, Formula, Property, PropertyKind, Runs, UnaryTemporal,
};
use mandala_model::source::Span;
use mandala_model::{Diagnostic, UncheckedModel};
use mandala_temporal as temporal;

/// Adds the property that every run satisfies a formula. The claim has no body so far.
///
/// # Errors
///
/// If the formula is not of this logic, or too large.
pub fn add_linear(
    model: &mut UncheckedModel,
    (name, claim): (String, TemplateId),
    written: &Written,
    span: Span,
) -> Fallible<()> {
    let mut conditions = Conditions::default();
    let (formula, over_propositions) = conditions.formula(written)?;
    let names = conditions.spellings.iter().collect();
    let Ok(never) = temporal::never_claim(&over_propositions, &names) else {
        let message = "this formula is too large to be translated into an automaton";
        return Err(error(span, message));
    };
    install(model, claim, &never.automaton, &conditions.exprs, span);
    let kind = PropertyKind::Ltl { formula, claim };
    model.properties.push(Property { name, kind, span });
    Ok(())
}

/// The conditions of a formula, each once, with the spelling that tells them apart.
#[derive(Default)]
struct Conditions {
    exprs: Vec<Expr>,
    spellings: Vec<String>,
}

impl Conditions {
    /// The formula over conditions, and the same over the propositions that stand for them.
    fn formula(&mut self, written: &Written) -> Fallible<(Formula, temporal::Formula)> {
        match &written.kind {
            WrittenKind::Condition(condition) => {
                let proposition = self.add(condition);
                Ok((Formula::Condition(condition.condition.clone()), proposition))
            }
            WrittenKind::Unary(op, operand) => {
                let (formula, over) = self.formula(operand)?;
                let formula = Formula::Unary(*op, Box::new(formula));
                Ok((formula, apply_unary(*op, over)))
            }
            WrittenKind::Binary(op, left, right) => {
                let (left, over_left) = self.formula(left)?;
                let (right, over_right) = self.formula(right)?;
                let formula = Formula::Binary(*op, Box::new(left), Box::new(right));
                Ok((formula, apply_binary(*op, over_left, over_right)))
            }
            WrittenKind::Quantified(runs, _) => Err(of_other_logic(*runs, written.span)),
        }
    }

    /// The proposition that stands for a condition. Constants need none.
    fn add(&mut self, written: &WrittenCondition) -> temporal::Formula {
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
