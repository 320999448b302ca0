//! Counterexamples as Spin's trails, which `spin -t` replays.
//!
//! A trail names each step by the number of the process and the number of the statement in the order
//! in which Spin's parser completes statements; [`crate::lower`] numbers them the same way. Statements
//! are not merged here, so the mark that Spin's own verifier puts before merged trails is left out.

use mandala_model::UncheckedModel;
use mandala_model::property::PropertyKind;
use mandala_model::step::{Actor, StepLabel};
use std::fmt;
use std::fmt::Write;

/// Why there is no trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrailError {
    /// The model has a `never` claim or an `ltl` formula, whose statements a trail would have to name.
    HasClaim(String),
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrailError::HasClaim(name) => write!(
                f,
                "no trail can be written for a model with a claim (`{name}`)"
            ),
        }
    }
}

impl std::error::Error for TrailError {}

/// The number of a statement that Spin takes together with the one before it.
pub(crate) const WITHOUT_LINE: u32 = u32::MAX;

/// The trail of a run that starts at the start and makes these steps.
pub fn trail(model: &UncheckedModel, steps: &[StepLabel]) -> Result<String, TrailError> {
    let claim = model
        .properties
        .iter()
        .find(|p| !matches!(p.kind, PropertyKind::Events { .. }));
    if let Some(property) = claim {
        return Err(TrailError::HasClaim(property.name.clone()));
    }
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
    Ok(text)
}
