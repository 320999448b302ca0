//! The operators of computation tree logic.
//!
//! ```text
//! formula = ("AX" | "AF" | "AG" | "EX" | "EF" | "EG") formula
//!         | ("A" | "E") ("[" path "]" | "(" path ")" | ("[]" | "<>" | "X") formula)
//! path    = formula ("U" | "W" | "V") formula | ("[]" | "<>" | "X") formula
//! ```
//!
//! In the tree, `A` and `E` are operators in front of a path; whether what follows is one is a question for lowering.

use super::{Parse, Parser};
use crate::ast::{Expr, UnaryOp};
use crate::token::TokenKind;

/// A quantifier over runs, and the operator that is written together with it.
pub(super) struct Branching {
    quantifier: UnaryOp,
    operator: Option<UnaryOp>,
}

impl Parser<'_> {
    /// The quantifier here, if there is one.
    pub(super) fn branching(&self) -> Option<Branching> {
        if !self.in_ctl || !self.at(TokenKind::Name) {
            return None;
        }
        let word = self.cursor.token().text();
        let quantifier = match word.as_bytes().first()? {
            b'A' => UnaryOp::InAllRuns,
            b'E' => UnaryOp::InSomeRun,
            _ => return None,
        };
        let operator = match &word[1..] {
            "X" => Some(UnaryOp::Next),
            "F" => Some(UnaryOp::Eventually),
            "G" => Some(UnaryOp::Always),
            "" if self.path_follows() => None,
            _ => return None,
        };
        Some(Branching {
            quantifier,
            operator,
        })
    }

    /// Whether `A` or `E` stands before something that can be a path, and so is not a variable.
    fn path_follows(&self) -> bool {
        let next = self.cursor.ahead(1);
        match next.kind {
            TokenKind::LBracket | TokenKind::LParen => true,
            TokenKind::Lt => self.cursor.ahead(2).kind == TokenKind::Gt,
            TokenKind::Name => matches!(next.text(), "X" | "next" | "always" | "eventually"),
            _ => false,
        }
    }

    pub(super) fn branching_formula(&mut self, branching: Branching) -> Parse<Expr> {
        let start = self.bump();
        let path = match branching.operator {
            Some(operator) => {
                let operand = self.nested(Self::unary)?;
                self.apply(operator, operand, start)?
            }
            None => self.nested(Self::path)?,
        };
        self.apply(branching.quantifier, path, start)
    }

    fn path(&mut self) -> Parse<Expr> {
        let always = self.cursor.ahead(1).kind == TokenKind::RBracket;
        match self.kind() {
            TokenKind::LParen => self.parenthesised(),
            TokenKind::LBracket if !always => {
                self.bump();
                let path = self.full_expr()?;
                self.expect(TokenKind::RBracket, "or an operator in the path")?;
                Ok(path)
            }
            _ => self.unary(),
        }
    }
}
