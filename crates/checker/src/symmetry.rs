//! The symmetry of a model as a check sees it: what is asked for ([`wish`]), what is made of the model for each check of a plan
//! ([`mandala_prepare`]), and how it is told ([`tell`]).
//!
//! Every check has a symmetry of its own, as its observers may tell apart what the system does not.

pub mod tell;
pub mod wish;

pub use mandala_engine::SymmetryUse;
pub use mandala_prepare::{RefusedDeclaration, SymmetryError};

use crate::frontend::LoadedModel;
use crate::options::SAFETY;
use crate::plan::{CheckPlan, Decision, Question, Subject};
use crate::present;
use mandala_prepare::{Aim, Detection, Prepared, Wanted, Whom, prepare};
use mandala_report::document::{PropertySymmetry, SYMMETRY_SCHEMA, SymmetryDocument, Tool};
use mandala_symmetry::Patience;
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
    };
    prepare(&loaded.model, wanted, || patience(plan))
}

/// What is interchangeable in a model.
#[derive(Clone, Debug)]
pub struct SymmetryReport {
    /// For programs and people.
    pub document: SymmetryDocument,
    /// What it is about: the symmetry that the first property leaves.
    pub prepared: Rc<Prepared>,
}

/// Tells the symmetry that each property of a plan leaves.
///
/// # Errors
///
/// If the model declares a symmetry that it does not have, or a rewrite is wrong.
pub fn report(loaded: &LoadedModel, plan: &CheckPlan) -> Result<SymmetryReport, SymmetryError> {
    let prepared = of_plan(loaded, plan)?;
    let told = |p: &Prepared| tell::symmetry(loaded, &plan.symmetry, p, &Total::default());
    let all = plan.checks.iter().zip(&prepared);
    let mut all = all.map(|(check, prepared)| PropertySymmetry {
        property_id: present::identity(check.subject),
        property: check.name.clone(),
        symmetry: told(prepared),
    });
    let first = all.next().unwrap_or_else(|| PropertySymmetry {
        property_id: present::identity(Subject::Safety),
        property: SAFETY.into(),
        symmetry: told(&Prepared::plain(&loaded.model)),
    });
    let further = all.filter(|other| !other.symmetry.has_group_of(&first.symmetry));
    let none = || Rc::new(Prepared::plain(&loaded.model));
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
        prepared: prepared.first().map_or_else(none, Rc::clone),
    })
}
