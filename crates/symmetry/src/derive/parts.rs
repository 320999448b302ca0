//! The parts of a model that types decide, in numbers.

/// Parts of a model: its edges, monitors, functions, conditions on moves, conditions that are asked, and the first values of variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Those in which every rule holds for all domains that were proposed, or that are over before a symmetry begins.
    pub decided: usize,
    /// All there are.
    pub all: usize,
}
