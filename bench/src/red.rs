//! The pointer programs of "Symmetric Symbolic Safety-Analysis of Concurrent Software with Pointer Data Structures" (Wang and Schmidt): the
//! explicit and the symbolic engine, without symmetry and with, beside what the paper reports of RED and SMC.
//!
//! The paper's machine is not this one, so its times are there to be looked at and no ratio is formed. What counts is how far a tool gets.

use crate::args::{AgainstArguments, Wishes};
use crate::columns::{self, Cell, comma_separated};
use crate::facts::lines;
use crate::mandala::{Answer, Mandala};
use crate::output::{self, progress};
use crate::repeat::Limited;
use crate::spin::MEMORY;
use crate::table::{Table, megabytes, seconds_or_why};
use mandala_report::document::Verdict;
use mandala_report::style::grouped;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::Path;

const RED: &str = include_str!("../data/red.csv");

/// The largest size that is measured if it has to be quick.
const QUICK: u32 = 4;

/// How a model is checked.
struct Way {
    name: &'static str,
    /// What it takes on the command line to have the engine.
    engine: &'static [&'static str],
    symmetry: &'static str,
    /// The columns for programs: states, seconds, bytes at the peak.
    columns: [&'static str; 3],
}

const EXPLICIT: &[&str] = &[];
const SYMBOLIC: &[&str] = &["--engine", "symbolic", "--search", "dfs"];

/// The way by an engine with a use of symmetry, and what both are called in columns.
macro_rules! way {
    ($engine:ident, $name:literal, $symmetry:literal) => {
        Way {
            name: concat!($name, ", ", $symmetry),
            engine: $engine,
            symmetry: $symmetry,
            columns: [
                concat!($name, "_", $symmetry, "_states"),
                concat!($name, "_", $symmetry, "_seconds"),
                concat!($name, "_", $symmetry, "_peak"),
            ],
        }
    };
}

const WAYS: [Way; 5] = [
    way!(EXPLICIT, "explicit", "off"),
    way!(EXPLICIT, "explicit", "auto"),
    way!(SYMBOLIC, "symbolic", "off"),
    way!(SYMBOLIC, "symbolic", "dynamic"),
    way!(SYMBOLIC, "symbolic", "ibsinc"),
];

/// A model of some size, and what the paper reports of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Subject {
    model: &'static str,
    size: u32,
    reduced: Option<&'static str>,
    reduced_kilobytes: Option<&'static str>,
    unreduced: Option<&'static str>,
    smc: Option<&'static str>,
}

/// What a check took.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    seconds: f64,
    peak: u64,
    states: u64,
}

/// A subject, and what each way took.
struct Row {
    subject: Subject,
    runs: Vec<Result<Run, String>>,
}

/// Measures and prints the table.
pub(crate) fn run(
    wishes: &Wishes,
    arguments: &AgainstArguments,
    out: &mut dyn Write,
) -> Result<Vec<Map<String, Value>>, String> {
    let mandala = Mandala::find(arguments.mandala.as_deref(), MEMORY, wishes.limit)?;
    let mut limited = Limited::new(wishes.limit);
    let mut rows = Vec::new();
    for subject in subjects(wishes.quick).filter(|one| wishes.only.wants(&one.name())) {
        let row = row(subject, &wishes.models, &mandala, &mut limited);
        progress(&row.short());
        rows.push(row);
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

fn subjects(quick: bool) -> impl Iterator<Item = Subject> {
    let all = lines(RED).filter_map(|cells| subject(&cells));
    all.filter(move |subject| !quick || subject.size <= QUICK)
}

fn subject(cells: &[&'static str]) -> Option<Subject> {
    let &[model, size, reduced, reduced_kilobytes, unreduced, _, smc] = cells else {
        return None;
    };
    let told = |cell: &'static str| Some(cell).filter(|cell| !cell.is_empty());
    Some(Subject {
        model,
        size: size.parse().ok()?,
        reduced: told(reduced),
        reduced_kilobytes: told(reduced_kilobytes),
        unreduced: told(unreduced),
        smc: told(smc),
    })
}

impl Subject {
    fn name(&self) -> String {
        format!("{}/{}", self.model, self.size)
    }

    fn arguments(&self, models: &Path, way: &Way) -> Vec<String> {
        let file = models.join(self.model).join(format!("{}.red", self.model));
        let mut arguments = vec!["check".to_string(), file.display().to_string()];
        arguments.extend(["-D".into(), format!("N={}", self.size)]);
        arguments.extend(way.engine.iter().map(ToString::to_string));
        arguments.extend(["--symmetry".into(), way.symmetry.into()]);
        arguments
    }
}

fn row(
    subject: Subject,
    models: &Path,
    mandala: &Mandala,
    limited: &mut Limited<(&'static str, &'static str)>,
) -> Row {
    let runs = WAYS.iter().map(|way| {
        let measure = || holds(mandala.ask(subject.arguments(models, way))?);
        limited.least((subject.model, way.name), measure, |run| run.seconds)
    });
    Row {
        subject,
        runs: runs.collect(),
    }
}

/// All three programs are safe. What is not known is no measurement.
fn holds(answer: Answer) -> Result<Run, String> {
    let document = answer.document;
    match document.verdict {
        Verdict::Holds if document.coverage.complete => Ok(Run {
            seconds: answer.spent.wall,
            peak: answer.peak,
            states: document.stats.states,
        }),
        Verdict::Holds | Verdict::Unknown | Verdict::Value => {
            let why = document.coverage.reason.unwrap_or_default();
            Err(format!("no verdict: {why}"))
        }
        Verdict::Violated => Err("WRONG: it is safe".into()),
    }
}

impl Row {
    fn short(&self) -> String {
        let runs = WAYS.iter().zip(&self.runs);
        let runs = runs.map(|(way, run)| format!("{} {}", way.name, time(run)));
        format!(
            "{}: {}",
            self.subject.name(),
            runs.collect::<Vec<_>>().join("; ")
        )
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![
            ("model", self.subject.name().into()),
            ("red_fsp", json!(self.subject.reduced)),
            ("red_f", json!(self.subject.unreduced)),
            ("smc", json!(self.subject.smc)),
        ];
        for (way, run) in WAYS.iter().zip(&self.runs) {
            let run = run.as_ref().ok();
            let values = [
                json!(run.map(|run| run.states)),
                json!(run.map(|run| run.seconds)),
                json!(run.map(|run| run.peak)),
            ];
            cells.extend(way.columns.into_iter().zip(values));
        }
        cells
    }

    /// The line of the table.
    fn line(&self) -> Vec<String> {
        let paper = |cell: Option<&str>| cell.map_or(String::new(), |told| format!("{told} s"));
        let kilobytes = self.subject.reduced_kilobytes;
        let mut line = vec![
            self.subject.name(),
            paper(self.subject.reduced),
            kilobytes.map_or(String::new(), |told| format!("{told} kB")),
            paper(self.subject.unreduced),
            paper(self.subject.smc),
        ];
        for run in &self.runs {
            let measured = run.as_ref().ok();
            line.push(measured.map_or(String::new(), |run| grouped(run.states)));
            line.push(time(run));
            line.push(megabytes(measured.map(|run| run.peak)));
        }
        line
    }
}

fn time(run: &Result<Run, String>) -> String {
    seconds_or_why(&run.as_ref().map(|run| run.seconds).map_err(Clone::clone))
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let mut header = vec!["model", "RED -fSp", "memory", "RED -f", "SMC"];
    for way in &WAYS {
        header.extend(["states", way.name, "memory"]);
    }
    let mut table = Table::new(&header);
    rows.iter().for_each(|row| table.row(row.line()));
    table.write(out)?;
    for row in rows {
        for (way, run) in WAYS.iter().zip(&row.runs) {
            if let Err(why) = run
                && !why.contains('>')
            {
                let line = format!("{}, {}: {why}", row.subject.name(), way.name);
                output::say(out, &line)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_paper_is_complete_and_its_models_are_there() {
        let models = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        for model in ["mcs-lock", "leader-forest", "double-cycle"] {
            let told = subjects(false).filter(|one| one.model == model && one.reduced.is_some());
            assert_eq!(
                told.map(|one| one.size).collect::<Vec<_>>(),
                [3, 4, 5, 6, 7, 8, 9]
            );
            assert!(models.join(model).join(format!("{model}.red")).exists());
        }
    }

    #[test]
    fn what_was_not_measured_has_its_columns_all_the_same() {
        let subject = subjects(true).next().unwrap();
        let run = Run {
            seconds: 0.5,
            peak: 4096,
            states: 1285,
        };
        let row = |runs: Vec<Result<Run, String>>| Row { subject, runs };
        let measured = row(WAYS.iter().map(|_| Ok(run.clone())).collect());
        let limited = row(WAYS.iter().map(|_| Err("> 60 s".into())).collect());
        assert_eq!(measured.line().len(), limited.line().len());
        assert_eq!(measured.cells().len(), limited.cells().len());
        assert!(limited.short().contains("> 60 s") && measured.short().contains("0.50 s"));
    }

    #[test]
    fn a_size_is_a_constant_of_the_model() {
        let subject = subjects(true).next().unwrap();
        let arguments = subject.arguments(Path::new("there"), &WAYS[1]);
        let typed = "check there/mcs-lock/mcs-lock.red -D N=3 --symmetry auto";
        assert_eq!(arguments.join(" "), typed);
    }
}
