//! Tokens that the lexer has rejected.

use crate::diagnostics::Diagnostics;
use crate::token::{Token, TokenKind};
use mandala_model::diagnostic::Diagnostic;

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
