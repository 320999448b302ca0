//! Removal of steps at the end of a run that the violation does not need.
//!
//! Where steps are merged, a process goes on with steps of its own although the violation may be somebody else's.
//! A run is easier to read without them.

use crate::replay::{Anything, replay};
use mandala_interpreter::Interpreter;
use mandala_model::Model;
use mandala_model::ids::EdgeId;
use mandala_model::step::{Actor, StepLabel, Violation};
use mandala_model::template::Control;
use std::collections::BTreeSet;

/// The labels without the last steps of processes that were made only because they had been merged with the step before; or
/// as they are, if the violation needs them.
pub fn without_idle_ends(
    interpreter: &Interpreter<'_>,
    searched: &Model,
    labels: Vec<StepLabel>,
    wanted: &dyn Fn(&Violation) -> bool,
) -> Vec<StepLabel> {
    let user = interpreter.model();
    let kept = needed(user, searched, &labels);
    if kept.len() == labels.len() {
        return labels;
    }
    match replay(interpreter, &kept, &Anything, wanted) {
        Ok(_) => kept,
        Err(_) => labels,
    }
}

/// All labels but the last ones of each process that follow a step which keeps control in the searched model alone. The very last
/// one stays in any case: it may be what goes wrong.
fn needed(user: &Model, searched: &Model, labels: &[StepLabel]) -> Vec<StepLabel> {
    let mut busy = BTreeSet::new();
    let mut kept = Vec::with_capacity(labels.len());
    for (index, label) in labels.iter().enumerate().rev() {
        let before = &labels[..index];
        let idle = match (label.actor, label.partner) {
            (Actor::Process(process), None) if !kept.is_empty() && !busy.contains(&process) => {
                let last = before.iter().rev().find_map(|l| edge_of(l, process));
                last.is_some_and(|edge| is_merged(user, searched, edge))
            }
            _ => false,
        };
        if !idle {
            busy.extend(processes(label));
            kept.push(*label);
        }
    }
    kept.reverse();
    kept
}

fn processes(label: &StepLabel) -> impl Iterator<Item = u32> {
    let actor = match label.actor {
        Actor::Process(process) => Some(process),
        Actor::Claim => None,
    };
    let partner = label.partner.map(|(process, _)| process);
    actor.into_iter().chain(partner)
}

/// The edge that the process takes in a step, if it takes part in it.
fn edge_of(label: &StepLabel, process: u32) -> Option<EdgeId> {
    match label.partner {
        Some((partner, edge)) if partner == process => Some(edge),
        _ if label.actor == Actor::Process(process) => Some(label.edge),
        _ => None,
    }
}

/// Whether the process keeps control after the edge in the searched model, but not in the user's.
fn is_merged(user: &Model, searched: &Model, edge: EdgeId) -> bool {
    let control = |model: &Model| {
        let edges = &model.template(edge.template).edges;
        edges.get(edge.index as usize).map(|e| e.control)
    };
    control(user) == Some(Control::Release) && control(searched) == Some(Control::Hold)
}
