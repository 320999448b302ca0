//! Systems of rules: the models that are one, and the constructs that are not supported in one.
//!
//! Whether an edge with a quiet node can be taken is known when it has been taken. To find out beforehand would be to run
//! it twice, so a stepper takes such edges on trial. That is of no consequence as long as nothing depends on whether the edge could be
//! taken but the end of the run; where something else does, the model is refused. Only if a claim runs along, which moves before the
//! system and has to know whether that can follow, such edges are run twice after all.

use super::Unsupported;
use crate::code::{Code, Op};
use crate::program::Rules;
use mandala_model::Model;
use mandala_model::ids::LocationId;
use mandala_model::model::Deadlock;
use mandala_model::template::{Control, Edge, Entering, Role, Step, Template};

/// Looks through the model.
pub(super) fn rules(model: &Model, code: &Code) -> Result<Rules, Unsupported> {
    // Nothing depends on whether a monitor holds.
    let templates = model.runnables().map(|(_, template)| template);
    let templates = templates.filter(|template| template.role != Role::Monitors);
    let edges = templates.clone().flat_map(|template| &template.edges);
    let mut on_trial = edges.filter(|edge| is_on_trial(edge));
    let timeouts = code.ops.iter().any(|op| matches!(op, Op::Timeout { .. }));
    if let Some(edge) = on_trial.clone().next().filter(|_| timeouts) {
        return Err(refused(edge, "a time-out"));
    }
    for template in templates {
        check(template)?;
    }
    Ok(Rules {
        start_held: model.start_held,
        quiet: on_trial.next().is_some(),
        no_change: model.deadlock == Deadlock::NoChange,
        keeps_stutter: false,
    })
}

/// Whether it turns out only on the way that the edge cannot be taken.
fn is_on_trial(edge: &Edge) -> bool {
    match &edge.step {
        Step::Routine(routine) => routine.is_quiet(),
        _ => false,
    }
}

fn check(template: &Template) -> Result<(), Unsupported> {
    let mut on_trial: Vec<&Edge> = template.edges.iter().filter(|e| is_on_trial(e)).collect();
    // Edges of one location stand together, and the question is about the location.
    on_trial.dedup_by_key(|edge| edge.source);
    let entering = template.entering();
    for edge in on_trial {
        if let Some(what) = dependent(template, &entering, edge.source) {
            return Err(refused(edge, what));
        }
    }
    Ok(())
}

/// What depends on which edges of a location can be taken.
fn dependent(template: &Template, entering: &Entering<'_>, at: LocationId) -> Option<&'static str> {
    let any = |test: fn(&Edge) -> bool| template.edges_from(at).any(|(_, edge)| test(edge));
    if any(|edge| edge.step == Step::Else) {
        return Some("an `else`");
    }
    if any(|edge| edge.escape > 0) {
        return Some("an escape");
    }
    if template.deterministic {
        return Some("that there is no choice");
    }
    let mut arriving = entering.at(at).iter();
    let held = arriving.any(|edge| edge.control == Control::Hold);
    held.then_some("who keeps control")
}

fn refused(edge: &Edge, what: &str) -> Unsupported {
    Unsupported {
        message: format!("{what} depends on a step that may turn out impossible halfway through"),
        span: Some(edge.span),
    }
}
