//! The error that a reader of automata returns.

use std::fmt;
use std::ops::Range;

/// The reason why a text is no automaton, or none that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// What is wrong.
    pub message: String,
    /// Where, in bytes of the text.
    pub place: Range<usize>,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.place.start)
    }
}

impl std::error::Error for HoaError {}

pub(super) type Reading<T> = Result<T, HoaError>;
