//! A violation in words: what went wrong, where, and the values that made it so.

mod branching;
mod faults;
mod forever;
mod site;
mod values;
mod waiting;

use crate::assertions::assertions;
use crate::frontend::LoadedModel;
use crate::plan::{Question, Subject};
use mandala_evidence::replay::ReplayedRun;
use mandala_interpreter::Interpreter;
use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::ids::PropertyId;
use mandala_model::property::{PropertyKind, RunOrigin};
use mandala_model::source::Span;
use mandala_model::step::{Actor, Violation};
pub use site::process_number;
use site::quoted;
pub use values::NamedReading;
pub use waiting::{WaitingGuard, WaitingProcess, blocked};

/// A violation in words, with the place and the values that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The property that is violated.
    pub owner: Subject,
    /// One sentence without a full stop.
    pub message: String,
    /// The place in the source, if the violation has one.
    pub span: Option<Span>,
    /// The text of the condition or statement that failed.
    pub text: Option<String>,
    /// The values that made it fail.
    pub values: Vec<NamedReading>,
    /// At a deadlock: where the processes wait.
    pub waiting: Vec<WaitingProcess>,
    /// What else explains it, and what can be done: sentences without a full stop.
    pub notes: Vec<String>,
}

/// Explains the violation at the end of a run.
pub fn explain(
    loaded: &LoadedModel,
    interpreter: &Interpreter<'_>,
    check: &Question,
    run: &ReplayedRun,
) -> Explanation {
    let violation = run.violation();
    let assertion = failed_assertion(loaded, run);
    let span = span_of(violation, loaded, check);
    let waiting = match violation {
        Violation::Deadlock => waiting::at_the_end(interpreter, run),
        _ => Vec::new(),
    };
    Explanation {
        owner: check.owner(violation),
        message: message(violation, loaded, check),
        span,
        text: match &assertion {
            Some(found) if !is_formula(loaded, check) => Some(found.text.clone()),
            _ => span.and_then(|span| quoted(loaded, span)),
        },
        values: values(loaded, interpreter, &assertion, run),
        notes: notes(loaded, interpreter, check, run, &waiting),
        waiting,
    }
}

/// What else explains a violation.
fn notes(
    loaded: &LoadedModel,
    interpreter: &Interpreter<'_>,
    check: &Question,
    run: &ReplayedRun,
    waiting: &[WaitingProcess],
) -> Vec<String> {
    let formula = || {
        let property = check.subject.property();
        let property = property.filter(|_| is_formula(loaded, check));
        property.map_or_else(Vec::new, |property| {
            forever::of_formula(&loaded.sources, interpreter, property, run)
        })
    };
    match run.violation() {
        Violation::Deadlock => waiting::hint(interpreter, waiting).into_iter().collect(),
        Violation::Cycle => {
            let mut notes = formula();
            notes.extend(forever::unfairness(interpreter, run));
            notes
        }
        Violation::Lost { property, .. } => {
            let stated = &loaded.model.properties[property.index()].kind;
            let operator = match stated {
                PropertyKind::Ctl { formula, .. } => {
                    Some(branching::failing(&loaded.model, formula))
                }
                _ => None,
            };
            let unfair = forever::unfairness(interpreter, run);
            operator.into_iter().chain(unfair).collect()
        }
        _ => Vec::new(),
    }
}

/// What matters of the state at the end of a run: for whom a formula fails, and what made a condition false.
fn values(
    loaded: &LoadedModel,
    interpreter: &Interpreter<'_>,
    assertion: &Option<Found<'_>>,
    run: &ReplayedRun,
) -> Vec<NamedReading> {
    let mut values = values::of_claim(interpreter, run);
    let others = match (assertion, run.violation()) {
        (Some(found), _) => values::of_condition(interpreter, found.condition, run),
        (None, Violation::Fault(fault)) => {
            let mut values = values::missing(interpreter, fault, run);
            let others = values::of_fault(interpreter, &loaded.sources, fault, run).into_iter();
            let new = others.filter(|value| !values.contains(value));
            values.extend(new.collect::<Vec<_>>());
            values
        }
        (
            None,
            Violation::Failed {
                property: Some(_), ..
            },
        ) => values::of_invariant(interpreter, run),
        (
            None,
            Violation::Failed {
                property: None,
                span,
            },
        ) => values::of_failure(interpreter, *span, run),
        (None, _) => Vec::new(),
    };
    // In conditions, the variables of a claim have its name before their own.
    let claim = run
        .last()
        .map(|last| interpreter.actor_name(&last.before, Actor::Claim));
    let known: Vec<String> = claim.map_or_else(Vec::new, |claim| {
        let own = values.iter().map(|own| format!("{claim}:{}", own.name));
        own.collect()
    });
    let others = others.into_iter();
    values.extend(others.filter(|value| !known.contains(&value.name)));
    values
}

/// What went wrong, as one sentence without a full stop.
pub fn message(violation: &Violation, loaded: &LoadedModel, check: &Question) -> String {
    match violation {
        Violation::Failed { span, property } => failure(&loaded.model, *span, *property),
        // True of a state in which no step is possible as well.
        Violation::Deadlock if loaded.model.is_system_of_rules() => {
            "deadlock: no step leads to another state".into()
        }
        Violation::ClaimEnded | Violation::Cycle => claim_message(loaded, check),
        Violation::Lost { property, instance } => {
            let whom = instance_text(&loaded.model, *property, *instance);
            match check.branching_property() {
                Some(_) => format!("the formula `{}` does not hold{whom}", check.name),
                None => format!(
                    "liveness \"{}\" is violated{whom}: after this run it can never be true",
                    name_of(&loaded.model, *property)
                ),
            }
        }
        Violation::Assertion { .. } if is_formula(loaded, check) => claim_message(loaded, check),
        Violation::Assertion { .. } => "an assertion failed".into(),
        Violation::Deadlock => {
            "deadlock: no process can move, and a process waits where it must not stay".into()
        }
        Violation::UnexpectedEvent { .. } => "a message is not one that the trace allows".into(),
        Violation::ForbiddenEvents { .. } => "the messages are those that notrace forbids".into(),
        Violation::EventsIncomplete => "the run ends before the trace is complete".into(),
        Violation::Nondeterminism { .. } => {
            "a process of a `D_proctype` has a choice: an earlier statement could be executed too"
                .into()
        }
        Violation::Fault(fault) => faults::message(loaded, fault),
    }
}

/// For whom a property is violated that is several in one.
fn instance_text(model: &Model, property: PropertyId, instance: u32) -> String {
    let texts = model.instance_texts(property, instance).into_iter();
    let texts = texts.map(|(name, value)| format!("{name} = {value}"));
    let texts: Vec<String> = texts.collect();
    match texts.is_empty() {
        true => String::new(),
        false => format!(" for {}", texts.join(", ")),
    }
}

fn name_of(model: &Model, property: PropertyId) -> String {
    model.properties[property.index()].name.clone()
}

/// What a step says that fails.
fn failure(model: &Model, span: Span, invariant: Option<PropertyId>) -> String {
    let said = model.failure_message(span).unwrap_or_default();
    match (said.is_empty(), invariant) {
        (false, _) => said,
        (true, Some(property)) => {
            format!("invariant \"{}\" is violated", name_of(model, property))
        }
        (true, None) => "a step fails".into(),
    }
}

fn claim_message(loaded: &LoadedModel, check: &Question) -> String {
    match origin(loaded, check) {
        Some(RunOrigin::Formula { .. }) => {
            format!("a run does not satisfy the formula `{}`", check.name)
        }
        Some(RunOrigin::NonProgress) => "a run goes on forever without progress".into(),
        Some(RunOrigin::Accept) => "a run passes an `accept` label infinitely often".into(),
        Some(RunOrigin::Automaton) | None => {
            format!("a run does what the claim `{}` forbids", check.name)
        }
    }
}

/// Where the automaton comes from that a check is about, if it is about one.
fn origin<'m>(loaded: &'m LoadedModel, check: &Question) -> Option<&'m RunOrigin> {
    check
        .property_kind(&loaded.model)
        .and_then(PropertyKind::origin)
}

/// Whether a check is about a formula of linear temporal logic.
fn is_formula(loaded: &LoadedModel, check: &Question) -> bool {
    matches!(origin(loaded, check), Some(RunOrigin::Formula { .. }))
}

/// Where the violation is: for a formula or the end of a claim, where that stands. The assertions in
/// the claim of a formula are not the user's, those in a never claim are.
pub fn span_of(violation: &Violation, loaded: &LoadedModel, check: &Question) -> Option<Span> {
    let claim = || {
        let property = check.subject.property()?;
        Some(loaded.model.properties[property.index()].span)
    };
    match violation {
        Violation::ClaimEnded | Violation::Cycle => claim(),
        Violation::Lost { property, .. } => Some(loaded.model.properties[property.index()].span),
        Violation::Assertion { .. } if is_formula(loaded, check) => claim(),
        Violation::Assertion { span }
        | Violation::Failed { span, .. }
        | Violation::UnexpectedEvent { span }
        | Violation::Nondeterminism { span }
        | Violation::ForbiddenEvents { span } => Some(*span),
        Violation::Fault(fault) => Some(fault.span),
        Violation::Deadlock | Violation::EventsIncomplete => None,
    }
}

/// An assertion in the model.
struct Found<'m> {
    condition: &'m Expr,
    text: String,
}

/// The assertion that failed, which is in the last step.
fn failed_assertion<'m>(loaded: &'m LoadedModel, run: &ReplayedRun) -> Option<Found<'m>> {
    let Violation::Assertion { span } = *run.violation() else {
        return None;
    };
    let label = run.steps().last()?.label;
    let template = loaded.model.template(label.edge.template);
    let edge = &template.edges[label.edge.index as usize];
    let (condition, text) = assertions(edge).find(|(condition, _)| condition.span == span)?;
    Some(Found {
        condition,
        text: text.to_string(),
    })
}
