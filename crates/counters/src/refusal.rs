//! Why there is no counter program.

use mandala_model::source::Span;

/// What stands in the way of counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What it is, in words.
    pub what: String,
    /// Where it stands, if it stands somewhere.
    pub span: Option<Span>,
}

impl Refused {
    /// Something about the model as a whole.
    pub(crate) fn whole(what: impl Into<String>) -> Self {
        Refused {
            what: what.into(),
            span: None,
        }
    }

    /// Something at one place.
    pub(crate) fn at(span: Span, what: impl Into<String>) -> Self {
        Refused {
            what: what.into(),
            span: Some(span),
        }
    }
}
