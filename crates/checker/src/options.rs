//! What a user can ask for, each choice as a type of its own.
//!
//! The lists of names here are the only ones: the command line reads them for parsing and for its
//! help. What is asked for is not yet what can be done: [`crate::plan`] decides that.

use mandala_model::labels::{ACCEPT, PROGRESS};
use mandala_reduce::Strategy;
use mandala_symbolic::Manner;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

/// A choice by name.
pub trait Choice: Copy + Send + Sync + 'static {
    /// Every member, in the order in which help lists them.
    const ALL: &'static [Self];

    /// The name by which a user asks for it.
    fn name(self) -> &'static str;

    /// What it means, in one line, where the name does not say it all.
    fn help(self) -> Option<&'static str> {
        None
    }

    /// The member of that name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|c| c.name() == name)
    }
}

/// How symmetry is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymmetryChoice {
    /// Not at all.
    Off,
    /// One state for each orbit is stored, or few: which one is the matter of a strategy.
    Use(Strategy),
    /// The same for whole sets of states, by the engine that has them.
    OnSets(Manner),
}

impl Default for SymmetryChoice {
    fn default() -> Self {
        SymmetryChoice::Use(Strategy::Auto)
    }
}

/// How many choices there are.
const CHOICES: usize = Strategy::ALL.len() + Manner::ALL.len() + 1;

/// `auto` and `off` first, then the strategies that somebody must ask for, those for sets last.
const SYMMETRY_CHOICES: [SymmetryChoice; CHOICES] = {
    let mut all = [SymmetryChoice::Off; CHOICES];
    all[0] = SymmetryChoice::Use(Strategy::ALL[0]);
    let mut next = 1;
    while next < Strategy::ALL.len() {
        all[next + 1] = SymmetryChoice::Use(Strategy::ALL[next]);
        next += 1;
    }
    while next + 1 < CHOICES {
        let manner = Manner::ALL[next - Strategy::ALL.len()];
        all[next + 1] = SymmetryChoice::OnSets(manner);
        next += 1;
    }
    all
};

impl Choice for SymmetryChoice {
    const ALL: &'static [Self] = &SYMMETRY_CHOICES;

    fn name(self) -> &'static str {
        match self {
            SymmetryChoice::Off => "off",
            SymmetryChoice::Use(strategy) => strategy.name(),
            SymmetryChoice::OnSets(manner) => manner.name(),
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            SymmetryChoice::Off => "every state is stored: no symmetry is looked for or used",
            SymmetryChoice::Use(strategy) => help_of(strategy),
            SymmetryChoice::OnSets(manner) => help_on_sets(manner),
        })
    }
}

/// What is done with sets of states, in one line.
fn help_on_sets(manner: Manner) -> &'static str {
    match manner {
        Manner::Dynamic => {
            "may keep several: with `--engine symbolic`, sets are sorted by exchanges of neighbours (SVISS)"
        }
        Manner::MultipleRepresentatives => {
            "may keep several: with `--engine symbolic`, by exchanges with the first (SYMM)"
        }
        Manner::Ibsinc => {
            "may keep several: with `--engine symbolic`, processes in the order of pointers to them (RED)"
        }
        Manner::OnTheFly => {
            "may keep several: with `--engine symbolic`, what is symmetric to something known is not new (RuleBase)"
        }
        Manner::OrbitRelation => {
            "canonical: with `--engine symbolic`, the smallest of all images of each state, by the relation between them"
        }
    }
}

/// What a strategy does, and what it promises, in one line.
fn help_of(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Auto => {
            "canonical: sorting, refinement and search, as little as each state needs"
        }
        Strategy::Full => "canonical: the least image over all permutations (SymmSpin)",
        Strategy::Sorted => "may keep several: sorted by a main array (SymmSpin)",
        Strategy::Segmented => {
            "canonical: the least image over all permutations that sort the main array (SymmSpin)"
        }
        Strategy::PcSorted => "may keep several: sorted by control locations (SymmSpin)",
        Strategy::PcSegmented => {
            "canonical: as segmented, with the control locations as main array (SymmSpin)"
        }
        Strategy::Enumerate => {
            "canonical: the least image, element by element of the group (TopSPIN)"
        }
        Strategy::EnumerateSwaps => "canonical: the same along a chain of exchanges of two names",
        Strategy::VectorSwaps => "canonical: the same chain with vector instructions (TopSPIN)",
        Strategy::Shuffle => "canonical: the same with one byte shuffle for each element",
        Strategy::MinimisingSet => {
            "may keep several: exchanges of a minimising set, as long as one helps (TopSPIN)"
        }
        Strategy::LocalSearch => {
            "may keep several: exchanges downhill to a local minimum (TopSPIN)"
        }
        Strategy::Flood => "canonical: all images of a state are remembered with it (ProB)",
        Strategy::Markers => {
            "may miss violations: states with the same invariants are taken for one (ProB)"
        }
        Strategy::FirstMet => {
            "may keep several: the first state of an orbit that is met stands for it (SMC)"
        }
    }
}

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

/// Whether something optional is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Switch {
    /// If it is available and helps.
    #[default]
    Auto,
    /// Yes, or it is an error.
    On,
    /// No.
    Off,
}

impl Choice for Switch {
    const ALL: &'static [Self] = &[Switch::Auto, Switch::On, Switch::Off];

    fn name(self) -> &'static str {
        match self {
            Switch::Auto => "auto",
            Switch::On => "on",
            Switch::Off => "off",
        }
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
                "every process that could always make a step makes one again and again"
            }
            Fairness::Strong => {
                "every process that can make a step again and again makes one again and again"
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

/// Which simplifications of the model are made beforehand. What is searched then has fewer states, and the same
/// verdicts; without any of them the states are counted as Spin does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StaticReductions {
    /// Variables that nobody will read again get a fixed value.
    pub dead: bool,
    /// States in which a process has only steps of its own to make are passed through.
    pub merge: bool,
    /// Variables that never change become numbers, and what can never happen is taken out.
    pub constants: bool,
}

impl Default for StaticReductions {
    fn default() -> Self {
        StaticReductions::ALL
    }
}

impl StaticReductions {
    /// All of them.
    pub const ALL: Self = StaticReductions {
        dead: true,
        merge: true,
        constants: true,
    };

    /// None of them.
    pub const NONE: Self = StaticReductions {
        dead: false,
        merge: false,
        constants: false,
    };

    /// `on`, `off`, or the names of some of them with commas between.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn named(text: &str) -> Result<Self, String> {
        match text {
            "on" => return Ok(StaticReductions::ALL),
            "off" => return Ok(StaticReductions::NONE),
            _ => {}
        }
        let mut some = StaticReductions::NONE;
        for name in text.split(',') {
            match name {
                "dead" => some.dead = true,
                "merge" => some.merge = true,
                "constants" => some.constants = true,
                _ => {
                    return Err(format!(
                        "`{name}` is none of `dead`, `merge` and `constants`; `on` is all of them, `off` none"
                    ));
                }
            }
        }
        Ok(some)
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

/// What does the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Engine {
    /// One stored state at a time.
    #[default]
    Explicit,
    /// Sets of states as decision diagrams.
    Symbolic,
    /// The interpreter: slow, to compare others with.
    Reference,
}

impl Choice for Engine {
    const ALL: &'static [Self] = &[Engine::Explicit, Engine::Symbolic, Engine::Reference];

    fn name(self) -> &'static str {
        match self {
            Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
            Engine::Reference => "reference",
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            Engine::Explicit => "one stored state at a time, on all cores",
            Engine::Symbolic => "sets of states as decision diagrams, for what is wide and regular",
            Engine::Reference => "the interpreter, slow: to compare others with",
        })
    }
}

/// What is remembered of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Store {
    /// All of it.
    #[default]
    Exact,
    /// A short fingerprint.
    HashCompact,
    /// A few bits in a large array.
    Bitstate,
}

impl Choice for Store {
    const ALL: &'static [Self] = &[Store::Exact, Store::HashCompact, Store::Bitstate];

    fn name(self) -> &'static str {
        match self {
            Store::Exact => "exact",
            Store::HashCompact => "hash-compact",
            Store::Bitstate => "bitstate",
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            Store::Exact => "whole states are compared, stored in a few bytes each",
            Store::HashCompact => {
                "may miss violations: a fingerprint of 44 bits stands for a state"
            }
            Store::Bitstate => "may miss violations: a few bits of one array stand for a state",
        })
    }
}

/// How a field of bits is laid out, for [`Store::Bitstate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BitField {
    /// The size of the field in bytes, if somebody has said it.
    pub bytes: Option<u64>,
    /// How many bits are set for a state, if somebody has said it.
    pub hashes: Option<u32>,
}

/// Where and how often a search writes down how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointWish {
    /// The folder.
    pub folder: PathBuf,
    /// How long the search goes on between two of them.
    pub interval: Duration,
    /// What is searched and how, as whoever takes the search up again wants to read it.
    pub description: Vec<u8>,
    /// Whether the search goes on from the one that is there.
    pub resume: bool,
}

/// Which properties are checked.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Selection {
    /// Everything that the model states.
    #[default]
    Everything,
    /// Those with these names; [`SAFETY`] is one.
    Named(Vec<String>),
}

/// The name under which assertions, deadlock and run-time errors are selected.
pub const SAFETY: &str = "safety";

/// The name under which a never claim is selected if the model has only one.
pub const NEVER: &str = "never";

/// The names that have a meaning of their own, whatever the model calls its properties.
pub const RESERVED_NAMES: [&str; 4] = [SAFETY, NEVER, ACCEPT, PROGRESS];

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
    /// Time, over all properties.
    pub time: Option<Duration>,
    /// Bytes of memory for the whole process, where the system tells how many it holds; else for the search.
    pub memory: Option<u64>,
}

/// Everything that can be asked of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// How symmetry is used.
    pub symmetry: SymmetryChoice,
    /// What to sort by, for the strategies that do: a global array, or a variable that each process has.
    pub main_array: Option<String>,
    /// Which states of the reduced search are expanded.
    pub expand: Option<Expansion>,
    /// Whether the order of independent steps is reduced.
    pub partial_order: Switch,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// How they are looked for.
    pub cycles: CycleSearch,
    /// Whether one that violates a property is to be a shortest one.
    pub shortest: bool,
    /// Which simplifications of the model are made beforehand.
    pub static_reductions: StaticReductions,
    /// In which order states are visited.
    pub order: SearchOrder,
    /// What does the search.
    pub engine: Engine,
    /// How many threads search.
    pub workers: NonZeroU32,
    /// What is remembered of a state.
    pub store: Store,
    /// The field of a store that has one.
    pub field: BitField,
    /// Whether successors are never found by native code.
    pub interpret: bool,
    /// Whether it is told how often each statement was executed.
    pub statement_counts: bool,
    /// Where the search writes down how far it is, if it does.
    pub checkpoint: Option<CheckpointWish>,
    /// Where the search gives up.
    pub limits: Limits,
    /// Which properties are checked.
    pub properties: Selection,
    /// Whether a deadlock is a violation, and what counts as one.
    pub deadlock: Deadlock,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            symmetry: SymmetryChoice::default(),
            main_array: None,
            expand: None,
            partial_order: Switch::default(),
            fairness: Fairness::default(),
            cycles: CycleSearch::default(),
            shortest: false,
            static_reductions: StaticReductions::default(),
            order: SearchOrder::default(),
            engine: Engine::default(),
            workers: NonZeroU32::MIN,
            store: Store::default(),
            field: BitField::default(),
            interpret: false,
            statement_counts: false,
            checkpoint: None,
            limits: Limits::default(),
            properties: Selection::default(),
            deadlock: Deadlock::default(),
            after_violation: AfterViolation::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_reduce::Guarantee;

    fn names_are_unique<C: Choice + PartialEq + std::fmt::Debug>() {
        for &choice in C::ALL {
            assert_eq!(C::named(choice.name()), Some(choice));
        }
        assert_eq!(C::named("no such thing"), None);
    }

    #[test]
    fn every_choice_is_found_by_its_name() {
        names_are_unique::<SymmetryChoice>();
        names_are_unique::<Expansion>();
        names_are_unique::<Switch>();
        names_are_unique::<SearchOrder>();
        names_are_unique::<Engine>();
        names_are_unique::<Store>();
    }

    #[test]
    fn static_reductions_are_read_from_a_list() {
        let dead_and_merge = StaticReductions {
            constants: false,
            ..StaticReductions::ALL
        };
        let named = StaticReductions::named;
        assert_eq!(named("on"), Ok(StaticReductions::ALL));
        assert_eq!(named("off"), Ok(StaticReductions::NONE));
        assert_eq!(named("merge,dead"), Ok(dead_and_merge));
        assert!(named("").is_err());
        assert!(named("dead,off").is_err_and(|e| e.contains("`off` is none of")));
    }

    #[test]
    fn help_begins_with_what_a_strategy_promises() {
        for strategy in Strategy::ALL {
            let promise = match strategy.guarantee() {
                Guarantee::Canonical => "canonical: ",
                Guarantee::Sound => "may keep several: ",
                Guarantee::MayMiss => "may miss violations: ",
            };
            assert!(help_of(strategy).starts_with(promise), "{strategy}");
        }
        for manner in Manner::ALL {
            let is_canonical = help_on_sets(manner).starts_with("canonical: ");
            assert_eq!(is_canonical, manner.is_canonical(), "{}", manner.name());
        }
    }

    #[test]
    fn every_strategy_can_be_chosen_and_the_default_comes_first() {
        assert_eq!(SymmetryChoice::ALL[0], SymmetryChoice::default());
        for strategy in Strategy::ALL {
            let choice = SymmetryChoice::named(strategy.name());
            assert_eq!(choice, Some(SymmetryChoice::Use(strategy)));
        }
    }
}
