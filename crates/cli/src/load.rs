//! Reading models and documents from the disk.

use crate::args::ModelArguments;
use crate::console::Console;
use crate::exit::Failure;
use mandala_checker::document::present;
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput, PropertyInput};
use mandala_model::{Diagnostic, Sources};
use mandala_report::document::Finding;
use mandala_report::{Document, diagnostics, json};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Larger files are not models.
const LARGEST: u64 = 256 << 20;

/// How standard input is called.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Reads and verifies the model that was named, with the properties that are stated beside it.
pub fn model(
    arguments: &ModelArguments,
    properties: Vec<PropertyInput>,
    console: &Console,
) -> Result<LoadedModel, Failure> {
    let wish = arguments.threads.wish();
    let input = input(arguments)?;
    frontend::load_threads(input, properties, wish).map_err(|error| refused(error, console))
}

/// Reads the text of the model that was named.
pub fn input(arguments: &ModelArguments) -> Result<ModelInput, Failure> {
    let path = name(&arguments.model);
    let text = match is_standard_input(&arguments.model) {
        true => bounded(io::stdin().lock()),
        false => read(&arguments.model),
    };
    Ok(ModelInput {
        text: text.map_err(|e| unreadable(&path, &e))?,
        path,
        defines: arguments.define.clone(),
        dialect: arguments.dialect,
        read,
    })
}

/// Reads and verifies a model of which the number of threads is known.
pub fn bounded_model(
    arguments: &ModelArguments,
    properties: Vec<PropertyInput>,
    console: &Console,
) -> Result<LoadedModel, Failure> {
    let loaded = model(arguments, properties, console)?;
    match loaded.has_every_number_of_threads() {
        false => Ok(loaded),
        true => Err(Failure::Command(
            "only `mandala check` takes every number of threads: add `--max-threads N`".into(),
        )),
    }
}

/// Whether that is standard input rather than a file.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How the model is called. What standard input includes is looked for in the current folder.
pub fn name(path: &Path) -> PathBuf {
    match is_standard_input(path) {
        true => PathBuf::from(STANDARD_INPUT),
        false => path.to_path_buf(),
    }
}

/// Why a model cannot be read.
pub fn refused(error: LoadError, console: &Console) -> Failure {
    match error {
        LoadError::Wrong {
            diagnostics,
            sources,
        } => wrong_model(&diagnostics, &sources, console),
        LoadError::Option(what) => Failure::Command(what),
        LoadError::Defect(what) => Failure::Defect(what),
    }
}

/// The model is wrong, for these reasons.
pub fn wrong_model(findings: &[Diagnostic], sources: &Sources, console: &Console) -> Failure {
    Failure::Model {
        shown: diagnostics::render(findings, sources, console.error_colour()),
        findings: findings.iter().map(|d| finding(d, sources)).collect(),
    }
}

fn finding(diagnostic: &Diagnostic, sources: &Sources) -> Finding {
    Finding {
        severity: diagnostic.severity.to_string(),
        message: diagnostic.message.clone(),
        place: present::place(sources, diagnostic.span),
    }
}

/// Reads a document that `mandala check --json` wrote.
pub fn document(path: &Path) -> Result<Document, Failure> {
    let text = text(path)?;
    json::read(&text)
        .map_err(|error| Failure::Command(format!("cannot use `{}`: {error}", path.display())))
}

/// The text of a file, or why there is none.
pub fn text(path: &Path) -> Result<String, Failure> {
    read(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::Io(format!("cannot read `{}`: {error}", path.display()))
}

/// The text of a file. Bytes that are no text (old models have them in comments) are replaced; where
/// they matter, the front end says so with their place.
pub fn read(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    bounded(file)
}

fn bounded(input: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is too large to be a model"));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}
