//! The limit monitor: the command runs on a worker thread, and the main thread sees to it that it ends.
//!
//! Most phases of a check stop by themselves when the time is over or the user interrupts. Some cannot: reading a huge model, or a single operation
//! on decision diagrams. When such a phase has not ended a second after it should have, the main thread writes
//! the document from what is known so far, and the process ends while the worker still runs.
//!
//! # One answer
//!
//! Whoever takes the outputs out of the monitor writes the answer: the worker when it is done ([`Monitor::take`]), or the main thread. The other one
//! finds nothing to write to. So there is exactly one document, and it is whole.

use crate::check::Outputs;
use crate::console::Console;
use crate::exit::{self, Failure, Status};
use crate::interrupt;
use crate::pending::{Draft, Pending};
use crate::progress::{Moment, Reporter};
use mandala_checker::document::draft::{Cause, Cutoff};
use mandala_checker::watch::{Phase, Progress, Wish};
use mandala_report::document::Stats;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Enough for the deepest expression that a front end lets through, also in a debug build.
const STACK: usize = 64 << 20;

/// How often the monitor looks.
const PERIOD: Duration = Duration::from_millis(20);

/// How much later than it should a phase may end by itself: its answer has more to say.
const GRACE: Duration = Duration::from_secs(1);

/// The state that the worker and the main thread share.
pub struct Monitor {
    started: Instant,
    state: Mutex<State>,
}

struct State {
    limits: Limits,
    phase: Phase,
    /// When the phase began.
    entered: Instant,
    progress: Progress,
    answer: Answer,
    /// Tells how far the command is, until it has its answer.
    reporter: Option<Reporter>,
    /// How much later than it should a phase may end by itself.
    grace: Duration,
    /// Since when the command should have ended, and why.
    overdue: Option<(Instant, Cause)>,
}

/// The limits that hold for the whole command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The time since the program started.
    pub time: Option<Duration>,
    /// The bytes that the program may hold while it prepares a search. A search has means of its own to keep to it.
    pub memory: Option<u64>,
    /// The states that a search may store. It keeps to that by itself.
    pub states: Option<u64>,
}

/// Where the answer of a command is.
enum Answer {
    /// It has no outputs, or has not opened them yet.
    None,
    /// To be written by whoever takes it.
    Open(Box<Pending>),
    /// Somebody writes it.
    Taken,
}

impl Monitor {
    /// A monitor without limits for a command that started then.
    pub fn new(started: Instant) -> Self {
        let state = State {
            limits: Limits::default(),
            phase: Phase::Reading,
            entered: started,
            progress: Progress::default(),
            answer: Answer::None,
            reporter: None,
            grace: GRACE,
            overdue: None,
        };
        Monitor {
            started,
            state: Mutex::new(state),
        }
    }

    /// The state. A thread that has panicked leaves it as it was between two changes.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the command started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Sets the limits.
    pub fn limit(&self, limits: Limits) {
        self.state().limits = limits;
    }

    /// Lets an interrupt end the command at once: it waits for the user, and has nothing to write.
    pub fn end_at_once(&self) {
        self.state().grace = Duration::ZERO;
    }

    /// Hands over the outputs, and what is to be written to them if the command is cut off.
    pub fn open(&self, pending: Pending) {
        self.state().answer = Answer::Open(Box::new(pending));
    }

    /// From now on, progress is told.
    pub fn report_to(&self, reporter: Reporter) {
        self.state().reporter = Some(reporter);
    }

    /// Tells how far the command is, if that is due.
    fn tell(&self) {
        let mut state = self.state();
        let now = state.moment(self.started);
        if let Some(reporter) = &mut state.reporter {
            reporter.tell(&now);
        }
    }

    /// Takes note of what the document says of all searches together.
    pub fn sum_up(&self, stats: &Stats) {
        let progress = &mut self.state().progress;
        progress.states = stats.states;
        progress.transitions = stats.transitions;
        progress.depth = stats.depth;
    }

    /// Takes note of what is known so far.
    pub fn learn(&self, draft: Draft) {
        if let Answer::Open(pending) = &mut self.state().answer {
            pending.draft = draft;
        }
    }

    /// Takes note of a phase.
    pub fn enter(&self, phase: Phase) -> Wish {
        let mut state = self.state();
        state.phase = phase;
        state.entered = Instant::now();
        if phase == Phase::Searching {
            state.progress = Progress::default();
        }
        state.wish()
    }

    /// Whether the command is to go on.
    pub fn wish(&self) -> Wish {
        self.state().wish()
    }

    /// Takes note of progress.
    pub fn update(&self, progress: &Progress) -> Wish {
        let mut state = self.state();
        state.progress = *progress;
        state.wish()
    }

    /// The outputs, for the worker, which has its answer. If the main thread was faster, the worker waits here for the process to end.
    pub fn take(&self) -> Outputs {
        let answer = self.state().take(self.started);
        match answer {
            Answer::Open(pending) => pending.outputs,
            Answer::None | Answer::Taken => loop {
                thread::park();
            },
        }
    }

    /// Ends the command if it is overdue: writes what is known so far.
    fn cut_off(&self, console: &Console) -> Option<Result<Status, Failure>> {
        let (pending, cutoff) = self.state().cut_off(self.started)?;
        Some(match pending {
            Some(pending) => pending.cut_off(&cutoff, console),
            None => Err(Failure::Interrupted),
        })
    }

    /// Ends a command whose worker has panicked.
    fn fail(&self, failure: Failure, console: &Console) -> Result<Status, Failure> {
        let answer = self.state().take(self.started);
        match answer {
            Answer::Open(pending) => Err(pending.fail(failure, console)),
            Answer::None | Answer::Taken => Err(failure),
        }
    }
}

impl State {
    fn moment(&self, started: Instant) -> Moment {
        Moment {
            elapsed: started.elapsed(),
            phase: self.phase,
            progress: self.progress,
            limits: self.limits,
        }
    }

    /// Takes the answer, for whoever writes it; progress is told no more.
    fn take(&mut self, started: Instant) -> Answer {
        if let Some(reporter) = self.reporter.take() {
            reporter.finish(&self.moment(started));
        }
        std::mem::replace(&mut self.answer, Answer::Taken)
    }

    fn wish(&self) -> Wish {
        let cut_off = matches!(self.answer, Answer::Taken);
        match interrupt::asked() || cut_off {
            true => Wish::Stop,
            false => Wish::GoOn,
        }
    }

    /// The reason to end the command, if there is one.
    fn cause(&self, started: Instant) -> Option<Cause> {
        if interrupt::asked() {
            return Some(Cause::Interrupt);
        }
        let spent = started.elapsed();
        let time = self.limits.time.filter(|time| spent >= *time);
        time.map(Cause::Time).or_else(|| self.memory())
    }

    /// The limit of memory, if that is exceeded before there is a search.
    fn memory(&self) -> Option<Cause> {
        let limit = self.limits.memory.filter(|_| self.is_before_search())?;
        let held = mandala_checker::resident_bytes()?;
        (held > limit).then_some(Cause::Memory(limit))
    }

    fn is_before_search(&self) -> bool {
        matches!(
            self.phase,
            Phase::Reading | Phase::Planning | Phase::Preparing
        )
    }

    /// Takes the answer if the command should have ended long enough ago.
    fn cut_off(&mut self, started: Instant) -> Option<(Option<Pending>, Cutoff)> {
        let Some(cause) = self.cause(started) else {
            self.overdue = None;
            return None;
        };
        let (since, cause) = *self.overdue.get_or_insert((Instant::now(), cause));
        if since.elapsed() < self.grace || !self.may_be_cut_off() {
            return None;
        }
        let cutoff = Cutoff {
            cause,
            phase: self.phase,
            progress: self.progress,
            time: self.entered.elapsed(),
        };
        match self.take(started) {
            Answer::Open(pending) => Some((Some(*pending), cutoff)),
            Answer::None => Some((None, cutoff)),
            Answer::Taken => None,
        }
    }

    /// A search that writes checkpoints stops by itself when it has written one more, which may take a while and is worth it.
    fn may_be_cut_off(&self) -> bool {
        match &self.answer {
            Answer::Open(pending) => {
                !(self.phase == Phase::Searching && pending.draft.has_checkpoints())
            }
            Answer::None | Answer::Taken => true,
        }
    }
}

/// Runs a command on a thread of its own, and ends it if it does not end by itself.
pub fn run(
    started: Instant,
    console: Console,
    command: impl FnOnce(&Monitor) -> Result<Status, Failure> + Send + 'static,
) -> Result<Status, Failure> {
    let monitor = Arc::new(Monitor::new(started));
    let (sender, receiver) = mpsc::channel();
    let shared = Arc::clone(&monitor);
    let work = move || {
        // The main thread waits for this until it ends the process.
        let _ = sender.send(command(&shared));
    };
    let worker = thread::Builder::new().name("main".into()).stack_size(STACK);
    worker
        .spawn(work)
        .map_err(|error| Failure::Io(format!("cannot start a thread: {error}")))?;
    loop {
        let outcome = match receiver.recv_timeout(PERIOD) {
            Ok(outcome) => Some(outcome),
            Err(RecvTimeoutError::Disconnected) => {
                Some(monitor.fail(exit::after_panic(), &console))
            }
            Err(RecvTimeoutError::Timeout) => {
                monitor.tell();
                monitor.cut_off(&console)
            }
        };
        if let Some(outcome) = outcome {
            return outcome;
        }
    }
}
