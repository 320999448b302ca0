//! Embedded C: recognised, refused by name, and skipped.

use super::Parser;
use crate::diagnostics::Diagnostics;
use crate::token::{Token, TokenKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;

/// Reports and drops the bad tokens. Those inside embedded C are dropped silently: C has tokens that
/// Promela does not have, and the embedded C is an error by itself.
pub(super) fn drop_bad_tokens(tokens: Vec<Token>, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut depth_in_c: Option<u32> = None;
    let mut dropped = false;
    let mut kept = tokens;
    kept.retain_mut(|token| {
        depth_in_c = match (token.kind, depth_in_c) {
            (TokenKind::CCode | TokenKind::CDecl | TokenKind::CExpr, None) => Some(0),
            (TokenKind::LBrace, Some(depth)) => Some(depth + 1),
            (TokenKind::RBrace, Some(0 | 1)) => None,
            (TokenKind::RBrace, Some(depth)) => Some(depth - 1),
            (_, unchanged) => unchanged,
        };
        let bad = token.kind == TokenKind::Bad;
        if bad && depth_in_c.is_none() {
            diagnostics.push(Diagnostic::error(token.span, token.text()));
        }
        token.after_bad = std::mem::replace(&mut dropped, bad);
        !bad
    });
    kept
}

impl Parser<'_> {
    /// Skips `c_code [pre] { ... }`, `c_expr { ... }`, `c_decl { ... }`, `c_state "..." "..."` or
    /// `c_track "..." "..."`, reports it, and says where it was.
    pub(super) fn embedded_c(&mut self) -> Span {
        let construct = self.cursor.token().text().to_string();
        let keyword = self.bump();
        let message = format!("embedded C is not supported: `{construct}`");
        let help = "the checker runs models without a C compiler; express this part in Promela";
        self.report(Diagnostic::error(keyword, message).with_help(help));
        while self.eat(TokenKind::Str) {}
        if self.at(TokenKind::LBracket) {
            self.skip_balanced(TokenKind::LBracket, TokenKind::RBracket);
        }
        if self.cursor.token().kind == TokenKind::LBrace {
            self.skip_balanced(TokenKind::LBrace, TokenKind::RBrace);
        }
        keyword.to(self.cursor.last_span())
    }
}
