//! Formulas of computation tree logic over the conditions of a model.
//!
//! A proposition is as large as it can be: what has no quantifier over runs in it is one condition. So `AG !(a && b)` has
//! one proposition, which a renaming that exchanges `a` and `b` keeps, though it keeps neither of the two.

use crate::property;
use crate::words::{binary_symbol, unary_symbol};
use crate::{Written, WrittenKind};
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::ConditionId;
use mandala_model::property::{
    BinaryTemporal, Condition, Ctl, Indices, PropertyKind, Runs, UnaryTemporal,
};
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_model::{Diagnostic, UncheckedModel};
use std::collections::HashMap;

/// Larger formulas are refused.
const LARGEST: usize = 10_000;

/// The propositions of a formula: conditions of the model, each once.
struct Propositions<'m> {
    model: &'m mut UncheckedModel,
    /// By how they are written.
    known: HashMap<String, ConditionId>,
}

/// Adds the property that a formula holds at the start, for all values of the indices. A form that says that something is possible says it of the formula.
///
/// # Errors
///
/// If the formula is not of this logic, or too large, or there is a property of that name.
pub fn add_branching(
    model: &mut UncheckedModel,
    name: String,
    form: StatedForm,
    written: &Written,
    indices: Indices,
) -> Fallible<()> {
    let span = written.span;
    property::require_new(model, &name, span)?;
    let known = HashMap::new();
    let stated = Propositions { model, known }.ctl(written)?;
    let kind = PropertyKind::Ctl {
        formula: possibly(form, stated),
        indices,
    };
    property::add(model, name, kind, span)
}

impl Propositions<'_> {
    fn ctl(&mut self, written: &Written) -> Fallible<Ctl> {
        if let Some(condition) = whole(written) {
            return Ok(self.add(condition));
        }
        match &written.kind {
            WrittenKind::Quantified(runs, path) => self.path(*runs, path),
            WrittenKind::Unary(UnaryTemporal::Not, f) => Ok(Ctl::Not(self.boxed(f)?)),
            WrittenKind::Unary(op, _) => Err(without_quantifier(unary_symbol(*op), written.span)),
            WrittenKind::Binary(op, f, g) => {
                let (f, g) = self.operands(f, g)?;
                Ok(match op {
                    BinaryTemporal::And => Ctl::And(f, g),
                    BinaryTemporal::Or => Ctl::Or(f, g),
                    BinaryTemporal::Implies => Ctl::Implies(f, g),
                    BinaryTemporal::Equivalent => {
                        let there = Ctl::Implies(f.clone(), g.clone());
                        Ctl::And(Box::new(there), Box::new(Ctl::Implies(g, f)))
                    }
                    BinaryTemporal::Until | BinaryTemporal::WeakUntil | BinaryTemporal::Release => {
                        return Err(without_quantifier(binary_symbol(*op), written.span));
                    }
                })
            }
            WrittenKind::Condition(condition) => Ok(self.add(condition.clone())),
        }
    }

    fn boxed(&mut self, written: &Written) -> Fallible<Box<Ctl>> {
        self.ctl(written).map(Box::new)
    }

    /// Both operands. Some operators need them twice, so formulas can become much larger than they were written.
    fn operands(&mut self, f: &Written, g: &Written) -> Fallible<(Box<Ctl>, Box<Ctl>)> {
        let span = f.span.to(g.span);
        let (f, g) = (self.boxed(f)?, self.boxed(g)?);
        match f.size() + g.size() <= LARGEST {
            true => Ok((f, g)),
            false => Err(error(span, "this formula is too large")),
        }
    }

    /// What stands behind a quantifier.
    fn path(&mut self, runs: Runs, path: &Written) -> Fallible<Ctl> {
        match &path.kind {
            WrittenKind::Unary(UnaryTemporal::Next, f) => Ok(Ctl::Next(runs, self.boxed(f)?)),
            WrittenKind::Unary(UnaryTemporal::Eventually, f) => {
                Ok(Ctl::Eventually(runs, self.boxed(f)?))
            }
            WrittenKind::Unary(UnaryTemporal::Always, f) => Ok(Ctl::Always(runs, self.boxed(f)?)),
            WrittenKind::Binary(op, f, g) => {
                let (f, g) = self.operands(f, g)?;
                match op {
                    BinaryTemporal::Until => Ok(Ctl::Until(runs, f, g)),
                    BinaryTemporal::WeakUntil => Ok(Ctl::WeakUntil(runs, f, g)),
                    BinaryTemporal::Release => {
                        let both = Box::new(Ctl::And(f, g.clone()));
                        Ok(Ctl::WeakUntil(runs, g, both))
                    }
                    _ => Err(no_path(path.span)),
                }
            }
            WrittenKind::Unary(UnaryTemporal::Not, _)
            | WrittenKind::Condition(_)
            | WrittenKind::Quantified(..) => Err(no_path(path.span)),
        }
    }

    /// The proposition that stands for a condition. Constants need none.
    fn add(&mut self, written: Condition) -> Ctl {
        if let Some(value) = written.condition.as_constant() {
            return Ctl::Constant(value != 0);
        }
        let (model, text) = (&mut *self.model, written.text.clone());
        let known = self.known.entry(text);
        let id = known.or_insert_with(|| model.add_condition(written));
        Ctl::proposition(id.index())
    }
}

/// A formula as one condition, if it speaks of a state alone.
fn whole(written: &Written) -> Option<Condition> {
    match &written.kind {
        WrittenKind::Condition(condition) => Some(condition.clone()),
        WrittenKind::Unary(UnaryTemporal::Not, f) => {
            let f = whole(f)?;
            Some(Condition {
                condition: f.condition.negated(),
                text: format!(" !({})", f.text),
            })
        }
        WrittenKind::Binary(op, f, g) => {
            let (f, g) = (whole(f)?, whole(g)?);
            Some(Condition {
                text: format!("({}{}{})", f.text, binary_symbol(*op), g.text),
                condition: joined(*op, f.condition, g.condition)?,
            })
        }
        WrittenKind::Unary(..) | WrittenKind::Quantified(..) => None,
    }
}

/// Two conditions joined by an operator, unless it says something of runs.
fn joined(op: BinaryTemporal, f: Expr, g: Expr) -> Option<Expr> {
    Some(match op {
        BinaryTemporal::And => Expr::binary(BinaryOp::And, f, g),
        BinaryTemporal::Or => Expr::binary(BinaryOp::Or, f, g),
        BinaryTemporal::Implies => Expr::binary(BinaryOp::Or, f.negated(), g),
        // Numbers may differ and both be true.
        BinaryTemporal::Equivalent => Expr::binary(BinaryOp::Equal, f.negated(), g.negated()),
        BinaryTemporal::Until | BinaryTemporal::WeakUntil | BinaryTemporal::Release => return None,
    })
}

/// What a condition beside the model claims.
fn possibly(form: StatedForm, formula: Ctl) -> Ctl {
    let reached = |formula| Ctl::Eventually(Runs::Some, Box::new(formula));
    match form {
        StatedForm::Possible => reached(formula),
        StatedForm::AlwaysPossible => Ctl::Always(Runs::All, Box::new(reached(formula))),
        _ => formula,
    }
}

fn without_quantifier(symbol: &str, span: Span) -> Box<Diagnostic> {
    error_help(
        span,
        format!("`{symbol}` has no quantifier over runs"),
        format!("in this logic `A` or `E` stands before `{symbol}`: in all runs, or in some"),
    )
}

fn no_path(span: Span) -> Box<Diagnostic> {
    error(
        span,
        "`A` and `E` are followed by `X`, `F` or `G`, or by `[f U g]`, `[f W g]` or `[f V g]`",
    )
}
