//! The symmetry of a model as a check sees it: what is asked for ([`wish`]), what is found and proven ([`detect`], `found`),
//! what properties take away from it ([`blame`]), and how it is told ([`tell`]).
//!
//! Every check has a symmetry of its own, as its observers may tell apart what the system does not. A search may use
//! only what [`mandala_symmetry`] has certified; everything else here is for people.

pub mod blame;
pub mod detect;
mod found;
mod group;
mod startup;
pub mod tell;
pub mod wish;

pub use detect::{Broken, DetectedSymmetry, Effort, RefusedDeclaration, SymmetryError, detect};
pub use found::Aim;
pub use group::GroupAccount;
pub use mandala_engine::SymmetryUse;

use crate::frontend::LoadedModel;
use crate::options::SAFETY;
use crate::plan::{CheckPlan, Decision, Question, Subject};
use crate::present;
use crate::statics;
use mandala_explicit::Whom;
use mandala_model::step::Observers;
use mandala_report::document::{PropertySymmetry, SYMMETRY_SCHEMA, SymmetryDocument, Tool};
use mandala_simplify::{RewriteDefect, without_looks};
use mandala_symmetry::{Patience, unordered};
use std::borrow::Cow;
use std::rc::Rc;
use std::time::Duration;
use tell::Total;

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

/// The symmetry of each check of a plan, in order; trivial for all of them if none is wished. With it comes what is
/// searched in place of the model, if that is something else.
///
/// # Errors
///
/// If the model declares a symmetry that it does not have, or a rewrite is wrong.
pub fn of_plan(
    loaded: &LoadedModel,
    plan: &CheckPlan,
) -> Result<Vec<Rc<DetectedSymmetry>>, SymmetryError> {
    let mut known: Vec<(_, Rc<DetectedSymmetry>)> = Vec::new();
    let mut all = Vec::new();
    for check in &plan.checks {
        let aim = aim(plan, check);
        let same = known.iter().find(|(other, _)| *other == aim);
        let detected = match same {
            Some((_, detected)) => Rc::clone(detected),
            None => Rc::new(of_aim(loaded, plan, aim)?),
        };
        known.push((aim, Rc::clone(&detected)));
        all.push(detected);
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

fn of_aim(
    loaded: &LoadedModel,
    plan: &CheckPlan,
    aim: Aim,
) -> Result<DetectedSymmetry, SymmetryError> {
    let subject = seen_by(loaded, aim.observers)?;
    let loaded = &*subject;
    let detected = match plan.symmetry {
        SymmetryUse::Off => DetectedSymmetry {
            certificate: unordered(&loaded.model),
            ..DetectedSymmetry::none()
        },
        SymmetryUse::Use { .. } | SymmetryUse::OnSets(_) => detect(loaded, aim, patience(plan))?,
    };
    let wanted = plan.static_reductions;
    let mut reduced = statics::reduce(loaded, aim, wanted, detected, || patience(plan))?;
    if let Cow::Owned(subject) = subject {
        reduced.rewritten.get_or_insert(subject.model);
    }
    Ok(reduced)
}

/// The model for a check with those observers. What is claimed of whole runs is not a matter of edges that only look at states.
fn seen_by(
    loaded: &LoadedModel,
    observers: Observers,
) -> Result<Cow<'_, LoadedModel>, RewriteDefect> {
    let is_of_runs = observers.claim.is_some() || observers.asked.is_some();
    let blind = match is_of_runs {
        true => without_looks(&loaded.model)?,
        false => None,
    };
    Ok(match blind {
        Some(model) => Cow::Owned(LoadedModel {
            model,
            ..loaded.clone()
        }),
        None => Cow::Borrowed(loaded),
    })
}

/// What is interchangeable in a model.
#[derive(Clone, Debug)]
pub struct SymmetryReport {
    /// For programs and people.
    pub document: SymmetryDocument,
    /// What it is about: the symmetry that the first property leaves.
    pub detected: Rc<DetectedSymmetry>,
}

/// Tells the symmetry that each property of a plan leaves.
///
/// # Errors
///
/// If the model declares a symmetry that it does not have, or a rewrite is wrong.
pub fn report(loaded: &LoadedModel, plan: &CheckPlan) -> Result<SymmetryReport, SymmetryError> {
    let symmetries = of_plan(loaded, plan)?;
    let told = |d: &DetectedSymmetry| tell::symmetry(loaded, &plan.symmetry, d, &Total::default());
    let all = plan.checks.iter().zip(&symmetries);
    let mut all = all.map(|(check, detected)| PropertySymmetry {
        property_id: present::identity(check.subject),
        property: check.name.clone(),
        symmetry: told(detected),
    });
    let first = all.next().unwrap_or_else(|| PropertySymmetry {
        property_id: present::identity(Subject::Safety),
        property: SAFETY.into(),
        symmetry: told(&DetectedSymmetry::none()),
    });
    let further = all.filter(|other| !other.symmetry.has_group_of(&first.symmetry));
    let none = || Rc::new(DetectedSymmetry::none());
    Ok(SymmetryReport {
        document: SymmetryDocument {
            schema: SYMMETRY_SCHEMA.into(),
            tool: Tool::mandala(),
            model: present::model_source(loaded),
            further: further.collect(),
            property_id: first.property_id,
            property: first.property,
            symmetry: first.symmetry,
        },
        detected: symmetries.first().map_or_else(none, Rc::clone),
    })
}
