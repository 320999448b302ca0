//! Embedded C: recognised, refused by name, and skipped.

use super::Parser;
use crate::token::TokenKind;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;

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
