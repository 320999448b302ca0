//! Counterexamples in the form that another tool replays.

use super::retrace::{RetraceError, labels};
use crate::frontend::LoadedModel;
use crate::options::{CheckOptions, SAFETY, Selection};
use mandala_model::model::Language;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::step::StepLabel;
use mandala_report::Document;

/// Whether counterexamples of the model can be written as trails; why not, if they cannot. A trail of a run along a claim would have to name
/// the claim's own statements, so such models have trails only if nothing but their safety is checked.
pub fn require_possible(loaded: &LoadedModel, options: &CheckOptions) -> Result<(), String> {
    write(loaded, &[])?;
    let safety_alone = match &options.properties {
        Selection::Named(names) => names.iter().all(|name| name == SAFETY),
        Selection::Everything => false,
    };
    let of_runs = |p: &&Property| !matches!(p.kind, PropertyKind::Events { .. });
    match loaded.model.properties.iter().find(of_runs) {
        _ if safety_alone => Ok(()),
        _ if !loaded.stated.is_empty() => {
            Err("`--trail` is for properties in the model, as another tool reads no others".into())
        }
        Some(property) => Err(format!(
            "no trail can be written of a run that violates a claim, and the model has one (`{}`); with `--property safety` \
             there are trails of all that else can go wrong",
            property.name
        )),
        None => Ok(()),
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
        Language::Promela => Ok(mandala_promela::trail::trail(&loaded.model, steps)),
        Language::Murphi => Err("there is no trail format for models in Murphi".into()),
        Language::Red => Err("there is no trail format for pointer automata".into()),
        Language::Boolean => Err("there is no trail format for Boolean programs".into()),
        Language::Tts => Err("there is no trail format for thread transition systems".into()),
        Language::Prism => Err("there is no trail format for the language of PRISM".into()),
        Language::Cubicle => Err("there is no trail format for the language of Cubicle".into()),
    }
}
