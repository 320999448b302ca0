//! One model, several opinions.
//!
//! Mandala searches with machine code, with bytecode and with the reference interpreter, and with symmetry. Rumur
//! searches all states, and one for each orbit. All must agree on whether there is an error; without one they must count
//! the same states and the same steps. With symmetry there must be as many states as Rumur has orbits, if
//! the group that Mandala has proven is the whole one that Rumur takes for granted.

use super::{Model, shrink};
use crate::rumur::{self, Rumur, Symmetry};
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput};
use mandala_checker::options::{
    CheckOptions, EngineChoice, Limits, StaticReductions, Switch, SymmetryChoice,
};
use mandala_checker::run::CheckError;
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::document::{Document, Verdict};
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

/// How many states a random model may have.
const LARGEST: u64 = 20_000;

/// How many states the interpreter is troubled with.
const LARGEST_INTERPRETED: u64 = 2_000;

/// How long each of Rumur's programs may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// All opinions agree, as far as there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Rumur says the same.
    Confirmed {
        /// How many states there are without symmetry.
        states: u64,
        /// Whether there is an error.
        violated: bool,
        /// How many orbits there are, if Rumur has confirmed that as well.
        orbits: Option<u64>,
    },
    /// It has too many states for a comparison.
    TooLarge,
    /// Rumur was not asked or has no answer, for this reason; our own engines agree.
    OursOnly(String),
}

/// Two opinions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// Rumur finds an error and we do not, or the other way round.
    Verdict(String),
    /// Rumur has other numbers of states or rules.
    Counts(String),
    /// Rumur has another number of orbits.
    Orbits(String),
    /// One side refuses the model.
    Refused(String),
    /// Our own searches differ.
    Engines(String),
    /// A panic, or a defect that shows without a second opinion.
    Defect(String),
}

impl Display for Disagreement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Disagreement::Verdict(text) => write!(f, "different verdicts: {text}"),
            Disagreement::Counts(text) => write!(f, "different counts: {text}"),
            Disagreement::Orbits(text) => write!(f, "different numbers of orbits: {text}"),
            Disagreement::Refused(text) => write!(f, "one side refuses it: {text}"),
            Disagreement::Engines(text) => write!(f, "our searches differ: {text}"),
            Disagreement::Defect(text) => write!(f, "a defect: {text}"),
        }
    }
}

/// What one of our searches found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    states: u64,
    rules: u64,
    /// What is wrong, if anything.
    error: Option<String>,
    /// The order of the group that was used, where all of it was declared.
    declared_order: Option<String>,
}

/// Asks everybody about a model.
pub fn compare(model: &Model, rumur: Option<&Rumur>) -> Result<Agreement, Disagreement> {
    compare_text(&model.to_string(), rumur)
}

/// Asks everybody about a text.
pub fn compare_text(text: &str, rumur: Option<&Rumur>) -> Result<Agreement, Disagreement> {
    let ours = match opinions(text) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(Agreement::TooLarge),
        Err(Disagreement::Refused(why)) => return refused(text, why, rumur),
        Err(other) => return Err(other),
    };
    match ask(text, Symmetry::Off, rumur) {
        Ok(theirs) => {
            judge(&ours.all, &theirs)?;
            Ok(Agreement::Confirmed {
                states: ours.all.states,
                violated: ours.all.error.is_some(),
                orbits: judge_orbits(text, &ours, rumur)?,
            })
        }
        Err(rumur::Answer::Refused(why)) => Err(Disagreement::Refused(why)),
        Err(rumur::Answer::Nothing(why)) => Ok(Agreement::OursOnly(why)),
        Err(rumur::Answer::Complete(_)) => Ok(Agreement::OursOnly("nothing".into())),
    }
}

/// Everything that Rumur can say but numbers is an error here.
fn ask(
    text: &str,
    symmetry: Symmetry,
    rumur: Option<&Rumur>,
) -> Result<rumur::Search, rumur::Answer> {
    let Some(rumur) = rumur else {
        return Err(rumur::Answer::Nothing("Rumur is not installed".into()));
    };
    match rumur.ask(text, symmetry, PATIENCE) {
        Ok(rumur::Answer::Complete(search)) => Ok(search),
        Ok(other) => Err(other),
        Err(error) => Err(rumur::Answer::Nothing(error.to_string())),
    }
}

/// A model that we refuse is one that Rumur must refuse.
fn refused(text: &str, why: String, rumur: Option<&Rumur>) -> Result<Agreement, Disagreement> {
    match ask(text, Symmetry::Off, rumur) {
        Ok(_) => Err(Disagreement::Refused(why)),
        Err(_) => Ok(Agreement::OursOnly(format!("both refuse it: {why}"))),
    }
}

fn judge(ours: &Found, theirs: &rumur::Search) -> Result<(), Disagreement> {
    if ours.error.is_some() != theirs.error.is_some() {
        let text = format!("Rumur: {:?}, Mandala: {:?}", theirs.error, ours.error);
        return Err(Disagreement::Verdict(text));
    }
    let same = (ours.states, ours.rules) == (theirs.states, theirs.rules);
    if same || ours.error.is_some() {
        return Ok(());
    }
    Err(Disagreement::Counts(format!(
        "Rumur {} states, {} rules; Mandala {} and {}",
        theirs.states, theirs.rules, ours.states, ours.rules
    )))
}

/// Compares numbers of orbits, where the group is all of that of the scalarsets.
fn judge_orbits(
    text: &str,
    ours: &Opinions,
    rumur: Option<&Rumur>,
) -> Result<Option<u64>, Disagreement> {
    let is_whole = ours.reduced.declared_order == Some(whole_order(text).to_string());
    if ours.all.error.is_some() || !is_whole {
        return Ok(None);
    }
    let Ok(theirs) = ask(text, Symmetry::Exhaustive, rumur) else {
        return Ok(None);
    };
    let states = ours.reduced.states;
    match theirs.error.is_none() && theirs.states == states {
        true => Ok(Some(states)),
        false => Err(Disagreement::Orbits(format!(
            "Rumur {} ({:?}), Mandala {states}",
            theirs.states, theirs.error
        ))),
    }
}

/// The order of the group of all scalarsets of a text.
fn whole_order(text: &str) -> u64 {
    let sizes = text.lines().filter_map(|line| {
        let (_, size) = line.split_once(": scalarset(")?;
        size.split_once(')')?.0.parse::<u64>().ok()
    });
    sizes.map(|size| (1..=size).product::<u64>()).product()
}

/// What our own searches found: over all states, and with symmetry.
struct Opinions {
    all: Found,
    reduced: Found,
}

/// Our opinions, which must agree; nothing if the model is too large.
fn opinions(text: &str) -> Result<Option<Opinions>, Disagreement> {
    let plain = CheckOptions {
        symmetry: SymmetryChoice::Off,
        partial_order: Switch::Off,
        static_reductions: StaticReductions::NONE,
        limits: Limits {
            states: Some(LARGEST),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    let Some(all) = search(text, &plain)? else {
        return Ok(None);
    };
    let interpreted = CheckOptions {
        interpret: true,
        ..plain.clone()
    };
    agree(
        "bytecode",
        &all,
        search(text, &interpreted)?,
        Numbers::Equal,
    )?;
    if all.states <= LARGEST_INTERPRETED {
        let reference = CheckOptions {
            engine: EngineChoice::REFERENCE,
            ..plain.clone()
        };
        agree(
            "the interpreter",
            &all,
            search(text, &reference)?,
            Numbers::Equal,
        )?;
    }
    let symmetric = CheckOptions {
        symmetry: SymmetryChoice::default(),
        ..plain
    };
    let reduced = search(text, &symmetric)?;
    agree("symmetry", &all, reduced.clone(), Numbers::Smaller)?;
    let usual = search(text, &CheckOptions::default())?;
    agree("the usual search", &all, usual, Numbers::Smaller)?;
    Ok(reduced.map(|reduced| Opinions { all, reduced }))
}

/// How the numbers of another search have to be.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    Equal,
    Smaller,
}

fn agree(
    name: &str,
    all: &Found,
    other: Option<Found>,
    numbers: Numbers,
) -> Result<(), Disagreement> {
    let same = |other: &Found| {
        let counted = match numbers {
            Numbers::Equal => (other.states, other.rules) == (all.states, all.rules),
            Numbers::Smaller => other.states <= all.states,
        };
        other.error.is_some() == all.error.is_some() && (counted || all.error.is_some())
    };
    if other.as_ref().is_some_and(same) {
        return Ok(());
    }
    let text = format!("all states: {all:?}; {name}: {other:?}");
    Err(Disagreement::Engines(text))
}

/// One search; nothing if there are too many states. Panics are defects.
fn search(text: &str, options: &CheckOptions) -> Result<Option<Found>, Disagreement> {
    let searched = catch_unwind(AssertUnwindSafe(|| {
        let loaded = load(text)?;
        match check(&loaded, options, &mut Nobody) {
            Ok(document) => Ok(found(&document)),
            // Rumur has nothing to say against that.
            Err(Refusal::Check(CheckError::NoRun(_))) => Ok(Some(Found::default())),
            Err(why) => Err(Disagreement::Defect(format!("{why:?}"))),
        }
    }));
    searched.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Disagreement::Defect(format!("panic: {}", text.unwrap_or_default()))
    })?
}

fn found(document: &Document) -> Option<Found> {
    let error = match document.verdict {
        Verdict::Unknown | Verdict::Value => return None,
        Verdict::Holds => None,
        Verdict::Violated => {
            let shown = document.violation.as_ref();
            Some(shown.map_or("missed".into(), |v| v.message.clone()))
        }
    };
    let symmetry = &document.symmetry;
    let declared = symmetry.source == "declared" && symmetry.exact;
    Some(Found {
        states: document.stats.states,
        rules: document.stats.transitions,
        error,
        declared_order: declared.then(|| symmetry.order.clone()),
    })
}

fn load(text: &str) -> Result<LoadedModel, Disagreement> {
    let input = ModelInput {
        path: Path::new("random.m").to_path_buf(),
        text: text.to_string(),
        defines: Vec::new(),
        dialect: Some(frontend::Dialect::Rumur),
        read: |path| std::fs::read_to_string(path),
    };
    frontend::load(input).map_err(|error| match error {
        LoadError::Wrong {
            diagnostics,
            sources,
        } => {
            let lines = diagnostics.iter().map(|d| d.one_line(&sources));
            Disagreement::Refused(lines.collect::<Vec<_>>().join("\n"))
        }
        LoadError::Option(what) | LoadError::Defect(what) => Disagreement::Defect(what),
    })
}

/// Whether Mandala accepts a text.
pub fn outline(text: &str) -> Result<(), Disagreement> {
    load(text).map(|_| ())
}

/// The smallest model that is found and still shows a disagreement of the same kind.
pub fn smallest(model: Model, shown: &Disagreement, rumur: Option<&Rumur>) -> Model {
    let kind = std::mem::discriminant(shown);
    shrink(model, &mut |candidate| {
        compare(candidate, rumur).is_err_and(|found| std::mem::discriminant(&found) == kind)
    })
}
