//! Liveness questions to Mandala, for comparisons.
//!
//! One property of one model in many manners: with and without symmetry, static reductions, partial-order reduction, fairness, and by the reference engine. Each
//! counterexample is written as JSON, read again and replayed before it is believed.

use crate::random::RandomSource;
use mandala_checker::document::retrace::{Resemblance, retrace};
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput, PropertyInput};
use mandala_checker::options::{
    CheckOptions, Choice, CycleSearch, Deadlock, EngineChoice, Limits, SAFETY, SearchOrder,
    Selection, StaticReductions, Switch, SymmetryChoice,
};
use mandala_checker::run::{CheckError, EngineError};
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_model::stated::StatedForm;
use mandala_reduce::Strategy;
use mandala_report::document::{Document, Trace, Verdict};
use mandala_report::json;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

pub use mandala_checker::options::Fairness;
pub use mandala_model::labels::{ACCEPT, NON_PROGRESS};

/// How a property is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// By what.
    pub engine: EngineChoice,
    /// How symmetry is used.
    pub symmetry: SymmetryChoice,
    /// Which simplifications are made beforehand.
    pub statics: StaticReductions,
    /// In which order.
    pub order: SearchOrder,
    /// By how many threads.
    pub workers: NonZeroU32,
    /// How runs are looked for that go on for ever.
    pub cycles: CycleSearch,
    /// Whether steps are left out.
    pub partial_order: Switch,
}

impl Manner {
    /// All states, nothing simplified.
    pub const PLAIN: Manner = Manner {
        engine: EngineChoice::EXPLICIT,
        symmetry: SymmetryChoice::Off,
        statics: StaticReductions::NONE,
        order: SearchOrder::BreadthFirst,
        workers: NonZeroU32::MIN,
        cycles: CycleSearch::Auto,
        partial_order: Switch::Off,
    };

    /// What a user gets who asks for nothing.
    pub const USUAL: Manner = Manner {
        symmetry: SymmetryChoice::Use(Strategy::Auto),
        statics: StaticReductions::ALL,
        ..Manner::PLAIN
    };

    /// The interpreter, which looks at each single step.
    pub const REFERENCE: Manner = Manner {
        engine: EngineChoice::REFERENCE,
        ..Manner::PLAIN
    };

    /// Steps are left out, and nothing else is saved.
    pub const PARTLY: Manner = Manner {
        partial_order: Switch::On,
        ..Manner::PLAIN
    };

    /// The same in whatever other way.
    pub fn partly(self) -> Manner {
        Manner {
            cycles: CycleSearch::Auto,
            partial_order: Switch::On,
            ..self
        }
    }

    /// Sets of states as decision diagrams, with that use of symmetry, in one of the two orders.
    pub fn on_diagrams(dice: &mut RandomSource, symmetry: SymmetryChoice) -> Manner {
        Manner {
            engine: EngineChoice::SYMBOLIC,
            symmetry,
            statics: dice.pick(&[StaticReductions::ALL, StaticReductions::NONE]),
            order: dice.pick(&[SearchOrder::BreadthFirst, SearchOrder::DepthFirst]),
            ..Manner::PLAIN
        }
    }

    /// Another way to use symmetry or the machine, but never that of the others.
    pub fn random(dice: &mut RandomSource) -> Manner {
        let two = NonZeroU32::MIN.saturating_add(1);
        let strategy = dice.pick(&STRATEGIES);
        Manner {
            symmetry: dice.pick(&[SymmetryChoice::Off, SymmetryChoice::Use(strategy)]),
            statics: dice.pick(&[StaticReductions::ALL, StaticReductions::NONE]),
            order: dice.pick(&[SearchOrder::BreadthFirst, SearchOrder::DepthFirst]),
            workers: dice.pick(&[NonZeroU32::MIN, two]),
            cycles: dice.pick(CycleSearch::ALL),
            ..Manner::PLAIN
        }
    }
}

/// The strategies that keep no states of their own.
const STRATEGIES: [Strategy; 6] = [
    Strategy::Auto,
    Strategy::Full,
    Strategy::PcSorted,
    Strategy::PcSegmented,
    Strategy::Enumerate,
    Strategy::LocalSearch,
];

/// What Mandala says of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// Every run satisfies it.
    Holds {
        /// Whether symmetry was used.
        reduced: bool,
        /// How many states were visited.
        states: u64,
    },
    /// Some run does not; it has been replayed.
    Violated {
        /// How many steps come again and again, if the run never ends.
        round: Option<usize>,
        /// Whether symmetry was used.
        reduced: bool,
        /// How many states were visited.
        states: u64,
    },
    /// A limit was reached.
    TooLarge,
    /// The manner is not for this model or property.
    NotAvailable(String),
}

impl Opinion {
    /// Whether the property is violated, if there is an answer.
    pub fn violated(&self) -> Option<bool> {
        match self {
            Opinion::Holds { .. } => Some(false),
            Opinion::Violated { .. } => Some(true),
            Opinion::TooLarge | Opinion::NotAvailable(_) => None,
        }
    }

    /// Whether symmetry was used.
    pub fn is_reduced(&self) -> bool {
        match self {
            Opinion::Holds { reduced, .. } | Opinion::Violated { reduced, .. } => *reduced,
            Opinion::TooLarge | Opinion::NotAvailable(_) => false,
        }
    }

    /// How many states were visited, if there is an answer.
    pub fn states(&self) -> Option<u64> {
        match self {
            Opinion::Holds { states, .. } | Opinion::Violated { states, .. } => Some(*states),
            Opinion::TooLarge | Opinion::NotAvailable(_) => None,
        }
    }
}

/// Reads a model. It gets the properties `accept` and `progress` beside those that it has.
///
/// # Errors
///
/// What is wrong with it.
pub fn load(path: &Path, text: &str) -> Result<LoadedModel, String> {
    let labels = [
        (StatedForm::Accept, ACCEPT),
        (StatedForm::Progress, NON_PROGRESS),
    ];
    let stated = labels.map(|(form, name)| stated(form, name, ""));
    load_with(path, text, &[], stated.into())
}

/// Reads a model that states its properties itself.
///
/// # Errors
///
/// What is wrong with it.
pub fn load_alone(path: &Path, text: &str) -> Result<LoadedModel, String> {
    load_with(path, text, &[], Vec::new())
}

/// Reads a model with those macros, and formulas of linear temporal logic beside it, by name.
///
/// # Errors
///
/// What is wrong with them.
pub fn load_linear(
    path: &Path,
    text: &str,
    defines: &[&str],
    formulas: &[(&str, String)],
) -> Result<LoadedModel, String> {
    let formulas = formulas.iter();
    let stated = formulas.map(|(name, formula)| stated(StatedForm::Ltl, name, formula));
    load_with(path, text, defines, stated.collect())
}

/// The name of the formula that [`load_branching`] adds.
pub const BRANCHING: &str = "branching";

/// Reads a model and a formula of computation tree logic beside it.
///
/// # Errors
///
/// What is wrong with them.
pub fn load_branching(path: &Path, text: &str, formula: &str) -> Result<LoadedModel, String> {
    let formula = stated(StatedForm::Ctl, BRANCHING, formula);
    load_with(path, text, &[], vec![formula])
}

/// The name of the property that [`load_stated`] adds.
pub const STATED: &str = "stated";

/// Reads a model with those constants, and a property beside it.
///
/// # Errors
///
/// What is wrong with them.
pub fn load_stated(
    path: &Path,
    text: &str,
    defines: &[&str],
    (form, property): (StatedForm, &str),
) -> Result<LoadedModel, String> {
    let property = stated(form, STATED, property);
    load_with(path, text, defines, vec![property])
}

fn stated(form: StatedForm, name: &str, text: &str) -> PropertyInput {
    PropertyInput {
        form,
        name: Some(name.into()),
        origin: name.into(),
        text: text.into(),
    }
}

fn load_with(
    path: &Path,
    text: &str,
    defines: &[&str],
    stated: Vec<PropertyInput>,
) -> Result<LoadedModel, String> {
    let input = ModelInput {
        path: path.to_path_buf(),
        text: text.to_string(),
        defines: defines.iter().map(ToString::to_string).collect(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    frontend::load_with(input, stated).map_err(told)
}

/// What is wrong with a model, in words.
pub(crate) fn told(error: LoadError) -> String {
    match error {
        LoadError::Wrong {
            diagnostics,
            sources,
        } => {
            let lines = diagnostics.iter().map(|d| d.one_line(&sources));
            lines.collect::<Vec<_>>().join("\n")
        }
        LoadError::Option(what) | LoadError::Defect(what) => what,
    }
}

/// How many states a model without assertions has, as far as that many tell; nothing if a run breaks off because a step fails.
pub fn states(loaded: &LoadedModel, limit: u64) -> Option<u64> {
    let options = CheckOptions {
        deadlock: Deadlock::Ignore,
        ..options(SAFETY, Manner::PLAIN, Fairness::Off, limit)
    };
    let document = check(loaded, &options, &mut Nobody);
    let whole = document
        .ok()
        .filter(|found| found.verdict != Verdict::Violated);
    whole.map(|document| document.stats.states)
}

/// Asks about a property.
///
/// # Errors
///
/// A defect of Mandala, in words.
pub fn ask(
    loaded: &LoadedModel,
    property: &str,
    manner: Manner,
    fairness: Fairness,
    limit: u64,
) -> Result<Opinion, String> {
    let options = options(property, manner, fairness, limit);
    let asked = || judged(loaded, &options);
    catch_unwind(AssertUnwindSafe(asked)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Err(format!("a panic: {}", text.unwrap_or_default()))
    })
}

fn options(property: &str, manner: Manner, fairness: Fairness, limit: u64) -> CheckOptions {
    CheckOptions {
        engine: manner.engine,
        symmetry: manner.symmetry,
        static_reductions: manner.statics,
        order: manner.order,
        workers: manner.workers,
        cycles: manner.cycles,
        fairness,
        partial_order: manner.partial_order,
        properties: Selection::Named(vec![property.to_string()]),
        limits: Limits {
            states: Some(limit),
            memory: (manner.engine == EngineChoice::SYMBOLIC).then_some(MEMORY),
            ..Limits::default()
        },
        ..CheckOptions::default()
    }
}

/// Memory for diagrams: so few states need no more.
const MEMORY: u64 = 1 << 24;

fn judged(loaded: &LoadedModel, options: &CheckOptions) -> Result<Opinion, String> {
    let document = match check(loaded, options, &mut Nobody) {
        Ok(document) => document,
        Err(Refusal::Plan(error)) => return Ok(Opinion::NotAvailable(error.to_string())),
        Err(Refusal::Symmetry(_)) => {
            return Ok(Opinion::NotAvailable("a declaration is refused".into()));
        }
        Err(Refusal::Check(CheckError::Engine(EngineError::NotTaken { what, .. }))) => {
            return Ok(Opinion::NotAvailable(what));
        }
        Err(Refusal::Check(error @ CheckError::NoRun(_))) => {
            return Ok(Opinion::NotAvailable(error.to_string()));
        }
        Err(Refusal::Check(error)) => return Err(error.to_string()),
    };
    match document.verdict {
        Verdict::Holds => Ok(Opinion::Holds {
            reduced: is_reduced(&document),
            states: document.stats.states,
        }),
        Verdict::Violated => replayed(loaded, &document),
        Verdict::Unknown if document.coverage.complete => {
            Err("everything was visited, and there is no verdict".into())
        }
        Verdict::Unknown | Verdict::Value => Ok(unanswered(document.coverage.reason)),
    }
}

/// What it means that there is no verdict.
fn unanswered(reason: Option<String>) -> Opinion {
    match reason {
        Some(reason) if !reason.contains("limit") => Opinion::NotAvailable(reason),
        _ => Opinion::TooLarge,
    }
}

/// The trace of a counterexample, after the way through JSON and replayed from there.
///
/// # Errors
///
/// Why it is none.
pub(crate) fn retraced(loaded: &LoadedModel, document: &Document) -> Result<Trace, String> {
    let text = json::write(document).map_err(|error| error.to_string())?;
    let read = json::read(&text).map_err(|error| format!("{error:?}"))?;
    let (Some(trace), Some(violation)) = (read.trace, read.violation) else {
        return Err("a violation without a trace".into());
    };
    retrace(loaded, &trace, &violation, Resemblance::Same)
        .map_err(|error| format!("the trace does not replay: {error}"))?;
    Ok(trace)
}

fn replayed(loaded: &LoadedModel, document: &Document) -> Result<Opinion, String> {
    let trace = retraced(loaded, document)?;
    let round = trace.before_cycle.map(|before| trace.steps.len() - before);
    Ok(Opinion::Violated {
        round,
        reduced: is_reduced(document),
        states: document.stats.states,
    })
}

fn is_reduced(document: &Document) -> bool {
    document.symmetry.order != "1"
}
