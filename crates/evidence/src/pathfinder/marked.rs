//! A chain on which some step is wanted.
//!
//! To be fair, a run may have to let a party take part that only some of the ways between two states have. The ways are not told apart by all that take
//! part in them, of which there are as many as there are sets of parties: a way has come by a wanted step, or it has not.

use super::TooMany;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::step::StepLabel;
use std::collections::{HashSet, VecDeque};

/// A step, and the position of the one before it.
type Link = (Option<usize>, StepLabel);

/// A configuration that is passed through, whether the way to it has come by a wanted step, and the last step.
type Waiting = (Configuration, bool, Option<usize>);

/// The labels of a shortest chain from one remembered configuration to another that has a wanted step; nothing if there is none.
///
/// # Errors
///
/// If there are more steps to look at than that.
pub(super) fn chain_to(
    interpreter: &Interpreter<'_>,
    from: &Configuration,
    to: &Configuration,
    is_wanted: &dyn Fn(&StepLabel) -> bool,
    most: usize,
) -> Result<Option<Vec<StepLabel>>, TooMany> {
    let mut links: Vec<Link> = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting: VecDeque<Waiting> = VecDeque::from([(from.clone(), false, None)]);
    while let Some((at, marked, before)) = waiting.pop_front() {
        for step in interpreter.moves(&at) {
            let marked = marked || is_wanted(&step.label);
            let here = Some(links.len());
            links.push((before, step.label));
            if marked && step.remembered_next() == Some(to) {
                return Ok(Some(labels(&links, here)));
            }
            if let Some(next) = step.passed_next()
                && seen.insert((next.clone(), marked))
            {
                waiting.push_back((next.clone(), marked, here));
            }
        }
        if links.len() > most {
            return Err(TooMany);
        }
    }
    Ok(None)
}

fn labels(links: &[Link], last: Option<usize>) -> Vec<StepLabel> {
    let positions = std::iter::successors(last, |&position| links[position].0);
    let mut labels: Vec<StepLabel> = positions.map(|position| links[position].1).collect();
    labels.reverse();
    labels
}
