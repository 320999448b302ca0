//! The place in the token stream, and the separators that line ends imply.
//!
//! Spin makes most semicolons optional. A separator is implied inside of bodies, outside of
//! parentheses and brackets,
//! - before a token on a new line, if the token before can end a statement,
//! - after `}` and after `else`, on the same line too,
//!
//! but not where it would be redundant or wrong: before another separator, before what ends a
//! sequence, and before `unless`.

use super::names::Names;
use crate::token::{Token, TokenKind};
use mandala_model::source::Span;
use std::rc::Rc;
use std::sync::Arc;

/// A place in a token stream that ends with [`TokenKind::Eof`].
#[derive(Clone)]
pub(super) struct Cursor {
    tokens: Rc<[Token]>,
    at: usize,
    /// The kind of the last consumed token; a separator that was implied counts.
    last: TokenKind,
    last_span: Span,
    /// Where the last consumed token stands in its statement.
    last_place: Span,
    /// Open parentheses and brackets.
    nesting: u32,
    /// Inside of a body or of a `typedef`.
    pub(super) in_sequence: bool,
}

impl Cursor {
    pub(super) fn new(tokens: Vec<Token>) -> Self {
        let (last_span, last_place) = (tokens[0].span, tokens[0].place());
        Cursor {
            tokens: tokens.into(),
            at: 0,
            last: TokenKind::Semi,
            last_span,
            last_place,
            nesting: 0,
            in_sequence: false,
        }
    }

    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    /// The token after so many others, or the end.
    pub(super) fn ahead(&self, count: usize) -> &Token {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)]
    }

    /// Consumes a token; the end of the stream stays.
    pub(super) fn advance(&mut self) -> Span {
        let token = &self.tokens[self.at];
        match token.kind {
            TokenKind::LParen | TokenKind::LBracket => self.nesting += 1,
            TokenKind::RParen | TokenKind::RBracket => {
                self.nesting = self.nesting.saturating_sub(1)
            }
            _ => {}
        }
        self.last = token.kind;
        self.last_span = token.span;
        self.last_place = token.place();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        self.last_span
    }

    /// The kind of the last consumed token.
    pub(super) fn last_kind(&self) -> TokenKind {
        self.last
    }

    /// The last consumed token, if it was a name.
    pub(super) fn last_name(&self) -> Option<&str> {
        let last = self.tokens.get(self.at.checked_sub(1)?)?;
        (last.kind == TokenKind::Name).then(|| last.text())
    }

    /// True after an arithmetic operator, as in `x += 1`.
    pub(super) fn follows_operator(&self) -> bool {
        matches!(
            self.last,
            TokenKind::Plus
                | TokenKind::Minus
                | TokenKind::Star
                | TokenKind::Slash
                | TokenKind::Percent
                | TokenKind::Amp
                | TokenKind::Pipe
                | TokenKind::Caret
        )
    }

    /// True inside of parentheses or brackets.
    pub(super) fn is_nested(&self) -> bool {
        self.nesting > 0
    }

    /// Consumes everything.
    pub(super) fn go_to_end(&mut self) {
        self.at = self.tokens.len() - 1;
    }

    /// Where the last consumed token is.
    pub(super) fn last_span(&self) -> Span {
        self.last_span
    }

    /// Where the last consumed token stands in its statement.
    pub(super) fn last_place(&self) -> Span {
        self.last_place
    }

    /// The place just after the last consumed token.
    pub(super) fn end_of_last(&self) -> Span {
        Span {
            start: self.last_span.end,
            ..self.last_span
        }
    }

    /// How many tokens were consumed, to see that parsing goes on.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// The macro without parameters whose whole expansion the tokens consumed since a position are.
    pub(super) fn macro_since(&self, start: usize) -> Option<Arc<str>> {
        let first = self.tokens.get(start)?;
        let last = self.tokens.get(self.at.checked_sub(1)?)?;
        let same = first.begins == last.ends && first.span == last.span;
        first.begins.clone().filter(|_| same)
    }

    /// Forgets open parentheses, for recovery.
    pub(super) fn reset_nesting(&mut self) {
        self.nesting = 0;
    }

    /// The last token was the end of a block that is not in this stream.
    pub(super) fn set_after_block(&mut self) {
        self.last = TokenKind::RBrace;
    }

    pub(super) fn take_implied_separator(&mut self) -> Span {
        self.last = TokenKind::Semi;
        self.end_of_last()
    }

    /// True if a separator is implied between the last token and this one.
    pub(super) fn is_separator_implied(&self, names: &Names) -> bool {
        if !self.in_sequence || self.nesting > 0 {
            return false;
        }
        let token = self.token();
        match self.last {
            TokenKind::RBrace => token.kind != TokenKind::Comma && !needs_no_separator(token.kind),
            TokenKind::Else => !needs_no_separator(token.kind),
            last if !token.newline_before || !can_end_statement(last) => false,
            TokenKind::Name if names.is_special(self.tokens[self.at - 1].text()) => false,
            _ => !needs_no_separator(token.kind),
        }
    }
}

fn can_end_statement(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::RParen
            | TokenKind::RBracket
            | TokenKind::Od
            | TokenKind::Fi
            | TokenKind::Break
            | TokenKind::Name
            | TokenKind::Number
            | TokenKind::Char
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Skip
            | TokenKind::Timeout
            | TokenKind::NonProgress
            | TokenKind::Incr
            | TokenKind::Decr
    )
}

fn needs_no_separator(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Semi
            | TokenKind::Arrow
            | TokenKind::RBrace
            | TokenKind::Fi
            | TokenKind::Od
            | TokenKind::Sep
            | TokenKind::Unless
            | TokenKind::Eof
    )
}
