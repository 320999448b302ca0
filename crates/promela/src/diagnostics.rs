//! Collects diagnostics: no repetition, and an end to them.

use crate::limits;
use mandala_model::diagnostic::{Diagnostic, Severity};
use mandala_model::source::Span;
use std::collections::HashSet;

/// The findings so far.
#[derive(Default)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: HashSet<(Span, String)>,
    errors: usize,
    gave_up: bool,
}

/// A position in the list to which it can be cut back.
pub(crate) struct Mark(usize, usize);

impl Diagnostics {
    /// Adds a finding unless it was already reported: an inline that is called twice is wrong once.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.gave_up
            || !self
                .seen
                .insert((diagnostic.span, diagnostic.message.clone()))
        {
            return;
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        let span = diagnostic.span;
        self.list.push(diagnostic);
        if self.errors >= limits::ERRORS {
            self.give_up(
                span,
                format!(
                    "there are {} errors, so the rest is left out",
                    limits::ERRORS
                ),
            );
        }
    }

    /// Adds an error after which nothing else is worth reporting.
    pub(crate) fn give_up(&mut self, span: Span, message: impl Into<String>) {
        if !self.gave_up {
            self.list.push(Diagnostic::error(span, message));
            self.gave_up = true;
        }
    }

    /// True after [`Diagnostics::give_up`]: stop at the next occasion.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Remembers the current findings.
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.list.len(), self.errors)
    }

    /// Forgets what was found since the mark, for a parse that is tried again in another way.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        if self.gave_up {
            return;
        }
        for forgotten in self.list.drain(mark.0..) {
            self.seen.remove(&(forgotten.span, forgotten.message));
        }
        self.errors = mark.1;
    }

    /// Adds a place that matters to everything found since the mark.
    pub(crate) fn relate_since(&mut self, mark: &Mark, span: Span, what: &str) {
        for diagnostic in self.list.iter_mut().skip(mark.0) {
            diagnostic.related.push((span, what.to_string()));
        }
    }

    /// All findings in the order in which they were made.
    pub(crate) fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}
