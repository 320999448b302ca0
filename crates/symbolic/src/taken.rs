//! What this engine does not take, said before anything is computed where that can be told.

use crate::diagrams::Made;
use crate::outcome::Stop;
use mandala_model::model::Deadlock;
use mandala_model::step::Observers;
use mandala_model::template::{Control, Effect, Role, Step, Template};
use mandala_model::{Model, State};

/// Refuses what this engine does not take.
pub(crate) fn require(model: &Model, observers: Observers) -> Made<()> {
    if let Some(observer) = observers.claim.or(observers.events) {
        let span = Some(model.template(observer).span);
        return refused("observers that run along with the system", span);
    }
    if model.prioritised {
        return refused("priorities", None);
    }
    if model.tracks_last_mover {
        return refused("a model that remembers who moved last", None);
    }
    if !model.bags().is_empty() {
        return refused("multisets", None);
    }
    let templates = model.templates.iter();
    for template in templates.filter(|t| t.role == Role::Process) {
        require_template(template)?;
        let held = |edge: &&mandala_model::template::Edge| edge.control == Control::Hold;
        if let Some(edge) = template.edges.iter().find(held)
            && model.deadlock == Deadlock::NoChange
        {
            return refused(
                "atomic sequences where steps without change do not count",
                Some(edge.span),
            );
        }
    }
    Ok(())
}

fn require_template(template: &Template) -> Made<()> {
    if template.deterministic {
        return refused(
            "processes that must never have a choice",
            Some(template.span),
        );
    }
    for edge in &template.edges {
        if let Step::Guarded { effects, .. } = &edge.step
            && effects.iter().any(|e| matches!(e, Effect::Spawn { .. }))
        {
            return refused("processes that are made later (`run`)", Some(edge.span));
        }
    }
    Ok(())
}

/// Refuses a first state with something that this engine does not take.
pub(crate) fn require_start(model: &Model, start: &State) -> Made<()> {
    let kinds = start.channels.iter().map(|c| model.channel_kind(c.kind));
    let meeting = kinds.into_iter().find(|kind| kind.capacity == 0);
    match meeting {
        Some(kind) => refused("channels without room (rendezvous)", Some(kind.span)),
        None => Ok(()),
    }
}

fn refused(construct: &str, span: Option<mandala_model::Span>) -> Made<()> {
    Err(Stop::unsupported(construct, span))
}
