//! Recovery: the places at which parsing goes on after an error.

use super::Parser;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Skips the rest of a wrong statement: to a separator, or to what ends the sequence.
    pub(super) fn recover_statement(&mut self) {
        while self.cursor.is_nested()
            && !self.cursor.token().newline_before
            && !self.at_sequence_end()
        {
            self.cursor.advance();
        }
        self.cursor.reset_nesting();
        while !self.at_sequence_end() {
            match self.kind() {
                TokenKind::Semi | TokenKind::Arrow => return,
                TokenKind::LBrace => self.skip_balanced(TokenKind::LBrace, TokenKind::RBrace),
                TokenKind::If => self.skip_balanced(TokenKind::If, TokenKind::Fi),
                TokenKind::Do => self.skip_balanced(TokenKind::Do, TokenKind::Od),
                _ => {
                    self.cursor.advance();
                }
            }
            self.cursor.reset_nesting();
        }
    }

    /// Skips the rest of a wrong unit: to a token that starts another one.
    pub(super) fn recover_unit(&mut self) {
        self.cursor.reset_nesting();
        self.cursor.in_sequence = false;
        let mut depth = 0u32;
        loop {
            let token = self.cursor.token();
            match token.kind {
                TokenKind::Eof => return,
                kind if starts_process_unit(kind) => return,
                kind if depth == 0 && token.newline_before && starts_declaration(kind) => return,
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.cursor.advance();
        }
    }

    /// Skips from an opening token to the closing token that belongs to it.
    pub(super) fn skip_balanced(&mut self, open: TokenKind, close: TokenKind) {
        let mut depth = 0u32;
        loop {
            let kind = self.cursor.token().kind;
            if kind == TokenKind::Eof {
                return;
            }
            self.cursor.advance();
            depth += u32::from(kind == open);
            if kind == close {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
        }
    }

    /// True at what no statement starts with and what may follow a sequence of them, also when it is
    /// not what should follow this one.
    pub(super) fn at_sequence_end(&self) -> bool {
        let kind = self.cursor.token().kind;
        let closes = matches!(
            kind,
            TokenKind::RBrace | TokenKind::Fi | TokenKind::Od | TokenKind::Sep | TokenKind::Eof
        );
        closes || starts_process_unit(kind)
    }
}

/// Keywords that stand at the start of a unit and nowhere else.
pub(super) fn starts_process_unit(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Active
            | TokenKind::Proctype
            | TokenKind::DProctype
            | TokenKind::Init
            | TokenKind::Never
            | TokenKind::Trace
            | TokenKind::NoTrace
            | TokenKind::Ltl
            | TokenKind::Inline
            | TokenKind::Typedef
    )
}

/// Keywords that start a declaration.
pub(super) fn starts_declaration(kind: TokenKind) -> bool {
    is_type(kind) || matches!(kind, TokenKind::Hidden | TokenKind::Show | TokenKind::Local)
}

/// The names of the built-in types.
pub(super) fn is_type(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Bit
            | TokenKind::Bool
            | TokenKind::Byte
            | TokenKind::Short
            | TokenKind::Int
            | TokenKind::Unsigned
            | TokenKind::Pid
            | TokenKind::Chan
            | TokenKind::Mtype
    )
}
