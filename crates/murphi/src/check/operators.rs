//! Operators: what they need, and what `&` and `|` mean.

use super::Checker;
use super::formula::no_value;
use crate::ast;
use crate::typed::{BinaryOp, Expr, ExprKind, TypeId, TypeKind, Types, UnaryOp};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error_help};
use mandala_model::source::Span;

/// What an operator needs and gives.
enum Needs {
    /// Booleans; gives a boolean.
    Booleans,
    /// Numbers; gives a number.
    Numbers,
    /// Numbers; gives a boolean.
    Order,
    /// Two values of one type; gives a boolean.
    Equality,
}

impl Checker<'_> {
    pub(super) fn unary(
        &mut self,
        op: ast::UnaryOp,
        operand: &ast::Expr,
        span: Span,
    ) -> Fallible<Expr> {
        let operand = self.expr(operand)?;
        let (op, ty) = match op {
            ast::UnaryOp::Not => (UnaryOp::Not, Types::BOOLEAN),
            ast::UnaryOp::Negate => (UnaryOp::Negate, Types::INTEGER),
            ast::UnaryOp::BitNot => (UnaryOp::BitNot, Types::INTEGER),
        };
        let what = format!("the operand of `{}`", op.symbol());
        match op {
            UnaryOp::Not => self.expect_boolean(&operand, &what)?,
            _ => self.expect_number(&operand, &what)?,
        }
        Ok(Expr {
            kind: ExprKind::Unary(op, Box::new(operand)),
            ty,
            span,
        })
    }

    #[inline(never)]
    pub(super) fn binary(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Fallible<Expr> {
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        let written = op.symbol();
        let op = meaning(op, self.types().is_number(left.ty)).ok_or_else(|| no_value(span))?;
        let (left, right) = self.operands(op, written, left, right, span)?;
        let ty = match needs(op) {
            Needs::Numbers => Types::INTEGER,
            _ => Types::BOOLEAN,
        };
        Ok(Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty,
            span,
        })
    }

    #[inline(never)]
    fn operands(
        &mut self,
        op: BinaryOp,
        written: &str,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Fallible<(Expr, Expr)> {
        let sides = [(&left, "left"), (&right, "right")];
        match needs(op) {
            Needs::Booleans => {
                for (operand, side) in sides {
                    self.expect_boolean(operand, &format!("the {side} side of `{written}`"))?;
                }
            }
            Needs::Numbers | Needs::Order => {
                for (operand, side) in sides {
                    self.expect_number(operand, &format!("the {side} side of `{written}`"))?;
                }
            }
            Needs::Equality => return self.equal_operands(op, left, right, span),
        }
        Ok((left, right))
    }

    fn equal_operands(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Fallible<(Expr, Expr)> {
        let (a, b) = (left.ty, right.ty);
        for ty in [a, b] {
            if self.types().has_multiset(ty) {
                let help = "count the elements that matter with `multisetcount`";
                return Err(error_help(span, "multisets cannot be compared", help));
            }
        }
        self.refuse_foreign_slots(&left, &right, span)?;
        match self.unify(left, right) {
            Some((left, right, _)) => Ok((left, right)),
            None => Err(self.not_comparable(op, a, b, span)),
        }
    }

    fn not_comparable(&self, op: BinaryOp, a: TypeId, b: TypeId, span: Span) -> Box<Diagnostic> {
        let (first, second) = (self.describe(a), self.describe(b));
        let message = format!(
            "the two sides of `{}` must be alike, but the left is {first} and the right is {second}",
            op.symbol()
        );
        let is_set = |ty| matches!(self.types().kind(ty), TypeKind::Scalarset(_));
        let mut diagnostic = Diagnostic::error(span, message);
        if is_set(a) && self.types().is_number(b) || is_set(b) && self.types().is_number(a) {
            diagnostic = diagnostic.with_help("the values of a scalarset have no numbers");
        }
        Box::new(diagnostic)
    }
}

/// The operator that is meant, unless it is about runs: `&` and `|` are about bits if the left side is a number.
fn meaning(op: ast::BinaryOp, of_numbers: bool) -> Option<BinaryOp> {
    Some(match op {
        ast::BinaryOp::Amp if of_numbers => BinaryOp::BitAnd,
        ast::BinaryOp::Pipe if of_numbers => BinaryOp::BitOr,
        ast::BinaryOp::Implies => BinaryOp::Implies,
        ast::BinaryOp::Or | ast::BinaryOp::Pipe => BinaryOp::Or,
        ast::BinaryOp::And | ast::BinaryOp::Amp => BinaryOp::And,
        ast::BinaryOp::Xor => BinaryOp::BitXor,
        ast::BinaryOp::Less => BinaryOp::Less,
        ast::BinaryOp::LessEqual => BinaryOp::LessEqual,
        ast::BinaryOp::Equal => BinaryOp::Equal,
        ast::BinaryOp::NotEqual => BinaryOp::NotEqual,
        ast::BinaryOp::GreaterEqual => BinaryOp::GreaterEqual,
        ast::BinaryOp::Greater => BinaryOp::Greater,
        ast::BinaryOp::ShiftLeft => BinaryOp::ShiftLeft,
        ast::BinaryOp::ShiftRight => BinaryOp::ShiftRight,
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Subtract => BinaryOp::Subtract,
        ast::BinaryOp::Multiply => BinaryOp::Multiply,
        ast::BinaryOp::Divide => BinaryOp::Divide,
        ast::BinaryOp::Modulo => BinaryOp::Modulo,
        ast::BinaryOp::Temporal(_) => return None,
    })
}

fn needs(op: BinaryOp) -> Needs {
    match op {
        BinaryOp::Implies | BinaryOp::Or | BinaryOp::And => Needs::Booleans,
        BinaryOp::Equal | BinaryOp::NotEqual => Needs::Equality,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::GreaterEqual | BinaryOp::Greater => {
            Needs::Order
        }
        _ => Needs::Numbers,
    }
}
