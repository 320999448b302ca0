//! The counter program of a model, as a text.

use crate::Refusal;
use crate::error::CheckError;
use crate::frontend::LoadedModel;
use crate::options::CheckOptions;
use crate::plan::plan;
use crate::run::EngineError;
use crate::symmetry::of_plan;
use mandala_counters::{NoProgram, Program, Refused};
use mandala_model::source::Span;
use mandala_model::step::Observers;

/// The counter program of a model in Promela, for the first property that is checked.
///
/// # Errors
///
/// If the model is none that counters are for.
pub fn counters(loaded: &LoadedModel, options: &CheckOptions) -> Result<String, Refusal> {
    let not_taken = |refused: Refused| {
        let error = CheckError::Engine(EngineError::NotTaken {
            what: format!("there is no counter program: {}", refused.what),
            span: refused.span,
        });
        Refusal::Check(error.located(&loaded.sources))
    };
    let whole = |what: &str| Refused {
        what: what.into(),
        span: None,
    };
    if loaded.has_every_number_of_threads() {
        let what = "there may be any number of threads: add `--max-threads N`";
        return Err(not_taken(whole(what)));
    }
    let plan = plan(&loaded.model, options)
        .map_err(|error| Refusal::Plan(error.located(&loaded.sources)))?;
    let prepared = of_plan(loaded, &plan)?;
    let Some(prepared) = prepared.first() else {
        return Err(not_taken(whole("nothing is checked")));
    };
    let mut program = match Program::new(prepared, Observers::default()) {
        Ok(program) => program,
        Err(NoProgram::Refused(refused)) => return Err(not_taken(refused)),
        Err(NoProgram::Fault(fault)) => {
            return Err(not_taken(Refused {
                what: "a run-time error comes before the first state".into(),
                span: Some(fault.span),
            }));
        }
    };
    let place = |span: Span| loaded.sources.location(span).to_string();
    mandala_counters::promela(&mut program, &place).map_err(not_taken)
}
