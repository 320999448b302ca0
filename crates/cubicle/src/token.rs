//! The words and signs of the language of Cubicle.

use mandala_syntax::{Comments, Kind};

/// A token of the language.
pub(crate) type Token = mandala_syntax::Token<TokenKind>;

/// The kinds of tokens.
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

impl Kind for TokenKind {
    const NUMBER: Self = TokenKind::Number;
    const END: Self = TokenKind::Eof;
    const WORDS: &'static [(&'static str, Self)] = &[
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
    const SIGNS: &'static [(&'static str, Self)] = &[
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
    const COMMENTS: Comments = Comments::Nested;

    fn of_name(name: &str) -> Self {
        match name.starts_with(|c: char| c.is_ascii_uppercase()) {
            true => TokenKind::Capital,
            false => TokenKind::Small,
        }
    }
}
