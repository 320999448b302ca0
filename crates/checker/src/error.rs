//! The errors with which a check ends instead of an answer.

use mandala_engine::EngineError;
use mandala_model::Diagnostic;
use mandala_model::source::Sources;
use std::fmt;

/// The reason why a check gives no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The engine gives none.
    Engine(EngineError),
    /// No run of the model begins, so every property would hold of it.
    NoRun(Box<Diagnostic>),
    /// A run was found, but it would take too much to show it.
    NotShown(String),
    /// The engine and the interpreter disagree, or a rewrite is wrong: the answer cannot be trusted, so there is none.
    Defect(String),
}

impl From<EngineError> for CheckError {
    fn from(error: EngineError) -> Self {
        CheckError::Engine(error)
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Engine(error) => error.fmt(f),
            CheckError::NoRun(why) => f.write_str(&why.message),
            CheckError::NotShown(what) | CheckError::Defect(what) => f.write_str(what),
        }
    }
}

impl CheckError {
    /// The same with its place in words.
    pub(crate) fn located(self, sources: &Sources) -> Self {
        match self {
            CheckError::Engine(EngineError::NotTaken {
                what,
                span: Some(span),
            }) => CheckError::Engine(EngineError::NotTaken {
                what: format!("{what} ({})", sources.location(span)),
                span: Some(span),
            }),
            other => other,
        }
    }
}
