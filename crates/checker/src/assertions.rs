//! The assertions of a model and their places.

use mandala_model::expr::Expr;
use mandala_model::template::{Edge, Effect, Step};

/// All assertions of an edge with the statements that they stand in.
pub fn assertions(edge: &Edge) -> impl Iterator<Item = (&Expr, &str)> {
    let own = asserted(&edge.step, &edge.text);
    let nodes = match &edge.step {
        Step::Routine(routine) => routine.nodes.as_slice(),
        _ => &[],
    };
    let choices = nodes.iter().flat_map(|node| &node.choices);
    own.chain(choices.flat_map(|choice| asserted(&choice.step, &choice.text)))
}

fn asserted<'a>(step: &'a Step, text: &'a str) -> impl Iterator<Item = (&'a Expr, &'a str)> {
    let effects = match step {
        Step::Guarded { effects, .. } => effects.as_slice(),
        _ => &[],
    };
    effects.iter().filter_map(move |effect| match effect {
        Effect::Assert { condition } => Some((condition, text)),
        _ => None,
    })
}
