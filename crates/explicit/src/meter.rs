//! A meter of the time that representatives take.
//!
//! A strategy that tries all permutations can take seconds for one state, and then the search must look at its limits for every one. To
//! look at the clock costs about as much as to make a step, so only the first representatives are timed, and later one in some hundreds.

use std::time::{Duration, Instant};

/// So many first representatives are timed.
const FIRST: u32 = 1_000;

/// Later one in so many is; a prime, so that no rhythm of the search is hit always or never.
const SAMPLE: u32 = 251;

/// If representatives take longer than this on average, they are slow.
const SLOW: Duration = Duration::from_micros(20);

/// An average is taken over so many representatives at least.
const FEW: u32 = 16;

/// Times samples of representatives.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    reduces: bool,
    /// How many more representatives are timed one after the other.
    first: u32,
    until_next: u32,
    /// How many representatives were timed, and how long they took.
    timed: u32,
    spent: Duration,
    slow: bool,
}

impl Meter {
    /// A meter for a worker that has to find representatives, or not.
    pub(crate) fn new(reduces: bool) -> Self {
        Meter {
            reduces,
            first: FIRST,
            until_next: SAMPLE,
            timed: 0,
            spent: Duration::ZERO,
            slow: false,
        }
    }

    /// Whether there are representatives to find.
    #[inline]
    pub(crate) fn reduces(&self) -> bool {
        self.reduces
    }

    /// A representative is about to be looked for; the time, if it is to be timed.
    #[inline]
    pub(crate) fn begin(&mut self) -> Option<Instant> {
        (self.reduces && self.is_next()).then(Instant::now)
    }

    fn is_next(&mut self) -> bool {
        if self.first > 0 {
            self.first -= 1;
            return true;
        }
        self.until_next -= 1;
        let next = self.until_next == 0;
        if next {
            self.until_next = SAMPLE;
        }
        next
    }

    /// It has been found.
    #[inline]
    pub(crate) fn end(&mut self, began: Option<Instant>) {
        if let Some(began) = began {
            self.timed = self.timed.saturating_add(1);
            self.spent += began.elapsed();
            self.slow = self.spent > SLOW * self.timed.max(FEW);
        }
    }

    /// Whether representatives take long.
    #[inline]
    pub(crate) fn is_slow(&self) -> bool {
        self.slow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_representatives_are_timed_and_later_some() {
        let mut meter = Meter::new(true);
        for _ in 0..FIRST {
            let began = meter.begin();
            assert!(began.is_some());
            meter.end(began);
        }
        assert!(!meter.is_slow());
        let timed = (0..3 * SAMPLE).filter(|_| meter.begin().is_some()).count();
        assert_eq!(timed, 3);
    }

    #[test]
    fn a_slow_representative_is_noticed() {
        let mut meter = Meter::new(true);
        let began = meter.begin();
        std::thread::sleep(SLOW * FEW * 2);
        meter.end(began);
        assert!(meter.is_slow());
    }

    #[test]
    fn nothing_is_timed_where_there_is_nothing_to_find() {
        let mut meter = Meter::new(false);
        assert!(!meter.reduces());
        assert_eq!(meter.begin(), None);
    }
}
