//! How errors travel: the first one in a part of the model ends that part.

use crate::limits;
use mandala_model::diagnostic::{Diagnostic, Severity};
use mandala_model::source::Span;

/// A result, or what is wrong with the model. Boxed, because diagnostics are large and rare.
pub(crate) type Fallible<T> = Result<T, Box<Diagnostic>>;

/// Fails with that diagnostic.
pub(crate) fn fail<T>(diagnostic: Diagnostic) -> Fallible<T> {
    Err(Box::new(diagnostic))
}

/// An error without more to say.
pub(crate) fn error(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, message))
}

/// An error with a way to mend it.
pub(crate) fn error_help(
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, message).with_help(help))
}

/// The findings so far: no repetition, and an end to them.
#[derive(Default)]
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
}

impl Findings {
    /// Adds a finding, unless the same was found at the same place or there are enough.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| d.span == diagnostic.span && d.message == diagnostic.message;
        if !self.gave_up() && !self.list.iter().any(same) {
            self.list.push(diagnostic);
        }
    }

    /// True after so many errors that more would not help.
    pub(crate) fn gave_up(&self) -> bool {
        self.list
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .count()
            >= limits::ERRORS
    }

    /// All findings in the order of their places.
    pub(crate) fn into_vec(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| d.span);
        self.list
    }
}
