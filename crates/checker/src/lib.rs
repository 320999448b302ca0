//! Plan, run, replay, pronounce the verdict.
//!
//! ```text
//! ModelInput --frontend--> LoadedModel --plan--> CheckPlan --mandala_prepare--> Prepared --run--> PropertyOutcome... --document--> Document
//!
//!               engine --evidence--> mandala_evidence (lift, replay) --ReplayedRun--> explain
//! ```
//!
//! # Invariants
//!
//! - What is asked for ([`options`]) becomes what will be done ([`plan`]) or an error, never a
//!   silently changed wish.
//! - An engine's evidence is only a claim. A counterexample is shown only after the interpreter has
//!   made the whole run ([`mandala_evidence::replay::ReplayedRun`] has no other constructor); if it cannot, there is no
//!   verdict but an error that says so.
//! - `holds` is said only after a search that visited everything and decides the property.
//! - Nothing here prints, or touches the disk but for the checkpoints of an engine.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod assertions;
pub mod checkpoint;
pub mod document;
pub mod engine;
mod error;
mod every;
pub mod explain;
pub mod families;
pub mod frontend;
mod judge;
mod limits;
mod liveness;
mod missed;
pub mod options;
pub mod outcome;
pub mod plan;
pub mod proofs;
pub mod run;
pub mod symmetry;
mod values;
pub mod watch;

use crate::error::CheckError;
use document::conclude::conclude;
use document::draft::{Cause, Cutoff, cut_off, draft};
use document::symmetry::SymmetryReport;
use frontend::LoadedModel;
use mandala_report::Document;
use options::CheckOptions;
use plan::{CheckPlan, PlanError, plan};
use run::EngineError;
use symmetry::{RefusedDeclaration, SymmetryError};
use watch::{Phase, Watch, Wish};

/// The bytes that the program holds, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    mandala_engine::resident_bytes().map(|bytes| bytes as u64)
}

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

impl From<SymmetryError> for Refusal {
    fn from(error: SymmetryError) -> Self {
        match error {
            SymmetryError::Declaration(refused) => Refusal::Symmetry(refused),
            SymmetryError::Defect(defect) => Refusal::Check(CheckError::Defect(defect.to_string())),
            SymmetryError::TooLarge { message, span } => {
                let span = Some(span);
                let what = message;
                Refusal::Check(CheckError::Engine(EngineError::NotTaken { what, span }))
            }
        }
    }
}

/// Checks a model and reports: the whole way in one call.
pub fn check(
    loaded: &LoadedModel,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Document, Refusal> {
    match loaded.has_every_number_of_threads() {
        true => every::check(loaded, options, watch),
        false => check_model(loaded, options, watch),
    }
}

/// Checks one model.
fn check_model(
    loaded: &LoadedModel,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Document, Refusal> {
    watch.enter(Phase::Planning);
    let refused = |error: PlanError| Refusal::Plan(error.located(&loaded.sources));
    let plan = plan(&loaded.model, options).map_err(refused)?;
    let defect = |what| Refusal::Check(CheckError::Defect(what));
    let loaded = loaded.with_deadlock(options.deadlock).map_err(defect)?;
    let planned = run::planned(&loaded, &plan).map_err(Refusal::Check)?;
    watch.learn(planned.clone());
    if let Some(cause) = cause_to_stop(&plan, Phase::Preparing, watch) {
        return Ok(cut_off(
            draft(planned),
            &Cutoff::after(Phase::Planning, cause),
        ));
    }
    let prepared = symmetry::of_plan(&loaded, &plan)?;
    // What was found when the time was over is not what is found with more time.
    if let Some(cause) = cause_to_stop(&plan, Phase::Searching, watch) {
        return Ok(cut_off(
            draft(planned),
            &Cutoff::after(Phase::Preparing, cause),
        ));
    }
    let outcomes = run::run(&loaded, &plan, &prepared, watch).map_err(Refusal::Check)?;
    watch.enter(Phase::Concluding);
    Ok(conclude(&loaded, &plan, outcomes))
}

/// The reason for not entering a phase, if there is one. However short its time is, each part of a search with checkpoints gets a bit further.
fn cause_to_stop(plan: &CheckPlan, phase: Phase, watch: &mut dyn Watch) -> Option<Cause> {
    let wish = watch.enter(phase);
    let goes_on = plan.means.checkpoint.is_some();
    let time = plan.limits.time.filter(|_| plan.is_over() && !goes_on);
    match wish {
        Wish::Stop => Some(Cause::Interrupt),
        Wish::GoOn => time.map(Cause::Time),
    }
}

/// Finds what is interchangeable in a model, without checking it.
pub fn symmetry(loaded: &LoadedModel, options: &CheckOptions) -> Result<SymmetryReport, Refusal> {
    let plan = plan(&loaded.model, options).map_err(Refusal::Plan)?;
    Ok(document::symmetry::report(loaded, &plan)?)
}
