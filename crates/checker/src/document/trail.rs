//! Counterexamples in the form that another tool replays.

use super::retrace::{RetraceError, labels};
use crate::frontend::LoadedModel;
use mandala_model::model::Language;
use mandala_model::step::StepLabel;
use mandala_report::Document;

/// Whether counterexamples of the model can be written as trails; why not, if they cannot.
pub fn require_possible(loaded: &LoadedModel) -> Result<(), String> {
    match loaded.stated.is_empty() {
        true => write(loaded, &[]).map(drop),
        false => {
            Err("`--trail` is for properties in the model, as another tool reads no others".into())
        }
    }
}

/// The first counterexample of the document as a trail of the tool whose language the model is
/// written in, or why there is none.
pub fn export(loaded: &LoadedModel, document: &Document) -> Result<String, String> {
    let trace = document.trace.as_ref();
    let trace = trace.ok_or_else(|| RetraceError::NoTrace.to_string())?;
    let labels = labels(&loaded.model, trace).map_err(|error| error.to_string())?;
    write(loaded, &labels)
}

fn write(loaded: &LoadedModel, steps: &[StepLabel]) -> Result<String, String> {
    match loaded.model.language {
        Language::Promela => {
            mandala_promela::trail::trail(&loaded.model, steps).map_err(|error| error.to_string())
        }
        Language::Murphi => Err("there is no trail format for models in Murphi".into()),
        Language::Red => Err("there is no trail format for pointer automata".into()),
        Language::Boolean => Err("there is no trail format for Boolean programs".into()),
        Language::Tts => Err("there is no trail format for thread transition systems".into()),
        Language::Cubicle => Err("there is no trail format for the language of Cubicle".into()),
    }
}
