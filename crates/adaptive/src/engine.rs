//! Both reductions as engines.

use crate::branching::decide;
use crate::quotient::{Quotient, refused};
use crate::search::{Manner, Search};
use crate::space::{Refused, Subject};
use mandala_engine::{
    Capabilities, Decision, Engine, EngineError, Extent, Outcome, ProgressObserver,
    ReductionStatistics, Statistics, SymmetrySupport, Task,
};
use mandala_prepare::{Asymmetry, asymmetry_of, started};

/// Adaptive symmetry reduction.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdaptiveEngine;

/// The quotient of a virtually symmetric model.
#[derive(Clone, Copy, Debug, Default)]
pub struct VirtualEngine;

/// What both can do.
const CAPABILITIES: Capabilities = Capabilities {
    symmetry: SymmetrySupport::None,
    workers: false,
    lossy_stores: false,
    native_code: false,
    causes: false,
    checkpoints: false,
    partial_order: false,
    cycles: false,
    shortest_cycles: false,
    depth_first_depth: true,
    memory: false,
    statement_counts: false,
    multiset_elements: false,
    rules: false,
    chance: false,
};

impl Engine for AdaptiveEngine {
    fn name(&self) -> &'static str {
        "adaptive"
    }

    fn help(&self) -> &'static str {
        "adaptive symmetry reduction: what `--symmetry adaptive` searches with"
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn run(
        &self,
        task: &Task<'_>,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Outcome, EngineError> {
        task.require_no_chance()?;
        let subject = subject(task)?;
        let manner = manner(task);
        let mut search = Search::new(&subject, &manner);
        let extent = search.run(observer)?;
        Ok(search.outcome(extent))
    }
}

impl Engine for VirtualEngine {
    fn name(&self) -> &'static str {
        "virtual"
    }

    fn help(&self) -> &'static str {
        "the quotient of a virtually symmetric model: what `--symmetry virtual` searches with"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            depth_first_depth: false,
            ..CAPABILITIES
        }
    }

    fn run(
        &self,
        task: &Task<'_>,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Outcome, EngineError> {
        task.require_no_chance()?;
        let subject = subject(task)?;
        let manner = manner(task);
        let asked =
            (task.question.decision == Decision::Branching).then(|| task.branching_formula());
        let conditions = match &asked {
            Some((_, instances)) if instances.len() != 1 => {
                let what = "`--symmetry virtual` takes no formula with indices: the processes that it speaks of are not interchangeable";
                return Err(not_taken(what.into()));
            }
            Some((_, instances)) => instances[0].clone(),
            None => Vec::new(),
        };
        let Some(everything) = started(task.model()) else {
            return Err(not_taken("no run of the model begins".into()));
        };
        let mut quotient = Quotient::new(&subject, &manner, conditions, &everything);
        let extent = quotient.run(observer).or_else(refused)?;
        let mut branching = None;
        if let Some((formula, _)) = asked.filter(|_| extent == Extent::Complete) {
            let conditions = task.model().conditions.len();
            branching = Some(decide(&mut quotient, formula, conditions)?);
        }
        Ok(outcome(quotient, extent, branching))
    }
}

fn outcome(
    quotient: Quotient<'_, '_>,
    extent: Extent,
    branching: Option<mandala_engine::Branching>,
) -> Outcome {
    let states = quotient.orbits.len() as u64;
    let subject = quotient.space.subject;
    let asymmetry = Asymmetry {
        kind: (extent == Extent::Complete).then(|| quotient.kind.name()),
        ..asymmetry_of(subject.model(), &subject.symmetry)
    };
    let bytes = mandala_engine::resident_bytes().unwrap_or(0) as u64;
    Outcome {
        statistics: Statistics {
            states,
            transitions: quotient.transitions,
            fired: quotient.transitions,
            expanded: states,
            depth: quotient.depth(),
            time: quotient.time(),
            workers: 1,
            peak_bytes: bytes,
            ..Statistics::default()
        },
        reduction: Some(ReductionStatistics {
            asymmetry: Some(asymmetry),
            ..ReductionStatistics::default()
        }),
        endless: Some(quotient.endless),
        evidence: quotient.evidence,
        further: quotient.further,
        violations: quotient.violations,
        branching,
        ..Outcome::nothing(extent, quotient.reached)
    }
}

fn manner<'t>(task: &'t Task<'_>) -> Manner<'t> {
    Manner {
        question: task.question,
        order: task.order,
        limits: task.limits,
        after_violation: task.after_violation,
    }
}

/// The model with what its statements keep.
fn subject(task: &Task<'_>) -> Result<Subject, EngineError> {
    let observers = task.question.observers;
    if observers.events.is_some() || observers.claim.is_some() {
        let what = "an observer runs along with the system, and nothing is known of what it keeps: choose other properties with `--property`, or leave `--symmetry` out";
        return Err(not_taken(what.into()));
    }
    if !task.model().bags().is_empty() {
        let what = "the model has multisets, whose elements have no order: nothing is known of what single statements keep of them";
        return Err(not_taken(what.into()));
    }
    Subject::new(task.prepared, observers).map_err(|error| match error {
        Refused::Uncompiled(what) => EngineError::Unsupported(what),
        Refused::Unproven(breaches) => {
            let first = breaches.into_iter().next();
            let span = first.as_ref().and_then(|breach| breach.span);
            let why = first.map_or("no run of the model begins".into(), |breach| breach.message);
            EngineError::NotTaken {
                what: format!("nothing can be proven of what single statements keep: {why}"),
                span,
            }
        }
    })
}

fn not_taken(what: String) -> EngineError {
    EngineError::NotTaken { what, span: None }
}
