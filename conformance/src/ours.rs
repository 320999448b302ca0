//! Asking Mandala the questions that Spin is asked.

use crate::spin::Claim;
use mandala_checker::document::present;
pub use mandala_checker::frontend::Dialect;
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput};
use mandala_checker::options::{
    AfterViolation, CheckOptions, Deadlock, Limits, SAFETY, Selection, StaticReductions, Switch,
};
use mandala_checker::outcome::{PropertyOutcome, Verdict};
use mandala_checker::plan::{CheckPlan, Decision, Scope, plan};
use mandala_checker::run;
use mandala_checker::symmetry;
use mandala_checker::watch::Nobody;
use mandala_engine::Extent;
use std::path::Path;

pub use mandala_checker::options::{EngineChoice, SearchOrder, SymmetryChoice};
pub use mandala_report::document::ViolationKind;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Where the model is said to be; included files are looked for next to it.
    pub path: &'a Path,
    /// The model.
    pub text: &'a str,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: &'a [String],
    /// The tool whose meaning a Murphi model has.
    pub dialect: Option<Dialect>,
    /// Which part of it.
    pub claim: Claim,
    /// What searches.
    pub engine: EngineChoice,
    /// In which order.
    pub order: SearchOrder,
    /// After how many states the search gives up.
    pub limit: Option<u64>,
}

/// What Mandala says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has searched everything.
    Complete(Search),
    /// It stopped at the limit.
    TooLarge,
    /// It does not accept the model, for this reason.
    Refused(String),
    /// Something that must not happen: a defect of Mandala.
    Defect(String),
}

/// The summary of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// States stored.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Whether there is a violation.
    pub violated: bool,
    /// What the counterexample shows; it has been replayed.
    pub shown: Option<Shown>,
}

/// A counterexample in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What is violated.
    pub kind: ViolationKind,
    /// In words.
    pub message: String,
    /// How many steps lead there.
    pub steps: usize,
}

/// Asks: everything is searched, without reductions, and the first violation is replayed.
pub fn ask(question: &Question<'_>) -> Answer {
    ask_with(question, SymmetryChoice::Off)
}

/// The same with symmetry used in that way.
pub fn ask_with(question: &Question<'_>, symmetry: SymmetryChoice) -> Answer {
    let loaded = match frontend::load(input(question)) {
        Ok(loaded) => loaded,
        Err(LoadError::Wrong {
            diagnostics,
            sources,
        }) => {
            let texts = diagnostics.iter();
            let texts = texts.map(|d| format!("{}: {}", sources.location(d.span), d.message));
            return Answer::Refused(texts.collect::<Vec<_>>().join("\n"));
        }
        Err(LoadError::Option(what) | LoadError::Defect(what)) => return Answer::Defect(what),
    };
    let Some(plan) = plan_of(&loaded, question, symmetry) else {
        return Answer::Defect("the options are not supported".into());
    };
    let symmetries = match symmetry::of_plan(&loaded, &plan) {
        Ok(symmetries) => symmetries,
        Err(error) => return Answer::Defect(format!("no symmetry is told: {error:?}")),
    };
    match run::run(&loaded, &plan, &symmetries, &mut Nobody) {
        Ok(outcomes) => summary(outcomes),
        Err(error) => Answer::Defect(error.to_string()),
    }
}

fn input(question: &Question<'_>) -> ModelInput {
    ModelInput {
        path: question.path.to_path_buf(),
        text: question.text.to_string(),
        defines: question.defines.to_vec(),
        dialect: question.dialect,
        read: |path| std::fs::read_to_string(path),
    }
}

/// One search: of the safety of the system alone, or together with its first claim. Spin counts
/// failed assertions of the system also when a claim runs along, so the same is asked for here. Of the claim only what ends counts: what
/// happens for ever is the matter of [`crate::forever`].
fn plan_of(
    loaded: &LoadedModel,
    question: &Question<'_>,
    symmetry: SymmetryChoice,
) -> Option<CheckPlan> {
    let mut plan = plan(&loaded.model, &options(question, symmetry)).ok()?;
    let claim = plan.checks.iter().position(|c| !c.is_of_system());
    let chosen = match question.claim {
        Claim::None => plan.checks.iter().position(|c| c.name == SAFETY)?,
        Claim::Product => claim.unwrap_or(0),
    };
    let mut check = plan.checks.swap_remove(chosen);
    check.scope = Scope::System(Deadlock::Report);
    check.decision = Decision::Full;
    plan.checks = vec![check];
    Some(plan)
}

fn options(question: &Question<'_>, symmetry: SymmetryChoice) -> CheckOptions {
    CheckOptions {
        symmetry,
        partial_order: Switch::Off,
        static_reductions: StaticReductions::NONE,
        order: question.order,
        engine: question.engine,
        limits: Limits {
            states: question.limit,
            ..Limits::default()
        },
        properties: Selection::Everything,
        deadlock: Deadlock::Report,
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    }
}

fn summary(outcomes: Vec<PropertyOutcome>) -> Answer {
    // What the search decides besides, as liveness of Murphi.
    let others = outcomes.iter().skip(1);
    let others = others
        .filter(|o| matches!(o.verdict, Verdict::Violated(_)))
        .count();
    let Some(outcome) = outcomes.into_iter().next() else {
        return Answer::Defect("no search was made".into());
    };
    let Some(search) = outcome.search else {
        return Answer::Defect("no search was made".into());
    };
    let shown = match outcome.verdict {
        Verdict::Violated(found) => Some(Shown {
            kind: present::violation_kind(found.shown.run.violation()),
            message: found.explanation.message,
            steps: found.shown.run.steps().len(),
        }),
        Verdict::Holds | Verdict::Missed(_) | Verdict::Unknown(_) | Verdict::Value => None,
    };
    match search.extent {
        Extent::Complete => Answer::Complete(Search {
            states: search.statistics.states,
            transitions: search.statistics.transitions,
            violated: !search.violations.is_empty() || others > 0,
            shown,
        }),
        Extent::Limited(_) => Answer::TooLarge,
        other => Answer::Defect(format!("the search ended early: {other:?}")),
    }
}
