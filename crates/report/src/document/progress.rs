//! The progress of a command while it runs.

use super::Estimate;
use serde::Serialize;

/// The name of this form of a line of progress.
pub const PROGRESS_SCHEMA: &str = "mandala-progress/1";

/// How far a command is, as `--progress-json` writes it: one of these a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProgressReport {
    /// Always [`PROGRESS_SCHEMA`].
    pub schema: &'static str,
    /// What the command is doing.
    pub phase: ProgressPhase,
    /// Seconds since it began.
    pub seconds: f64,
    /// States stored by the search that runs, or ran last.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// How deep it is.
    pub depth: u64,
    /// States that are known and not expanded.
    pub queue: u64,
    /// How that number has changed since the last report.
    pub trend: Trend,
    /// Memory in use.
    pub bytes: u64,
    /// States stored in a second, since the last report.
    pub states_per_second: f64,
    /// How many states there may be in all, if anything can be said about it.
    pub total: Option<Estimate>,
    /// The share of each limit that is used up, from 0 to 1.
    pub limits: LimitShares,
}

/// What a command is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProgressPhase {
    /// It reads the model.
    Reading,
    /// It decides what is to be done.
    Planning,
    /// It looks for symmetry and simplifies the model.
    Preparing,
    /// It searches states.
    Searching,
    /// It replays the run to a violation.
    Replaying,
    /// It makes the report.
    Concluding,
    /// It is over. The numbers of states are those of the report, over all searches.
    Done,
}

/// How a number changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Trend {
    /// It becomes less.
    Shrinking,
    /// It stays as it is.
    Steady,
    /// It becomes more.
    Growing,
}

/// The share of each limit that is used up; none where there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LimitShares {
    /// Of `--time`.
    pub time: Option<f64>,
    /// Of `--states`.
    pub states: Option<f64>,
    /// Of `--memory`, which has a default.
    pub memory: Option<f64>,
}

impl ProgressReport {
    /// For how many seconds the search may go on, at most, if the estimate is right and its pace stays what it is.
    pub fn seconds_left(&self) -> Option<f64> {
        let rest = self.total?.most.saturating_sub(self.states) as f64;
        (self.states_per_second > 0.0).then(|| rest / self.states_per_second)
    }
}
