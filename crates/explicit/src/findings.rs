//! The violations that a search keeps to show them.
//!
//! A search that ends at a violation keeps one. A search that goes on keeps one for each [`Attribution`], so it tells of each invariant
//! whether it is violated; and if several are wanted, one for each [`Cause`], up to that number.

use crate::options::{AfterViolation, Options};
use crate::tally::Finding;
use mandala_model::State;
use mandala_model::step::{Attribution, Fault, Turn, Violation};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

/// What a violation is kept for: whose it is and, where several are wanted, what it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub owner: Attribution,
    /// A fingerprint of what it comes from; always the same where one for each owner is enough.
    pub origin: u64,
}

/// The number of the first violation for each cause, among those that are told for one state and count. `state` is the state that they are told
/// for, if there is one.
pub(crate) fn first_of_each(
    options: &Options,
    told: &[Violation],
    state: impl Fn() -> Option<(State, Turn)>,
) -> Vec<(Cause, usize)> {
    let mut first: Vec<(Cause, usize)> = Vec::new();
    for (nth, violation) in told.iter().enumerate() {
        if !options.concerns.include(violation) {
            continue;
        }
        let owner = match options.on_violation {
            AfterViolation::Stop => Attribution::Search,
            AfterViolation::GoOn => violation.attribution(),
        };
        let origins = match (options.on_violation, options.bugs) {
            (AfterViolation::Stop, _) | (_, 0 | 1) => vec![0],
            _ => origins(options, violation, &state),
        };
        for origin in origins {
            let cause = Cause { owner, origin };
            if first.iter().all(|(known, _)| *known != cause) {
                first.push((cause, nth));
            }
        }
    }
    first
}

/// A fingerprint of each thing that a violation comes from: its kind, the statement and the values that matter there, of which several can come together in a
/// state; at a deadlock, where the processes are, whichever of them is where. So violations that are exchanged by a symmetry of processes have the same.
fn origins(
    options: &Options,
    violation: &Violation,
    state: &impl Fn() -> Option<(State, Turn)>,
) -> Vec<u64> {
    let mut hasher = DefaultHasher::new();
    mem::discriminant(violation).hash(&mut hasher);
    match violation {
        Violation::Fault(Fault { kind, span, .. }) => {
            (mem::discriminant(kind), span).hash(&mut hasher);
        }
        Violation::Deadlock => {
            let processes = state().map_or_else(Vec::new, |(state, _)| state.processes);
            let places = processes.iter().map(|own| (own.template, own.location));
            let mut places: Vec<_> = places.collect();
            places.sort_unstable();
            places.hash(&mut hasher);
        }
        other => other.hash(&mut hasher),
    }
    let ways = match (&options.causes, state()) {
        (Some(causes), Some((state, turn))) => causes.values(&state, turn, violation),
        _ => BTreeSet::new(),
    };
    let of_way = |way: &u64| {
        let mut hasher = hasher.clone();
        way.hash(&mut hasher);
        hasher.finish()
    };
    match ways.is_empty() {
        true => vec![hasher.finish()],
        false => ways.iter().map(of_way).collect(),
    }
}

/// The first finding of each cause.
pub(crate) fn one_of_each(findings: Vec<Finding>) -> Vec<Finding> {
    let mut first: Vec<Finding> = Vec::new();
    for finding in findings {
        if first.iter().all(|known| known.cause != finding.cause) {
            first.push(finding);
        }
    }
    first
}
