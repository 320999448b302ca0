//! Every number of processes: time to the answer, views and configurations, from the command line to the verdict.
//!
//! The bundled models that are decided by views, and every system of Cubicle in the folder that `--models` names.

use crate::args::{AgainstArguments, Wishes};
use crate::columns::{self, Cell, comma_separated};
use crate::mandala::{Answer, Mandala};
use crate::output::{self, progress};
use crate::repeat::least;
use crate::spin::MEMORY;
use crate::table::{Table, megabytes, seconds_or_why};
use mandala_report::document::Every;
use mandala_report::style::grouped;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A model, and what it takes on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Subject {
    name: String,
    arguments: Vec<String>,
}

/// What was found, and what it took.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    seconds: f64,
    peak: u64,
    every: Every,
}

struct Row {
    subject: Subject,
    run: Result<Run, String>,
}

/// The bundled models: the folder, the file, and what is said besides `--every N --no-deadlock`.
const BUNDLED: [(&str, &str, &[&str]); 8] = [
    ("german", "german.m", &["-D", "D=1"]),
    ("two-phase-commit", "two-phase-commit.m", &[]),
    ("mutex", "mutex.pml", &[]),
    ("broken-lock", "broken-lock.pml", &["-D", "BUG=0"]),
    ("msi", "msi.m", &[]),
    ("mesi", "mesi.m", &[]),
    ("readers-first", "readers-first.m", &[]),
    ("ghost-lock", "ghost-lock.m", &[]),
];

/// Measures all that is wanted.
pub(crate) fn run(
    wishes: &Wishes,
    arguments: &AgainstArguments,
    out: &mut dyn Write,
) -> Result<Vec<Map<String, Value>>, String> {
    let mandala = Mandala::find(arguments.mandala.as_deref(), MEMORY, wishes.limit)?;
    let mut rows: Vec<Row> = Vec::new();
    for subject in subjects(wishes)? {
        if !wishes.only.wants(&subject.name) {
            continue;
        }
        let measure = || answered(mandala.ask(subject.arguments.clone())?);
        let run = least(measure, |run| run.seconds);
        rows.push(Row { subject, run });
        progress(&rows[rows.len() - 1].short());
        if let Some(path) = arguments.csv_file() {
            output::write(path, &comma_separated(&cells(&rows)), &mut io::sink())?;
        }
    }
    print(&rows, out)?;
    if arguments.prints_csv() {
        output::say(out, &comma_separated(&cells(&rows)))?;
    }
    Ok(columns::objects(cells(&rows)))
}

fn cells(rows: &[Row]) -> Vec<Vec<Cell>> {
    rows.iter().map(Row::cells).collect()
}

fn subjects(wishes: &Wishes) -> Result<Vec<Subject>, String> {
    let bundled = BUNDLED.iter().map(|(folder, file, more)| {
        let path = wishes.models.join(folder).join(file);
        subject(&path, &[&["--every", "N", "--no-deadlock"], *more].concat())
    });
    let mut subjects: Vec<Subject> = bundled.collect();
    if let Some(folder) = &wishes.more_models {
        let entries = std::fs::read_dir(folder);
        let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut systems: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|e| e == "cub"))
            .collect();
        systems.sort();
        subjects.extend(systems.iter().map(|path| subject(path, &[])));
    }
    Ok(subjects)
}

fn subject(path: &Path, more: &[&str]) -> Subject {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut arguments = vec!["check".to_string(), path.display().to_string()];
    arguments.extend(more.iter().map(ToString::to_string));
    let name = path.file_name().map(|name| name.to_string_lossy());
    Subject {
        name: name.unwrap_or_default().into_owned(),
        arguments,
    }
}

fn answered(answer: Answer) -> Result<Run, String> {
    let every = answer
        .document
        .every
        .ok_or("it says nothing of every number")?;
    Ok(Run {
        seconds: answer.spent.wall,
        peak: answer.peak,
        every,
    })
}

/// The answer, with the number for which something is violated.
fn told(every: &Every) -> String {
    match every.smallest {
        Some(smallest) => format!("{} with {smallest}", every.answer),
        None => every.answer.to_string(),
    }
}

impl Row {
    fn short(&self) -> String {
        let said = self
            .run
            .as_ref()
            .map_or_else(Clone::clone, |run| told(&run.every));
        format!("{}: {said}, {}", self.subject.name, self.time())
    }

    fn time(&self) -> String {
        seconds_or_why(
            &self
                .run
                .as_ref()
                .map(|run| run.seconds)
                .map_err(Clone::clone),
        )
    }

    fn cells(&self) -> Vec<Cell> {
        let run = self.run.as_ref().ok();
        let every = run.map(|run| &run.every);
        vec![
            ("model", json!(self.subject.name)),
            ("answer", json!(every.map(told))),
            ("k", json!(every.and_then(|every| every.k))),
            ("w", json!(every.and_then(|every| every.w))),
            ("views", json!(every.and_then(|every| every.views))),
            (
                "configurations",
                json!(every.and_then(|every| every.configurations)),
            ),
            ("seconds", json!(run.map(|run| run.seconds))),
            ("peak", json!(run.map(|run| run.peak))),
        ]
    }

    fn line(&self) -> Vec<String> {
        let run = self.run.as_ref().ok();
        let every = run.map(|run| &run.every);
        let number = |number: Option<u64>| number.map_or(String::new(), grouped);
        vec![
            self.subject.name.clone(),
            every.map_or(String::new(), told),
            number(every.and_then(|every| every.k).map(u64::from)),
            number(every.and_then(|every| every.w).map(u64::from)),
            number(every.and_then(|every| every.views)),
            number(every.and_then(|every| every.configurations)),
            self.time(),
            megabytes(run.map(|run| run.peak)),
        ]
    }
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let header = [
        "model",
        "answer",
        "k",
        "w",
        "views",
        "configurations",
        "time",
        "memory",
    ];
    let mut table = Table::new(&header);
    rows.iter().for_each(|row| table.row(row.line()));
    table.write(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_models_are_there() {
        let models = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        for (folder, file, _) in BUNDLED {
            assert!(models.join(folder).join(file).is_file(), "{file}");
        }
    }

    #[test]
    fn what_was_not_measured_has_its_columns_all_the_same() {
        let row = Row {
            subject: subject(Path::new("there/a.cub"), &[]),
            run: Err("> 60 s".into()),
        };
        assert_eq!(row.line().len(), 8);
        assert_eq!(row.cells().len(), 8);
        assert_eq!(row.subject.arguments, ["check", "there/a.cub"]);
    }
}
