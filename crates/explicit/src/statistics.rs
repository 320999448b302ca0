//! The numbers about a search that has ended, made of what was counted.

use crate::monitor::LimitMonitor;
use crate::outcome::{ReductionStatistics, Statistics};
use crate::shared::Shared;
use crate::tally::{START, Tally};

/// What was counted in a search.
pub(crate) struct Count<'a> {
    pub tally: &'a Tally,
    /// How many states native code has expanded.
    pub natively: u64,
    /// Whether some state represents others.
    pub reduces: bool,
}

/// The numbers about a search that has ended.
pub(crate) fn statistics(monitor: &mut LimitMonitor<'_, '_>, count: &Count<'_>) -> Statistics {
    monitor.note();
    let spent = monitor.spent();
    let split = spent.split;
    let Count {
        tally,
        natively,
        reduces,
    } = *count;
    let shared = monitor.shared;
    let states = shared.states.visited.len();
    // The state that showed that there are more than allowed is not counted.
    let most = shared.options.limits.states.unwrap_or(u64::MAX);
    let held = shared.states.bytes() as u64 + spent.frontier_peak;
    Statistics {
        workers: shared.statuses.len(),
        states: states.min(most),
        transitions: transitions(shared, tally),
        expanded: tally.expanded,
        expanded_natively: natively,
        depth: tally.depth,
        seconds: spent.elapsed.as_secs_f64(),
        peak_bytes: spent.peak,
        packed_bytes: shared.states.visited.packed_bytes(),
        bytes_per_state: held as f64 / states.max(1) as f64,
        split,
        reduction: ReductionStatistics {
            states: if reduces { tally.transitions } else { 0 },
            not_canonical: tally.not_canonical,
            seconds: if reduces { split.canonicalise } else { 0.0 },
        },
        expanded_partly: tally.reduced,
        left_out: tally.omitted,
        omissions: shared.states.visited.omissions(),
    }
}

/// How many steps were taken. Arriving at the start is one, unless the start is no state.
fn transitions(shared: &Shared<'_>, tally: &Tally) -> u64 {
    match shared.program.start_is_held() {
        true => tally.transitions.saturating_sub(START),
        false => tally.transitions,
    }
}
