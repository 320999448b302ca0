//! Who looks after what may end a search before everything has been looked at.

use crate::estimate::estimate;
use crate::footprint::Footprint;
use crate::options::Options;
use crate::outcome::{Limit, Progress};
use crate::past::Past;
use crate::shared::{Desk, Shared};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Whom a worker asks whether to go on.
pub(crate) trait Overseer {
    /// Whether the search goes on; `held` is how many bytes the step at hand takes.
    fn look(&mut self, held: usize) -> bool;
}

/// The overseer of a worker that looks after nothing itself.
pub(crate) struct Helper<'s, 'p> {
    pub shared: &'s Shared<'p>,
    pub desk: &'s Desk,
}

impl Overseer for Helper<'_, '_> {
    fn look(&mut self, held: usize) -> bool {
        self.desk.held.store(held, Ordering::Relaxed);
        !self.shared.signals.is_stopped()
    }
}

/// The overseer of the worker that runs in the thread of the caller: it looks after limits for all.
pub(crate) struct Lead<'s, 'p> {
    pub shared: &'s Shared<'p>,
    /// What the frontier takes that belongs to nobody.
    pub frontier_bytes: &'s (dyn Fn() -> usize + 's),
    pub observer: &'s mut dyn FnMut(&Progress),
    pub watch: Watch,
    /// How many states each level has, breadth first.
    pub levels: Option<Vec<u64>>,
    /// After how many states the others are called, if they have not been.
    pub help_at: Option<u64>,
}

impl Overseer for Lead<'_, '_> {
    fn look(&mut self, held: usize) -> bool {
        let now = self.progress(held);
        (self.observer)(&now);
        self.watch.note(&now);
        self.measure(&now, held);
        if let Some(limit) = self.watch.limit(self.shared.options, &now) {
            self.shared.signals.stop_at(limit);
        }
        if self.watch.is_checkpoint_due() || self.wants_help() {
            self.shared.signals.pause();
        }
        !self.shared.signals.is_stopped()
    }
}

impl<'s, 'p> Lead<'s, 'p> {
    /// The overseer of the only worker of a search that begins, and whose frontier is its own.
    pub fn alone(
        shared: &'s Shared<'p>,
        footprint: Footprint,
        observer: &'s mut dyn FnMut(&Progress),
    ) -> Self {
        let mut lead = Lead {
            shared,
            frontier_bytes: &|| 0,
            observer,
            watch: Watch::new(shared.options, &Past::default(), footprint),
            levels: None,
            help_at: None,
        };
        lead.set_aside();
        lead
    }
}

impl Lead<'_, '_> {
    /// Says how much memory the states may take beside everything else.
    pub fn set_aside(&mut self) {
        let now = self.progress(0);
        self.measure(&now, 0);
    }

    fn measure(&mut self, now: &Progress, held: usize) {
        let states = &self.shared.states;
        let footprint = &mut self.watch.footprint;
        footprint.look(now.elapsed, || {
            (now.bytes as usize).saturating_sub(states.untouched())
        });
        let others = now.frontier_bytes as usize + held;
        states.set_aside(others.saturating_add(footprint.uncounted()));
    }

    /// Looks how much memory is in use.
    pub fn note(&mut self) {
        let now = self.progress(0);
        self.watch.note(&now);
    }

    /// How far the search is.
    fn progress(&self, held: usize) -> Progress {
        let shared = self.shared;
        let states = shared.states.visited.len();
        let taken = shared.sum(|desk| desk.taken.load(Ordering::Relaxed));
        let own = shared.sum(|desk| desk.memory() as u64);
        let frontier = own + (self.frontier_bytes)() as u64;
        let depths = shared
            .desks
            .iter()
            .map(|desk| desk.depth.load(Ordering::Relaxed));
        Progress {
            states,
            transitions: shared.sum(|desk| desk.transitions.load(Ordering::Relaxed)),
            depth: depths.max().unwrap_or(0),
            waiting: states.saturating_sub(taken),
            bytes: shared.states.bytes() as u64 + frontier + held as u64,
            frontier_bytes: frontier,
            elapsed: self.watch.elapsed(),
            estimate: self.levels.as_ref().map(|levels| estimate(levels, states)),
        }
    }

    fn wants_help(&self) -> bool {
        let taken = |desk: &Desk| desk.taken.load(Ordering::Relaxed);
        self.help_at.is_some_and(|at| self.shared.sum(taken) >= at)
    }
}

/// Looks at clock and memory.
#[derive(Debug)]
pub(crate) struct Watch {
    began: Instant,
    /// For how long the search had gone on when it was taken up again.
    before: Duration,
    /// The most memory that was seen in use, and by what is not the states.
    pub peak: u64,
    pub frontier_peak: u64,
    /// What the process holds.
    footprint: Footprint,
    /// When the next checkpoint is due, and how long it is from one to the next.
    checkpoints: Option<(Duration, Duration)>,
}

impl Watch {
    /// Of a search that has gone on for some time already.
    pub fn new(options: &Options, past: &Past, footprint: Footprint) -> Self {
        let interval = options.checkpoints.as_ref().map(|c| c.interval);
        Watch {
            began: Instant::now(),
            before: past.elapsed,
            peak: past.peak,
            frontier_peak: past.frontier_peak,
            footprint,
            checkpoints: interval.map(|interval| (past.elapsed + interval, interval)),
        }
    }

    /// For how long the search has been going on.
    pub fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    /// A checkpoint was written.
    pub fn checkpoint_written(&mut self) {
        let now = self.elapsed();
        if let Some((due, interval)) = &mut self.checkpoints {
            *due = now + *interval;
        }
    }

    /// Whether it is time for a checkpoint.
    pub fn is_checkpoint_due(&self) -> bool {
        self.checkpoints
            .is_some_and(|(due, _)| self.elapsed() >= due)
    }

    fn note(&mut self, now: &Progress) {
        self.peak = self.peak.max(now.bytes);
        self.frontier_peak = self.frontier_peak.max(now.frontier_bytes);
    }

    /// The limit that is reached.
    fn limit(&self, options: &Options, now: &Progress) -> Option<Limit> {
        let cancel = options.cancel.as_ref();
        if cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        let limits = &options.limits;
        // A search that is taken up again has all the time once more.
        if limits
            .time
            .is_some_and(|limit| self.began.elapsed() >= limit)
        {
            return Some(Limit::Time);
        }
        let resident = self.footprint.resident().unwrap_or(0);
        let used = now.bytes.max(resident as u64);
        let over = limits.memory.is_some_and(|limit| used > limit as u64);
        over.then_some(Limit::Memory)
    }
}
