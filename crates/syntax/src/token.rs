//! Tokens, and the tables of the words and signs of a language.

use crate::lexer::Comments;
use mandala_model::source::Span;
use std::fmt;
use std::sync::Arc;

/// The kinds of the tokens of a language.
pub trait Kind: Copy + Eq + 'static {
    /// The kind of numbers.
    const NUMBER: Self;
    /// The kind of the token behind all others.
    const END: Self;
    /// The words that are no names.
    const WORDS: &'static [(&'static str, Self)];
    /// The signs, each before those that it begins with.
    const SIGNS: &'static [(&'static str, Self)];
    /// The form of comments.
    const COMMENTS: Comments;
    /// The characters besides letters, digits and `_` that names have.
    const LETTERS: &'static str = "";

    /// The kind of a name.
    fn of_name(name: &str) -> Self;

    /// The way in which a message writes a token of this kind with that text.
    fn shown(self, text: &str) -> &str {
        text
    }

    /// A way to mend a character that belongs to no token.
    fn help(_found: char) -> Option<&'static str> {
        None
    }

    /// The kind of a word or name.
    fn of_word(word: &str) -> Self {
        let found = Self::WORDS.iter().find(|(known, _)| *known == word);
        found.map_or_else(|| Self::of_name(word), |(_, kind)| *kind)
    }

    /// The sign that a text begins with, and its length.
    fn of_sign(text: &str) -> Option<(Self, usize)> {
        let found = Self::SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
        found.map(|(sign, kind)| (*kind, sign.len()))
    }

    /// The text of a word or sign, if this is one; the first in the tables.
    fn symbol(self) -> &'static str {
        let mut all = Self::WORDS.iter().chain(Self::SIGNS);
        let own = all.find(|(_, kind)| *kind == self);
        own.map_or("", |(text, _)| *text)
    }

    /// Whether this is a word, which cannot be a name.
    fn is_word(self) -> bool {
        Self::WORDS.iter().any(|(_, kind)| *kind == self)
    }
}

/// A word, sign, name or number, and its place.
#[derive(Clone, Debug)]
pub struct Token<K> {
    /// Its kind.
    pub kind: K,
    /// Its place.
    pub span: Span,
    /// Its text.
    pub text: Arc<str>,
}

impl<K: Kind> fmt::Display for Token<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind == K::END {
            true => f.write_str("the end of the text"),
            false => write!(f, "`{}`", self.kind.shown(&self.text)),
        }
    }
}

/// A name in a text, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Its place.
    pub span: Span,
}
