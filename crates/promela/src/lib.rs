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
mod parser;
mod preprocess;
mod suggest;
mod token;
pub mod trail;

use crate::diagnostics::Diagnostics;
use mandala_model::diagnostic::{Diagnostic, has_errors};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{FileId, SourceText, Sources, Span};
use mandala_model::stated::Stated;
use std::io;
use std::path::Path;

/// Reads an included file, given its path relative to the folder of the file that includes it.
pub type Loader = Box<dyn Fn(&Path) -> io::Result<String>>;

/// What the parser is told besides the text.
pub struct ParseOptions {
    /// Macros that are defined before the first line, in order: `-D NAME=VALUE`.
    pub defines: Vec<(String, String)>,
    /// How included files are read.
    pub loader: Loader,
    /// A file of symmetry declarations that accompanies the model: `m.sym` beside `m.pml`.
    pub declarations: Option<SourceText>,
    /// Properties beside the model, whose texts are among the sources already.
    pub stated: Vec<Stated>,
}

impl Default for ParseOptions {
    /// No macros, and no file can be included.
    fn default() -> Self {
        let refuse = |_: &Path| Err(io::Error::other("including files is switched off"));
        ParseOptions {
            defines: Vec::new(),
            loader: Box::new(refuse),
            declarations: None,
            stated: Vec::new(),
        }
    }
}

impl ParseOptions {
    /// Adds a macro as the command line gives it: `NAME=VALUE`, or `NAME`, which means 1.
    pub fn define(&mut self, definition: &str) {
        let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
        self.defines.push((name.to_string(), value.to_string()));
    }
}

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
