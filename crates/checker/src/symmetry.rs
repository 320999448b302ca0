//! The symmetry of a model as a check sees it: what is asked for ([`wish`]), and what is made of the model for each check of a plan
//! ([`mandala_prepare`]).
//!
//! Every check has a symmetry of its own, as its observers may tell apart what the system does not.

pub mod wish;

pub use mandala_engine::SymmetryUse;
pub use mandala_prepare::{RefusedDeclaration, SymmetryError};

use crate::frontend::LoadedModel;
use crate::plan::{CheckPlan, Decision, Question};
use mandala_engine::Fairness;
use mandala_model::step::Observers;
use mandala_prepare::{Aim, Detection, Form, Prepared, Runs, Wanted, Whom, prepare};
use mandala_reduce::Strategy;
use mandala_symmetry::ProofBudget;
use std::rc::Rc;

/// How many steps of work symmetry is looked for, for each kind of check: about two seconds of optimised code. No bundled model takes a fifth of it.
const STEPS: u64 = 20_000_000;

/// How many more may be spent on what the model itself declares.
const MORE_FOR_DECLARED: u64 = 5 * STEPS;

/// The same for every check, so that the group depends on `--proof-effort` alone. When the time that the user grants is over, all of it ends, and so does
/// the check ([`crate::check`]). Only a search with checkpoints goes on, and all parts of it must find the same.
pub(crate) fn budget(plan: &CheckPlan) -> ProofBudget {
    let budget = ProofBudget::of_steps(STEPS).with_more_for_declared(MORE_FOR_DECLARED);
    let budget = budget.with_effort(plan.proof_effort);
    match plan.time_left().filter(|_| plan.means.checkpoint.is_none()) {
        Some(left) => budget.ending_within(left),
        None => budget,
    }
}

/// What is searched for each check of a plan, in order, and the symmetry of it; trivial for all of them if none is wished.
///
/// # Errors
///
/// If the model declares a symmetry that it does not have, or a rewrite is wrong.
pub fn of_plan(loaded: &LoadedModel, plan: &CheckPlan) -> Result<Vec<Rc<Prepared>>, SymmetryError> {
    let mut known: Vec<(_, Rc<Prepared>)> = Vec::new();
    let mut all = Vec::new();
    for check in &plan.checks {
        if check.decision == Decision::Value {
            let mut plain = Prepared::plain(&loaded.model);
            plain.account.note = Some("probabilities are computed on all states".into());
            all.push(Rc::new(plain));
            continue;
        }
        let aim = aim(plan, check);
        let of = |aim: &Aim| known.iter().find(|(other, _)| other == aim);
        let system = of(&Aim::plain(Observers::default()));
        let system = system.map(|(_, prepared)| &**prepared);
        let prepared = match of(&aim) {
            Some((_, prepared)) => Rc::clone(prepared),
            None => Rc::new(of_aim(loaded, plan, aim, system)?),
        };
        known.push((aim, Rc::clone(&prepared)));
        all.push(prepared);
    }
    Ok(all)
}

/// What each check of a plan is about, in order.
pub fn aims(plan: &CheckPlan) -> Vec<Aim> {
    plan.checks.iter().map(|check| aim(plan, check)).collect()
}

/// What a check is about. Fairness is a matter of whole runs alone.
fn aim(plan: &CheckPlan, check: &Question) -> Aim {
    let is_about_runs = check.decision != Decision::Full;
    Aim {
        observers: check.observers,
        whom: match plan.fairness.is_per_action() && is_about_runs {
            true => Whom::Actions,
            false => Whom::Processes,
        },
        runs: match plan.fairness != Fairness::Off && is_about_runs {
            true => Runs::Fair,
            false => Runs::All,
        },
    }
}

/// What is searched for one of the checks; `system` is what was made for the one in which nobody watches.
fn of_aim(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    aim: Aim,
    system: Option<&Prepared>,
) -> Result<Prepared, SymmetryError> {
    let wanted = Wanted {
        aim,
        detection: match plan.symmetry {
            SymmetryUse::Off => Detection::Off,
            SymmetryUse::Partial(_) => Detection::OfStatements,
            SymmetryUse::Use { .. } | SymmetryUse::OnSets(_) | SymmetryUse::Counters => {
                Detection::On
            }
        },
        statics: plan.static_reductions,
        form: form(plan),
        // Others know what they want.
        asymmetry: matches!(plan.symmetry, SymmetryUse::Use { strategy, .. } if strategy == Strategy::Auto),
    };
    prepare(&loaded.model, wanted, system, || budget(plan))
}

/// Rules stay rules, unless the engine wants instances.
fn form(plan: &CheckPlan) -> Form {
    match plan.engine.engine().capabilities().rules {
        true => Form::Rules,
        false => Form::Instances,
    }
}
