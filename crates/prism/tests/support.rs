//! Models of texts.

use mandala_model::UncheckedModel;
use mandala_model::source::{SourceText, Sources};
use mandala_model::stated::{Stated, StatedForm};
use mandala_prism::{ParseOptions, load};

/// A text with what is said beside it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    pub text: String,
    pub defines: Vec<String>,
    pub stated: Vec<(StatedForm, String)>,
}

impl Given {
    pub(crate) fn new(text: &str) -> Self {
        Given {
            text: text.into(),
            ..Given::default()
        }
    }

    pub(crate) fn define(mut self, define: &str) -> Self {
        self.defines.push(define.into());
        self
    }

    pub(crate) fn stating(mut self, form: StatedForm, text: &str) -> Self {
        self.stated.push((form, text.into()));
        self
    }
}

/// The model, and what was found, warnings included; in place of a model what is wrong.
pub(crate) fn read(given: &Given) -> (Option<UncheckedModel>, Vec<String>) {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.prism", given.text.as_str()));
    let stated = given.stated.iter().map(|(form, text)| Stated {
        form: *form,
        name: None,
        file: sources.add(SourceText::new(format!("--{}", form.name()), text.as_str())),
    });
    let options = ParseOptions {
        stated: stated.collect(),
        defines: given.defines.clone(),
    };
    let (model, found) = load(&mut sources, file, &options);
    let found = found.iter().map(|d| match &d.help {
        Some(help) => format!("{} ({help})", d.one_line(&sources)),
        None => d.one_line(&sources),
    });
    (model, found.collect())
}

/// The model of a text that is right.
#[track_caller]
pub(crate) fn right(given: &Given) -> UncheckedModel {
    let (model, found) = read(given);
    model.unwrap_or_else(|| panic!("{found:?}\n{}", given.text))
}

/// A model with most of what there is.
pub(crate) const EVERYTHING: &str = include_str!("everything.prism");
