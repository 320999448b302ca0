//! Variables that keep the channel that was made for them.

use mandala_model::Model;
use mandala_model::footprint::{Parts, Writes};
use mandala_model::ids::{EdgeId, GlobalId, LocalId, TemplateId};
use mandala_model::types::{Initial, Variable};

/// For each variable, whether every cell of it has a channel made for it and is never written.
#[derive(Clone, Debug)]
pub(crate) struct Keepers {
    pub globals: Vec<bool>,
    /// By template.
    pub locals: Vec<Vec<bool>>,
}

impl Keepers {
    pub fn of(model: &Model, writes: &Writes) -> Self {
        let made = |variables: &[Variable]| -> Vec<bool> {
            let made = |v: &Variable| matches!(v.initial, Initial::NewChannel(_));
            variables.iter().map(made).collect()
        };
        let mut keepers = Keepers {
            globals: made(&model.globals),
            locals: model.runnables().map(|(_, t)| made(&t.locals)).collect(),
        };
        keepers.drop_parameters(model);
        for (template_id, template) in model.runnables() {
            for index in 0..template.edges.len() as u32 {
                let edge = EdgeId {
                    template: template_id,
                    index,
                };
                keepers.drop_written(template_id, writes.of_edge(edge));
            }
        }
        keepers
    }

    /// What a parameter refers to is the choice of whoever makes the process.
    fn drop_parameters(&mut self, model: &Model) {
        for (locals, (_, template)) in self.locals.iter_mut().zip(model.runnables()) {
            locals[..template.parameters as usize].fill(false);
        }
    }

    fn drop_written(&mut self, template: TemplateId, writes: &Parts) {
        for (GlobalId(global), _) in writes.globals.iter() {
            self.globals[global as usize] = false;
        }
        for (LocalId(local), _) in writes.locals.iter() {
            self.locals[template.index()][local as usize] = false;
        }
        for ((template, LocalId(local)), _) in writes.remote.iter() {
            self.locals[template.index()][local as usize] = false;
        }
    }
}
