//! From text to tokens.

use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::{FileId, Span};

/// A name, and the number behind it that tells it from others that are spelled alike: `i`, `i#2`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) number: Option<u64>,
}

/// A token without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word(Key),
    /// A name between backquotes, which is never a keyword.
    Quoted(Key),
    Number(u64),
    /// The contents of a string.
    Text(String),
    /// A place in a file of the source.
    Place {
        file: u64,
        start: u64,
        end: u64,
    },
    Symbol(&'static str),
    /// The end of the file.
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// Whether it is the first one of its line.
    pub(crate) first: bool,
    /// Whether it stands at the very beginning of its line.
    pub(crate) outermost: bool,
}

/// All symbols, longer ones before those that they begin with.
const SYMBOLS: [&str; 37] = [
    "->", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "::", "..", "??", "!!", "{", "}", "(",
    ")", "[", "]", ",", ";", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!",
    "~", "?",
];

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    first: bool,
    tokens: Vec<Token>,
}

/// The tokens of a text, the last of which is its end. What is no token is reported and left out.
pub(crate) fn lex(file: FileId, text: &str, findings: &mut Findings) -> Vec<Token> {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        first: true,
        tokens: Vec::new(),
    };
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        if start == text.len() || findings.gave_up() {
            lexer.push(start, TokenKind::End);
            return lexer.tokens;
        }
        match lexer.token() {
            Ok(kind) => lexer.push(start, kind),
            Err(wrong) => findings.push(*wrong),
        }
    }
}

impl Lexer<'_> {
    fn push(&mut self, start: usize, kind: TokenKind) {
        let outermost = start == 0 || self.text.as_bytes()[start - 1] == b'\n';
        self.tokens.push(Token {
            kind,
            span: self.span(start),
            first: self.first,
            outermost,
        });
        self.first = false;
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn skip_blanks(&mut self) {
        while let Some(c) = self.peek() {
            if c == '\n' {
                self.first = true;
            }
            if c.is_whitespace() {
                self.bump();
            } else if self.rest().starts_with("//") {
                self.take_while(|c| c != '\n');
            } else {
                return;
            }
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        &self.text[start..self.at]
    }

    fn token(&mut self) -> Fallible<TokenKind> {
        match self.peek() {
            Some(c) if is_word_start(c) => {
                let name = self.take_while(is_in_word).to_owned();
                Ok(TokenKind::Word(self.key(name)?))
            }
            Some(c) if c.is_ascii_digit() => Ok(TokenKind::Number(self.number()?)),
            Some('"') => Ok(TokenKind::Text(self.quoted('"')?)),
            Some('`') => {
                let name = self.quoted('`')?;
                Ok(TokenKind::Quoted(self.key(name)?))
            }
            Some('$') => self.place(),
            Some('@') => {
                self.bump();
                Ok(TokenKind::Symbol("@"))
            }
            _ => self.symbol(),
        }
    }

    /// The name with the number that may follow it at once.
    fn key(&mut self, name: String) -> Fallible<Key> {
        let mut number = None;
        if self.peek() == Some('#') {
            self.bump();
            number = Some(self.number()?);
        }
        Ok(Key { name, number })
    }

    fn number(&mut self) -> Fallible<u64> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        let number = digits.parse();
        number.map_err(|_| error(self.span(start), "expected a number of at most 64 bits"))
    }

    /// `$12-15`, or `$1:12-15` in another file than the first.
    fn place(&mut self) -> Fallible<TokenKind> {
        self.bump();
        let (mut file, mut start) = (0, self.number()?);
        if self.peek() == Some(':') {
            self.bump();
            (file, start) = (start, self.number()?);
        }
        let dash = self.at;
        if self.bump() != Some('-') {
            let wrong = "expected a place in the source, such as `$12-15` or `$1:12-15`";
            return Err(error(self.span(dash), wrong));
        }
        let end = self.number()?;
        Ok(TokenKind::Place { file, start, end })
    }

    fn symbol(&mut self) -> Fallible<TokenKind> {
        let start = self.at;
        let found = SYMBOLS.iter().find(|s| self.rest().starts_with(**s));
        if let Some(symbol) = found {
            self.at += symbol.len();
            return Ok(TokenKind::Symbol(symbol));
        }
        let c = self.bump().unwrap_or(' ');
        let message = format!("the character {c:?} means nothing here");
        let help =
            "names with other characters than letters, digits and `_` stand between backquotes";
        Err(error_help(self.span(start), message, help))
    }

    /// What stands between two quotes, on one line.
    fn quoted(&mut self, quote: char) -> Fallible<String> {
        let start = self.at;
        self.bump();
        let mut contents = String::new();
        loop {
            match self.peek() {
                None | Some('\n') => {
                    let message = format!("expected {quote} at the end of this on the same line");
                    return Err(error(self.span(start), message));
                }
                Some(c) => {
                    self.bump();
                    match c {
                        _ if c == quote => return Ok(contents),
                        '\\' => contents.push(self.escape()?),
                        _ => contents.push(c),
                    }
                }
            }
        }
    }

    fn escape(&mut self) -> Fallible<char> {
        let start = self.at - 1;
        match self.bump() {
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('0') => Ok('\0'),
            Some(c @ ('\\' | '"' | '\'' | '`')) => Ok(c),
            Some('u') => self.code(start),
            _ => Err(error(self.span(start), ESCAPES)),
        }
    }

    /// `{1f}` behind `\u`.
    fn code(&mut self, start: usize) -> Fallible<char> {
        let opened = self.bump() == Some('{');
        let digits = self.take_while(|c| c.is_ascii_hexdigit()).to_owned();
        let closed = self.bump() == Some('}');
        let code = u32::from_str_radix(&digits, 16).ok();
        let c = code.and_then(char::from_u32);
        let c = c.filter(|_| opened && closed);
        c.ok_or_else(|| error(self.span(start), ESCAPES))
    }
}

const ESCAPES: &str =
    "expected one of the escapes \\n, \\r, \\t, \\0, \\\\, \\\", \\', \\` and \\u{1f}";

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_in_word(c: char) -> bool {
    is_word_start(c) || c.is_ascii_digit()
}
