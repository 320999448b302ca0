//! One check, with a limit, repeated if it is short.

use crate::clock::Stopwatch;
use crate::table::seconds;
use mandala_checker::check;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{
    AfterViolation, CheckOptions, Limits, SAFETY, Selection, StaticReductions, Switch,
    SymmetryChoice,
};
use mandala_checker::watch::{Progress, ProgressObserver, Watch, Wish};
use mandala_report::Document;
use mandala_report::document::Verdict;
use mandala_report::style::grouped;
use std::time::Duration;

/// No more memory than that for one check.
const MEMORY: u64 = 12 << 30;

/// Checks that take less are repeated ..
const SHORT: Duration = Duration::from_millis(300);

/// .. this often, and the shortest counts.
const REPETITIONS: u32 = 3;

/// What to check, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// The model.
    pub model: &'a LoadedModel,
    /// How symmetry is used.
    pub symmetry: SymmetryChoice,
    /// What to sort by, for the strategies that do.
    pub main_array: Option<&'a str>,
    /// Whether everything is visited even if something is wrong with the model.
    pub after_violation: AfterViolation,
    /// Whether steps are left out.
    pub partial_order: Switch,
    /// When to give up.
    pub limit: Duration,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Run {
    /// Everything was visited.
    Complete(Numbers),
    /// It was given up, and why.
    GivenUp(String),
    /// It cannot be done.
    Impossible(String),
}

/// The numbers of a search that visited everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers {
    /// States stored.
    pub states: u64,
    /// Whether each of them is the only one of its orbit.
    pub exact: bool,
    /// Time that everything took from the loaded model to the verdict.
    pub seconds: f64,
}

impl Run {
    /// The numbers, if there are any.
    pub(crate) fn numbers(&self) -> Option<Numbers> {
        match self {
            Run::Complete(numbers) => Some(*numbers),
            Run::GivenUp(_) | Run::Impossible(_) => None,
        }
    }

    /// Why there are none.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Run::Complete(_) => None,
            Run::GivenUp(why) | Run::Impossible(why) => Some(why),
        }
    }

    /// In one line.
    pub(crate) fn short(&self) -> String {
        match self {
            Run::Complete(n) => format!("{} states, {}", grouped(n.states), seconds(n.seconds)),
            Run::GivenUp(why) | Run::Impossible(why) => why.clone(),
        }
    }
}

/// Checks.
pub(crate) fn measure(task: &Task<'_>) -> Run {
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
        Ok(document) => told(task, &document, &patience),
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

impl Watch for Patience {}

impl ProgressObserver for Patience {
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
        after_violation: task.after_violation,
        partial_order: task.partial_order,
        static_reductions: StaticReductions::NONE,
        properties: Selection::Named(vec![SAFETY.into()]),
        limits: Limits {
            memory: Some(MEMORY),
            ..Limits::default()
        },
        ..CheckOptions::default()
    }
}

fn told(task: &Task<'_>, document: &Document, patience: &Patience) -> Run {
    let stopped =
        document.verdict == Verdict::Violated && task.after_violation == AfterViolation::Stop;
    match (stopped, document.coverage.complete) {
        (true, _) => Run::Impossible("the model is wrong".into()),
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
pub(crate) fn over(limit: Duration) -> String {
    format!("> {} s", limit.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use std::path::Path;

    fn run(size: &str, limit: Duration) -> Run {
        let models = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        let model = families::named("mutex")
            .unwrap()
            .load(models, size)
            .unwrap();
        measure(&Task {
            model: &model,
            symmetry: SymmetryChoice::Off,
            main_array: None,
            after_violation: AfterViolation::Stop,
            partial_order: Switch::Off,
            limit,
        })
    }

    #[test]
    fn everything_is_visited_and_counted() {
        let Run::Complete(numbers) = run("5", Duration::from_secs(60)) else {
            panic!("it takes no time");
        };
        assert_eq!(numbers.states, 112);
        assert!(numbers.exact && numbers.seconds > 0.0);
    }

    #[test]
    fn a_limit_is_a_limit() {
        let given_up = run("16", Duration::ZERO);
        assert_eq!(given_up, Run::GivenUp("> 0 s".into()));
    }
}
