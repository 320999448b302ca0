//! What a user can ask for, each choice as a type of its own.
//!
//! The lists of names here are the only ones: the command line reads them for parsing and for its
//! help. What is asked for is not yet what can be done: [`crate::plan`] decides that.

use std::num::NonZeroU32;
use std::time::Duration;

/// A choice by name.
pub trait Choice: Copy + Send + Sync + 'static {
    /// Every member, in the order in which help lists them.
    const ALL: &'static [Self];

    /// The name by which a user asks for it.
    fn name(self) -> &'static str;

    /// The member of that name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|c| c.name() == name)
    }
}

/// How symmetry is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SymmetryChoice {
    /// The best that is available.
    #[default]
    Auto,
    /// Not at all.
    Off,
    /// Representatives by trying every permutation of a full symmetric group.
    Full,
    /// Representatives by sorting on a main array.
    Sorted,
    /// Sorting, then trying all permutations within segments of equals.
    Segmented,
    /// Sorting on program counters.
    PcSorted,
    /// Sorting on program counters, then all permutations within segments.
    PcSegmented,
    /// Representatives by enumerating the whole group.
    Enumerate,
    /// Representatives by local search.
    LocalSearch,
    /// Representatives by closing the orbit under the generators.
    Flood,
}

impl Choice for SymmetryChoice {
    const ALL: &'static [Self] = &[
        SymmetryChoice::Auto,
        SymmetryChoice::Off,
        SymmetryChoice::Full,
        SymmetryChoice::Sorted,
        SymmetryChoice::Segmented,
        SymmetryChoice::PcSorted,
        SymmetryChoice::PcSegmented,
        SymmetryChoice::Enumerate,
        SymmetryChoice::LocalSearch,
        SymmetryChoice::Flood,
    ];

    fn name(self) -> &'static str {
        match self {
            SymmetryChoice::Auto => "auto",
            SymmetryChoice::Off => "off",
            SymmetryChoice::Full => "full",
            SymmetryChoice::Sorted => "sorted",
            SymmetryChoice::Segmented => "segmented",
            SymmetryChoice::PcSorted => "pc-sorted",
            SymmetryChoice::PcSegmented => "pc-segmented",
            SymmetryChoice::Enumerate => "enumerate",
            SymmetryChoice::LocalSearch => "local-search",
            SymmetryChoice::Flood => "flood",
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
    /// The interpreter: slow, to compare others with.
    Reference,
}

impl Choice for Engine {
    const ALL: &'static [Self] = &[Engine::Explicit, Engine::Reference];

    fn name(self) -> &'static str {
        match self {
            Engine::Explicit => "explicit",
            Engine::Reference => "reference",
        }
    }
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

/// Whether a deadlock is a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Deadlock {
    /// It is.
    #[default]
    Report,
    /// It is not.
    Ignore,
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
    /// Bytes of memory for the search.
    pub memory: Option<u64>,
}

/// Everything that can be asked of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// How symmetry is used.
    pub symmetry: SymmetryChoice,
    /// Whether the order of independent steps is reduced.
    pub partial_order: Switch,
    /// Whether the model is simplified beforehand.
    pub simplification: Switch,
    /// In which order states are visited.
    pub order: SearchOrder,
    /// What does the search.
    pub engine: Engine,
    /// How many threads search.
    pub workers: NonZeroU32,
    /// Where the search gives up.
    pub limits: Limits,
    /// Which properties are checked.
    pub properties: Selection,
    /// Whether a deadlock is a violation.
    pub deadlock: Deadlock,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            symmetry: SymmetryChoice::default(),
            partial_order: Switch::default(),
            simplification: Switch::default(),
            order: SearchOrder::default(),
            engine: Engine::default(),
            workers: NonZeroU32::MIN,
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

    fn names_are_unique<C: Choice + PartialEq + std::fmt::Debug>() {
        for &choice in C::ALL {
            assert_eq!(C::named(choice.name()), Some(choice));
        }
        assert_eq!(C::named("no such thing"), None);
    }

    #[test]
    fn every_choice_is_found_by_its_name() {
        names_are_unique::<SymmetryChoice>();
        names_are_unique::<Switch>();
        names_are_unique::<SearchOrder>();
        names_are_unique::<Engine>();
    }
}
