//! Folding of constants: expressions whose values are known before the model runs.

use crate::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::model::Arithmetic;

/// The expression with its outermost operation carried out, if its operands are numbers or do not matter. Its parts have
/// been folded before. What may fail stays, and so does what 32-bit and 64-bit numbers could disagree about. Says whether it was carried out.
pub fn fold(expr: &mut Expr) -> bool {
    let known = match &expr.kind {
        ExprKind::Unary(op, operand) => number(operand).and_then(|value| unary(*op, value)),
        ExprKind::Binary(op, left, right) => decided(*op, left, right),
        ExprKind::Conditional(condition, yes, no) => chosen(condition, yes, no),
        _ => None,
    };
    let known = known.filter(|value| i32::try_from(*value).is_ok());
    if let Some(value) = known {
        expr.kind = ExprKind::Const(value);
    }
    known.is_some()
}

fn number(expr: &Expr) -> Option<i64> {
    let value = expr.as_constant()?;
    i32::try_from(value).ok().map(i64::from)
}

/// The value of a conditional whose condition is known, if the branch that it takes is a number. (Another branch cannot stand in its place: what
/// fails is told by where it stands, and an assertion stands where the conditional does.)
fn chosen(condition: &Expr, yes: &Expr, no: &Expr) -> Option<i64> {
    match number(condition)? {
        0 => number(no),
        _ => number(yes),
    }
}

/// The value of a binary operation. The right side of `&&` and `||` is not looked at where the left side decides.
fn decided(op: BinaryOp, left: &Expr, right: &Expr) -> Option<i64> {
    match (op, number(left)?, number(right)) {
        (BinaryOp::And, 0, _) => Some(0),
        (BinaryOp::Or, value, _) if value != 0 => Some(1),
        (_, left, Some(right)) => binary(op, left, right),
        (_, _, None) => None,
    }
}

/// The value of an operation, for operands that fit 32 bits: where it fits them, too, numbers of 32 and of 64 bits have the same.
fn unary(op: UnaryOp, value: i64) -> Option<i64> {
    Arithmetic::Checked64.unary(op, value).ok()
}

fn binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        // Which shifts fail depends on the width.
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => None,
        _ => Arithmetic::Checked64.binary(op, a, b).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Span};

    fn constant(value: i64) -> Expr {
        Expr::constant(value, Span::START)
    }

    fn folded(op: BinaryOp, left: Expr, right: Expr) -> Option<i64> {
        let mut expr = Expr::binary(op, left, right);
        fold(&mut expr);
        expr.as_constant()
    }

    #[test]
    fn numbers_are_computed() {
        assert_eq!(folded(BinaryOp::Add, constant(2), constant(3)), Some(5));
        assert_eq!(folded(BinaryOp::Modulo, constant(7), constant(4)), Some(3));
        assert_eq!(folded(BinaryOp::Less, constant(2), constant(3)), Some(1));
    }

    #[test]
    fn a_conditional_stays_where_it_stands() {
        let place = |start| Span::new(FileId(0), start, start + 1);
        let at = |value, start| Box::new(Expr::constant(value, place(start)));
        let unknown = || Box::new(Expr::new(ExprKind::SelfId, place(3)));
        let folded = |yes: Box<Expr>| {
            let kind = ExprKind::Conditional(at(1, 1), yes, unknown());
            let mut expr = Expr::new(kind, place(0));
            fold(&mut expr);
            assert_eq!(expr.span, place(0));
            expr.as_constant()
        };
        assert_eq!((folded(at(5, 2)), folded(unknown())), (Some(5), None));
    }

    #[test]
    fn what_fails_or_overflows_stays() {
        assert_eq!(folded(BinaryOp::Divide, constant(1), constant(0)), None);
        assert_eq!(folded(BinaryOp::Modulo, constant(1), constant(0)), None);
        let most = constant(i64::from(i32::MAX));
        assert_eq!(folded(BinaryOp::Add, most.clone(), constant(1)), None);
        assert_eq!(folded(BinaryOp::ShiftLeft, constant(1), constant(40)), None);
    }

    #[test]
    fn the_right_side_does_not_matter_where_the_left_decides() {
        let unknown = || Expr::new(ExprKind::SelfId, constant(0).span);
        assert_eq!(folded(BinaryOp::And, constant(0), unknown()), Some(0));
        assert_eq!(folded(BinaryOp::Or, constant(4), unknown()), Some(1));
        assert_eq!(folded(BinaryOp::And, unknown(), constant(0)), None);
        assert_eq!(folded(BinaryOp::And, constant(1), unknown()), None);
    }
}
