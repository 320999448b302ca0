//! Models, and how they are read.

use crate::stack::on_large_stack;
use crate::{Check, Error};
use mandala_checker::frontend::{self, LoadedModel, ModelInput, PropertyInput};
use mandala_model::stated::StatedForm;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A model that has been read, with its properties.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) loaded: LoadedModel,
}

/// Reads models with constants from outside, and with properties beside those that they state.
#[derive(Clone, Debug, Default)]
pub struct ModelReader {
    defines: Vec<String>,
    properties: Vec<PropertyInput>,
}

impl Model {
    /// Reads a model from a file. The end of its name says in which language it is written, as on the command line.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the model is wrong.
    pub fn read(path: impl AsRef<Path>) -> Result<Model, Error> {
        ModelReader::new().read(path)
    }

    /// Makes a model of a text. The end of the name says in which language it is written; messages and traces call the text so.
    ///
    /// # Errors
    ///
    /// If the model is wrong.
    pub fn parse(name: impl AsRef<Path>, text: &str) -> Result<Model, Error> {
        ModelReader::new().parse(name, text)
    }

    /// What the reader has noticed, none of it an error.
    pub fn warnings(&self) -> Vec<String> {
        let warnings = self.loaded.warnings.iter();
        warnings.map(|warning| warning.message.clone()).collect()
    }

    /// A check of everything that the model states, on all cores and without limits.
    pub fn check(&self) -> Check<'_> {
        Check::new(self)
    }
}

impl ModelReader {
    /// A reader that adds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Defines a macro or a constant, as `-D NAME=VALUE` does.
    #[must_use]
    pub fn define(mut self, name: &str, value: impl Display) -> Self {
        self.defines.push(format!("{name}={value}"));
        self
    }

    /// States a formula of linear temporal logic, as `--ltl 'NAME: FORMULA'` does.
    #[must_use]
    pub fn ltl(self, name: &str, formula: &str) -> Self {
        self.state(StatedForm::Ltl, name, formula)
    }

    /// States a formula of branching time, as `--ctl 'NAME: FORMULA'` does.
    #[must_use]
    pub fn ctl(self, name: &str, formula: &str) -> Self {
        self.state(StatedForm::Ctl, name, formula)
    }

    fn state(mut self, form: StatedForm, name: &str, text: &str) -> Self {
        self.properties.push(PropertyInput {
            form,
            name: Some(name.to_string()),
            origin: PathBuf::from(form.name()),
            text: text.to_string(),
        });
        self
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the model is wrong.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Model, Error> {
        let path = path.as_ref();
        let text = text_of(path).map_err(|error| Error::File(path.to_path_buf(), error))?;
        self.parse(path, &text)
    }

    /// Makes a model of a text.
    ///
    /// # Errors
    ///
    /// If the model is wrong.
    pub fn parse(&self, name: impl AsRef<Path>, text: &str) -> Result<Model, Error> {
        let input = ModelInput {
            path: name.as_ref().to_path_buf(),
            text: text.to_string(),
            defines: self.defines.clone(),
            dialect: None,
            read: text_of,
        };
        let properties = self.properties.clone();
        let loaded = on_large_stack(move || frontend::load_with(input, properties))??;
        Ok(Model { loaded })
    }
}

/// The text of a file. Bytes that are no text (old models have them in comments) are replaced.
fn text_of(path: &Path) -> io::Result<String> {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
