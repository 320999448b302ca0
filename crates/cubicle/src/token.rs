//! The words and signs of the language of Cubicle.

use mandala_model::source::Span;
use std::fmt;
use std::sync::Arc;

/// A word or sign, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// As it is written.
    pub(crate) text: Arc<str>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name that begins with a small letter: of a type, a transition or a process.
    Small,
    /// A name that begins with a capital letter: of a variable or a value.
    Capital,
    Number,
    Eof,
    // Words.
    Type,
    Var,
    Array,
    Init,
    Unsafe,
    Invariant,
    Transition,
    Requires,
    Case,
    ForallOther,
    Not,
    // Signs.
    Assign,
    And,
    Or,
    NotEqual,
    Equal,
    AtMost,
    AtLeast,
    Less,
    Greater,
    Bar,
    Ignored,
    Dot,
    Question,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Semicolon,
    Colon,
    Plus,
    Minus,
}

/// Words and what they are.
const WORDS: &[(&str, TokenKind)] = &[
    ("type", TokenKind::Type),
    ("var", TokenKind::Var),
    ("array", TokenKind::Array),
    ("init", TokenKind::Init),
    ("unsafe", TokenKind::Unsafe),
    ("invariant", TokenKind::Invariant),
    ("transition", TokenKind::Transition),
    ("requires", TokenKind::Requires),
    ("case", TokenKind::Case),
    ("forall_other", TokenKind::ForallOther),
    ("not", TokenKind::Not),
    ("_", TokenKind::Ignored),
];

/// Signs and what they are, each before those that it begins with.
const SIGNS: &[(&str, TokenKind)] = &[
    (":=", TokenKind::Assign),
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("<>", TokenKind::NotEqual),
    ("<=", TokenKind::AtMost),
    (">=", TokenKind::AtLeast),
    ("=", TokenKind::Equal),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("|", TokenKind::Bar),
    (".", TokenKind::Dot),
    ("?", TokenKind::Question),
    ("(", TokenKind::LeftParen),
    (")", TokenKind::RightParen),
    ("[", TokenKind::LeftBracket),
    ("]", TokenKind::RightBracket),
    ("{", TokenKind::LeftBrace),
    ("}", TokenKind::RightBrace),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    (":", TokenKind::Colon),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
];

impl TokenKind {
    /// What a word is.
    pub(crate) fn of_word(word: &str) -> TokenKind {
        let found = WORDS.iter().find(|(known, _)| *known == word);
        let name = match word.starts_with(|c: char| c.is_ascii_uppercase()) {
            true => TokenKind::Capital,
            false => TokenKind::Small,
        };
        found.map_or(name, |(_, kind)| *kind)
    }

    /// The sign that a text begins with, and its length.
    pub(crate) fn of_sign(text: &str) -> Option<(TokenKind, usize)> {
        let found = SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
        found.map(|(sign, kind)| (*kind, sign.len()))
    }

    /// How it is written.
    pub(crate) fn symbol(self) -> &'static str {
        let mut all = WORDS.iter().chain(SIGNS);
        let own = all.find(|(_, kind)| *kind == self);
        own.map_or("", |(text, _)| *text)
    }

    /// Whether it is a word, so that it cannot be a name.
    pub(crate) fn is_word(self) -> bool {
        WORDS.iter().any(|(_, kind)| *kind == self)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TokenKind::Eof => f.write_str("the end of the text"),
            _ => write!(f, "`{}`", self.text),
        }
    }
}
