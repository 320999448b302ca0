//! Text to tokens. The first character that belongs to no token ends the stage: nothing behind it can be trusted.

use crate::token::{Kind, Token};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::{FileId, Span};
use std::ops::Range;

/// The form of the comments of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// `// to the end of the line` and `/* to the first end */`.
    Slashes,
    /// `(* with (* others *) inside *)`.
    Nested,
}

/// The tokens of a text, the last of which is the end.
///
/// # Errors
///
/// The first character that belongs to no token, or a comment that is never closed.
pub fn lex<K: Kind>(file: FileId, text: &str) -> Fallible<Vec<Token<K>>> {
    lex_part(file, text, 0..text.len())
}

/// The tokens of a part of a text, the last of which is the end.
///
/// # Errors
///
/// As for [`lex`].
pub fn lex_part<K: Kind>(file: FileId, text: &str, part: Range<usize>) -> Fallible<Vec<Token<K>>> {
    let mut lexer = Lexer {
        file,
        text: &text[..part.end],
        at: part.start,
    };
    let mut tokens = Vec::with_capacity(part.len() / 4);
    loop {
        let token = lexer.next_token()?;
        let done = token.kind == K::END;
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

    fn token<K>(&self, kind: K, start: usize) -> Token<K> {
        Token {
            kind,
            span: self.span(start),
            text: self.text[start..self.at].into(),
        }
    }

    fn next_token<K: Kind>(&mut self) -> Fallible<Token<K>> {
        self.skip_blanks(K::COMMENTS)?;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(self.token(K::END, start));
        };
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || K::LETTERS.contains(c);
        if is_letter(first) {
            self.skip_while(|c| is_letter(c) || c.is_ascii_digit());
            return Ok(self.token(K::of_word(&self.text[start..self.at]), start));
        }
        if first.is_ascii_digit() {
            self.skip_while(|c| c.is_ascii_digit());
            return Ok(self.token(K::NUMBER, start));
        }
        self.sign(first)
    }

    fn sign<K: Kind>(&mut self, first: char) -> Fallible<Token<K>> {
        let start = self.at;
        if let Some((kind, length)) = K::of_sign(self.rest()) {
            self.at += length;
            return Ok(self.token(kind, start));
        }
        self.at += first.len_utf8();
        let message = format!("`{}` is not part of the language", first.escape_debug());
        Err(match K::help(first) {
            Some(help) => error_help(self.span(start), message, help),
            None => error(self.span(start), message),
        })
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    fn skip_blanks(&mut self, comments: Comments) -> Fallible<()> {
        loop {
            self.skip_while(|c| c.is_ascii_whitespace() || c == '\u{feff}');
            let rest = self.rest();
            match comments {
                Comments::Slashes if rest.starts_with("//") => self.skip_while(|c| c != '\n'),
                Comments::Slashes if rest.starts_with("/*") => self.block_comment()?,
                Comments::Nested if rest.starts_with("(*") => self.nested_comment()?,
                Comments::Slashes | Comments::Nested => return Ok(()),
            }
        }
    }

    /// The error about a comment that begins at a place and is never closed.
    fn never_closed<T>(&self, start: usize, help: &str) -> Fallible<T> {
        let span = Span::new(self.file, start, start + 2);
        Err(error_help(span, "this comment is never closed", help))
    }

    fn block_comment(&mut self) -> Fallible<()> {
        let start = self.at;
        match self.text[start + 2..].find("*/") {
            Some(length) => self.at = start + 2 + length + 2,
            None => return self.never_closed(start, "end it with `*/`"),
        }
        Ok(())
    }

    fn nested_comment(&mut self) -> Fallible<()> {
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
                return self.never_closed(start, "end it with `*)`");
            }
            open += change;
            self.at += length;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Plain {
        Name,
        Number,
        End,
        If,
        Arrow,
        Minus,
    }

    impl Kind for Plain {
        const NUMBER: Self = Plain::Number;
        const END: Self = Plain::End;
        const WORDS: &'static [(&'static str, Self)] = &[("if", Plain::If)];
        const SIGNS: &'static [(&'static str, Self)] = &[("->", Plain::Arrow), ("-", Plain::Minus)];
        const COMMENTS: Comments = Comments::Slashes;

        fn of_name(_name: &str) -> Self {
            Plain::Name
        }

        fn help(found: char) -> Option<&'static str> {
            (found == '#').then_some("there are no macros")
        }
    }

    /// The same with comments that nest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Nesting(Plain);

    impl Kind for Nesting {
        const NUMBER: Self = Nesting(Plain::Number);
        const END: Self = Nesting(Plain::End);
        const WORDS: &'static [(&'static str, Self)] = &[];
        const SIGNS: &'static [(&'static str, Self)] = &[];
        const COMMENTS: Comments = Comments::Nested;
        const LETTERS: &'static str = "$";

        fn of_name(_name: &str) -> Self {
            Nesting(Plain::Name)
        }
    }

    fn check<K: Kind>(text: &str, expected: &str) {
        let shown = match lex::<K>(FileId(0), text) {
            Ok(tokens) => {
                let tokens = tokens.iter().map(ToString::to_string);
                tokens.collect::<Vec<_>>().join(" ").replace('`', "")
            }
            Err(error) => format!("{}: {}", error.span.start, error.message),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn words_names_numbers_and_the_longest_signs() {
        check::<Plain>("if a->b- 12", "if a -> b - 12 the end of the text");
        let tokens = lex::<Plain>(FileId(0), "if iff ->-").expect("all are tokens");
        let kinds: Vec<Plain> = tokens.iter().map(|token| token.kind).collect();
        let expected = [
            Plain::If,
            Plain::Name,
            Plain::Arrow,
            Plain::Minus,
            Plain::End,
        ];
        assert_eq!(kinds, expected);
        check::<Nesting>("a$1", "a$1 the end of the text");
    }

    #[test]
    fn comments_are_left_out() {
        check::<Plain>("a // b\n/* c\n * */ d", "a d the end of the text");
        check::<Plain>("a /* b", "2: this comment is never closed");
        check::<Nesting>("a (* b (* c *) (* *) é *) d", "a d the end of the text");
        check::<Nesting>("a (* b (* c *)", "2: this comment is never closed");
    }

    #[test]
    fn other_characters_are_errors() {
        check::<Plain>("a é", "2: `é` is not part of the language");
        let error = lex::<Plain>(FileId(0), "#").expect_err("that is no token");
        assert_eq!(error.help.as_deref(), Some("there are no macros"));
    }

    #[test]
    fn a_part_keeps_its_places() {
        let tokens = lex_part::<Plain>(FileId(0), "a bc d", 2..4).expect("a name");
        let places: Vec<_> = tokens.iter().map(|t| (t.span.start, t.span.end)).collect();
        assert_eq!(places, [(2, 4), (4, 4)]);
    }
}
