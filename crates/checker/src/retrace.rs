//! A trace from a document, made again: the way back from [`crate::present`].
//!
//! The document may be old, edited or about another model, so everything in it is looked up and
//! compared: names, statements, changes, and the violation at the end.

use crate::explain::explain;
use crate::frontend::{LoadedModel, digest};
use crate::options::{CheckOptions, Selection};
use crate::plan::{PlanError, PlannedCheck, plan};
use crate::present;
use crate::replay::{Expectation, ReplayError, ReplayedRun, replay};
use mandala_interpreter::{Change, Interpreter};
use mandala_model::Model;
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::step::{Actor, StepLabel};
use mandala_report::document::{Document, Partner, Step, Trace, Violation};
use std::fmt;

/// Why a trace cannot be made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetraceError {
    /// The document has none.
    NoTrace,
    /// The property is gone.
    Property(PlanError),
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

/// Whether the model has changed since the document was written.
pub fn has_changed(loaded: &LoadedModel, document: &Document) -> bool {
    digest(&loaded.sources) != document.model.digest
}

/// The check that a property's name stands for, with its observers.
pub fn check_named(model: &Model, property: &str) -> Result<PlannedCheck, RetraceError> {
    let options = CheckOptions {
        properties: Selection::Named(vec![property.to_string()]),
        ..CheckOptions::default()
    };
    let plan = plan(model, &options).map_err(RetraceError::Property)?;
    plan.checks.into_iter().next().ok_or(RetraceError::NoTrace)
}

/// Makes the run of a trace again, with everything that the trace says about it.
pub fn retrace(
    loaded: &LoadedModel,
    trace: &Trace,
    violation: &Violation,
) -> Result<ReplayedRun, RetraceError> {
    let check = check_named(&loaded.model, &trace.property)?;
    let interpreter = Interpreter::new(&loaded.model, check.observers);
    let labels = labels(&loaded.model, trace)?;
    let concerns = |v: &_| check.concerns(v);
    let run =
        replay(&interpreter, &labels, &AsTold(trace), concerns).map_err(RetraceError::Replay)?;
    let found = explain(loaded, &interpreter, &check, &run);
    match is_same(&found, violation) {
        true => Ok(run),
        false => Err(RetraceError::OtherViolation(Box::new(found))),
    }
}

/// Whether two violations are the same, though the model may lie elsewhere now.
fn is_same(a: &Violation, b: &Violation) -> bool {
    let point = |v: &Violation| v.place.as_ref().map(|p| (p.line, p.column));
    let words = |v: &Violation| (v.kind, v.message.clone(), v.text.clone());
    words(a) == words(b) && point(a) == point(b) && a.values == b.values
}

/// Each step must change what the trace tells.
struct AsTold<'t>(&'t Trace);

impl Expectation for AsTold<'_> {
    fn agrees(&self, step: usize, changes: &[Change]) -> bool {
        let told = &self.0.steps[step].changes;
        told.len() == changes.len()
            && told
                .iter()
                .zip(changes)
                .all(|(a, b)| *a == present::change(b))
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
    let edge = edge(model, &step.process, step.edge, &step.statement).map_err(foreign)?;
    let partner = |p: &Partner| {
        let edge = edge_of_partner(model, p)?;
        Ok((p.pid, edge))
    };
    Ok(StepLabel {
        actor: step.pid.map_or(Actor::Claim, Actor::Process),
        edge,
        partner: step
            .partner
            .as_ref()
            .map(partner)
            .transpose()
            .map_err(foreign)?,
    })
}

fn edge_of_partner(model: &Model, partner: &Partner) -> Result<EdgeId, String> {
    edge(model, &partner.process, partner.edge, &partner.statement)
}

fn edge(model: &Model, process: &str, index: u32, statement: &str) -> Result<EdgeId, String> {
    let mut templates = model.templates.iter();
    let template = templates
        .position(|t| present::display_name(t) == process)
        .map(TemplateId::from)
        .ok_or_else(|| format!("process `{process}`"))?;
    let edges = &model.template(template).edges;
    let same = |edge: &&mandala_model::template::Edge| edge.text == statement;
    match edges.get(index as usize).filter(same) {
        Some(_) => Ok(EdgeId { template, index }),
        None => Err(format!(
            "statement `{statement}` at that point of `{process}`"
        )),
    }
}
