//! Models in Murphi from the text to the verdict: the bundled ones, for few members and for many, and all those in the folder that `--models` names.
//!
//! What is measured in this process and thread is the time that it works, the least of several times. The verdict is that of the program `mandala`
//! with one worker and without symmetry, in time that it works, too; `--before` names another one to compare it with.

use crate::args::{MurphiArguments, Wishes};
use crate::clock::Stopwatch;
use crate::columns::{self, Cell, comma_separated};
use crate::mandala::{Answer, Mandala};
use crate::output::{self, progress, say};
use crate::repeat::{least, least_of_both};
use crate::spin::MEMORY;
use crate::table::{Table, factor, seconds, seconds_or_why, yes_no};
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput};
use mandala_model::step::Observers;
use mandala_prepare::{Aim, Detection, Form, StaticReductions, Wanted, prepare};
use mandala_symmetry::ProofBudget;
use serde_json::{Map, Value, json};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// To load a model, which is to read, lower and verify it, in seconds: at most that ..
const LOAD_MOST: f64 = 0.02;

/// .. and to compile it from there, without symmetry, at most that.
const COMPILE_MOST: f64 = 0.1;

/// Many members may take that many times what three of them take to load: what there is of each is its first value.
const GROWTH_MOST: f64 = 1.1;

/// A bundled family: its file, what there may be any number of, and how many is many.
const FAMILIES: [(&str, &str, u32); 15] = [
    ("directory/directory.m", "CACHES", 100),
    ("directory-msi/directory-msi.m", "N", 100),
    ("german/german.m", "N", 100),
    ("ghost-lock/ghost-lock.m", "N", 100),
    ("job-pool/job-pool.m", "K", 100),
    ("leader-complete/leader-complete.m", "N", 100),
    ("leader-ring/leader-ring.m", "N", 100),
    ("mcs-lock/mcs-lock-union.m", "N", 100),
    ("mcs-lock/mcs-lock.m", "N", 100),
    ("mesi/mesi.m", "N", 100),
    ("msi/msi.m", "N", 100),
    ("peterson/peterson.m", "N", 100),
    ("readers-first/readers-first.m", "N", 100),
    ("readers-writers/readers-writers.m", "R", 100),
    ("two-phase-commit/two-phase-commit.m", "N", 100),
];

/// How many members are few.
const FEW: u32 = 3;

/// A model, with other values for constants.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Subject {
    name: String,
    path: PathBuf,
    constants: Vec<String>,
    /// Whether it is searched, too.
    is_checked: bool,
}

/// What was measured.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    load: Result<f64, String>,
    compile: Result<f64, String>,
    /// The same with its symmetry, which is looked for and proven.
    prepare: Result<f64, String>,
    /// To the verdict, by the program and by the one from before.
    verdicts: [Option<Result<f64, String>>; 2],
}

/// Measures all that is wanted.
pub(crate) fn run(
    wishes: &Wishes,
    asked: &MurphiArguments,
    out: &mut dyn Write,
) -> Result<Vec<Map<String, Value>>, String> {
    let find = |named: Option<&Path>| Mandala::find(named, MEMORY, wishes.limit);
    let ours = find(asked.against.mandala.as_deref())?;
    let before = asked.before.as_deref().map(|file| find(Some(file)));
    let before = before.transpose()?;
    let mut rows: Vec<Row> = Vec::new();
    for subject in subjects(wishes)? {
        if !wishes.only.wants(&subject.name) {
            continue;
        }
        rows.push(row(&subject, &ours, before.as_ref()));
        progress(&rows[rows.len() - 1].line().join("  "));
        if let Some(path) = asked.against.csv_file() {
            output::write(path, &comma_separated(&cells(&rows)), &mut io::sink())?;
        }
    }
    print(&rows, out)?;
    if asked.against.prints_csv() {
        say(out, &comma_separated(&cells(&rows)))?;
    }
    Ok(columns::objects(cells(&rows)))
}

fn subjects(wishes: &Wishes) -> Result<Vec<Subject>, String> {
    let families = FAMILIES.iter().flat_map(|(file, constant, many)| {
        [FEW, *many].map(|count| {
            let path = wishes.models.join(file);
            Subject {
                name: format!("{}/{count}", name(&path)),
                path,
                constants: vec![format!("{constant}={count}")],
                is_checked: false,
            }
        })
    });
    let mut subjects: Vec<Subject> = families.collect();
    subjects.push(several_addresses(&wishes.models));
    if let Some(folder) = &wishes.more_models {
        let entries = fs::read_dir(folder);
        let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut given: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|extension| extension == "m"))
            .collect();
        given.sort();
        subjects.extend(given.into_iter().map(|path| Subject {
            name: name(&path),
            path,
            constants: Vec::new(),
            is_checked: !wishes.quick,
        }));
    }
    Ok(subjects)
}

/// The directory protocol with what each address has for each cache.
fn several_addresses(models: &Path) -> Subject {
    Subject {
        name: "directory.m/5x3".into(),
        path: models.join("directory/directory.m"),
        constants: ["CACHES=5", "ADDRESSES=3"].map(String::from).into(),
        is_checked: false,
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.unwrap_or_default().into_owned()
}

fn row(subject: &Subject, ours: &Mandala, before: Option<&Mandala>) -> Row {
    let loaded = least(|| timed(|| load(subject)), |(time, _)| *time);
    let compiled = |detection| match &loaded {
        Ok((_, model)) => least(|| timed(|| compile(model, detection)), |(time, ())| *time),
        Err(why) => Err(why.clone()),
    };
    let [compile, prepare] = [Detection::Off, Detection::On].map(compiled);
    Row {
        name: subject.name.clone(),
        load: loaded.map(|(time, _)| time),
        compile: compile.map(|(time, ())| time),
        prepare: prepare.map(|(time, ())| time),
        verdicts: match subject.is_checked {
            true => verdicts(subject, ours, before),
            false => [None, None],
        },
    }
}

/// What some work gives, and how long this thread has worked for it.
fn timed<T>(work: impl FnOnce() -> Result<T, String>) -> Result<(f64, T), String> {
    let watch = Stopwatch::start();
    let done = work()?;
    Ok((watch.elapsed().as_secs_f64(), done))
}

fn load(subject: &Subject) -> Result<LoadedModel, String> {
    let unreadable = |error| format!("cannot read `{}`: {error}", subject.path.display());
    let input = ModelInput {
        text: fs::read_to_string(&subject.path).map_err(unreadable)?,
        path: subject.path.clone(),
        defines: subject.constants.clone(),
        dialect: None,
        read: |path| fs::read_to_string(path),
    };
    frontend::load(input).map_err(|error| match error {
        LoadError::Wrong {
            diagnostics,
            sources,
        } => {
            let first = diagnostics.first().map(|d| d.one_line(&sources));
            first.unwrap_or_default()
        }
        LoadError::Option(what) | LoadError::Defect(what) => what,
    })
}

/// As many steps of work as a check spends on proofs if nothing else is said.
const PROOF_STEPS: u64 = 20_000_000;

/// Rewrites a model and compiles what is to be searched, perhaps with its symmetry, which is looked for and proven.
fn compile(loaded: &LoadedModel, detection: Detection) -> Result<(), String> {
    let wanted = Wanted {
        aim: Aim::plain(Observers::default()),
        detection,
        statics: StaticReductions::ALL,
        form: Form::Rules,
        asymmetry: false,
    };
    let prepared = prepare(&loaded.model, wanted, None, || {
        ProofBudget::of_steps(PROOF_STEPS)
    });
    let prepared = prepared.map_err(|error| format!("{error:?}"))?;
    let program = prepared.searched.program(Observers::default());
    let program = program.map_err(|error| format!("{error:?}"))?;
    match program.operations() {
        0 => Err("there is nothing to do".into()),
        _ => Ok(()),
    }
}

fn verdicts(
    subject: &Subject,
    ours: &Mandala,
    before: Option<&Mandala>,
) -> [Option<Result<f64, String>>; 2] {
    let ask = |mandala: &Mandala| mandala.ask(arguments(subject)).and_then(worked);
    let time = |time: &f64| *time;
    match before {
        None => [Some(least(|| ask(ours), time)), None],
        Some(before) => {
            let (ours, before) = least_of_both(|| ask(ours), time, || ask(before), time);
            [Some(ours), Some(before)]
        }
    }
}

fn arguments(subject: &Subject) -> Vec<String> {
    let path = subject.path.canonicalize();
    let path = path.unwrap_or_else(|_| subject.path.clone());
    let path = path.display().to_string();
    let options = ["--symmetry", "off", "--workers", "1", "--no-deadlock"];
    let options = options.into_iter().map(String::from);
    ["check".to_string(), path]
        .into_iter()
        .chain(options)
        .collect()
}

fn worked(answer: Answer) -> Result<f64, String> {
    match answer.document.coverage.complete {
        true => Ok(answer.spent.work),
        false => Err("not everything was visited".into()),
    }
}

impl Row {
    /// Our time to the verdict divided by that from before.
    fn ratio(&self) -> Option<f64> {
        let [ours, before] = &self.verdicts;
        let ours = ours.as_ref()?.as_ref().ok()?;
        let before = before.as_ref()?.as_ref().ok()?;
        Some(ours / before)
    }

    fn is_in_time(&self) -> bool {
        let within = |time: &Result<f64, String>, most| time.as_ref().is_ok_and(|t| *t < most);
        within(&self.load, LOAD_MOST) && within(&self.compile, COMPILE_MOST)
    }

    fn cells(&self) -> Vec<Cell> {
        let verdict = |which: usize| {
            let measured = self.verdicts[which].as_ref();
            measured.and_then(|measured| measured.as_ref().ok())
        };
        vec![
            ("model", json!(self.name)),
            ("load", json!(self.load.as_ref().ok())),
            ("compile", json!(self.compile.as_ref().ok())),
            ("in_time", json!(self.is_in_time())),
            ("prepare", json!(self.prepare.as_ref().ok())),
            ("verdict", json!(verdict(0))),
            ("before", json!(verdict(1))),
        ]
    }

    fn line(&self) -> Vec<String> {
        let [ours, before] = &self.verdicts;
        let told = |measured: &Option<Result<f64, String>>| {
            measured.as_ref().map(seconds_or_why).unwrap_or_default()
        };
        vec![
            self.name.clone(),
            seconds_or_why(&self.load),
            seconds_or_why(&self.compile),
            yes_no(self.is_in_time()),
            seconds_or_why(&self.prepare),
            told(ours),
            told(before),
            self.ratio().map(factor).unwrap_or_default(),
        ]
    }

    fn failures(&self) -> impl Iterator<Item = &String> {
        let verdicts = self.verdicts.iter().flatten();
        let all = [&self.load, &self.compile, &self.prepare].into_iter();
        let all = all.chain(verdicts);
        all.filter_map(|measured| measured.as_ref().err())
            .filter(|why| !why.contains('>'))
    }
}

fn cells(rows: &[Row]) -> Vec<Vec<Cell>> {
    rows.iter().map(Row::cells).collect()
}

/// The families that take longer to load for many members than for few, and what each takes.
fn grown(rows: &[Row]) -> Vec<(&str, f64, f64)> {
    let pairs = rows.windows(2).filter_map(|pair| {
        let few = pair[0].name.strip_suffix("/3")?;
        let many = pair[1].name.strip_prefix(few)?.starts_with('/');
        let times = (pair[0].load.as_ref().ok()?, pair[1].load.as_ref().ok()?);
        many.then_some((few, *times.0, *times.1))
    });
    pairs
        .filter(|(_, few, many)| *many > few * GROWTH_MOST)
        .collect()
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), String> {
    let [load, compile] = [LOAD_MOST, COMPILE_MOST].map(seconds);
    say(
        out,
        &format!(
            "Time that was worked: to load (wanted: less than {load}), to rewrite and compile (wanted: less than {compile}), the same \
             with the\nsymmetry found and proven, and from the command to the verdict, with one worker and without symmetry\n"
        ),
    )?;
    let header = [
        "model",
        "load",
        "compile",
        "in time",
        "with symmetry",
        "verdict",
        "before",
        "ratio",
    ];
    let mut table = Table::new(&header);
    rows.iter().for_each(|row| table.row(row.line()));
    table.write(out)?;
    for (family, few, many) in grown(rows) {
        let [few, many] = [few, many].map(seconds);
        say(
            out,
            &format!("{family}: many members take {many} to load, {FEW} take {few}"),
        )?;
    }
    for row in rows {
        for why in row.failures() {
            say(out, &format!("{}: {why}", row.name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Selection;
    use std::time::Duration;

    fn wishes(more_models: Option<PathBuf>) -> Wishes {
        Wishes {
            only: Selection::new(Vec::new()),
            quick: true,
            limit: Duration::from_secs(60),
            models: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")),
            more_models,
        }
    }

    fn taking(name: &str, load: f64) -> Row {
        Row {
            name: name.into(),
            load: Ok(load),
            compile: Ok(0.05),
            prepare: Ok(0.2),
            verdicts: [Some(Ok(1.0)), Some(Ok(2.0))],
        }
    }

    #[test]
    fn all_bundled_models_in_murphi_are_families() {
        let models = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        let mut found = Vec::new();
        for folder in fs::read_dir(&models).unwrap().flatten() {
            let Ok(files) = fs::read_dir(folder.path()) else {
                continue;
            };
            let files = files.flatten().map(|file| file.path());
            found.extend(files.filter(|path| path.extension().is_some_and(|e| e == "m")));
        }
        found.sort();
        let mut known: Vec<PathBuf> = FAMILIES
            .iter()
            .map(|(file, ..)| models.join(file))
            .collect();
        known.sort();
        assert_eq!(found, known);
    }

    #[test]
    fn a_model_is_loaded_and_compiled() {
        let subject = subjects(&wishes(None)).unwrap().swap_remove(0);
        assert_eq!(subject.name, "directory.m/3");
        let model = load(&subject).unwrap();
        assert_eq!(compile(&model, Detection::Off), Ok(()));
        assert_eq!(compile(&model, Detection::On), Ok(()));
        let missing = Subject {
            path: "nowhere.m".into(),
            ..subject
        };
        assert!(load(&missing).unwrap_err().contains("nowhere.m"));
    }

    #[test]
    fn given_models_are_checked_by_one_worker() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.m"), "").unwrap();
        fs::write(folder.path().join("notes.txt"), "").unwrap();
        let complete = Wishes {
            quick: false,
            ..wishes(Some(folder.path().into()))
        };
        let subjects = subjects(&complete).unwrap();
        let given = subjects.last().unwrap();
        assert_eq!((given.name.as_str(), given.is_checked), ("a.m", true));
        assert_eq!(subjects.len(), 2 * FAMILIES.len() + 2);
        assert!(
            arguments(given)
                .join(" ")
                .ends_with("a.m --symmetry off --workers 1 --no-deadlock")
        );
    }

    #[test]
    fn what_is_not_as_wanted_is_told() {
        let slow = taking("sci.m", 0.03);
        assert!(!slow.is_in_time() && taking("a.m", 0.01).is_in_time());
        assert_eq!(slow.ratio(), Some(0.5));
        let rows = [taking("a.m/3", 0.01), taking("a.m/100", 0.02), slow];
        assert_eq!(grown(&rows), [("a.m", 0.01, 0.02)]);
        assert_eq!(grown(&rows[1..]), []);
        let mut out = Vec::new();
        print(&rows, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("a.m: many members take 20.0 ms to load"),
            "{text}"
        );
        assert!(text.contains("NO"), "{text}");
    }

    #[test]
    fn what_fails_is_told_below_the_table() {
        let mut row = taking("a.m", 0.01);
        row.compile = Err("no code".into());
        row.verdicts[1] = Some(Err("> 60 s".into()));
        assert_eq!(row.failures().collect::<Vec<_>>(), ["no code"]);
        assert_eq!(row.cells().len(), row.line().len() - 1);
    }
}
