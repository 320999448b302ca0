//! Properties that are new.

use mandala_model::UncheckedModel;
use mandala_model::findings::{Fallible, error};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::Span;

/// Requires that no property has that name.
///
/// # Errors
///
/// If there is one.
pub fn require_new(model: &UncheckedModel, name: &str, span: Span) -> Fallible<()> {
    match model.properties.iter().any(|p| p.name == name) {
        true => Err(error(span, format!("a second property `{name}`"))),
        false => Ok(()),
    }
}

/// Adds a property of a new name.
pub(crate) fn add(
    model: &mut UncheckedModel,
    name: String,
    kind: PropertyKind,
    span: Span,
) -> Fallible<()> {
    require_new(model, &name, span)?;
    model.properties.push(Property { name, kind, span });
    Ok(())
}
