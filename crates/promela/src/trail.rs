//! Counterexamples as Spin's trails, which `spin -t` replays.
//!
//! A trail names each step by the number of the process and the number of the statement in the order
//! in which Spin's parser completes statements; [`crate::lower`] numbers them the same way. Statements
//! are not merged here, so the mark that Spin's own verifier puts before merged trails is left out.

use mandala_model::UncheckedModel;
use mandala_model::step::{Actor, StepLabel};
use std::fmt::Write;

/// The number of a statement that Spin takes together with the one before it.
pub(crate) const WITHOUT_LINE: u32 = u32::MAX;

/// The trail of a run that starts at the start and makes these steps. No claim runs along.
pub fn trail(model: &UncheckedModel, steps: &[StepLabel]) -> String {
    let mut text = String::new();
    let mut line = 0;
    for step in steps {
        let Actor::Process(process) = step.actor else {
            continue;
        };
        let movers = std::iter::once((process, step.edge)).chain(step.partner);
        for (process, edge) in movers {
            let statement = model.template(edge.template).edges[edge.index as usize].statement;
            if statement == WITHOUT_LINE {
                continue;
            }
            line += 1;
            writeln!(text, "{line}:{process}:{statement}")
                .expect("writing to a string does not fail");
        }
    }
    text
}
