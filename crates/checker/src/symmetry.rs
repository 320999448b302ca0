//! The symmetry of a model as a check sees it: what is asked for ([`wish`]), and what is made of the model for each check of a plan
//! ([`mandala_prepare`]).
//!
//! Every check has a symmetry of its own, as its observers may tell apart what the system does not.

pub mod wish;

pub use mandala_engine::SymmetryUse;
pub use mandala_prepare::{RefusedDeclaration, SymmetryError};

use crate::frontend::LoadedModel;
use crate::plan::{CheckPlan, Decision, PartialOrder, Question};
use mandala_prepare::{Aim, Detection, Form, Prepared, Wanted, Whom, prepare};
use mandala_symmetry::Patience;
use std::rc::Rc;
use std::time::Duration;

/// For how long symmetry is looked for, for each kind of check.
const TIME: Duration = Duration::from_secs(2);

/// How much longer may be spent on what the model itself declares.
const MORE_FOR_DECLARED: Duration = Duration::from_secs(10);

/// The same for every check, so that the group does not depend on `--time`. When the time that the user grants is over, all of it ends, and so does
/// the check ([`crate::check`]). Only a search with checkpoints goes on, and all parts of it must find the same.
fn patience(plan: &CheckPlan) -> Patience {
    let patience = Patience::of(TIME).with_more_for_declared(MORE_FOR_DECLARED);
    match plan.time_left().filter(|_| plan.means.checkpoint.is_none()) {
        Some(left) => patience.ending_within(left),
        None => patience,
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
        let aim = aim(plan, check);
        let same = known.iter().find(|(other, _)| *other == aim);
        let prepared = match same {
            Some((_, prepared)) => Rc::clone(prepared),
            None => Rc::new(of_aim(loaded, plan, aim)?),
        };
        known.push((aim, Rc::clone(&prepared)));
        all.push(prepared);
    }
    Ok(all)
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
    }
}

fn of_aim(loaded: &LoadedModel, plan: &CheckPlan, aim: Aim) -> Result<Prepared, SymmetryError> {
    let wanted = Wanted {
        aim,
        detection: match plan.symmetry {
            SymmetryUse::Off => Detection::Off,
            SymmetryUse::Use { .. } | SymmetryUse::OnSets(_) => Detection::On,
        },
        statics: plan.static_reductions,
        form: form(plan),
    };
    prepare(&loaded.model, wanted, || patience(plan))
}

/// Rules stay rules, unless the engine wants instances, or it matters which instances are independent.
fn form(plan: &CheckPlan) -> Form {
    let rules = plan.engine.engine().capabilities().rules;
    match rules && plan.partial_order == PartialOrder::Off {
        true => Form::Rules,
        false => Form::Instances,
    }
}
