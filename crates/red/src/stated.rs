//! Properties beside the model: what must be possible, once or for ever.

use crate::check::Asked;
use crate::typed::GoalKind;
use crate::{parser, tokens};
use mandala_model::findings::{Fallible, error_help};
use mandala_model::source::{Sources, Span};
use mandala_model::stated::{Stated, StatedForm};

/// What the properties ask.
pub(crate) fn read(sources: &Sources, stated: &[Stated]) -> Fallible<Vec<Asked>> {
    let numbered = stated.iter().enumerate();
    let asked = numbered.map(|(index, property)| question(sources, property, &stated[..index]));
    asked.collect()
}

fn question(sources: &Sources, stated: &Stated, before: &[Stated]) -> Fallible<Asked> {
    let kind = match stated.form {
        StatedForm::Possible => GoalKind::Possible,
        StatedForm::AlwaysPossible => GoalKind::AlwaysPossible,
        form => {
            let message = format!("`--{}` is for Promela models", form.name());
            let help =
                "pointer automata have `--possible`, `--always-possible`, and `risk` in the model";
            return Err(error_help(Span::new(stated.file, 0, 0), message, help));
        }
    };
    let text = sources.file(stated.file).text();
    let condition = parser::parse_value(tokens(stated.file, text)?)?;
    Ok(Asked {
        name: stated.name_after(before),
        kind,
        condition,
    })
}
