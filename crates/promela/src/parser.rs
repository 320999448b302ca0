//! Tokens to the syntax tree: recursive descent, with precedence climbing for expressions.
//!
//! A parse function returns `Err(Reported)` after it has reported what is wrong; the nearest
//! sequence or list of units then skips to where parsing can go on. The tree gets an error node for
//! what was skipped.
//!
//! Names need some memory while parsing, as in Spin: a name that was defined by `typedef` starts a
//! declaration, one that was defined by `inline` starts a call, and `P:x` is a remote reference if
//! `P` is a proctype, a label otherwise.

mod bad_tokens;
mod channel;
mod ctl;
mod cursor;
mod decl;
mod embedded_c;
mod expr;
mod inline;
mod names;
mod operators;
mod recover;
mod sequence;
mod stated;
mod stmt;
mod symmetry;
mod unit;

use crate::ast::{Ident, Program};
use crate::diagnostics::Diagnostics;
use crate::limits;
use crate::preprocess::Preprocessed;
use crate::token::{Token, TokenKind};
use cursor::Cursor;
use inline::ActiveCall;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;
use names::Names;

/// Parses a whole model with its declarations of symmetry and the properties beside it.
pub(crate) fn parse_program(text: Preprocessed, diagnostics: &mut Diagnostics) -> Program {
    let tokens = bad_tokens::drop_bad_tokens(text.tokens, diagnostics);
    let mut parser = Parser::new(tokens, diagnostics);
    let units = parser.units();
    let names = parser.names;
    let (mut stated, mut symmetry) = (Vec::new(), Vec::new());
    for tokens in text.declarations {
        if stated::is_property(&tokens) {
            stated.extend(stated::declared(tokens, &names, diagnostics));
            continue;
        }
        let tokens = bad_tokens::drop_bad_tokens(tokens, diagnostics);
        symmetry.extend(Parser::new(tokens, diagnostics).symmetry_declarations());
    }
    let beside = text.stated.into_iter();
    stated.extend(beside.filter_map(|stated| stated::parse(stated, &names, diagnostics)));
    Program {
        units,
        symmetry,
        stated,
    }
}

/// What is wrong has been reported.
#[derive(Debug)]
struct Reported;

type Parse<T> = Result<T, Reported>;

struct Parser<'a> {
    cursor: Cursor,
    diagnostics: &'a mut Diagnostics,
    names: Names,
    /// Nested statements, expressions and inline calls around the current token.
    depth: u32,
    /// Inside `ltl { ... }`, where `->` is an implication and `U` is an operator.
    in_ltl: bool,
    /// Inside a formula of computation tree logic, where `AG` and the like are operators as well.
    in_ctl: bool,
    /// The inline calls around the current token, innermost last.
    calls: Vec<ActiveCall>,
    /// What is open around the current token: the token that closes it, and where it was opened.
    open: Vec<(TokenKind, Span)>,
    inlined_tokens: usize,
}

impl<'a> Parser<'a> {
    fn new(tokens: Vec<Token>, diagnostics: &'a mut Diagnostics) -> Self {
        Parser {
            names: Names::scan(&tokens),
            cursor: Cursor::new(tokens),
            diagnostics,
            depth: 0,
            in_ltl: false,
            in_ctl: false,
            calls: Vec::new(),
            open: Vec::new(),
            inlined_tokens: 0,
        }
    }

    /// The kind of the current token; a separator where one is implied.
    fn kind(&self) -> TokenKind {
        if self.cursor.is_separator_implied(&self.names) {
            return TokenKind::Semi;
        }
        self.cursor.token().kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// True if the current token is the name `text`.
    fn at_word(&self, text: &str) -> bool {
        self.at(TokenKind::Name) && self.cursor.token().text() == text
    }

    /// Consumes the current token (or the implied separator) and says where it was.
    fn bump(&mut self) -> Span {
        if self.cursor.is_separator_implied(&self.names) {
            return self.cursor.take_implied_separator();
        }
        self.cursor.advance()
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, why: &str) -> Parse<Span> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        Err(self.unexpected(&format!("`{}` {why}", kind.symbol())))
    }

    /// A name that is not a keyword.
    fn name(&mut self, what: &str) -> Parse<Ident> {
        if self.at(TokenKind::Name) {
            return Ok(self.take_word());
        }
        let mut diagnostic = self.unexpected_token(what);
        if self.cursor.token().is_word() && self.kind() != TokenKind::Semi {
            let word = self.cursor.token().text();
            diagnostic =
                diagnostic.with_help(format!("`{word}` is a keyword; choose another name"));
        }
        Err(self.report(diagnostic))
    }

    /// The current token, a word, as a name.
    fn take_word(&mut self) -> Ident {
        let name = self
            .cursor
            .token()
            .text
            .clone()
            .unwrap_or_else(|| "".into());
        Ident {
            name,
            span: self.bump(),
        }
    }

    /// Runs a part of the parser one level deeper, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= limits::NESTING {
            let message = format!("this is nested more than {} deep", limits::NESTING);
            self.diagnostics.give_up(self.cursor.token().span, message);
            self.cursor.go_to_end();
            return Err(Reported);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        let token = self.cursor.token();
        if token.after_bad && token.span == diagnostic.span {
            return Reported;
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.gave_up() {
            self.cursor.go_to_end();
        }
        Reported
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    /// Reports that something else should stand here.
    fn unexpected(&mut self, expected: &str) -> Reported {
        let diagnostic = self.unexpected_token(expected);
        self.report(diagnostic)
    }

    fn unexpected_token(&self, expected: &str) -> Diagnostic {
        if self.cursor.is_separator_implied(&self.names) {
            let message = format!("expected {expected}, found the end of the line");
            return Diagnostic::error(self.cursor.end_of_last(), message);
        }
        let token = self.cursor.token();
        let diagnostic =
            Diagnostic::error(token.span, format!("expected {expected}, found {token}"));
        match self.habit() {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }

    /// What other languages write where a token stands that does not belong there, and what Promela writes.
    fn habit(&self) -> Option<&'static str> {
        let token = self.cursor.token();
        let after_colon = || {
            self.cursor.last_kind() == TokenKind::Colon
                && self.cursor.last_span().end == token.span.start
        };
        match token.kind {
            TokenKind::Assign if after_colon() => Some("an assignment is written `x = 1`"),
            TokenKind::Query => {
                Some("a choice between values is written `(condition -> one : other)`")
            }
            _ => None,
        }
    }
}
