//! The values in a condition that failed, and the variables that have none where one is needed.

use super::site::{self, process_number};
use mandala_evidence::replay::ReplayedRun;
use mandala_interpreter::{Configuration, Interpreter, Returned};
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::ids::EdgeId;
use mandala_model::instantiate::step_of;
use mandala_model::source::{Sources, Span};
use mandala_model::specialise::{Constants, put_constants, put_in};
use mandala_model::state::Value;
use mandala_model::step::{Fault, FaultKind, Turn, Violation};
use mandala_model::template::{Edge, Routine, Step};
use mandala_model::types::{Type, Variable};
use mandala_model::{Model, State};

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

/// More results of calls than these do not, either.
const MOST_RESULTS: usize = 8;

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
    named(why(interpreter, state, process, condition))
}

/// The values of quantifiers' variables that decide a condition, and what it reads for these.
fn why(
    interpreter: &Interpreter<'_>,
    state: &State,
    process: Option<u32>,
    condition: &Expr,
) -> Vec<(String, String)> {
    let reason = interpreter.reason(state, process, condition);
    let mut values = reason.values;
    let asks_number = reason.condition.any(|part| part.kind == ExprKind::SelfId);
    if let Some(number) = process.filter(|_| asks_number) {
        values.push(("_pid".into(), number.to_string()));
    }
    values.extend(interpreter.readings(state, process, &reason.condition));
    values
}

fn named(values: Vec<(String, String)>) -> Vec<NamedReading> {
    let values = values.into_iter().take(SHOWN);
    values
        .map(|(name, value)| NamedReading { name, value })
        .collect()
}

/// What makes an invariant false at the end of a run: the values of its parameters and of quantifiers, and what its condition reads.
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
    let id = model.edge_of_monitor(wrong.monitor);
    let check = &model.template(id.template).edges[id.index as usize];
    let mut values = model.parameter_texts(id.template, check, wrong.choice);
    let seen = interpreter.seen_by_monitors(&end.state);
    match &check.step {
        Step::Guarded { guard, .. } => {
            let mut guard = guard.clone();
            put_constants(&mut guard, &check.constants(wrong.choice));
            values.extend(why(interpreter, &seen, None, &guard));
        }
        Step::Routine(routine) => {
            values.extend(results(interpreter, &end.state, &wrong.returned));
            values.extend(asked_of_globals(interpreter, &seen, routine));
        }
        _ => {}
    }
    named(values)
}

/// What made a step fail at that place in its code: what the conditions read that led there, at that moment.
pub fn of_failure(
    interpreter: &Interpreter<'_>,
    span: Span,
    run: &ReplayedRun,
) -> Vec<NamedReading> {
    let (Some(last), Some(step)) = (run.last(), run.steps().last()) else {
        return Vec::new();
    };
    let (model, label) = (interpreter.model(), step.label);
    let template = model.template(label.edge.template);
    let edge = &template.edges[label.edge.index as usize];
    let state = interpreter.state_at_failure(&last.before, &label);
    let (Some(routine), Some(state)) = (edge.step.routine(), state) else {
        return Vec::new();
    };
    let (process, constants) = (process_number(label.actor), edge.constants(label.choice));
    let mut values: Vec<(String, String)> = Vec::new();
    for mut condition in routine.conditions_of_failure(span) {
        put_constants(&mut condition, &constants);
        let known: Vec<_> = why(interpreter, &state, process, &condition);
        let new = known.into_iter().filter(|value| !values.contains(value));
        values.extend(new.collect::<Vec<_>>());
    }
    without_rules(interpreter, &state, process, &mut values);
    named(values)
}

/// The one process of a system of rules has no name that a user knows.
fn without_rules(
    interpreter: &Interpreter<'_>,
    state: &State,
    process: Option<u32>,
    values: &mut [(String, String)],
) {
    if interpreter.model().is_system_of_rules()
        && let Some(process) = process
    {
        let prefix = format!("{}:", interpreter.process_name(state, process));
        for (name, _) in values {
            *name = name.strip_prefix(&prefix).unwrap_or(name).to_string();
        }
    }
}

/// What the statement reads that could not be executed or evaluated, at that moment.
pub fn of_fault(
    interpreter: &Interpreter<'_>,
    sources: &Sources,
    fault: &Fault,
    run: &ReplayedRun,
) -> Vec<NamedReading> {
    let found = match run.last().map(|last| &last.after) {
        Some(Some(after)) => in_a_monitor(interpreter, fault, after),
        Some(None) => in_the_last_step(interpreter, fault, run),
        None => None,
    };
    let Some(site) = found else {
        return Vec::new();
    };
    let mut values = site.known.clone();
    for whole in &site.evaluated {
        let whole = without_quantifiers(interpreter, &site, whole, fault.span);
        whole.walk(&mut |part| {
            let mut new = interpreter.readings(&site.state, site.process, part);
            if let (ExprKind::Read(place), true) = (&part.kind, new.is_empty()) {
                new.extend(of_the_moment(interpreter, sources, &site, (part, place)));
            }
            new.retain(|value| !values.contains(value));
            values.extend(new);
        });
    }
    without_rules(interpreter, &site.state, site.process, &mut values);
    named(values)
}

/// Where something could not be evaluated.
struct FaultSite {
    state: State,
    process: Option<u32>,
    /// What the statement evaluates, with the values of parameters put in.
    evaluated: Vec<Expr>,
    /// The values of parameters.
    known: Vec<(String, String)>,
}

fn in_the_last_step(
    interpreter: &Interpreter<'_>,
    fault: &Fault,
    run: &ReplayedRun,
) -> Option<FaultSite> {
    let (last, label) = (run.last()?, run.steps().last()?.label);
    let edge = &interpreter.model().template(label.edge.template).edges[label.edge.index as usize];
    let state = interpreter.state_at_failure(&last.before, &label)?;
    Some(FaultSite {
        state,
        process: process_number(label.actor),
        evaluated: evaluated(edge, label.choice, fault.span),
        known: Vec::new(),
    })
}

fn in_a_monitor(interpreter: &Interpreter<'_>, fault: &Fault, state: &State) -> Option<FaultSite> {
    let model = interpreter.model();
    let here = Configuration {
        state: state.clone(),
        turn: Turn::Free,
    };
    let mut seen = interpreter.observations(&here).into_iter();
    let wrong = seen.find(|seen| {
        let mut violations = seen.violations.iter();
        violations.any(|violation| matches!(violation, Violation::Fault(f) if f.span == fault.span))
    })?;
    let id = model.edge_of_monitor(wrong.monitor);
    let check = &model.template(id.template).edges[id.index as usize];
    Some(FaultSite {
        state: interpreter.seen_by_monitors(state),
        process: None,
        evaluated: evaluated(check, wrong.choice, fault.span),
        known: model.parameter_texts(id.template, check, wrong.choice),
    })
}

fn evaluated(edge: &Edge, choice: u32, span: Span) -> Vec<Expr> {
    let mut evaluated = edge.step.evaluated_at(span);
    let constants = edge.constants(choice);
    for whole in &mut evaluated {
        put_constants(whole, &constants);
    }
    evaluated
}

/// Of an expression with quantifiers, the part that could not be evaluated, with the values for which it could not; any other one as it is.
fn without_quantifiers(
    interpreter: &Interpreter<'_>,
    site: &FaultSite,
    whole: &Expr,
    span: Span,
) -> Expr {
    let mut written = whole.clone();
    put_in(&mut written, &Constants::new());
    let mut failing = None;
    written.walk(&mut |part| {
        let fails = || {
            interpreter
                .evaluate(&site.state, site.process, part)
                .is_err()
        };
        if part.span == span && failing.is_none() && fails() {
            failing = Some(part.clone());
        }
    });
    let has_quantifiers = whole.any(|part| matches!(part.kind, ExprKind::Quantified(_)));
    match failing.filter(|_| has_quantifiers) {
        Some(failing) => failing,
        None => written,
    }
}

/// A variable that only lives inside of a step, by the name that it has in the source, as several share a place in the state.
fn of_the_moment(
    interpreter: &Interpreter<'_>,
    sources: &Sources,
    site: &FaultSite,
    (read, place): (&Expr, &Place),
) -> Option<(String, String)> {
    let name = sources.snippet(read.span);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let value = interpreter.held(&site.state, site.process, place)?;
    is_name.then(|| (name.to_string(), value))
}

/// What functions gave, with the arguments that they had. Of very many calls only the last ones are told: what they gave decided.
fn results(
    interpreter: &Interpreter<'_>,
    state: &State,
    returned: &[Returned],
) -> Vec<(String, String)> {
    let mut results = Vec::new();
    for call in returned
        .iter()
        .rev()
        .filter_map(|r| result(interpreter, state, r))
    {
        if results.len() < MOST_RESULTS && !results.contains(&call) {
            results.push(call);
        }
    }
    results.reverse();
    results
}

/// What a function gave, if that is one value and so are its arguments.
fn result(
    interpreter: &Interpreter<'_>,
    state: &State,
    returned: &Returned,
) -> Option<(String, String)> {
    let function = interpreter.model().function(returned.function);
    let text = |variable: &Variable, value: Value| match variable.ty {
        Type::Scalar(scalar) => Some(interpreter.value_text(state, scalar, value)),
        Type::Array { .. } | Type::Record(_) => None,
    };
    let parameters = function.locals.iter().take(function.parameters as usize);
    let arguments = parameters.zip(&returned.arguments);
    let arguments: Option<Vec<String>> = arguments.map(|(p, value)| text(p, *value)).collect();
    let plain = function.references.is_empty().then_some(arguments?)?;
    let value = text(
        &function.locals[function.result?.index()],
        *returned.result.first()?,
    )?;
    Some((format!("{}({})", function.name, plain.join(", ")), value))
}

/// What the conditions of a routine read that are found in the state whatever its own variables hold.
fn asked_of_globals(
    interpreter: &Interpreter<'_>,
    seen: &State,
    routine: &Routine,
) -> Vec<(String, String)> {
    let mut readings = Vec::new();
    let choices = routine.nodes.iter().flat_map(|node| &node.choices);
    let guards = choices.filter_map(|choice| match &choice.step {
        Step::Guarded { guard, .. } => Some(guard),
        _ => None,
    });
    for guard in guards {
        guard.walk(&mut |part| {
            if matches!(&part.kind, ExprKind::Read(place) if is_global(place)) {
                let new = interpreter.readings(seen, None, part);
                let new = new
                    .into_iter()
                    .filter(|reading| !readings.contains(reading));
                let new: Vec<_> = new.collect();
                readings.extend(new);
            }
        });
    }
    readings
}

/// Whether a place is in a global variable, and found by global variables alone.
fn is_global(place: &Place) -> bool {
    let mut global = matches!(place.root, Root::Global(_));
    place.walk(&mut |part| {
        global &= match &part.kind {
            ExprKind::Read(inner) => matches!(inner.root, Root::Global(_)),
            ExprKind::Bound(_) => false,
            _ => true,
        };
    });
    global
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
    let (used, state, process) = match &last.after {
        None => {
            let used = used_in_last_step(interpreter, fault.span, run);
            (used, last.before.clone(), process)
        }
        Some(after) => {
            let used = used_in_monitors(interpreter, fault.span);
            (used, interpreter.seen_by_monitors(after), None)
        }
    };
    let mut missing: Vec<NamedReading> = Vec::new();
    for expr in used {
        let readings = interpreter.readings(&state, process, &expr).into_iter();
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
    used_in(interpreter.model(), id, step.label.choice, span)
}

/// What is used there in an instance of an edge, with its loops and calls written out.
fn used_in(model: &Model, id: EdgeId, choice: u32, span: Span) -> Vec<Expr> {
    let written = step_of(model, id, choice);
    written.map_or_else(Vec::new, |step| site::uses(&step, span))
}

/// Whether a monitor, shown as that edge, calls functions.
fn calls(edge: &Edge) -> bool {
    let routine = edge.step.routine();
    routine.is_some_and(|routine| routine.calls().next().is_some())
}

/// What is used by monitors.
fn used_in_monitors(interpreter: &Interpreter<'_>, span: Span) -> Vec<Expr> {
    let model = interpreter.model();
    let in_function = site::is_in_function(model, span);
    let monitors = model.monitor_ids().map(|monitor| {
        let id = model.edge_of_monitor(monitor);
        (id, &model.template(id.template).edges[monitor.index()])
    });
    let using = monitors.filter(|(_, edge)| {
        (in_function && calls(edge)) || !site::uses(&edge.step, span).is_empty()
    });
    let uses = using.flat_map(|(id, edge)| {
        let choices = 0..edge.choices();
        choices.flat_map(move |choice| used_in(model, id, choice, span))
    });
    uses.collect()
}
