//! Reading models and documents from the disk.

use crate::args::ModelArguments;
use crate::console::Console;
use crate::exit::Failure;
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput};
use mandala_report::{Document, diagnostics, json};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Larger files are not models.
const LARGEST: u64 = 256 << 20;

/// Reads and verifies the model that was named.
pub fn model(arguments: &ModelArguments, console: &Console) -> Result<LoadedModel, Failure> {
    let input = ModelInput {
        path: arguments.model.clone(),
        text: read(&arguments.model).map_err(|e| unreadable(&arguments.model, &e))?,
        defines: arguments.define.clone(),
        read,
    };
    frontend::load(input).map_err(|error| refused(error, console))
}

fn refused(error: LoadError, console: &Console) -> Failure {
    match error {
        LoadError::Wrong {
            diagnostics,
            sources,
        } => Failure::Model(diagnostics::render(
            &diagnostics,
            &sources,
            console.error_colour(),
        )),
        LoadError::Defect(what) => Failure::Defect(what),
    }
}

/// Reads a document that `mandala check --json` wrote.
pub fn document(path: &Path) -> Result<Document, Failure> {
    let text = read(path).map_err(|e| unreadable(path, &e))?;
    json::read(&text)
        .map_err(|error| Failure::Command(format!("cannot use `{}`: {error}", path.display())))
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
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is too large to be a model"));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}
