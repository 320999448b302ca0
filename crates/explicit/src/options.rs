//! What a search is told.

use mandala_model::step::Violation;
use std::fmt;
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

/// Which state of an orbit is expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Expand {
    /// The representative (figure 3 of Bošnački, Dams and Holenderski).
    #[default]
    Representatives,
    /// The state that was met first (figure 4), which is kept beside its representative.
    Originals,
}

impl Expand {
    /// Both.
    pub const ALL: [Expand; 2] = [Expand::Representatives, Expand::Originals];
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

/// Which violations count: others are passed over, and the search goes on.
#[derive(Clone)]
pub struct Concerns(Arc<dyn Fn(&Violation) -> bool>);

impl Concerns {
    /// Those that satisfy a test.
    pub fn new(test: impl Fn(&Violation) -> bool + 'static) -> Self {
        Concerns(Arc::new(test))
    }

    pub(crate) fn include(&self, violation: &Violation) -> bool {
        (self.0)(violation)
    }
}

impl Default for Concerns {
    /// All of them.
    fn default() -> Self {
        Concerns::new(|_| true)
    }
}

impl fmt::Debug for Concerns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Concerns")
    }
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
    /// How many bytes for states, frontier and the moves between two states.
    pub memory: Option<usize>,
}

/// What a search is told.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// In which order states are expanded.
    pub order: Order,
    /// Which state of an orbit is expanded.
    pub expand: Expand,
    /// What happens at a violation.
    pub on_violation: OnViolation,
    /// Which violations count.
    pub concerns: Concerns,
    /// How far it may go.
    pub limits: Limits,
    /// Ends the search soon after somebody sets it.
    pub cancel: Option<Arc<AtomicBool>>,
}
