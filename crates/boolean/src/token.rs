//! The words and signs of Boolean programs.

use mandala_syntax::{Comments, Kind};

/// A token of the language.
pub(crate) type Token = mandala_syntax::Token<TokenKind>;

/// The kinds of tokens.
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

impl Kind for TokenKind {
    const NUMBER: Self = TokenKind::Number;
    const END: Self = TokenKind::Eof;
    const WORDS: &'static [(&'static str, Self)] = &[
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
    const SIGNS: &'static [(&'static str, Self)] = &[
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
    const COMMENTS: Comments = Comments::Slashes;
    const LETTERS: &'static str = "$";

    fn of_name(_name: &str) -> Self {
        TokenKind::Name
    }
}
