//! A chain to a state, what looks most like that state first.
//!
//! Most wide atomic sequences choose one value after the other, and the values of the target say which choices were made. So of all configurations that
//! are passed through, the one that differs from the target in the fewest cells is followed first. That leads straight to the target where values stay as
//! they were chosen, and nowhere where they are mixed; then somebody else has to look.

use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::state::{ProcessState, Value};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// A step, and the position of the one before it.
type Link = (Option<usize>, Move);

/// The steps of a chain to a remembered configuration that is the target; nothing if none was found with so many steps in all.
pub(super) fn chain_to(
    interpreter: &Interpreter<'_>,
    from: &Configuration,
    target: &State,
    is_target: &dyn Fn(&Move) -> bool,
    most: usize,
) -> Option<Vec<Move>> {
    let mut links: Vec<Link> = Vec::new();
    let mut seen = HashSet::new();
    // The nearest first, and of those the one that was found last.
    let mut waiting: BinaryHeap<(Reverse<usize>, Option<usize>)> =
        BinaryHeap::from([(Reverse(0), None)]);
    while let (Some((_, before)), true) = (waiting.pop(), links.len() < most) {
        let at = match before {
            None => from.clone(),
            Some(link) => links[link].1.passed_next()?.clone(),
        };
        for step in interpreter.moves(&at) {
            let here = Some(links.len());
            if is_target(&step) {
                links.push((before, step));
                return Some(steps(&links, here));
            }
            if let Some(next) = step.passed_next()
                && seen.insert(next.clone())
            {
                waiting.push((Reverse(distance(&next.state, target)), here));
            }
            links.push((before, step));
        }
    }
    None
}

fn steps(links: &[Link], last: Option<usize>) -> Vec<Move> {
    let positions = std::iter::successors(last, |&position| links[position].0);
    let mut steps: Vec<Move> = positions.map(|p| links[p].1.clone()).collect();
    steps.reverse();
    steps
}

/// In how many values two states differ; a channel, or a process that only one of them has, is one.
fn distance(a: &State, b: &State) -> usize {
    let processes = a.processes.iter().zip(&b.processes);
    let channels = a.channels.iter().zip(&b.channels);
    differences(&a.globals, &b.globals)
        + processes.map(|(a, b)| apart(a, b)).sum::<usize>()
        + channels.filter(|(a, b)| a != b).count()
        + a.processes.len().abs_diff(b.processes.len())
}

fn apart(a: &ProcessState, b: &ProcessState) -> usize {
    usize::from(a.location != b.location) + differences(&a.locals, &b.locals)
}

fn differences(a: &[Value], b: &[Value]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}
