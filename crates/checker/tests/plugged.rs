//! An engine plugs in by one line. The one here hands everything on to the reference engine, and has to answer what the headers of the bundled
//! models promise.
//!
//! The reference engine writes every state out in full, so what it can do in a test is limited by the number of states: each promise of more than
//! [`MOST_STATES`] is left out. [`TOO_LARGE`] lists the models of which no promise is small enough, and [`CUT_OFF`] the promises that turn
//! out to take too many.

use crate::promises::{self, Counting, Promise};
use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_checker::options::{
    AfterViolation, CheckOptions, Choice, EngineChoice, Limits, StaticReductions, Switch,
    SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_engine::{Capabilities, Engine, EngineError, Outcome, ProgressObserver, Task};
use mandala_reference::ReferenceEngine;
use mandala_report::Document;
use mandala_report::document::{PropertyId, Verdict};
use mandala_report::style::grouped;
use std::path::{Path, PathBuf};

/// Somebody else's engine.
struct Delegate;

impl Engine for Delegate {
    fn name(&self) -> &'static str {
        "delegate"
    }

    fn help(&self) -> &'static str {
        "hands everything on to the reference engine"
    }

    fn capabilities(&self) -> Capabilities {
        ReferenceEngine.capabilities()
    }

    fn run(
        &self,
        task: &Task<'_>,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Outcome, EngineError> {
        ReferenceEngine.run(task, observer)
    }
}

/// The line that plugs it in.
const DELEGATE: EngineChoice = EngineChoice::of(&Delegate);

/// How many states a promise may be about.
const MOST_STATES: u64 = 1_500;

/// How many states a search may store: some violations are met late.
const LIMIT: u64 = 4_000;

/// The promises that are not kept within that limit.
const CUT_OFF: &[&str] = &[
    "peterson.pml N=3 BUG=1",
    "peterson-run.pml N=3 BUG=1",
    "german.m N=3 BUG=1",
];

/// The models of which every promise is about more states.
const TOO_LARGE: &[&str] = &["base-station.pml", "two-hop.pml"];

/// All bundled models.
fn models() -> Vec<PathBuf> {
    let all = [
        promises::models(),
        promises::murphi_models(),
        promises::red_models(),
    ];
    let all = all.map(|found| found.expect("the folder is there"));
    all.into_iter().flatten().collect()
}

fn name(path: &Path) -> String {
    let name = path.file_name().expect("a file");
    name.to_string_lossy().into_owned()
}

fn loaded(path: &Path, promise: &Promise) -> LoadedModel {
    let input = ModelInput {
        path: path.to_path_buf(),
        text: std::fs::read_to_string(path).expect("it can be read"),
        defines: promise.settings.clone(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    load(input).unwrap_or_else(|error| panic!("{path:?}: {error:?}"))
}

/// Everything is searched if the states are counted, else what comes before the first violation.
fn options(engine: EngineChoice, promise: &Promise) -> CheckOptions {
    CheckOptions {
        engine,
        symmetry: SymmetryChoice::Off,
        static_reductions: StaticReductions::NONE,
        partial_order: Switch::Off,
        limits: Limits {
            states: Some(LIMIT),
            ..Limits::default()
        },
        after_violation: match promise.states {
            Some(_) => AfterViolation::GoOn,
            None => AfterViolation::Stop,
        },
        ..CheckOptions::default()
    }
}

fn answer(engine: EngineChoice, loaded: &LoadedModel, promise: &Promise) -> Document {
    let document = check(loaded, &options(engine, promise), &mut Nobody);
    document.unwrap_or_else(|refusal| panic!("{:?}: {refusal:?}", loaded.path))
}

/// Whether the reference engine can be asked: those with symmetry are the same models with fewer states.
fn is_small(promise: &Promise) -> bool {
    let few = promise.states.is_none_or(|states| states <= MOST_STATES);
    promise.counting == Counting::Reachable && few
}

/// What must be the same, whatever engine answers.
fn rows(document: &Document) -> Vec<(PropertyId, Verdict)> {
    let rows = document.properties.iter();
    rows.map(|row| (row.id, row.verdict)).collect()
}

/// What is wrong with the answer, if anything.
fn complaint(promise: &Promise, found: &Document, explicit: &Document) -> Option<String> {
    let wanted = match promise.violated {
        Some(_) => Verdict::Violated,
        None => Verdict::Holds,
    };
    let (ours, theirs) = (rows(found), rows(explicit));
    if found.search.engine != DELEGATE.name() {
        return Some(format!("answered by {}", found.search.engine));
    }
    if found.verdict != wanted {
        return Some(format!("{wanted:?}, {:?} found", found.verdict));
    }
    // What else is known when a search stops depends on its order.
    (promise.states.is_some() && ours != theirs).then(|| format!("{theirs:?}, {ours:?} found"))
}

/// What is wrong with the number of states, if it is promised.
fn miscount(promise: &Promise, found: &Document) -> Option<String> {
    let promised = promise.states?;
    let stats = found.properties.first()?.stats.as_ref();
    let states = stats.map_or(0, |stats| stats.states);
    (states != promised).then(|| format!("{promised} states, {states} found"))
}

/// What came of all promises.
#[derive(Default)]
struct Tally {
    kept: usize,
    broken: Vec<String>,
    cut_off: Vec<String>,
    too_large: Vec<String>,
}

impl Tally {
    fn ask(&mut self, path: &Path, promise: &Promise) {
        let what = format!("{} {}", name(path), promise.settings.join(" "));
        let loaded = loaded(path, promise);
        let found = answer(DELEGATE, &loaded, promise);
        let cut = format!("the limit of {} states was reached", grouped(LIMIT));
        if found.coverage.reason == Some(cut) {
            return self.cut_off.push(what);
        }
        let explicit = answer(EngineChoice::EXPLICIT, &loaded, promise);
        let complaint = complaint(promise, &found, &explicit);
        match complaint.or_else(|| miscount(promise, &found)) {
            Some(complaint) => self.broken.push(format!("{what}: {complaint}")),
            None => self.kept += 1,
        }
    }
}

#[test]
fn an_engine_that_plugs_in_by_one_line_keeps_the_promises_of_the_bundled_models() {
    let mut tally = Tally::default();
    for path in models() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let promises = promises::promises(&text).expect("every line can be read");
        let small: Vec<&Promise> = promises.iter().filter(|p| is_small(p)).collect();
        if small.is_empty() {
            tally.too_large.push(name(&path));
        }
        small.iter().for_each(|promise| tally.ask(&path, promise));
    }
    assert!(tally.broken.is_empty(), "{}", tally.broken.join("\n"));
    assert_eq!(tally.too_large, TOO_LARGE, "models without a small promise");
    assert_eq!(tally.cut_off, CUT_OFF, "searches that reached the limit");
    assert!(tally.kept >= 130, "only {} promises were kept", tally.kept);
}

#[test]
fn what_the_engine_cannot_do_is_refused_in_its_name() {
    let input = ModelInput {
        path: "model.pml".into(),
        text: "active proctype P() { skip }".into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    let loaded = load(input).expect("a right model");
    let options = CheckOptions {
        engine: DELEGATE,
        interpret: true,
        ..CheckOptions::default()
    };
    let refused = check(&loaded, &options, &mut Nobody);
    let Err(Refusal::Plan(error)) = refused else {
        panic!("{refused:?}");
    };
    assert!(error.to_string().contains("`--engine delegate`"), "{error}");
}
