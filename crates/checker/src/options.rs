//! The options of a check, each choice as a type of its own.
//!
//! The lists of names here are the only ones: the command line reads them for parsing and for its
//! help. What is asked for is not yet what can be done: [`crate::plan`] decides that.

pub use crate::engine::EngineChoice;
pub use mandala_engine::{
    AfterViolation, Checkpoints, Choice, CycleSearch, Deadlock, Expansion, Fairness, Firing,
    Limits, Manner, Numbers, PartialSymmetry, Precision, SAFETY, SearchOrder,
};
use mandala_model::labels::{ACCEPT, NON_PROGRESS};
pub use mandala_prepare::StaticReductions;
use mandala_reduce::Strategy;
use std::num::NonZeroU32;
use std::time::Instant;

/// How symmetry is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymmetryChoice {
    /// Not at all.
    Off,
    /// One state for each orbit is stored, or few: which one is the matter of a strategy.
    Use(Strategy),
    /// The same for whole sets of states, by the engine that has them.
    OnSets(Manner),
    /// That of single statements, for models that are not symmetric as a whole.
    Partial(PartialSymmetry),
    /// Members are counted: how many are in each local state.
    Counters,
}

impl Default for SymmetryChoice {
    fn default() -> Self {
        SymmetryChoice::Use(Strategy::Auto)
    }
}

/// How many choices there are.
const CHOICES: usize = Strategy::ALL.len() + PartialSymmetry::ALL.len() + Manner::ALL.len() + 2;

/// `auto` and `off` first, then the strategies that have to be asked for, those for models that are almost symmetric, those for sets, and counters.
const SYMMETRY_CHOICES: [SymmetryChoice; CHOICES] = {
    let mut all = [SymmetryChoice::Off; CHOICES];
    all[0] = SymmetryChoice::Use(Strategy::ALL[0]);
    let mut next = 1;
    while next < Strategy::ALL.len() {
        all[next + 1] = SymmetryChoice::Use(Strategy::ALL[next]);
        next += 1;
    }
    let partial = PartialSymmetry::ALL;
    while next < Strategy::ALL.len() + partial.len() {
        all[next + 1] = SymmetryChoice::Partial(partial[next - Strategy::ALL.len()]);
        next += 1;
    }
    while next + 2 < CHOICES {
        let manner = Manner::ALL[next - Strategy::ALL.len() - partial.len()];
        all[next + 1] = SymmetryChoice::OnSets(manner);
        next += 1;
    }
    all[CHOICES - 1] = SymmetryChoice::Counters;
    all
};

impl Choice for SymmetryChoice {
    const ALL: &'static [Self] = &SYMMETRY_CHOICES;

    fn name(self) -> &'static str {
        match self {
            SymmetryChoice::Off => "off",
            SymmetryChoice::Use(strategy) => strategy.name(),
            SymmetryChoice::OnSets(manner) => manner.name(),
            SymmetryChoice::Partial(kind) => kind.name(),
            SymmetryChoice::Counters => "counters",
        }
    }

    fn help(self) -> Option<&'static str> {
        Some(match self {
            SymmetryChoice::Off => "every state is stored: no symmetry is looked for or used",
            SymmetryChoice::Use(strategy) => help_of(strategy),
            SymmetryChoice::OnSets(manner) => help_on_sets(manner),
            SymmetryChoice::Partial(kind) => help_of_partial(kind),
            SymmetryChoice::Counters => {
                "canonical: how many processes are in each local state, for models in which no cell holds one; with `--engine symbolic` as well (BOOM)"
            }
        })
    }
}

/// What is done with the symmetry of single statements, in one line.
fn help_of_partial(kind: PartialSymmetry) -> &'static str {
    match kind {
        PartialSymmetry::Adaptive => {
            "may keep several: for models that are almost symmetric, safety; each state with a partition of what its run has treated alike (Wahl)"
        }
        PartialSymmetry::Virtual => {
            "canonical: for models whose orbits are bisimilar though not all statements are symmetric, which is checked (Emerson)"
        }
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

/// Which properties are checked.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Selection {
    /// Everything that is stated, in the model or beside it.
    #[default]
    Everything,
    /// Those with these names; [`SAFETY`] is one. Without a name there is nothing to check, which is refused.
    Named(Vec<String>),
}

/// The name under which a never claim is selected if the model has only one.
pub const NEVER: &str = "never";

/// The names that have a meaning of their own, whatever the model calls its properties.
pub const RESERVED_NAMES: [&str; 4] = [SAFETY, NEVER, ACCEPT, NON_PROGRESS];

/// Which states a trace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TraceStates {
    /// The last one.
    #[default]
    Last,
    /// That after each step.
    Each,
}

/// Everything that can be asked of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// How symmetry is used.
    pub symmetry: SymmetryChoice,
    /// The factor that the budgets of proofs of symmetry are multiplied with.
    pub proof_effort: NonZeroU32,
    /// What to sort by, for the strategies that do: a global array, or a variable that each process has.
    pub main_array: Option<String>,
    /// Which states of the reduced search are expanded.
    pub expand: Option<Expansion>,
    /// How often moves are made that lead to the same representative.
    pub firing: Option<Firing>,
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
    pub engine: EngineChoice,
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
    /// Whether traces have the state after each step.
    pub trace_states: TraceStates,
    /// Where the search writes down how far it is, if it does.
    pub checkpoint: Option<Checkpoints>,
    /// Where the check gives up.
    pub limits: Limits,
    /// When the time that limits bound began: at the start of the program, if it has read the model for this check.
    pub started: Instant,
    /// Which properties are checked.
    pub properties: Selection,
    /// Whether a deadlock is a violation, and what counts as one.
    pub deadlock: Deadlock,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
    /// How many violations are shown that differ in what they come from, if the search goes on after one. One of each property is shown in any case.
    pub bugs: NonZeroU32,
    /// How well values are computed.
    pub precision: Precision,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            symmetry: SymmetryChoice::default(),
            proof_effort: NonZeroU32::MIN,
            main_array: None,
            expand: None,
            firing: None,
            partial_order: Switch::default(),
            fairness: Fairness::default(),
            cycles: CycleSearch::default(),
            shortest: false,
            static_reductions: StaticReductions::default(),
            order: SearchOrder::default(),
            engine: EngineChoice::default(),
            workers: NonZeroU32::MIN,
            store: Store::default(),
            field: BitField::default(),
            interpret: false,
            statement_counts: false,
            trace_states: TraceStates::Last,
            checkpoint: None,
            limits: Limits::default(),
            started: Instant::now(),
            properties: Selection::default(),
            deadlock: Deadlock::default(),
            after_violation: AfterViolation::default(),
            bugs: NonZeroU32::MIN,
            precision: Precision::default(),
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
        names_are_unique::<Firing>();
        names_are_unique::<Switch>();
        names_are_unique::<SearchOrder>();
        names_are_unique::<EngineChoice>();
        names_are_unique::<Store>();
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
