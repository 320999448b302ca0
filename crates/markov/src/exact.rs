//! A number that is known exactly, or infinite.

use dashu_ratio::RBig;

/// A number that is not negative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exact {
    /// That number.
    Finite(RBig),
    /// More than any number.
    Infinite,
}

impl Exact {
    /// The number, if it is finite.
    #[must_use]
    pub fn finite(&self) -> Option<&RBig> {
        match self {
            Exact::Finite(number) => Some(number),
            Exact::Infinite => None,
        }
    }

    /// The result of an operation on finite numbers; infinite if one of them is.
    pub(crate) fn with(&self, other: &Exact, operation: impl Fn(&RBig, &RBig) -> RBig) -> Exact {
        match (self, other) {
            (Exact::Finite(left), Exact::Finite(right)) => Exact::Finite(operation(left, right)),
            _ => Exact::Infinite,
        }
    }
}
