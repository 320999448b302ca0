//! The strategies by name, and what each of them promises.

use std::fmt;
use std::str::FromStr;

/// How the representative of a state is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Strategy {
    /// Sorting, refinement and search with automorphism pruning, whatever is needed.
    #[default]
    Auto,
    /// The least image over all permutations (SymmSpin).
    Full,
    /// One permutation that sorts the main array (SymmSpin).
    Sorted,
    /// The least image over all permutations that sort the main array (SymmSpin).
    Segmented,
    /// Like [`Strategy::Sorted`] with the control locations as the main array (SymmSpin).
    PcSorted,
    /// Like [`Strategy::Segmented`] with the control locations as the main array (SymmSpin).
    PcSegmented,
    /// The least image, every element of the group applied to the state (TopSPIN).
    Enumerate,
    /// The same, along a chain of exchanges of two names (SymmSpin, TopSPIN).
    EnumerateSwaps,
    /// The same chain with vector instructions, as published for TopSPIN.
    VectorSwaps,
    /// The least image, one byte shuffle for each element of the group.
    Shuffle,
    /// Exchanges of two names from a minimising set until none makes the state smaller (TopSPIN).
    MinimisingSet,
    /// Exchanges downhill to a local minimum (TopSPIN).
    LocalSearch,
    /// All images of a state are remembered with it (ProB).
    Flood,
    /// States with the same invariants are taken for one: may miss violations (ProB).
    Markers,
    /// The first state of an orbit that is met stands for it (SMC).
    FirstMet,
}

/// What a strategy promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guarantee {
    /// One representative for each orbit.
    Canonical,
    /// Every state is represented by one of its orbit, but an orbit may have several representatives.
    Sound,
    /// States of different orbits may be taken for one: what is found is real, but something may be missed.
    MayMiss,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 15] = [
        Strategy::Auto,
        Strategy::Full,
        Strategy::Sorted,
        Strategy::Segmented,
        Strategy::PcSorted,
        Strategy::PcSegmented,
        Strategy::Enumerate,
        Strategy::EnumerateSwaps,
        Strategy::VectorSwaps,
        Strategy::Shuffle,
        Strategy::MinimisingSet,
        Strategy::LocalSearch,
        Strategy::Flood,
        Strategy::Markers,
        Strategy::FirstMet,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Auto => "auto",
            Strategy::Full => "full",
            Strategy::Sorted => "sorted",
            Strategy::Segmented => "segmented",
            Strategy::PcSorted => "pc-sorted",
            Strategy::PcSegmented => "pc-segmented",
            Strategy::Enumerate => "enumerate",
            Strategy::EnumerateSwaps => "enumerate-swaps",
            Strategy::VectorSwaps => "vector-swaps",
            Strategy::Shuffle => "shuffle",
            Strategy::MinimisingSet => "minimising-set",
            Strategy::LocalSearch => "local-search",
            Strategy::Flood => "flood",
            Strategy::Markers => "markers",
            Strategy::FirstMet => "first-met",
        }
    }

    /// Whether it can only permute names any two of which may change places. Others are left as they are.
    pub fn needs_full(self) -> bool {
        match self {
            Strategy::Sorted
            | Strategy::Segmented
            | Strategy::PcSorted
            | Strategy::PcSegmented
            | Strategy::MinimisingSet
            | Strategy::Markers => true,
            Strategy::Auto
            | Strategy::Full
            | Strategy::Enumerate
            | Strategy::EnumerateSwaps
            | Strategy::VectorSwaps
            | Strategy::Shuffle
            | Strategy::LocalSearch
            | Strategy::Flood
            | Strategy::FirstMet => false,
        }
    }

    /// What it promises when no budget is exceeded.
    pub fn guarantee(self) -> Guarantee {
        match self {
            Strategy::Auto
            | Strategy::Full
            | Strategy::Segmented
            | Strategy::PcSegmented
            | Strategy::Enumerate
            | Strategy::EnumerateSwaps
            | Strategy::VectorSwaps
            | Strategy::Shuffle
            | Strategy::Flood => Guarantee::Canonical,
            Strategy::Sorted
            | Strategy::PcSorted
            | Strategy::MinimisingSet
            | Strategy::LocalSearch
            | Strategy::FirstMet => Guarantee::Sound,
            Strategy::Markers => Guarantee::MayMiss,
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Strategy::ALL
            .into_iter()
            .find(|s| s.name() == name)
            .ok_or(())
    }
}
