//! The limit monitor and the progress observer: what may end a search before everything was visited, and who is shown how far it is.
//!
//! Every worker asks a [`Monitor`] from time to time, after some hundreds of states and inside steps that take long. That of the worker in the
//! calling thread is the [`LimitMonitor`], which measures for all workers; the others have a [`Follower`].

use crate::estimate::estimate;
use crate::footprint::Footprint;
use crate::options::Options;
use crate::outcome::{Limit, Progress, TimeSplit};
use crate::shared::{Shared, Status};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Says whether a search goes on.
pub(crate) trait Monitor {
    /// Whether the search goes on; `held` is how many bytes the step at hand takes.
    fn check(&mut self, held: usize) -> bool;
}

/// The monitor of a worker that measures nothing itself.
pub(crate) struct Follower<'s, 'p> {
    pub shared: &'s Shared<'p>,
    pub status: &'s Status,
}

impl Monitor for Follower<'_, '_> {
    fn check(&mut self, held: usize) -> bool {
        self.status.held.store(held, Ordering::Relaxed);
        !self.shared.signals.is_stopped()
    }
}

/// The monitor of the worker in the calling thread: it measures time and memory for all workers, and calls the observer.
pub(crate) struct LimitMonitor<'s, 'p> {
    pub shared: &'s Shared<'p>,
    /// The bytes of the frontier that belong to no worker.
    pub frontier_bytes: &'s (dyn Fn() -> usize + 's),
    pub observer: &'s mut dyn FnMut(&Progress),
    pub usage: Usage,
    /// How many states each level has, breadth first.
    pub levels: Option<Vec<u64>>,
    /// After how many states other workers are called, if they have not been.
    pub help_at: Option<u64>,
}

impl Monitor for LimitMonitor<'_, '_> {
    fn check(&mut self, held: usize) -> bool {
        self.shared.profile.look();
        let held = held + self.logs();
        let now = self.progress(held);
        (self.observer)(&now);
        self.usage.note(&now);
        self.measure(&now, held);
        if let Some(limit) = self.usage.limit(self.shared.options, &now) {
            self.shared.signals.stop_at(limit);
        }
        if self.usage.is_checkpoint_due() || self.wants_help() {
            self.shared.signals.pause();
        }
        !self.shared.signals.is_stopped()
    }
}

impl<'s, 'p> LimitMonitor<'s, 'p> {
    /// The monitor of a search with one worker that begins now and whose frontier is its own.
    pub(crate) fn alone(
        shared: &'s Shared<'p>,
        footprint: Footprint,
        observer: &'s mut dyn FnMut(&Progress),
    ) -> Self {
        let mut monitor = LimitMonitor {
            shared,
            frontier_bytes: &|| 0,
            observer,
            usage: Usage::new(shared.options, Spent::default(), footprint),
            levels: None,
            help_at: None,
        };
        monitor.set_aside();
        monitor
    }
}

impl LimitMonitor<'_, '_> {
    /// Tells the store how much memory it may take beside everything else.
    pub(crate) fn set_aside(&mut self) {
        let now = self.progress(0);
        self.measure(&now, 0);
    }

    /// What the logs of all workers take. They are given up once half of the memory is in use: a search ends for want of memory where it would without them.
    fn logs(&self) -> usize {
        let logs = self.shared.sum(|status| status.log() as u64) as usize;
        if logs > 0 {
            let resident = self.usage.footprint.resident().unwrap_or(0) as u64;
            let used = resident.max(self.progress(logs).bytes);
            let limit = self.shared.options.limits.memory;
            if limit.is_some_and(|limit| used > limit / 2) {
                self.shared.give_up_logs();
            }
        }
        logs
    }

    fn measure(&mut self, now: &Progress, held: usize) {
        let states = &self.shared.states;
        let footprint = &mut self.usage.footprint;
        footprint.look(now.elapsed, || {
            (now.bytes as usize).saturating_sub(states.untouched())
        });
        let others = now.frontier_bytes as usize + held;
        states.set_aside(others.saturating_add(footprint.uncounted()));
    }

    /// All that was used until now, also before the search was resumed.
    pub(crate) fn spent(&self) -> Spent {
        let usage = &self.usage;
        let own = usage.began.elapsed();
        let mut split = usage.spent.split;
        split += self.shared.profile.split(own.as_secs_f64());
        Spent {
            elapsed: usage.spent.elapsed + own,
            split,
            ..usage.spent
        }
    }

    /// Notes how much memory is in use.
    pub(crate) fn note(&mut self) {
        let now = self.progress(0);
        self.usage.note(&now);
    }

    /// How far the search is.
    fn progress(&self, held: usize) -> Progress {
        let shared = self.shared;
        let states = shared.states.visited.len();
        let taken = shared.sum(|status| status.taken.load(Ordering::Relaxed));
        let own = shared.sum(|status| status.memory() as u64);
        let frontier = own + (self.frontier_bytes)() as u64;
        let depths = shared
            .statuses
            .iter()
            .map(|status| status.depth.load(Ordering::Relaxed));
        Progress {
            states,
            transitions: shared.sum(|status| status.transitions.load(Ordering::Relaxed)),
            depth: depths.max().unwrap_or(0),
            waiting: states.saturating_sub(taken),
            bytes: shared.states.bytes() as u64 + frontier + held as u64,
            frontier_bytes: frontier,
            elapsed: self.usage.elapsed(),
            estimate: self.levels.as_ref().map(|levels| estimate(levels, states)),
        }
    }

    fn wants_help(&self) -> bool {
        let taken = |status: &Status| status.taken.load(Ordering::Relaxed);
        self.help_at.is_some_and(|at| self.shared.sum(taken) >= at)
    }
}

/// The time and memory that a search has used before it was resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spent {
    pub elapsed: Duration,
    /// What the time went into.
    pub split: TimeSplit,
    /// The most memory in use, and the most that was not for states.
    pub peak: u64,
    pub frontier_peak: u64,
}

/// The time and memory that a search uses.
#[derive(Debug)]
pub(crate) struct Usage {
    began: Instant,
    /// Before the search was resumed, and the peaks until now.
    spent: Spent,
    /// The memory of the process.
    footprint: Footprint,
    /// When the next checkpoint is due, and how long it is from one to the next.
    checkpoints: Option<(Duration, Duration)>,
}

impl Usage {
    /// That of a search that has used some already.
    pub(crate) fn new(options: &Options, spent: Spent, footprint: Footprint) -> Self {
        let interval = options.checkpoints.as_ref().map(|c| c.interval);
        Usage {
            began: Instant::now(),
            footprint,
            checkpoints: interval.map(|interval| (spent.elapsed + interval, interval)),
            spent,
        }
    }

    /// For how long the search has been going on.
    pub(crate) fn elapsed(&self) -> Duration {
        self.spent.elapsed + self.began.elapsed()
    }

    /// A checkpoint was written.
    pub(crate) fn checkpoint_written(&mut self) {
        let now = self.elapsed();
        if let Some((due, interval)) = &mut self.checkpoints {
            *due = now + *interval;
        }
    }

    /// Whether it is time for a checkpoint.
    pub(crate) fn is_checkpoint_due(&self) -> bool {
        self.checkpoints
            .is_some_and(|(due, _)| self.elapsed() >= due)
    }

    fn note(&mut self, now: &Progress) {
        let spent = &mut self.spent;
        spent.peak = spent.peak.max(now.bytes);
        spent.frontier_peak = spent.frontier_peak.max(now.frontier_bytes);
    }

    /// The limit that is reached.
    fn limit(&self, options: &Options, now: &Progress) -> Option<Limit> {
        let cancel = options.cancel.as_ref();
        if cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        let limits = &options.limits;
        // A search that is resumed has all the time once more.
        if limits
            .time
            .is_some_and(|limit| self.began.elapsed() >= limit)
        {
            return Some(Limit::Time);
        }
        let resident = self.footprint.resident().unwrap_or(0);
        let used = now.bytes.max(resident as u64);
        let over = limits.memory.is_some_and(|limit| used > limit);
        over.then_some(Limit::Memory)
    }
}
