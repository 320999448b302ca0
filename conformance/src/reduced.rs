//! One model, searched in many ways: with and without symmetry, by every strategy.

use crate::ours::{EngineChoice, SearchOrder};
use crate::spin::Claim;
use mandala_checker::document::trail;
use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput};
use mandala_checker::options::{
    AfterViolation, CheckOptions, Deadlock, Expansion, Limits, SAFETY, Selection, StaticReductions,
    SymmetryChoice,
};
use mandala_checker::outcome::{PropertyOutcome, Verdict};
use mandala_checker::plan::{CheckPlan, Decision, Scope, plan};
use mandala_checker::run;
use mandala_checker::watch::Nobody;
use mandala_engine::Extent;
use mandala_model::Model;
use mandala_model::instantiate::written_out;
use mandala_model::step::Observers;
use mandala_prepare::{Aim, Prepared, SymmetryError, detect};
use mandala_symmetry::{ProofBudget, unordered};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// A model with the part of it that is searched.
#[derive(Debug)]
pub struct Case {
    loaded: LoadedModel,
    claim: Claim,
}

/// How it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// With which strategy.
    pub symmetry: SymmetryChoice,
    /// Which states are expanded; `None` leaves it to the checker.
    pub expand: Option<Expansion>,
    /// In which order.
    pub order: SearchOrder,
    /// By what.
    pub engine: EngineChoice,
    /// Where it gives up.
    pub limit: Option<u64>,
}

impl Manner {
    /// Without symmetry, breadth first.
    pub const OFF: Manner = Manner {
        symmetry: SymmetryChoice::Off,
        expand: None,
        order: SearchOrder::BreadthFirst,
        engine: EngineChoice::EXPLICIT,
        limit: None,
    };
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether there is a violation; its run has been replayed.
    pub violated: bool,
    /// How many states were stored.
    pub states: u64,
    /// How many of them may not be the only ones of their orbits.
    pub not_canonical: u64,
    /// Whether nothing follows from it that there is no violation.
    pub unsure: bool,
}

/// The same search without what was found. What has no order by the language has none all the same.
fn without(prepared: &Prepared) -> Prepared {
    Prepared {
        certificate: unordered(&prepared.certified),
        ..prepared.clone()
    }
}

/// Why nothing was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It stopped at the limit.
    TooLarge,
    /// It must not happen: a defect of Mandala.
    Defect(String),
}

impl Case {
    /// Reads a model.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn load(path: &Path, text: &str, defines: &[String], claim: Claim) -> Result<Case, String> {
        let input = ModelInput {
            path: path.to_path_buf(),
            text: text.to_string(),
            defines: defines.to_vec(),
            dialect: None,
            read: |path| std::fs::read_to_string(path),
        };
        match frontend::load(input) {
            Ok(mut loaded) => {
                let model = written_out(Model::clone(&loaded.model));
                loaded.model = Arc::new(model.map_err(|error| error.to_string())?);
                Ok(Case { loaded, claim })
            }
            Err(LoadError::Wrong {
                diagnostics,
                sources,
            }) => {
                let lines = diagnostics.iter().map(|d| d.one_line(&sources));
                Err(lines.collect::<Vec<_>>().join("\n"))
            }
            Err(LoadError::Option(what) | LoadError::Defect(what)) => Err(what),
        }
    }

    /// The model as it is, without any symmetry.
    pub fn plain(&self) -> Rc<Prepared> {
        Rc::new(Prepared::plain(&self.loaded.model))
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.loaded.model
    }

    /// What can be exchanged without the claim noticing.
    ///
    /// # Errors
    ///
    /// What is wrong with the symmetry that the model declares, line by line; a breach without a line says so.
    pub fn symmetry(&self) -> Result<Rc<Prepared>, String> {
        let lines = |error: SymmetryError| match error {
            SymmetryError::Declaration(refused) => {
                let lines = refused.diagnostics.iter();
                let lines = lines.map(|d| d.one_line(&self.loaded.sources));
                lines.collect::<Vec<_>>().join("\n")
            }
            SymmetryError::Defect(defect) => defect.to_string(),
            SymmetryError::TooLarge { message, .. } => message,
        };
        let observers = self.observers().unwrap_or_default();
        let plain = Prepared::plain(&self.loaded.model);
        detect(
            &plain,
            Aim::plain(observers),
            None,
            &ProofBudget::unlimited(),
        )
        .map(Rc::new)
        .map_err(lines)
    }

    /// What runs along with the system.
    pub fn observers(&self) -> Option<Observers> {
        let plan = self.plan(Manner::OFF).ok()?;
        Some(plan.checks.first()?.observers)
    }

    /// Searches everything, also after a violation.
    ///
    /// # Errors
    ///
    /// Why nothing was found out.
    pub fn search(&self, manner: Manner, symmetry: &Rc<Prepared>) -> Result<Found, Failure> {
        let plan = self.plan(manner).map_err(Failure::Defect)?;
        let symmetries = [match manner.symmetry {
            SymmetryChoice::Off => Rc::new(without(symmetry)),
            SymmetryChoice::Use(_)
            | SymmetryChoice::OnSets(_)
            | SymmetryChoice::Partial(_)
            | SymmetryChoice::Counters => Rc::clone(symmetry),
        }];
        match run::run(&self.loaded, &plan, &symmetries, &mut Nobody) {
            Ok(outcomes) => found(outcomes),
            Err(error) => Err(Failure::Defect(error.to_string())),
        }
    }

    /// The first violation of the system's safety as a trail that Spin replays, if there is one.
    ///
    /// # Errors
    ///
    /// Why the question has no answer.
    pub fn trail(&self, manner: Manner) -> Result<Option<String>, String> {
        let options = CheckOptions {
            properties: Selection::Named(vec![SAFETY.into()]),
            after_violation: AfterViolation::Stop,
            ..options(manner)
        };
        let document = mandala_checker::check(&self.loaded, &options, &mut Nobody);
        let document = document.map_err(|refusal| format!("{refusal:?}"))?;
        match document.trace {
            Some(_) => trail::export(&self.loaded, &document).map(Some),
            None => Ok(None),
        }
    }

    /// One search: of the safety of the system alone, or together with its first claim. What happens for ever is not looked for.
    fn plan(&self, manner: Manner) -> Result<CheckPlan, String> {
        let planned = |options: &CheckOptions| {
            plan(&self.loaded.model, options).map_err(|error| error.to_string())
        };
        // Not every manner goes with a claim as a whole, but each does with what is asked of it here.
        let mut checks = planned(&CheckOptions::default())?.checks;
        let is_safety = |name: &str| name == SAFETY;
        let claim = checks.iter().position(|c| !is_safety(&c.name));
        let chosen = match self.claim {
            Claim::None => checks.iter().position(|c| is_safety(&c.name)),
            Claim::Product => claim.or(Some(0)),
        };
        let mut check = checks.swap_remove(chosen.ok_or("nothing to check")?);
        check.scope = Scope::System(Deadlock::Report);
        check.decision = Decision::Full;
        let safety = CheckOptions {
            properties: Selection::Named(vec![SAFETY.into()]),
            ..options(manner)
        };
        let mut plan = planned(&safety)?;
        plan.checks = vec![check];
        Ok(plan)
    }
}

fn options(manner: Manner) -> CheckOptions {
    CheckOptions {
        symmetry: manner.symmetry,
        expand: manner.expand,
        order: manner.order,
        engine: manner.engine,
        limits: Limits {
            states: manner.limit,
            ..Limits::default()
        },
        after_violation: AfterViolation::GoOn,
        static_reductions: StaticReductions::NONE,
        ..CheckOptions::default()
    }
}

fn found(outcomes: Vec<PropertyOutcome>) -> Result<Found, Failure> {
    let defect = |what: &str| Failure::Defect(what.to_string());
    let outcome = outcomes.into_iter().next();
    let outcome = outcome.ok_or_else(|| defect("no search was made"))?;
    let search = outcome.search.ok_or_else(|| defect("no search was made"))?;
    match search.extent {
        Extent::Complete => {}
        Extent::Limited(_) => return Err(Failure::TooLarge),
        other => return Err(Failure::Defect(format!("the search ended: {other:?}"))),
    }
    let shown = matches!(outcome.verdict, Verdict::Violated(_));
    if shown == search.violations.is_empty() {
        return Err(defect("a violation was counted and not shown"));
    }
    Ok(Found {
        violated: shown,
        states: search.statistics.states,
        not_canonical: search.reduction.map_or(0, |r| r.not_canonical),
        unsure: matches!(outcome.verdict, Verdict::Unknown(_)),
    })
}
