//! Edges that only look at a state: they are tried, counted and undone, and lead nowhere.

use super::collect::Move;
use super::{Sink, Stepper, Stop, Viewer};
use crate::code::{Action, CompiledEdge};
use mandala_model::ids::EdgeId;
use mandala_model::step::Fault;

impl Stepper<'_> {
    /// Has all edges look at the working state that do so.
    pub(super) fn observe_all(&mut self, sink: &mut impl Sink) {
        for process in (0..self.shape.processes.len()).rev() {
            let template = self.template(process);
            for index in self.location(process).edges.clone() {
                if template.edges[index as usize].observes {
                    self.observe_edge(process, index, sink);
                }
            }
        }
    }

    /// Has one edge look at the working state. What goes wrong waits to be told.
    pub(super) fn observe_edge(&mut self, process: usize, index: u32, sink: &mut impl Sink) {
        let (progress, changes) = (self.progress, self.log.len());
        let template = self.template(process);
        self.timeout = false;
        let before = self.violations.len();
        let edge = &template.edges[index as usize];
        match self.look(edge, self.viewer(process), sink) {
            Ok(true) => {
                let taken = template.first_edge + index;
                self.coverage.take_edge(taken as usize);
            }
            Ok(false) => {}
            Err(Stop) => self.end_look(before),
        }
        if self.violations.len() > before {
            self.attribute(process, index, before);
        }
        self.undo(changes);
        self.progress = progress;
    }

    /// What has gone wrong on an edge that monitors an invariant is a violation of that invariant; so many violations were there before.
    #[cold]
    fn attribute(&mut self, process: usize, index: u32, before: usize) {
        let edge = EdgeId {
            template: self.shape.processes[process].template,
            index,
        };
        let invariant = self.program.invariants.get(&edge).copied();
        for violation in &mut self.violations[before..] {
            *violation = violation.clone().monitoring(invariant);
        }
    }

    /// Makes a move of a process on trial: whether something comes of it, a state or something that is wrong. Nothing is told or
    /// counted.
    pub(super) fn counts(&mut self, step: Move, sink: &mut impl Sink) -> bool {
        let (progress, changes) = (self.progress, self.log.len());
        let before = self.violations.len();
        let process = step.process as usize;
        let action = self.template(process).edges[step.edge as usize].action;
        let done = self.act(action, self.viewer(process), sink);
        let nothing = std::mem::take(&mut self.blocked) | std::mem::take(&mut self.abandoned);
        self.fault = None;
        self.violations.truncate(before);
        self.undo(changes);
        self.progress = progress;
        done.is_ok() || !nothing
    }

    /// Goes along an edge as far as it can be taken; false if it cannot.
    fn look(
        &mut self,
        edge: &CompiledEdge,
        viewer: Viewer,
        sink: &mut impl Sink,
    ) -> Result<bool, Stop> {
        let possible = match edge.action {
            Action::Routine(routine) => self.routine_possible(routine, viewer)?,
            action => self.is_possible(action, viewer)?,
        };
        if possible {
            self.act(edge.action, viewer, sink)?;
        }
        Ok(possible)
    }

    /// A look has come to its end halfway through; so many violations were there before.
    fn end_look(&mut self, before: usize) {
        if std::mem::take(&mut self.blocked) {
            self.violations.truncate(before);
        }
        self.abandoned = false;
        self.report_fault();
    }
}

impl Stepper<'_> {
    /// Whether the condition of that number holds in a packed state.
    ///
    /// # Errors
    ///
    /// If it fails.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program, or it has no such condition.
    pub fn condition(&mut self, packed: &[u8], number: usize) -> Result<bool, Fault> {
        self.load_to_look(packed);
        self.condition_here(number)
    }

    /// The numbers of all conditions that hold in a packed state.
    ///
    /// # Errors
    ///
    /// If one of them fails.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program.
    pub fn conditions(&mut self, packed: &[u8], holding: &mut Vec<u32>) -> Result<(), Fault> {
        self.load_to_look(packed);
        holding.clear();
        for number in 0..self.program.conditions.len() {
            if self.condition_here(number)? {
                holding.push(number as u32);
            }
        }
        Ok(())
    }

    fn load_to_look(&mut self, packed: &[u8]) {
        self.forget_machine_code();
        self.load(packed);
        self.timeout = false;
    }

    /// Whether the condition of that number holds in the working state.
    fn condition_here(&mut self, number: usize) -> Result<bool, Fault> {
        let condition = self.program.conditions[number];
        self.holds(condition, Viewer::NOBODY)
            .map_err(|Stop| self.fault.take().expect("a condition stops with a fault"))
    }
}
