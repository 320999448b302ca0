//! A compiled model, made once for all who execute it.

use mandala_encoding::{Program, Unsupported};
use mandala_model::Model;
use mandala_model::step::Observers;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// A model with its programs: one for each set of observers that somebody has asked for, compiled when that happens for the first time.
#[derive(Debug)]
pub struct CompiledModel {
    model: Arc<Model>,
    programs: Mutex<Programs>,
}

/// What was compiled, and how often somebody asked.
#[derive(Debug, Default)]
struct Programs {
    made: Vec<(Observers, Result<Arc<Program>, Unsupported>)>,
    asked: usize,
}

impl CompiledModel {
    /// A model of which nothing is compiled yet.
    pub fn new(model: Arc<Model>) -> Self {
        CompiledModel {
            model,
            programs: Mutex::default(),
        }
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The model with those observers as a program of which nothing has been explored yet.
    ///
    /// # Errors
    ///
    /// As [`Program::compile`].
    pub fn program(&self, observers: Observers) -> Result<Program, Unsupported> {
        Ok(self.shared(observers)?.afresh())
    }

    fn shared(&self, observers: Observers) -> Result<Arc<Program>, Unsupported> {
        let mut programs = self.lock();
        programs.asked += 1;
        let mut known = programs.made.iter();
        if let Some((_, known)) = known.find(|(of, _)| *of == observers) {
            return known.clone();
        }
        let made = Program::compile(&self.model, observers).map(Arc::new);
        programs.made.push((observers, made.clone()));
        made
    }

    /// How often the model was compiled.
    pub fn compilations(&self) -> usize {
        self.lock().made.len()
    }

    /// How often somebody asked for a program.
    pub fn requests(&self) -> usize {
        self.lock().asked
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Programs> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for CompiledModel {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.model
    }
}
