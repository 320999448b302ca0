//! From what is asked for to what will be done: every combination that is not supported is refused
//! here, before any search starts, and none is quietly ignored.

use crate::assertions::assertions;
use crate::liveness::{Origin, has_accepting_cycle};
use crate::options::{
    AfterViolation, CheckOptions, Choice, Deadlock, Engine, Limits, NEVER, SAFETY, SearchOrder,
    Selection, Switch, SymmetryChoice,
};
use crate::symmetry::wish::{SymmetryWish, WITH_MAIN_ARRAY, wish};
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::Span;
use mandala_model::step::{Observers, Violation};
use mandala_reduce::Strategy;
use std::fmt;
use std::num::NonZeroU32;

/// What will be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckPlan {
    /// One search each, in order.
    pub checks: Vec<PlannedCheck>,
    /// What does the search.
    pub engine: Engine,
    /// In which order states are visited.
    pub order: SearchOrder,
    /// Where it gives up.
    pub limits: Limits,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
    /// How symmetry is used if there is any.
    pub symmetry: SymmetryWish,
}

/// One property and how it is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCheck {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: CheckKind,
    /// What runs along with the system.
    pub observers: Observers,
    /// The assertions that belong to the claim; those of the system are a matter of its safety.
    pub claim_assertions: Vec<Span>,
    /// Whether a search that finds no violation decides it.
    pub decision: Decision,
}

/// What is checked, which decides what counts as a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckKind {
    /// Assertions, deadlock, run-time errors and observed messages.
    Safety(Deadlock),
    /// A never claim.
    Never,
    /// A formula of linear temporal logic.
    Ltl,
}

impl PlannedCheck {
    /// Whether that is what the check is about. To a claim the assertions of the system do not
    /// matter, which are a matter of its safety. A run-time error or a message that the model itself
    /// rules out always matters: no statement about the runs of a model stands if some of them break off.
    pub fn concerns(&self, violation: &Violation) -> bool {
        match (self.kind, violation) {
            (CheckKind::Safety(deadlock), Violation::Deadlock) => deadlock == Deadlock::Report,
            (CheckKind::Safety(_), _) => true,
            (_, Violation::Deadlock) => false,
            (_, Violation::Assertion { span }) => self.claim_assertions.contains(span),
            (_, _) => true,
        }
    }
}

/// Whether a search that finds no violation decides the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It does.
    Full,
    /// It does not: the claim may also be violated by a cycle.
    CyclesRemain,
}

/// A combination that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// That engine has no symmetry reduction.
    Symmetry(Strategy, Engine),
    /// That way of using symmetry has no main array.
    MainArray(SymmetryChoice),
    /// The model has no such array to sort by.
    NoSuchArray {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// Without a reduction there are no representatives that could be expanded or not.
    Expand(SymmetryChoice, Engine),
    /// Partial-order reduction is not in this version.
    PartialOrder,
    /// Simplification of the model is not in this version.
    Simplification,
    /// More than one worker is not in this version.
    Workers(NonZeroU32),
    /// That engine has no limit of memory.
    MemoryLimit(Engine),
    /// The model has no property of that name.
    NoSuchProperty {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Symmetry(strategy, engine) => write!(
                f,
                "`--symmetry {strategy}` is not available with `--engine {}`, which has no symmetry reduction",
                engine.name()
            ),
            PlanError::MainArray(choice) => write!(
                f,
                "`--main-array` is for `--symmetry {}`; `--symmetry {}` does not sort by an array",
                WITH_MAIN_ARRAY.map(Strategy::name).join("` and `--symmetry "),
                choice.name()
            ),
            PlanError::NoSuchArray { name, known } => no_such_array(f, name, known),
            PlanError::Expand(SymmetryChoice::Off, _) => f.write_str(
                "`--expand` says how a search with symmetry goes on; with `--symmetry off` there is none",
            ),
            PlanError::Expand(_, engine) => write!(
                f,
                "`--expand` is not available with `--engine {}`, which has no symmetry reduction",
                engine.name()
            ),
            PlanError::PartialOrder => {
                f.write_str("`--por on` is not available in this version; `auto` and `off` are")
            }
            PlanError::Simplification => {
                f.write_str("`--static on` is not available in this version; `auto` and `off` are")
            }
            PlanError::Workers(workers) => write!(
                f,
                "`--workers {workers}` is not available in this version; 1 worker is"
            ),
            PlanError::MemoryLimit(engine) => write!(
                f,
                "`--memory` is not available with `--engine {}`",
                engine.name()
            ),
            PlanError::NoSuchProperty { name, known } => write!(
                f,
                "the model has no property `{name}`; it has `{}`",
                known.join("`, `")
            ),
        }
    }
}

fn no_such_array(f: &mut fmt::Formatter<'_>, name: &str, known: &[String]) -> fmt::Result {
    write!(f, "the model has no array `{name}` to sort by")?;
    match known {
        [] => f.write_str("; it has none at all"),
        known => write!(f, "; it has `{}`", known.join("`, `")),
    }
}

impl std::error::Error for PlanError {}

/// Decides what will be done for `options` on `model`.
pub fn plan(model: &Model, options: &CheckOptions) -> Result<CheckPlan, PlanError> {
    require_available(options)?;
    Ok(CheckPlan {
        checks: select(checks(model, options.deadlock), &options.properties)?,
        engine: options.engine,
        order: options.order,
        limits: options.limits,
        after_violation: options.after_violation,
        symmetry: wish(model, options)?,
    })
}

fn require_available(options: &CheckOptions) -> Result<(), PlanError> {
    if options.partial_order == Switch::On {
        return Err(PlanError::PartialOrder);
    }
    if options.simplification == Switch::On {
        return Err(PlanError::Simplification);
    }
    if options.workers != NonZeroU32::MIN {
        return Err(PlanError::Workers(options.workers));
    }
    if options.engine == Engine::Reference && options.limits.memory.is_some() {
        return Err(PlanError::MemoryLimit(options.engine));
    }
    Ok(())
}

/// Everything that the model states: its safety first, then its claims in order.
fn checks(model: &Model, deadlock: Deadlock) -> Vec<PlannedCheck> {
    let events = model.properties.iter().find_map(|p| match p.kind {
        PropertyKind::Events { observer } => Some(observer),
        _ => None,
    });
    let safety = PlannedCheck {
        name: SAFETY.into(),
        kind: CheckKind::Safety(deadlock),
        observers: Observers {
            claim: None,
            events,
        },
        claim_assertions: Vec::new(),
        decision: Decision::Full,
    };
    let claims = model.properties.iter();
    let claims = claims.filter_map(|p| claim_check(model, p, events));
    std::iter::once(safety).chain(claims).collect()
}

fn claim_check(
    model: &Model,
    property: &Property,
    events: Option<TemplateId>,
) -> Option<PlannedCheck> {
    let (kind, claim, origin) = match property.kind {
        PropertyKind::Never { claim } => (CheckKind::Never, claim, Origin::Written),
        PropertyKind::Ltl { claim, .. } => (CheckKind::Ltl, claim, Origin::Formula),
        PropertyKind::Events { .. } => return None,
    };
    let template = model.template(claim);
    Some(PlannedCheck {
        name: property.name.clone(),
        kind,
        observers: Observers {
            claim: Some(claim),
            events,
        },
        claim_assertions: template
            .edges
            .iter()
            .flat_map(|edge| assertions(edge).map(|(condition, _)| condition.span))
            .collect(),
        decision: match has_accepting_cycle(template, origin) {
            true => Decision::CyclesRemain,
            false => Decision::Full,
        },
    })
}

fn select(
    checks: Vec<PlannedCheck>,
    selection: &Selection,
) -> Result<Vec<PlannedCheck>, PlanError> {
    let Selection::Named(names) = selection else {
        return Ok(checks);
    };
    let named = names.iter().map(|name| position(&checks, name));
    let wanted = named.collect::<Result<Vec<usize>, PlanError>>()?;
    let checks = checks.into_iter().enumerate();
    Ok(checks
        .filter(|(index, _)| wanted.contains(index))
        .map(|(_, check)| check)
        .collect())
}

/// The check of that name. [`NEVER`] also names the only never claim, whatever its name is.
fn position(checks: &[PlannedCheck], name: &str) -> Result<usize, PlanError> {
    let mut indices = 0..checks.len();
    if let Some(index) = indices.find(|&i| checks[i].name == name) {
        return Ok(index);
    }
    let is_never = |i: &usize| checks[*i].kind == CheckKind::Never;
    let nevers: Vec<usize> = (0..checks.len()).filter(is_never).collect();
    match nevers.as_slice() {
        [only] if name == NEVER => Ok(*only),
        _ => Err(PlanError::NoSuchProperty {
            name: name.to_string(),
            known: checks.iter().map(|c| c.name.clone()).collect(),
        }),
    }
}
