//! One model, asked of two engines: the one that looks at each state, and the one that has sets of states as decision diagrams.
//!
//! Everything is searched, also after a violation, so that the numbers of states can be compared. Each counterexample is written as JSON, read
//! again and replayed before it is believed.

use crate::forever;
use mandala_checker::frontend::{self, LoadedModel, ModelInput};
use mandala_checker::options::{
    AfterViolation, CheckOptions, EngineChoice, Limits, Selection, StaticReductions, SymmetryChoice,
};
use mandala_checker::plan::{Decision, plan};
use mandala_checker::run::{CheckError, EngineError};
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::Document;
use mandala_report::document::Verdict;
use std::path::Path;

pub use mandala_symbolic::Manner;

/// What an engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Which engine.
    pub engine: EngineChoice,
    /// How it uses symmetry.
    pub symmetry: SymmetryChoice,
    /// Which simplifications are made beforehand.
    pub statics: StaticReductions,
    /// After how many states it gives up.
    pub limit: u64,
}

impl Asked {
    /// State by state, nothing left out.
    pub const fn explicit(limit: u64) -> Self {
        Asked {
            engine: EngineChoice::EXPLICIT,
            symmetry: SymmetryChoice::Off,
            statics: StaticReductions::NONE,
            limit,
        }
    }

    /// The same of the other engine.
    pub const fn on_diagrams(self) -> Self {
        Asked {
            engine: EngineChoice::SYMBOLIC,
            ..self
        }
    }

    /// The same with symmetry.
    pub const fn with(self, symmetry: SymmetryChoice) -> Self {
        Asked { symmetry, ..self }
    }
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Everything was seen.
    Told(Told),
    /// It does not take the model, and why.
    NotTaken(String),
    /// A limit was reached.
    TooLarge,
}

/// What an engine has seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The properties, and what is known of them.
    pub verdicts: Vec<(String, Verdict)>,
    /// How many states were kept.
    pub states: u64,
    /// The order of the group that was used, in decimal.
    pub order: String,
    /// Whether there is one state for each orbit.
    pub exact: bool,
    /// Whether a run to a violation was shown and replayed.
    pub shown: bool,
}

/// Memory for diagrams: what is small needs no more.
const MEMORY: u64 = 1 << 26;

/// Reads a model.
///
/// # Errors
///
/// What is wrong with it.
pub fn load(path: &Path, defines: &[String]) -> Result<LoadedModel, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    load_text(path, &String::from_utf8_lossy(&text), defines)
}

/// Reads a model from a text.
///
/// # Errors
///
/// What is wrong with it.
pub fn load_text(path: &Path, text: &str, defines: &[String]) -> Result<LoadedModel, String> {
    let input = ModelInput {
        path: path.to_path_buf(),
        text: text.to_string(),
        defines: defines.to_vec(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    frontend::load(input).map_err(forever::told)
}

/// Asks an engine about all that both engines decide: what a state or a step shows, what must stay possible, formulas of branching time.
///
/// # Errors
///
/// A defect of Mandala, in words.
pub fn ask(loaded: &LoadedModel, asked: Asked) -> Result<Answer, String> {
    let options = CheckOptions {
        engine: asked.engine,
        symmetry: asked.symmetry,
        static_reductions: asked.statics,
        after_violation: AfterViolation::GoOn,
        properties: Selection::Named(of_both_engines(loaded)?),
        limits: Limits {
            states: Some(asked.limit),
            memory: (asked.engine == EngineChoice::SYMBOLIC).then_some(MEMORY),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    match check(loaded, &options, &mut Nobody) {
        Ok(document) => answer(loaded, &document),
        Err(Refusal::Check(CheckError::Engine(EngineError::NotTaken { what, .. }))) => {
            Ok(Answer::NotTaken(what))
        }
        Err(Refusal::Check(CheckError::NoRun(why))) => Ok(Answer::NotTaken(why.message)),
        Err(refusal) => Err(format!("{refusal:?}")),
    }
}

fn of_both_engines(loaded: &LoadedModel) -> Result<Vec<String>, String> {
    let plan = plan(&loaded.model, &CheckOptions::default()).map_err(|error| error.to_string())?;
    let checks = plan
        .checks
        .into_iter()
        .filter(|check| match check.decision {
            Decision::Full => check.observers.claim.is_none(),
            Decision::Branching => true,
            Decision::Cycles | Decision::Value => false,
        });
    let judged = plan.judged.into_iter().map(|judged| judged.name);
    Ok(checks.map(|check| check.name).chain(judged).collect())
}

fn answer(loaded: &LoadedModel, document: &Document) -> Result<Answer, String> {
    if document.trace.is_some() {
        forever::retraced(loaded, document)?;
    }
    if !document.coverage.complete {
        return Ok(Answer::TooLarge);
    }
    let properties = document.properties.iter();
    Ok(Answer::Told(Told {
        verdicts: properties.map(|p| (p.name.clone(), p.verdict)).collect(),
        states: document.stats.states,
        order: document.symmetry.order.clone(),
        exact: document.symmetry.exact,
        shown: document.trace.is_some(),
    }))
}
