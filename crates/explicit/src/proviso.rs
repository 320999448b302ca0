//! The choice between two cycle provisos: the one with which partial-order reduction makes fewer steps.
//!
//! Marks on cycles ask nothing of the states that are known, but a step with a mark is never made alone. A search that looks up successors may make any step alone, but where
//! states are met again, which is often, it has to make all. Which costs more depends on how often processes come round, so both
//! are tried on the first states, breadth first and without symmetry, and what is counted decides: the same on every machine.

use crate::options::{AfterViolation, Limits, Options, SearchOrder};
use crate::outcome::{Extent, Statistics};
use mandala_encoding::Program;

/// So many states are enough to see it.
const ENOUGH: u64 = 2_000;

/// The program with marks, or without them if that is better.
pub(crate) fn with_better_proviso(program: Program, limits: Limits) -> Program {
    if !program.marks_cycles() {
        return program;
    }
    let unmarked = program.without_marks();
    let tried = [&program, &unmarked].map(|program| attempt(&program.afresh(), limits));
    match tried {
        [Some(marked), Some(other)] if other.is_better_than(&marked) => unmarked,
        _ => program,
    }
}

/// What is counted on the first states.
struct Attempt {
    is_complete: bool,
    counted: Statistics,
}

impl Attempt {
    /// A search that has come to its end has made fewer steps than one that has not. Of two that have, the one with fewer states is better, and of two that
    /// have not, the one with fewer successors.
    fn is_better_than(&self, other: &Attempt) -> bool {
        match (self.is_complete, other.is_complete) {
            (true, true) => self.counted.states < other.counted.states,
            (false, false) => self.counted.branching() < other.counted.branching(),
            (complete, _) => complete,
        }
    }
}

/// Visits the first states; nothing if a search with these limits cannot begin.
fn attempt(program: &Program, limits: Limits) -> Option<Attempt> {
    let options = Options {
        order: SearchOrder::BreadthFirst,
        workers: 1,
        interpret: true,
        on_violation: AfterViolation::GoOn,
        limits: Limits {
            // Never fewer: a search that is taken up again with another limit goes on as it began.
            states: Some(ENOUGH),
            ..limits
        },
        ..Options::default()
    };
    let outcome = crate::search(program, &options, &mut |_| ()).ok()?;
    Some(Attempt {
        is_complete: outcome.extent == Extent::Complete,
        counted: outcome.statistics,
    })
}
