//! The parser of the operators of temporal logic, which stand around conditions.
//!
//! ```text
//! formula = ("[]" | "<>" | "X") formula | formula ("U" | "W" | "V") formula
//!         | ("AX" | "AF" | "AG" | "EX" | "EF" | "EG") formula
//!         | ("A" | "E") ("[" path "]" | "(" path ")" | ("[]" | "<>" | "X") formula)
//! ```
//!
//! What stands before a formula binds as `!` does; `U`, `W` and `V` bind tighter than `&`.

use super::Parser;
use super::expr::{COMPARISON, IMPLIES, Level, UNTIL, grown};
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::token::TokenKind;
use mandala_formulas::prefix::{Prefix, Sign, Tightness, between, prefix};
use mandala_model::findings::Fallible;
use mandala_model::property::{BinaryTemporal, UnaryTemporal};
use mandala_model::source::Span;

impl Parser {
    /// The temporal operator between two formulas here, if there is one.
    pub(super) fn temporal_operator(&self) -> Option<(BinaryOp, Level)> {
        self.logic?;
        let Sign::Word(word) = self.sign(0) else {
            return None;
        };
        let (op, tightness) = between(word)?;
        let level = match tightness {
            Tightness::Implies => IMPLIES,
            Tightness::Until => UNTIL,
        };
        let op = match op {
            BinaryTemporal::Implies => BinaryOp::Implies,
            op => BinaryOp::Temporal(op),
        };
        Some((op, level))
    }

    /// What stands here before a formula, if something does.
    pub(super) fn prefix(&self) -> Option<Prefix> {
        prefix(self.logic?, |ahead| self.sign(ahead))
    }

    /// The token so many places ahead, in words that all languages share.
    fn sign(&self, ahead: usize) -> Sign<'_> {
        let token = self.peek(ahead);
        match token.kind {
            TokenKind::Name => Sign::Word(&token.text),
            TokenKind::LeftBracket => Sign::LeftBracket,
            TokenKind::RightBracket => Sign::RightBracket,
            TokenKind::Less => Sign::Less,
            TokenKind::Greater => Sign::Greater,
            TokenKind::LeftParen => Sign::LeftParen,
            TokenKind::Number
            | TokenKind::Bang
            | TokenKind::Forall
            | TokenKind::Exists
            | TokenKind::IsUndefined => Sign::Begins,
            _ => Sign::Other,
        }
    }

    /// The formula that begins here with what stands before it.
    pub(super) fn prefixed_formula(&mut self, prefix: Prefix) -> Fallible<Expr> {
        let start = self.bump();
        match prefix {
            Prefix::Operator(op, tokens) => {
                (1..tokens).for_each(|_| _ = self.bump());
                self.temporal(op, start)
            }
            Prefix::Quantifier(runs, op) => {
                let path = match op {
                    Some(op) => self.temporal(op, start)?,
                    None => self.nested(Parser::path)?,
                };
                grown(ExprKind::InRuns(runs, Box::new(path)), self.since(start))
            }
        }
    }

    /// An operator that has been read, and the formula behind it.
    fn temporal(&mut self, op: UnaryTemporal, start: Span) -> Fallible<Expr> {
        let inner = self.nested(|parser| parser.binary(COMPARISON))?;
        let span = start.to(inner.span);
        grown(ExprKind::Temporal(op, Box::new(inner)), span)
    }

    /// What stands behind `A` or `E`.
    fn path(&mut self) -> Fallible<Expr> {
        let always = self.peek(1).kind == TokenKind::RightBracket;
        if !self.at(TokenKind::LeftBracket) || always {
            return self.unary();
        }
        self.bump();
        let path = self.expr()?;
        self.expect(TokenKind::RightBracket, "or an operator in the path")?;
        Ok(path)
    }
}
