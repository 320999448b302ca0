//! Sequences of statements: separators, and what closes them.

use super::recover::starts_declaration;
use super::{Parse, Parser, Reported};
use crate::ast::{Sequence, Stmt, StmtKind};
use crate::token::TokenKind;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;

impl Parser<'_> {
    /// `{ ... }`
    pub(super) fn block(&mut self) -> Parse<Sequence> {
        let open = self.expect(TokenKind::LBrace, "and statements")?;
        Ok(self.block_after(open))
    }

    /// The rest of a block after its opening brace.
    pub(super) fn block_after(&mut self, open: Span) -> Sequence {
        self.open.push((TokenKind::RBrace, open));
        let mut stmts = self.steps();
        let close = self.close(&mut stmts);
        Sequence {
            span: open.to(close),
            stmts,
        }
    }

    /// `:: ... :: ... fi`: the options, with the closing keyword.
    pub(super) fn options(&mut self, open: Span, close: TokenKind) -> Parse<(Vec<Sequence>, Span)> {
        if !self.at(TokenKind::Sep) {
            return Err(self.missing_first_option(open, close));
        }
        self.open.push((close, open));
        let mut options = Vec::new();
        while self.at(TokenKind::Sep) {
            let sep = self.bump();
            let stmts = self.steps();
            let span = match (stmts.first(), stmts.last()) {
                (Some(first), Some(last)) => first.span.to(last.span),
                _ => sep,
            };
            options.push(Sequence { span, stmts });
        }
        let mut rest = Vec::new();
        let end = self.close(&mut rest);
        if let Some(last) = options.last_mut() {
            last.stmts.append(&mut rest);
        }
        Ok((options, end))
    }

    fn missing_first_option(&mut self, open: Span, close: TokenKind) -> Reported {
        let word = if close == TokenKind::Fi { "if" } else { "do" };
        let diagnostic = self.unexpected_token(&format!("`::` after `{word}`"));
        self.eat(close);
        let help = format!(
            "write `{word} :: condition -> ... :: else -> ... {}`",
            close.symbol()
        );
        self.report(
            diagnostic
                .with_help(help)
                .with_related(open, format!("`{word}` is here")),
        )
    }

    /// The statements up to something that ends a sequence; at least one.
    fn steps(&mut self) -> Vec<Stmt> {
        if self.at_sequence_end() {
            self.empty_sequence();
            return Vec::new();
        }
        self.more_steps()
    }

    fn empty_sequence(&mut self) {
        let mut diagnostic = self.unexpected_token("a statement");
        if matches!(
            self.kind(),
            TokenKind::RBrace | TokenKind::Sep | TokenKind::Fi | TokenKind::Od
        ) {
            diagnostic = diagnostic.with_help("a sequence cannot be empty; `skip` does nothing");
        }
        self.report(diagnostic);
    }

    fn more_steps(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        while !self.at_sequence_end() {
            stmts.push(self.step_or_recover());
            let separated = self.eat_separators();
            if !separated && !self.at_sequence_end() {
                self.missing_separator();
            }
        }
        stmts
    }

    /// A step; after an error everything to the next separator becomes an error node. Always consumes
    /// something.
    fn step_or_recover(&mut self) -> Stmt {
        let before = self.cursor.position();
        let start = self.cursor.token().span;
        let step = self.step();
        step.unwrap_or_else(|Reported| {
            if self.cursor.position() == before && !self.at_sequence_end() {
                self.cursor.advance();
            }
            self.recover_statement();
            Stmt {
                kind: StmtKind::Error,
                span: start.to(self.cursor.last_span()),
            }
        })
    }

    /// Consumes all separators here; false if there is none.
    pub(super) fn eat_separators(&mut self) -> bool {
        let mut found = false;
        while matches!(self.kind(), TokenKind::Semi | TokenKind::Arrow) {
            self.bump();
            found = true;
        }
        found
    }

    /// Two statements without a separator between them. If the next token can start a statement,
    /// only the separator is missing; otherwise the rest is skipped.
    fn missing_separator(&mut self) {
        let diagnostic = self.separator_diagnostic();
        self.report(diagnostic);
        if !self.can_start_statement() {
            self.cursor.advance();
            self.recover_statement();
            self.eat_separators();
        }
    }

    fn separator_diagnostic(&self) -> Diagnostic {
        let token = self.cursor.token();
        let diagnostic = self.unexpected_token("`;` or `->` between statements");
        match token.kind {
            TokenKind::LParen => self.explain_call(diagnostic),
            TokenKind::Else => {
                diagnostic.with_help("`else` starts an option of its own: `:: else -> ...`")
            }
            TokenKind::Assign => {
                diagnostic.with_help("only a variable can be assigned to; to compare, write `==`")
            }
            TokenKind::RParen => diagnostic.with_help("there is one `)` too many"),
            TokenKind::Unless => {
                diagnostic.with_help("`unless` does not chain; put the first one in braces")
            }
            TokenKind::Incr | TokenKind::Decr => {
                diagnostic.with_help("`x++` and `x--` are statements, not values")
            }
            TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::Slash
            | TokenKind::Percent => diagnostic
                .with_help("a received value is matched with `eval(...)` when it must be computed"),
            _ => diagnostic,
        }
    }

    /// `f(...)` where `f` cannot be called.
    fn explain_call(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some(name) = self.cursor.last_name() else {
            return diagnostic;
        };
        let message = format!(
            "`{name}` cannot be called: no `inline` or macro of that name is defined before"
        );
        let help = if self.names.all_proctypes.contains(name) {
            format!("to start a process, write `run {name}(...)`")
        } else if self.names.all_inlines.contains(name) {
            format!("`inline {name}` is defined later; move the definition before this use")
        } else if matches!(name, "while" | "switch") {
            format!("there is no `{name}` in Promela; use `do :: ... od` or `if :: ... fi`")
        } else {
            return Diagnostic {
                message,
                ..diagnostic
            };
        };
        Diagnostic {
            message,
            ..diagnostic
        }
        .with_help(help)
    }

    fn can_start_statement(&self) -> bool {
        let kind = self.cursor.token().kind;
        let keyword = kind.is_word() && !matches!(kind, TokenKind::Of | TokenKind::Unless);
        keyword || kind == TokenKind::LBrace || starts_declaration(kind)
    }

    /// Consumes what closes the innermost open construct. A wrong closing token that belongs to a
    /// construct further out is left for it; one that belongs to nothing is reported and skipped, and
    /// statements after it still belong here.
    fn close(&mut self, stmts: &mut Vec<Stmt>) -> Span {
        let Some(&(close, open)) = self.open.last() else {
            return self.cursor.last_span();
        };
        let end = loop {
            let kind = self.cursor.token().kind;
            if kind == close {
                break self.cursor.advance();
            }
            let stray = self.is_stray(kind);
            if !stray || is_mistaken_for(kind, close) {
                self.not_closed(close, open);
                break if stray {
                    self.cursor.advance()
                } else {
                    self.cursor.last_span()
                };
            }
            let message = format!("`{}` without {}", kind.symbol(), opener_of(kind));
            self.error(self.cursor.token().span, message);
            self.cursor.advance();
            self.eat_separators();
            stmts.append(&mut self.more_steps());
        };
        self.open.pop();
        end
    }

    /// True for a closing token that nothing around here waits for.
    fn is_stray(&self, kind: TokenKind) -> bool {
        let waits = |wanted: TokenKind| self.open.iter().any(|(close, _)| *close == wanted);
        match kind {
            TokenKind::Fi | TokenKind::Od => !waits(kind),
            TokenKind::Sep => !waits(TokenKind::Fi) && !waits(TokenKind::Od),
            _ => false,
        }
    }

    fn not_closed(&mut self, close: TokenKind, open: Span) {
        let opened = match close {
            TokenKind::Fi => "`if`",
            TokenKind::Od => "`do`",
            _ => "`{`",
        };
        let expected = format!("`{}` to close {opened}", close.symbol());
        let diagnostic = self.unexpected_token(&expected);
        self.report(diagnostic.with_related(open, format!("{opened} is here")));
    }
}

/// `fi` for `od` and the other way round.
fn is_mistaken_for(found: TokenKind, close: TokenKind) -> bool {
    matches!(
        (found, close),
        (TokenKind::Fi, TokenKind::Od) | (TokenKind::Od, TokenKind::Fi)
    )
}

fn opener_of(close: TokenKind) -> &'static str {
    match close {
        TokenKind::Fi => "`if`",
        TokenKind::Od => "`do`",
        _ => "`if` or `do` around it",
    }
}
