//! A trace from a document, made again: the way back from [`super::present`].
//!
//! The document may be old, edited or about another model, so everything in it is looked up and
//! compared: names, statements, changes, and the violation at the end.

use super::{present, run};
use crate::explain::explain;
use crate::frontend::{LoadedModel, digest};
use crate::options::{Choice, Fairness, TraceStates};
use crate::outcome::ShownRun;
use crate::plan::{self, PlanError, Question, Subject};
use mandala_evidence::lasso::{Wanted, replay_lasso};
use mandala_evidence::lift::LassoLabels;
use mandala_evidence::replay::{Expectation, ReplayError, replay, replay_to_end, replay_to_loss};
use mandala_interpreter::{Change, Interpreter};
use mandala_model::Model;
use mandala_model::ids::{EdgeId, PropertyId};
use mandala_model::property::PropertyKind;
use mandala_model::step::{self, Actor, Observers, StepLabel};
use mandala_report::document::{
    self, Counterexample, Document, Partner, Step, Trace, Violation, ViolationKind,
};
use std::fmt;

/// Why a trace cannot be made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetraceError {
    /// The document has none.
    NoTrace,
    /// The property is gone.
    Property(PlanError),
    /// Several properties have that name.
    Ambiguous(String),
    /// A step names something that the model does not have.
    Foreign {
        /// The number of the step.
        step: u32,
        /// What it names.
        what: String,
    },
    /// The interpreter disagrees.
    Replay(ReplayError),
    /// It ends in a violation, but in another one.
    OtherViolation(Box<Violation>),
}

impl fmt::Display for RetraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RetraceError::NoTrace => f.write_str("the document has no trace"),
            RetraceError::Property(error) => error.fmt(f),
            RetraceError::Ambiguous(name) => write!(
                f,
                "several properties are called `{name}`; give them different names in the model"
            ),
            RetraceError::Foreign { step, what } => {
                write!(f, "step {step}: the model has no {what}")
            }
            RetraceError::Replay(error) => error.fmt(f),
            RetraceError::OtherViolation(found) => {
                write!(f, "the run ends in another violation: {}", found.message)
            }
        }
    }
}

impl std::error::Error for RetraceError {}

/// A model beside the one that a document is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resemblance {
    /// Its text is the same.
    Same,
    /// It has changed since, or is another one.
    Changed,
}

/// Whether the model has changed since the document was written.
pub fn resemblance(loaded: &LoadedModel, document: &Document) -> Resemblance {
    match digest(&loaded.sources) == document.model.digest {
        true => Resemblance::Same,
        false => Resemblance::Changed,
    }
}

/// The check that a violation was found by, with its observers.
///
/// # Errors
///
/// If the model does not have the property any more.
pub fn check_for(
    model: &Model,
    violation: &Violation,
    resemblance: Resemblance,
) -> Result<Question, RetraceError> {
    let owner = owner(model, violation, resemblance)?;
    Ok(plan::check_of(model, owner))
}

/// The property that a violation is one of: that of its identity, if it has that name. In a model that has changed since it may have
/// another identity, and is the only one of that name.
fn owner(
    model: &Model,
    violation: &Violation,
    resemblance: Resemblance,
) -> Result<Subject, RetraceError> {
    let name = &violation.property;
    let named = plan::named(model, name);
    let same = |subject: &&Subject| present::identity(**subject) == violation.property_id;
    match (named.iter().find(same), named.as_slice(), resemblance) {
        (Some(subject), _, _) | (None, [subject], Resemblance::Changed) => Ok(*subject),
        (None, [_, _, ..], Resemblance::Changed) => Err(RetraceError::Ambiguous(name.clone())),
        (None, _, _) => Err(RetraceError::Property(plan::no_such_property(model, name))),
    }
}

/// Makes the run of a trace again, with everything that the trace says about it, and tells it anew:
/// in a model that has changed, lines and values may be others. Of such a model only the same kind
/// of violation is asked.
pub fn retrace(
    loaded: &LoadedModel,
    trace: &Trace,
    violation: &Violation,
    resemblance: Resemblance,
) -> Result<Counterexample, RetraceError> {
    let owner = owner(&loaded.model, violation, resemblance)?;
    let check = plan::check_of(&loaded.model, owner);
    let interpreter = Interpreter::new(&loaded.model, observers(&check, trace));
    let labels = labels(&loaded.model, trace)?;
    // A step that fails on the way violates a formula, too, whatever the formula says.
    let branching = check.branching_property();
    let branching = branching.filter(|_| violation.kind == ViolationKind::Liveness);
    let lost = lost_property(&loaded.model, owner, violation.kind);
    let wanted = |met: &step::Violation| check.concerns(met) && check.owner(met) == owner;
    let run = match (lost, trace.before_cycle) {
        (_, Some(before)) => {
            let wanted = match branching {
                Some(property) => Wanted::branching(fairness(trace), (property, violation.choice)),
                None => Wanted::forbidden(fairness(trace)),
            };
            let (prefix, cycle) = labels.split_at(before.min(labels.len()));
            let labels = LassoLabels {
                prefix: prefix.to_vec(),
                cycle: cycle.to_vec(),
                cut: false,
            };
            replay_lasso(&interpreter, &labels, &wanted, &AsTold(trace))
        }
        (Some(lost), None) => {
            let lost = (lost, violation.choice);
            replay_to_loss(&interpreter, &labels, &AsTold(trace), lost)
        }
        (None, None) => match branching {
            Some(property) => {
                let asked = (property, violation.choice);
                replay_to_end(&interpreter, &labels, &AsTold(trace), asked)
            }
            None => replay(&interpreter, &labels, &AsTold(trace), wanted),
        },
    };
    let run = run.map_err(|error| RetraceError::Replay(in_steps_of_the_system(error, trace)))?;
    let found = explain(loaded, &interpreter, &check, &run);
    let found = present::violation(loaded, run.violation(), &found);
    let agrees = match resemblance {
        Resemblance::Same => is_same(&found, violation),
        Resemblance::Changed => {
            (found.kind, &found.message) == (violation.kind, &violation.message)
        }
    };
    let shown = ShownRun {
        subject: owner,
        run,
        shortest: trace.shortest,
        fairness: Fairness::Off,
    };
    match agrees {
        true => Ok(Counterexample {
            violation: found,
            trace: Trace {
                fairness: trace.fairness.clone(),
                ..run::trace(loaded, &shown, TraceStates::Last)
            },
        }),
        false => Err(RetraceError::OtherViolation(Box::new(found))),
    }
}

/// What ran along. A claim that did has moved before each step.
fn observers(check: &Question, trace: &Trace) -> Observers {
    let mut steps = trace.steps.iter();
    let moved = trace.steps.is_empty() || steps.any(|step| step.actor == document::Actor::Claim);
    Observers {
        claim: check.observers.claim.filter(|_| moved),
        ..check.observers
    }
}

/// Which infinite runs count.
fn fairness(trace: &Trace) -> Fairness {
    let named = trace.fairness.as_deref().and_then(Fairness::named);
    named.unwrap_or_default()
}

/// What must stay possible and is lost at the end of a trace, if that is what the trace is for.
fn lost_property(model: &Model, owner: Subject, kind: ViolationKind) -> Option<PropertyId> {
    let property = owner.property()?;
    let stated = &model.properties[property.index()].kind;
    let stays = matches!(stated, PropertyKind::Reachable { .. });
    (stays && kind == ViolationKind::Liveness).then_some(property)
}

/// The error with the number that the trace gives to the step.
fn in_steps_of_the_system(error: ReplayError, trace: &Trace) -> ReplayError {
    match error {
        ReplayError::Impossible { step } => ReplayError::Impossible {
            step: trace
                .steps
                .get(step.saturating_sub(1))
                .map_or(step, |s| s.number as usize),
        },
        other => other,
    }
}

/// Whether a violation is the one that was told, though the model may lie elsewhere now. Earlier versions told no values of some.
fn is_same(a: &Violation, b: &Violation) -> bool {
    let point = |v: &Violation| v.place.as_ref().map(|p| (p.line, p.column));
    let words = |v: &Violation| (v.kind, v.message.clone(), v.text.clone());
    words(a) == words(b) && point(a) == point(b) && (a.values == b.values || b.values.is_empty())
}

/// Each step must change what the trace tells.
struct AsTold<'t>(&'t Trace);

impl Expectation for AsTold<'_> {
    fn agrees(&self, step: usize, changes: &[Change]) -> bool {
        let told = &self.0.steps[step].changes;
        told.len() == changes.len() && told.iter().zip(changes).all(|(a, b)| *a == run::change(b))
    }
}

/// The steps of a trace in the words of the model.
pub fn labels(model: &Model, trace: &Trace) -> Result<Vec<StepLabel>, RetraceError> {
    trace.steps.iter().map(|step| label(model, step)).collect()
}

fn label(model: &Model, step: &Step) -> Result<StepLabel, RetraceError> {
    let foreign = |what| RetraceError::Foreign {
        step: step.number,
        what,
    };
    let named = (step.edge, step.choice, step.statement.as_str());
    let edge = edge(model, &step.process, named).map_err(foreign)?;
    let partner = |p: &Partner| {
        let edge = edge_of_partner(model, p)?;
        Ok((p.pid, edge))
    };
    Ok(StepLabel {
        actor: step.pid.map_or(Actor::Claim, Actor::Process),
        edge,
        choice: step.choice,
        partner: step
            .partner
            .as_ref()
            .map(partner)
            .transpose()
            .map_err(foreign)?,
    })
}

fn edge_of_partner(model: &Model, partner: &Partner) -> Result<EdgeId, String> {
    let named = (partner.edge, 0, partner.statement.as_str());
    edge(model, &partner.process, named)
}

/// The edge of a process that a step names: its index, the choice of its parameters and its text, which must fit.
fn edge(
    model: &Model,
    process: &str,
    (index, choice, statement): (u32, u32, &str),
) -> Result<EdgeId, String> {
    let mut templates = model.runnables();
    let template = templates
        .find(|(_, template)| template.display_name() == process)
        .map(|(id, _)| id)
        .ok_or_else(|| format!("process `{process}`"))?;
    let edges = &model.template(template).edges;
    let same = |edge: &&mandala_model::template::Edge| {
        choice < edge.choices() && model.instance_text(template, edge, choice) == statement
    };
    match edges.get(index as usize).filter(same) {
        Some(_) => Ok(EdgeId { template, index }),
        None => Err(format!(
            "statement `{statement}` at that point of `{process}`"
        )),
    }
}
