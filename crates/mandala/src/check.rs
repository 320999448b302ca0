//! Checks, and what comes of them.

use crate::options::{AfterViolation, CheckOptions, Deadlock, Fairness, Selection, SymmetryChoice};
use crate::stack::on_large_stack;
use crate::{Error, Model, error};
use mandala_checker::watch::{Progress, ProgressObserver, Watch, Wish};
use mandala_report::document::{Document, PropertyResult, Trace, Verdict, Violation};
use mandala_report::text::View;
use mandala_report::{Colour, json, text};
use std::fmt;
use std::num::NonZeroU32;
use std::thread;
use std::time::{Duration, Instant};

/// What is asked about a model, and how far the search may go.
#[derive(Clone, Debug)]
pub struct Check<'m> {
    model: &'m Model,
    options: CheckOptions,
}

/// What a check has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    document: Document,
}

impl<'m> Check<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let cores = thread::available_parallelism().ok();
        let cores = cores.and_then(|cores| NonZeroU32::try_from(cores).ok());
        let options = CheckOptions {
            workers: cores.unwrap_or(NonZeroU32::MIN),
            ..CheckOptions::default()
        };
        Check { model, options }
    }

    /// Checks the properties of that name, and others that are selected like this; without a selection all are checked.
    #[must_use]
    pub fn property(mut self, name: &str) -> Self {
        match &mut self.options.properties {
            Selection::Named(names) => names.push(name.to_string()),
            everything => *everything = Selection::Named(vec![name.to_string()]),
        }
        self
    }

    /// Goes on after a violation: visits everything, and decides every property.
    #[must_use]
    pub fn keep_going(mut self) -> Self {
        self.options.after_violation = AfterViolation::GoOn;
        self
    }

    /// Says which infinite runs count for formulas.
    #[must_use]
    pub fn fair(mut self, fairness: Fairness) -> Self {
        self.options.fairness = fairness;
        self
    }

    /// Reports no deadlocks.
    #[must_use]
    pub fn without_deadlock(mut self) -> Self {
        self.options.deadlock = Deadlock::Ignore;
        self
    }

    /// Stores every state, whatever is interchangeable.
    #[must_use]
    pub fn without_symmetry(mut self) -> Self {
        self.options.symmetry = SymmetryChoice::Off;
        self
    }

    /// Gives up after that time.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.options.limits.time = Some(limit);
        self
    }

    /// Gives up at that number of stored states.
    #[must_use]
    pub fn states(mut self, limit: u64) -> Self {
        self.options.limits.states = Some(limit);
        self
    }

    /// Gives up before the process holds more bytes than that.
    #[must_use]
    pub fn memory(mut self, limit: u64) -> Self {
        self.options.limits.memory = Some(limit);
        self
    }

    /// Searches with that number of threads.
    #[must_use]
    pub fn workers(mut self, number: NonZeroU32) -> Self {
        self.options.workers = number;
        self
    }

    /// Changes any option of the command line.
    #[must_use]
    pub fn options(mut self, change: impl FnOnce(&mut CheckOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Checks.
    ///
    /// # Errors
    ///
    /// If the options do not go together or do not suit the model. That a limit is reached is no error.
    pub fn run(self) -> Result<Report, Error> {
        self.run_while(|_| true)
    }

    /// Checks as long as `go_on` says so. It is asked many times a second while states are searched, and learns how far the search is.
    ///
    /// # Errors
    ///
    /// As [`Check::run`]. That the check was stopped is no error: the verdict is unknown.
    pub fn run_while(
        mut self,
        go_on: impl FnMut(&Progress) -> bool + Send,
    ) -> Result<Report, Error> {
        self.options.started = Instant::now();
        let loaded = &self.model.loaded;
        let (options, mut observer) = (&self.options, Observer { go_on });
        let checked = on_large_stack(|| mandala_checker::check(loaded, options, &mut observer))?;
        let document = checked.map_err(|refusal| error::of_check(refusal, loaded))?;
        Ok(Report { document })
    }
}

/// Asks the caller whether to go on.
struct Observer<F> {
    go_on: F,
}

impl<F: FnMut(&Progress) -> bool> ProgressObserver for Observer<F> {
    fn update(&mut self, progress: &Progress) -> Wish {
        match (self.go_on)(progress) {
            true => Wish::GoOn,
            false => Wish::Stop,
        }
    }
}

impl<F: FnMut(&Progress) -> bool> Watch for Observer<F> {}

impl Report {
    /// The verdict on all properties together: violated if one is, else unknown if one is.
    pub fn verdict(&self) -> Verdict {
        self.document.verdict
    }

    /// The properties that were checked, each with its own verdict.
    pub fn properties(&self) -> &[PropertyResult] {
        &self.document.properties
    }

    /// The first property of that name; `safety` stands for assertions, deadlocks and run-time errors.
    pub fn property(&self, name: &str) -> Option<&PropertyResult> {
        self.properties().iter().find(|found| found.name == name)
    }

    /// The first violation, in words, with the values that belong to it.
    pub fn violation(&self) -> Option<&Violation> {
        self.document.violation.as_ref()
    }

    /// A run of the model to the first violation, which the reference interpreter has executed.
    pub fn trace(&self) -> Option<&Trace> {
        self.document.trace.as_ref()
    }

    /// All violations that are shown, each with its run.
    pub fn counterexamples(&self) -> impl Iterator<Item = (&Violation, &Trace)> {
        self.document.counterexamples()
    }

    /// The number of states that were stored: representatives, where symmetry is used.
    pub fn states(&self) -> u64 {
        self.document.stats.states
    }

    /// Whether every reachable state was visited.
    pub fn is_complete(&self) -> bool {
        self.document.coverage.complete
    }

    /// Everything that is known, as `mandala check --json` writes it.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document as JSON.
    ///
    /// # Errors
    ///
    /// If that fails, which is a defect.
    pub fn json(&self) -> Result<String, Error> {
        json::write(&self.document).map_err(|error| Error::Defect(error.to_string()))
    }
}

/// The report as `mandala check` shows it.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::render(&self.document, &View::new(Colour::Off)))
    }
}
