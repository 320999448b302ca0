//! TopSPIN's own example models, without the annotations that it wants: which group is found, how many orbits there are,
//! and how long it takes from the command line to the verdict.
//!
//! The models are TopSPIN's and not part of this project, so somebody has to say where they are.

mod facts;
mod process;

use crate::args::{TopspinArguments, Wishes};
use crate::mandala;
use crate::output::{progress, say};
use crate::table::{self, Table};
use facts::Fact;
use mandala_report::Document;
use mandala_report::style::grouped;
use process::Call;
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What TopSPIN 2.2.6 needs for a model on a machine of this kind: about that many seconds of its own ..
const TOPSPIN: f64 = 2.0;

/// .. and as many to compile the verifier.
const COMPILER: f64 = 4.0;

/// At least so many times less is wanted.
const WANTED_TIMES: f64 = 10.0;

/// How often a check is made; the median of the times counts.
const REPETITIONS: usize = 5;

/// How the names of models end.
const ENDINGS: [&str; 2] = ["p", "pml"];

/// One model.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Row {
    file: String,
    /// How many elements the group has, in decimal.
    order: Option<String>,
    structure: Option<String>,
    known_order: Option<&'static str>,
    /// States stored with the default strategy.
    orbits: Option<u64>,
    known_orbits: Option<u64>,
    /// States stored without symmetry, if that was asked for.
    states: Option<u64>,
    known_states: Option<u64>,
    /// Whether all that is known and was found agree; nothing if there is nothing to compare.
    as_known: Option<bool>,
    /// Seconds on the wall from the command line to the verdict.
    seconds: Option<f64>,
    /// Seconds of that until the group was proven.
    detection: Option<f64>,
    /// Seconds that TopSPIN and the compiler need.
    topspin_seconds: f64,
    /// How many times less that is.
    times: Option<f64>,
    /// Whether it is at least as many times less as wanted.
    fast_enough: Option<bool>,
    /// What went wrong.
    note: Option<String>,
}

/// Measures and prints the table.
pub(crate) fn run(
    wishes: &Wishes,
    arguments: &TopspinArguments,
    out: &mut dyn Write,
) -> Result<Vec<Row>, String> {
    let program = mandala::program(arguments.mandala.as_deref())?;
    let facts = facts::topspin();
    let mut rows = Vec::new();
    for model in models(&wishes.models)? {
        let file = file_name(&model);
        if wishes.only.wants(&file) {
            let fact = facts.iter().find(|fact| fact.file == file);
            let row = row(wishes, arguments.unreduced, &program, &model, fact);
            progress(&format!("{file}: {}", short(&row)));
            rows.push(row);
        }
    }
    print(&rows, out)?;
    Ok(rows)
}

/// The models of a folder, by name.
fn models(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error| format!("cannot read `{}`: {error}", folder.display());
    let mut models = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            models.push(path);
        }
    }
    models.sort();
    match models.is_empty() {
        true => Err(format!("there is no model in `{}`", folder.display())),
        false => Ok(models),
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn row(wishes: &Wishes, unreduced: bool, program: &Path, model: &Path, fact: Option<&Fact>) -> Row {
    let call = |symmetry| Call {
        program,
        model,
        symmetry,
        limit: wishes.limit,
    };
    let reduced = median(&call("auto"), if wishes.quick { 1 } else { REPETITIONS });
    let states = unreduced.then(|| call("off").make().map(|(_, document)| document));
    let row = blank(model, fact);
    let row = match reduced {
        Ok((seconds, document)) => with_group(row, seconds, &document),
        Err(why) => Row {
            note: Some(why),
            ..row
        },
    };
    compared(match states {
        Some(counted) => with_states(row, counted),
        None => row,
    })
}

/// The check that took neither the shortest nor the longest.
fn median(call: &Call<'_>, times: usize) -> Result<(f64, Document), String> {
    let mut all = Vec::new();
    for _ in 0..times {
        all.push(call.make()?);
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(all.swap_remove(times / 2))
}

/// A row with what is known.
fn blank(model: &Path, fact: Option<&Fact>) -> Row {
    Row {
        file: file_name(model),
        known_order: fact.map(|fact| fact.order),
        known_orbits: fact.map(|fact| fact.orbits),
        known_states: fact.map(|fact| fact.states),
        topspin_seconds: TOPSPIN + COMPILER,
        ..Row::default()
    }
}

fn with_group(row: Row, seconds: f64, document: &Document) -> Row {
    let symmetry = &document.symmetry;
    let orbits = visited(document);
    let times = row.topspin_seconds / seconds;
    Row {
        order: Some(symmetry.order.clone()),
        structure: Some(symmetry.structure.clone()),
        orbits,
        seconds: Some(seconds),
        detection: symmetry
            .detection
            .as_ref()
            .map(|detection| detection.seconds),
        times: orbits.map(|_| times),
        fast_enough: Some(orbits.is_some() && times >= WANTED_TIMES),
        note: orbits.is_none().then(incomplete),
        ..row
    }
}

fn with_states(row: Row, counted: Result<Document, String>) -> Row {
    let states = counted.and_then(|document| visited(&document).ok_or_else(incomplete));
    let why = states.as_ref().err();
    let why = why.map(|why| format!("without symmetry: {why}"));
    let notes: Vec<String> = row.note.into_iter().chain(why).collect();
    Row {
        states: states.ok(),
        note: (!notes.is_empty()).then(|| notes.join("; ")),
        ..row
    }
}

fn incomplete() -> String {
    "not everything was visited".into()
}

/// How many states were stored, if all were visited.
fn visited(document: &Document) -> Option<u64> {
    document.coverage.complete.then_some(document.stats.states)
}

/// Compares what was found with what is known: the group and the orbits, and the states if they were counted.
fn compared(row: Row) -> Row {
    let agree = |found: Option<u64>, known| found.is_none() || found == known;
    let as_known = row.known_order.map(|order| {
        row.order.as_deref() == Some(order)
            && row.orbits == row.known_orbits
            && agree(row.states, row.known_states)
    });
    Row { as_known, ..row }
}

fn short(row: &Row) -> String {
    match (&row.note, row.seconds) {
        (None, Some(seconds)) => table::seconds(seconds),
        (note, _) => note.clone().unwrap_or_default(),
    }
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let what = format!(
        "TopSPIN's examples without annotation, from the command line to the verdict (wanted: the known figures, in at \
         most 1/{WANTED_TIMES}\nof the {} s that TopSPIN and the compiler need)",
        TOPSPIN + COMPILER
    );
    say(out, &what)?;
    let mut printed = Table::new(&[
        "model",
        "group",
        "known",
        "states",
        "known",
        "orbits",
        "known",
        "as known",
        "time",
        "TopSPIN",
        "times faster",
        "enough",
    ]);
    for row in rows {
        printed.row(cells(row));
    }
    printed.write(out)?;
    for row in rows.iter().filter(|row| row.note.is_some()) {
        say(out, &format!("{}: {}", row.file, short(row)))?;
    }
    Ok(())
}

fn cells(row: &Row) -> Vec<String> {
    let number = |value: Option<u64>| value.map(grouped).unwrap_or_default();
    let answer = |value: Option<bool>| value.map(table::yes_no).unwrap_or_default();
    vec![
        row.file.clone(),
        row.order.clone().unwrap_or_default(),
        row.known_order.unwrap_or_default().to_string(),
        number(row.states),
        number(row.known_states),
        number(row.orbits),
        number(row.known_orbits),
        answer(row.as_known),
        row.seconds.map(table::seconds).unwrap_or_default(),
        table::seconds(row.topspin_seconds),
        row.times.map(table::factor).unwrap_or_default(),
        answer(row.fast_enough),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Row {
        let fact = facts::topspin().into_iter().find(|f| f.file == "email3.p");
        blank(Path::new("there/email3.p"), fact.as_ref())
    }

    #[test]
    fn a_row_is_as_known_if_all_that_was_found_is() {
        let found = Row {
            order: Some("6".into()),
            orbits: Some(3902),
            ..known()
        };
        assert_eq!(compared(found.clone()).as_known, Some(true));
        let states = |states| Row {
            states: Some(states),
            ..found.clone()
        };
        assert_eq!(compared(states(23256)).as_known, Some(true));
        assert_eq!(compared(states(23257)).as_known, Some(false));
        assert_eq!(compared(known()).as_known, Some(false));
        assert_eq!(compared(blank(Path::new("mine.p"), None)).as_known, None);
    }

    #[test]
    fn what_went_wrong_is_told() {
        let failed = Err("no memory".to_string());
        let row = with_states(known(), failed.clone());
        assert_eq!(row.note.as_deref(), Some("without symmetry: no memory"));
        let wrong = Row {
            note: Some("wrong".into()),
            ..known()
        };
        let note = with_states(wrong, failed).note;
        assert_eq!(note.as_deref(), Some("wrong; without symmetry: no memory"));
    }

    #[test]
    fn only_models_are_taken_from_a_folder() {
        let bundled = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        let found = models(&bundled.join("base-station")).unwrap();
        let found: Vec<_> = found.iter().map(|path| file_name(path)).collect();
        assert_eq!(found, ["base-station.pml", "senders-receivers.pml"]);
        assert!(models(bundled).is_err(), "it has folders and a text only");
    }
}
