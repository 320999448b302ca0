//! Formulas of temporal logic: what is said of runs stays a tree, what is said of a state is one condition.
//!
//! A condition is as large as it can be. That is not only good for symmetry: a condition that follows NULL has no value, and neither has
//! its negation, so a formula means something else if `not` is taken for an operator of the logic.

use super::Checker;
use super::expr::{Bound, Context, Reader};
use crate::ast::{BinaryOp, Expr, ExprKind, Ident, Quantifier};
use crate::limits;
use crate::typed::{ClaimKind, Proposition};
use mandala_formulas::Written;
use mandala_formulas::prefix::Logic;
use mandala_model::findings::{Fallible, error_help};
use mandala_model::property::{BinaryTemporal, UnaryTemporal};
use mandala_model::source::Span;

impl Checker {
    /// A formula, whose text is part of that one.
    pub(super) fn formula(&mut self, logic: Logic, expr: &Expr, text: &str) -> Fallible<ClaimKind> {
        let mut reader = Reader::new(self, Context::Global);
        reader.for_each(logic, expr, text)
    }

    /// What an automaton asks of a state.
    pub(super) fn proposition(&mut self, expr: &Expr, text: &str) -> Fallible<Proposition> {
        Reader::new(self, Context::Global).proposition(expr, text)
    }
}

impl Reader<'_> {
    /// A formula. Names in front of it are its indices, as long as these have not too many values.
    fn for_each(&mut self, logic: Logic, mut expr: &Expr, text: &str) -> Fallible<ClaimKind> {
        let mut chosen = Vec::new();
        let mut choices: u64 = 1;
        while let ExprKind::Quantified(Quantifier::All, names, body) = &expr.kind
            && expr.speaks_of_runs
        {
            let processes = u64::from(self.checker.processes);
            choices = choices.saturating_mul(processes.saturating_pow(names.len() as u32));
            if choices > limits::CHOICES {
                break;
            }
            for name in names {
                let bound = Bound::Chosen(chosen.len() as u32);
                self.bound.push((name.name.clone(), bound));
                chosen.push(name.clone());
            }
            expr = body;
        }
        let formula = self.formula(expr, text)?;
        Ok(match chosen.is_empty() {
            true => ClaimKind::Formula(logic, formula),
            false => ClaimKind::ForEach(logic, chosen, formula),
        })
    }

    fn formula(&mut self, expr: &Expr, text: &str) -> Fallible<Written<Proposition>> {
        if !expr.speaks_of_runs {
            return Ok(Written::condition(self.proposition(expr, text)?, expr.span));
        }
        self.count(expr.span)?;
        match &expr.kind {
            ExprKind::Temporal(op, inner) => self.unary(*op, inner, (expr.span, text)),
            ExprKind::Not(inner) => self.unary(UnaryTemporal::Not, inner, (expr.span, text)),
            ExprKind::InRuns(runs, path) => {
                let path = self.formula(path, text)?;
                Ok(Written::quantified(*runs, path, expr.span))
            }
            ExprKind::Binary(op, left, right) => {
                let op = joining(*op).ok_or_else(|| no_formula(expr.span))?;
                let left = self.formula(left, text)?;
                let right = self.formula(right, text)?;
                Ok(Written::binary(op, left, right, expr.span))
            }
            ExprKind::Quantified(quantifier, names, body) => {
                self.quantified_formula(*quantifier, names, body, (expr.span, text))
            }
            ExprKind::Negate(_)
            | ExprKind::Number(_)
            | ExprKind::Truth(_)
            | ExprKind::Null
            | ExprKind::Me
            | ExprKind::Reference(_) => Err(no_formula(expr.span)),
        }
    }

    fn unary(
        &mut self,
        op: UnaryTemporal,
        inner: &Expr,
        (span, text): (Span, &str),
    ) -> Fallible<Written<Proposition>> {
        Ok(Written::unary(op, self.formula(inner, text)?, span))
    }

    /// The body for every process in the place of the first name, and so on.
    fn quantified_formula(
        &mut self,
        quantifier: Quantifier,
        names: &[Ident],
        body: &Expr,
        (span, text): (Span, &str),
    ) -> Fallible<Written<Proposition>> {
        let Some((name, names)) = names.split_first() else {
            return self.formula(body, text);
        };
        let mut parts = Vec::new();
        for process in 1..=self.checker.processes {
            self.bound.push((name.name.clone(), Bound::Named(process)));
            let part = self.quantified_formula(quantifier, names, body, (span, text));
            self.bound.pop();
            parts.push(part?);
        }
        let op = match quantifier {
            Quantifier::All => BinaryTemporal::And,
            Quantifier::Some => BinaryTemporal::Or,
        };
        Written::joined(op, parts, span).ok_or_else(|| no_formula(span))
    }

    /// A condition, spelled as it stands there with the processes that quantifiers around it stand for: where a formula is written out,
    /// the spelling tells conditions apart.
    fn proposition(&mut self, expr: &Expr, text: &str) -> Fallible<Proposition> {
        self.outside = self.bound.len();
        self.used.clear();
        let condition = self.condition(expr)?;
        let text = text.get(expr.span.start as usize..expr.span.end as usize);
        let words = bare(text.unwrap_or_default()).split_whitespace();
        let words: Vec<&str> = words.collect();
        let mut text = words.join(" ");
        let mut separator = " where ";
        for (name, process) in &self.used {
            text.push_str(&format!("{separator}{name} = {process}"));
            separator = ", ";
        }
        Ok(Proposition { condition, text })
    }
}

/// A condition without the parentheses around it, so that `p` and `(p)` are spelled alike.
fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut open = 0;
    let around = inner.chars().all(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open >= 0
    });
    match around {
        true => bare(inner.trim()),
        false => text,
    }
}

/// The operator between two formulas, if it is one.
fn joining(op: BinaryOp) -> Option<BinaryTemporal> {
    match op {
        BinaryOp::Implies => Some(BinaryTemporal::Implies),
        BinaryOp::Or => Some(BinaryTemporal::Or),
        BinaryOp::And => Some(BinaryTemporal::And),
        BinaryOp::Temporal(op) => Some(op),
        BinaryOp::Compare(_) | BinaryOp::Calculate(_) => None,
    }
}

/// Something computes with what is said of runs, or compares it.
pub(super) fn no_formula(span: Span) -> Box<mandala_model::Diagnostic> {
    error_help(
        span,
        "this computes with numbers, and there is a formula in it",
        "formulas are joined by `and`, `or`, `not` and `=>`",
    )
}
