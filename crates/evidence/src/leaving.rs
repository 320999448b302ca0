//! Steps in which processes leave, put back into a run.
//!
//! Where nobody can observe it, a search may let processes that have ended stay
//! ([`mandala_simplify::keep_ended`]). Its runs are runs of the user's model as they stand, except that a time-out comes, and
//! a deadlock is seen, only when everybody has left who can: there the missing steps are put in.

use crate::replay::{Anything, ReplayError, replay, tips};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::step::{StepLabel, Violation};
use mandala_model::template::Step;

/// The labels with those of leavings put in where the run cannot go on without them. What comes out is
/// no more trusted than what went in: it has to be replayed.
pub fn with_leavings(
    interpreter: &Interpreter<'_>,
    mut labels: Vec<StepLabel>,
    wanted: &dyn Fn(&Violation) -> bool,
) -> Vec<StepLabel> {
    loop {
        let stuck = match replay(interpreter, &labels, &Anything, wanted) {
            Err(ReplayError::Impossible { step }) => step - 1,
            Err(ReplayError::NoViolation) => labels.len(),
            Ok(_) | Err(ReplayError::NoStart) => return labels,
        };
        let here = tips(interpreter, &labels[..stuck]);
        match here.iter().find_map(|tip| leaving(interpreter, tip)) {
            Some(label) => labels.insert(stuck, label),
            None => return labels,
        }
    }
}

/// The step in which the last process leaves, if it can.
fn leaving(interpreter: &Interpreter<'_>, from: &Configuration) -> Option<StepLabel> {
    let leaves = |label: &StepLabel| {
        let template = interpreter.model().template(label.edge.template);
        template.edges[label.edge.index as usize].step == Step::Exit
    };
    let moves = interpreter.moves(from).into_iter();
    moves.map(|m| m.label).find(leaves)
}
