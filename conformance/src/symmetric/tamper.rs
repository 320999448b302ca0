//! Sites and slips: where something could break the symmetry, and the one place where something does.

use crate::random::RandomSource;

/// What can slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// An id is used as a value.
    Id,
    /// An id is used as an index.
    Index,
    /// A condition is asked.
    Condition,
    /// A statement is made.
    Statement,
    /// A loop is bounded.
    Bound,
    /// A variable gets its first value.
    First,
    /// A process is made.
    Birth,
    /// A claim looks at something.
    Observation,
}

/// Decides at each site whether it is the one.
#[derive(Clone, Debug)]
pub(super) struct Tamper {
    passed: usize,
    chosen: Option<usize>,
    /// The choices of the slip, so that the rest of the program stays the same.
    dice: RandomSource,
    done: Option<String>,
}

impl Tamper {
    /// No slip.
    pub(super) fn never() -> Self {
        Tamper {
            passed: 0,
            chosen: None,
            dice: RandomSource::new(0),
            done: None,
        }
    }

    /// A slip at the site of that number.
    pub(super) fn at(site: usize, dice: &mut RandomSource) -> Self {
        Tamper {
            chosen: Some(site),
            dice: RandomSource::new(dice.below(1 << 30) as u64),
            ..Tamper::never()
        }
    }

    /// How many sites there were.
    pub(super) fn passed(&self) -> usize {
        self.passed
    }

    /// What was slipped in.
    pub(super) fn done(&self) -> Option<String> {
        self.done.clone()
    }

    /// Passes a site: one of the slips, if this is the one.
    pub(super) fn pass(
        &mut self,
        site: Site,
        slips: impl FnOnce() -> Vec<String>,
    ) -> Option<String> {
        let here = self.chosen == Some(self.passed);
        self.passed += 1;
        if !here {
            return None;
        }
        let slips = slips();
        if slips.is_empty() {
            return None;
        }
        let slip = self.dice.pick(&slips);
        self.done = Some(format!("{site:?}: {slip}"));
        Some(slip)
    }
}
