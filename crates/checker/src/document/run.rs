//! Runs in the words of the document: a trace, and each of its steps.

use super::events::{MessageLog, truncations};
use super::present::{identity, place};
use crate::explain::process_number;
use crate::frontend::LoadedModel;
use crate::options::{Choice, Fairness, TraceStates};
use crate::outcome::ShownRun;
use mandala_evidence::replay::{ReplayedRun, ReplayedStep};
use mandala_interpreter::Interpreter;
use mandala_model::ids::EdgeId;
use mandala_model::model::Language;
use mandala_model::parameters::Parameter;
use mandala_model::source::Sources;
use mandala_model::state::ProcessState;
use mandala_model::step::{Actor, Observers, StepLabel, Turn};
use mandala_model::template::{Edge, Step};
use mandala_model::types::{CodingKind, Scalar, Type};
use mandala_model::{Model, State};
use mandala_report::document;

/// A run as a trace.
pub(super) fn trace(
    loaded: &LoadedModel,
    shown: &ShownRun,
    states: TraceStates,
) -> document::Trace {
    let mut steps = steps(loaded, shown.run.steps());
    if states == TraceStates::Each {
        for (told, made) in steps.iter_mut().zip(shown.run.steps()) {
            let after = made.after.as_ref().map(|after| &after.state);
            told.state = after.map(|state| listing(&loaded.model, &loaded.sources, state));
        }
    }
    document::Trace {
        property_id: identity(shown.subject),
        property: shown.subject.name(&loaded.model).to_string(),
        shortest: shown.shortest,
        before_cycle: shown.run.before_cycle(),
        fairness: (shown.fairness != Fairness::Off).then(|| shown.fairness.name().into()),
        steps,
        last_state: last_state(&shown.run)
            .map(|state| listing(&loaded.model, &loaded.sources, state)),
    }
}

/// The steps of a run from its start, each with what becomes of its messages.
pub fn steps(loaded: &LoadedModel, made: &[ReplayedStep]) -> Vec<document::Step> {
    let mut teller = StepTeller::new(loaded);
    let mut steps: Vec<_> = made.iter().map(|step| teller.tell(step)).collect();
    teller.messages.address(&mut steps);
    steps
}

fn last_state(run: &ReplayedRun) -> Option<&State> {
    let last = run.last()?;
    Some(last.after.as_ref().unwrap_or(&last.before))
}

/// All of a state of a model.
pub fn listing(model: &Model, sources: &Sources, state: &State) -> document::StateListing {
    let interpreter = Interpreter::new(model, Observers::default());
    let values = interpreter.values(state).into_iter();
    let processes = state.processes.iter().enumerate();
    let shown = processes.filter(|_| !model.is_system_of_rules());
    document::StateListing {
        values: values
            .map(|(name, value)| document::NamedValue { name, value })
            .collect(),
        processes: shown
            .map(|(pid, process)| process_place(model, sources, pid as u32, process))
            .collect(),
    }
}

fn process_place(
    model: &Model,
    sources: &Sources,
    pid: u32,
    process: &ProcessState,
) -> document::ProcessPlace {
    let template = model.template(process.template);
    let location = &template.locations[process.location.index()];
    document::ProcessPlace {
        process: template.display_name().to_string(),
        pid,
        place: place(sources, location.span),
    }
}

/// Tells the steps of a run, one after the other from its start.
pub struct StepTeller<'a> {
    loaded: &'a LoadedModel,
    messages: MessageLog<'a>,
    /// How many steps the system has made.
    number: u32,
}

impl<'a> StepTeller<'a> {
    /// The teller of a run that has not made a step.
    pub fn new(loaded: &'a LoadedModel) -> Self {
        let interpreter = Interpreter::new(&loaded.model, Observers::default());
        StepTeller {
            loaded,
            messages: MessageLog::new(interpreter),
            number: 0,
        }
    }

    /// The next step. Who will receive a message that it sends is not known yet.
    pub fn tell(&mut self, made: &ReplayedStep) -> document::Step {
        self.number += u32::from(actor(made.label.actor) == document::Actor::Process);
        let mut events = self.messages.follow(made).into_iter();
        document::Step {
            event: events.next(),
            further_events: events.collect(),
            ..step(self.loaded, self.number, made)
        }
    }
}

fn actor(actor: Actor) -> document::Actor {
    match actor {
        Actor::Process(_) => document::Actor::Process,
        Actor::Claim => document::Actor::Claim,
    }
}

/// One step, where `number` counts the steps of the system. Of its messages nothing is said.
fn step(loaded: &LoadedModel, number: u32, step: &ReplayedStep) -> document::Step {
    let label = step.label;
    let (process, edge) = edge_of(loaded, label.edge);
    let at = place(&loaded.sources, edge.span);
    let model = &loaded.model;
    let template = label.edge.template;
    let values = model.parameter_texts(template, edge, label.choice);
    let values = values.into_iter().zip(&edge.parameters);
    let parameters = values.map(|(text, declared)| parameter(loaded, label, text, declared));
    let parameters: Vec<_> = parameters.collect();
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
        parameters,
        choice: label.choice,
        partner: label.partner.map(|(pid, edge)| partner(loaded, pid, edge)),
        changes: step.changes.iter().map(change).collect(),
        printed: step.printed.clone(),
        event: None,
        further_events: Vec::new(),
        truncated: truncations(step),
        atomic: is_within_sequence(step),
        bookkeeping: is_bookkeeping(loaded, label),
        state: None,
    }
}

fn parameter(
    loaded: &LoadedModel,
    label: StepLabel,
    (name, value): (String, String),
    declared: &Parameter,
) -> document::Parameter {
    let locals = &loaded.model.template(label.edge.template).locals;
    let scalarset = match locals[declared.local.index()].ty {
        Type::Scalar(Scalar::Coded { coding, .. }) => {
            let coding = loaded.model.coding(coding);
            (coding.kind == CodingKind::Members).then(|| coding.name.clone())
        }
        _ => None,
    };
    document::Parameter {
        name,
        value,
        scalarset,
    }
}

/// Whether the process keeps control.
fn is_within_sequence(step: &ReplayedStep) -> bool {
    let after = step.after.as_ref();
    after.is_some_and(|after| matches!(after.turn, Turn::Held(_)))
}

/// Whether a step only leads its process on.
fn is_bookkeeping(loaded: &LoadedModel, label: StepLabel) -> bool {
    if loaded.model.is_system_of_rules() || label.partner.is_some() {
        return false;
    }
    let (_, edge) = edge_of(loaded, label.edge);
    does_nothing(edge) || counts_a_loop(loaded, edge)
}

/// Whether a step waits for nothing and does nothing: `else`, `goto`, `break`, `skip`.
fn does_nothing(edge: &Edge) -> bool {
    match &edge.step {
        Step::Else => true,
        Step::Guarded { guard, effects } => {
            effects.is_empty() && guard.as_constant().is_some_and(|value| value != 0)
        }
        _ => false,
    }
}

/// Whether a statement of a Promela model is a part of what `for (i : 1 .. N)` stands for: it stands where the loop does.
fn counts_a_loop(loaded: &LoadedModel, edge: &Edge) -> bool {
    let text = || loaded.sources.snippet(edge.span);
    let is_loop = || {
        let rest = text().strip_prefix("for");
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    };
    let counts = matches!(edge.step, Step::Guarded { .. });
    counts && loaded.model.language == Language::Promela && is_loop()
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
