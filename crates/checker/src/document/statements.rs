//! Counts of the executions of each statement.
//!
//! What is counted are the edges that a search has taken, each way that it tried: once for each stored state that the
//! edge leads away from, and inside of atomic sequences once for each way to get there. A statement that several
//! edges stand for, because control can come to it in several ways, has their sum. A routine (`d_step`) runs to its
//! end in one step and is one statement.
//!
//! A search with symmetry takes the edges of representatives: the counts are those of its own work.

use crate::frontend::LoadedModel;
use crate::outcome::PropertyOutcome;
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::property::PropertyKind;
use mandala_model::source::Span;
use mandala_model::template::{Edge, Role, Step, Template};
use mandala_report::document::StatementCount;
use std::collections::BTreeMap;

/// Every statement of the processes, and of the observers that took part, with its count over all searches, and every monitor with the number of
/// states in which it held. The claim
/// of a formula has none: nobody has written them.
pub fn counts(loaded: &LoadedModel, outcomes: &[PropertyOutcome]) -> Vec<StatementCount> {
    let runnables = loaded.model.runnables();
    runnables
        .filter(|(id, template)| takes_part(&loaded.model, *id, template, outcomes))
        .flat_map(|(id, template)| of_template(loaded, id, template, outcomes))
        .collect()
}

fn takes_part(
    model: &Model,
    id: TemplateId,
    template: &Template,
    outcomes: &[PropertyOutcome],
) -> bool {
    let mut searched = outcomes.iter().filter(|o| o.search.is_some());
    match template.role {
        Role::Process | Role::Monitors => true,
        Role::Claim => searched.any(|o| is_never_claim(model, o, id)),
        Role::Events(_) => searched.any(|o| o.check.observers.events == Some(id)),
    }
}

fn is_never_claim(model: &Model, outcome: &PropertyOutcome, id: TemplateId) -> bool {
    let check = &outcome.check;
    let claim = check.observers.claim;
    let runs = claim.is_some_and(|claim| model.runnable(claim) == id);
    let kind = check.property_kind(model);
    runs && kind.is_some_and(PropertyKind::is_given_claim)
}

/// The statements of one template in the order in which they are written.
fn of_template(
    loaded: &LoadedModel,
    id: TemplateId,
    template: &Template,
    outcomes: &[PropertyOutcome],
) -> Vec<StatementCount> {
    let mut counts: BTreeMap<(Span, &str), u64> = BTreeMap::new();
    let edges = template.edges.iter().enumerate();
    for (index, edge) in edges.filter(|(_, edge)| is_statement(template, edge)) {
        let taken = outcomes.iter().map(|o| taken(o, id, index)).sum::<u64>();
        *counts.entry((edge.span, &edge.text)).or_default() += taken;
    }
    let mut rows: Vec<StatementCount> = counts
        .into_iter()
        .map(|((span, text), count)| row(loaded, template, span, text, count))
        .collect();
    rows.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    rows
}

/// Whether it does or asks something: a jump and the end of a process do not.
fn is_statement(template: &Template, edge: &Edge) -> bool {
    match &edge.step {
        Step::Exit => false,
        Step::Guarded { guard, effects } if effects.is_empty() => {
            let silent = template.locations[edge.source.index()].silent;
            !silent || guard.as_constant().is_none()
        }
        _ => true,
    }
}

/// How often a search has taken an edge of the user's model.
fn taken(outcome: &PropertyOutcome, id: TemplateId, index: usize) -> u64 {
    let search = outcome.search.as_ref();
    let edges = search.and_then(|s| s.reached.edges.as_ref());
    let count = edges.and_then(|edges| edges.get(id.index())?.get(index));
    count.copied().unwrap_or(0)
}

fn row(
    loaded: &LoadedModel,
    template: &Template,
    span: Span,
    text: &str,
    count: u64,
) -> StatementCount {
    let location = loaded.sources.location(span);
    StatementCount {
        process: template.display_name().to_string(),
        file: location.path.display().to_string(),
        line: location.line,
        statement: text.to_string(),
        count,
    }
}
