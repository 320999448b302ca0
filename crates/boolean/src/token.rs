//! The words and signs of Boolean programs.

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
    Name,
    Number,
    Eof,
    // Words.
    Decl,
    Dfs,
    Void,
    Bool,
    Begin,
    End,
    Skip,
    Goto,
    Return,
    If,
    Then,
    Elsif,
    Else,
    Fi,
    While,
    Do,
    Od,
    Dead,
    Assert,
    Assume,
    Enforce,
    Abortif,
    StartThread,
    EndThread,
    AtomicBegin,
    AtomicEnd,
    Sync,
    Constrain,
    Schoose,
    True,
    False,
    Ignored,
    // Signs.
    Assign,
    Implies,
    NotEqual,
    Equal,
    Xor,
    Or,
    And,
    Not,
    Star,
    Tick,
    Less,
    Greater,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    Comma,
    Semicolon,
    Colon,
}

/// Words and what they are.
const WORDS: &[(&str, TokenKind)] = &[
    ("decl", TokenKind::Decl),
    ("dfs", TokenKind::Dfs),
    ("void", TokenKind::Void),
    ("bool", TokenKind::Bool),
    ("begin", TokenKind::Begin),
    ("end", TokenKind::End),
    ("skip", TokenKind::Skip),
    ("goto", TokenKind::Goto),
    ("return", TokenKind::Return),
    ("if", TokenKind::If),
    ("then", TokenKind::Then),
    ("elsif", TokenKind::Elsif),
    ("else", TokenKind::Else),
    ("fi", TokenKind::Fi),
    ("while", TokenKind::While),
    ("do", TokenKind::Do),
    ("od", TokenKind::Od),
    ("dead", TokenKind::Dead),
    ("assert", TokenKind::Assert),
    ("assume", TokenKind::Assume),
    ("enforce", TokenKind::Enforce),
    ("abortif", TokenKind::Abortif),
    ("start_thread", TokenKind::StartThread),
    ("end_thread", TokenKind::EndThread),
    ("atomic_begin", TokenKind::AtomicBegin),
    ("atomic_end", TokenKind::AtomicEnd),
    ("sync", TokenKind::Sync),
    ("constrain", TokenKind::Constrain),
    ("schoose", TokenKind::Schoose),
    ("T", TokenKind::True),
    ("F", TokenKind::False),
    ("_", TokenKind::Ignored),
];

/// Signs and what they are, each before those that it begins with.
const SIGNS: &[(&str, TokenKind)] = &[
    (":=", TokenKind::Assign),
    ("=>", TokenKind::Implies),
    ("!=", TokenKind::NotEqual),
    ("=", TokenKind::Equal),
    ("^", TokenKind::Xor),
    ("||", TokenKind::Or),
    ("|", TokenKind::Or),
    ("&&", TokenKind::And),
    ("&", TokenKind::And),
    ("!", TokenKind::Not),
    ("~", TokenKind::Not),
    ("*", TokenKind::Star),
    ("'", TokenKind::Tick),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("(", TokenKind::LeftParen),
    (")", TokenKind::RightParen),
    ("[", TokenKind::LeftBracket),
    ("]", TokenKind::RightBracket),
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
