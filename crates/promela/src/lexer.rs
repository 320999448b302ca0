//! Text to tokens.
//!
//! The lexer knows nothing of directives, macros or the grammar. It drops white space and comments,
//! remembers where lines end (a line end may imply a statement separator, and directives are
//! lines), and turns what it cannot read into [`TokenKind::Bad`] tokens that carry the message:
//! whether such a token is an error depends on where it stands. An apostrophe in a part that `#if`
//! leaves out, or in a macro that is never used, hurts nobody.
//!
//! Comments are dropped, except those that declare something: `//@ scalarset ...` and the like become
//! [`Annotation`]s. They stand beside the tokens, not among them, because they may stand anywhere, even
//! inside of a statement, and must change nothing there.

mod annotation;

pub(crate) use annotation::{Annotation, AnnotationKind, PROPERTY, SYMMETRY};

use crate::token::{Token, TokenKind};
use mandala_model::source::{FileId, Span};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A text in tokens.
pub(crate) struct Lexed {
    /// The tokens, without an end marker.
    pub(crate) tokens: Vec<Token>,
    /// The comments that declare something, in order.
    pub(crate) annotations: Vec<Annotation>,
}

/// The tokens of a text.
pub(crate) fn lex(file: FileId, text: &str) -> Lexed {
    Lexer::new(file, text).run()
}

/// The tokens of a part of a text.
pub(crate) fn lex_part(file: FileId, text: &str, part: Range<usize>) -> Vec<Token> {
    let mut lexer = Lexer::new(file, &text[..part.end]);
    lexer.at = part.start;
    lexer.run().tokens
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    newline_before: bool,
    line_start: bool,
    words: HashMap<&'a str, Arc<str>>,
    /// How many tokens were made.
    made: usize,
    annotations: Vec<Annotation>,
    /// The text is the inside of an annotation.
    in_annotation: bool,
}

impl<'a> Lexer<'a> {
    fn new(file: FileId, text: &'a str) -> Self {
        Lexer {
            file,
            text,
            at: 0,
            newline_before: true,
            line_start: true,
            words: HashMap::new(),
            made: 0,
            annotations: Vec::new(),
            in_annotation: false,
        }
    }

    fn run(mut self) -> Lexed {
        let mut tokens = Vec::with_capacity((self.text.len() - self.at) / 4);
        while let Some(token) = self.next_token() {
            tokens.push(token);
        }
        Lexed {
            tokens,
            annotations: self.annotations,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn next_token(&mut self) -> Option<Token> {
        if let Some(unclosed) = self.skip_blanks() {
            return Some(unclosed);
        }
        let start = self.at;
        let first = *self.text.as_bytes().get(start)?;
        let (kind, text) = match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'0'..=b'9' => self.number(),
            b'"' => self.string('"'),
            b'$' => self.string('$'),
            b'\'' => self.character(),
            _ => self.punctuation(),
        };
        Some(self.token(kind, text, start))
    }

    fn token(&mut self, kind: TokenKind, text: Option<Arc<str>>, start: usize) -> Token {
        let token = Token {
            kind,
            span: Span::new(self.file, start, self.at),
            text,
            newline_before: self.newline_before,
            line_start: self.line_start,
            no_expand: false,
            after_bad: false,
            parameter: None,
            begins: None,
            ends: None,
        };
        self.newline_before = false;
        self.line_start = false;
        self.made += 1;
        token
    }

    /// Skips white space and comments; an unclosed comment is a bad token.
    fn skip_blanks(&mut self) -> Option<Token> {
        loop {
            match self.peek(0) {
                b'\n' => self.line_end(),
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.splice_len(0) > 0 => {
                    self.at += self.splice_len(0);
                    self.newline_before = true;
                }
                b'/' if self.peek(1) == b'/' => self.line_comment(),
                b'/' if self.peek(1) == b'*' => {
                    if let Some(unclosed) = self.block_comment() {
                        return Some(unclosed);
                    }
                }
                0xef if self.rest().starts_with('\u{feff}') => self.at += 3,
                _ => return None,
            }
        }
    }

    fn line_end(&mut self) {
        self.at += 1;
        self.newline_before = true;
        self.line_start = true;
    }

    /// The length of a backslash and the line end after it, or 0 if that is not what stands here.
    fn splice_len(&self, ahead: usize) -> usize {
        match (self.peek(ahead), self.peek(ahead + 1), self.peek(ahead + 2)) {
            (b'\\', b'\n', _) => 2,
            (b'\\', b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            self.at += self.splice_len(0).max(1);
        }
        self.annotate(start + 2, self.at);
    }

    fn block_comment(&mut self) -> Option<Token> {
        let start = self.at;
        if let Some(length) = self.text[start + 2..].find("*/") {
            self.at = start + 2 + length + 2;
            self.newline_before |= self.text[start..self.at].contains('\n');
            self.annotate(start + 2, self.at - 2);
            return None;
        }
        self.at = start + 2;
        let token = self.bad(start, "this comment is never closed");
        self.at = self.text.len();
        Some(token)
    }

    fn bad(&mut self, start: usize, message: &str) -> Token {
        self.token(TokenKind::Bad, Some(message.into()), start)
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.at < self.text.len() && keep(self.peek(0)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn word(&mut self) -> (TokenKind, Option<Arc<str>>) {
        let word = self.take_while(is_word_byte);
        let kind = TokenKind::keyword(word).unwrap_or(TokenKind::Name);
        let text = self.words.entry(word).or_insert_with(|| word.into());
        (kind, Some(text.clone()))
    }

    /// Letters that stick to a number are kept: whoever uses it says what is wrong with it.
    fn number(&mut self) -> (TokenKind, Option<Arc<str>>) {
        let number = self.take_while(is_word_byte);
        (TokenKind::Number, Some(number.into()))
    }

    fn string(&mut self, quote: char) -> (TokenKind, Option<Arc<str>>) {
        self.at += 1;
        let mut escaped = false;
        for (offset, c) in self.rest().char_indices() {
            match c {
                '\n' if !escaped => break,
                _ if c == quote && !escaped => {
                    let inside = &self.rest()[..offset];
                    self.at += offset + 1;
                    return (TokenKind::Str, Some(inside.into()));
                }
                _ => escaped = c == '\\' && !escaped,
            }
        }
        self.take_while(|b| b != b'\n');
        (
            TokenKind::Bad,
            Some("this string is not closed before the end of the line".into()),
        )
    }

    /// The inside of the quotes is kept as written: one character, or a backslash and one.
    fn character(&mut self) -> (TokenKind, Option<Arc<str>>) {
        let inside = &self.rest()[1..];
        let length = match inside.as_bytes() {
            [b'\\', b'\n' | b'\r', ..] | [b'\n' | b'\'', ..] => 0,
            [b'\\', c, b'\'', ..] if c.is_ascii() => 2,
            [c, b'\'', ..] if c.is_ascii() => 1,
            _ => 0,
        };
        if length == 0 {
            self.at += 1 + bad_character_len(inside);
            let message = "a character constant is one ASCII character between single quotes";
            return (TokenKind::Bad, Some(message.into()));
        }
        self.at += length + 2;
        (TokenKind::Char, Some(inside[..length].into()))
    }

    fn punctuation(&mut self) -> (TokenKind, Option<Arc<str>>) {
        if self.closes_no_comment() {
            self.at += 2;
            return (TokenKind::CommentEnd, None);
        }
        if let Some(kind) = two_byte_token(self.peek(0), self.peek(1)) {
            self.at += 2;
            return (kind, None);
        }
        if let Some(kind) = one_byte_token(self.peek(0)) {
            self.at += 1;
            return (kind, None);
        }
        self.unknown_characters()
    }

    /// Whether `*/` stands here, outside of comments; not `*` with a comment behind it.
    fn closes_no_comment(&self) -> bool {
        let next = (self.peek(0), self.peek(1), self.peek(2));
        matches!(next, (b'*', b'/', after) if after != b'*' && after != b'/')
    }

    /// A run of characters that no token starts with is one mistake, not many.
    fn unknown_characters(&mut self) -> (TokenKind, Option<Arc<str>>) {
        let start = self.at;
        let unknown = |c: char| !c.is_ascii() || is_unknown_ascii(c as u8);
        let length = self
            .rest()
            .find(|c| !unknown(c))
            .unwrap_or(self.rest().len());
        self.at += length;
        let shown: String = self.text[start..self.at].chars().take(20).collect();
        let message = format!("`{}` is not part of the language", shown.escape_debug());
        (TokenKind::Bad, Some(message.into()))
    }
}

/// What to skip after the quote of a wrong character constant: to the closing quote, if it is near.
fn bad_character_len(inside: &str) -> usize {
    let word = inside
        .find(|c: char| !c.is_alphanumeric() && c != '\\')
        .unwrap_or(inside.len());
    if inside[word..].starts_with('\'') {
        word + 1
    } else {
        0
    }
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

fn is_unknown_ascii(b: u8) -> bool {
    let blank = b.is_ascii_whitespace() || b == 0x0b;
    !blank && !is_word_byte(b) && !matches!(b, b'"' | b'\'' | b'$') && one_byte_token(b).is_none()
}

fn two_byte_token(first: u8, second: u8) -> Option<TokenKind> {
    Some(match (first, second) {
        (b':', b':') => TokenKind::Sep,
        (b'.', b'.') => TokenKind::DotDot,
        (b'=', b'=') => TokenKind::EqEq,
        (b'!', b'=') => TokenKind::NotEq,
        (b'<', b'=') => TokenKind::Le,
        (b'>', b'=') => TokenKind::Ge,
        (b'<', b'<') => TokenKind::Shl,
        (b'>', b'>') => TokenKind::Shr,
        (b'+', b'+') => TokenKind::Incr,
        (b'-', b'-') => TokenKind::Decr,
        (b'-', b'>') => TokenKind::Arrow,
        (b'&', b'&') => TokenKind::AmpAmp,
        (b'|', b'|') => TokenKind::PipePipe,
        (b'!', b'!') => TokenKind::BangBang,
        (b'?', b'?') => TokenKind::QueryQuery,
        (b'#', b'#') => TokenKind::HashHash,
        _ => return None,
    })
}

fn one_byte_token(b: u8) -> Option<TokenKind> {
    Some(match b {
        b'(' => TokenKind::LParen,
        b')' => TokenKind::RParen,
        b'[' => TokenKind::LBracket,
        b']' => TokenKind::RBracket,
        b'{' => TokenKind::LBrace,
        b'}' => TokenKind::RBrace,
        b',' => TokenKind::Comma,
        b';' => TokenKind::Semi,
        b':' => TokenKind::Colon,
        b'.' => TokenKind::Dot,
        b'@' => TokenKind::At,
        b'=' => TokenKind::Assign,
        b'<' => TokenKind::Lt,
        b'>' => TokenKind::Gt,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'*' => TokenKind::Star,
        b'/' => TokenKind::Slash,
        b'%' => TokenKind::Percent,
        b'&' => TokenKind::Amp,
        b'|' => TokenKind::Pipe,
        b'^' => TokenKind::Caret,
        b'~' => TokenKind::Tilde,
        b'!' => TokenKind::Bang,
        b'?' => TokenKind::Query,
        b'#' => TokenKind::Hash,
        b'\\' => TokenKind::Backslash,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown: Vec<String> = lex(FileId(0), text).tokens.iter().map(show).collect();
        assert_eq!(shown.join(" "), expected);
    }

    fn show(token: &Token) -> String {
        let mark = if token.line_start {
            "^"
        } else if token.newline_before {
            "'"
        } else {
            ""
        };
        let text = if token.kind == TokenKind::Bad {
            format!("<{}>", token.text())
        } else {
            token.spelling()
        };
        format!("{mark}{text}")
    }

    #[test]
    fn longest_operators_win() {
        check("a<<=b", "^a << = b");
        check("q??[x]", "^q ?? [ x ]");
        check("i++ -->", "^i ++ -- >");
        check("0..N-1", "^0 .. N - 1");
    }

    #[test]
    fn comments_and_splices_hide_line_ends_from_directives_only() {
        check("a /* x\n */ b // c\nd", "^a 'b ^d");
        check("a \\\n b", "^a 'b");
        check("// x \\\n still comment\ny", "^y");
    }

    #[test]
    fn strings_and_characters_keep_their_inside() {
        check(r#""a\"b" 'x' '\n' $p$"#, r#"^"a\"b" 'x' '\n' "p""#);
    }

    #[test]
    fn what_cannot_be_read_is_a_bad_token() {
        check(
            "\"ab\nc",
            "^<this string is not closed before the end of the line> ^c",
        );
        check(
            "a ``é b",
            "^a <`\\`\\`é` is not part of the language> b"
                .replace("\\`", "`")
                .as_str(),
        );
        check("x /* y", "^x <this comment is never closed>");
        let message = "a character constant is one ASCII character between single quotes";
        check("'ab' c", &format!("^<{message}> c"));
        check("don't", &format!("^don <{message}> t"));
    }
}
