//! Counts of members: states, steps, time and memory, beside representatives of the same orbits, from the command line to the verdict.
//!
//! The bundled models whose states can be counted, and every `many-*.pml` in the folder that `--models` names: a family of threads, `active [n]`, with few local states. These are
//! measured with 20 and with 100 threads as well.

use crate::args::{AgainstArguments, Wishes};
use crate::columns::{self, Cell, comma_separated};
use crate::mandala::{Answer, Mandala};
use crate::output::{self, progress};
use crate::repeat::least;
use crate::spin::MEMORY;
use crate::table::{Table, megabytes, seconds_or_why};
use mandala_report::style::grouped;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The bundled models, with their macro for the number of processes and the numbers.
const BUNDLED: [(&str, &str, &[u32]); 3] = [
    ("mutex/mutex.pml", "N", &[10, 100, 250]),
    ("broken-lock/broken-lock.pml", "N", &[10, 100]),
    ("lost-wakeup/lost-wakeup.pml", "N", &[10, 20]),
];

/// How many threads the others have besides as many as they say.
const THREADS: [u32; 2] = [20, 100];

/// More threads than that have too many states to be stored one by one.
const FEW: u32 = 20;

/// The ways of using symmetry, by the options.
const MANNERS: [(&str, &[&str]); 3] = [
    ("counters", &["--symmetry", "counters"]),
    (
        "on diagrams",
        &["--engine", "symbolic", "--symmetry", "counters"],
    ),
    (
        "representatives",
        &["--symmetry", "segmented", "--workers", "1"],
    ),
];

/// A model with a number of threads, and a manner.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Subject {
    model: String,
    threads: u32,
    manner: &'static str,
    arguments: Vec<String>,
}

/// What was found, and what it took.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    states: u64,
    transitions: u64,
    seconds: f64,
    work: f64,
    peak: u64,
}

struct Row {
    subject: Subject,
    run: Result<Run, String>,
}

/// Measures all that is wanted.
pub(crate) fn run(
    wishes: &Wishes,
    arguments: &AgainstArguments,
    out: &mut dyn Write,
) -> Result<Vec<Map<String, Value>>, String> {
    let mandala = Mandala::find(arguments.mandala.as_deref(), MEMORY, wishes.limit)?;
    let folder = tempfile::tempdir().map_err(|error| format!("no folder: {error}"))?;
    let mut rows: Vec<Row> = Vec::new();
    for subject in subjects(wishes, &folder)? {
        if !wishes.only.wants(&subject.name()) {
            continue;
        }
        let measure = || mandala.ask(subject.arguments.clone()).map(found);
        let run = least(measure, |run| run.seconds);
        rows.push(Row { subject, run });
        progress(&rows[rows.len() - 1].line().join("  "));
    }
    let cells: Vec<Vec<Cell>> = rows.iter().map(Row::cells).collect();
    if let Some(path) = arguments.csv_file() {
        output::write(path, &comma_separated(&cells), &mut io::sink())?;
    }
    print(&rows, out)?;
    if arguments.prints_csv() {
        output::say(out, &comma_separated(&cells))?;
    }
    Ok(columns::objects(cells))
}

fn subjects(wishes: &Wishes, folder: &TempDir) -> Result<Vec<Subject>, String> {
    let mut subjects = Vec::new();
    for (file, constant, numbers) in BUNDLED {
        let numbers = match wishes.quick {
            true => &numbers[..1],
            false => numbers,
        };
        for number in numbers {
            let define = format!("{constant}={number}");
            let path = wishes.models.join(file);
            subjects.extend(in_all_manners(&path, *number, &["-D", &define]));
        }
    }
    if let Some(more) = &wishes.more_models {
        let text = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        for path in threaded(more)? {
            let text = text(&path)?;
            let Some(own) = threads(&text) else { continue };
            let all = THREADS
                .iter()
                .filter(|number| !wishes.quick && **number > own);
            for number in std::iter::once(&own).chain(all) {
                let wanted =
                    text.replacen(&format!("active [{own}]"), &format!("active [{number}]"), 1);
                let file = folder.path().join(format!("many-{own}-with-{number}.pml"));
                std::fs::write(&file, wanted).map_err(|error| error.to_string())?;
                subjects.extend(in_all_manners(&file, *number, &[]));
            }
        }
    }
    Ok(subjects)
}

/// The models with many threads in a folder.
fn threaded(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_one = |path: &PathBuf| {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name.starts_with("many-") && name.ends_with(".pml"))
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths.filter(is_one).collect();
    paths.sort();
    Ok(paths)
}

/// How many threads a model has.
fn threads(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("active [")?;
    rest.split_once(']')?.0.parse().ok()
}

fn in_all_manners(path: &Path, threads: u32, more: &[&str]) -> Vec<Subject> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let name = path.file_stem().map(|name| name.to_string_lossy());
    let model = name.unwrap_or_default().into_owned();
    let is_large = model.starts_with("many") && threads > FEW;
    let manners = MANNERS
        .iter()
        .filter(|(name, _)| !is_large || *name == "on diagrams");
    let subjects = manners.map(|(manner, options)| {
        let mut arguments = vec!["check".to_string(), path.display().to_string()];
        arguments.push("--keep-going".into());
        arguments.extend(more.iter().chain(*options).map(ToString::to_string));
        Subject {
            model: model.clone(),
            threads,
            manner,
            arguments,
        }
    });
    subjects.collect()
}

fn found(answer: Answer) -> Run {
    Run {
        states: answer.document.stats.states,
        transitions: answer.document.stats.transitions,
        seconds: answer.spent.wall,
        work: answer.spent.work,
        peak: answer.peak,
    }
}

impl Subject {
    fn name(&self) -> String {
        format!("{}/{}/{}", self.model, self.threads, self.manner)
    }
}

impl Row {
    fn time(&self, of: impl Fn(&Run) -> f64) -> String {
        seconds_or_why(&self.run.as_ref().map(of).map_err(Clone::clone))
    }

    fn cells(&self) -> Vec<Cell> {
        let run = self.run.as_ref().ok();
        vec![
            ("model", json!(self.subject.model)),
            ("threads", json!(self.subject.threads)),
            ("manner", json!(self.subject.manner)),
            ("states", json!(run.map(|run| run.states))),
            ("transitions", json!(run.map(|run| run.transitions))),
            ("seconds", json!(run.map(|run| run.seconds))),
            ("work", json!(run.map(|run| run.work))),
            ("peak", json!(run.map(|run| run.peak))),
        ]
    }

    fn line(&self) -> Vec<String> {
        let run = self.run.as_ref().ok();
        let number = |number: Option<u64>| number.map_or(String::new(), grouped);
        vec![
            self.subject.model.clone(),
            self.subject.threads.to_string(),
            self.subject.manner.to_string(),
            number(run.map(|run| run.states)),
            number(run.map(|run| run.transitions)),
            self.time(|run| run.seconds),
            self.time(|run| run.work),
            megabytes(run.map(|run| run.peak)),
        ]
    }
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let header = [
        "model",
        "threads",
        "manner",
        "states",
        "transitions",
        "time",
        "work",
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
        for (file, _, _) in BUNDLED {
            assert!(models.join(file).is_file(), "{file}");
        }
    }

    #[test]
    fn so_many_threads_as_a_model_says() {
        assert_eq!(
            threads("bool b;\nactive [12] proctype T() { skip }"),
            Some(12)
        );
        assert_eq!(threads("active proctype T() { skip }"), None);
    }

    #[test]
    fn where_states_are_too_many_only_diagrams_are_asked() {
        let manners = |threads| {
            let all = in_all_manners(Path::new("there/many-8.pml"), threads, &[]);
            all.len()
        };
        assert_eq!((manners(8), manners(100)), (3, 1));
    }
}
