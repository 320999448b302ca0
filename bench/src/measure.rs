//! One check, with a limit, repeated if it is short.

use crate::clock::Stopwatch;
use mandala_checker::check;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{CheckOptions, Limits, SAFETY, Selection, Switch, SymmetryChoice};
use mandala_checker::watch::{Progress, Watch, Wish};
use mandala_report::Document;
use mandala_report::document::Verdict;
use std::time::Duration;

/// No more memory than that for one check.
const MEMORY: u64 = 12 << 30;

/// Checks that take less are repeated ..
const SHORT: Duration = Duration::from_millis(300);

/// .. this often, and the shortest counts.
const REPETITIONS: u32 = 3;

/// What to check, and how.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The model.
    pub model: &'a LoadedModel,
    /// How symmetry is used.
    pub symmetry: SymmetryChoice,
    /// What to sort by, for the strategies that do.
    pub main_array: Option<&'a str>,
    /// When to give up.
    pub limit: Duration,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    /// Everything was visited.
    Complete(Numbers),
    /// It was given up, and why.
    GivenUp(String),
    /// It cannot be done.
    Impossible(String),
}

/// The numbers of a search that visited everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// States stored.
    pub states: u64,
    /// Whether each of them is the only one of its orbit.
    pub exact: bool,
    /// Time that everything took from the loaded model to the verdict.
    pub seconds: f64,
}

/// Checks.
pub fn measure(task: &Task<'_>) -> Run {
    let first = once(task);
    let mut best = match first {
        Run::Complete(numbers) => numbers,
        other => return other,
    };
    for _ in 1..REPETITIONS {
        if best.seconds > SHORT.as_secs_f64() {
            break;
        }
        if let Run::Complete(again) = once(task) {
            best.seconds = best.seconds.min(again.seconds);
        }
    }
    Run::Complete(best)
}

fn once(task: &Task<'_>) -> Run {
    let mut patience = Patience {
        watch: Stopwatch::start(),
        limit: task.limit,
    };
    match check(task.model, &options(task), &mut patience) {
        Ok(document) => told(&document, &patience),
        Err(refusal) => Run::Impossible(format!("{refusal:?}")),
    }
}

/// Ends a search that has worked for too long.
struct Patience {
    watch: Stopwatch,
    limit: Duration,
}

impl Patience {
    fn is_over(&self) -> bool {
        self.watch.elapsed() > self.limit
    }
}

impl Watch for Patience {
    fn update(&mut self, _: &Progress) -> Wish {
        match self.is_over() {
            true => Wish::Stop,
            false => Wish::GoOn,
        }
    }
}

fn options(task: &Task<'_>) -> CheckOptions {
    CheckOptions {
        symmetry: task.symmetry,
        main_array: task.main_array.map(ToString::to_string),
        partial_order: Switch::Off,
        simplification: Switch::Off,
        properties: Selection::Named(vec![SAFETY.into()]),
        limits: Limits {
            memory: Some(MEMORY),
            ..Limits::default()
        },
        ..CheckOptions::default()
    }
}

fn told(document: &Document, patience: &Patience) -> Run {
    match (document.verdict, document.coverage.complete) {
        (Verdict::Violated, _) => Run::Impossible("the model is wrong".into()),
        (_, true) => Run::Complete(Numbers {
            states: document.stats.states,
            exact: document.symmetry.exact,
            seconds: patience.watch.elapsed().as_secs_f64(),
        }),
        (_, false) if patience.is_over() => Run::GivenUp(over(patience.limit)),
        (_, false) => Run::GivenUp("memory".into()),
    }
}

/// More than that time.
pub fn over(limit: Duration) -> String {
    format!("> {} s", limit.as_secs())
}

/// How long a strategy has taken for the sizes of a model so far, to see when it is of no use to go on.
///
/// A strategy that tries all permutations grows by more from size to size than it did before, and a single state may
/// take longer than the limit, so that nobody looks at the clock in time.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    seconds: Vec<f64>,
    stopped: bool,
}

impl Growth {
    /// Notes what came of the next size.
    pub fn note(&mut self, run: &Run) {
        match run {
            Run::Complete(numbers) => self.seconds.push(numbers.seconds),
            Run::GivenUp(_) | Run::Impossible(_) => self.stopped = true,
        }
    }

    /// Whether the next size would take longer than the limit, going by the last two.
    pub fn exceeds(&self, limit: Duration) -> bool {
        let expected = match self.seconds.as_slice() {
            [.., before, last] => last * (last / before.max(1e-3)).max(1.0),
            _ => 0.0,
        };
        self.stopped || expected > limit.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(seconds: f64) -> Run {
        Run::Complete(Numbers {
            states: 1,
            exact: true,
            seconds,
        })
    }

    #[test]
    fn growth_is_expected_to_go_on() {
        let limit = Duration::from_secs(60);
        let mut growth = Growth::default();
        for seconds in [0.1, 0.9, 9.0] {
            assert!(!growth.exceeds(limit), "{seconds}");
            growth.note(&complete(seconds));
        }
        assert!(growth.exceeds(limit));
        assert!(!growth.exceeds(Duration::from_secs(100)));
    }

    #[test]
    fn what_was_given_up_is_not_tried_at_larger_sizes() {
        let mut growth = Growth::default();
        growth.note(&Run::GivenUp("memory".into()));
        assert!(growth.exceeds(Duration::from_secs(1_000_000)));
    }
}
