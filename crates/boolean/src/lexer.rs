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
        self.skip_blanks()?;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(self.token(TokenKind::Eof, start));
        };
        match first {
            'a'..='z' | 'A'..='Z' | '_' | '$' => Ok(self.word()),
            '0'..='9' => Ok(self.number()),
            _ => self.sign(first),
        }
    }

    fn skip_blanks(&mut self) -> Fallible<()> {
        loop {
            let blank = |c: char| c.is_ascii_whitespace() || c == '\u{feff}';
            let rest = self.rest().trim_start_matches(blank);
            self.at = self.text.len() - rest.len();
            if rest.starts_with("//") {
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
            let message = "this comment is never closed";
            return Err(error_help(self.span(start), message, "end it with `*/`"));
        };
        self.at = start + 2 + length + 2;
        Ok(())
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        self.token(TokenKind::of_word(&self.text[start..self.at]), start)
    }

    fn number(&mut self) -> Token {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit());
        self.token(TokenKind::Number, start)
    }

    fn sign(&mut self, first: char) -> Fallible<Token> {
        let start = self.at;
        if let Some((kind, length)) = TokenKind::of_sign(self.rest()) {
            self.at += length;
            return Ok(self.token(kind, start));
        }
        self.at += first.len_utf8();
        let message = format!("`{}` is not part of the language", first.escape_debug());
        Err(error(self.span(start), message))
    }
}
