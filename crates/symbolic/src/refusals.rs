//! Refusals of models that this engine does not support, before anything is computed where that is possible.

use crate::diagrams::Made;
use crate::first_values;
use crate::slots;
use crate::stop::Stop;
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::model::Deadlock;
use mandala_model::step::Observers;
use mandala_model::template::{Control, Role, Template};
use mandala_model::types::Storage;
use mandala_resolved::ResolvedModel;

/// Refuses what this engine does not take.
pub(crate) fn require(model: &Model, code: &ResolvedModel, observers: Observers) -> Made<()> {
    let claim = observers.claim.map(|claim| model.runnable(claim));
    if let Some(observer) = claim.or(observers.events) {
        let span = Some(model.template(observer).span);
        return refused("observers that run along with the system", span);
    }
    let ids = (0..model.templates.len()).map(TemplateId::from);
    for id in ids.filter(|id| model.template(*id).role == Role::Process) {
        let template = model.template(id);
        require_template(template)?;
        require_scratch(model, code, id)?;
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
    Ok(())
}

/// Variables that are forgotten after each step, and hold something else at first in each new process: nobody has those.
fn require_scratch(model: &Model, code: &ResolvedModel, id: TemplateId) -> Made<()> {
    let template = model.template(id);
    let mut firsts = first_values::constants(code.template(id)).into_iter();
    for local in &template.locals {
        let own = firsts.by_ref().take(model.cells(&local.ty));
        let differs = own.filter(Option::is_none).count() > 0;
        if differs && local.storage == Storage::Scratch && slots::is_made(model, id) {
            return refused(
                "this variable of processes that are made later",
                Some(local.span),
            );
        }
    }
    Ok(())
}

fn refused(construct: &str, span: Option<mandala_model::Span>) -> Made<()> {
    Err(Stop::unsupported(construct, span))
}
