//! The errors of the library: reasons why there is no model, or no report.

use mandala_checker::Refusal;
use mandala_checker::frontend::{LoadError, LoadedModel};
use mandala_checker::run::{CheckError, EngineError};
use mandala_report::{Colour, diagnostics};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why there is no model, or no report.
#[derive(Debug)]
pub enum Error {
    /// A file cannot be read.
    File(PathBuf, io::Error),
    /// The model is wrong: the messages, each with its place in the text.
    Model(String),
    /// What is asked for does not make sense, or is not supported for this model.
    Request(String),
    /// A defect of Mandala itself.
    Defect(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            Error::Model(text) => f.write_str(text.trim_end()),
            Error::Request(what) => f.write_str(what),
            Error::Defect(what) => write!(f, "internal error of mandala: {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File(_, error) => Some(error),
            Error::Model(_) | Error::Request(_) | Error::Defect(_) => None,
        }
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Wrong {
                diagnostics,
                sources,
            } => Error::Model(diagnostics::render(&diagnostics, &sources, Colour::Off)),
            LoadError::Option(what) => Error::Request(what),
            LoadError::Defect(what) => Error::Defect(what),
        }
    }
}

/// The error of a check of that model.
pub(crate) fn of_check(refusal: Refusal, loaded: &LoadedModel) -> Error {
    let wrong =
        |found: &[_]| Error::Model(diagnostics::render(found, &loaded.sources, Colour::Off));
    match refusal {
        Refusal::Symmetry(refused) => wrong(&refused.diagnostics),
        Refusal::Check(CheckError::NoRun(why)) => wrong(std::slice::from_ref(&why)),
        Refusal::Plan(error) => Error::Request(error.to_string()),
        Refusal::Check(
            error @ (CheckError::Defect(_) | CheckError::Engine(EngineError::Defect(_))),
        ) => Error::Defect(error.to_string()),
        Refusal::Check(error @ (CheckError::Engine(_) | CheckError::NotShown(_))) => {
            Error::Request(error.to_string())
        }
    }
}
