//! The two search orders.
//!
//! A frontier decides which state is expanded next. Both kinds take ids of a [`VisitedSet`] and give back pairs of
//! an id and its depth, the length of the path on which the state was found; initial states have depth zero.

use crate::{Cursor, Mark, StateId, VisitedSet};

/// Level by level: all states of one depth before the first of the next.
///
/// There is no queue. What was inserted while a level was expanded *is* the next level, so the frontier costs
/// a few words however many states wait in it. States found by other means must not be inserted meanwhile.
#[derive(Clone, Debug, Default)]
pub struct BreadthFirst {
    level: Cursor,
    /// Up to where the set has been cut into levels.
    reached: Mark,
    /// The depth of the level after the current one.
    next_depth: u32,
}

impl BreadthFirst {
    /// A search whose initial states are those inserted after `start`. The default search starts with all states.
    #[must_use]
    pub fn starting_at(start: Mark) -> Self {
        Self {
            level: Cursor::default(),
            reached: start,
            next_depth: 0,
        }
    }

    /// The next state to expand and its depth, or nothing if no state is left.
    #[inline]
    pub fn pop(&mut self, set: &VisitedSet) -> Option<(StateId, u32)> {
        if self.level.is_done() {
            self.open_next_level(set);
        }
        let id = self.level.next(set)?;
        Some((id, self.next_depth - 1))
    }

    /// How many states of the current level have not been popped.
    #[must_use]
    pub fn remaining_in_level(&self) -> usize {
        self.level.remaining()
    }

    fn open_next_level(&mut self, set: &VisitedSet) {
        let now = set.mark();
        self.level = Cursor::new(&self.reached, &now);
        self.reached = now;
        if !self.level.is_done() {
            self.next_depth += 1;
        }
    }
}

/// Deepest first, with the path to the current state at hand.
///
/// The caller expands the state it popped last and pushes all the successors it wants to visit, with a depth one
/// greater, before it pops again. Then whatever is popped next is a child of a state on the current path, and the
/// path to it is the beginning of the current path, cut at its depth, and itself.
#[derive(Clone, Debug, Default)]
pub struct DepthFirst {
    stack: Vec<(StateId, u32)>,
    path: Vec<StateId>,
}

impl DepthFirst {
    /// Adds a state to visit. Its parent, at `depth - 1`, is the last state of the current path.
    #[inline]
    pub fn push(&mut self, id: StateId, depth: u32) {
        debug_assert!(
            depth as usize <= self.path.len(),
            "a state is pushed below the one popped last"
        );
        self.stack.push((id, depth));
    }

    /// The next state to expand and its depth, or nothing if no state is left.
    ///
    /// States are popped in the opposite of the order in which they were pushed.
    #[inline]
    pub fn pop(&mut self) -> Option<(StateId, u32)> {
        let (id, depth) = self.stack.pop()?;
        self.path.truncate(depth as usize);
        self.path.push(id);
        Some((id, depth))
    }

    /// The states from an initial one to the one popped last, both included.
    #[must_use]
    pub fn path(&self) -> &[StateId] {
        &self.path
    }

    /// How many states wait to be popped.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    /// Whether no state waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    /// The memory held on the heap, used or not.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.stack.capacity() * size_of::<(StateId, u32)>()
            + self.path.capacity() * size_of::<StateId>()
    }
}
