//! A model whose processes assert nothing: what a claim is checked on, so that a failing assertion of
//! the system, which is a matter of its safety, is not taken for a violation of the claim.
//!
//! Edges and locations stay where they are, so that runs of the one are runs of the other.

use mandala_model::Model;
use mandala_model::template::{Effect, Role, Step};
use mandala_model::verify::verify;

/// The model without the assertions of its processes; those of claims stay.
pub fn without_assertions(model: &Model) -> Result<Model, String> {
    let mut silent = model.clone().into_unchecked();
    let templates = silent.templates.iter_mut();
    for template in templates.filter(|t| t.role == Role::Process) {
        for edge in &mut template.edges {
            silence(&mut edge.step);
        }
    }
    verify(silent).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        errors.join("; ")
    })
}

fn silence(step: &mut Step) {
    match step {
        Step::Guarded { effects, .. } => {
            effects.retain(|effect| !matches!(effect, Effect::Assert { .. }));
        }
        Step::Routine(routine) => {
            let choices = routine.nodes.iter_mut().flat_map(|node| &mut node.choices);
            choices.for_each(|choice| silence(&mut choice.step));
        }
        Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit => {}
    }
}
