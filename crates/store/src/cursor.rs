//! Walking through the states that were inserted between two moments.
//!
//! Ids are handed out in order within each length of state, so a moment is fully described by how many states
//! of each length there are: a [`Mark`]. The states between two marks are a range for each length, and a [`Cursor`]
//! steps through them. It does not borrow the set, so states may be inserted on the way; they lie beyond the
//! later mark and do not disturb the cursor.

use crate::{StateId, VisitedSet};

/// A moment in the life of a [`VisitedSet`].
///
/// The default mark is the moment before the first insertion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    /// By class, in the order in which the classes came up. Classes that came later count as empty.
    counts: Vec<u32>,
}

impl Mark {
    pub(crate) fn new(counts: Vec<u32>) -> Self {
        Self { counts }
    }

    fn count(&self, class: usize) -> u32 {
        self.counts.get(class).copied().unwrap_or(0)
    }
}

/// A position in the sequence of states inserted between two marks.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    /// What is still to come, last range first, none of them empty.
    ranges: Vec<ClassRange>,
}

#[derive(Clone, Debug)]
struct ClassRange {
    class: usize,
    next: u32,
    end: u32,
}

impl Cursor {
    /// A cursor over the states inserted after `from` and before `to`.
    #[must_use]
    pub fn new(from: &Mark, to: &Mark) -> Self {
        let ranges = (0..to.counts.len()).rev().map(|class| ClassRange {
            class,
            next: from.count(class),
            end: to.count(class),
        });
        Self {
            ranges: ranges.filter(|range| range.next < range.end).collect(),
        }
    }

    /// Steps to the next state, in an order that depends on the sequence of insertions alone.
    ///
    /// `set` has to be the set that both marks are from.
    #[inline]
    pub fn next(&mut self, set: &VisitedSet) -> Option<StateId> {
        let range = self.ranges.last_mut()?;
        let id = set.id_at(range.class, range.next);
        range.next += 1;
        if range.next >= range.end {
            self.ranges.pop();
        }
        id
    }

    /// Whether no state is to come.
    #[must_use]
    #[inline]
    pub fn is_done(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many states are still to come.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.ranges
            .iter()
            .map(|range| (range.end - range.next) as usize)
            .sum()
    }
}
