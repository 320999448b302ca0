//! The words and signs of the language.

use mandala_model::source::Span;
use std::fmt;
use std::sync::Arc;

/// A word or sign, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// The text of a name or number; of others it is not needed.
    pub(crate) text: Arc<str>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    Number,
    Eof,
    // Words.
    Define,
    Process,
    Global,
    Local,
    Pointer,
    Discrete,
    Mode,
    When,
    May,
    Goto,
    Initially,
    Risk,
    And,
    Or,
    Not,
    Implies,
    Forall,
    Exists,
    True,
    False,
    Null,
    Me,
    // Signs.
    Arrow,
    DotDot,
    Equal,
    NotEqual,
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
    Assign,
    Plus,
    Minus,
    Star,
    Slash,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Semicolon,
    Colon,
}

/// Words and what they are.
const WORDS: &[(&str, TokenKind)] = &[
    ("process", TokenKind::Process),
    ("global", TokenKind::Global),
    ("local", TokenKind::Local),
    ("pointer", TokenKind::Pointer),
    ("discrete", TokenKind::Discrete),
    ("mode", TokenKind::Mode),
    ("when", TokenKind::When),
    ("may", TokenKind::May),
    ("goto", TokenKind::Goto),
    ("initially", TokenKind::Initially),
    ("risk", TokenKind::Risk),
    ("and", TokenKind::And),
    ("or", TokenKind::Or),
    ("not", TokenKind::Not),
    ("implies", TokenKind::Implies),
    ("forall", TokenKind::Forall),
    ("exists", TokenKind::Exists),
    ("true", TokenKind::True),
    ("false", TokenKind::False),
    ("NULL", TokenKind::Null),
    ("P", TokenKind::Me),
];

/// Signs and what they are, each before those that it begins with.
const SIGNS: &[(&str, TokenKind)] = &[
    ("#define", TokenKind::Define),
    ("->", TokenKind::Arrow),
    ("..", TokenKind::DotDot),
    ("==", TokenKind::Equal),
    ("!=", TokenKind::NotEqual),
    ("=>", TokenKind::Implies),
    ("<=", TokenKind::LessEqual),
    (">=", TokenKind::GreaterEqual),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    (":=", TokenKind::Assign),
    ("=", TokenKind::Assign),
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("!", TokenKind::Not),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Star),
    ("/", TokenKind::Slash),
    ("(", TokenKind::LeftParen),
    (")", TokenKind::RightParen),
    ("[", TokenKind::LeftBracket),
    ("]", TokenKind::RightBracket),
    ("{", TokenKind::LeftBrace),
    ("}", TokenKind::RightBrace),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    (":", TokenKind::Colon),
];

impl TokenKind {
    /// What a word is.
    pub(crate) fn of_word(word: &str) -> TokenKind {
        let found = WORDS.iter().find(|(known, _)| *known == word);
        found.map_or(TokenKind::Name, |(_, kind)| *kind)
    }

    /// The sign that a text begins with, and its length.
    pub(crate) fn of_sign(text: &str) -> Option<(TokenKind, usize)> {
        let found = SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
        found.map(|(sign, kind)| (*kind, sign.len()))
    }

    /// How it is written.
    pub(crate) fn symbol(self) -> &'static str {
        let all = WORDS.iter().chain(SIGNS);
        let mut own = all.filter(|(_, kind)| *kind == self);
        match self {
            TokenKind::Assign => "=",
            _ => own.next().map_or("", |(text, _)| *text),
        }
    }

    /// Whether it is a word, so that it cannot be a name.
    pub(crate) fn is_word(self) -> bool {
        WORDS.iter().any(|(_, kind)| *kind == self)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TokenKind::Name | TokenKind::Number => write!(f, "`{}`", self.text),
            TokenKind::Eof => f.write_str("the end of the text"),
            kind => write!(f, "`{}`", kind.symbol()),
        }
    }
}
