//! The figure of "Vector Symmetry Reduction": time for 1,000 representatives on e-mail systems and load balancers.
//!
//! The paper compares enumeration along a chain of exchanges with the same done by vector instructions. Here stand beside
//! it one byte shuffle for each element of the group, and the default strategy, which enumerates nothing.

use crate::args::Wishes;
use crate::families;
use crate::output::{progress, say};
use crate::sample::{Average, Subject};
use crate::table::{self, Table};
use mandala_reduce::Strategy;
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

/// The paper's configurations: e-mail systems of 3 to 8 clients, load balancers of 2 to 4 servers and 6 or 7 clients.
const CONFIGURATIONS: [(&str, &str); 12] = [
    ("email", "3"),
    ("email", "4"),
    ("email", "5"),
    ("email", "6"),
    ("email", "7"),
    ("email", "8"),
    ("load-balancer", "2-6"),
    ("load-balancer", "2-7"),
    ("load-balancer", "3-6"),
    ("load-balancer", "3-7"),
    ("load-balancer", "4-6"),
    ("load-balancer", "4-7"),
];

/// Those of a quick run.
const QUICK: [(&str, &str); 2] = [("email", "3"), ("load-balancer", "2-3")];

/// What the others are compared with, and the others.
const YARDSTICK: Strategy = Strategy::EnumerateSwaps;
const OTHERS: [Strategy; 3] = [Strategy::VectorSwaps, Strategy::Shuffle, Strategy::Auto];

/// How many states are sampled.
const SAMPLE: usize = 4_000;

/// How long one strategy is measured on one configuration.
const TIME: Duration = Duration::from_secs(4);

/// One configuration.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    model: &'static str,
    size: &'static str,
    /// How many elements the group has, in decimal.
    order: String,
    strategies: Vec<Measured>,
}

/// One strategy on it.
#[derive(Clone, Debug, Serialize)]
struct Measured {
    strategy: &'static str,
    /// Milliseconds for 1,000 representatives.
    milliseconds: f64,
    /// Over how many states.
    states: u64,
    /// How many times as fast as the yardstick in the same run.
    speed: Option<f64>,
}

/// Measures and prints the figure.
pub(crate) fn run(wishes: &Wishes, out: &mut dyn Write) -> Result<Vec<Row>, String> {
    let configurations: &[(&str, &str)] = match wishes.quick {
        true => &QUICK,
        false => &CONFIGURATIONS,
    };
    let mut rows = Vec::new();
    for &(model, size) in configurations {
        if wishes.only.wants(&format!("{model}/{size}")) {
            rows.push(row(wishes, model, size)?);
        }
    }
    print(&rows, out)?;
    Ok(rows)
}

fn row(wishes: &Wishes, model: &'static str, size: &'static str) -> Result<Row, String> {
    let failed = |error: String| format!("{model} {size}: {error}");
    let loaded = families::named(model)?.load(&wishes.models, size)?;
    let (sample, time) = match wishes.quick {
        true => (SAMPLE / 20, TIME / 40),
        false => (SAMPLE, TIME),
    };
    let subject = Subject::new(loaded, sample).map_err(failed)?;
    let measured = |strategy| subject.representative(strategy, time).map_err(failed);
    let yardstick = measured(YARDSTICK)?;
    let mut strategies = vec![told(YARDSTICK, yardstick, None)];
    for strategy in OTHERS {
        strategies.push(told(strategy, measured(strategy)?, Some(yardstick)));
    }
    progress(&format!("{model}/{size}"));
    Ok(Row {
        model,
        size,
        order: subject.symmetry.account.group.order.clone(),
        strategies,
    })
}

fn told(strategy: Strategy, average: Average, yardstick: Option<Average>) -> Measured {
    Measured {
        strategy: strategy.name(),
        milliseconds: average.nanoseconds / 1e3,
        states: average.states,
        speed: yardstick.map(|y| y.nanoseconds / average.nanoseconds),
    }
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    say(
        out,
        "Time for 1,000 representatives, and how many times as fast as exchanges one by one",
    )?;
    let mut header = vec![
        "configuration".to_string(),
        "group".into(),
        YARDSTICK.name().into(),
    ];
    for strategy in OTHERS {
        header.extend([strategy.name().to_string(), "times".into()]);
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut printed = Table::new(&header);
    for row in rows {
        printed.row(cells(row));
    }
    printed.write(out)
}

fn cells(row: &Row) -> Vec<String> {
    let mut cells = vec![format!("{} {}", row.model, row.size), row.order.clone()];
    for measured in &row.strategies {
        cells.push(table::seconds(measured.milliseconds / 1e3));
        cells.extend(measured.speed.map(table::factor));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Selection;
    use std::path::PathBuf;

    #[test]
    fn a_quick_run_measures_every_strategy() {
        let wishes = Wishes {
            only: Selection::new(vec!["email".into()]),
            quick: true,
            limit: Duration::from_secs(60),
            models: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")),
            more_models: None,
        };
        let mut out = Vec::new();
        let rows = run(&wishes, &mut out).unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].order, "6");
        assert_eq!(rows[0].strategies.len(), 4);
        assert!(rows[0].strategies.iter().all(|s| s.milliseconds > 0.0));
        assert!(String::from_utf8(out).unwrap().contains("email 3"));
    }
}
