//! The cost of a representative with the default strategy, compared with that of a successor.
//!
//! A search without symmetry makes a successor and packs it; with symmetry it finds the representative before that. How
//! many times as much that costs is what has to be made up for by storing fewer states.

use crate::args::Wishes;
use crate::families;
use crate::output::{progress, say};
use crate::sample::Subject;
use crate::table::{self, Table};
use mandala_reduce::Strategy;
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

/// A model with symmetry.
struct Candidate {
    model: &'static str,
    size: &'static str,
    /// Whether local variables, messages or queues hold names of what is interchangeable.
    names_in_locals: bool,
}

const fn candidate(model: &'static str, size: &'static str, names_in_locals: bool) -> Candidate {
    Candidate {
        model,
        size,
        names_in_locals,
    }
}

const CANDIDATES: [Candidate; 22] = [
    candidate("allocator", "4-4", true),
    candidate("base-station", "4", true),
    candidate("base-station", "8", true),
    candidate("database", "8", false),
    candidate("database", "20", false),
    candidate("email", "4", true),
    candidate("email", "8", true),
    candidate("initialisation", "4", true),
    candidate("load-balancer", "3-5", true),
    candidate("load-balancer", "4-8", true),
    candidate("lost-wakeup", "8", false),
    candidate("mcs-lock", "4", true),
    candidate("mcs-lock", "8", true),
    candidate("mutex", "8", false),
    candidate("partial-maps", "8", true),
    candidate("peterson", "4", false),
    candidate("peterson", "8", false),
    candidate("peterson-run", "8", true),
    candidate("readers-writers", "6-4", false),
    candidate("senders-receivers", "4-4", true),
    candidate("three-tier", "4-4", true),
    candidate("token-lock", "8", true),
];

/// A representative is to cost at most so many times what a successor costs ..
const MOST_TIMES: f64 = 10.0;

/// .. and at most so many nanoseconds with 8 members and names in local variables.
const MOST_NANOSECONDS: f64 = 1_500.0;

/// How many states are sampled.
const SAMPLE: usize = 4_000;

/// How long a model is measured.
const TIME: Duration = Duration::from_secs(2);

/// One model.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    model: &'static str,
    size: &'static str,
    names_in_locals: bool,
    /// How many elements the group has, in decimal.
    order: String,
    /// Nanoseconds for a successor.
    successor: f64,
    /// Nanoseconds for a representative; nothing if nothing is interchangeable.
    representative: Option<f64>,
    /// The one divided by the other.
    times: Option<f64>,
    /// What it costs too much of.
    exceeds: Vec<&'static str>,
}

/// Measures and prints what representatives cost.
pub(crate) fn run(wishes: &Wishes, out: &mut dyn Write) -> Result<Vec<Row>, String> {
    let wanted = |c: &&Candidate| wishes.only.wants(&format!("{}/{}", c.model, c.size));
    let mut rows = Vec::new();
    for candidate in CANDIDATES.iter().filter(wanted) {
        rows.push(row(wishes, candidate)?);
        progress(&format!("{}/{}", candidate.model, candidate.size));
    }
    print(&rows, out)?;
    Ok(rows)
}

fn row(wishes: &Wishes, candidate: &Candidate) -> Result<Row, String> {
    let &Candidate { model, size, .. } = candidate;
    let loaded = families::named(model)?.load(&wishes.models, size)?;
    let (sample, time) = match wishes.quick {
        true => (SAMPLE / 20, TIME / 40),
        false => (SAMPLE, TIME),
    };
    let failed = |error: String| format!("{model} {size}: {error}");
    let subject = Subject::new(loaded, sample).map_err(failed)?;
    let successor = subject.successor().nanoseconds;
    let representative = match subject.symmetry.certificate {
        Some(_) => Some(
            subject
                .representative(Strategy::Auto, time)
                .map_err(failed)?,
        ),
        None => None,
    };
    let representative = representative.map(|average| average.nanoseconds);
    let times = representative.map(|representative| representative / successor);
    Ok(Row {
        model,
        size,
        names_in_locals: candidate.names_in_locals,
        order: subject.symmetry.account.group.order.clone(),
        successor,
        representative,
        times,
        exceeds: exceeds(candidate, representative, times),
    })
}

fn exceeds(
    candidate: &Candidate,
    representative: Option<f64>,
    times: Option<f64>,
) -> Vec<&'static str> {
    let mut exceeds = Vec::new();
    if times.is_some_and(|times| times > MOST_TIMES) {
        exceeds.push("times");
    }
    let bounded = candidate.names_in_locals && candidate.size == "8";
    if bounded && representative.is_some_and(|ns| ns > MOST_NANOSECONDS) {
        exceeds.push("time");
    }
    exceeds
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let what = format!(
        "Nanoseconds for a successor and for its representative with `auto` (wanted: at most {MOST_TIMES} times as \
         much,\nand at most {MOST_NANOSECONDS} ns with 8 members and names in local variables)"
    );
    say(out, &what)?;
    let mut printed = Table::new(&[
        "model",
        "group",
        "names in locals",
        "successor",
        "representative",
        "times",
        "too much",
    ]);
    for row in rows {
        printed.row(cells(row));
    }
    printed.write(out)
}

fn cells(row: &Row) -> Vec<String> {
    let names = if row.names_in_locals { "yes" } else { "" };
    let nothing = || "none".to_string();
    vec![
        format!("{} {}", row.model, row.size),
        row.order.clone(),
        names.to_string(),
        format!("{:.0}", row.successor),
        row.representative
            .map_or_else(nothing, |ns| format!("{ns:.0}")),
        row.times.map(table::factor).unwrap_or_default(),
        row.exceeds.join(", "),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Selection;
    use std::path::PathBuf;

    #[test]
    fn a_quick_run_measures_successors_and_representatives() {
        let wishes = Wishes {
            only: Selection::new(vec!["mutex".into()]),
            quick: true,
            limit: Duration::from_secs(60),
            models: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")),
            more_models: None,
        };
        let rows = run(&wishes, &mut Vec::new()).unwrap();
        assert_eq!(rows.len(), 1);
        assert!(rows[0].successor > 0.0 && rows[0].times.is_some());
    }

    #[test]
    fn what_costs_too_much_is_named() {
        let names = candidate("mcs-lock", "8", true);
        assert_eq!(
            exceeds(&names, Some(1_600.0), Some(11.0)),
            ["times", "time"]
        );
        assert!(exceeds(&names, Some(1_400.0), Some(9.0)).is_empty());
        let plain = candidate("mutex", "8", false);
        assert!(exceeds(&plain, Some(1_600.0), Some(9.0)).is_empty());
    }
}
