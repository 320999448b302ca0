//! What is known of a question about probabilities or expected rewards.

/// How well values are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// How far the upper bound of a value may be from the lower one, as a part of that.
    pub relative: f64,
    /// In which numbers.
    pub numbers: Numbers,
}

/// It is a number.
impl Eq for Precision {}

impl Default for Precision {
    fn default() -> Self {
        Precision {
            relative: 1e-6,
            numbers: Numbers::Bounds,
        }
    }
}

/// In which numbers values are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// Floating-point numbers rounded outwards: bounds.
    Bounds,
    /// Exact rational numbers.
    Exact,
}

/// A value, known to be between two numbers. What is infinite is infinite in both.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// It is not less than this.
    pub lower: f64,
    /// It is not more than this.
    pub upper: f64,
    /// The number as a fraction, or `infinity`, if it is known exactly.
    pub exact: Option<String>,
}

/// An answer to a question about probabilities.
#[derive(Clone, Debug, PartialEq)]
pub enum Valued {
    /// What was asked about holds, or does not.
    Truth(bool),
    /// A value.
    Amount(Amount),
    /// The least and the greatest value, where there are several.
    Range(Amount, Amount),
    /// Not decided, why, and the least and the greatest value as far as they are known.
    Unknown(String, Option<(Amount, Amount)>),
}
