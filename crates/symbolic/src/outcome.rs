//! The options and the outcome of a search on diagrams.

pub use crate::stop::Unsupported;
pub use mandala_engine::{
    AfterViolation, Branching, Extent, Limit, Manner, Possibility, SearchOrder, Witness,
};
use mandala_engine::{Goal, ViolationCounts};
use mandala_model::expr::Expr;
use mandala_model::ids::{ConditionId, EdgeId, MonitorId, NodeId, PropertyId};
use mandala_model::property::Ctl;
use mandala_model::step::Violation;
use mandala_model::{Model, State};
use mandala_symmetry::Certificate;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Whether a violation matters.
pub type Concerns<'a> = dyn Fn(&Violation) -> bool + Sync + 'a;

/// What is asked.
pub struct Options<'a> {
    /// In which order.
    pub order: SearchOrder,
    /// What happens after a violation.
    pub on_violation: AfterViolation,
    /// Which violations matter.
    pub concerns: &'a Concerns<'a>,
    /// No more states than that.
    pub states: Option<u64>,
    /// No deeper than that; only with [`SearchOrder::BreadthFirst`].
    pub depth: Option<u64>,
    /// No longer than that.
    pub time: Option<Duration>,
    /// Memory for the diagrams, in bytes.
    pub memory: u64,
    /// What must stay possible.
    pub goals: Vec<Goal>,
    /// A formula of computation tree logic that is asked about, if one is.
    pub formula: Option<Formula<'a>>,
    /// How symmetry is used, if it is.
    pub reduction: Option<Reduction<'a>>,
    /// Set by somebody who wants it to end.
    pub cancel: Arc<AtomicBool>,
}

/// A formula of computation tree logic.
#[derive(Clone, Debug)]
pub struct Formula<'a> {
    /// The formula.
    pub formula: &'a Ctl,
    /// The conditions that its propositions are, for each of its instances.
    pub instances: Vec<Vec<(ConditionId, Expr)>>,
}

/// How symmetry is used.
#[derive(Clone, Copy)]
pub struct Reduction<'a> {
    /// What is proven.
    pub certificate: &'a Certificate,
    /// In which manner.
    pub manner: Manner,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Rounds made.
    pub rounds: u64,
    /// Nodes in use.
    pub nodes: u64,
}

/// A run to where something is wrong. What exactly is for the interpreter to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicEvidence {
    /// The states of the run that a search remembers, in order. None if something is wrong before the first one.
    pub path: Vec<State>,
    /// What is wrong, or on a step from, the last state. The place is right; numbers in it may be others.
    pub violation: Violation,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct SymbolicOutcome {
    /// How it ended.
    pub extent: Extent,
    /// How many states were found, those that somebody holds not counted.
    pub states: u128,
    /// How many steps there are from them that do not go wrong.
    pub transitions: u128,
    /// How many states, or steps from states, have something wrong with them, by whose violation it is.
    pub violations: ViolationCounts,
    /// The first violation.
    pub evidence: Option<SymbolicEvidence>,
    /// If the search went on after that: a violation of each other attribution ([`mandala_model::step::Attribution`]).
    pub further: Vec<SymbolicEvidence>,
    /// How many rounds it took.
    pub rounds: u64,
    /// How many nodes there were in the end, and how many the reachable states take.
    pub nodes: (u64, u64),
    /// How many bits a state has.
    pub bits: u64,
    /// By template and location, whether some process was there.
    pub locations: Vec<Vec<bool>>,
    /// By template and edge, from how many states it was taken, by all processes together.
    pub edges: Vec<Vec<u128>>,
    /// The nodes of routines that were executed, by the edge; none are told of a system of rules.
    pub executed: Vec<(EdgeId, NodeId)>,
    /// The monitors that hold in some state.
    pub observed: Vec<MonitorId>,
    /// Whether what is certified was exchanged in all states that were found. If not, several may be left of an orbit in any manner.
    pub all_exchanged: bool,
    /// What is known of the goals, in their order; nothing if not everything was seen.
    pub possible: Vec<(PropertyId, Possibility)>,
    /// What is known of the formula that was asked about; nothing if not everything was seen, or something is wrong.
    pub branching: Option<Branching>,
}

impl SymbolicOutcome {
    /// Nothing was found.
    pub(crate) fn nothing(model: &Model, extent: Extent) -> Self {
        SymbolicOutcome {
            extent,
            states: 0,
            transitions: 0,
            violations: ViolationCounts::default(),
            evidence: None,
            further: Vec::new(),
            rounds: 0,
            nodes: (0, 0),
            bits: 0,
            locations: model
                .runnables()
                .map(|(_, t)| vec![false; t.locations.len()])
                .collect(),
            edges: model
                .runnables()
                .map(|(_, t)| vec![0; t.edges.len()])
                .collect(),
            executed: Vec::new(),
            observed: Vec::new(),
            all_exchanged: true,
            possible: Vec::new(),
            branching: None,
        }
    }
}

/// A number as reports have it. What is larger than all of them is the largest of them.
pub(crate) fn whole(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
