//! An automaton as a file has it: guards on transitions, any number of acceptance sets.

use crate::guard::Guard;

/// Names of acceptance sets, in the order of their numbers.
pub(super) type Sets = Vec<bool>;

/// A transition as it is read.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub guard: Guard,
    pub sets: Sets,
    pub target: usize,
}

/// A state as it is read: its sets count for all its transitions.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub sets: Sets,
    pub edges: Vec<Edge>,
}

/// A file as it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Raw {
    pub starts: Vec<usize>,
    /// How many sets a run has to visit infinitely often.
    pub sets: usize,
    pub rows: Vec<Row>,
}
