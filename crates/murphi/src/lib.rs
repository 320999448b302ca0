//! The Murphi front end of Mandala: from the text of a model to a program whose names and types are
//! resolved.
//!
//! The language is that of CMurphi 5 and of Rumur; where they differ, `docs/murphi.md` says what is chosen.
//! The stages, each a module:
//!
//! 1. *lex*: text to tokens;
//! 2. *parse*: tokens to the [`ast`];
//! 3. *check*: names, constants and types, giving a [`typed::Program`].
//!
//! [`parse`] runs all of them. It accepts any text: it never panics and ends on any input.

pub mod ast;
mod check;
mod diagnostics;
mod lexer;
mod limits;
mod parser;
mod token;
pub mod typed;

use crate::diagnostics::{Fallible, Findings, error};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::{FileId, Sources, Span};

/// Reads the model in `file`. There is a program unless one of the diagnostics is an error.
///
/// An error of syntax ends the parse, so it is the only one. Errors in functions and rules are reported
/// together; one in a declaration is the last.
pub fn parse(sources: &Sources, file: FileId) -> (Option<typed::Program>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let program = match syntax(sources, file) {
        Ok(model) => check::check(file, &model, &mut findings),
        Err(error) => {
            findings.push(*error);
            None
        }
    };
    (program, findings.into_vec())
}

/// The syntax tree of the model in `file`, names and types unchecked.
pub fn parse_syntax(sources: &Sources, file: FileId) -> Result<ast::Program, Diagnostic> {
    syntax(sources, file).map_err(|error| *error)
}

fn syntax(sources: &Sources, file: FileId) -> Fallible<ast::Program> {
    let text = sources.file(file).text();
    if text.len() > limits::FILE_BYTES {
        return Err(error(Span::new(file, 0, 0), "the file is too large"));
    }
    parser::parse_program(lexer::lex(file, text)?)
}
