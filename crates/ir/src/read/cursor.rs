//! The tokens, one after the other.

use super::Reader;
use crate::lexer::{Key, Token, TokenKind};
use mandala_model::findings::{Fallible, error};
use mandala_model::source::Span;

impl Reader<'_> {
    pub(super) fn token(&self) -> &Token {
        self.ahead(0)
    }

    /// A token further on; behind the end there is only the end.
    pub(super) fn ahead(&self, count: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + count).min(last)]
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn at_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    /// Where the next token stands.
    pub(super) fn here(&self) -> Span {
        self.token().span
    }

    /// From a place to the end of the last token that was read.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.at.saturating_sub(1)].span)
    }

    /// The text of a span of the file itself, with single blanks.
    pub(super) fn snippet(&self, span: Span) -> String {
        let text = &self.text[span.start as usize..span.end as usize];
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Fails, because something else is expected here.
    pub(super) fn expected<T>(&self, what: &str) -> Fallible<T> {
        let token = self.token();
        let found = match &token.kind {
            TokenKind::Word(_) | TokenKind::Quoted(_) => format!("`{}`", self.snippet(token.span)),
            TokenKind::Number(number) => number.to_string(),
            TokenKind::Text(_) => "a string".into(),
            TokenKind::Place { .. } => "a place in the source".into(),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::End => "the end of the file".into(),
        };
        Err(error(token.span, format!("expected {what}, found {found}")))
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        self.is_symbol_ahead(0, symbol)
    }

    pub(super) fn is_symbol_ahead(&self, count: usize, symbol: &str) -> bool {
        matches!(self.ahead(count).kind, TokenKind::Symbol(s) if s == symbol)
    }

    /// Reads a symbol if it is there.
    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Fallible<()> {
        match self.eat(symbol) {
            true => Ok(()),
            false => self.expected(&format!("`{symbol}`")),
        }
    }

    /// The keyword that the next token may be.
    pub(super) fn word(&self) -> Option<&str> {
        self.word_ahead(0)
    }

    pub(super) fn word_ahead(&self, count: usize) -> Option<&str> {
        match &self.ahead(count).kind {
            TokenKind::Word(Key { name, number: None }) => Some(name),
            _ => None,
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    /// Reads a keyword if it is there.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Fallible<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => self.expected(&format!("`{word}`")),
        }
    }

    pub(super) fn is_name(&self) -> bool {
        self.is_name_ahead(0)
    }

    pub(super) fn is_name_ahead(&self, count: usize) -> bool {
        matches!(
            self.ahead(count).kind,
            TokenKind::Word(_) | TokenKind::Quoted(_)
        )
    }

    /// A name, whatever it is of.
    pub(super) fn name(&mut self, what: &str) -> Fallible<Key> {
        match &self.token().kind {
            TokenKind::Word(key) | TokenKind::Quoted(key) => {
                let key = key.clone();
                self.advance();
                Ok(key)
            }
            _ => self.expected(what),
        }
    }

    pub(super) fn string(&mut self) -> Fallible<String> {
        match &self.token().kind {
            TokenKind::Text(text) => {
                let text = text.clone();
                self.advance();
                Ok(text)
            }
            _ => self.expected("a string"),
        }
    }

    /// A number from 0 to what fits.
    pub(super) fn natural<T: TryFrom<u64>>(&mut self) -> Fallible<T> {
        let TokenKind::Number(number) = self.token().kind else {
            return self.expected("a number");
        };
        let Ok(number) = T::try_from(number) else {
            let bits = 8 * size_of::<T>();
            return Err(error(
                self.here(),
                format!("expected a number of at most {bits} bits"),
            ));
        };
        self.advance();
        Ok(number)
    }

    /// A number that may be negative.
    pub(super) fn integer(&mut self) -> Fallible<i64> {
        let start = self.here();
        let negative = self.eat("-");
        let number: u64 = self.natural()?;
        let number = if negative {
            -i128::from(number)
        } else {
            i128::from(number)
        };
        let wrong = |_| {
            error(
                self.since(start),
                "expected a number of 64 bits with a sign",
            )
        };
        i64::try_from(number).map_err(wrong)
    }

    /// The number in a name such as `s3`.
    pub(super) fn numbered(&mut self, prefix: &str, what: &str) -> Fallible<u32> {
        let number = self.word().and_then(|word| number_of(word, prefix));
        match number {
            Some(number) => {
                self.advance();
                Ok(number)
            }
            None => self.expected(&format!("{what}, such as `{prefix}0`")),
        }
    }

    /// A place in the files of the source, if one is given here.
    pub(super) fn place_in_source(&mut self) -> Fallible<Option<Span>> {
        let TokenKind::Place { file, start, end } = self.token().kind else {
            return Ok(None);
        };
        let Some(known) = self.known else {
            self.advance();
            return Ok(Some(self.here()));
        };
        let Some((id, text)) = known.files.get(&file) else {
            let message =
                format!("there is no line `file {file} ..` above that this place could be in");
            return Err(error(self.here(), message));
        };
        let (first, last) = (start as usize, end as usize);
        if text.get(first..last).is_none() || end > u64::from(u32::MAX) {
            return Err(error(
                self.here(),
                "this place is not inside the text of its file",
            ));
        }
        self.advance();
        Ok(Some(Span::new(*id, first, last)))
    }

    /// A place in the files of the source, or else in this file.
    pub(super) fn span_or(&mut self, own: Span) -> Fallible<Span> {
        Ok(self.place_in_source()?.unwrap_or(own))
    }

    /// Reads a part one level deeper, unless that is too deep.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        if self.depth == NESTING {
            let message = format!("this is nested more than {NESTING} deep");
            return Err(error(self.here(), message));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Things between commas, at least one.
    pub(super) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Fallible<T>,
    ) -> Fallible<Vec<T>> {
        let mut items = vec![read(self)?];
        while self.eat(",") {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// Things between commas, or nothing, up to a symbol that is read too.
    pub(super) fn list_until<T>(
        &mut self,
        end: &str,
        read: impl FnMut(&mut Self) -> Fallible<T>,
    ) -> Fallible<Vec<T>> {
        if self.eat(end) {
            return Ok(Vec::new());
        }
        let items = self.list(read)?;
        self.expect(end)?;
        Ok(items)
    }
}

/// How deep expressions, formulas and types may be nested. One level costs a few stack frames of the reader.
const NESTING: u32 = 400;

/// The number in a name such as `s3`, without leading zeros.
pub(super) fn number_of(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    let number: u32 = digits.parse().ok()?;
    (number.to_string() == digits).then_some(number)
}
