//! How errors travel: the first one in a part of the model ends that part, and the next part is looked at.

use crate::limits;
use mandala_model::diagnostic::{Diagnostic, has_errors};
use mandala_model::source::Span;

/// A result, or what is wrong with the model. Boxed, because diagnostics are large and rare.
pub(crate) type Fallible<T> = Result<T, Box<Diagnostic>>;

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

/// The findings so far.
#[derive(Default)]
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
}

impl Findings {
    /// What came of a part; what is wrong with it is noted, as long as there is not too much already.
    pub(crate) fn note<T>(&mut self, result: Fallible<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                if self.list.len() < limits::ERRORS {
                    self.list.push(*error);
                }
                None
            }
        }
    }

    /// Whether something is wrong.
    pub(crate) fn has_errors(&self) -> bool {
        has_errors(&self.list)
    }

    /// All findings in the order of their places.
    pub(crate) fn into_vec(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| d.span);
        self.list
    }
}
