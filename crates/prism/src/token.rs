//! The words and signs of the language of PRISM.

use mandala_model::source::Span;
use std::fmt;
use std::sync::Arc;

/// A word or sign, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// As it is written; the contents of a string.
    pub(crate) text: Arc<str>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a word of the language.
    Word,
    /// An integer.
    Integer,
    /// A number with a fraction or an exponent.
    Real,
    /// Something in double quotes.
    Text,
    Sign(&'static str),
    Eof,
}

/// Words that cannot be names.
const RESERVED: &[&str] = &[
    "A",
    "C",
    "E",
    "F",
    "G",
    "I",
    "P",
    "Pmax",
    "Pmin",
    "R",
    "Rmax",
    "Rmin",
    "S",
    "U",
    "W",
    "X",
    "bool",
    "clock",
    "const",
    "ctmc",
    "double",
    "dtmc",
    "endinit",
    "endinvariant",
    "endmodule",
    "endrewards",
    "endsystem",
    "false",
    "filter",
    "formula",
    "func",
    "global",
    "init",
    "int",
    "invariant",
    "label",
    "max",
    "mdp",
    "min",
    "module",
    "nondeterministic",
    "of",
    "probabilistic",
    "prob",
    "pta",
    "rate",
    "rewards",
    "stochastic",
    "system",
    "true",
];

/// Signs, each before those that it begins with.
const SIGNS: &[&str] = &[
    "<=>", "|||", "...", "=>", "->", "<-", "<=", ">=", "!=", "..", "||", "<<", ">>", "=", "<", ">",
    "!", "&", "|", "+", "-", "*", "/", "^", "(", ")", "[", "]", "{", "}", ",", ";", ":", "'", "?",
];

impl TokenKind {
    /// The sign that a text begins with.
    pub(crate) fn of_sign(text: &str) -> Option<&'static str> {
        SIGNS.iter().copied().find(|sign| text.starts_with(sign))
    }
}

impl Token {
    /// Whether it is a word that cannot be a name.
    pub(crate) fn is_reserved(&self) -> bool {
        self.kind == TokenKind::Word && RESERVED.contains(&&*self.text)
    }

    /// Whether it is that sign.
    pub(crate) fn is(&self, sign: &str) -> bool {
        matches!(self.kind, TokenKind::Sign(own) if own == sign)
    }

    /// Whether it is that word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && &*self.text == word
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TokenKind::Eof => f.write_str("the end of the text"),
            TokenKind::Text => write!(f, "{:?}", self.text),
            _ => write!(f, "`{}`", self.text),
        }
    }
}
