//! The decision whether partial-order reduction may be used for a check.
//!
//! What is left out never matters to safety. To a property of whole runs it does not matter if all that the property says of a run
//! is what holds when, and not how many steps it takes: a formula without next, `progress` (from some moment on never at a label) and `accept` (again and
//! again at one). A claim that somebody has written may count steps. Fairness is about who makes which step, and branching time about what else could
//! have happened, so both need more than is kept.
//!
//! The claim must be one that reads the graph of all states: a graph of the system alone is what steps are left out of.

use super::judged::Judged;
use super::{Decision, PartialOrder, Question, Scope};
use crate::options::{CheckOptions, Choice, Fairness, Switch};
use mandala_encoding::Obstacle;
use mandala_explicit::state_reader;
use mandala_model::Model;
use mandala_model::property::{Property, PropertyKind, RunOrigin};
use mandala_model::step::Observers;

/// Steps are left out if that is asked for. Who asks for nothing gets the states that Spin counts, and native code, which on
/// most models is worth more.
pub(super) fn partial_order(
    model: &Model,
    options: &CheckOptions,
    checks: &[Question],
    judged: &[Judged],
) -> Result<PartialOrder, Obstacle> {
    if options.partial_order != Switch::On {
        return Ok(PartialOrder::Off);
    }
    let wished = wish_in_the_way(options).map(|construct| Obstacle {
        construct,
        span: None,
    });
    let obstacles = checks.iter().filter_map(|check| obstacle(model, check));
    let liveness = judged.iter();
    let liveness = liveness.filter_map(|judged| reachability(model, judged));
    match wished.into_iter().chain(obstacles).chain(liveness).next() {
        Some(obstacle) => Err(obstacle),
        None => Ok(PartialOrder::StubbornSets),
    }
}

/// An option that steps cannot be left out with.
fn wish_in_the_way(options: &CheckOptions) -> Option<String> {
    match options.fairness {
        // The steps of a shortest run may be left out.
        Fairness::Off => options.shortest.then(|| "`--shortest`".into()),
        fairness => Some(format!("`--fair {}`", fairness.name())),
    }
}

/// A check as it is decided where steps are left out: whatever a claim says of runs, it reads the graph of all states.
pub(super) fn on_the_graph(check: Question) -> Question {
    match check.scope {
        Scope::System(_) => check,
        Scope::Property => Question {
            decision: Decision::Cycles,
            ..check
        },
    }
}

/// Why no step can be left out for a check.
fn obstacle(model: &Model, check: &Question) -> Option<Obstacle> {
    let system = Observers {
        claim: None,
        asked: None,
        ..check.observers
    };
    let at_claim = |construct: String| Obstacle {
        construct,
        span: stated(model, check).map(|property| property.span),
    };
    let reads = |property: &Property| state_reader(model, &property.kind).is_some();
    Obstacle::of(model, system).or_else(|| match check.scope {
        Scope::System(_) => None,
        Scope::Property => match concern(model, check) {
            Some(construct) => Some(at_claim(construct)),
            None if stated(model, check).is_some_and(reads) => None,
            None => Some(at_claim(format!(
                "the claim of `{}`, which does more than look at states",
                check.name
            ))),
        },
    })
}

/// What must stay possible is asked of all states, and some are left out.
fn reachability(model: &Model, judged: &Judged) -> Option<Obstacle> {
    let kind = &model.properties[judged.property.index()].kind;
    matches!(kind, PropertyKind::Reachable { .. }).then(|| Obstacle {
        construct: format!("the liveness property `{}`", judged.name),
        span: None,
    })
}

/// What a property of whole runs asks for that is not kept.
fn concern(model: &Model, check: &Question) -> Option<String> {
    let name = &check.name;
    let kind = check.property_kind(model)?;
    if kind.is_given_claim() {
        return Some(format!("the claim `{name}`, which may count steps"));
    }
    match (kind, kind.origin()) {
        (
            _,
            Some(RunOrigin::Formula {
                says_next: true, ..
            }),
        ) => Some(format!(
            "the formula `{name}`, which says what comes next (`X`)"
        )),
        (PropertyKind::Ctl { .. }, _) => {
            Some(format!("the formula `{name}`, which is of branching time"))
        }
        _ => None,
    }
}

/// The property that is checked, if one is stated.
fn stated<'m>(model: &'m Model, check: &Question) -> Option<&'m Property> {
    let id = check.subject.property()?;
    model.properties.get(id.index())
}
