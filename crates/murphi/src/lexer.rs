//! Text to tokens.
//!
//! Words are recognised in any case, as both CMurphi and Rumur do; names keep theirs. `true` and `false`
//! are names in lower case, however they were written. The first thing that is no token ends the
//! stage: nothing behind it can be trusted.

use crate::token::{SIGNS, Token, TokenKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, fail};
use mandala_model::source::{FileId, Span};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The tokens of a text, the last of which is the end.
pub(crate) fn lex(file: FileId, text: &str) -> Fallible<Vec<Token>> {
    lex_part(file, text, 0..text.len())
}

/// The tokens of a part of a text, the last of which is the end.
pub(crate) fn lex_part(file: FileId, text: &str, part: Range<usize>) -> Fallible<Vec<Token>> {
    let mut lexer = Lexer {
        file,
        text: &text[..part.end],
        at: part.start,
        words: HashMap::new(),
    };
    let mut tokens = Vec::with_capacity(part.len() / 4);
    loop {
        let token = lexer.next_token()?;
        let done = token.kind == TokenKind::Eof;
        tokens.push(token);
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    words: HashMap<&'a str, Arc<str>>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn next_token(&mut self) -> Fallible<Token> {
        self.skip_blanks()?;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(self.token(TokenKind::Eof, start, "".into()));
        };
        match first {
            'a'..='z' | 'A'..='Z' => Ok(self.word()),
            '0'..='9' => self.number(),
            '.' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.real(),
            '"' | '“' => self.string(first),
            _ => self.sign(first),
        }
    }

    fn token(&self, kind: TokenKind, start: usize, text: Arc<str>) -> Token {
        Token {
            kind,
            span: self.span(start),
            text,
        }
    }

    fn skip_blanks(&mut self) -> Fallible<()> {
        loop {
            let blank = |c: char| c.is_ascii_whitespace() || c == '\u{b}' || c == '\u{feff}';
            let rest = self.rest().trim_start_matches(blank);
            self.at = self.text.len() - rest.len();
            if rest.starts_with("--") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    fn block_comment(&mut self) -> Fallible<()> {
        let start = self.at;
        let Some(length) = self.text[start + 2..].find("*/") else {
            self.at += 2;
            let error = Diagnostic::error(self.span(start), "this comment is never closed");
            return fail(error.with_help("end it with `*/`"));
        };
        self.at = start + 2 + length + 2;
        Ok(())
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        let word = self.take_while(is_word_character);
        let kind = TokenKind::keyword(word).unwrap_or(TokenKind::Name);
        let text = self
            .words
            .entry(word)
            .or_insert_with(|| spelling(word))
            .clone();
        self.token(kind, start, text)
    }

    /// Decimal or octal digits, or `0x` and hexadecimal ones. A word may follow without a blank: both tools read
    /// `10do` as `10 do`.
    fn number(&mut self) -> Fallible<Token> {
        let start = self.at;
        let hexadecimal = self
            .rest()
            .get(2..3)
            .is_some_and(|c| c.as_bytes()[0].is_ascii_hexdigit());
        if hexadecimal && self.rest()[..2].eq_ignore_ascii_case("0x") {
            self.at += 2;
            self.take_while(|c| c.is_ascii_hexdigit());
        } else {
            self.take_while(|c| c.is_ascii_digit());
        }
        let fraction = self.rest().strip_prefix('.');
        if fraction.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            self.at = start;
            return self.real();
        }
        Ok(self.token(TokenKind::Number, start, self.text[start..self.at].into()))
    }

    fn real(&mut self) -> Fallible<Token> {
        let start = self.at;
        self.take_while(|c| is_word_character(c) || c == '.');
        let error = Diagnostic::error(self.span(start), "real numbers are not supported");
        fail(error.with_help("use a range of whole numbers, for example in thousandths"))
    }

    /// A string ends at a quote of the kind that it began with; one that began with `“` may also end
    /// with `"`. A backslash takes the next character with it.
    fn string(&mut self, open: char) -> Fallible<Token> {
        let start = self.at;
        let inside = start + open.len_utf8();
        let mut escaped = false;
        for (offset, c) in self.text[inside..].char_indices() {
            if !escaped && (c == '"' || c == '”' && open == '“') {
                self.at = inside + offset + c.len_utf8();
                let text = self.text[inside..inside + offset].into();
                return Ok(self.token(TokenKind::Text, start, text));
            }
            escaped = c == '\\' && !escaped;
        }
        self.take_while(|c| c != '\n');
        let error = Diagnostic::error(self.span(start), "this string is never closed");
        fail(error.with_help("end it with `\"`; a quote inside is written `\\\"`"))
    }

    fn sign(&mut self, first: char) -> Fallible<Token> {
        let start = self.at;
        let found = SIGNS.iter().find(|(sign, _)| self.rest().starts_with(sign));
        if let Some((sign, kind)) = found {
            self.at += sign.len();
            return Ok(self.token(*kind, start, "".into()));
        }
        self.at += first.len_utf8();
        let shown = first.escape_debug();
        let error = Diagnostic::error(
            self.span(start),
            format!("`{shown}` is not part of the language"),
        );
        match first {
            '_' => fail(error.with_help("names begin with a letter")),
            '#' => {
                fail(error.with_help("there is no preprocessor; declare constants with `const`"))
            }
            _ => fail(error),
        }
    }
}

fn is_word_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Names keep their case, but `true` and `false` are known in any.
fn spelling(word: &str) -> Arc<str> {
    let lower = word.to_ascii_lowercase();
    if lower == "true" || lower == "false" {
        lower.into()
    } else {
        word.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match lex(FileId(0), text) {
            Ok(tokens) => tokens.iter().map(show).collect::<Vec<_>>().join(" "),
            Err(error) => format!("{}: {}", error.span.start, error.message),
        };
        assert_eq!(shown, expected);
    }

    fn show(token: &Token) -> String {
        match token.kind {
            TokenKind::Eof => "$".to_string(),
            TokenKind::Text => format!("\"{}\"", token.text),
            TokenKind::Name | TokenKind::Number => token.text.to_string(),
            kind => kind.symbol().to_string(),
        }
    }

    #[test]
    fn longest_signs_win() {
        check("a==>b", "a ==> b $");
        check("0..N-1", "0 .. N - 1 $");
        check("a->b<=c<<d", "a -> b <= c << d $");
        check("a == b", "a = b $");
    }

    #[test]
    fn words_are_known_in_any_case_and_names_keep_theirs() {
        check("RULE EndRule X x TRUE", "rule endrule X x true $");
    }

    #[test]
    fn signs_of_rumur_are_those_of_the_keyboard() {
        check(
            "∀ ∃ ≔ ≥ ≤ ≠ → ⇒ ¬ ∧ ∨ ÷ ∕ − ×",
            "forall exists := >= <= != -> ==> ! && || / / - * $",
        );
    }

    #[test]
    fn both_kinds_of_comments_are_dropped() {
        check("a -- b\nc /* d\n** e */ f", "a c f $");
        check("a --", "a $");
        check("a /* b", "2: this comment is never closed");
    }

    #[test]
    fn strings_have_plain_or_smart_quotes() {
        check("\"a\\\"b\" “c” “d\"", "\"a\\\"b\" \"c\" \"d\" $");
        check("\"say “hi” \"", "\"say “hi” \" $");
        check("x \"ab", "2: this string is never closed");
    }

    #[test]
    fn numbers_end_where_their_digits_end() {
        check("0x1F 12", "0x1F 12 $");
        check("10do 0x1fdo 0x", "10 do 0x1fd o 0 x $");
        check("0é", "1: `é` is not part of the language");
    }

    #[test]
    fn what_is_no_token_is_named() {
        check("_x", "0: `_` is not part of the language");
        check("1.5", "0: real numbers are not supported");
        check(".5", "0: real numbers are not supported");
        check("a é", "2: `é` is not part of the language");
    }
}
