//! A step in the making: a copy of the state that effects change, and what happens meanwhile.

use crate::Interpreter;
use crate::call::Returned;
use crate::frame::Frame;
use crate::happened::StepEvent;
use crate::view::View;
use mandala_model::ids::{NodeId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::{Fault, Violation};
use mandala_model::template::{Edge, Step};
use mandala_model::types::{Storage, Variable};
use mandala_model::{Model, State};
use std::collections::BTreeSet;

/// A step in the making. If it fails, the state is worthless, but what went wrong or was shown
/// before it failed is not.
pub(crate) struct Attempt<'m> {
    pub model: &'m Model,
    /// The observer of messages.
    pub observer: Option<TemplateId>,
    /// The state so far.
    pub state: State,
    /// Who acts: a process, or the claim.
    pub actor: Option<u32>,
    pub timeout: bool,
    /// A routine was given up, so it is not known where the step leads.
    pub given_up: bool,
    pub violations: Vec<Violation>,
    pub printed: Vec<String>,
    /// What was done with messages and processes, in order.
    pub events: Vec<StepEvent>,
    /// The nodes of a routine that were executed.
    pub nodes: BTreeSet<NodeId>,
    /// The calls that have not ended, the innermost last.
    pub frames: Vec<Frame>,
    /// What the calls of the routine itself have given, in order.
    pub returned: Vec<Returned>,
}

/// Why a step has no state after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Something in it could not be done.
    Fault(Fault),
    /// It came to a point where it must fail.
    Failed(Span),
    /// It came to a point where it ends, and nothing is wrong with that.
    Abandoned,
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Halt::Fault(fault)
    }
}

impl<'m> Attempt<'m> {
    pub(crate) fn new(
        interpreter: &Interpreter<'m>,
        state: State,
        actor: Option<u32>,
        timeout: bool,
    ) -> Self {
        Attempt {
            model: interpreter.model,
            observer: interpreter.observers.events,
            state,
            actor,
            timeout,
            given_up: false,
            violations: Vec::new(),
            printed: Vec::new(),
            events: Vec::new(),
            nodes: BTreeSet::new(),
            frames: Vec::new(),
            returned: Vec::new(),
        }
    }

    /// The state so far, as the actor sees it.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            frames: &self.frames,
            ..View::new(self.model, &self.state, self.actor, self.timeout)
        }
    }

    /// Goes along an edge whose step has been performed.
    pub(crate) fn arrive(&mut self, edge: &Edge) {
        if self.model.tracks_last_mover
            && let Some(process) = self.actor
        {
            self.state.last_mover = Value::from(process);
        }
        if matches!(edge.step, Step::Exit) {
            return;
        }
        let own = match self.actor {
            Some(process) => self.state.processes.get_mut(process as usize),
            None => self.state.claim.as_mut(),
        };
        if let Some(own) = own {
            own.location = edge.target;
        }
    }

    /// Gives the variables of the parameters of an edge their values in that choice.
    pub(crate) fn choose(&mut self, edge: &Edge, choice: u32) {
        let own = match self.actor {
            Some(process) => self.state.processes.get_mut(process as usize),
            None => self.state.claim.as_mut(),
        };
        let Some(own) = own else {
            return;
        };
        for (parameter, value) in edge.parameters.iter().zip(edge.chosen(choice)) {
            let cell = self
                .model
                .first_cell_of_local(own.template, parameter.local);
            own.locals[cell] = value;
        }
    }

    /// Gives the variables that are no part of the state back what they held before the step.
    pub(crate) fn forget_scratch(&mut self, before: &State) {
        let model = self.model;
        restore(
            model,
            &model.globals,
            &before.globals,
            &mut self.state.globals,
        );
        let own = before.processes.iter().zip(&mut self.state.processes);
        for (old, new) in own.chain(before.claim.iter().zip(&mut self.state.claim)) {
            let variables = &model.template(new.template).locals;
            restore(model, variables, &old.locals, &mut new.locals);
        }
    }

    /// Puts why the step ends to what went wrong already.
    pub(crate) fn halt(&mut self, halt: &Halt) {
        match halt {
            Halt::Fault(fault) => self.violations.push(Violation::Fault(fault.clone())),
            Halt::Failed(span) => self.violations.push(Violation::Failed {
                span: *span,
                property: None,
            }),
            Halt::Abandoned => {}
        }
    }
}

fn restore(model: &Model, variables: &[Variable], old: &[Value], new: &mut [Value]) {
    let mut start = 0;
    for variable in variables {
        let end = start + model.cells(&variable.ty);
        if variable.storage == Storage::Scratch {
            new[start..end].copy_from_slice(&old[start..end]);
        }
        start = end;
    }
}
