//! The errors of engines: reasons why there is no outcome.

use mandala_model::source::Span;
use std::fmt;

/// Why an engine gives no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The engine cannot carry this model, though the model is right.
    Unsupported(String),
    /// The engine does not take something in this model, which others do.
    NotTaken {
        /// What it is, in words.
        what: String,
        /// Where it stands, if it stands somewhere.
        span: Option<Span>,
    },
    /// The reduction strategy cannot be used as wished on this model.
    Strategy(String),
    /// The search cannot be made as wished, or cannot go on.
    Search(String),
    /// The engine contradicts itself or the reference interpreter.
    Defect(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Unsupported(what) => write!(f, "this model is out of reach: {what}"),
            EngineError::NotTaken { what, .. }
            | EngineError::Strategy(what)
            | EngineError::Search(what)
            | EngineError::Defect(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for EngineError {}
