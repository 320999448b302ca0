//! The two search orders, as the loop sees them.

use crate::reducer::Reducer;
use crate::replay::Replay;
use mandala_store::{BreadthFirst, DepthFirst, Mark, StateId, VisitedSet};

/// Decides which state is expanded next, and knows the way to it.
pub(crate) trait Frontier {
    /// The next state to expand and its depth.
    fn next(&mut self, visited: &VisitedSet) -> Option<(StateId, u32)>;

    /// A new state was found from the one that [`Frontier::next`] gave last.
    fn found(&mut self, id: StateId, depth: u32);

    /// How many states wait to be expanded.
    fn waiting(&self, visited: &VisitedSet) -> usize;

    /// The memory that the frontier takes beside the visited set.
    fn bytes(&self) -> usize;

    /// The states from the start to the one that [`Frontier::next`] gave last.
    fn path<R: Reducer>(&self, replay: &mut Replay<'_, '_, R>) -> Vec<StateId>;
}

/// Level by level. The states of a level are those inserted while the level before it was
/// expanded, so there is no queue, only the moments at which levels ended.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    order: BreadthFirst,
    /// The end of each level opened so far, in the sequence of insertions.
    ends: Vec<Mark>,
    current: Option<StateId>,
    expanded: usize,
}

impl Frontier for Levels {
    #[inline]
    fn next(&mut self, visited: &VisitedSet) -> Option<(StateId, u32)> {
        let (id, depth) = self.order.pop(visited)?;
        if depth as usize == self.ends.len() {
            // Nothing has been inserted since the level was opened.
            self.ends.push(visited.mark());
        }
        self.current = Some(id);
        self.expanded += 1;
        Some((id, depth))
    }

    #[inline]
    fn found(&mut self, _: StateId, _: u32) {}

    fn waiting(&self, visited: &VisitedSet) -> usize {
        visited.len() - self.expanded
    }

    fn bytes(&self) -> usize {
        0
    }

    /// Goes back level by level: somebody in the level before must have the wanted state among its
    /// successors.
    fn path<R: Reducer>(&self, replay: &mut Replay<'_, '_, R>) -> Vec<StateId> {
        let mut path: Vec<StateId> = self.current.into_iter().collect();
        let mut wanted = self.current;
        for level in (1..self.ends.len()).rev() {
            let start = match level {
                1 => Mark::default(),
                _ => self.ends[level - 2].clone(),
            };
            wanted = wanted.and_then(|id| replay.predecessor(&start, &self.ends[level - 1], id));
            path.extend(wanted);
        }
        path.reverse();
        path
    }
}

/// Deepest first.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    order: DepthFirst,
}

impl Frontier for Stack {
    #[inline]
    fn next(&mut self, _: &VisitedSet) -> Option<(StateId, u32)> {
        self.order.pop()
    }

    #[inline]
    fn found(&mut self, id: StateId, depth: u32) {
        self.order.push(id, depth);
    }

    fn waiting(&self, _: &VisitedSet) -> usize {
        self.order.len()
    }

    fn bytes(&self) -> usize {
        self.order.bytes()
    }

    fn path<R: Reducer>(&self, _: &mut Replay<'_, '_, R>) -> Vec<StateId> {
        self.order.path().to_vec()
    }
}
