//! The place of a parser among its tokens, and the steps that every parser by recursive descent takes.

use crate::token::{Ident, Kind, Token};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error};
use mandala_model::source::Span;

/// A place among the tokens of a text, and the number of parts that are open there.
#[derive(Clone, Debug)]
pub struct Cursor<K> {
    /// The last one is the end.
    tokens: Vec<Token<K>>,
    position: usize,
    depth: usize,
}

impl<K: Kind> Cursor<K> {
    /// A cursor at the first token. The last one is the end of the text.
    pub fn new(tokens: Vec<Token<K>>) -> Self {
        Cursor {
            tokens,
            position: 0,
            depth: 0,
        }
    }
}

/// A parser by recursive descent. It has a cursor, and its steps.
pub trait Parser<K: Kind>: Sized {
    /// So many parts may be open at a time, which the stack is good for.
    const DEPTH: usize;

    /// The message where more would be open.
    fn too_deep() -> String;

    /// Its cursor.
    fn cursor(&self) -> &Cursor<K>;

    /// Its cursor.
    fn cursor_mut(&mut self) -> &mut Cursor<K>;

    /// The token so many places ahead; the end is never passed.
    fn ahead(&self, ahead: usize) -> &Token<K> {
        let cursor = self.cursor();
        let last = cursor.tokens.len() - 1;
        &cursor.tokens[(cursor.position + ahead).min(last)]
    }

    /// The current token.
    fn token(&self) -> &Token<K> {
        self.ahead(0)
    }

    /// The kind of the current token.
    fn kind(&self) -> K {
        self.token().kind
    }

    /// Whether the current token is of that kind.
    fn at(&self, kind: K) -> bool {
        self.kind() == kind
    }

    /// Consumes the current token, unless it is the end, and returns its place.
    fn bump(&mut self) -> Span {
        let span = self.token().span;
        let cursor = self.cursor_mut();
        cursor.position = (cursor.position + 1).min(cursor.tokens.len() - 1);
        span
    }

    /// Consumes the current token if it is of that kind.
    fn eat(&mut self, kind: K) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// The place from `start` to the last token that was consumed.
    fn since(&self, start: Span) -> Span {
        let cursor = self.cursor();
        match cursor.position.checked_sub(1) {
            Some(last) => start.to(cursor.tokens[last].span),
            None => start,
        }
    }

    /// Consumes a token of that kind; `why` says where it belongs.
    ///
    /// # Errors
    ///
    /// If the current token is of another kind.
    fn expect(&mut self, kind: K, why: &str) -> Fallible<Span> {
        match self.at(kind) {
            true => Ok(self.bump()),
            false => Err(self.unexpected(&format!("`{}` {why}", kind.symbol()))),
        }
    }

    /// The error that something else was expected than the current token.
    fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let token = self.token();
        error(token.span, format!("expected {expected}, found {token}"))
    }

    /// The current token as a name.
    fn ident(&mut self) -> Ident {
        let name = self.token().text.clone();
        let span = self.bump();
        Ident { name, span }
    }

    /// Consumes a name, whose kind that is.
    ///
    /// # Errors
    ///
    /// If the current token is of another kind.
    fn name_of(&mut self, kind: K, what: &str) -> Fallible<Ident> {
        if self.at(kind) {
            return Ok(self.ident());
        }
        let diagnostic = self.unexpected(what);
        match self.kind().is_word() {
            true => Err(Box::new(diagnostic.with_help(WORD))),
            false => Err(diagnostic),
        }
    }

    /// Parses a part that others may be in.
    ///
    /// # Errors
    ///
    /// If [too many](Self::DEPTH) are open, or that of the part.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        if self.cursor().depth == Self::DEPTH {
            return Err(error(self.token().span, Self::too_deep()));
        }
        self.cursor_mut().depth += 1;
        let parsed = parse(self);
        self.cursor_mut().depth -= 1;
        parsed
    }

    /// Goes on behind an error at the next token of which `begins` says that a part may begin there, or at the end.
    fn recover(&mut self, begins: impl Fn(&Self) -> bool) {
        self.cursor_mut().depth = 0;
        while !begins(self) && !self.at(K::END) {
            self.bump();
        }
    }
}

/// The advice where a word of the language stands in the place of a name.
const WORD: &str = "that is a word of the language; choose another name";
