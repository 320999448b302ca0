//! Spin and Mandala on the same models and formulas of linear temporal logic, in the same run, on the same machine.
//!
//! Each formula is decided twice: for all runs, and for those that are fair to every process (weak fairness). The verdict is
//! known beforehand; if a tool comes to another one, it is wrong, and the command fails. Somebody waits for time on the
//! wall, so that is what counts: from the command to the verdict.
//!
//! - `subjects`: what is measured; `way`: how it is checked;
//! - `pan`: Spin; `ours`: Mandala;
//! - `row`: what follows from the numbers, and what is wanted;
//! - `tables`, `cells`: the results for people and for programs.

mod cells;
mod ours;
mod pan;
mod row;
mod subjects;
mod tables;
mod way;

use crate::args::{AgainstArguments, Wishes};
use crate::columns::{self, Cell, comma_separated};
use crate::mandala::Mandala;
use crate::output::{self, progress};
use crate::repeat::Limited;
use crate::spin::MEMORY;
use crate::spin::pan::check_installation;
use row::{Row, Run};
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::time::Duration;
use subjects::{Question, Subject, subjects};
use way::{Fairness, Way};

/// Measures and prints the tables. Fails if a tool comes to a wrong verdict.
pub(crate) fn run(
    wishes: &Wishes,
    arguments: &AgainstArguments,
    out: &mut dyn Write,
) -> Result<Vec<Map<String, Value>>, String> {
    check_installation()?;
    let mut bench = Bench {
        mandala: Mandala::find(arguments.mandala.as_deref(), MEMORY, wishes.limit)?,
        limit: wishes.limit,
        limited: Limited::new(wishes.limit),
    };
    let rows = bench.rows(wishes, arguments)?;
    tables::print(&rows, out)?;
    if arguments.prints_csv() {
        output::say(out, &comma_separated(&cells(&rows)))?;
    }
    let wrong: Vec<String> = rows.iter().flat_map(Row::wrong).collect();
    match wrong.is_empty() {
        true => Ok(columns::objects(cells(&rows))),
        false => Err(format!("wrong verdicts: {}", wrong.join("; "))),
    }
}

fn cells(rows: &[Row]) -> Vec<Vec<Cell>> {
    rows.iter().map(cells::of).collect()
}

/// What is measured with, and what has turned out to take too long.
struct Bench {
    mandala: Mandala,
    limit: Duration,
    /// By kind of subject and way to check it.
    limited: Limited<(String, Fairness, Way)>,
}

impl Bench {
    /// Measures all rows. A file for comma-separated values has those so far at any time.
    fn rows(&mut self, wishes: &Wishes, arguments: &AgainstArguments) -> Result<Vec<Row>, String> {
        let mut rows = Vec::new();
        for subject in subjects(wishes.quick).filter(|one| wishes.only.wants(one.name)) {
            let question = subject.question(&wishes.models)?;
            for fairness in Fairness::ALL {
                let row = self.row(subject, &question, fairness);
                progress(&row.short());
                rows.push(row);
            }
            if let Some(path) = arguments.csv_file() {
                output::write(path, &comma_separated(&cells(&rows)), &mut io::sink())?;
            }
        }
        Ok(rows)
    }

    fn row(&mut self, subject: Subject, question: &Question, fairness: Fairness) -> Row {
        let mut row = Row::new(subject, fairness);
        for way in Way::ALL {
            let kind = (subject.kind(), fairness, way);
            let measure = || check(&self.mandala, self.limit, question, fairness, way);
            let measured = self.limited.least(kind, measure, |run| run.seconds);
            row.runs.insert(way, measured);
        }
        row
    }
}

fn check(
    mandala: &Mandala,
    limit: Duration,
    question: &Question,
    fairness: Fairness,
    way: Way,
) -> Result<Run, String> {
    match way {
        Way::Spin | Way::SpinReduced => pan::check(question, fairness, way, limit),
        Way::Off => ours::check(mandala, question, fairness, "off"),
        Way::Auto => ours::check(mandala, question, fairness, "auto"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use clap::Parser;

    #[test]
    fn a_program_that_answers_nothing_is_told_and_fails_nothing_else() {
        if check_installation().is_err() {
            return;
        }
        let this = std::env::current_exe().unwrap();
        let typed = ["mandala-bench", "liveness", "--quick", "--only", "mutex/"];
        let arguments = Arguments::parse_from(typed);
        let Command::Liveness(mut more) = arguments.command.clone() else {
            panic!("another command");
        };
        more.mandala = Some(this);
        let mut out = Vec::new();
        let rows = run(&arguments.wishes().unwrap(), &more, &mut out).unwrap();
        assert_eq!(rows.len(), Fairness::ALL.len());
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("failed"), "{text}");
    }
}
