//! The options of a search.

use crate::footprint::Gauge;
pub use mandala_engine::{AfterViolation, Checkpoints, Expansion, Limits, SearchOrder};
use mandala_kripke::{Acceptor, Fairness, Length};
use mandala_model::State;
use mandala_model::ids::MonitorId;
use mandala_model::step::{Turn, Violation};
pub(crate) use mandala_prepare::InstanceAction;
pub use mandala_prepare::Whom;
use mandala_store::StoreKind;
use mandala_symmetry::Statements;
use mandala_temporal::Ctl;
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Whether accepting cycles are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cycles {
    /// They are not.
    #[default]
    Ignore,
    /// They are, by a nested depth-first search, whatever the order. There is one worker.
    Nested,
}

/// Something that is so in a state or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Proposition {
    /// One of these monitors holds.
    Observed(Vec<MonitorId>),
    /// A monitor holds in that choice of its parameters, one of these.
    Demanded(Vec<(MonitorId, u32)>),
    /// The condition of that number, of those that the program was compiled with, holds.
    Condition(usize),
    /// The same, and something can happen.
    Meanwhile(usize),
    /// Nothing: no question speaks of the proposition of this number.
    Unasked,
    /// The claim is at an accepting location.
    Accepting,
    /// A run goes on from there. With a claim, it does not where the claim cannot go on; without one it always does, as
    /// what stutters does so forever.
    GoesOn,
}

/// Something that is asked about the graph of all states.
#[derive(Clone, Debug)]
pub struct GraphQuestion {
    /// What is asked.
    pub what: Query,
    /// Which runs count.
    pub fairness: Fairness,
    /// To whom they have to be fair.
    pub whom: Whom,
    /// Of what it is asked of each, if it is asked of several things.
    pub instances: Option<Instances>,
}

/// What a question is asked of each of: its propositions are numbered from 0 on for each of them.
#[derive(Clone, Debug)]
pub struct Instances {
    /// The number of the first proposition about the first instance. Those about the others follow, one instance after the other.
    pub first: u32,
    /// How many propositions there are about each.
    pub propositions: u32,
    /// How many instances there are, and what renamings do to them.
    pub action: Arc<InstanceAction>,
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Query {
    /// Whether this holds where runs start.
    Formula(Ctl),
    /// Whether there is no run that this accepts, and how much trouble is taken over the length of one.
    NoRun(Acceptor, Length),
}

/// Which violations count: others are passed over, and the search goes on.
#[derive(Clone)]
pub struct Concerns(Arc<dyn Fn(&Violation) -> bool + Send + Sync>);

impl Concerns {
    /// Those that satisfy a test.
    pub fn new(test: impl Fn(&Violation) -> bool + Send + Sync + 'static) -> Self {
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

/// Tells violations apart by values: gives a number for each way in which a violation comes up in a state.
#[derive(Clone)]
pub struct Causes(Arc<Values>);

type Values = dyn Fn(&State, Turn, &Violation) -> BTreeSet<u64> + Send + Sync;

impl Causes {
    /// Told apart by these numbers.
    pub fn new(
        values: impl Fn(&State, Turn, &Violation) -> BTreeSet<u64> + Send + Sync + 'static,
    ) -> Self {
        Causes(Arc::new(values))
    }

    pub(crate) fn values(&self, state: &State, turn: Turn, violation: &Violation) -> BTreeSet<u64> {
        (self.0)(state, turn, violation)
    }
}

impl fmt::Debug for Causes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Causes")
    }
}

/// What a search is told.
#[derive(Clone, Debug)]
pub struct Options {
    /// In which order states are expanded.
    pub order: SearchOrder,
    /// Which state of an orbit is expanded.
    pub expand: Expansion,
    /// Whether accepting cycles are looked for.
    pub cycles: Cycles,
    /// What happens at a violation.
    pub on_violation: AfterViolation,
    /// How many violations are shown that differ in what they come from, if the search goes on after one. One of each owner is shown in any case.
    pub bugs: u32,
    /// What tells these apart beside statements.
    pub causes: Option<Causes>,
    /// Which violations count.
    pub concerns: Concerns,
    /// How far it may go.
    pub limits: Limits,
    /// Says what the process holds, if the limit on memory is one for the whole process.
    pub gauge: Option<Gauge>,
    /// Ends the search soon after it is set.
    pub cancel: Option<Arc<AtomicBool>>,
    /// How many threads search; as many as the machine has cores if zero.
    pub workers: usize,
    /// How many states must wait before it is worth while to share them.
    pub share_from: usize,
    /// What is stored of a state.
    pub store: StoreKind,
    /// Whether native code is never used.
    pub interpret: bool,
    /// Where the search writes down how far it is, if it does.
    pub checkpoints: Option<Checkpoints>,
    /// What is asked about the graph of all states, once they are known.
    pub questions: Vec<GraphQuestion>,
    /// What the questions speak of: the propositions of their formulas, by number.
    pub propositions: Vec<Proposition>,
    /// What renamings do to statements, if a question needs that.
    pub statements: Option<Arc<Statements>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: SearchOrder::default(),
            expand: Expansion::default(),
            cycles: Cycles::default(),
            on_violation: AfterViolation::default(),
            bugs: 1,
            causes: None,
            concerns: Concerns::default(),
            limits: Limits::default(),
            gauge: None,
            cancel: None,
            workers: 1,
            share_from: 2048,
            store: StoreKind::Exact,
            interpret: false,
            checkpoints: None,
            questions: Vec::new(),
            propositions: Vec::new(),
            statements: None,
        }
    }
}

impl Options {
    /// How many threads there are to be.
    pub fn threads(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            workers => workers,
        }
    }

    /// How many bytes the states may take.
    pub(crate) fn memory(&self) -> usize {
        let limit = self.limits.memory.unwrap_or(u64::MAX);
        usize::try_from(limit).unwrap_or(usize::MAX)
    }

    /// The depth at which states are not expanded any more.
    pub(crate) fn deepest(&self) -> u32 {
        let limit = self.limits.depth.unwrap_or(u64::MAX);
        u32::try_from(limit).unwrap_or(u32::MAX)
    }

    /// Whether something is asked that only statements can answer.
    pub(crate) fn asks_for_statements(&self) -> bool {
        let fair = |q: &GraphQuestion| q.fairness != Fairness::None && q.whom == Whom::Actions;
        self.questions.iter().any(fair)
    }

    /// Whether something is asked of each of several things that renamings move.
    pub(crate) fn asks_for_instances(&self) -> bool {
        self.questions.iter().any(|q| q.instances.is_some())
    }

    /// Whether a search can be made like this.
    pub(crate) fn check(&self) -> Result<(), SearchError> {
        let approximate = self.store != StoreKind::Exact;
        if approximate && self.order == SearchOrder::BreadthFirst {
            return Err(SearchError::NoWayBack);
        }
        let plain = !approximate && self.expand == Expansion::Representatives;
        if self.cycles != Cycles::Ignore && (!plain || self.checkpoints.is_some()) {
            return Err(SearchError::CyclesNeedMore);
        }
        Ok(())
    }
}

/// Why a search cannot be made, or cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// A store that is not exact knows no depths, and without them the way to a violation is not found again.
    NoWayBack,
    /// A search for cycles needs an exact store of representatives, and writes nothing down.
    CyclesNeedMore,
    /// The reducer keeps states itself, and those are not written down.
    ReducerKeepsStates,
    /// Runs have to be fair to statements, and what renamings do to them is not known.
    NoStatements,
    /// The checkpoint is one of another search.
    OtherSearch,
    /// A checkpoint could not be written or read.
    Checkpoint(String),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::NoWayBack => f.write_str(
                "a store that is not exact needs depth-first search: breadth first, the way to a violation could \
                 not be found again",
            ),
            SearchError::CyclesNeedMore => f.write_str(
                "a search for cycles needs an exact store in which representatives are expanded, and has no checkpoints",
            ),
            SearchError::ReducerKeepsStates => f.write_str(
                "this strategy keeps states of its own, which a checkpoint does not contain",
            ),
            SearchError::NoStatements => f.write_str(
                "with symmetry, fairness to statements needs to know what renamings do to them",
            ),
            SearchError::OtherSearch => f.write_str(
                "the checkpoint was written by a search of another model or with other options",
            ),
            SearchError::Checkpoint(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for SearchError {}
