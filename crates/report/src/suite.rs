//! A suite: models with what their headers expect of them, and what came of checking that.
//!
//! `mandala test` runs it. [`expectation`] reads headers and judges documents, [`text`] is for the terminal, [`crate::junit`] and
//! [`crate::sarif`] are for other programs.

pub mod expectation;
pub mod text;

use crate::document::{Document, Finding, Tool};

/// The result of a suite.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteReport {
    /// The program that has run it.
    pub tool: Tool,
    /// The tests, in the order of models and lines.
    pub tests: Vec<TestResult>,
    /// Models in the folders that expect nothing.
    pub silent: Vec<String>,
    /// When it began, in seconds since the beginning of 1970.
    pub started: u64,
    /// The time that all of it took.
    pub seconds: f64,
}

/// What came of one expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    /// The model, as the user named it.
    pub model: String,
    /// The line of the expectation, from 1.
    pub line: u32,
    /// The expectation as it is written.
    pub text: String,
    /// The command that checks it.
    pub command: Option<String>,
    /// What came of it.
    pub outcome: TestOutcome,
    /// The time that it took.
    pub seconds: f64,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum TestOutcome {
    /// What is expected was found.
    Passed,
    /// Something else was found.
    Failed {
        /// What was found, in the words of expectations.
        found: String,
        /// The document with it.
        document: Box<Document>,
    },
    /// A limit was reached first.
    Undecided {
        /// Which one.
        reason: String,
    },
    /// The model, the line or the command is wrong.
    Wrong {
        /// What is wrong, in a sentence without a full stop.
        message: String,
        /// What is wrong with the text of the model, place by place.
        findings: Vec<Finding>,
    },
    /// The user has interrupted the program before it was done.
    Interrupted,
}

/// How many tests came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those that passed.
    pub passed: usize,
    /// Those that failed.
    pub failed: usize,
    /// Those that were not decided.
    pub undecided: usize,
    /// Those of which the model, the line or the command is wrong.
    pub wrong: usize,
    /// Those that were interrupted, or did not begin.
    pub interrupted: usize,
}

impl Tally {
    /// The tally of these tests.
    pub fn of<'t>(tests: impl IntoIterator<Item = &'t TestResult>) -> Self {
        let mut tally = Tally::default();
        for test in tests {
            *match test.outcome {
                TestOutcome::Passed => &mut tally.passed,
                TestOutcome::Failed { .. } => &mut tally.failed,
                TestOutcome::Undecided { .. } => &mut tally.undecided,
                TestOutcome::Wrong { .. } => &mut tally.wrong,
                TestOutcome::Interrupted => &mut tally.interrupted,
            } += 1;
        }
        tally
    }

    /// How many tests there are.
    pub fn all(&self) -> usize {
        self.passed + self.failed + self.undecided + self.wrong + self.interrupted
    }
}

impl SuiteReport {
    /// The models that have tests, in order, each with its tests.
    pub fn models(&self) -> impl Iterator<Item = &[TestResult]> {
        self.tests.chunk_by(|one, other| one.model == other.model)
    }
}
