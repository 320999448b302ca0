//! The front end for pointer automata: from the text of a model to the intermediate representation.
//!
//! The language is that of the tool RED as F. Wang and K. Schmidt give it in *Symmetric Symbolic Safety-Analysis of
//! Concurrent Software with Pointer Data Structures*: processes of one kind, whose variables are numbers and pointers to each other.
//! `docs/red.md` says what it looks like and what is decided where the paper is silent. The stages, each a module:
//!
//! 1. *lex*: text to tokens;
//! 2. *parse*: tokens to a syntax tree;
//! 3. *check*: names and constants, with quantifiers written out, giving a program;
//! 4. *initial*: the states that runs start in;
//! 5. *lower*: the program as a model.
//!
//! They accept any text: they never panic and end on any input.

mod ast;
mod check;
mod initial;
mod limits;
mod lower;
mod parser;
mod stated;
mod substitute;
mod token;
mod typed;

use mandala_model::Diagnostic;
use mandala_model::definitions::{self, Definitions};
use mandala_model::findings::{Fallible, Findings, error};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{FileId, Sources, Span};
use mandala_model::stated::Stated;

/// What the front end is told besides the text.
#[derive(Clone, Debug, Default)]
pub struct RedOptions {
    /// Constants of the model that get other values, by name: `-D NAME=VALUE`. The name `count` is the number of processes, unless
    /// the model defines a constant of that name.
    pub constants: Vec<(String, String)>,
    /// Properties beside the model, whose texts are among the sources already.
    pub stated: Vec<Stated>,
}

impl RedOptions {
    /// Adds a constant as the command line gives it: `NAME=VALUE`, or `NAME`, which means 1.
    pub fn define(&mut self, definition: &str) {
        self.constants.push(definitions::definition(definition));
    }
}

/// Reads the model in `file` and lowers it. There is a model unless one of the diagnostics is an error. The values of
/// constants that the options give are added to `sources`, so that diagnostics can point into them.
pub fn load(
    sources: &mut Sources,
    file: FileId,
    options: &RedOptions,
) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let model = read(sources, file, options, &mut findings);
    (model, findings.into_vec())
}

fn read(
    sources: &mut Sources,
    file: FileId,
    options: &RedOptions,
    findings: &mut Findings,
) -> Option<UncheckedModel> {
    let value = |file, text: &str| parser::parse_value(mandala_syntax::lex(file, text)?);
    let definitions = findings.note(Definitions::read(sources, &options.constants, value))?;
    let asked = findings.note(stated::read(sources, &options.stated))?;
    let text = sources.file(file).text();
    let tokens = findings.note(tokens(file, text))?;
    let items = parser::parse_items(tokens, findings);
    if findings.has_errors() {
        return None;
    }
    let whole = Span::new(file, 0, 0);
    let program = check::check(whole, &items, &asked, definitions, findings)?;
    let states = findings.note(initial::states(&program))?;
    let mut model = lower::lower(&program, &states, text);
    for claim in &program.claims {
        findings.note(lower::add_claim(&mut model, &program, claim));
    }
    (!findings.has_errors()).then_some(model)
}

fn tokens(file: FileId, text: &str) -> Fallible<Vec<token::Token>> {
    if text.len() > limits::FILE_BYTES {
        return Err(error(Span::new(file, 0, 0), "the file is too large"));
    }
    mandala_syntax::lex(file, text)
}
