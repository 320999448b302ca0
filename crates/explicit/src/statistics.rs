//! The numbers about a search that has ended, made of what was counted.

use crate::monitor::{LimitMonitor, Spent};
use crate::outcome::{ReductionStatistics, Statistics};
use crate::shared::Shared;
use crate::tally::{START, Tally};
use mandala_store::Omissions;
use std::time::Duration;

/// What was counted in a search.
pub(crate) struct Count<'a> {
    pub tally: &'a Tally,
    /// How many states native code has expanded.
    pub natively: u64,
    /// Whether some state represents others.
    pub reduces: bool,
}

/// The numbers about a search that has ended, and what its states and their representatives took.
pub(crate) struct Numbers {
    pub statistics: Statistics,
    pub packed_bytes: u64,
    pub reduction: ReductionStatistics,
    pub omissions: Option<Omissions>,
}

/// The numbers about a search that has ended.
pub(crate) fn numbers(monitor: &mut LimitMonitor<'_, '_>, count: &Count<'_>) -> Numbers {
    monitor.note();
    let spent = monitor.spent();
    let Count { tally, reduces, .. } = *count;
    let visited = &monitor.shared.states.visited;
    let seconds = if reduces {
        spent.split.canonicalise
    } else {
        0.0
    };
    Numbers {
        packed_bytes: visited.packed_bytes(),
        reduction: ReductionStatistics {
            states: if reduces { tally.fired } else { 0 },
            not_canonical: tally.not_canonical,
            time: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
            ..ReductionStatistics::default()
        },
        omissions: visited.omissions(),
        statistics: statistics(monitor.shared, &spent, count),
    }
}

fn statistics(shared: &Shared<'_>, spent: &Spent, count: &Count<'_>) -> Statistics {
    let tally = count.tally;
    let states = shared.states.visited.len();
    // The state that showed that there are more than allowed is not counted.
    let most = shared.options.limits.states.unwrap_or(u64::MAX);
    let held = shared.states.bytes() as u64 + spent.frontier_peak;
    Statistics {
        workers: u32::try_from(shared.statuses.len()).unwrap_or(u32::MAX),
        states: states.min(most),
        transitions: from_states(shared, tally.transitions),
        fired: from_states(shared, tally.fired),
        expanded: tally.expanded,
        expanded_natively: count.natively,
        depth: tally.depth.into(),
        time: spent.elapsed,
        peak_bytes: spent.peak,
        bytes_per_state: held as f64 / states.max(1) as f64,
        // A search that is too short for a sample has none.
        split: Some(spent.split).filter(|s| s.expand + s.canonicalise + s.store > 0.0),
        expanded_partly: tally.reduced,
        left_out: tally.omitted,
        diagrams: None,
        chance: None,
    }
}

/// How many of so many steps are meant. Arriving at the start is one, unless the start is no state.
fn from_states(shared: &Shared<'_>, steps: u64) -> u64 {
    match shared.program.start_is_held() {
        true => steps.saturating_sub(START),
        false => steps,
    }
}
