//! The outcome of a search, and its progress.

use crate::options::SearchError;
use mandala_encoding::Coverage;
use mandala_engine::ViolationCounts;
pub use mandala_engine::{Extent, Limit, ReductionStatistics, Statistics, TimeSplit};
use mandala_model::State;
use mandala_model::step::{Fault, Violation};
use mandala_store::Omissions;
use mandala_symmetry::Renaming;
use mandala_temporal::Ctl;
use std::time::Duration;

/// What a search has found. It is a claim: a counterexample is believed once it has been replayed.
#[derive(Clone, Debug)]
pub struct ExplicitOutcome {
    /// Whether something is wrong.
    pub claim: Claim,
    /// How much of the state space was looked at.
    pub extent: Extent,
    /// The first violation that was met, and how to get there.
    pub evidence: Option<Evidence>,
    /// If the search went on after that: the first violation of each other attribution, in the order in which they were met
    /// ([`mandala_model::step::Attribution`]).
    pub further: Vec<Evidence>,
    /// How many violations were met, each way to each of them counted, by whose they are.
    pub violations: ViolationCounts,
    /// Numbers.
    pub statistics: Statistics,
    /// What the packed states alone take, in bytes.
    pub packed_bytes: u64,
    /// What finding representatives took. What they are representatives of, only their makers know.
    pub reduction: ReductionStatistics,
    /// What a store that is not exact may have passed over.
    pub omissions: Option<Omissions>,
    /// Which parts of the model were reached.
    pub reached: Coverage,
    /// Whether an atomic sequence was met that can repeat forever. A search that is resumed from a checkpoint does not know what was met before.
    pub has_atomic_cycle: bool,
    /// How many states each level has, breadth first; none depth first.
    pub levels: Vec<u64>,
    /// An answer to each question of the options. Empty if they were not looked at: after a search that is not complete or not
    /// exact, or in which something is wrong, or of states as they were met.
    pub answers: Vec<Answer>,
    /// How many states there may be in all, if the search was breadth first and ended before everything was
    /// looked at.
    pub estimate: Option<Estimate>,
    /// Whether the last checkpoint is of where the search has ended.
    pub is_written_down: bool,
    /// Why a checkpoint could not be written, if that happened.
    pub checkpoint_error: Option<SearchError>,
}

/// What is known about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds. A run that shows it, if one can.
    Holds(Option<Shown>),
    /// It does not hold, as this run shows.
    Fails(Shown),
    /// A limit was reached before that was known.
    Unknown(Limit),
    /// In some state it cannot be told whether a proposition holds.
    Fault(Fault),
}

/// A run that shows something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// How its states are met.
    pub path: Vec<Visit>,
    /// For an infinite run: how the states of its cycle are met, once. None if the last one repeats.
    pub cycle: Option<Vec<Visit>>,
    /// If it ends: what is to be known of its end, and whether it is so there.
    pub fact: Option<(Ctl, bool)>,
    /// The instance that it is about, if the question is asked of several; otherwise the first.
    pub instance: u32,
}

/// Whether something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Nothing in what was looked at.
    NoViolation,
    /// Something is.
    Violated,
}

impl Claim {
    pub(crate) fn of(evidence: Option<&Evidence>) -> Self {
        match evidence {
            Some(_) => Claim::Violated,
            None => Claim::NoViolation,
        }
    }
}

/// A violation and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// How the stored states were met, from the start to the one in which, or in a step from which, the
    /// violation is. Empty if not even the start can be reached.
    pub path: Vec<Visit>,
    /// For an infinite run: how the states of its cycle are met, once. The last of them is
    /// represented by what represents the last one of the path.
    pub cycle: Vec<Visit>,
    /// What is wrong.
    pub violation: Violation,
}

/// A state as it was met in a step from the state that was expanded for the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The state.
    pub state: State,
    /// What makes it the state that was expanded for it.
    pub witness: Renaming,
}

/// How many states there may be in all, judged from a part of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Hardly fewer than this.
    pub least: u64,
    /// Probably not more than this; nothing if nothing can be said yet.
    pub most: Option<u64>,
}

/// Numbers about a search that goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// How many states are stored.
    pub states: u64,
    /// How many times a stored state was arrived at.
    pub transitions: u64,
    /// The depth of the state that was expanded last.
    pub depth: u32,
    /// How many states wait to be expanded.
    pub waiting: u64,
    /// How much memory states, frontier and the moves between two states take.
    pub bytes: u64,
    /// The part of that which is not the states.
    pub frontier_bytes: u64,
    /// For how long the search has been going on.
    pub elapsed: Duration,
    /// How many states there may be in all, if anything can be said about it.
    pub estimate: Option<Estimate>,
}
