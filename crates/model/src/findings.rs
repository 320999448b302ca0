//! Errors of a front end: the first one in a part of the model ends that part, and they are collected until there are
//! so many that more would not help.

use crate::diagnostic::{Diagnostic, Severity, has_errors};
use crate::source::Span;

/// Errors that are reported before the rest of the model is given up.
const ERRORS: usize = 50;

/// A result, or what is wrong with the model. Boxed, because diagnostics are large and rare.
pub type Fallible<T> = Result<T, Box<Diagnostic>>;

/// Fails with that diagnostic.
pub fn fail<T>(diagnostic: Diagnostic) -> Fallible<T> {
    Err(Box::new(diagnostic))
}

/// An error without more to say.
pub fn error(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, message))
}

/// An error with a way to mend it.
pub fn error_help(
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, message).with_help(help))
}

/// The findings so far: no repetition, and an end to them.
#[derive(Default)]
pub struct Findings {
    list: Vec<Diagnostic>,
}

impl Findings {
    /// Adds a finding, unless the same was found at the same place or there are enough.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| d.span == diagnostic.span && d.message == diagnostic.message;
        if !self.gave_up() && !self.list.iter().any(same) {
            self.list.push(diagnostic);
        }
    }

    /// What came of a part; what is wrong with it is added.
    pub fn note<T>(&mut self, result: Fallible<T>) -> Option<T> {
        result.map_err(|error| self.push(*error)).ok()
    }

    /// True after so many errors that more would not help.
    pub fn gave_up(&self) -> bool {
        let errors = self.list.iter().filter(|d| d.severity == Severity::Error);
        errors.count() >= ERRORS
    }

    /// Whether something is wrong.
    pub fn has_errors(&self) -> bool {
        has_errors(&self.list)
    }

    /// All findings in the order of their places.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| d.span);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[test]
    fn the_same_is_said_once_and_not_for_ever() {
        let at = |place| Span::new(FileId(0), place, place + 1);
        let mut findings = Findings::default();
        assert_eq!(findings.note(Ok(1)), Some(1));
        assert!(!findings.has_errors());
        for place in [7, 3, 7] {
            assert_eq!(findings.note::<()>(Err(error(at(place), "wrong"))), None);
        }
        for place in 10..10 + ERRORS {
            findings.push(Diagnostic::error(at(place), "wrong"));
        }
        assert!(findings.gave_up() && findings.has_errors());
        let places: Vec<u32> = findings.into_vec().iter().map(|d| d.span.start).collect();
        assert_eq!(places.len(), ERRORS);
        assert_eq!(places[..3], [3, 7, 10]);
    }
}
