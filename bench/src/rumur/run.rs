//! The answers of both tools about a model.

/// A search that is complete.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// Seconds from the command to the verdict, by the clock that was asked for.
    pub seconds: f64,
    /// Of these, the seconds of the program that searches: without the translation of the model to C, and of that to machine code by others.
    pub searching: f64,
    /// The bytes that the program which searches held at most.
    pub peak: u64,
    /// States stored.
    pub states: u64,
    /// Rules fired.
    pub rules: u64,
    /// Whether everything holds that the model claims, if that is known.
    pub holds: Option<bool>,
    /// Whether there is a symmetry that was used.
    pub reduced: bool,
}
