//! The search behind the interface of all engines.

use crate::search::{Search, Stop};
use mandala_counters::{NoProgram, Program, Refused};
use mandala_engine::{
    AfterViolation, Capabilities, Engine, EngineError, Evidence, Extent, Outcome, ProgressObserver,
    Reached, ReductionStatistics, SymmetrySupport, Task, ViolationCounts,
};
use mandala_model::step::{Fault, Violation};

/// The engine that searches counter programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingEngine;

impl Engine for CountingEngine {
    fn name(&self) -> &'static str {
        "counters"
    }

    fn help(&self) -> &'static str {
        "counter programs: what `--symmetry counters` searches with"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
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
            memory: true,
            statement_counts: false,
            multiset_elements: false,
            rules: true,
            chance: false,
        }
    }

    fn run(
        &self,
        task: &Task<'_>,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Outcome, EngineError> {
        task.require_no_chance()?;
        let program = match Program::new(task.prepared, task.question.observers) {
            Ok(program) => program,
            Err(NoProgram::Refused(refused)) => return Err(not_taken(refused)),
            Err(NoProgram::Fault(fault)) => return Ok(wrong_at_start(task, fault)),
        };
        let found = Search::new(task, program).run(observer);
        let found = found.map_err(|stop| match stop {
            Stop::Defect(what) => EngineError::Defect(what.into()),
            Stop::Limit(limit) => EngineError::Defect(format!("{limit:?} is no outcome")),
        })?;
        Ok(Outcome {
            reduction: Some(ReductionStatistics::default()),
            ..found
        })
    }
}

fn not_taken(refused: Refused) -> EngineError {
    EngineError::NotTaken {
        what: format!(
            "`--symmetry counters` is not possible: {}; `--symmetry auto` is",
            refused.what
        ),
        span: refused.span,
    }
}

/// The model goes wrong before its first state.
fn wrong_at_start(task: &Task<'_>, fault: Fault) -> Outcome {
    let violation = Violation::Fault(fault);
    let reached = Reached::nothing(task.model());
    if !task.question.concerns(&violation) {
        return Outcome::nothing(Extent::Complete, reached);
    }
    let extent = match task.after_violation {
        AfterViolation::Stop => Extent::FirstViolation,
        AfterViolation::GoOn => Extent::Complete,
    };
    Outcome {
        violations: ViolationCounts::of(violation.attribution(), 1),
        evidence: Some(Evidence {
            path: Vec::new(),
            cycle: Vec::new(),
            violation,
        }),
        ..Outcome::nothing(extent, reached)
    }
}
