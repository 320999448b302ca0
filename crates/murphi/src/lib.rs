//! The Murphi front end of Mandala: from the text of a model to a program whose names and types are
//! resolved.
//!
//! The language is that of CMurphi 5 and of Rumur; where they differ, `docs/murphi.md` says what is chosen.
//! The stages, each a module:
//!
//! 1. *lex*: text to tokens;
//! 2. *parse*: tokens to the [`ast`];
//! 3. *check*: names, constants and types, giving a [`typed::Program`];
//! 4. *[lower]*: the program as a model of the intermediate representation.
//!
//! [`parse`] runs the first three, [`load`] all of them. They accept any text: they never panic and end on
//! any input.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

pub mod ast;
mod check;
mod dialect;
mod lexer;
mod limits;
pub mod lower;
mod parser;
mod stated;
mod token;
pub mod typed;

pub use dialect::Dialect;

use mandala_model::definitions::{self, Definitions};
use mandala_model::diagnostic::{Diagnostic, has_errors};
use mandala_model::findings::{Fallible, Findings, error};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{FileId, Sources, Span};
use mandala_model::stated::Stated;

/// What the front end is told besides the text.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Constants of the model that get other values, by name: `-D NAME=VALUE`. A value is an expression of
    /// constants; of two values for one name the last counts.
    pub constants: Vec<(String, String)>,
    /// The tool whose meaning the model has where they differ.
    pub dialect: Dialect,
    /// Properties beside the model, whose texts are among the sources already.
    pub stated: Vec<Stated>,
}

impl ParseOptions {
    /// Adds a constant as the command line gives it: `NAME=VALUE`, or `NAME`, which means 1.
    pub fn define(&mut self, definition: &str) {
        self.constants.push(definitions::definition(definition));
    }
}

/// Reads the model in `file` and lowers it. There is a model unless one of the diagnostics is an error.
pub fn load(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let (program, mut diagnostics) = parse(sources, file, options);
    let Some(program) = program.filter(|_| !has_errors(&diagnostics)) else {
        return (None, diagnostics);
    };
    match lower::lower(&program) {
        Ok(model) => (Some(model), diagnostics),
        Err(errors) => {
            diagnostics.extend(errors);
            (None, diagnostics)
        }
    }
}

/// Reads the model in `file`. There is a program unless one of the diagnostics is an error. The values of
/// constants that the options give are added to `sources`, so that diagnostics can point into them.
///
/// An error of syntax ends the parse, so it is the only one. Errors in functions and rules are reported
/// together; one in a declaration is the last.
pub fn parse(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
) -> (Option<typed::Program>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let value = |file, text: &str| parser::parse_value(lexer::lex(file, text)?, options.dialect);
    let definitions = Definitions::read(sources, &options.constants, value);
    let read = definitions.and_then(|definitions| {
        let mut model = syntax(sources, file, options.dialect)?;
        let beside = stated::read(sources, &options.stated, options.dialect)?;
        model.items.extend(beside.items);
        Ok((model, beside.asked, definitions))
    });
    let program = match read {
        Ok((model, asked, definitions)) => {
            let beside = check::Beside {
                asked: &asked,
                definitions,
                dialect: options.dialect,
            };
            check::check(file, &model, beside, &mut findings)
        }
        Err(error) => {
            findings.push(*error);
            None
        }
    };
    (program, findings.into_vec())
}

/// The syntax tree of the model in `file`, names and types unchecked.
pub fn parse_syntax(
    sources: &Sources,
    file: FileId,
    dialect: Dialect,
) -> Result<ast::Program, Diagnostic> {
    syntax(sources, file, dialect).map_err(|error| *error)
}

fn syntax(sources: &Sources, file: FileId, dialect: Dialect) -> Fallible<ast::Program> {
    let text = sources.file(file).text();
    if text.len() > limits::FILE_BYTES {
        return Err(error(Span::new(file, 0, 0), "the file is too large"));
    }
    parser::parse_program(lexer::lex(file, text)?, dialect)
}
