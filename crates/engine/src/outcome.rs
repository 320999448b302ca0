//! The outcome of a search: what it has found, and what it took.

use crate::coverage::Reached;
use crate::evidence::{Branching, Evidence, Possibility};
use crate::value::Valued;
use crate::violations::ViolationCounts;
use mandala_model::ids::PropertyId;
use mandala_prepare::Asymmetry;
use mandala_store::Omissions;
use std::time::Duration;

/// What a search has found. Still a claim: nothing of it is shown before it is replayed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The first violation that it met, and how to get there.
    pub evidence: Option<Evidence>,
    /// If it went on after that: the first violation of each other attribution. A search that is complete has met no others.
    pub further: Vec<Evidence>,
    /// How many violations it met, by whose they are.
    pub violations: ViolationCounts,
    /// Size and cost.
    pub statistics: Statistics,
    /// How many states each level has, the first one first; none if it did not go level by level. A level that it did not come to the end of is not among them.
    pub levels: Vec<u64>,
    /// How much of the state space it has seen.
    pub extent: Extent,
    /// Which parts of the model were reached.
    pub reached: Reached,
    /// What the use of symmetry took; nothing if none was used.
    pub reduction: Option<ReductionStatistics>,
    /// What the store may have passed over; nothing if it is exact.
    pub omissions: Option<Omissions>,
    /// How many states there may be in all: at least, and probably at most. Nothing if all were visited, or nothing
    /// can be said.
    pub estimate: Option<(u64, Option<u64>)>,
    /// Whether the last checkpoint is of where the search has ended.
    pub is_written_down: bool,
    /// Why a checkpoint could not be written, if that happened.
    pub no_checkpoint: Option<String>,
    /// Whether what must stay possible does, as far as the engine has decided that.
    pub possible: Vec<(PropertyId, Possibility)>,
    /// What is known of the formula of computation tree logic that was asked about, if one was.
    pub branching: Option<Branching>,
    /// What is known of the question about probabilities that was asked, if one was.
    pub value: Option<Valued>,
    /// Whether it went depth first, whatever was asked for, since it searched for accepting cycles.
    pub depth_first: bool,
    /// Whether it met an atomic sequence that need not end; nothing if it does not know.
    pub endless: Option<bool>,
}

impl Outcome {
    /// The outcome of a search that has found nothing.
    pub fn nothing(extent: Extent, reached: Reached) -> Self {
        Outcome {
            evidence: None,
            further: Vec::new(),
            violations: ViolationCounts::default(),
            statistics: Statistics::default(),
            levels: Vec::new(),
            extent,
            reached,
            reduction: None,
            omissions: None,
            estimate: None,
            is_written_down: false,
            no_checkpoint: None,
            possible: Vec::new(),
            branching: None,
            value: None,
            depth_first: false,
            endless: None,
        }
    }
}

/// How much of the state space a search has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Every reachable state.
    Complete,
    /// What came before the first violation.
    FirstViolation,
    /// What came before a limit.
    Limited(Limit),
}

/// Why something is not known. Numbers that a user has stated are in the limits of the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// As many states as allowed.
    States,
    /// Some states as deep as allowed were not expanded.
    Depth,
    /// As long as allowed.
    Time,
    /// As many bytes as allowed, or as there are.
    Memory,
    /// More states than the store can number.
    StateNumbers,
    /// A state is too large to be stored.
    StateSize,
    /// No memory for more decision diagrams.
    Diagrams,
    /// An atomic sequence has more steps than this engine follows.
    AtomicSteps {
        /// How many it follows.
        most: u64,
    },
    /// An atomic sequence need not end, and a run that stays inside of it is not considered.
    EndlessAtomic,
    /// In some state a condition of the automaton has no value.
    NoValueOfAutomaton,
    /// In some state a condition of the formula has no value.
    NoValueOfFormula,
    /// In some state a monitored condition fails.
    NoValueOfGoal,
    /// Infinite runs are not considered with these settings.
    InfiniteRuns,
    /// The user wants it to end.
    Cancelled,
}

impl Extent {
    /// Whether the search can go on with more time, more memory or more depth.
    pub fn is_resumable(self) -> bool {
        match self {
            Extent::Complete | Extent::FirstViolation => false,
            Extent::Limited(limit) => matches!(
                limit,
                Limit::States | Limit::Depth | Limit::Time | Limit::Memory | Limit::Cancelled
            ),
        }
    }
}

/// Size and cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// States stored.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// How many steps were made: one may stand for several that lead to the same representative.
    pub fired: u64,
    /// States that were expanded.
    pub expanded: u64,
    /// Those of them that were expanded by native code.
    pub expanded_natively: u64,
    /// Those of them of which only an ample set of steps was expanded.
    pub expanded_partly: u64,
    /// How many first moves of steps were left out there.
    pub left_out: u64,
    /// How deep it went.
    pub depth: u64,
    /// How long it took.
    pub time: Duration,
    /// How many threads searched.
    pub workers: u32,
    /// Where their time went, as parts of the time that it took, if that is known.
    pub split: Option<TimeSplit>,
    /// Most memory in use.
    pub peak_bytes: u64,
    /// Memory for each stored state.
    pub bytes_per_state: f64,
    /// Numbers about decision diagrams, if there are any.
    pub diagrams: Option<DiagramStatistics>,
    /// Numbers about the Markov chain or decision process that the graph of all states was read as, if it was.
    pub chance: Option<ChanceStatistics>,
}

impl Statistics {
    /// How many states were stored in a second.
    pub fn states_per_second(&self) -> f64 {
        self.states as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// How many successors a state has on average.
    pub fn branching(&self) -> f64 {
        self.transitions as f64 / self.expanded.max(1) as f64
    }
}

/// Where the time of the workers went, estimated from samples: shares of the time of all workers, as seconds of the search. So all parts
/// together are not longer than the search, whatever the number of workers. What is missing to its time went into the frontier, into
/// waiting and into looking after limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeSplit {
    /// Finding successors and packing them.
    pub expand: f64,
    /// Finding representatives.
    pub canonicalise: f64,
    /// Reading, looking up and storing states.
    pub store: f64,
}

impl std::ops::AddAssign for TimeSplit {
    fn add_assign(&mut self, other: TimeSplit) {
        self.expand += other.expand;
        self.canonicalise += other.canonicalise;
        self.store += other.store;
    }
}

/// Numbers about decision diagrams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagramStatistics {
    /// How many states there are.
    pub states: u128,
    /// How many steps.
    pub transitions: u128,
    /// How many bits a state has.
    pub bits: u64,
    /// How many nodes the set of reachable states has.
    pub nodes: u64,
}

/// Numbers about a Markov chain or decision process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChanceStatistics {
    /// How many choices its states have.
    pub choices: u64,
    /// How many branches these have.
    pub branches: u64,
    /// How many states runs start in.
    pub starts: u64,
}

/// What the use of symmetry took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReductionStatistics {
    /// For how many states a representative was computed; none if that was done for whole sets.
    pub states: u64,
    /// How many of the stored representatives may not be the only ones of their orbits.
    pub not_canonical: u64,
    /// How long it took, as a part of the time of the search.
    pub time: Duration,
    /// How many states the representatives stand for, if that is known.
    pub images: Option<u64>,
    /// The array that states were sorted by, if they were.
    pub main_array: Option<String>,
    /// What is interchangeable but was not exchanged in some states, and why.
    pub left_out: Vec<(String, String)>,
    /// How far the model is from being symmetric, if that was the question.
    pub asymmetry: Option<Asymmetry>,
}
