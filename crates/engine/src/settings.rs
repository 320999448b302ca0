//! The settings of a search: order, limits, fairness, symmetry.

use crate::choice::Choice;
use mandala_reduce::{Guarantee, Strategy};
use mandala_store::StoreKind;
use std::path::PathBuf;
use std::time::Duration;

/// Which states of the reduced search are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Expansion {
    /// The representatives: one state for each orbit is kept, and nothing else.
    #[default]
    Representatives,
    /// The states as they were met; only the visited set has representatives.
    Originals,
}

impl Choice for Expansion {
    const ALL: &'static [Self] = &[Expansion::Representatives, Expansion::Originals];

    fn name(self) -> &'static str {
        match self {
            Expansion::Representatives => "representatives",
            Expansion::Originals => "originals",
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            Expansion::Representatives => {
                "the representative goes on in place of the state that was met"
            }
            Expansion::Originals => {
                "the state that was met goes on; its representative only tells whether it is new"
            }
        })
    }
}

/// How often moves are made that differ only by an exchange of names that are alike in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Firing {
    /// Once, and counted as often as there are such moves.
    #[default]
    Once,
    /// All of them are.
    All,
}

impl Choice for Firing {
    const ALL: &'static [Self] = &[Firing::Once, Firing::All];

    fn name(self) -> &'static str {
        match self {
            Firing::Once => "once",
            Firing::All => "all",
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            Firing::Once => "one of them is made, and counts for all",
            Firing::All => "every move is made",
        })
    }
}

/// How runs are looked for that go on for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CycleSearch {
    /// On the way, by a claim that reads the states, where it only looks and nothing is asked for that needs the graph. Otherwise by a nested
    /// search, or on the graph if runs have to be fair.
    #[default]
    Auto,
    /// On the way, by a nested depth-first search with one worker.
    Nested,
    /// On the graph of all states, once everything has been visited.
    Graph,
}

impl Choice for CycleSearch {
    const ALL: &'static [Self] = &[CycleSearch::Auto, CycleSearch::Nested, CycleSearch::Graph];

    fn name(self) -> &'static str {
        match self {
            CycleSearch::Auto => "auto",
            CycleSearch::Nested => "nested",
            CycleSearch::Graph => "graph",
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            CycleSearch::Auto => {
                "on the way, with states read by the claim, where that is possible; otherwise nested or, if fairness or a \
                 shortest run is asked for, on the graph"
            }
            CycleSearch::Nested => "on the way, by a nested depth-first search; ends at the first",
            CycleSearch::Graph => {
                "on the graph of all states, once everything has been visited by all workers"
            }
        })
    }
}

/// Which infinite runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Fairness {
    /// All.
    #[default]
    Off,
    /// Those on which no process is passed over for ever that could always make a step.
    Weak,
    /// Those on which no process is passed over for ever that can make a step again and again.
    Strong,
    /// As weak, for every statement of every process.
    WeakAction,
    /// As strong, for every statement of every process.
    StrongAction,
}

impl Choice for Fairness {
    const ALL: &'static [Self] = &[
        Fairness::Off,
        Fairness::Weak,
        Fairness::Strong,
        Fairness::WeakAction,
        Fairness::StrongAction,
    ];

    fn name(self) -> &'static str {
        match self {
            Fairness::Off => "off",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
            Fairness::WeakAction => "weak-action",
            Fairness::StrongAction => "strong-action",
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            Fairness::Off => "all runs count",
            Fairness::Weak => {
                "every process that can always make a step from some moment on makes infinitely many"
            }
            Fairness::Strong => {
                "every process that can make a step infinitely often makes infinitely many"
            }
            Fairness::WeakAction => "as weak, for every statement of every process",
            Fairness::StrongAction => "as strong, for every statement of every process",
        })
    }
}

impl Fairness {
    /// Whether it is about statements rather than processes.
    pub fn is_per_action(self) -> bool {
        matches!(self, Fairness::WeakAction | Fairness::StrongAction)
    }
}

/// In which order states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SearchOrder {
    /// Level by level: the first counterexample is a shortest one.
    #[default]
    BreadthFirst,
    /// Deep runs first.
    DepthFirst,
}

impl Choice for SearchOrder {
    const ALL: &'static [Self] = &[SearchOrder::BreadthFirst, SearchOrder::DepthFirst];

    fn name(self) -> &'static str {
        match self {
            SearchOrder::BreadthFirst => "bfs",
            SearchOrder::DepthFirst => "dfs",
        }
    }
}

/// Where and how often a search writes down how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    /// The folder.
    pub folder: PathBuf,
    /// How long the search goes on between two of them.
    pub interval: Duration,
    /// What is searched and how, as whoever takes the search up again wants to read it.
    pub description: Vec<u8>,
    /// Whether the search goes on from the one that is there.
    pub resume: bool,
}

/// Whether a deadlock is a violation, and what counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Deadlock {
    /// It is; what counts as one is what the language of the model says.
    #[default]
    Report,
    /// It is where no step is possible.
    Stuck,
    /// It is also where all steps lead back to the same state.
    Stuttering,
    /// It is not.
    Ignore,
}

impl Choice for Deadlock {
    const ALL: &'static [Self] = &[Deadlock::Stuck, Deadlock::Stuttering, Deadlock::Ignore];

    fn name(self) -> &'static str {
        match self {
            Deadlock::Report => "default",
            Deadlock::Stuck => "stuck",
            Deadlock::Stuttering => "stuttering",
            Deadlock::Ignore => "off",
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            Deadlock::Report => "what the language of the model says",
            Deadlock::Stuck => "no step is possible; what Promela says",
            Deadlock::Stuttering => "no step leads to another state; what Murphi says",
            Deadlock::Ignore => "deadlocks are not reported",
        })
    }
}

/// What the search does when it has found a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AfterViolation {
    /// It stops.
    #[default]
    Stop,
    /// It goes on, visits everything and counts all violations.
    GoOn,
}

/// Where a search gives up. Reaching one makes the verdict unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// Stored states, for each property.
    pub states: Option<u64>,
    /// Steps from the start.
    pub depth: Option<u64>,
    /// Time, over everything that is done for the check, counted from [`CheckOptions::started`].
    pub time: Option<Duration>,
    /// Bytes of memory for the whole process, where the system tells how many it holds; else for the search.
    pub memory: Option<u64>,
}

/// Whether steps that are independent of others are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartialOrder {
    /// Every step is made.
    Off,
    /// In each state the steps of a closed set of processes are enough.
    StubbornSets,
}

impl PartialOrder {
    /// What it is called in reports.
    pub fn name(self) -> &'static str {
        match self {
            PartialOrder::Off => "off",
            PartialOrder::StubbornSets => "stubborn sets",
        }
    }
}

/// How symmetry is used, if there turns out to be any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymmetryUse {
    /// Not at all.
    Off,
    /// By a strategy.
    Use {
        /// Which one.
        strategy: Strategy,
        /// What it sorts by, if somebody has said that.
        main_array: Option<String>,
        /// Which states are expanded.
        expand: Expansion,
        /// How often moves are made that lead to the same representative.
        firing: Firing,
    },
    /// For whole sets of states.
    OnSets(Manner),
    /// Of single statements, where the model as a whole has none.
    Partial(PartialSymmetry),
    /// By counting how many members are in each local state.
    Counters,
}

/// How the symmetry of single statements is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartialSymmetry {
    /// A partition with each state says what the run to it has treated alike.
    Adaptive,
    /// The quotient by everything that is interchangeable, if it is bisimilar.
    Virtual,
}

impl PartialSymmetry {
    /// Both of them.
    pub const ALL: [PartialSymmetry; 2] = [PartialSymmetry::Adaptive, PartialSymmetry::Virtual];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            PartialSymmetry::Adaptive => "adaptive",
            PartialSymmetry::Virtual => "virtual",
        }
    }

    /// What is promised of it: abstract states may overlap, orbits do not.
    pub const fn guarantee(self) -> Guarantee {
        match self {
            PartialSymmetry::Adaptive => Guarantee::Sound,
            PartialSymmetry::Virtual => Guarantee::Canonical,
        }
    }
}

impl SymmetryUse {
    /// What the strategy promises, if there is one.
    pub fn guarantee(&self) -> Option<Guarantee> {
        match self {
            SymmetryUse::Off => None,
            SymmetryUse::Use { strategy, .. } => Some(strategy.guarantee()),
            SymmetryUse::OnSets(manner) => Some(guarantee_on_sets(*manner)),
            SymmetryUse::Partial(kind) => Some(kind.guarantee()),
            SymmetryUse::Counters => Some(Guarantee::Canonical),
        }
    }

    /// Whether the strategy stores all states that a representative stands for.
    pub fn keeps_all_images(&self) -> bool {
        let strategy = match self {
            SymmetryUse::Off
            | SymmetryUse::OnSets(_)
            | SymmetryUse::Partial(_)
            | SymmetryUse::Counters => None,
            SymmetryUse::Use { strategy, .. } => Some(*strategy),
        };
        strategy == Some(Strategy::Flood)
    }
}

/// What is promised for whole sets of states.
pub fn guarantee_on_sets(manner: Manner) -> Guarantee {
    match manner.is_canonical() {
        true => Guarantee::Canonical,
        false => Guarantee::Sound,
    }
}

/// In which manner symmetry is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Manner {
    /// Sets are sorted by exchanges of neighbours.
    Dynamic,
    /// Sets are sorted by exchanges with the first.
    MultipleRepresentatives,
    /// Processes are numbered in the order in which pointers come to them, as far as that is easy.
    Ibsinc,
    /// What is symmetric to something that is known is not new.
    OnTheFly,
    /// All images of each state are compared.
    OrbitRelation,
}

impl Manner {
    /// All of them.
    pub const ALL: [Manner; 5] = [
        Manner::Dynamic,
        Manner::MultipleRepresentatives,
        Manner::Ibsinc,
        Manner::OnTheFly,
        Manner::OrbitRelation,
    ];

    /// Whether one state is left of each orbit, whatever the model, if everything is exchanged wherever it is certified
    /// ([`Outcome::all_exchanged`]).
    pub const fn is_canonical(self) -> bool {
        matches!(self, Manner::OrbitRelation)
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Manner::Dynamic => "dynamic",
            Manner::MultipleRepresentatives => "multiple-representatives",
            Manner::Ibsinc => "ibsinc",
            Manner::OnTheFly => "on-the-fly",
            Manner::OrbitRelation => "orbit-relation",
        }
    }
}

/// How the machine is used for a search. None of it changes the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// How many threads search.
    pub workers: usize,
    /// What is remembered of a state.
    pub store: StoreKind,
    /// Whether native code is never used.
    pub interpret: bool,
    /// Where the search writes checkpoints, if it does.
    pub checkpoints: Option<Checkpoints>,
}
