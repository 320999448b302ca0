//! The Promela front end of Mandala: from the text of a model to its syntax tree.
//!
//! The language is that of Spin 6.5, whole, except embedded C, which is refused by name. The stages,
//! each a module:
//!
//! 1. *lex*: text to tokens; knows no errors, only bad tokens; comments that declare symmetry are kept
//!    apart;
//! 2. *preprocess*: `#define`, `#if`, `#include` and macro expansion, on tokens, spans kept;
//! 3. *parse*: tokens to the [`ast`], expanding calls of `inline` on the way.
//!
//! [`parse`] runs all of them. It accepts any text: it never panics, ends on any input, reports
//! several errors where it can, and always returns a tree, in which wrong parts are marked. Nothing
//! here reads a file: an included file is asked for through [`ParseOptions::loader`].

pub mod ast;
mod diagnostics;
mod lexer;
mod limits;
pub mod lower;
mod options;
mod parser;
mod preprocess;
mod suggest;
mod token;
pub mod trail;

pub use options::{Loader, ParseOptions};

use crate::diagnostics::Diagnostics;
use mandala_model::diagnostic::{Diagnostic, has_errors};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{FileId, Sources, Span};

/// Reads the model in `file`: preprocesses, parses and lowers it. There is a model unless one of the
/// diagnostics is an error. Included files are added to `sources`.
pub fn load(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let (program, mut diagnostics) = parse(sources, file, options);
    if has_errors(&diagnostics) {
        return (None, diagnostics);
    }
    let (model, more) = lower::lower(&program);
    diagnostics.extend(more);
    (model, diagnostics)
}

/// Preprocesses and parses the model in `file`. Included files are added to `sources`, and so is the
/// file of declarations.
pub fn parse(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
) -> (ast::Program, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    if sources.file(file).text().len() > limits::FILE_BYTES {
        diagnostics.give_up(Span::new(file, 0, 0), "the file is too large");
        return (ast::Program::default(), diagnostics.into_vec());
    }
    let text = preprocess::preprocess(sources, file, options, &mut diagnostics);
    let program = parser::parse_program(text, &mut diagnostics);
    (program, diagnostics.into_vec())
}
