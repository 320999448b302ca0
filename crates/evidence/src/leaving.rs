//! Steps in which processes leave, put back into a run.
//!
//! Where nobody can observe it, a search may let processes that have ended stay
//! ([`mandala_simplify::keep_ended`]). Its runs are runs of the user's model as they stand, except that a time-out comes, and
//! a deadlock is seen, only when everybody has left who can: there the missing steps are put in.

use crate::lift::LassoLabels;
use crate::replay::{Anything, ReplayError, replay, tips};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::step::{Actor, StepLabel, Violation};
use mandala_model::template::Step;
use std::collections::VecDeque;

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

/// The same for a run that goes round. Where nothing can happen any more but that a claim reads the last state again and again, everybody
/// leaves who can while it does; a round of the model itself is a run as it stands.
pub fn with_leavings_of_lasso(interpreter: &Interpreter<'_>, labels: LassoLabels) -> LassoLabels {
    let is_claim = |label: &StepLabel| label.actor == Actor::Claim;
    if !labels.cycle.iter().all(is_claim) {
        return labels;
    }
    let LassoLabels {
        mut prefix,
        mut cycle,
        cut,
    } = labels;
    let system = prefix.iter().rposition(|label| !is_claim(label));
    // The claim may read the last state several times before it goes round.
    let mut reading: VecDeque<StepLabel> = prefix.split_off(system.map_or(0, |at| at + 1)).into();
    loop {
        let next = reading.pop_front().or_else(|| {
            let next = cycle.first().copied();
            cycle.rotate_left(usize::from(next.is_some()));
            next
        });
        prefix.extend(next);
        let here = tips(interpreter, &prefix);
        match here.iter().find_map(|tip| leaving(interpreter, tip)) {
            Some(label) => prefix.push(label),
            None => break,
        }
    }
    prefix.extend(reading);
    LassoLabels { prefix, cycle, cut }
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
