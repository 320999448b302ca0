//! Limits that were reached, in words.

use mandala_engine::{Limit, Limits};
use mandala_interpreter::Interpreter;
use mandala_model::step::Observers;
use mandala_model::{Model, State};
use mandala_report::style::{counted, grouped, stated_bytes, stated_duration};
use std::time::Duration;

/// Why a search of a model does not know something, with the number that the user has set as the limit.
pub(crate) fn told(limit: Limit, limits: &Limits, model: &Model) -> String {
    let numbered = match limit {
        Limit::States => limits.states.map(limit_of_states),
        Limit::Depth => limits.depth.map(limit_of_depth),
        Limit::Time => limits.time.map(limit_of_time),
        Limit::Memory => limits.memory.map(limit_of_memory),
        Limit::StateSize => Some(limit_of_state_size(model)),
        Limit::AtomicSteps { most } => Some(format!(
            "an atomic sequence has more than {}, which is more than the reference engine follows; `--engine explicit` follows more",
            counted(most, "step")
        )),
        _ => None,
    };
    numbered.unwrap_or_else(|| without_number(limit).into())
}

fn without_number(limit: Limit) -> &'static str {
    match limit {
        Limit::States => "the limit on the number of states was reached",
        Limit::Depth => "the limit on the depth was reached",
        Limit::Time => "the time limit was reached",
        Limit::Memory => "the memory limit was reached",
        Limit::StateNumbers => "there are more states than the visited set can number",
        Limit::StateSize => "a state is too large to be stored",
        Limit::Diagrams => "there is no room for more diagrams",
        Limit::AtomicSteps { .. } => "an atomic sequence has too many steps",
        Limit::EndlessAtomic => {
            "an atomic sequence can go on forever, and a run that stays inside of it is not considered"
        }
        Limit::NoValueOfAutomaton => "in some state a condition of the claim has no value",
        Limit::NoValueOfFormula => "in some state a condition of the formula has no value",
        Limit::NoValueOfGoal => "a condition fails in some state",
        Limit::InfiniteRuns => "infinite runs are not considered with these options",
        Limit::Cancelled => "the search was interrupted",
    }
}

fn limit_of_states(states: u64) -> String {
    format!("the limit of {} was reached", counted(states, "state"))
}

fn limit_of_depth(depth: u64) -> String {
    format!("the limit of depth {} was reached", grouped(depth))
}

pub(crate) fn limit_of_time(time: Duration) -> String {
    format!("the limit of {} was reached", stated_duration(time))
}

pub(crate) fn limit_of_memory(memory: u64) -> String {
    format!(
        "the limit of {} of memory was reached",
        stated_bytes(memory)
    )
}

/// What is too large, and what would not be.
fn limit_of_state_size(model: &Model) -> String {
    let limit = grouped(mandala_store::MAX_STATE_LENGTH as u64);
    let what =
        format!("a state is too large to be stored: packed it takes more than {limit} bytes");
    match Interpreter::new(model, Observers::default()).start() {
        Ok(start) => {
            let values = counted(values(model, &start.state), "value");
            format!("{what}, which is the limit (the first state alone has {values})")
        }
        Err(_) => format!("{what}, which is the limit"),
    }
}

/// How many values a state has room for.
fn values(model: &Model, state: &State) -> u64 {
    let processes = state.processes.iter().map(|p| p.locals.len() as u64);
    let channels = state.channels.iter().map(|channel| {
        let kind = model.channel_kind(channel.kind);
        u64::from(kind.capacity) * kind.fields.len() as u64
    });
    state.globals.len() as u64 + processes.sum::<u64>() + channels.sum::<u64>()
}
