//! Text to tokens, and a reader that looks at them one by one.

use std::ops::Range;

use crate::hoa::error::{HoaError, Reading};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word: a keyword of the acceptance condition, `t`, `f`, or anything in a header.
    Word(String),
    /// A word with a colon behind it.
    Header(String),
    /// A number.
    Number(usize),
    /// What stands between quotes.
    Text(String),
    /// The name of an alias, without the `@`.
    Alias(String),
    /// `--BODY--` and the like, without the dashes.
    Mark(String),
    /// One of `! & | ( ) [ ] { }`.
    Sign(char),
    /// The end of the file.
    End,
}

impl Token {
    /// The token in an error message.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Header(word) => format!("`{word}:`"),
            Token::Number(number) => format!("the number {number}"),
            Token::Text(_) => "a string".into(),
            Token::Alias(name) => format!("`@{name}`"),
            Token::Mark(word) => format!("`--{word}--`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".into(),
        }
    }
}

/// The tokens of a file, and how many were read.
pub(super) struct Reader {
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
}

impl Reader {
    pub(super) fn new(text: &str) -> Reading<Self> {
        let mut lexer = Lexer { text, at: 0 };
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next()?;
            let is_end = token.0 == Token::End;
            tokens.push(token);
            if is_end {
                return Ok(Reader { tokens, at: 0 });
            }
        }
    }

    /// The number behind the first header of that name, wherever it stands.
    pub(super) fn number_in_header(&self, name: &str) -> Option<usize> {
        let mut pairs = self.tokens.windows(2);
        pairs.find_map(|pair| match pair {
            [(Token::Header(found), _), (Token::Number(number), _)] if found == name => {
                Some(*number)
            }
            _ => None,
        })
    }

    /// The next token.
    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at].0
    }

    /// Where the next token stands.
    pub(super) fn place(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    /// Goes on; the end is never passed.
    pub(super) fn skip(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Goes on if the next token is that sign.
    pub(super) fn eat(&mut self, sign: char) -> bool {
        let found = *self.token() == Token::Sign(sign);
        if found {
            self.skip();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: char, why: &str) -> Reading<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}` {why}"))),
        }
    }

    pub(super) fn number(&mut self, what: &str) -> Reading<usize> {
        let Token::Number(number) = *self.token() else {
            return Err(self.unexpected(what));
        };
        self.skip();
        Ok(number)
    }

    /// An error about the next token.
    pub(super) fn error(&self, message: impl Into<String>) -> HoaError {
        HoaError {
            message: message.into(),
            place: self.place(),
        }
    }

    pub(super) fn unexpected(&self, expected: &str) -> HoaError {
        let found = self.token().shown();
        self.error(format!("expected {expected}, found {found}"))
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn next(&mut self) -> Reading<(Token, Range<usize>)> {
        self.skip_space()?;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok((Token::End, start..start));
        };
        let token = match first {
            '"' => return self.quoted(),
            '@' => {
                self.at += 1;
                Token::Alias(self.word().to_string())
            }
            '-' => self.mark()?,
            '0'..='9' => self.number()?,
            _ if is_word(first) => self.word_or_header(),
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                self.at += 1;
                Token::Sign(first)
            }
            _ => {
                let message = format!("`{}` has no meaning here", first.escape_default());
                return Err(self.error(start..start + first.len_utf8(), message));
            }
        };
        Ok((token, start..self.at))
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, place: Range<usize>, message: impl Into<String>) -> HoaError {
        HoaError {
            message: message.into(),
            place,
        }
    }

    /// White space, and comments, which may stand in each other.
    fn skip_space(&mut self) -> Reading<()> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            self.skip_comment()?;
        }
    }

    fn skip_comment(&mut self) -> Reading<()> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            let Some(next) = rest.find(['*', '/']) else {
                return Err(self.error(start..start + 2, "this comment has no end"));
            };
            let step = match rest.get(next..next + 2) {
                Some("/*") => {
                    depth += 1;
                    2
                }
                Some("*/") => {
                    depth -= 1;
                    2
                }
                _ => 1,
            };
            self.at += next + step;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn quoted(&mut self) -> Reading<(Token, Range<usize>)> {
        let start = self.at + 1;
        let mut text = String::new();
        let mut letters = self.text[start..].char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at = start + at + 1;
                    return Ok((Token::Text(text), start..start + at));
                }
                '\\' => text.extend(letters.next().map(|(_, letter)| letter)),
                letter => text.push(letter),
            }
        }
        Err(self.error(start - 1..start, "this string has no end"))
    }

    fn mark(&mut self) -> Reading<Token> {
        let start = self.at;
        let marks = ["--BODY--", "--END--", "--ABORT--"];
        let Some(mark) = marks.iter().find(|mark| self.rest().starts_with(**mark)) else {
            return Err(self.error(start..start + 1, "`-` has no meaning here"));
        };
        self.at += mark.len();
        Ok(Token::Mark(mark.trim_matches('-').to_string()))
    }

    fn number(&mut self) -> Reading<Token> {
        let start = self.at;
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits;
        match self.text[start..self.at].parse() {
            Ok(number) => Ok(Token::Number(number)),
            Err(_) => Err(self.error(start..self.at, "this number is too large")),
        }
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn word_or_header(&mut self) -> Token {
        let word = self.word().to_string();
        match self.rest().starts_with(':') {
            true => {
                self.at += 1;
                Token::Header(word)
            }
            false => Token::Word(word),
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}
