//! The front end for Boolean programs and thread transition systems: programs and systems with any number of threads.
//!
//! Boolean programs are what predicate abstraction makes of programs, in the dialect of SatAbs and Boppo; thread transition systems are what is left of them if
//! every state of a thread has a number. `docs/boolean.md` says what both look like. The stages of a program, each a module:
//!
//! 1. *lex*, *parse*: text to a syntax tree;
//! 2. *check*: names, labels, and how many of what;
//! 3. *inline*: a graph of what one thread does, with bodies in the place of calls;
//! 4. *reduce*: without places where nothing happens and variables that nobody reads;
//! 5. *lower*: with a bounded number of threads, as a model; or *unfold*: for every number, as a thread transition system.
//!
//! They accept any text: they never panic and end on any input.

mod ast;
mod check;
mod cond;
mod flow;
mod inline;
mod limits;
mod lower;
mod parser;
mod reduce;
mod rules;
mod token;
mod tts;
mod unfold;

use ast::Ident;
use mandala_coverability::{Start, ThreadSystem};
use mandala_model::Diagnostic;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{FileId, Sources, Span};
use std::sync::Arc;

/// The label that must not be reached if no other one is given.
const ERROR_LABEL: &str = "SLIC_ERROR";

/// What the front end is told besides the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct BooleanOptions {
    /// What must not be reached: the label of a program, or the target of a system. A text among the sources.
    pub target: Option<FileId>,
    /// Where a system starts. A text among the sources.
    pub start: Option<FileId>,
}

/// A program or a system with any number of threads.
#[derive(Clone, Debug)]
pub struct Threads {
    form: Form,
    text: Arc<str>,
}

#[derive(Clone, Debug)]
enum Form {
    Program(Box<flow::Flow>),
    System(Box<tts::System>),
}

impl Threads {
    /// The model with at most so many threads ever, that of the start included.
    pub fn model(&self, threads: u32) -> Fallible<UncheckedModel> {
        match &self.form {
            Form::Program(flow) => {
                lower::require_threads(threads, flow.span)?;
                lower::lower(flow, threads, &self.text)
            }
            Form::System(system) => {
                lower::require_threads(threads, system.span)?;
                Ok(tts::lower(system, threads, &self.text))
            }
        }
    }

    /// What is decided for every number of threads.
    pub fn system(&self) -> Fallible<ThreadSystem> {
        match &self.form {
            Form::Program(flow) => unfold::unfold(flow),
            Form::System(system) => Ok(system.system.clone()),
        }
    }
}

/// Reads the Boolean program in `file`. There is one unless one of the diagnostics is an error.
pub fn load_program(
    sources: &Sources,
    file: FileId,
    options: &BooleanOptions,
) -> (Option<Threads>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let program = read_program(sources, file, options, &mut findings);
    let program = program.filter(|_| !findings.has_errors());
    (program, findings.into_vec())
}

/// Reads the thread transition system in `file`. There is one unless one of the diagnostics is an error.
pub fn load_system(
    sources: &Sources,
    file: FileId,
    options: &BooleanOptions,
) -> (Option<Threads>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let system = read_system(sources, file, options, &mut findings);
    let system = system.filter(|_| !findings.has_errors());
    (system, findings.into_vec())
}

fn read_program(
    sources: &Sources,
    file: FileId,
    options: &BooleanOptions,
    findings: &mut Findings,
) -> Option<Threads> {
    let text = sources.file(file).text();
    let whole = Span::new(file, 0, 0);
    if let Some(start) = options.start {
        let span = Span::new(start, 0, sources.file(start).text().len());
        let message = "a Boolean program starts with its function `main`, and nowhere else";
        return findings.note(Err(error(span, message)));
    }
    let tokens =
        findings.note(require_size(text, whole).and_then(|()| mandala_syntax::lex(file, text)))?;
    let tree = parser::parse(tokens, findings);
    if findings.has_errors() {
        return None;
    }
    let target = options.target.map(|target| {
        let text = sources.file(target).text();
        Ident {
            name: text.trim().into(),
            span: Span::new(target, 0, text.len()),
        }
    });
    let functions = check::check(whole, &tree, target.as_ref(), findings)?;
    let label = target.as_ref().map_or(ERROR_LABEL, |target| &*target.name);
    let raw = findings.note(inline::inline(&tree, &functions, Some(label)))?;
    let globals = tree.globals.iter();
    let globals = globals.map(|global| (global.name.to_string(), global.span));
    let named = |node: &inline::RawNode| {
        let (line, _) = sources.file(file).line_column(node.span.start);
        format!("{}:{line}", node.function)
    };
    let flow = reduce::reduce(&raw, globals.collect(), whole, named);
    Some(Threads {
        form: Form::Program(Box::new(flow)),
        text: text.into(),
    })
}

fn read_system(
    sources: &Sources,
    file: FileId,
    options: &BooleanOptions,
    findings: &mut Findings,
) -> Option<Threads> {
    let text = sources.file(file).text();
    let whole = Span::new(file, 0, 0);
    findings.note(require_size(text, whole))?;
    let mut system = tts::parse(file, text, findings)?;
    let beside = |file: FileId| tts::Beside {
        file,
        text: sources.file(file).text(),
    };
    let start = match options.start {
        Some(start) => findings.note(tts::parse_start(&beside(start), &system.system))?,
        None => Start {
            shared: 0,
            ones: Vec::new(),
            any: Some(0),
        },
    };
    system.system.starts.push(start);
    let Some(target) = options.target else {
        let help = "give one with `--target 's|l1,l2'`, or in a file of the same name that ends in `.prop`";
        let missing = error_help(whole, "the system has no target", help);
        return findings.note(Err(missing));
    };
    let written = beside(target);
    let parsed = findings.note(tts::parse_target(&written, &system.system))?;
    system.target = (
        Span::new(target, 0, written.text.trim_end().len()),
        written.text.trim().to_string(),
    );
    system.system.targets.push(parsed);
    Some(Threads {
        form: Form::System(Box::new(system)),
        text: text.into(),
    })
}

fn require_size(text: &str, whole: Span) -> Fallible<()> {
    match text.len() > limits::FILE_BYTES {
        true => Err(error(whole, "the file is too large")),
        false => Ok(()),
    }
}
