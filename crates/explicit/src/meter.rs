//! How long it takes to find representatives.
//!
//! To look at the clock costs about as much as to find the representative of a small state, so only one
//! call in [`SAMPLE`] is timed.

use crate::outcome::ReductionStatistics;
use crate::reducer::Reducer;
use std::time::{Duration, Instant};

/// One in so many calls is timed; a prime, so that no rhythm of the search is hit always or never.
const SAMPLE: u64 = 61;

/// So many first calls are looked at as well, to see early if they take long.
const FIRST: u64 = 1_000;

/// A call that takes longer than this makes the search look at its limits after every call.
const SLOW: Duration = Duration::from_micros(200);

/// Counts calls and times some of them.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    slow: bool,
    calls: u64,
    timed: u64,
    spent: Duration,
    not_canonical: u64,
}

impl Meter {
    /// A call begins.
    #[inline]
    pub fn start(&mut self, reducer: &impl Reducer) -> Option<Instant> {
        if reducer.is_trivial() {
            return None;
        }
        self.calls += 1;
        (self.is_sample() || self.calls <= FIRST).then(Instant::now)
    }

    /// Whether the call counts for the average.
    fn is_sample(&self) -> bool {
        self.calls % SAMPLE == 1
    }

    /// The call is over.
    #[inline]
    pub fn stop(&mut self, timer: Option<Instant>) {
        if let Some(began) = timer {
            let taken = began.elapsed();
            self.slow |= taken > SLOW;
            if self.is_sample() {
                self.timed += 1;
                self.spent += taken;
            }
        }
    }

    /// Whether some call took long.
    #[inline]
    pub fn is_slow(&self) -> bool {
        self.slow
    }

    /// A representative is remembered.
    #[inline]
    pub fn count_new(&mut self, canonical: bool) {
        self.not_canonical += u64::from(!canonical);
    }

    /// What was measured, extrapolated to all calls.
    pub fn reading(&self) -> ReductionStatistics {
        let each = self.spent.as_secs_f64() / self.timed.max(1) as f64;
        ReductionStatistics {
            states: self.calls,
            not_canonical: self.not_canonical,
            seconds: each * self.calls as f64,
        }
    }
}
