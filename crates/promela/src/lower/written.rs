//! Formulas as every front end hands them on: temporal operators over conditions, which are lowered here.

use super::spelling::spelling;
use super::{Lowered, Lowering, fail_with};
use crate::ast::{
    BinaryOp as AstBinary, Expr as AstExpr, ExprKind as AstKind, UnaryOp as AstUnary,
};
use mandala_formulas::Written;
use mandala_model::property::{BinaryTemporal, Condition, Runs, UnaryTemporal};
use mandala_model::source::Span;

impl Lowering {
    /// The formula, whose conditions are as small as they can be: this is how Spin divides it.
    pub(super) fn written(&mut self, expr: &AstExpr) -> Lowered<Written> {
        match &expr.kind {
            AstKind::Unary(op, e) => {
                if let Some(runs) = quantifier(*op) {
                    return Ok(Written::quantified(runs, self.written(e)?, expr.span));
                }
                if let Some(op) = unary_operator(*op) {
                    return Ok(Written::unary(op, self.written(e)?, expr.span));
                }
            }
            AstKind::Binary(op, a, b) => {
                if let Some(op) = binary_operator(*op) {
                    let (a, b) = (self.written(a)?, self.written(b)?);
                    return Ok(Written::binary(op, a, b, expr.span));
                }
            }
            _ => {}
        }
        require_values(expr)?;
        let condition = Condition {
            condition: self.expr(expr)?,
            text: spelling(expr),
        };
        Ok(Written::condition(condition, expr.span))
    }
}

fn quantifier(op: AstUnary) -> Option<Runs> {
    match op {
        AstUnary::InAllRuns => Some(Runs::All),
        AstUnary::InSomeRun => Some(Runs::Some),
        _ => None,
    }
}

fn unary_operator(op: AstUnary) -> Option<UnaryTemporal> {
    Some(match op {
        AstUnary::Not => UnaryTemporal::Not,
        AstUnary::Always => UnaryTemporal::Always,
        AstUnary::Eventually => UnaryTemporal::Eventually,
        AstUnary::Next => UnaryTemporal::Next,
        AstUnary::Neg | AstUnary::BitNot | AstUnary::InAllRuns | AstUnary::InSomeRun => {
            return None;
        }
    })
}

fn binary_operator(op: AstBinary) -> Option<BinaryTemporal> {
    Some(match op {
        AstBinary::And => BinaryTemporal::And,
        AstBinary::Or => BinaryTemporal::Or,
        AstBinary::Implies => BinaryTemporal::Implies,
        AstBinary::Equivalent => BinaryTemporal::Equivalent,
        AstBinary::Until => BinaryTemporal::Until,
        AstBinary::WeakUntil => BinaryTemporal::WeakUntil,
        AstBinary::Release => BinaryTemporal::Release,
        _ => return None,
    })
}

/// What computes with values has no temporal operators in it.
fn require_values(expr: &AstExpr) -> Lowered<()> {
    match &expr.kind {
        AstKind::Unary(op, e) if has_paths(e) => of_formula(op.symbol(), expr.span),
        AstKind::Binary(op, a, b) if has_paths(a) || has_paths(b) => {
            of_formula(op.symbol(), expr.span)
        }
        _ => Ok(()),
    }
}

/// Whether temporal operators stand in an expression.
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

fn of_formula<T>(symbol: &str, span: Span) -> Lowered<T> {
    let help = match symbol {
        "&" | "|" | "^" => {
            "formulas are joined by `&&`, `||` and `->`; `&`, `|` and `^` compute with the bits of numbers".to_string()
        }
        _ => format!("temporal operators bind more tightly than `{symbol}`: put the condition in parentheses, as in `[] (x > 0)` or `AG (x > 0)`"),
    };
    let message =
        format!("an operand of `{symbol}` is a temporal formula, but it has to be a value");
    fail_with(span, message, help)
}
