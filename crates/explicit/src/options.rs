//! What a search is told.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Level by level, so that the first counterexample is a shortest one.
    #[default]
    BreadthFirst,
    /// Deepest first.
    DepthFirst,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 2] = [Order::BreadthFirst, Order::DepthFirst];
}

/// What happens at a violation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnViolation {
    /// The search ends.
    #[default]
    Stop,
    /// It is counted and the search goes on.
    Continue,
}

/// Whether a deadlock is a violation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Deadlocks {
    /// It is.
    #[default]
    Report,
    /// It is not.
    Ignore,
}

/// How far a search may go. Nothing means that there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How many states.
    pub states: Option<usize>,
    /// How many steps from the start.
    pub depth: Option<u32>,
    /// How long.
    pub time: Option<Duration>,
    /// How many bytes for states and frontier.
    pub memory: Option<usize>,
}

/// What a search is told.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// In which order states are expanded.
    pub order: Order,
    /// What happens at a violation.
    pub on_violation: OnViolation,
    /// Whether a deadlock is a violation.
    pub deadlocks: Deadlocks,
    /// How far it may go.
    pub limits: Limits,
    /// Ends the search soon after somebody sets it.
    pub cancel: Option<Arc<AtomicBool>>,
}
