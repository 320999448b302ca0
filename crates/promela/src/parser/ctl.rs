//! The operators of computation tree logic.
//!
//! ```text
//! formula = ("AX" | "AF" | "AG" | "EX" | "EF" | "EG") formula
//!         | ("A" | "E") ("[" path "]" | "(" path ")" | ("[]" | "<>" | "X") formula)
//! path    = formula ("U" | "W" | "V") formula | ("[]" | "<>" | "X") formula
//! ```
//!
//! In the tree, `A` and `E` are operators in front of a path; whether what follows is one is a question for lowering.

use super::operators::temporal;
use super::{Parse, Parser};
use crate::ast::{Expr, UnaryOp};
use crate::token::TokenKind;
use mandala_formulas::words;
use mandala_model::property::Runs;

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
        let (runs, operator) = words::quantifier(self.cursor.token().text())?;
        if operator.is_none() && !self.path_follows() {
            return None;
        }
        Some(Branching {
            quantifier: match runs {
                Runs::All => UnaryOp::InAllRuns,
                Runs::Some => UnaryOp::InSomeRun,
            },
            operator: operator.map(temporal),
        })
    }

    /// Whether `A` or `E` stands before something that can be a path, and so is not a variable.
    fn path_follows(&self) -> bool {
        let next = self.cursor.ahead(1);
        match next.kind {
            TokenKind::LBracket | TokenKind::LParen => true,
            TokenKind::Lt => self.cursor.ahead(2).kind == TokenKind::Gt,
            TokenKind::Name => words::unary(next.text()).is_some(),
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
