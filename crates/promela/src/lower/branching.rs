//! Formulas of computation tree logic, and the watches that hold their propositions.
//!
//! A proposition is as large as it can be: what has no quantifier over runs in it is one condition. So `AG !(a && b)` has
//! one proposition, which a renaming that exchanges `a` and `b` keeps, though it keeps neither of the two.

use super::spelling::spelling;
use super::{Lowered, Lowering, fail, fail_with};
use crate::ast::{
    BinaryOp as AstBinary, Expr as AstExpr, ExprKind as AstKind, UnaryOp as AstUnary,
};
use mandala_model::claim::{ClaimBuilder, WrittenCondition};
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::property::{Ctl, Property, PropertyKind, Runs};
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;

/// Larger formulas are refused.
const LARGEST: usize = 10_000;

/// The propositions of a formula, each once.
type Propositions = Vec<WrittenCondition>;

impl Lowering {
    /// A formula that has to hold at the start.
    pub(super) fn lower_branching(
        &mut self,
        name: String,
        form: StatedForm,
        formula: &AstExpr,
    ) -> Lowered<()> {
        let span = formula.span;
        let watch = self.new_observer(&name, span)?;
        let mut propositions = Vec::new();
        let formula = self.ctl(formula, &mut propositions);
        self.frame = None;
        let formula = possibly(form, formula?);
        watcher(span, propositions).install(&mut self.model.templates[watch.index()]);
        let kind = PropertyKind::Ctl { formula, watch };
        self.model.properties.push(Property { name, kind, span });
        Ok(())
    }

    fn ctl(&mut self, expr: &AstExpr, propositions: &mut Propositions) -> Lowered<Ctl> {
        if !has_paths(expr) {
            let condition = self.condition(expr)?;
            return Ok(proposition(condition, spelling(expr), propositions));
        }
        match &expr.kind {
            AstKind::Unary(AstUnary::Not, e) => Ok(Ctl::Not(self.boxed(e, propositions)?)),
            AstKind::Unary(AstUnary::InAllRuns, path) => self.path(Runs::All, path, propositions),
            AstKind::Unary(AstUnary::InSomeRun, path) => self.path(Runs::Some, path, propositions),
            AstKind::Binary(op, a, b) => {
                let (f, g) = self.operands(a, b, propositions)?;
                Ok(match op {
                    AstBinary::And => Ctl::And(f, g),
                    AstBinary::Or => Ctl::Or(f, g),
                    AstBinary::Implies => Ctl::Implies(f, g),
                    AstBinary::Equivalent => {
                        let there = Ctl::Implies(f.clone(), g.clone());
                        Ctl::And(Box::new(there), Box::new(Ctl::Implies(g, f)))
                    }
                    AstBinary::Until | AstBinary::WeakUntil | AstBinary::Release => {
                        return without_quantifier(op.symbol(), expr.span);
                    }
                    _ => return of_formula(op.symbol(), expr.span),
                })
            }
            AstKind::Unary(op @ (AstUnary::Neg | AstUnary::BitNot), _) => {
                of_formula(op.symbol(), expr.span)
            }
            AstKind::Unary(op, _) => without_quantifier(op.symbol(), expr.span),
            _ => no_path(expr.span),
        }
    }

    fn boxed(&mut self, expr: &AstExpr, propositions: &mut Propositions) -> Lowered<Box<Ctl>> {
        self.ctl(expr, propositions).map(Box::new)
    }

    /// Both operands. Some operators need them twice, so formulas can become much larger than they were written.
    fn operands(
        &mut self,
        a: &AstExpr,
        b: &AstExpr,
        propositions: &mut Propositions,
    ) -> Lowered<(Box<Ctl>, Box<Ctl>)> {
        let (f, g) = (self.boxed(a, propositions)?, self.boxed(b, propositions)?);
        match f.size() + g.size() <= LARGEST {
            true => Ok((f, g)),
            false => fail(a.span.to(b.span), "this formula is too large"),
        }
    }

    /// What stands behind a quantifier.
    fn path(
        &mut self,
        runs: Runs,
        path: &AstExpr,
        propositions: &mut Propositions,
    ) -> Lowered<Ctl> {
        match &path.kind {
            AstKind::Unary(AstUnary::Next, e) => Ok(Ctl::Next(runs, self.boxed(e, propositions)?)),
            AstKind::Unary(AstUnary::Eventually, e) => {
                Ok(Ctl::Eventually(runs, self.boxed(e, propositions)?))
            }
            AstKind::Unary(AstUnary::Always, e) => {
                Ok(Ctl::Always(runs, self.boxed(e, propositions)?))
            }
            AstKind::Binary(op, a, b) => {
                let (f, g) = self.operands(a, b, propositions)?;
                match op {
                    AstBinary::Until => Ok(Ctl::Until(runs, f, g)),
                    AstBinary::WeakUntil => Ok(Ctl::WeakUntil(runs, f, g)),
                    AstBinary::Release => {
                        let both = Box::new(Ctl::And(f, g.clone()));
                        Ok(Ctl::WeakUntil(runs, g, both))
                    }
                    _ => no_path(path.span),
                }
            }
            _ => no_path(path.span),
        }
    }

    /// A condition in which `->` and `<->` may stand besides what a model has.
    fn condition(&mut self, expr: &AstExpr) -> Lowered<Expr> {
        let AstKind::Binary(op, a, b) = &expr.kind else {
            return match &expr.kind {
                AstKind::Unary(AstUnary::Not, e) => Ok(self.condition(e)?.negated()),
                _ => self.expr(expr),
            };
        };
        let op = match op {
            AstBinary::And => BinaryOp::And,
            AstBinary::Or | AstBinary::Implies => BinaryOp::Or,
            AstBinary::Equivalent => BinaryOp::Equal,
            _ => return self.expr(expr),
        };
        let (a_, b_) = (self.condition(a)?, self.condition(b)?);
        Ok(match &expr.kind {
            AstKind::Binary(AstBinary::Implies, ..) => Expr::binary(op, a_.negated(), b_),
            // Numbers may differ and both be true.
            AstKind::Binary(AstBinary::Equivalent, ..) => {
                Expr::binary(op, a_.negated(), b_.negated())
            }
            _ => Expr::binary(op, a_, b_),
        })
    }
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

/// The proposition that stands for a condition. Constants need none.
fn proposition(condition: Expr, text: String, propositions: &mut Propositions) -> Ctl {
    if let Some(value) = condition.as_constant() {
        return Ctl::Constant(value != 0);
    }
    let known = propositions.iter().position(|p| p.text == text);
    let number = known.unwrap_or_else(|| {
        propositions.push(WrittenCondition { condition, text });
        propositions.len() - 1
    });
    Ctl::Proposition(number as u32)
}

fn watcher(span: Span, propositions: Propositions) -> ClaimBuilder {
    let mut claim = ClaimBuilder::new(span);
    let entry = claim.location(Vec::new(), false);
    for proposition in propositions {
        let seen = claim.location(Vec::new(), false);
        claim.edge(entry, seen, proposition);
    }
    claim
}

/// Whether temporal operators stand in an expression, seen through what joins conditions.
fn has_paths(expr: &AstExpr) -> bool {
    match &expr.kind {
        AstKind::Unary(op, e) => match op {
            AstUnary::Not | AstUnary::Neg | AstUnary::BitNot => has_paths(e),
            _ => true,
        },
        AstKind::Binary(op, a, b) => {
            matches!(
                op,
                AstBinary::Until | AstBinary::WeakUntil | AstBinary::Release
            ) || has_paths(a)
                || has_paths(b)
        }
        _ => false,
    }
}

fn without_quantifier<T>(symbol: &str, span: Span) -> Lowered<T> {
    let symbol = symbol.trim();
    fail_with(
        span,
        format!("`{symbol}` has no quantifier over runs"),
        format!("in this logic `A` or `E` stands before `{symbol}`: in all runs, or in some"),
    )
}

fn of_formula<T>(symbol: &str, span: Span) -> Lowered<T> {
    fail_with(
        span,
        format!("`{symbol}` computes with values, and here is a formula"),
        "what stands in front binds tightest: put the condition behind it in parentheses",
    )
}

fn no_path<T>(span: Span) -> Lowered<T> {
    fail(
        span,
        "`A` and `E` are followed by `X`, `F` or `G`, or by `[f U g]`, `[f W g]` or `[f V g]`",
    )
}
