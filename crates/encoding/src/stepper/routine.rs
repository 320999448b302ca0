//! Code that runs to its end in one move.
//!
//! # Code that never ends
//!
//! A routine has no choice, so one that comes back to a node with all cells as they were before goes
//! round for ever, and that is a fault. One that only takes long is none. To tell the two apart, Brent's
//! method keeps one earlier moment to compare with and replaces it whenever the number of steps has doubled:
//! a cycle is found after at most three times as many steps as lead into it and through it once. The first
//! moment is kept after [`PATROL`] steps, so a routine of ordinary length pays nothing.
//!
//! # Long routines
//!
//! Nobody goes back to the middle of a routine, so its part of the log needs each cell only once. It is
//! cleared of repetitions from time to time, or a loop would fill the memory with its counter. As
//! in a chain, the sink is asked whether to go on.

use super::{PATROL, SHAPE, Sink, Stepper, Stop, Viewer};
use crate::code::{CompiledChoice, CompiledNode, CompiledRoutine};
use mandala_model::step::FaultKind;

/// Where a routine was some steps ago.
#[derive(Debug)]
struct Moment {
    node: usize,
    shape: u32,
    cells: Vec<i64>,
}

impl<'p> Stepper<'p> {
    /// Runs a routine that can start.
    #[inline(never)]
    pub(super) fn routine(
        &mut self,
        routine: u32,
        viewer: Viewer,
        sink: &mut impl Sink,
    ) -> Result<(), Stop> {
        let routine = &self.program.routines[routine as usize];
        let changes = self.log.len();
        let mut at = 0;
        for _ in 0..PATROL {
            match self.routine_step(routine, at, viewer, sink)? {
                Some(next) => at = next as usize,
                None => return Ok(()),
            }
        }
        self.long_routine(routine, at, changes, viewer, sink)
    }

    /// Goes on with a routine that has made [`PATROL`] steps, the first of them after so many changes.
    #[cold]
    fn long_routine(
        &mut self,
        routine: &'p CompiledRoutine,
        mut at: usize,
        changes: usize,
        viewer: Viewer,
        sink: &mut impl Sink,
    ) -> Result<(), Stop> {
        let mut earlier = self.moment(at);
        for steps in u64::from(PATROL).. {
            if steps.is_multiple_of(PATROL.into()) {
                self.forget_repeated_changes(changes);
                self.patrol(sink)?;
            }
            if steps.is_power_of_two() {
                earlier = self.moment(at);
            }
            match self.routine_step(routine, at, viewer, sink)? {
                Some(next) => at = next as usize,
                None => break,
            }
            if self.is_at(&earlier, at) {
                return self.fail(FaultKind::RoutineEndless, routine.nodes[at].site);
            }
        }
        Ok(())
    }

    /// Makes one step of a routine, and says at which node it goes on.
    #[inline]
    fn routine_step(
        &mut self,
        routine: &'p CompiledRoutine,
        at: usize,
        viewer: Viewer,
        sink: &mut impl Sink,
    ) -> Result<Option<u32>, Stop> {
        self.coverage.reach_node(routine.coverage as usize + at);
        let choice = self.choose(&routine.nodes[at], viewer)?;
        self.act(choice.action, viewer, sink)?;
        Ok(choice.next)
    }

    /// The first choice that can be taken.
    #[inline]
    fn choose(
        &mut self,
        node: &'p CompiledNode,
        viewer: Viewer,
    ) -> Result<&'p CompiledChoice, Stop> {
        for choice in &node.choices {
            if self.choice_possible(choice, viewer)? {
                return Ok(choice);
            }
        }
        if node.quiet {
            self.blocked = true;
            return Err(Stop);
        }
        self.fail(FaultKind::RoutineBlocked, node.site)
    }

    fn moment(&self, node: usize) -> Moment {
        Moment {
            node,
            shape: self.shape.id,
            cells: self.cells.clone(),
        }
    }

    #[inline]
    fn is_at(&self, moment: &Moment, node: usize) -> bool {
        moment.node == node && moment.shape == self.shape.id && moment.cells == self.cells
    }

    /// Keeps only the oldest change of each cell among those of the log from number `from` on. Changes
    /// before the last one of the shape are left alone: their cells may have been others.
    fn forget_repeated_changes(&mut self, from: usize) {
        let reshaped = self.log[from..].iter().rposition(|c| c.cell == SHAPE);
        let from = reshaped.map_or(from, |position| from + position + 1);
        let mut met = vec![false; self.cells.len()];
        let mut kept = from;
        for index in from..self.log.len() {
            let change = self.log[index];
            if !std::mem::replace(&mut met[change.cell as usize], true) {
                self.log[kept] = change;
                kept += 1;
            }
        }
        self.log.truncate(kept);
    }
}
