//! The refusal to translate a formula whose automaton would be out of reach.

use std::error::Error;
use std::fmt;

/// The formula is so large that its automaton would be out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex;

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the formula is too complex to be translated into an automaton")
    }
}

impl Error for TooComplex {}
