//! The reasons why a symmetry is not certified, in words.

use crate::budget::ProofPart;
use mandala_model::Diagnostic;
use mandala_model::source::{Sources, Span};
use std::fmt;

/// One reason why a candidate is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Where the symmetry breaks, if it is at one place.
    pub span: Option<Span>,
    /// What breaks it: a sentence about that place, without a full stop.
    pub message: String,
    /// Other places that matter, and what is there.
    pub related: Vec<(Span, String)>,
    /// Whether a budget ended before this was found out: then nothing is known to be broken.
    pub undecided: bool,
}

impl Breach {
    /// A breach at a place.
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Self {
        Breach {
            span: Some(span),
            message: message.into(),
            related: Vec::new(),
            undecided: false,
        }
    }

    /// A breach of the whole.
    pub(crate) fn everywhere(message: impl Into<String>) -> Self {
        Breach {
            span: None,
            message: message.into(),
            related: Vec::new(),
            undecided: false,
        }
    }

    /// A breach that is nobody's fault: there are too many ways to look at them all.
    pub(crate) fn too_complex(span: Span, text: &str) -> Self {
        Breach::at(
            span,
            format!("too many ways to be looked at one by one: {text}"),
        )
    }

    /// The same, where a larger budget would help.
    pub(crate) fn too_many_ways(span: Span, text: &str) -> Self {
        let why = format!(
            "not decided: too many ways through {text} for the budget of one statement (`--proof-effort` raises it)"
        );
        Breach {
            undecided: true,
            ..Breach::at(span, why)
        }
    }

    /// The budget ended before it was found out, at that part.
    pub(crate) fn out_of_budget(part: Option<&ProofPart>) -> Self {
        let what = part.map_or("an earlier part", |part| &part.what);
        let message = format!(
            "not decided: the budget of the proof ended at {what} (`--proof-effort` raises it)"
        );
        Breach {
            span: part.and_then(|part| part.span),
            undecided: true,
            ..Breach::everywhere(message)
        }
    }

    pub(crate) fn and(mut self, span: Span, what: impl Into<String>) -> Self {
        self.related.push((span, what.into()));
        self
    }

    /// In the words of a report: `line 12 compares ..`.
    pub fn describe(&self, sources: &Sources) -> String {
        let line = |span: Span| sources.location(span).line;
        let mut text = match self.span {
            Some(span) => format!("line {}: {}", line(span), self.message),
            None => self.message.clone(),
        };
        for (span, what) in &self.related {
            text.push_str(&format!("; line {}: {what}", line(*span)));
        }
        text
    }

    /// As an error about the source text, if it is about a place.
    pub fn to_diagnostic(&self) -> Option<Diagnostic> {
        let mut diagnostic = Diagnostic::error(self.span?, self.message.clone());
        diagnostic.related = self.related.clone();
        Some(diagnostic)
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
