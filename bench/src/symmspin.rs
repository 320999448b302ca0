//! Tables 1 to 5 of "Symmetric Spin": states and time for each model, size and strategy, beside what the paper reports.

use crate::args::Wishes;
use crate::facts::{self, Fact};
use crate::families::{self, Family};
use crate::measure::{Numbers, Run, Task, measure, over};
use crate::output::{progress, say};
use crate::table::{self, Table};
use mandala_checker::options::{AfterViolation, Choice, SymmetryChoice};
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
        main_array: Some("level"),
        sizes: &["2", "3", "4", "5", "6", "7"],
        beyond: &[],
        quick: &["2", "3"],
    },
    PaperTable {
        number: 2,
        title: "data base managers",
        remark: "the paper's model",
        model: "database",
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
const WITH_PARTIAL_ORDER: [(&str, SymmetryChoice); 4] = [
    ("off", SymmetryChoice::Off),
    ("canonical", SymmetryChoice::Use(Strategy::Full)),
    ("sorted", SymmetryChoice::Use(Strategy::Sorted)),
    ("pc-sorted", SymmetryChoice::Use(Strategy::PcSorted)),
];

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The number of the table.
    table: u8,
    model: &'static str,
    size: String,
    /// `-` or `+`: with it, nothing is available yet.
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
pub fn run(wishes: &Wishes, out: &mut dyn Write) -> Result<Vec<Row>, String> {
    let facts = facts::symmspin();
    let mut all = Vec::new();
    for table in &TABLES {
        let rows = Measurement::new(table, wishes, &facts)?.rows()?;
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
    family: &'static Family,
    wishes: &'a Wishes,
    facts: &'a [Fact],
    /// Strategies that were given up, which are not tried at larger sizes.
    given_up: HashSet<SymmetryChoice>,
}

impl<'a> Measurement<'a> {
    fn new(table: &'a PaperTable, wishes: &'a Wishes, facts: &'a [Fact]) -> Result<Self, String> {
        Ok(Measurement {
            table,
            family: families::named(table.model)?,
            wishes,
            facts,
            given_up: HashSet::new(),
        })
    }

    fn rows(mut self) -> Result<Vec<Row>, String> {
        let (sizes, beyond) = match self.wishes.quick {
            true => (self.table.quick, &[][..]),
            false => (self.table.sizes, self.table.beyond),
        };
        let mut rows = Vec::new();
        for size in sizes {
            rows.extend(self.of_size(size, &STRATEGIES)?);
            rows.extend(self.with_partial_order(size));
        }
        for size in beyond {
            rows.extend(self.of_size(size, &[SymmetryChoice::default()])?);
        }
        Ok(rows)
    }

    fn of_size(&mut self, size: &str, strategies: &[SymmetryChoice]) -> Result<Vec<Row>, String> {
        let applicable = |choice: &&SymmetryChoice| {
            let sorts_by_array = matches!(
                choice,
                SymmetryChoice::Use(Strategy::Sorted | Strategy::Segmented)
            );
            !sorts_by_array || self.table.main_array.is_some()
        };
        let wanted = strategies.iter().filter(applicable);
        let wanted: Vec<_> = wanted
            .filter(|choice| self.wishes.only.wants(&self.name(size, choice.name())))
            .collect();
        let mut runs = Vec::new();
        if !wanted.is_empty() {
            let model = self.family.load(&self.wishes.models, size)?;
            for &&symmetry in &wanted {
                let name = self.name(size, symmetry.name());
                let task = Task {
                    model: &model,
                    symmetry,
                    main_array: self.main_array(symmetry),
                    after_violation: AfterViolation::Stop,
                    limit: self.limit(&name),
                };
                runs.push((symmetry, self.one(&name, &task)));
            }
        }
        Ok(self.told(size, &runs))
    }

    fn name(&self, size: &str, strategy: &str) -> String {
        format!("{}/{size}/{strategy}", self.table.model)
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
        if self.given_up.contains(&task.symmetry) {
            return Run::GivenUp(format!("({})", over(task.limit)));
        }
        let run = measure(task);
        if matches!(run, Run::GivenUp(_)) {
            self.given_up.insert(task.symmetry);
        }
        progress(&format!("{name}: {}", run.short()));
        run
    }

    fn told(&self, size: &str, runs: &[(SymmetryChoice, Run)]) -> Vec<Row> {
        let numbers = |wanted: SymmetryChoice| {
            let mut runs = runs.iter();
            let found = runs.find(|(symmetry, _)| *symmetry == wanted);
            found.and_then(|(_, run)| run.numbers())
        };
        let off = numbers(SymmetryChoice::Off);
        let auto = numbers(SymmetryChoice::default());
        let rows = runs.iter().map(|(symmetry, run)| {
            let row = self.blank(size, '-', *symmetry, symmetry.name());
            filled(row, run, off, auto)
        });
        rows.collect()
    }

    fn with_partial_order(&self, size: &str) -> Vec<Row> {
        let rows = WITH_PARTIAL_ORDER.iter().filter(|(strategy, _)| {
            let name = self.name(size, &format!("{strategy}+por"));
            self.wishes.only.wants(&name)
        });
        let rows = rows.map(|&(strategy, symmetry)| Row {
            note: Some("not available".into()),
            ..self.blank(size, '+', symmetry, strategy)
        });
        rows.filter(|row| row.paper_states.is_some()).collect()
    }

    /// A row with what the paper says.
    fn blank(
        &self,
        size: &str,
        partial_order: char,
        symmetry: SymmetryChoice,
        strategy: &'static str,
    ) -> Row {
        let fact = self.facts.iter().find(|fact| {
            (fact.model, fact.size, fact.partial_order)
                == (self.table.model, size, partial_order == '+')
        });
        Row {
            table: self.table.number,
            model: self.table.model,
            size: size.to_string(),
            partial_order,
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
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("2 canonical +por  not available     89"),
            "{text}"
        );
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
