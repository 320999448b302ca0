//! The errors of this crate: input that is not well formed.

use std::fmt;

/// Why a permutation or a group could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupError {
    /// The images are not a rearrangement of 0..n: this point is hit twice or lies outside.
    NotAPermutation {
        /// The offending image.
        point: u32,
    },
    /// Two things that act on different numbers of points were combined.
    DegreeMismatch {
        /// The number of points that was needed.
        expected: usize,
        /// The number of points that was given.
        found: usize,
    },
    /// A point is not below the degree.
    PointOutOfRange {
        /// The offending point.
        point: u32,
        /// The number of points.
        degree: usize,
    },
    /// A search was given up because it would not end in reasonable time or memory.
    SearchLimit {
        /// How many possibilities had been met.
        possibilities: usize,
    },
    /// A text is not in cycle notation.
    CycleSyntax {
        /// Byte offset in the text.
        offset: usize,
        /// What was wrong there.
        problem: String,
    },
}

impl fmt::Display for GroupError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupError::NotAPermutation { point } => {
                write!(
                    out,
                    "not a permutation: image {point} is repeated or out of range"
                )
            }
            GroupError::DegreeMismatch { expected, found } => {
                write!(out, "expected {expected} points, found {found}")
            }
            GroupError::PointOutOfRange { point, degree } => {
                write!(out, "point {point} is not below the degree {degree}")
            }
            GroupError::SearchLimit { possibilities } => {
                write!(
                    out,
                    "the search was given up after {possibilities} possibilities"
                )
            }
            GroupError::CycleSyntax { offset, problem } => {
                write!(out, "cycle notation, offset {offset}: {problem}")
            }
        }
    }
}

impl std::error::Error for GroupError {}
