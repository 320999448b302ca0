//! Spin and Mandala on the same models, in the same run, on the same machine.
//!
//! Both visit every state and reduce nothing. Five questions are asked: how long it takes from the command to the
//! verdict, how fast the search is on one core, what a second worker is worth, how many bytes a state takes, and how much
//! of the speed is left with symmetry.
//!
//! Somebody waits for time on the wall, so that is what counts for the verdict and for two workers. Speed on one core is
//! compared by the time that was worked, because the wall also shows what else the machine did.
//!
//! - `subjects`: what is measured;
//! - `pan`: Spin; `ours`: Mandala;
//! - `row`: what follows from the numbers, and what is wanted;
//! - `tables`, `cells`: the results for people and for programs.

mod cells;
mod ours;
pub(crate) mod pan;
mod row;
mod subjects;
mod tables;

use crate::args::{AgainstArguments, Wishes};
use crate::columns::{self, Cell, comma_separated};
use crate::corpus::Folders;
use crate::output::{self, progress};
use crate::process::Spent;
use crate::repeat::{least, least_of_both};
use crate::table;
use ours::{Check, Ours, Workers};
use pan::{Build, Search, Translated};
use row::Row;
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::path::Path;
use subjects::{Source, Subject, subjects};

/// How many bytes each program may have.
pub(crate) const MEMORY: u64 = 12 << 30;

/// Measures and prints the tables.
pub(crate) fn run(
    wishes: &Wishes,
    arguments: &AgainstArguments,
    out: &mut dyn Write,
) -> Result<Vec<Map<String, Value>>, String> {
    pan::check_installation()?;
    let ours = Ours::find(arguments.mandala.as_deref(), MEMORY, wishes.limit)?;
    let rows = rows(wishes, &ours, arguments.csv_file())?;
    tables::print(&rows, out)?;
    if arguments.prints_csv() {
        output::say(out, &comma_separated(&cells(&rows)))?;
    }
    Ok(columns::objects(cells(&rows)))
}

/// Measures all rows. The file has those so far at any time: a long run that is broken off has not been for nothing.
fn rows(wishes: &Wishes, ours: &Ours, file: Option<&Path>) -> Result<Vec<Row>, String> {
    let folders = Folders {
        bundled: &wishes.models,
        given: wishes.more_models.as_deref(),
    };
    let mut rows = Vec::new();
    for subject in subjects(&folders, wishes.quick) {
        if wishes.only.wants(subject.name) {
            let source = subject.source(&folders)?;
            let row = row(wishes, ours, subject, &source);
            progress(&format!("{}: {}", subject.name, short(&row)));
            rows.push(row);
            if let Some(path) = file {
                output::write(path, &comma_separated(&cells(&rows)), &mut io::sink())?;
            }
        }
    }
    Ok(rows)
}

fn cells(rows: &[Row]) -> Vec<Vec<Cell>> {
    rows.iter().map(cells::of).collect()
}

/// Measures one model. A measurement that fails leaves a note; the others are made all the same.
fn row(wishes: &Wishes, ours: &Ours, subject: Subject, source: &Source) -> Row {
    let mut row = Row::new(subject);
    let translated = pan::translate(&subject, source, wishes.limit);
    let translated = row.noted("Spin", translated);
    totals(&mut row, translated.as_ref(), ours, source);
    searches(&mut row, translated.as_ref(), ours, source);
    if let Some(translated) = &translated {
        let collapse = compressed(translated);
        row.collapse = row.noted("Spin with COLLAPSE", collapse);
    }
    others(&mut row, ours, source);
    row
}

fn totals(row: &mut Row, translated: Option<&Translated>, ours: &Ours, source: &Source) {
    if let Some(translated) = translated {
        let total = least(|| spin_total(translated), |spent| spent.wall);
        row.spin_total = row.noted("Spin with -O2", total);
    }
    let total = least(
        || ours.check(source, "off", Workers::Default),
        |check| check.spent.wall,
    );
    row.our_total = row.noted("Mandala", total).map(|check| check.spent);
}

/// Everything from the command to the verdict.
fn spin_total(translated: &Translated) -> Result<Spent, String> {
    let compiling = translated.compile(Build::Soon, MEMORY)?;
    let searching = translated.search()?.spent;
    Ok(translated.spent.and(compiling).and(searching))
}

/// The searches alone, in turns: what changes on the machine meanwhile meets both.
fn searches(row: &mut Row, translated: Option<&Translated>, ours: &Ours, source: &Source) {
    let fast = translated.ok_or_else(|| "it was not translated".to_string());
    let fast = fast.and_then(|translated| {
        translated.compile(Build::Fast, MEMORY)?;
        Ok(translated)
    });
    let (pan, one) = least_of_both(
        || fast.clone().and_then(Translated::search),
        |search: &Search| search.spent.work,
        || ours.check(source, "off", Workers::Exactly(1)),
        Check::work,
    );
    row.pan = row.noted("Spin with -O3", pan);
    row.one = row.noted("one worker", one);
}

fn compressed(translated: &Translated) -> Result<Search, String> {
    translated.compile(Build::Collapse, MEMORY)?;
    translated.search()
}

fn others(row: &mut Row, ours: &Ours, source: &Source) {
    if ours.has_workers() {
        let two = least(
            || ours.check(source, "off", Workers::Exactly(2)),
            |check| check.seconds,
        );
        row.two = row.noted("two workers", two);
    }
    let reduced = least(
        || ours.check(source, "auto", Workers::Exactly(1)),
        Check::work,
    );
    row.reduced = row.noted("symmetry", reduced);
}

fn short(row: &Row) -> String {
    let factor = |value: Option<f64>| value.map_or("?".into(), table::factor);
    let (total, speed) = (factor(row.total()), factor(row.speed()));
    let notes: String = row.notes.iter().map(|note| format!("; {note}")).collect();
    format!("{total} of Spin's time to the verdict, {speed} times its speed{notes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_is_told() {
        let mut row = row::tests::perfect();
        let failed = Err::<f64, _>("no memory".to_string());
        assert_eq!(row.noted("Spin", failed), None);
        assert!(short(&row).ends_with("times its speed; Spin: no memory"));
    }
}
