//! The data that the workers of one search share: the states, the signals to stop and the status that each publishes.

use crate::GraphQuestion;
use crate::options::Expansion;
use crate::options::{AfterViolation, Options};
use crate::outcome::{Extent, Limit};
use crate::profile::Profile;
use crate::states::States;
use crate::tally::Tally;
use mandala_encoding::{Program, Stepper};
use mandala_engine::ViolationCounts;
use mandala_kripke::Fairness;
use mandala_model::step::Violation;
use mandala_store::StoreKind;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether the workers of a search keep logs of their steps ([`crate::graph::StepLog`]).
fn are_kept(program: &Program, options: &Options) -> bool {
    let asks_who = |question: &GraphQuestion| question.fairness != Fairness::None;
    !options.questions.is_empty()
        && !options.questions.iter().any(asks_who)
        && !options.asks_for_instances()
        && options.checkpoints.is_none()
        && options.expand == Expansion::Representatives
        && options.store == StoreKind::Exact
        && program.observers().claim.is_none()
        && !program.leaves_out_steps()
}

/// What the workers of one search have in common.
#[derive(Debug)]
pub(crate) struct Shared<'p> {
    pub program: &'p Program,
    pub options: &'p Options,
    pub states: States,
    pub signals: Signals,
    /// One for each worker.
    pub statuses: Vec<Status>,
    /// Where their time goes.
    pub profile: Profile,
    /// How many new states were found, counted only if there is a limit on that.
    counted: AtomicU64,
    /// Whether the workers write down which steps they make.
    logs: AtomicBool,
}

impl<'p> Shared<'p> {
    pub(crate) fn new(
        program: &'p Program,
        options: &'p Options,
        states: States,
        workers: usize,
    ) -> Self {
        Shared {
            program,
            options,
            counted: AtomicU64::new(states.visited.len()),
            states,
            signals: Signals::default(),
            profile: Profile::new(workers),
            logs: AtomicBool::new(are_kept(program, options)),
            statuses: (0..workers).map(|_| Status::default()).collect(),
        }
    }

    /// A stepper: by machine code where that pays, unless the options say otherwise.
    pub(crate) fn stepper(&self) -> Stepper<'p> {
        match self.options.interpret {
            true => self.program.interpreting_stepper(),
            false => self.program.stepper(),
        }
    }

    /// Whether the workers write down which steps they make.
    pub(crate) fn keeps_logs(&self) -> bool {
        self.logs.load(Ordering::Relaxed)
    }

    /// What the workers have written down is of no more use.
    pub(crate) fn give_up_logs(&self) {
        self.logs.store(false, Ordering::Relaxed);
    }

    /// Counts a new state, and stops the search if there are more than allowed.
    #[inline]
    pub(crate) fn count_state(&self) {
        if let Some(most) = self.options.limits.states {
            let before = self.counted.fetch_add(1, Ordering::Relaxed);
            if before >= most {
                self.signals.stop_at(Limit::States);
            }
        }
    }

    /// The number of the first of some violations that counts, if any does.
    pub(crate) fn first_counted(&self, violations: &[Violation]) -> Option<usize> {
        let mut violations = violations.iter();
        violations.position(|violation| self.options.concerns.include(violation))
    }

    /// Those of some violations that count.
    pub(crate) fn counted(&self, violations: &[Violation]) -> ViolationCounts {
        let concerns = &self.options.concerns;
        let counted = violations.iter().filter(|v| concerns.include(v));
        counted.map(Violation::attribution).collect()
    }

    /// Whether the search ends at the first violation, and one of these counts.
    pub(crate) fn is_satisfied_by(&self, violations: &[Violation]) -> bool {
        self.stops_at_violation() && self.first_counted(violations).is_some()
    }

    /// Whether the search ends at the first violation.
    pub(crate) fn stops_at_violation(&self) -> bool {
        self.options.on_violation == AfterViolation::Stop
    }

    /// How much of the state space a search has visited that is over now.
    pub(crate) fn extent(&self, tally: &Tally) -> Extent {
        match self.signals.limit() {
            _ if self.stops_at_violation() && !tally.violations.is_empty() => {
                Extent::FirstViolation
            }
            Some(limit) => Extent::Limited(limit),
            None if tally.cut => Extent::Limited(Limit::Depth),
            None => Extent::Complete,
        }
    }

    /// Whether the search has ended between two batches, with nothing lost, because of a limit that may be another one next time.
    pub(crate) fn is_clean_stop(&self, tally: &Tally) -> bool {
        let limit = self.signals.limit();
        let limit = limit.map_or_else(|| self.extent(tally), Extent::Limited);
        limit.is_resumable() && !self.signals.lossy.load(Ordering::Relaxed)
    }

    /// A number of all workers together.
    pub(crate) fn sum(&self, of: impl Fn(&Status) -> u64) -> u64 {
        self.statuses.iter().map(of).sum()
    }
}

/// How far a worker is, published from time to time. Written by that worker alone.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Status {
    /// States that were taken from the frontier.
    pub taken: AtomicU64,
    pub transitions: AtomicU64,
    /// The depth of the deepest state that was taken.
    pub depth: AtomicU32,
    /// What it holds beside the states and what the workers share.
    pub bytes: AtomicUsize,
    /// What a step that takes long held when it was last asked.
    pub held: AtomicUsize,
    /// How much memory the log of the steps takes.
    log: AtomicUsize,
}

impl Status {
    /// Publishes the counters of the worker.
    pub(crate) fn note(&self, tally: &Tally) {
        self.taken.store(tally.taken, Ordering::Relaxed);
        self.transitions.store(tally.transitions, Ordering::Relaxed);
        self.depth.store(tally.depth, Ordering::Relaxed);
    }

    /// Publishes how much memory the log of the steps takes.
    pub(crate) fn note_log(&self, bytes: usize) {
        self.log.store(bytes, Ordering::Relaxed);
    }

    /// How much memory the log of the steps takes.
    pub(crate) fn log(&self) -> usize {
        self.log.load(Ordering::Relaxed)
    }

    /// All memory that the worker holds itself, but for its log.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.load(Ordering::Relaxed) + self.held.load(Ordering::Relaxed)
    }
}

/// The signals between workers.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    course: AtomicU8,
    limit: Mutex<Option<Limit>>,
    violated: AtomicBool,
    /// Whether something that was found could not be stored.
    lossy: AtomicBool,
}

const PAUSE: u8 = 1;
const STOP: u8 = 2;

impl Signals {
    /// Whether all workers go on.
    #[inline]
    pub(crate) fn is_running(&self) -> bool {
        self.course.load(Ordering::Relaxed) == 0
    }

    /// Whether the search is over.
    pub(crate) fn is_stopped(&self) -> bool {
        self.course.load(Ordering::Relaxed) == STOP
    }

    /// All workers stop after the batch at hand, and go on later.
    pub(crate) fn pause(&self) {
        self.course.fetch_max(PAUSE, Ordering::Relaxed);
    }

    /// Ends a pause; says whether there was one.
    pub(crate) fn unpause(&self) -> bool {
        let paused = self
            .course
            .compare_exchange(PAUSE, 0, Ordering::Relaxed, Ordering::Relaxed);
        paused.is_ok()
    }

    /// All workers stop.
    pub(crate) fn stop(&self) {
        self.course.store(STOP, Ordering::Relaxed);
    }

    /// A limit was reached, with nothing lost. The first one counts.
    pub(crate) fn stop_at(&self, limit: Limit) {
        let mut first = self.limit.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(limit);
        self.stop();
    }

    /// A limit was reached in the middle of something, which is lost.
    pub(crate) fn lose_at(&self, limit: Limit) {
        self.note_loss();
        self.stop_at(limit);
    }

    /// Something that was found is lost, so nothing can go on from here.
    pub(crate) fn note_loss(&self) {
        self.lossy.store(true, Ordering::Relaxed);
    }

    /// The limit that was reached first.
    pub(crate) fn limit(&self) -> Option<Limit> {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker has found a violation that the search is to end at.
    pub(crate) fn note_violation(&self) {
        self.violated.store(true, Ordering::Relaxed);
    }

    /// Whether a worker has.
    pub(crate) fn is_violated(&self) -> bool {
        self.violated.load(Ordering::Relaxed)
    }
}
