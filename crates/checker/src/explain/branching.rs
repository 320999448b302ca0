//! The operator of a formula of branching time that fails on the run that is shown.
//!
//! A run shows one way through a formula: `AG` leads to a state, and there its operand fails. Where both operands of an operator could be the one
//! that fails, the run does not say which, and nothing more is told than that.

use mandala_model::Model;
use mandala_model::ids::ConditionId;
use mandala_temporal::{Ctl, Runs};

/// The innermost operator that is known to fail, in a sentence.
pub fn failing(model: &Model, formula: &Ctl) -> String {
    let operator = innermost(formula);
    let text = told(model, operator);
    let why = match operator {
        Ctl::Always(Runs::All, inner) => {
            format!(
                "`{}` does not hold at the end of this run",
                told(model, inner)
            )
        }
        Ctl::Eventually(Runs::All, inner) => {
            format!("`{}` never holds on this run", told(model, inner))
        }
        Ctl::Eventually(Runs::Some, inner) => format!(
            "no run that goes on from the end of this one comes to a state where `{}` holds",
            told(model, inner)
        ),
        Ctl::Always(Runs::Some, inner) => format!(
            "on every run that goes on from the end of this one, `{}` fails at some time",
            told(model, inner)
        ),
        Ctl::Next(Runs::All, inner) => {
            format!("`{}` does not hold after the last step", told(model, inner))
        }
        Ctl::Next(Runs::Some, inner) => format!(
            "no step from the end of this run leads to a state where `{}` holds",
            told(model, inner)
        ),
        Ctl::Until(Runs::All, ..) | Ctl::WeakUntil(Runs::All, ..) => {
            return format!("`{text}` fails on this run");
        }
        _ => return format!("`{text}` does not hold at the end of this run"),
    };
    format!("`{text}` fails: {why}")
}

fn innermost(formula: &Ctl) -> &Ctl {
    let temporal = |formula: &Ctl| !is_condition(formula);
    match formula {
        Ctl::Always(Runs::All, inner) if temporal(inner) => innermost(inner),
        // The left one holds where this fails.
        Ctl::Implies(_, right) if temporal(right) => innermost(right),
        // Both fail.
        Ctl::Or(left, right) if !temporal(left) => innermost(right),
        Ctl::Or(left, right) if !temporal(right) => innermost(left),
        other => other,
    }
}

/// Whether a formula is about a state alone.
fn is_condition(formula: &Ctl) -> bool {
    match formula {
        Ctl::Constant(_) | Ctl::Proposition(_) => true,
        Ctl::Not(_) | Ctl::And(..) | Ctl::Or(..) | Ctl::Implies(..) => {
            formula.operands().all(is_condition)
        }
        _ => false,
    }
}

/// A formula as text, with the conditions as the user has written them.
fn told(model: &Model, formula: &Ctl) -> String {
    let one = |operator: &str, runs: Runs, inner: &Ctl| {
        let inner = told(model, inner);
        let inner = match inner.starts_with('(') {
            true => inner,
            false => format!("({inner})"),
        };
        format!("{}{operator} {inner}", quantifier(runs))
    };
    let two = |operator: &str, left: &Ctl, right: &Ctl| {
        format!("({} {operator} {})", told(model, left), told(model, right))
    };
    match formula {
        Ctl::Constant(value) => value.to_string(),
        Ctl::Proposition(proposition) => {
            let condition = model.condition(ConditionId::from(proposition.0));
            super::forever::without_parentheses(&condition.text).to_owned()
        }
        Ctl::Not(inner) => format!("!({})", told(model, inner)),
        Ctl::And(left, right) => two("&&", left, right),
        Ctl::Or(left, right) => two("||", left, right),
        Ctl::Implies(left, right) => two("->", left, right),
        Ctl::Next(runs, inner) => one("X", *runs, inner),
        Ctl::Eventually(runs, inner) => one("F", *runs, inner),
        Ctl::Always(runs, inner) => one("G", *runs, inner),
        Ctl::Until(runs, left, right) => format!("{}{}", quantifier(*runs), two("U", left, right)),
        Ctl::WeakUntil(runs, left, right) => {
            format!("{}{}", quantifier(*runs), two("W", left, right))
        }
    }
}

fn quantifier(runs: Runs) -> &'static str {
    match runs {
        Runs::All => "A",
        Runs::Some => "E",
    }
}
