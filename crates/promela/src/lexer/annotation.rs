//! Comments that declare symmetry or state a property.
//!
//! A comment counts if the first thing in it is `@` and the first word after that one of [`KEYWORDS`].
//! Everything else that starts with `@` (specifications in other languages, addresses) is a comment
//! like any other; only if the word looks like a misspelt keyword, somebody should be told.

use super::{Lexed, Lexer, is_word_byte};
use crate::suggest::closest;
use crate::token::{Token, TokenKind};
use mandala_model::source::Span;

/// The words with which declarations of symmetry start.
pub(crate) const SYMMETRY: [&str; 2] = ["scalarset", "symmetric"];

/// The word with which a property starts.
pub(crate) const PROPERTY: &str = "property";

/// All words with which annotations start.
const KEYWORDS: [&str; 3] = [SYMMETRY[0], SYMMETRY[1], PROPERTY];

/// A comment that declares something, or nearly does.
#[derive(Clone)]
pub(crate) struct Annotation {
    /// It stands before the token with this number.
    pub(crate) before: usize,
    pub(crate) kind: AnnotationKind,
    /// What is written behind the `@`, or the misspelt word.
    pub(crate) span: Span,
}

#[derive(Clone)]
pub(crate) enum AnnotationKind {
    /// Its text.
    Declares(Vec<Token>),
    /// Its first word is none of the keywords, but much like this one.
    Misspelt(&'static str),
}

impl Lexer<'_> {
    /// Keeps the comment whose inside is `start..end` if it is an annotation.
    pub(super) fn annotate(&mut self, start: usize, end: usize) {
        let Some((at, word)) = first_word(&self.text[start..end]) else {
            return;
        };
        let from = start + at;
        let (kind, to) = if KEYWORDS.contains(&word) {
            (AnnotationKind::Declares(self.inside(from, end)), end)
        } else if let Some(meant) = closest(word, KEYWORDS.into_iter()) {
            (AnnotationKind::Misspelt(meant), from + word.len())
        } else {
            return;
        };
        self.annotations.push(Annotation {
            before: self.made,
            kind,
            span: Span::new(self.file, from, to),
        });
    }

    /// The tokens of a part of the text. Annotations in annotations are only noticed, not looked into.
    fn inside(&self, start: usize, end: usize) -> Vec<Token> {
        if self.in_annotation {
            return Vec::new();
        }
        let mut lexer = Lexer::new(self.file, &self.text[..end]);
        lexer.at = start;
        lexer.in_annotation = true;
        let Lexed {
            mut tokens,
            annotations,
        } = lexer.run();
        if let Some(inner) = annotations.first() {
            let message = "a declaration inside of a declaration: give each a comment of its own";
            tokens.push(Token {
                kind: TokenKind::Bad,
                span: inner.span,
                text: Some(message.into()),
                ..tokens[0].clone()
            });
        }
        tokens
    }
}

/// The first word behind `@`, and where it starts, if `@` is the first thing in the comment.
fn first_word(inside: &str) -> Option<(usize, &str)> {
    let behind = inside.trim_start().strip_prefix('@')?.trim_start();
    let at = inside.len() - behind.len();
    let length = behind.bytes().take_while(|b| is_word_byte(*b)).count();
    (length > 0).then(|| (at, &behind[..length]))
}

#[cfg(test)]
mod tests {
    use super::super::lex;
    use super::*;
    use mandala_model::source::FileId;

    /// The annotations of a text: the number of the token behind each, and what it says.
    fn check(text: &str, expected: &[&str]) {
        let lexed = lex(FileId(0), text);
        let shown: Vec<String> = lexed.annotations.iter().map(show).collect();
        assert_eq!(shown, expected, "{text}");
    }

    fn show(annotation: &Annotation) -> String {
        let what = match &annotation.kind {
            AnnotationKind::Misspelt(meant) => format!("not {meant}"),
            AnnotationKind::Declares(tokens) => {
                let words: Vec<String> = tokens.iter().map(Token::spelling).collect();
                words.join(" ")
            }
        };
        format!("{}: {what}", annotation.before)
    }

    #[test]
    fn only_comments_with_a_keyword_count() {
        check("//@ scalarset A[2]", &["0: scalarset A [ 2 ]"]);
        check("x /*@symmetric P*/ y", &["1: symmetric P"]);
        check("// @ scalarset A", &["0: scalarset A"]);
        check("/*\n * @scalarset A */", &[]);
        check("//@ requires x > 0; ensures y\n/*@ pure @*/", &[]);
        check("// me@scalarset.org\n//@\n/*@*/ //@ 3", &[]);
        check("//@ scalarsetA\n", &["0: not scalarset"]);
        check("//@ symetric P", &["0: not symmetric"]);
        check("\"//@ scalarset A\" '@' x", &[]);
    }

    #[test]
    fn comments_and_line_ends_inside_are_skipped() {
        check("//@ scalarset A \\\n B // more\nx", &["0: scalarset A B"]);
        check("/*@ scalarset A // more\n B */ x", &["0: scalarset A B"]);
        let message = "a declaration inside of a declaration: give each a comment of its own";
        check(
            "//@ symmetric A //@ symmetric B",
            &[&format!("0: symmetric A {message}")],
        );
    }

    #[test]
    fn tokens_around_do_not_notice() {
        let without: Vec<Token> = lex(FileId(0), "a  \n b   c").tokens;
        for with in [
            "a//@ scalarset A[2]\n b   c",
            "a  \n b/*@ symmetric P*/   c",
        ] {
            let tokens = lex(FileId(0), with).tokens;
            let flags = |t: &Token| (t.spelling(), t.newline_before, t.line_start);
            let same = tokens.iter().map(flags).eq(without.iter().map(flags));
            assert!(same, "{with}");
        }
    }
}
