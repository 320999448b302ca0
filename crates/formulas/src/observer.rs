//! Claims for properties that are new.

use mandala_model::UncheckedModel;
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::template::{Role, Template};

/// A claim for a property of that name, with no body so far.
///
/// # Errors
///
/// If there is a property of that name.
pub fn new_observer(model: &mut UncheckedModel, name: &str, span: Span) -> Fallible<TemplateId> {
    if model.properties.iter().any(|p| p.name == name) {
        return Err(error(span, format!("a second property `{name}`")));
    }
    model
        .templates
        .push(Template::empty(name, Role::Claim, span));
    Ok(TemplateId::from(model.templates.len() - 1))
}
