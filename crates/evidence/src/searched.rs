//! The model whose states an engine has remembered.

use mandala_encoding::Program;
use mandala_interpreter::Interpreter;
use mandala_model::step::Observers;
use mandala_prepare::CompiledModel;

/// The model that was searched, with observers: the interpreter that executes it, and its program where there are too many ways to look at.
#[derive(Clone, Copy)]
pub struct Searched<'m> {
    /// What executes it.
    pub interpreter: Interpreter<'m>,
    compiled: &'m CompiledModel,
}

impl<'m> Searched<'m> {
    /// That model with those observers.
    pub fn new(model: &'m CompiledModel, observers: Observers) -> Self {
        Searched {
            interpreter: Interpreter::new(model, observers),
            compiled: model,
        }
    }

    /// The program; nothing if the model cannot be compiled.
    pub(crate) fn program(&self) -> Option<Program> {
        self.compiled.program(self.interpreter.observers()).ok()
    }
}
