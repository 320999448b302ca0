//! What the workers of one search have in common.

use crate::options::{OnViolation, Options};
use crate::outcome::Limit;
use crate::states::States;
use mandala_encoding::{Program, Stepper};
use mandala_model::step::Violation;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What the workers of one search have in common.
#[derive(Debug)]
pub(crate) struct Shared<'p> {
    pub program: &'p Program,
    pub options: &'p Options,
    pub states: States,
    pub signals: Signals,
    /// One for each worker.
    pub desks: Vec<Desk>,
    /// How many new states were found, counted only if there is a limit on that.
    counted: AtomicU64,
}

impl<'p> Shared<'p> {
    pub fn new(program: &'p Program, options: &'p Options, states: States, workers: usize) -> Self {
        Shared {
            program,
            options,
            counted: AtomicU64::new(states.visited.len()),
            states,
            signals: Signals::default(),
            desks: (0..workers).map(|_| Desk::default()).collect(),
        }
    }

    /// Somebody who makes steps.
    pub fn stepper(&self) -> Stepper<'p> {
        match self.options.interpret {
            true => self.program.interpreting_stepper(),
            false => self.program.stepper(),
        }
    }

    /// Counts a new state, and stops the search if there are more than allowed.
    #[inline]
    pub fn count_state(&self) {
        if let Some(most) = self.options.limits.states {
            let before = self.counted.fetch_add(1, Ordering::Relaxed);
            if before >= most as u64 {
                self.signals.stop_at(Limit::States);
            }
        }
    }

    /// Whether one of those is what the search is to end at.
    pub fn is_satisfied_by(&self, wrong: &[Violation]) -> bool {
        let counts = |violation| self.options.concerns.include(violation);
        self.options.on_violation == OnViolation::Stop && wrong.iter().any(counts)
    }

    /// A number of all workers together.
    pub fn sum(&self, of: impl Fn(&Desk) -> u64) -> u64 {
        self.desks.iter().map(of).sum()
    }
}

/// Where a worker writes down from time to time how far it is. Written by that worker alone.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Desk {
    /// States that were taken from the frontier.
    pub taken: AtomicU64,
    pub transitions: AtomicU64,
    /// The depth of the state that was expanded last.
    pub depth: AtomicU32,
    /// What it holds beside the states and what the workers share.
    pub bytes: AtomicUsize,
    /// What a step that takes long held when it was last asked.
    pub held: AtomicUsize,
}

impl Desk {
    /// All memory that the worker holds itself.
    pub fn memory(&self) -> usize {
        self.bytes.load(Ordering::Relaxed) + self.held.load(Ordering::Relaxed)
    }
}

/// What everybody has to know.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    course: AtomicU8,
    limit: Mutex<Option<Limit>>,
    violated: AtomicBool,
    /// Whether something that was found could not be remembered.
    lossy: AtomicBool,
}

const PAUSE: u8 = 1;
const STOP: u8 = 2;

impl Signals {
    /// Whether everybody goes on.
    #[inline]
    pub fn is_running(&self) -> bool {
        self.course.load(Ordering::Relaxed) == 0
    }

    /// Whether the search is over.
    pub fn is_stopped(&self) -> bool {
        self.course.load(Ordering::Relaxed) == STOP
    }

    /// Everybody stops after the batch at hand, and goes on later.
    pub fn pause(&self) {
        self.course.fetch_max(PAUSE, Ordering::Relaxed);
    }

    /// Ends a pause; says whether there was one.
    pub fn unpause(&self) -> bool {
        let paused = self
            .course
            .compare_exchange(PAUSE, 0, Ordering::Relaxed, Ordering::Relaxed);
        paused.is_ok()
    }

    /// Everybody stops.
    pub fn stop(&self) {
        self.course.store(STOP, Ordering::Relaxed);
    }

    /// A limit was reached. The first one counts.
    pub fn stop_at(&self, limit: Limit) {
        let mut first = self.limit.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(limit);
        if !matches!(limit, Limit::Time | Limit::Cancelled) {
            self.lossy.store(true, Ordering::Relaxed);
        }
        self.stop();
    }

    /// Whether the search was stopped between two batches, with nothing lost.
    pub fn is_clean_stop(&self) -> bool {
        let limit = self.limit();
        let harmless = matches!(limit, Some(Limit::Time | Limit::Cancelled));
        harmless && !self.lossy.load(Ordering::Relaxed)
    }

    /// The limit that was reached first.
    pub fn limit(&self) -> Option<Limit> {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody has found a violation that the search is to end at.
    pub fn note_violation(&self) {
        self.violated.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has.
    pub fn is_violated(&self) -> bool {
        self.violated.load(Ordering::Relaxed)
    }
}
