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
            'a'..='z' | 'A'..='Z' | '_' => {
                self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
                Ok(self.token(TokenKind::of_word(&self.text[start..self.at]), start))
            }
            '0'..='9' => {
                self.skip_while(|c| c.is_ascii_digit());
                Ok(self.token(TokenKind::Number, start))
            }
            _ => self.sign(first),
        }
    }

    fn skip_blanks(&mut self) -> Fallible<()> {
        loop {
            let blank = |c: char| c.is_ascii_whitespace() || c == '\u{feff}';
            let rest = self.rest().trim_start_matches(blank);
            self.at = self.text.len() - rest.len();
            if !rest.starts_with("(*") {
                return Ok(());
            }
            self.comment()?;
        }
    }

    /// A comment, with those inside.
    fn comment(&mut self) -> Fallible<()> {
        let start = self.at;
        self.at += 2;
        let mut open = 1;
        while open > 0 {
            let rest = self.rest();
            let (change, length) = match rest.get(..2) {
                Some("(*") => (1, 2),
                Some("*)") => (-1, 2),
                _ => (0, rest.chars().next().map_or(0, char::len_utf8)),
            };
            if length == 0 {
                let span = Span::new(self.file, start, start + 2);
                let message = "this comment is never closed";
                return Err(error_help(span, message, "end it with `*)`"));
            }
            open += change;
            self.at += length;
        }
        Ok(())
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
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
