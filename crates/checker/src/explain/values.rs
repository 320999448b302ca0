//! The values in a condition that failed, and the variables that have none where one is needed.

use super::{process_number, site};
use mandala_evidence::replay::ReplayedRun;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::State;
use mandala_model::expr::Expr;
use mandala_model::source::Span;
use mandala_model::specialise::put_in;
use mandala_model::step::{Fault, FaultKind, Turn};
use mandala_model::template::{Control, Step};

/// A variable or an expression, and its value as a person writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedReading {
    /// The variable or expression.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// More values than these do not help anybody.
const SHOWN: usize = 16;

/// What the variables and questions in the condition were worth when it failed.
///
/// A statement inside code that runs in one step fails in a state that nobody else sees; the values
/// are then those before or after the step, whichever makes the condition false, or none if
/// neither does.
pub fn of_condition(
    interpreter: &Interpreter<'_>,
    condition: &Expr,
    run: &ReplayedRun,
) -> Vec<NamedReading> {
    let actor = run.steps().last().map(|step| step.label.actor);
    let process = actor.and_then(process_number);
    let Some(state) = failing_state(interpreter, condition, process, run) else {
        return Vec::new();
    };
    let readings = interpreter.readings(state, process, condition).into_iter();
    readings
        .take(SHOWN)
        .map(|(name, value)| NamedReading { name, value })
        .collect()
}

/// What makes an invariant false at the end of a run: the values of its parameters, and what its condition reads.
pub fn of_invariant(interpreter: &Interpreter<'_>, run: &ReplayedRun) -> Vec<NamedReading> {
    let Some(end) = run.last().and_then(|last| last.after.clone()) else {
        return Vec::new();
    };
    let end = Configuration {
        state: end,
        turn: Turn::Free,
    };
    let seen = interpreter.observations(&end).into_iter();
    let mut wrong = seen.filter(|seen| seen.violations.contains(run.violation()));
    let Some(wrong) = wrong.next() else {
        return Vec::new();
    };
    let model = interpreter.model();
    let edge = &model.template(wrong.edge.template).edges[wrong.edge.index as usize];
    let parameters = model.parameter_texts(wrong.edge.template, edge, wrong.choice);
    let mut values = parameters;
    if let Step::Guarded { guard, .. } = &edge.step {
        let mut guard = guard.clone();
        put_in(&mut guard, &edge.constants(wrong.choice));
        // The rules are one process, the first one.
        values.extend(interpreter.readings(&end.state, Some(0), &guard));
    }
    let values = values.into_iter().take(SHOWN);
    values
        .map(|(name, value)| NamedReading { name, value })
        .collect()
}

/// What the claim holds: the number for which a formula is violated that has to hold for several.
pub fn of_claim(interpreter: &Interpreter<'_>, run: &ReplayedRun) -> Vec<NamedReading> {
    let last = run
        .last()
        .map(|last| last.after.as_ref().unwrap_or(&last.before));
    let values = last.map(|state| interpreter.claim_values(state));
    let values = values.into_iter().flatten();
    values
        .map(|(name, value)| NamedReading { name, value })
        .collect()
}

fn failing_state<'r>(
    interpreter: &Interpreter<'_>,
    condition: &Expr,
    process: Option<u32>,
    run: &'r ReplayedRun,
) -> Option<&'r State> {
    let last = run.last()?;
    let candidates = [Some(&last.before), last.after.as_ref()];
    let fails = |state: &&State| interpreter.evaluate(state, process, condition) == Ok(0);
    candidates.into_iter().flatten().find(fails)
}

/// The variables that had no value when one was needed, by their full names.
///
/// As far as that can be told from the states around the step: a variable that only lives inside of it is called as
/// in the source, in the message.
pub fn missing(
    interpreter: &Interpreter<'_>,
    fault: &Fault,
    run: &ReplayedRun,
) -> Vec<NamedReading> {
    let Some(last) = run.last().filter(|_| fault.kind == FaultKind::Undefined) else {
        return Vec::new();
    };
    let process = run.steps().last().map(|step| step.label.actor);
    let process = process.and_then(process_number);
    let (used, state) = match &last.after {
        None => (
            used_in_last_step(interpreter, fault.span, run),
            &last.before,
        ),
        Some(after) => (used_in_looking(interpreter, fault.span), after),
    };
    let mut missing: Vec<NamedReading> = Vec::new();
    for expr in used {
        let readings = interpreter.readings(state, process, &expr).into_iter();
        let readings = readings.map(|(name, value)| NamedReading { name, value });
        let without = readings.filter(|reading| reading.value == "undefined");
        missing.extend(
            without
                .filter(|reading| !missing.contains(reading))
                .collect::<Vec<_>>(),
        );
    }
    missing.truncate(SHOWN);
    missing
}

fn used_in_last_step(interpreter: &Interpreter<'_>, span: Span, run: &ReplayedRun) -> Vec<Expr> {
    let Some(step) = run.steps().last() else {
        return Vec::new();
    };
    let id = step.label.edge;
    let edge = &interpreter.model().template(id.template).edges[id.index as usize];
    let mut used = site::uses(edge, span);
    let constants = edge.constants(step.label.choice);
    used.iter_mut().for_each(|expr| put_in(expr, &constants));
    used
}

/// What is used by edges that only look at states.
fn used_in_looking(interpreter: &Interpreter<'_>, span: Span) -> Vec<Expr> {
    let templates = interpreter.model().templates.iter();
    let edges = templates.flat_map(|template| &template.edges);
    let looking = edges.filter(|edge| edge.control == Control::Observe);
    let uses = looking.flat_map(|edge| {
        let uses = site::uses(edge, span);
        let choices = if uses.is_empty() { 0 } else { edge.choices() };
        (0..choices).flat_map(move |choice| {
            let constants = edge.constants(choice);
            let mut uses = uses.clone();
            uses.iter_mut().for_each(|expr| put_in(expr, &constants));
            uses
        })
    });
    uses.collect()
}
