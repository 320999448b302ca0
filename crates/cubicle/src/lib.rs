//! The front end for the language of Cubicle: systems of any number of processes, which are interchangeable.
//!
//! `docs/cubicle.md` says what it looks like. The stages, each a module:
//!
//! 1. *lex*, *parse*: text to a syntax tree (`ast`);
//! 2. *check*: names and types, to a system in which all is known (`typed`);
//! 3. *lower*: with a number of processes, as a model of rules.
//!
//! They accept any text: they never panic and end on any input.

mod ast;
mod check;
mod limits;
mod lower;
mod parser;
mod token;
mod typed;

use mandala_model::Diagnostic;
use mandala_model::definitions::definition;
use mandala_model::findings::{Fallible, Findings, error_help};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{FileId, SourceText, Sources, Span};
use mandala_model::stated::Stated;

/// The constant that stands for the number of processes.
pub const NUMBER: &str = "N";

/// What the front end is told besides the text.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Constants from outside, as `NAME=VALUE`. There is one, [`NUMBER`].
    pub defines: Vec<String>,
    /// Properties that are stated beside the system.
    pub stated: Vec<Stated>,
}

/// Reads the system in `file`, with as many processes as the options say. There is a model unless one of the diagnostics is an error.
pub fn load(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let model = read(sources, file, options, &mut findings);
    let model = model.filter(|_| !findings.has_errors());
    (model, findings.into_vec())
}

fn read(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
    findings: &mut Findings,
) -> Option<UncheckedModel> {
    let start = Span::new(file, 0, 0);
    if let Some(stated) = options.stated.first() {
        let option = stated.form.name();
        let message = format!("`--{option}` is not available for the language of Cubicle");
        let help = "say what must not be reached: `unsafe (x y) { .. }`";
        findings.push(*error_help(start, message, help));
    }
    let processes = findings.note(processes(sources, start, &options.defines));
    let text = sources.file(file).text();
    let whole = Span::new(file, 0, text.len());
    if text.len() > limits::FILE_BYTES {
        let message = format!("the file has more than {} bytes", limits::FILE_BYTES);
        findings.push(Diagnostic::error(start, message));
        return None;
    }
    let tokens = findings.note(mandala_syntax::lex(file, text))?;
    let tree = parser::parse(tokens, findings);
    let system = check::check(&tree, whole, findings)?;
    if findings.has_errors() {
        return None;
    }
    Some(lower::lower(&system, processes?))
}

/// How many processes there are.
fn processes(sources: &mut Sources, start: Span, defines: &[String]) -> Fallible<u32> {
    let mut number = None;
    for define in defines {
        let (name, value) = definition(define);
        let given = sources.add(SourceText::new(format!("-D {name}"), value.as_str()));
        let whole = Span::new(given, 0, value.len());
        if name != NUMBER {
            let message = format!("there is no constant `{name}`");
            let help =
                "`-D N=3` says how many processes there are, and nothing else can be defined";
            return Err(error_help(whole, message, help));
        }
        number = match value.trim().parse() {
            Ok(processes) if (1..=limits::PROCESSES).contains(&processes) => Some(processes),
            _ => {
                let message = format!("`{}` processes", value.trim());
                let help = format!("there are 1 to {} processes", limits::PROCESSES);
                return Err(error_help(whole, message, help));
            }
        };
    }
    number.ok_or_else(|| {
        let message = "it is not said how many processes there are";
        error_help(start, message, "say it: `-D N=3`")
    })
}
