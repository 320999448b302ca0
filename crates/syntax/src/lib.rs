//! Tokens, the lexer and the core of a parser by recursive descent, for front ends whose languages have words, signs, names and numbers.
//!
//! A language is a type of [kinds of tokens](Kind) with a table of its words and one of its signs. [`lex`] makes tokens of a text, and a parser is
//! a type with a [`Cursor`] that implements [`Parser`]. Errors are diagnostics with their places; the first character that belongs to no token ends the text.

mod cursor;
mod lexer;
mod token;

pub use cursor::{Cursor, Parser};
pub use lexer::{Comments, lex, lex_part};
pub use token::{Ident, Kind, Token};
