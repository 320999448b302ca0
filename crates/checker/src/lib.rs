//! Plan, run, replay, pronounce the verdict.
//!
//! ```text
//! ModelInput --frontend--> LoadedModel --plan--> CheckPlan --run--> PropertyOutcome... --conclude--> Document
//!                                                   |  \
//!                                                   |   symmetry (what is certified for each check)
//!                              engine --evidence--> lift --labels--> replay --ReplayedRun--> explain, present
//! ```
//!
//! # Invariants
//!
//! - What is asked for ([`options`]) becomes what will be done ([`plan`]) or an error, never a
//!   silently changed wish.
//! - An engine's evidence is only a claim. A counterexample is shown only after the interpreter has
//!   made the whole run ([`replay::ReplayedRun`] has no other constructor); if it cannot, there is no
//!   verdict but an error that says so.
//! - `holds` is said only after a search that visited everything and decides the property.
//! - Nothing here prints, or touches the disk but for the checkpoints of an engine.

mod assertions;
mod automaton;
pub mod checkpoint;
pub mod conclude;
mod coverage;
pub mod engine;
pub mod explain;
mod follow;
pub mod frontend;
mod judge;
mod lasso;
mod leaving;
pub mod lift;
mod liveness;
mod missed;
pub mod options;
pub mod plan;
pub mod present;
pub mod replay;
pub mod retrace;
pub mod run;
mod statements;
pub mod statics;
pub mod symmetry;
pub mod trail;
mod trimming;
pub mod watch;
mod ways;

use frontend::LoadedModel;
use mandala_report::Document;
use options::CheckOptions;
use plan::{PlanError, plan};
use run::CheckError;
use symmetry::{RefusedDeclaration, SymmetryReport};
use watch::Watch;

/// Why there is no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What is asked for is not supported.
    Plan(PlanError),
    /// The model declares a symmetry that it does not have.
    Symmetry(RefusedDeclaration),
    /// It was tried and failed.
    Check(CheckError),
}

/// Checks a model and reports: the whole way in one call.
pub fn check(
    loaded: &LoadedModel,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Document, Refusal> {
    let refused = |error: PlanError| Refusal::Plan(error.located(&loaded.sources));
    let plan = plan(&loaded.model, options).map_err(refused)?;
    let defect = |what| Refusal::Check(CheckError::Defect(what));
    let loaded = loaded.with_deadlock(options.deadlock).map_err(defect)?;
    let symmetries = symmetry::of_plan(&loaded, &plan).map_err(Refusal::Symmetry)?;
    let outcomes = run::run(&loaded, &plan, &symmetries, watch).map_err(Refusal::Check)?;
    Ok(conclude::conclude(&loaded, &plan, outcomes))
}

/// Finds what is interchangeable in a model, without checking it.
pub fn symmetry(loaded: &LoadedModel, options: &CheckOptions) -> Result<SymmetryReport, Refusal> {
    let plan = plan(&loaded.model, options).map_err(Refusal::Plan)?;
    symmetry::report(loaded, &plan).map_err(Refusal::Symmetry)
}
