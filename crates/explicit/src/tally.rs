//! Counters of a search, and where a violation is: plain data that workers make and the coordinator adds up.

use crate::findings::Cause;
use mandala_engine::ViolationCounts;
use mandala_store::StateRef;

/// Arriving at the start counts as one transition, whatever comes of it.
pub(crate) const START: u64 = 1;

/// The counters of one worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// States that were taken from the frontier.
    pub taken: u64,
    /// Those of them that were expanded: not too deep.
    pub expanded: u64,
    /// Steps from those. One that was made may stand for several.
    pub transitions: u64,
    /// Steps that were made.
    pub fired: u64,
    pub violations: ViolationCounts,
    /// Stored states that may not be the only representatives of their orbits.
    pub not_canonical: u64,
    /// The depth of the deepest state that was taken.
    pub depth: u32,
    /// Whether some state was too deep to be expanded.
    pub cut: bool,
    /// States of which partial-order reduction has left out successors.
    pub reduced: u64,
    /// First moves of steps from those that were left out.
    pub omitted: u64,
}

impl Tally {
    /// Adds the counters of another worker.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.taken += other.taken;
        self.expanded += other.expanded;
        self.transitions += other.transitions;
        self.fired += other.fired;
        self.violations.add(&other.violations);
        self.not_canonical += other.not_canonical;
        self.depth = self.depth.max(other.depth);
        self.cut |= other.cut;
        self.reduced += other.reduced;
        self.omitted += other.omitted;
    }
}

/// A state in which, or in a step from which, there is a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// What it is kept for; always the same if one violation is enough.
    pub cause: Cause,
    pub state: StateRef,
    pub packed: Vec<u8>,
    pub depth: u32,
    /// The number of the violation among those of the state.
    pub nth: usize,
    /// The states from the start to this one, if the frontier knows them.
    pub path: Vec<StateRef>,
}

/// A violation that is shown, and the path to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counterexample {
    /// What it is shown for; always the same if one violation is enough.
    pub cause: Cause,
    /// The states from the start to it.
    pub path: Vec<StateRef>,
    /// Whether the violation comes before the start is reached.
    pub at_start: bool,
    /// The number of the violation among those that are told there.
    pub nth: usize,
}
