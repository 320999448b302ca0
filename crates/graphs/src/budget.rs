//! How long a search may take.

use std::time::{Duration, Instant};

/// What a search may cost. When it is used up, the search hands over what it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The largest number of refinements; none for no limit.
    pub nodes: Option<u64>,
    /// The longest time; none for no limit. It is looked at between refinements, so it may be exceeded by one.
    pub time: Option<Duration>,
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// At most this long.
    pub fn of_time(time: Duration) -> Self {
        Budget {
            nodes: None,
            time: Some(time),
        }
    }

    /// At most so many refinements.
    pub fn of_nodes(nodes: u64) -> Self {
        Budget {
            nodes: Some(nodes),
            time: None,
        }
    }
}

/// A budget that is being spent.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    budget: Budget,
    started: Instant,
    nodes: u64,
}

impl Clock {
    pub(crate) fn start(budget: &Budget) -> Self {
        Clock {
            budget: *budget,
            started: Instant::now(),
            nodes: 0,
        }
    }

    /// Asks for one more refinement.
    pub(crate) fn grants(&mut self) -> bool {
        let nodes_left = self.budget.nodes.is_none_or(|most| self.nodes < most);
        let on_time = |most: Duration| self.started.elapsed() < most;
        let granted = nodes_left && self.budget.time.is_none_or(on_time);
        self.nodes += u64::from(granted);
        granted
    }

    /// How many were granted.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}
