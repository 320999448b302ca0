//! Quantifiers written out: the body once for each value, joined by operators.

use crate::expr::{BinaryOp, Expr, ExprKind};
use crate::ids::BinderId;
use crate::quantified::{Quantified, Quantifier};
use crate::simplify::{is_truth, simplify};
use crate::source::Span;

impl Quantified {
    /// The same without a quantifier: the body once for each value, joined by operators. The body has no quantifiers inside.
    pub fn written_out(&self, span: Span) -> Expr {
        let bodies = self.values.iter().map(|value| self.member(value));
        match self.quantifier {
            Quantifier::ForAll | Quantifier::Exists => {
                let decides = self.quantifier == Quantifier::Exists;
                self.joined(decides, bodies.map(as_truth), span)
            }
            Quantifier::Count => {
                let none = Some(0);
                let counted = bodies.map(as_truth).filter(|e| e.as_constant() != none);
                total(counted.collect(), span)
            }
            Quantifier::Sum => total(bodies.collect(), span),
            Quantifier::FirstOf => self.first(bodies.collect(), span),
        }
    }

    /// The body for a value of the variable, where what is known then is decided. It stands outside of the quantifier.
    pub fn member(&self, value: i64) -> Expr {
        let own = self.variable.id;
        let outside = |id: BinderId| if id > own { BinderId(id.0 - 1) } else { id };
        let mut body = self.body.clone();
        body.each_mut(&mut |part| {
            match &mut part.kind {
                ExprKind::Bound(id) if *id == own => part.kind = ExprKind::Const(value),
                ExprKind::Bound(id) => *id = outside(*id),
                ExprKind::Quantified(inner) => inner.variable.id = outside(inner.variable.id),
                _ => {}
            }
            simplify(part);
        });
        body
    }

    /// The value of the first body that is true.
    fn first(&self, bodies: Vec<Expr>, span: Span) -> Expr {
        let mut first = Expr::constant(0, span);
        let values: Vec<i64> = self.values.iter().collect();
        for (body, value) in bodies.into_iter().zip(values).rev() {
            let parts = [body, Expr::constant(value, span), first].map(Box::new);
            let [condition, yes, no] = parts;
            first = Expr::new(ExprKind::Conditional(condition, yes, no), span);
            simplify(&mut first);
        }
        first
    }

    /// Truth values of which one that is `decides` makes the whole so.
    fn joined(&self, decides: bool, operands: impl Iterator<Item = Expr>, span: Span) -> Expr {
        let ordered = self.stops_at().is_some();
        let mut kept: Vec<Expr> = Vec::new();
        for operand in operands {
            let known = operand.as_constant().map(|value| value != 0);
            if known != Some(!decides) {
                kept.push(operand);
            }
            if ordered && known == Some(decides) {
                break;
            }
        }
        let op = match (ordered, decides) {
            (true, true) => BinaryOp::Or,
            (true, false) => BinaryOp::And,
            (false, true) => BinaryOp::BitOr,
            (false, false) => BinaryOp::BitAnd,
        };
        at(balanced(op, kept, span), i64::from(!decides), span)
    }
}

/// The truth value of a condition, which may be any number.
fn as_truth(condition: Expr) -> Expr {
    match condition.as_constant() {
        Some(value) => Expr::constant(i64::from(value != 0), condition.span),
        None if is_truth(&condition) => condition,
        None => condition.negated().negated(),
    }
}

/// The sum of all terms.
fn total(terms: Vec<Expr>, span: Span) -> Expr {
    at(balanced(BinaryOp::Add, terms, span), 0, span)
}

/// The expression, or the number if there is none, at that place.
fn at(expr: Option<Expr>, otherwise: i64, span: Span) -> Expr {
    let mut expr = expr.unwrap_or_else(|| Expr::constant(otherwise, span));
    expr.span = span;
    expr
}

/// The operands joined in their order by a tree that is not deep: whoever walks over expressions does so by recursion.
fn balanced(op: BinaryOp, mut operands: Vec<Expr>, span: Span) -> Option<Expr> {
    if operands.len() < 2 {
        return operands.pop();
    }
    let right = operands.split_off(operands.len().div_ceil(2));
    let left = balanced(op, operands, span)?;
    let right = balanced(op, right, span)?;
    let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
    Some(Expr::new(kind, span))
}
