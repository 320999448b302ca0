//! Where the time goes.
//!
//! To look at the clock costs about as much as to make a step, so only one expansion in [`SAMPLE`] is timed, and one
//! round of insertions in [`ROUNDS`]; what looking takes is taken off again. That costs less than one per cent. A sample that takes
//! many times as long as the others is left out: mostly the machine did something else meanwhile, and it would
//! stand for hundreds that were never so slow.

use crate::outcome::TimeSplit;
use std::time::{Duration, Instant};

/// One in so many expansions is timed; a prime, so that no rhythm of the search is hit always or never.
const SAMPLE: u32 = 251;

/// One in so many rounds of insertions is timed.
const ROUNDS: u32 = 61;

/// So many first representatives are looked at as well, to see early if they take long.
const FIRST: u32 = 1_000;

/// If representatives take longer than this on average, the search looks at its limits for every one of them.
const SLOW: Duration = Duration::from_micros(20);

/// An average is taken over so many representatives at least.
const FEW: u32 = 16;

/// A sample is left out if it takes longer than this, and so many times as long as the others.
const LONG: Duration = Duration::from_micros(500);
const TIMES: u32 = 50;

/// Times samples of what a worker does.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    /// What one look at the clock takes.
    look: Duration,
    reduces: bool,
    /// How many more representatives are watched.
    watched: u32,
    /// How many representatives were looked at, and how long they took.
    looked_at: u32,
    canonicalising: Duration,
    slow: bool,
    expansions: Sampling<3>,
    insertions: Sampling<1>,
}

/// How much there was, and how much of it was timed.
#[derive(Clone, Debug)]
struct Sampling<const N: usize> {
    until_next: u32,
    all: u64,
    timed: u64,
    samples: u32,
    spent: [Duration; N],
}

impl<const N: usize> Sampling<N> {
    fn new() -> Self {
        Sampling {
            until_next: 1,
            all: 0,
            timed: 0,
            samples: 0,
            spent: [Duration::ZERO; N],
        }
    }

    /// Counts so much, and says whether it is to be timed.
    #[inline]
    fn is_next(&mut self, amount: u64, every: u32) -> bool {
        self.all += amount;
        self.until_next -= 1;
        if self.until_next > 0 {
            return false;
        }
        self.until_next = every;
        true
    }

    /// A sample of so much took so long.
    fn add(&mut self, amount: u64, spent: [Duration; N]) {
        let total: Duration = spent.iter().sum();
        let others: Duration = self.spent.iter().sum();
        let usual = others / self.samples.max(1);
        if self.samples > 0 && total > LONG && total > usual * TIMES {
            return;
        }
        self.timed += amount;
        self.samples += 1;
        let sums = self.spent.iter_mut().zip(spent);
        sums.for_each(|(sum, spent)| *sum += spent);
    }

    /// What all of it took, in seconds, if everything was like the samples.
    fn scaled(&self) -> [f64; N] {
        let factor = self.all as f64 / self.timed.max(1) as f64;
        self.spent.map(|spent| spent.as_secs_f64() * factor)
    }
}

/// What a stretch of time went into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    Expand,
    Canonicalise,
    Store,
}

/// One expansion that is timed.
#[derive(Clone, Debug)]
pub(crate) struct Lap {
    /// Whether it counts for the averages.
    sample: bool,
    look: Duration,
    last: Instant,
    spent: [Duration; 3],
}

impl Lap {
    /// The time since the last mark went into this.
    pub fn mark(&mut self, activity: Activity) -> Duration {
        let now = Instant::now();
        let taken = now.duration_since(self.last).saturating_sub(self.look);
        self.last = now;
        self.spent[activity as usize] += taken;
        taken
    }
}

impl Meter {
    /// A meter for somebody who has to find representatives, or not.
    pub fn new(reduces: bool) -> Self {
        Meter {
            look: cost_of_a_look(),
            reduces,
            watched: if reduces { FIRST } else { 0 },
            looked_at: 0,
            canonicalising: Duration::ZERO,
            slow: false,
            expansions: Sampling::new(),
            insertions: Sampling::new(),
        }
    }

    /// An expansion begins.
    #[inline]
    pub fn begin(&mut self) -> Option<Lap> {
        let sample = self.expansions.is_next(1, SAMPLE);
        (sample || self.watched > 0).then(|| Lap {
            sample,
            look: self.look,
            last: Instant::now(),
            spent: Default::default(),
        })
    }

    /// A representative was found in a lap. Without symmetry that is nothing but packing.
    pub fn watch(&mut self, lap: &mut Lap) {
        if !self.reduces {
            lap.mark(Activity::Expand);
            return;
        }
        let taken = lap.mark(Activity::Canonicalise);
        self.watched = self.watched.saturating_sub(1);
        self.looked_at = self.looked_at.saturating_add(1);
        self.canonicalising += taken;
        self.slow = self.canonicalising > SLOW * self.looked_at.max(FEW);
    }

    /// The expansion is over.
    #[inline]
    pub fn end(&mut self, lap: Option<Lap>) {
        if let Some(mut lap) = lap {
            lap.mark(Activity::Expand);
            if lap.sample {
                self.expansions.add(1, lap.spent);
            }
        }
    }

    /// So many states are about to be inserted.
    #[inline]
    pub fn begin_insertions(&mut self, amount: usize) -> Option<Instant> {
        let sample = self.insertions.is_next(amount as u64, ROUNDS);
        sample.then(Instant::now)
    }

    /// They have been.
    #[inline]
    pub fn end_insertions(&mut self, began: Option<Instant>, amount: usize) {
        if let Some(began) = began {
            let spent = began.elapsed().saturating_sub(self.look);
            self.insertions.add(amount as u64, [spent]);
        }
    }

    /// Whether representatives take long.
    #[inline]
    pub fn is_slow(&self) -> bool {
        self.slow
    }

    /// What was measured, extrapolated to everything.
    pub fn reading(&self) -> TimeSplit {
        let [expand, canonicalise, store] = self.expansions.scaled();
        let [inserting] = self.insertions.scaled();
        TimeSplit {
            expand,
            canonicalise,
            store: store + inserting,
        }
    }
}

/// What it takes to look at the clock.
fn cost_of_a_look() -> Duration {
    const LOOKS: u32 = 16;
    let began = Instant::now();
    let last = (0..LOOKS).fold(began, |_, _| Instant::now());
    last.duration_since(began) / LOOKS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_stand_for_everything() {
        let mut sampling = Sampling::<1>::new();
        let timed = (0..1000).filter(|_| sampling.is_next(2, 10)).count();
        assert_eq!(timed, 100);
        (0..timed).for_each(|_| sampling.add(2, [Duration::from_millis(30)]));
        let [seconds] = sampling.scaled();
        assert!((seconds - 30.0).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn what_stands_out_is_left_out() {
        let mut sampling = Sampling::<1>::new();
        let all = (0..2000).filter(|_| sampling.is_next(1, 10)).count();
        for sample in 0..all {
            let interrupted = sample % 50 == 49;
            let micros = if interrupted { 4_000 } else { 2 };
            sampling.add(1, [Duration::from_micros(micros)]);
        }
        let [seconds] = sampling.scaled();
        assert!((seconds - 0.004).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn the_first_representatives_are_watched() {
        let mut meter = Meter::new(true);
        for _ in 0..FIRST {
            let mut lap = meter.begin().expect("it is watched");
            meter.watch(&mut lap);
        }
        assert!(!meter.is_slow());
        let timed = (0..SAMPLE).filter(|_| meter.begin().is_some()).count();
        assert_eq!(timed, 1);
    }

    #[test]
    fn a_slow_representative_is_noticed() {
        let mut meter = Meter::new(true);
        let mut lap = meter.begin().expect("it is watched");
        std::thread::sleep(SLOW * FEW * 2);
        meter.watch(&mut lap);
        assert!(meter.is_slow());
    }

    #[test]
    fn time_goes_where_it_was_spent() {
        let mut meter = Meter::new(false);
        let mut lap = meter.begin().expect("the first expansion is timed");
        std::thread::sleep(Duration::from_millis(3));
        lap.mark(Activity::Canonicalise);
        meter.end(Some(lap));
        let split = meter.reading();
        assert!(split.canonicalise >= 0.002, "{split:?}");
        assert!(split.expand < split.canonicalise, "{split:?}");
    }
}
