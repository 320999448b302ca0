//! Formulas of temporal logic: what is said of runs stays a tree, what is said of a state is one condition.

use super::Checker;
use super::quantifier::unknown_bound;
use crate::ast;
use crate::stated::{Asked, Question};
use crate::typed::{Claim, ClaimKind, Expr, Formula, FormulaKind};
use mandala_model::findings::{Fallible, error_help};
use mandala_model::property::{BinaryTemporal, UnaryTemporal};
use mandala_model::source::Span;

/// What a condition of a formula is called in complaints.
const CONDITION: &str = "a condition of a formula";

impl Checker<'_> {
    /// Checks what is claimed of runs; false if there was an error.
    pub(super) fn claims(&mut self, asked: &[Asked]) -> bool {
        let mut right = true;
        for claim in asked {
            match self.claim(claim) {
                Ok(claim) => self.program.claims.push(claim),
                Err(error) => {
                    right = false;
                    self.findings.push(*error);
                    self.scopes.close_all();
                }
            }
        }
        right
    }

    fn claim(&mut self, asked: &Asked) -> Fallible<Claim> {
        let kind = match &asked.question {
            Question::Formula(logic, formula) => ClaimKind::Formula(*logic, self.formula(formula)?),
            Question::Automaton(automaton, conditions) => {
                let conditions = conditions.iter().map(|c| self.condition(c, CONDITION));
                let conditions: Fallible<Vec<Expr>> = conditions.collect();
                ClaimKind::Automaton(automaton.clone(), conditions?)
            }
        };
        Ok(Claim {
            name: asked.name.clone(),
            kind,
            span: asked.span,
        })
    }

    fn formula(&mut self, expr: &ast::Expr) -> Fallible<Formula> {
        if !expr.speaks_of_runs() {
            let condition = self.condition(expr, CONDITION)?;
            return Ok(Formula {
                kind: FormulaKind::Condition(condition),
                span: expr.span,
            });
        }
        let kind = match &expr.kind {
            ast::ExprKind::Temporal(op, inner) => {
                FormulaKind::Unary(*op, Box::new(self.formula(inner)?))
            }
            ast::ExprKind::Unary(ast::UnaryOp::Not, inner) => {
                FormulaKind::Unary(UnaryTemporal::Not, Box::new(self.formula(inner)?))
            }
            ast::ExprKind::InRuns(runs, path) => {
                FormulaKind::InRuns(*runs, Box::new(self.formula(path)?))
            }
            ast::ExprKind::Binary(op, left, right) => {
                let op = joining(*op).ok_or_else(|| no_value(expr.span))?;
                let left = Box::new(self.formula(left)?);
                FormulaKind::Binary(op, left, Box::new(self.formula(right)?))
            }
            ast::ExprKind::Quantified(kind, quantifiers, body) => {
                return self.scoped(|checker| {
                    checker.quantified_formula((*kind, quantifiers, body), expr.span)
                });
            }
            _ => return Err(no_value(expr.span)),
        };
        Ok(Formula {
            kind,
            span: expr.span,
        })
    }

    /// Several quantifiers are one inside the other. Their values are known before the model runs: a formula is written out for
    /// each of them.
    fn quantified_formula(
        &mut self,
        (kind, quantifiers, body): (ast::QuantifierKind, &[ast::Quantifier], &ast::Expr),
        span: Span,
    ) -> Fallible<Formula> {
        let mut bindings = Vec::new();
        for quantifier in quantifiers {
            let binding = self.quantifier(quantifier)?;
            if let Some(bound) = unknown_bound(&binding) {
                let message =
                    "the bounds of a quantifier around temporal operators must be constants";
                let help =
                    "let it go through all values, and say in the conditions which ones count";
                return Err(error_help(bound, message, help));
            }
            bindings.push(binding);
        }
        let mut formula = self.formula(body)?;
        for binding in bindings.into_iter().rev() {
            let body = Box::new(formula);
            formula = Formula {
                kind: FormulaKind::Quantified(kind, Box::new(binding), body),
                span,
            };
        }
        Ok(formula)
    }
}

/// The operator between two formulas, if it is one.
fn joining(op: ast::BinaryOp) -> Option<BinaryTemporal> {
    match op {
        ast::BinaryOp::Implies => Some(BinaryTemporal::Implies),
        ast::BinaryOp::Or | ast::BinaryOp::Pipe => Some(BinaryTemporal::Or),
        ast::BinaryOp::And | ast::BinaryOp::Amp => Some(BinaryTemporal::And),
        ast::BinaryOp::Temporal(op) => Some(op),
        _ => None,
    }
}

/// Something computes with what is said of runs.
pub(super) fn no_value(span: Span) -> Box<mandala_model::Diagnostic> {
    error_help(
        span,
        "an operand is a temporal formula, but it has to be a value",
        "temporal formulas are joined by `&`, `|`, `!` and `->` only; put conditions in parentheses",
    )
}
