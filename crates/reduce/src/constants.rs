//! The cells that no step writes any more.
//!
//! A parameter that was given when the process was made, a variable that is only read: what is kept there once the system has
//! started is kept for ever.

use crate::plan::{Active, Basis};
use mandala_encoding::{Places, ProcessPlace};
use mandala_model::Model;
use mandala_model::footprint::Parts;
use mandala_model::ids::{EdgeId, GlobalId, LocalId, LocationId, TemplateId};
use mandala_model::template::Role;
use mandala_model::types::Variable;

/// For each cell of the states of a shape, whether it is a variable that is constant once the active domains are
/// settled.
pub(crate) fn constant_cells(basis: &Basis<'_>, places: &Places, active: Active) -> Vec<bool> {
    let model = basis.model;
    let written = Written::of(basis, active);
    let mut constant = vec![false; places.cells()];
    mark(
        model,
        &model.globals,
        places.globals,
        &mut constant,
        |id, cell| !written.globally.globals.contains(GlobalId::from(id), cell),
    );
    for process in &places.processes {
        written.mark_locals(model, process, &mut constant);
    }
    constant
}

/// Asks for each cell of some variables whether it is constant.
fn mark(
    model: &Model,
    variables: &[Variable],
    first: usize,
    constant: &mut [bool],
    is_constant: impl Fn(usize, u32) -> bool,
) {
    let mut at = first;
    for (index, variable) in variables.iter().enumerate() {
        for cell in 0..model.cells(&variable.ty) {
            constant[at] = is_constant(index, cell as u32);
            at += 1;
        }
    }
}

/// What is still written.
struct Written {
    /// By anybody.
    globally: Parts,
    /// By the instances of each template, to themselves.
    by_template: Vec<Parts>,
}

impl Written {
    fn of(basis: &Basis<'_>, active: Active) -> Self {
        let model = basis.model;
        let mut written = Written {
            globally: Parts::default(),
            by_template: vec![Parts::default(); model.runnable_count()],
        };
        for (template_id, template) in model.runnables() {
            for (index, edge) in (0..).zip(&template.edges) {
                let passed = template.role == Role::Process
                    && is_passed(basis, active, template_id, edge.source);
                if !passed {
                    let id = EdgeId {
                        template: template_id,
                        index,
                    };
                    written.add(template_id, basis.writes.of_edge(id));
                }
            }
        }
        written
    }

    fn add(&mut self, template: TemplateId, writes: &Parts) {
        self.globally.add(writes);
        self.by_template[template.index()].add(writes);
    }

    fn mark_locals(&self, model: &Model, process: &ProcessPlace, constant: &mut [bool]) {
        let template = process.template;
        let locals = &model.template(template).locals;
        let own = &self.by_template[template.index()].locals;
        mark(model, locals, process.locals, constant, |id, cell| {
            let id = LocalId::from(id);
            let remote = &self.globally.remote;
            !own.contains(id, cell) && !remote.contains((template, id), cell)
        });
    }
}

/// Whether no instance of the template is at that location any more, because an active domain is settled.
fn is_passed(
    basis: &Basis<'_>,
    active: Active,
    template: TemplateId,
    location: LocationId,
) -> bool {
    let domains = basis.domains.iter().enumerate();
    let active = domains.filter(|(index, _)| *index < 64 && active >> index & 1 == 1);
    let mut settled = active.flat_map(|(_, domain)| &domain.settled);
    settled.any(|(of, locations)| *of == template && !locations.contains(&location))
}
