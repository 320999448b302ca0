//! The parts of documents that several of them have: places, properties, runs, violations.

use crate::explain::{Explanation, NamedReading, WaitingProcess, process_number};
use crate::frontend::{LoadedModel, PropertyInput, ThreadWish, digest};
use crate::options::{Choice, Fairness};
use crate::outcome::{ExplainedRun, ShownRun};
use crate::plan::Subject;
use mandala_evidence::replay::ReplayedStep;
use mandala_model::ids::EdgeId;
use mandala_model::source::{Sources, Span};
use mandala_model::step::{Actor, Violation};
use mandala_model::template::Edge;
use mandala_report::document;

/// A place in the source.
pub fn place(sources: &Sources, span: Span) -> document::Place {
    let location = sources.location(span);
    document::Place {
        file: location.path.display().to_string(),
        line: location.line,
        column: location.column,
    }
}

/// What a property is known by in a document.
pub fn identity(subject: Subject) -> document::PropertyId {
    match subject {
        Subject::Safety => document::PropertyId::Safety,
        Subject::Stated(property) => document::PropertyId::Stated(property.0),
    }
}

/// Which model it is.
pub fn model_source(loaded: &LoadedModel) -> document::ModelSource {
    document::ModelSource {
        path: loaded.path.display().to_string(),
        language: loaded.model.language.to_string(),
        defines: loaded.defines.clone(),
        dialect: loaded.dialect.map(|dialect| dialect.to_string()),
        threads: loaded
            .threads
            .as_ref()
            .map(|threads| thread_source(&threads.wish)),
        stated: loaded.stated.iter().map(stated_property).collect(),
        digest: digest(&loaded.sources),
    }
}

/// What a model with any number of threads was read with.
pub fn thread_source(wish: &ThreadWish) -> document::ThreadSource {
    document::ThreadSource {
        at_most: wish.at_most,
        target: wish.target.clone(),
        start: wish.start.clone(),
    }
}

/// For how many threads a search of the model is.
pub(super) fn threads(loaded: &LoadedModel) -> Option<document::Threads> {
    let threads = loaded.threads.as_ref()?;
    Some(document::Threads {
        at_most: Some(threads.wish.at_most.unwrap_or(1)),
        ..document::Threads::default()
    })
}

/// A property that is stated beside the model.
pub fn stated_property(property: &PropertyInput) -> document::StatedProperty {
    document::StatedProperty {
        form: property.form.name().to_string(),
        name: property.name.clone(),
        text: property.text.clone(),
    }
}

/// A violation with its run.
pub(super) fn counterexample(
    loaded: &LoadedModel,
    found: &ExplainedRun,
) -> document::Counterexample {
    document::Counterexample {
        violation: violation(loaded, found.shown.run.violation(), &found.explanation),
        trace: trace(loaded, &found.shown),
    }
}

/// A violation as it is explained.
pub(super) fn violation(
    loaded: &LoadedModel,
    violation: &Violation,
    explanation: &Explanation,
) -> document::Violation {
    let Explanation {
        owner,
        message,
        span,
        text,
        values,
        waiting,
    } = explanation;
    document::Violation {
        property_id: identity(*owner),
        property: owner.name(&loaded.model).to_string(),
        kind: violation_kind(violation),
        message: message.clone(),
        place: span.map(|span| place(&loaded.sources, span)),
        text: text.clone(),
        values: values.iter().map(named_value).collect(),
        waiting: waiting.iter().map(|w| waiting_process(loaded, w)).collect(),
    }
}

/// The kind of a violation, for programs.
pub fn violation_kind(violation: &Violation) -> document::ViolationKind {
    match violation {
        Violation::Failed {
            property: Some(_), ..
        } => document::ViolationKind::Invariant,
        Violation::Assertion { .. } | Violation::Failed { .. } => {
            document::ViolationKind::Assertion
        }
        Violation::Deadlock => document::ViolationKind::Deadlock,
        Violation::ClaimEnded => document::ViolationKind::Claim,
        Violation::Lost { .. } | Violation::Cycle => document::ViolationKind::Liveness,
        Violation::UnexpectedEvent { .. }
        | Violation::ForbiddenEvents { .. }
        | Violation::EventsIncomplete => document::ViolationKind::Events,
        Violation::Fault(_) | Violation::Nondeterminism { .. } => {
            document::ViolationKind::RuntimeError
        }
    }
}

fn named_value(reading: &NamedReading) -> document::NamedValue {
    document::NamedValue {
        name: reading.name.clone(),
        value: reading.value.clone(),
    }
}

fn waiting_process(loaded: &LoadedModel, waiting: &WaitingProcess) -> document::Waiting {
    let template = loaded.model.template(waiting.template);
    document::Waiting {
        process: template.display_name().to_string(),
        pid: waiting.pid,
        place: place(&loaded.sources, waiting.span),
        statements: waiting.statements.clone(),
        allowed: waiting.allowed,
    }
}

/// A run as a trace.
pub(super) fn trace(loaded: &LoadedModel, shown: &ShownRun) -> document::Trace {
    let mut number = 0;
    let numbered = |made: &ReplayedStep| {
        number += u32::from(actor(made.label.actor) == document::Actor::Process);
        step(loaded, number, made)
    };
    document::Trace {
        property_id: identity(shown.subject),
        property: shown.subject.name(&loaded.model).to_string(),
        shortest: shown.shortest,
        before_cycle: shown.run.before_cycle(),
        fairness: (shown.fairness != Fairness::Off).then(|| shown.fairness.name().into()),
        steps: shown.run.steps().iter().map(numbered).collect(),
    }
}

fn actor(actor: Actor) -> document::Actor {
    match actor {
        Actor::Process(_) => document::Actor::Process,
        Actor::Claim => document::Actor::Claim,
    }
}

/// One step, where `number` counts the steps of the system.
pub fn step(loaded: &LoadedModel, number: u32, step: &ReplayedStep) -> document::Step {
    let label = step.label;
    let (process, edge) = edge_of(loaded, label.edge);
    let at = place(&loaded.sources, edge.span);
    let model = &loaded.model;
    let template = label.edge.template;
    let parameters = model.parameter_texts(template, edge, label.choice);
    document::Step {
        number,
        actor: actor(label.actor),
        process: process.to_string(),
        pid: process_number(label.actor),
        file: at.file,
        line: at.line,
        statement: model.instance_text(template, edge, label.choice),
        edge: label.edge.index,
        rule: (!parameters.is_empty()).then(|| edge.text.clone()),
        parameters: parameters.into_iter().map(parameter).collect(),
        choice: label.choice,
        partner: label.partner.map(|(pid, edge)| partner(loaded, pid, edge)),
        changes: step.changes.iter().map(change).collect(),
        printed: step.printed.clone(),
    }
}

fn parameter((name, value): (String, String)) -> document::Parameter {
    document::Parameter { name, value }
}

fn edge_of(loaded: &LoadedModel, id: EdgeId) -> (&str, &Edge) {
    let template = loaded.model.template(id.template);
    let edge = &template.edges[id.index as usize];
    (template.display_name(), edge)
}

fn partner(loaded: &LoadedModel, pid: u32, id: EdgeId) -> document::Partner {
    let (process, edge) = edge_of(loaded, id);
    let at = place(&loaded.sources, edge.span);
    document::Partner {
        process: process.to_string(),
        pid,
        file: at.file,
        line: at.line,
        statement: edge.text.clone(),
        edge: id.index,
    }
}

/// A change.
pub fn change(change: &mandala_interpreter::Change) -> document::Change {
    document::Change {
        name: change.name.clone(),
        from: change.old.clone(),
        to: change.new.clone(),
    }
}
