//! The parts of documents that several of them have: places, properties, runs, violations.

use super::run::trace;
use crate::explain::{Explanation, NamedReading, WaitingGuard, WaitingProcess};
use crate::frontend::{LoadedModel, PropertyInput, ThreadWish, digest};
use crate::options::TraceStates;
use crate::outcome::ExplainedRun;
use crate::plan::Subject;
use mandala_model::source::{Sources, Span};
use mandala_model::step::Violation;
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
    states: TraceStates,
) -> document::Counterexample {
    document::Counterexample {
        violation: violation(loaded, found.shown.run.violation(), &found.explanation),
        trace: trace(loaded, &found.shown, states),
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
        notes,
    } = explanation;
    document::Violation {
        property_id: identity(*owner),
        property: owner.name(&loaded.model).to_string(),
        kind: violation_kind(violation),
        message: message.clone(),
        place: span.map(|span| place(&loaded.sources, span)),
        text: text.clone(),
        parameters: parameters(loaded, violation),
        choice: match violation {
            Violation::Lost { instance, .. } => *instance,
            _ => 0,
        },
        values: values.iter().map(named_value).collect(),
        waiting: waiting.iter().map(|w| waiting_process(loaded, w)).collect(),
        notes: notes.clone(),
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

/// For which values of its parameters a property is violated that is several in one.
fn parameters(loaded: &LoadedModel, violation: &Violation) -> Vec<document::Parameter> {
    let Violation::Lost { property, instance } = violation else {
        return Vec::new();
    };
    let texts = loaded.model.instance_texts(*property, *instance);
    let parameter = |(name, value)| document::Parameter {
        name,
        value,
        scalarset: None,
    };
    texts.into_iter().map(parameter).collect()
}

fn named_value(reading: &NamedReading) -> document::NamedValue {
    document::NamedValue {
        name: reading.name.clone(),
        value: reading.value.clone(),
    }
}

fn waiting_guard(guard: &WaitingGuard) -> document::WaitingGuard {
    document::WaitingGuard {
        statement: guard.statement.clone(),
        values: guard.values.iter().map(named_value).collect(),
        changed_by: guard.changed_by.clone(),
    }
}

/// A process that cannot go on, with what it waits for.
pub fn waiting_process(loaded: &LoadedModel, waiting: &WaitingProcess) -> document::Waiting {
    let template = loaded.model.template(waiting.template);
    document::Waiting {
        process: template.display_name().to_string(),
        pid: waiting.pid,
        place: place(&loaded.sources, waiting.span),
        statements: waiting.statements.clone(),
        guards: waiting.guards.iter().map(waiting_guard).collect(),
        allowed: waiting.allowed,
    }
}
