//! The variables that some step writes. The others have the values of the start in all states.

use mandala_model::Model;
use mandala_model::expr::{Pattern, Place, Root};
use mandala_model::function::CALL;
use mandala_model::template::{Effect, Step};

/// Which variables are ever written.
pub(crate) struct Written {
    pub globals: Vec<bool>,
    /// By template.
    pub locals: Vec<Vec<bool>>,
}

impl Written {
    pub(crate) fn of(model: &Model) -> Self {
        let templates = model.templates.iter();
        let mut written = Written {
            globals: vec![false; model.globals.len()],
            locals: templates.map(|t| vec![false; t.locals.len()]).collect(),
        };
        for (index, template) in model.templates.iter().enumerate() {
            for edge in &template.edges {
                written.step(index, &edge.step);
            }
        }
        written
    }

    fn step(&mut self, template: usize, step: &Step) {
        match step {
            Step::Guarded { effects, .. } => {
                effects
                    .iter()
                    .for_each(|effect| self.effect(template, effect));
            }
            Step::Receive { patterns, .. } => patterns.iter().for_each(|pattern| match pattern {
                Pattern::Bind(place) => self.place(template, place),
                Pattern::Match(_) | Pattern::Ignore => {}
            }),
            Step::Routine(routine) => {
                let choices = routine.nodes.iter().flat_map(|node| &node.choices);
                choices.for_each(|choice| self.step(template, &choice.step));
            }
            Step::Else | Step::Send { .. } | Step::Exit => {}
            Step::Call(_) => unreachable!("{CALL}"),
        }
    }

    fn effect(&mut self, template: usize, effect: &Effect) {
        match effect {
            Effect::Assign { place, .. } => self.place(template, place),
            Effect::Spawn { result, .. } => {
                result.iter().for_each(|place| self.place(template, place));
            }
            Effect::Insert(insertion) => {
                self.place(template, &insertion.position);
                let cells = insertion.cells.iter();
                cells.for_each(|(place, _)| self.place(template, place));
            }
            Effect::Assert { .. }
            | Effect::Print { .. }
            | Effect::SetPriority { .. }
            | Effect::Fail { .. }
            | Effect::Abandon => {}
        }
    }

    fn place(&mut self, template: usize, place: &Place) {
        match &place.root {
            Root::Global(id) => self.globals[id.index()] = true,
            Root::Local(id) => self.locals[template][id.index()] = true,
            Root::Remote {
                template, local, ..
            } => {
                self.locals[template.index()][local.index()] = true;
            }
            Root::OwnPriority | Root::Reference(_) => {}
        }
    }
}
