//! Expressions of the intermediate representation, with constants folded.
//!
//! Parameters of rulesets and of loops that are written out are constants, so conditions such as `i != j`
//! are decided here. Nothing is folded away that could fail at run time.

use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, UnaryOp};
use mandala_model::quantified::Quantified;
use mandala_model::source::Span;

pub(super) fn constant(value: i64, span: Span) -> Expr {
    Expr::constant(value, span)
}

pub(super) fn truth(value: bool, span: Span) -> Expr {
    Expr::constant(i64::from(value), span)
}

pub(super) fn read(place: Place) -> Expr {
    let span = place.span;
    Expr::new(ExprKind::Read(place), span)
}

/// The value, which must not be 0.
pub(super) fn defined(value: Expr) -> Expr {
    let span = value.span;
    Expr::new(ExprKind::Unary(UnaryOp::Defined, Box::new(value)), span)
}

pub(super) fn negate(value: Expr) -> Expr {
    let span = value.span;
    Expr::new(ExprKind::Unary(UnaryOp::Negate, Box::new(value)), span)
}

/// The negation of a condition: comparisons are turned round, so that hardly ever a `!` is left.
pub(super) fn not(condition: Expr) -> Expr {
    let span = condition.span;
    match condition.kind {
        ExprKind::Const(value) => truth(value == 0, span),
        ExprKind::Unary(UnaryOp::Not, inner) if is_truth(&inner) => *inner,
        ExprKind::Quantified(quantified) => not_quantified(quantified, span),
        ExprKind::Binary(BinaryOp::And, left, right) => {
            Expr::new(either(BinaryOp::Or, *left, *right), span)
        }
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            Expr::new(either(BinaryOp::And, *left, *right), span)
        }
        ExprKind::Binary(op, left, right) if opposite(op).is_some() => {
            let op = opposite(op).unwrap_or(op);
            Expr::new(ExprKind::Binary(op, left, right), span)
        }
        kind => Expr::new(kind, span).negated(),
    }
}

/// A quantifier with its body negated: it is evaluated for the same values, and fails where it did.
fn not_quantified(mut quantified: Box<Quantified>, span: Span) -> Expr {
    let Some(dual) = quantified.quantifier.dual() else {
        return Expr::new(ExprKind::Quantified(quantified), span).negated();
    };
    let none = constant(0, span);
    quantified.quantifier = dual;
    quantified.body = not(std::mem::replace(&mut quantified.body, none));
    Expr::new(ExprKind::Quantified(quantified), span)
}

/// Both sides negated and joined: what is evaluated, and in which order, stays the same.
fn either(op: BinaryOp, left: Expr, right: Expr) -> ExprKind {
    ExprKind::Binary(op, Box::new(not(left)), Box::new(not(right)))
}

fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        _ => return None,
    })
}

/// True if the value can only be 0 or 1.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(value) => matches!(value, 0 | 1),
        ExprKind::Unary(op, _) => *op == UnaryOp::Not,
        ExprKind::Binary(op, ..) => {
            opposite(*op).is_some() || matches!(op, BinaryOp::And | BinaryOp::Or)
        }
        ExprKind::Quantified(quantified) => quantified.quantifier.is_condition(),
        _ => false,
    }
}

pub(super) fn compare(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    if let (Some(a), Some(b)) = (left.as_constant(), right.as_constant()) {
        let holds = match op {
            BinaryOp::Equal => a == b,
            BinaryOp::NotEqual => a != b,
            BinaryOp::Less => a < b,
            BinaryOp::LessEqual => a <= b,
            BinaryOp::Greater => a > b,
            _ => a >= b,
        };
        return truth(holds, span);
    }
    Expr::binary(op, left, right)
}

/// Whether a cell has that raw value.
pub(super) fn is_raw(raw: &Expr, value: i64) -> Expr {
    compare(BinaryOp::Equal, raw.clone(), constant(value, raw.span))
}

/// `value + by`
pub(super) fn plus(value: Expr, by: i64) -> Expr {
    let span = value.span;
    match value.as_constant() {
        Some(known) if known.checked_add(by).is_some() => constant(known + by, span),
        _ if by == 0 => value,
        _ if by < 0 && by > i64::MIN => {
            Expr::binary(BinaryOp::Subtract, value, constant(-by, span))
        }
        _ => Expr::binary(BinaryOp::Add, value, constant(by, span)),
    }
}

pub(super) fn conditional(condition: Expr, yes: Expr, no: Expr) -> Expr {
    match condition.as_constant() {
        Some(0) => no,
        Some(_) => yes,
        None => {
            let span = condition.span.to(no.span);
            let parts = [condition, yes, no].map(Box::new);
            let [condition, yes, no] = parts;
            Expr::new(ExprKind::Conditional(condition, yes, no), span)
        }
    }
}

/// Which operand decides a chain of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chain {
    /// "and": the first that is false.
    All,
    /// "or": the first that is true.
    Some,
}

impl Chain {
    /// The operand that changes nothing, which is also the value of an empty chain.
    pub(super) fn neutral(self) -> bool {
        self == Chain::All
    }

    fn op(self) -> BinaryOp {
        match self {
            Chain::All => BinaryOp::And,
            Chain::Some => BinaryOp::Or,
        }
    }

    /// Conditions are 0 or 1, so their bits are what they are.
    fn strict_op(self) -> BinaryOp {
        match self {
            Chain::All => BinaryOp::BitAnd,
            Chain::Some => BinaryOp::BitOr,
        }
    }
}

/// A chain of conditions, each evaluated only if those before it do not decide.
///
/// The order stays, but the tree is balanced: a condition on all pairs of a set has many operands, and
/// everybody who walks over expressions does so by recursion.
pub(super) fn chain(kind: Chain, operands: impl IntoIterator<Item = Expr>, span: Span) -> Expr {
    let mut kept: Vec<Expr> = Vec::new();
    for operand in operands {
        let known = operand.as_constant().map(|value| value != 0);
        if known != Some(kind.neutral()) {
            kept.push(operand);
        }
        if known == Some(!kind.neutral()) {
            break;
        }
    }
    let mut expr = balanced(kind.op(), kept).unwrap_or_else(|| truth(kind.neutral(), span));
    expr.span = span;
    expr
}

/// Conditions that are all evaluated, whatever the others are: an error in any of them is an error of the whole.
pub(super) fn strict_chain(kind: Chain, operands: Vec<Expr>, span: Span) -> Expr {
    let neutral = Some(i64::from(kind.neutral()));
    let kept = operands.into_iter().filter(|o| o.as_constant() != neutral);
    let joined = balanced(kind.strict_op(), kept.collect());
    let mut expr = joined.unwrap_or_else(|| truth(kind.neutral(), span));
    expr.span = span;
    expr
}

fn balanced(op: BinaryOp, mut operands: Vec<Expr>) -> Option<Expr> {
    if operands.len() < 2 {
        return operands.pop();
    }
    let right = operands.split_off(operands.len().div_ceil(2));
    let (left, right) = (balanced(op, operands)?, balanced(op, right)?);
    Some(Expr::binary(op, left, right))
}

/// True for expressions that are so small that they may as well be evaluated twice.
pub(super) fn is_small(expr: &Expr) -> bool {
    let mut parts = 0;
    expr.walk(&mut |_| parts += 1);
    parts <= 12
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span::START;

    fn unknown() -> Expr {
        Expr::new(ExprKind::SelfId, SPAN)
    }

    #[test]
    fn chains_keep_what_may_fail_and_stop_at_what_decides() {
        let of = |kind, operands: Vec<Expr>| chain(kind, operands, SPAN);
        let yes = || truth(true, SPAN);
        let no = || truth(false, SPAN);
        assert_eq!(of(Chain::All, vec![]), yes());
        assert_eq!(of(Chain::All, vec![yes(), unknown(), yes()]), unknown());
        assert_eq!(of(Chain::Some, vec![no(), yes(), unknown()]), yes());
        let decided_behind = of(Chain::All, vec![unknown(), no(), unknown()]);
        assert_eq!(
            decided_behind.kind,
            ExprKind::Binary(BinaryOp::And, Box::new(unknown()), Box::new(no()))
        );
    }

    #[test]
    fn long_chains_are_not_deep() {
        fn depth(expr: &Expr) -> usize {
            match &expr.kind {
                ExprKind::Binary(_, a, b) => 1 + depth(a).max(depth(b)),
                _ => 0,
            }
        }
        let long = chain(Chain::Some, (0..1000).map(|_| unknown()), SPAN);
        assert_eq!(depth(&long), 10);
    }

    #[test]
    fn negations_turn_comparisons_round() {
        let less = compare(BinaryOp::Less, unknown(), constant(3, SPAN));
        let turned = compare(BinaryOp::GreaterEqual, unknown(), constant(3, SPAN));
        assert_eq!(not(less.clone()), turned);
        assert_eq!(not(not(less.clone())), less);
        assert_eq!(not(truth(true, SPAN)), truth(false, SPAN));
        let both = chain(Chain::All, [less.clone(), turned.clone()], SPAN);
        let neither = chain(Chain::Some, [turned, less], SPAN);
        assert_eq!(not(both), neither);
        assert_eq!(not(not(unknown())).kind, unknown().negated().negated().kind);
    }
}
