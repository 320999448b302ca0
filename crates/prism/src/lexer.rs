//! Text to tokens. The first thing that is no token ends the stage: nothing behind it can be trusted.

use crate::token::{Token, TokenKind};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::{FileId, Span};

/// The tokens of a text, the last of which is the end.
pub(crate) fn lex(file: FileId, text: &str) -> Fallible<Vec<Token>> {
    let mut lexer = Lexer { file, text, at: 0 };
    let mut tokens = Vec::with_capacity(text.len() / 4);
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
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token {
            kind,
            span: self.span(start),
            text: self.text[start..self.at].into(),
        }
    }

    fn next_token(&mut self) -> Fallible<Token> {
        self.skip_blanks();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(self.token(TokenKind::Eof, start));
        };
        match first {
            'a'..='z' | 'A'..='Z' | '_' => {
                self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
                Ok(self.token(TokenKind::Word, start))
            }
            '0'..='9' => Ok(self.number(start)),
            '.' if self.is_digit(1) => Ok(self.number(start)),
            '"' => self.string(start),
            _ => self.sign(first),
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            let blank = |c: char| c.is_ascii_whitespace() || c == '\u{feff}';
            let rest = self.rest().trim_start_matches(blank);
            self.at = self.text.len() - rest.len();
            if !rest.starts_with("//") {
                return;
            }
            self.skip_while(|c| c != '\n');
        }
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn is_digit(&self, ahead: usize) -> bool {
        self.byte(ahead).is_some_and(|b| b.is_ascii_digit())
    }

    /// A number; `0..2` is two of them.
    fn number(&mut self, start: usize) -> Token {
        self.skip_while(|c| c.is_ascii_digit());
        let mut kind = TokenKind::Integer;
        if self.byte(0) == Some(b'.') && self.byte(1) != Some(b'.') {
            kind = TokenKind::Real;
            self.at += 1;
            self.skip_while(|c| c.is_ascii_digit());
        }
        let is_e = matches!(self.byte(0), Some(b'e' | b'E'));
        let signed = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
        if is_e && self.is_digit(1 + signed) {
            kind = TokenKind::Real;
            self.at += 1 + signed;
            self.skip_while(|c| c.is_ascii_digit());
        }
        self.token(kind, start)
    }

    fn string(&mut self, start: usize) -> Fallible<Token> {
        self.at += 1;
        self.skip_while(|c| c != '"' && c != '\n');
        if self.byte(0) != Some(b'"') {
            let message = "this name in quotes is never closed";
            return Err(error_help(self.span(start), message, "end it with `\"`"));
        }
        self.at += 1;
        let mut token = self.token(TokenKind::Text, start);
        token.text = self.text[start + 1..self.at - 1].into();
        Ok(token)
    }

    fn sign(&mut self, first: char) -> Fallible<Token> {
        let start = self.at;
        if let Some(sign) = TokenKind::of_sign(self.rest()) {
            self.at += sign.len();
            return Ok(self.token(TokenKind::Sign(sign), start));
        }
        self.at += first.len_utf8();
        let message = format!("`{}` is not part of the language", first.escape_debug());
        Err(error(self.span(start), message))
    }
}
