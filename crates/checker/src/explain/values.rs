//! The values in a condition that failed.

use super::process_number;
use crate::replay::ReplayedRun;
use mandala_interpreter::Interpreter;
use mandala_model::State;
use mandala_model::expr::Expr;
use mandala_report::document::NamedValue;

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
) -> Vec<NamedValue> {
    let actor = run.steps().last().map(|step| step.label.actor);
    let process = actor.and_then(process_number);
    let Some(state) = failing_state(interpreter, condition, process, run) else {
        return Vec::new();
    };
    let readings = interpreter.readings(state, process, condition).into_iter();
    readings
        .take(SHOWN)
        .map(|(name, value)| NamedValue { name, value })
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
