//! Invariant 28: what quantifiers go through, and where their variables are used.

use super::{Findings, Rule};
use crate::expr::{Expr, ExprKind};
use crate::ids::BinderId;
use crate::quantified::{Evaluation, Quantified, Quantifier};
use crate::state::Value;
use crate::values::Progression;

/// Checks the quantifiers of an expression that stands in no other one.
pub(super) fn check(expression: &Expr, findings: &mut Findings) {
    inside(expression, 0, findings);
}

/// Checks an expression with that many quantifiers around it.
fn inside(expression: &Expr, around: usize, findings: &mut Findings) {
    let within = match &expression.kind {
        ExprKind::Quantified(quantified) => {
            let sound = is_sound(quantified, around);
            findings.require(sound, Rule::Quantifiers, expression.span, || {
                "a quantifier has too few or too many values, or they do not fit its variable, or it is evaluated as it cannot be".into()
            });
            around + 1
        }
        ExprKind::Bound(BinderId(id)) => {
            let known = (*id as usize) < around;
            findings.require(known, Rule::Quantifiers, expression.span, || {
                "the variable of a quantifier stands outside of it".into()
            });
            around
        }
        _ => around,
    };
    expression.each_part(&mut |part| inside(part, within, findings));
}

fn is_sound(quantified: &Quantified, around: usize) -> bool {
    let scalar = quantified.variable.scalar;
    let fits = |value: Value| scalar.store(value) == Some(value);
    let ends = |run: &Progression| fits(run.first) && run.last().is_some_and(fits);
    let runs = &quantified.values.0;
    let some = !runs.is_empty() && runs.iter().all(ends);
    let few = quantified.values.count() <= i32::MAX as u64;
    let numbered = quantified.variable.id == BinderId::from(around);
    let evaluated = match quantified.quantifier {
        Quantifier::ForAll | Quantifier::Exists => true,
        Quantifier::Count | Quantifier::Sum => quantified.evaluation == Evaluation::Strict,
        Quantifier::FirstOf => quantified.evaluation == Evaluation::Ordered,
    };
    some && few && numbered && evaluated
}
