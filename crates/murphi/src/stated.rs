//! Properties beside the model: what must be possible, once or for ever, is a `cover` or a `liveness` property at its end.

use crate::ast::{Item, Property, PropertyKind, Rule, Text};
use crate::{lexer, limits, parser};
use mandala_model::findings::{Fallible, error_help};
use mandala_model::source::{Sources, Span};
use mandala_model::stated::{Stated, StatedForm};

/// The properties as parts of a model.
pub(crate) fn read(sources: &Sources, stated: &[Stated]) -> Fallible<Vec<Item>> {
    let numbered = stated.iter().enumerate();
    let items = numbered.map(|(index, property)| item(sources, property, &stated[..index]));
    items.collect()
}

fn item(sources: &Sources, stated: &Stated, before: &[Stated]) -> Fallible<Item> {
    let kind = match stated.form {
        StatedForm::Possible => PropertyKind::Cover,
        StatedForm::AlwaysPossible => PropertyKind::Liveness,
        form => return Err(not_supported(form, Span::new(stated.file, 0, 0))),
    };
    let text = sources.file(stated.file).text();
    if text.len() > limits::FILE_BYTES {
        let start = Span::new(stated.file, 0, 0);
        return Err(crate::error(start, "the property is too large"));
    }
    let condition = parser::parse_value(lexer::lex(stated.file, text)?)?;
    let span = condition.span;
    Ok(Item::Rule(Rule::Property(Property {
        kind,
        name: Some(Text {
            text: stated.name_after(before).into(),
            span,
        }),
        condition,
        span,
    })))
}

fn not_supported(form: StatedForm, span: Span) -> Box<mandala_model::Diagnostic> {
    error_help(
        span,
        format!("`--{}` is for Promela models", form.name()),
        "Murphi has `--possible`, `--always-possible`, and `invariant`, `cover` and `liveness` in the model",
    )
}
