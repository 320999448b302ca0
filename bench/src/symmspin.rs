//! Tables 1 to 5 of "Symmetric Spin": states and time for each model, size and strategy, beside what the paper reports.

use crate::args::Wishes;
use crate::facts::{self, Fact};
use crate::families::{self, Family};
use crate::measure::{Numbers, Run, Task, measure, over};
use crate::output::{progress, say};
use crate::table::{self, Table};
use mandala_checker::options::{AfterViolation, Choice, Switch, SymmetryChoice};
use mandala_reduce::Strategy;
use serde::Serialize;
use std::collections::HashSet;
use std::io::Write;
use std::time::Duration;

/// A table of the paper.
struct PaperTable {
    number: u8,
    title: &'static str,
    /// What to know about the model.
    remark: &'static str,
    model: &'static str,
    /// The one that partial-order reduction is measured on.
    partial_order_model: &'static str,
    /// What the paper sorts by in `sorted` and `segmented`; nothing if it could not use them.
    main_array: Option<&'static str>,
    /// The sizes of the paper that our model has.
    sizes: &'static [&'static str],
    /// Sizes beyond the paper's, for `auto` alone.
    beyond: &'static [&'static str],
    /// The sizes of a quick run.
    quick: &'static [&'static str],
}

const TABLES: [PaperTable; 5] = [
    PaperTable {
        number: 1,
        title: "Peterson's mutual exclusion",
        remark: "the paper's model",
        model: "peterson",
        partial_order_model: "peterson",
        main_array: Some("level"),
        sizes: &["2", "3", "4", "5", "6", "7"],
        beyond: &[],
        quick: &["2", "3"],
    },
    PaperTable {
        number: 2,
        title: "data base managers",
        remark: "the paper's model; with partial-order reduction, each acknowledgement is a flag of its own",
        model: "database",
        partial_order_model: "database-flags",
        main_array: Some("flag"),
        sizes: &["7", "8", "9", "10", "11", "12"],
        beyond: &["20", "40", "60"],
        quick: &["7"],
    },
    PaperTable {
        number: 3,
        title: "initialisation protocol",
        remark: "a formulation of our own: numbers of states differ from the paper's",
        model: "initialisation",
        partial_order_model: "initialisation",
        main_array: Some("missing"),
        sizes: &["2", "3", "4"],
        beyond: &[],
        quick: &["2"],
    },
    PaperTable {
        number: 4,
        title: "base station, first model",
        remark: "a formulation of our own: numbers of states differ from the paper's",
        model: "base-station",
        partial_order_model: "base-station",
        main_array: Some("answer"),
        sizes: &["2", "3"],
        beyond: &["4"],
        quick: &["2"],
    },
    PaperTable {
        number: 5,
        title: "base station, second model (senders-receivers)",
        remark: "a formulation of our own: numbers of states differ from the paper's",
        model: "senders-receivers",
        partial_order_model: "senders-receivers",
        main_array: None,
        sizes: &["2-2", "3-2", "2-3"],
        beyond: &[],
        quick: &["1-2"],
    },
];

/// The rows that show what the paper could not do, which get this many times as long.
const POINTS: [&str; 1] = ["peterson/7/auto"];
const PATIENCE: u32 = 30;

/// No symmetry, ours, and those of the paper.
const STRATEGIES: [SymmetryChoice; 7] = [
    SymmetryChoice::Off,
    SymmetryChoice::Use(Strategy::Auto),
    SymmetryChoice::Use(Strategy::Full),
    SymmetryChoice::Use(Strategy::Segmented),
    SymmetryChoice::Use(Strategy::PcSegmented),
    SymmetryChoice::Use(Strategy::Sorted),
    SymmetryChoice::Use(Strategy::PcSorted),
];

/// With partial-order reduction, the paper has one number for all canonical strategies.
const WITH_PARTIAL_ORDER: [SymmetryChoice; 4] = [
    SymmetryChoice::Off,
    SymmetryChoice::Use(Strategy::Auto),
    SymmetryChoice::Use(Strategy::Sorted),
    SymmetryChoice::Use(Strategy::PcSorted),
];

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// The number of the table.
    table: u8,
    model: &'static str,
    size: String,
    /// `-` or `+`.
    partial_order: char,
    strategy: &'static str,
    /// States stored, if everything was visited.
    states: Option<u64>,
    /// Whether each of them is the only one of its orbit.
    exact: Option<bool>,
    seconds: Option<f64>,
    /// Why there are no numbers.
    note: Option<String>,
    /// How many times fewer states than without symmetry.
    reduction: Option<f64>,
    /// How many times as long as `auto` in the same run.
    time_by_auto: Option<f64>,
    /// The paper's number of states, or what ran out.
    paper_states: Option<&'static str>,
    /// The paper's seconds, or what ran out.
    paper_seconds: Option<&'static str>,
}

/// Measures and prints the tables.
pub(crate) fn run(wishes: &Wishes, out: &mut dyn Write) -> Result<Vec<Row>, String> {
    let facts = facts::symmspin();
    let mut all = Vec::new();
    for table in &TABLES {
        let rows = Measurement::new(table, wishes, &facts).rows()?;
        if !rows.is_empty() {
            print(table, &rows, out)?;
        }
        all.extend(rows);
    }
    Ok(all)
}

/// The measurement of one table.
struct Measurement<'a> {
    table: &'a PaperTable,
    wishes: &'a Wishes,
    facts: &'a [Fact],
    /// Strategies that were given up, which are not tried at larger sizes.
    given_up: HashSet<(SymmetryChoice, Switch)>,
}

impl<'a> Measurement<'a> {
    fn new(table: &'a PaperTable, wishes: &'a Wishes, facts: &'a [Fact]) -> Self {
        Measurement {
            table,
            wishes,
            facts,
            given_up: HashSet::new(),
        }
    }

    fn rows(mut self) -> Result<Vec<Row>, String> {
        let (sizes, beyond) = match self.wishes.quick {
            true => (self.table.quick, &[][..]),
            false => (self.table.sizes, self.table.beyond),
        };
        let mut rows = Vec::new();
        for size in sizes {
            rows.extend(self.of_size(size, &STRATEGIES, Switch::Off)?);
            rows.extend(self.of_size(size, &WITH_PARTIAL_ORDER, Switch::On)?);
        }
        for size in beyond {
            let auto = [SymmetryChoice::default()];
            rows.extend(self.of_size(size, &auto, Switch::Off)?);
            rows.extend(self.of_size(size, &auto, Switch::On)?);
        }
        Ok(rows)
    }

    fn of_size(
        &mut self,
        size: &str,
        strategies: &[SymmetryChoice],
        partial_order: Switch,
    ) -> Result<Vec<Row>, String> {
        let applicable = |choice: &&SymmetryChoice| {
            let sorts_by_array = matches!(
                choice,
                SymmetryChoice::Use(Strategy::Sorted | Strategy::Segmented)
            );
            !sorts_by_array || self.table.main_array.is_some()
        };
        let wanted = strategies.iter().filter(applicable);
        let wanted: Vec<_> = wanted
            .filter(|choice| {
                self.wishes
                    .only
                    .wants(&self.name(size, **choice, partial_order))
            })
            .collect();
        let mut runs = Vec::new();
        if !wanted.is_empty() {
            let model = self
                .family(partial_order)?
                .load(&self.wishes.models, size)?;
            for &&symmetry in &wanted {
                let name = self.name(size, symmetry, partial_order);
                let task = Task {
                    model: &model,
                    symmetry,
                    main_array: self.main_array(symmetry),
                    after_violation: AfterViolation::Stop,
                    partial_order,
                    limit: self.limit(&name),
                };
                runs.push((symmetry, self.one(&name, &task)));
            }
        }
        Ok(self.told(size, &runs, partial_order))
    }

    fn family(&self, partial_order: Switch) -> Result<&'static Family, String> {
        families::named(match partial_order {
            Switch::On => self.table.partial_order_model,
            Switch::Off | Switch::Auto => self.table.model,
        })
    }

    fn name(&self, size: &str, symmetry: SymmetryChoice, partial_order: Switch) -> String {
        let suffix = match partial_order {
            Switch::On => "+por",
            Switch::Off | Switch::Auto => "",
        };
        format!("{}/{size}/{}{suffix}", self.table.model, symmetry.name())
    }

    fn main_array(&self, symmetry: SymmetryChoice) -> Option<&'static str> {
        match symmetry {
            SymmetryChoice::Use(Strategy::Sorted | Strategy::Segmented) => self.table.main_array,
            _ => None,
        }
    }

    fn limit(&self, name: &str) -> Duration {
        match POINTS.contains(&name) {
            true => self.wishes.limit * PATIENCE,
            false => self.wishes.limit,
        }
    }

    /// One row, unless the strategy was given up at a smaller size.
    fn one(&mut self, name: &str, task: &Task<'_>) -> Run {
        let manner = (task.symmetry, task.partial_order);
        if self.given_up.contains(&manner) {
            return Run::GivenUp(format!("({})", over(task.limit)));
        }
        let run = measure(task);
        if matches!(run, Run::GivenUp(_)) {
            self.given_up.insert(manner);
        }
        progress(&format!("{name}: {}", run.short()));
        run
    }

    fn told(&self, size: &str, runs: &[(SymmetryChoice, Run)], partial_order: Switch) -> Vec<Row> {
        let numbers = |wanted: SymmetryChoice| {
            let mut runs = runs.iter();
            let found = runs.find(|(symmetry, _)| *symmetry == wanted);
            found.and_then(|(_, run)| run.numbers())
        };
        let off = numbers(SymmetryChoice::Off);
        let auto = numbers(SymmetryChoice::default());
        let rows = runs.iter().map(|(symmetry, run)| {
            let row = self.blank(size, partial_order, *symmetry);
            filled(row, run, off, auto)
        });
        rows.collect()
    }

    /// A row with what the paper says.
    fn blank(&self, size: &str, partial_order: Switch, symmetry: SymmetryChoice) -> Row {
        let (on, strategy) = (partial_order == Switch::On, symmetry.name());
        let fact = self.facts.iter().find(|fact| {
            (fact.model, fact.size, fact.partial_order) == (self.table.model, size, on)
        });
        Row {
            table: self.table.number,
            model: self.table.model,
            size: size.to_string(),
            partial_order: if on { '+' } else { '-' },
            strategy,
            states: None,
            exact: None,
            seconds: None,
            note: None,
            reduction: None,
            time_by_auto: None,
            paper_states: fact.and_then(|fact| fact.states(symmetry)),
            paper_seconds: fact.and_then(|fact| fact.time(strategy)),
        }
    }
}

fn filled(row: Row, run: &Run, off: Option<Numbers>, auto: Option<Numbers>) -> Row {
    match run {
        Run::Complete(numbers) => Row {
            states: Some(numbers.states),
            exact: Some(numbers.exact),
            seconds: Some(numbers.seconds),
            reduction: off.map(|off| off.states as f64 / numbers.states as f64),
            time_by_auto: auto.map(|auto| numbers.seconds / auto.seconds),
            ..row
        },
        Run::GivenUp(why) | Run::Impossible(why) => Row {
            note: Some(why.clone()),
            ..row
        },
    }
}

fn print(table: &PaperTable, rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    say(out, &format!("Table {}: {}", table.number, table.title))?;
    say(out, &format!("({})", table.remark))?;
    let mut printed = Table::new(&[
        "size, strategy",
        "states",
        "paper",
        "",
        "fewer",
        "time",
        "by auto",
        "paper, s",
    ]);
    for row in rows {
        printed.row(cells(row));
    }
    printed.write(out)
}

fn cells(row: &Row) -> Vec<String> {
    let name = match row.partial_order {
        '+' => format!("{} {} +por", row.size, row.strategy),
        _ => format!("{} {}", row.size, row.strategy),
    };
    let times = |value: Option<f64>| value.map(table::factor).unwrap_or_default();
    let states = match row.states {
        Some(states) => table::states(states, row.strategy, row.exact),
        None => row.note.clone().unwrap_or_default(),
    };
    let same = match (row.states, row.paper_states) {
        (Some(states), Some(paper)) if facts::agrees(states, paper) => "=",
        _ => "",
    };
    let paper = |cell: Option<&str>| cell.unwrap_or_default().to_string();
    vec![
        name,
        states,
        paper(row.paper_states),
        same.into(),
        times(row.reduction),
        row.seconds.map(table::seconds).unwrap_or_default(),
        times(row.time_by_auto),
        paper(row.paper_seconds),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Selection;
    use std::path::PathBuf;

    fn wishes(only: &str) -> Wishes {
        Wishes {
            only: Selection::new(vec![only.into()]),
            quick: true,
            limit: Duration::from_secs(60),
            models: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")),
            more_models: None,
        }
    }

    #[test]
    fn the_paper_is_reproduced_for_a_small_size() {
        let mut out = Vec::new();
        let rows = run(&wishes("peterson/2"), &mut out).unwrap();
        let measured = rows.iter().filter(|row| row.partial_order == '-');
        for row in measured {
            let (states, paper) = (row.states.unwrap(), row.paper_states.unwrap());
            // How many representatives a heuristic keeps depends on what it compares first.
            let heuristic = ["sorted", "pc-sorted"].contains(&row.strategy);
            assert!(heuristic || facts::agrees(states, paper), "{row:?}");
        }
    }

    #[test]
    fn with_partial_order_reduction_no_more_is_left_than_in_the_paper() {
        for only in ["peterson/2", "database/7"] {
            let rows = run(&wishes(only), &mut Vec::new()).unwrap();
            let reduced = rows.iter().filter(|row| row.partial_order == '+');
            let exact = reduced.filter(|row| ["off", "auto"].contains(&row.strategy));
            let mut told = 0;
            for row in exact {
                let paper: u64 = row.paper_states.unwrap().parse().unwrap();
                assert!(row.states.unwrap() <= paper, "{row:?}");
                told += 1;
            }
            assert_eq!(told, 2, "{only}");
        }
    }

    #[test]
    fn every_size_of_the_paper_is_there_or_out_of_our_models_reach() {
        for fact in facts::symmspin() {
            let table = TABLES.iter().find(|table| table.model == fact.model);
            let table = table.unwrap_or_else(|| panic!("{}", fact.model));
            let ours = table.sizes.contains(&fact.size);
            assert!(ours || (fact.model, fact.size) == ("initialisation", "5"));
        }
    }
}
