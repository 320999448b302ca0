//! The tokens that are operators, inside and outside of `ltl`.

use super::Parser;
use crate::ast::{BinaryOp, UnaryOp};
use crate::token::TokenKind;
use mandala_formulas::words;
use mandala_model::property::{BinaryTemporal, UnaryTemporal};

impl Parser<'_> {
    /// The binary operator here and the number of its tokens.
    pub(super) fn binary_operator(&self) -> Option<(BinaryOp, usize)> {
        let kind = self.kind();
        if self.in_ltl
            && let Some(found) = self.temporal_binary(kind)
        {
            return Some(found);
        }
        plain_binary(kind).map(|op| (op, 1))
    }

    fn temporal_binary(&self, kind: TokenKind) -> Option<(BinaryOp, usize)> {
        Some(match (kind, self.cursor.ahead(1).kind) {
            (TokenKind::Arrow, _) => (BinaryOp::Implies, 1),
            (TokenKind::Lt, TokenKind::Arrow) => (BinaryOp::Equivalent, 2),
            (TokenKind::Slash, TokenKind::Backslash) => (BinaryOp::And, 2),
            (TokenKind::Backslash, TokenKind::Slash) => (BinaryOp::Or, 2),
            (TokenKind::Name, _) => (temporal_word(self.cursor.token().text())?, 1),
            _ => return None,
        })
    }

    /// The operators in front of an operand here (`!!` is two of them) and the number of tokens.
    pub(super) fn unary_operator(&self) -> Option<(UnaryOp, usize)> {
        let kind = self.kind();
        if self.in_ltl
            && let Some(found) = self.temporal_unary(kind)
        {
            return Some(found);
        }
        Some(match kind {
            TokenKind::Bang => (UnaryOp::Not, 1),
            TokenKind::Minus => (UnaryOp::Neg, 1),
            TokenKind::Tilde => (UnaryOp::BitNot, 1),
            _ => return None,
        })
    }

    fn temporal_unary(&self, kind: TokenKind) -> Option<(UnaryOp, usize)> {
        Some(match (kind, self.cursor.ahead(1).kind) {
            (TokenKind::LBracket, TokenKind::RBracket) => (UnaryOp::Always, 2),
            (TokenKind::Lt, TokenKind::Gt) => (UnaryOp::Eventually, 2),
            (TokenKind::Name, _) => (temporal(words::unary(self.cursor.token().text())?), 1),
            _ => return None,
        })
    }
}

fn temporal_word(word: &str) -> Option<BinaryOp> {
    Some(match words::binary(word)? {
        BinaryTemporal::And => BinaryOp::And,
        BinaryTemporal::Or => BinaryOp::Or,
        BinaryTemporal::Until => BinaryOp::Until,
        BinaryTemporal::WeakUntil => BinaryOp::WeakUntil,
        BinaryTemporal::Release => BinaryOp::Release,
        BinaryTemporal::Implies => BinaryOp::Implies,
        BinaryTemporal::Equivalent => BinaryOp::Equivalent,
    })
}

/// An operator in front of a formula.
pub(super) fn temporal(op: UnaryTemporal) -> UnaryOp {
    match op {
        UnaryTemporal::Not => UnaryOp::Not,
        UnaryTemporal::Always => UnaryOp::Always,
        UnaryTemporal::Eventually => UnaryOp::Eventually,
        UnaryTemporal::Next => UnaryOp::Next,
    }
}

fn plain_binary(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Plus => BinaryOp::Add,
        TokenKind::Minus => BinaryOp::Sub,
        TokenKind::Star => BinaryOp::Mul,
        TokenKind::Slash => BinaryOp::Div,
        TokenKind::Percent => BinaryOp::Rem,
        TokenKind::Shl => BinaryOp::Shl,
        TokenKind::Shr => BinaryOp::Shr,
        TokenKind::Lt => BinaryOp::Lt,
        TokenKind::Le => BinaryOp::Le,
        TokenKind::Gt => BinaryOp::Gt,
        TokenKind::Ge => BinaryOp::Ge,
        TokenKind::EqEq => BinaryOp::Eq,
        TokenKind::NotEq => BinaryOp::Ne,
        TokenKind::Amp => BinaryOp::BitAnd,
        TokenKind::Caret => BinaryOp::BitXor,
        TokenKind::Pipe => BinaryOp::BitOr,
        TokenKind::AmpAmp => BinaryOp::And,
        TokenKind::PipePipe => BinaryOp::Or,
        _ => return None,
    })
}
