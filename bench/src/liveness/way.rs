//! The ways to decide a formula.

use std::fmt;

/// Which infinite runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fairness {
    /// All of them.
    None,
    /// Those on which no process is passed over for ever that could make a step all the time.
    Weak,
}

impl Fairness {
    /// Both of them.
    pub(super) const ALL: [Fairness; 2] = [Fairness::None, Fairness::Weak];
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
        })
    }
}

/// A tool, and what it leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Way {
    /// Spin, which visits everything.
    Spin,
    /// Spin with its partial-order reduction.
    SpinReduced,
    /// Ours without symmetry.
    Off,
    /// Ours as it is by default, with symmetry.
    Auto,
}

impl Way {
    /// All of them.
    pub(super) const ALL: [Way; 4] = [Way::Spin, Way::SpinReduced, Way::Off, Way::Auto];
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Way::Spin => "Spin",
            Way::SpinReduced => "Spin with its reduction",
            Way::Off => "ours, off",
            Way::Auto => "ours, auto",
        })
    }
}
