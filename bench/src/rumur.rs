//! Rumur and Mandala on the same models in Murphi, in the same run, on the same machine.
//!
//! Three questions are asked: how long it takes from the command to the verdict without symmetry, and with it against
//! Rumur's exhaustive and its heuristic mode. Numbers of states and of rules fired have to be the same wherever both tools
//! promise the same; if they are not, one of them is wrong, and the command fails.
//!
//! - `subjects`: what is measured;
//! - `verifier`: Rumur; `ours`: Mandala; `run`: what both say;
//! - `row`: what follows from the numbers, and what is wanted;
//! - `tables`, `cells`: the results for people and for programs.

mod cells;
mod ours;
mod row;
mod run;
mod subjects;
mod tables;
mod verifier;

use crate::args::{AgainstArguments, RumurArguments, Wishes};
use crate::columns::{self, Cell, comma_separated};
use crate::corpus::Folders;
use crate::mandala::Mandala;
use crate::output::{self, progress};
use crate::process::Clock;
use crate::ratio::stopped_after;
use crate::repeat::Limited;
use crate::spin::MEMORY;
use crate::table;
use row::Row;
use run::Run;
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::time::Duration;
use subjects::{Subject, Tools, subjects};
use verifier::Mode;

/// Measures and prints the tables. Fails if the tools contradict each other.
pub(crate) fn run(
    wishes: &Wishes,
    asked: &RumurArguments,
    out: &mut dyn Write,
) -> Result<Vec<Map<String, Value>>, String> {
    verifier::check_installation()?;
    let (arguments, clock) = (&asked.against, asked.clock());
    let mut bench = Bench {
        mandala: Mandala::find(arguments.mandala.as_deref(), MEMORY, wishes.limit)?,
        limit: wishes.limit,
        limited: Limited::new(wishes.limit),
        clock,
    };
    let rows = bench.rows(wishes, arguments)?;
    tables::print(&rows, clock, out)?;
    if arguments.prints_csv() {
        output::say(out, &comma_separated(&cells(&rows)))?;
    }
    let contradictions: Vec<&str> = contradictions(&rows).collect();
    match contradictions.is_empty() {
        true => Ok(columns::objects(cells(&rows))),
        false => Err(format!(
            "Rumur and Mandala contradict each other: {}",
            contradictions.join(", ")
        )),
    }
}

fn cells(rows: &[Row]) -> Vec<Vec<Cell>> {
    rows.iter().map(cells::of).collect()
}

fn contradictions(rows: &[Row]) -> impl Iterator<Item = &'static str> {
    let wrong = rows.iter().filter(|row| row.is_contradictory());
    wrong.map(|row| row.subject.name)
}

/// What is measured with, and what has turned out to take too long.
struct Bench {
    mandala: Mandala,
    limit: Duration,
    /// By family and way to check it.
    limited: Limited<(&'static str, Way)>,
    clock: Clock,
}

/// A tool, and how it treats symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Way {
    Rumur(Mode),
    Ours { symmetry: &'static str },
}

impl Bench {
    /// Measures all rows. A file for comma-separated values has those so far at any time.
    fn rows(&mut self, wishes: &Wishes, arguments: &AgainstArguments) -> Result<Vec<Row>, String> {
        let folders = Folders {
            bundled: &wishes.models,
            given: wishes.more_models.as_deref(),
        };
        let mut rows = Vec::new();
        for subject in subjects(&folders, wishes.quick) {
            if wishes.only.wants(subject.name) {
                let row = self.row(subject, &folders)?;
                progress(&format!("{}: {}", subject.name, short(&row)));
                rows.push(row);
                if let Some(path) = arguments.csv_file() {
                    output::write(path, &comma_separated(&cells(&rows)), &mut io::sink())?;
                }
            }
        }
        Ok(rows)
    }

    fn row(&mut self, subject: Subject, folders: &Folders<'_>) -> Result<Row, String> {
        let mut row = Row::new(subject);
        if subject.tools != Tools::Orbits {
            row.off = Some(self.ours(subject, folders, "off")?);
        }
        row.auto = Some(self.ours(subject, folders, "auto")?);
        if subject.tools == Tools::Both {
            for mode in Mode::ALL {
                let measured = self.rumur(subject, folders, mode)?;
                row.rumur.insert(mode, measured);
            }
        }
        Ok(row)
    }

    fn ours(
        &mut self,
        subject: Subject,
        folders: &Folders<'_>,
        symmetry: &'static str,
    ) -> Result<Result<Run, String>, String> {
        let source = subject.source(folders)?;
        let kind = (subject.family(), Way::Ours { symmetry });
        let measure = || ours::check(&self.mandala, &source, symmetry, self.clock);
        Ok(self.limited.least(kind, measure, |run| run.seconds))
    }

    fn rumur(
        &mut self,
        subject: Subject,
        folders: &Folders<'_>,
        mode: Mode,
    ) -> Result<Result<Run, String>, String> {
        let text = subject.text(folders)?;
        let kind = (subject.family(), Way::Rumur(mode));
        let measure = || verifier::check(&text, mode, self.clock, self.limit, MEMORY);
        let clock = self.clock;
        let measured = self.limited.least(kind, measure, |run| run.seconds);
        Ok(measured.map_err(|why| bound(why, clock)))
    }
}

/// Why there is no result. The limit is on the wall, so it bounds no time that was worked.
fn bound(why: String, clock: Clock) -> String {
    match (clock, stopped_after(&why)) {
        (Clock::Work, Some(seconds)) => format!("stopped after {seconds} s on the wall"),
        _ => why,
    }
}

fn short(row: &Row) -> String {
    let factor = |mode| {
        let ratio = row.comparison(mode).ratio();
        ratio.map_or("?".into(), |ratio| ratio.told(table::factor))
    };
    let ratios: Vec<String> = Mode::ALL
        .iter()
        .map(|mode| format!("{} ({mode})", factor(*mode)))
        .collect();
    let wrong = match row.is_contradictory() {
        true => "; THE TOOLS CONTRADICT EACH OTHER",
        false => "",
    };
    format!("{} of Rumur's time{wrong}", ratios.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rumur::row::tests::perfect;

    #[test]
    fn a_limit_on_the_wall_bounds_no_time_that_was_worked() {
        let told = |clock, why: &str| stopped_after(&bound(why.into(), clock));
        assert_eq!(told(Clock::Wall, "(> 60 s)"), Some(60.0));
        assert_eq!(told(Clock::Work, "(> 60 s)"), None);
        assert_eq!(told(Clock::Work, "> 60 s"), None);
    }

    #[test]
    fn a_contradiction_is_told() {
        let mut row = perfect();
        assert_eq!(contradictions(&[row.clone()]).count(), 0);
        assert!(!short(&row).contains("CONTRADICT"));
        row.off.as_mut().unwrap().as_mut().unwrap().states += 1;
        assert!(short(&row).contains("CONTRADICT"));
        assert_eq!(contradictions(&[row]).count(), 1);
    }
}
