//! Monitors, which are evaluated, counted and undone; and conditions that are asked of states.

use super::choices::Choice;
use super::collect::Move;
use super::{Arrival, Sink, Stepper, Stop, Viewer};
use crate::code::{Action, CompiledEdge, CompiledTemplate};
use mandala_model::ids::MonitorId;
use mandala_model::step::{Fault, Turn, Violation};

/// Somebody who is told nothing, because nothing happens.
struct Nobody;

impl Sink for Nobody {
    fn successor(&mut self, _: &mut Arrival<'_, '_>, _: Turn) {}

    fn violation(&mut self, _: Violation) {}
}

impl<'p> Stepper<'p> {
    /// The monitors, if there are some.
    #[inline]
    fn monitors(&self) -> Option<&'p CompiledTemplate> {
        let monitors = self.program.layout.monitors.as_ref()?;
        Some(&self.program.parts.templates[monitors.template.index()])
    }

    /// Evaluates all monitors in the working state.
    #[inline]
    pub(super) fn evaluate_monitors(&mut self, sink: &mut impl Sink) {
        let Some(monitors) = self.monitors() else {
            return;
        };
        for number in 0..monitors.edges.len() as u32 {
            self.evaluate_monitor(number, None, sink);
        }
    }

    /// Evaluates one monitor in the working state, for one choice of its parameters or for all. What goes wrong waits to be told.
    pub(super) fn evaluate_monitor(
        &mut self,
        number: u32,
        choice: Option<u32>,
        sink: &mut impl Sink,
    ) {
        let Some(monitors) = self.monitors() else {
            return;
        };
        let monitor = &monitors.edges[number as usize];
        match choice {
            _ if monitor.parameters.is_empty() => self.evaluate_chosen(monitors, number, sink),
            Some(choice) => {
                let changes = self.log.len();
                self.choose_parameters(monitor, choice, Viewer::NOBODY);
                self.evaluate_chosen(monitors, number, sink);
                self.undo(changes);
            }
            None => self.evaluate_choices(monitors, number, monitor, sink),
        }
    }

    /// Evaluates a monitor for all choices of its parameters.
    fn evaluate_choices(
        &mut self,
        monitors: &'p CompiledTemplate,
        number: u32,
        monitor: &'p CompiledEdge,
        sink: &mut impl Sink,
    ) {
        self.timeout = false;
        self.each_choice(monitor, Viewer::NOBODY, &mut |this, choice| match choice {
            Choice::Possible(_) => {
                this.once.weight = this.collected_weight();
                this.evaluate_chosen(monitors, number, sink);
                this.once.weight = 1;
            }
            Choice::Faulty => {
                let (progress, before) = (this.progress, this.violations.len());
                this.report_fault();
                this.attribute(number, before);
                this.progress = progress;
            }
        });
    }

    /// Evaluates a monitor whose parameters are chosen.
    fn evaluate_chosen(
        &mut self,
        monitors: &'p CompiledTemplate,
        number: u32,
        sink: &mut impl Sink,
    ) {
        let (progress, changes) = (self.progress, self.log.len());
        self.timeout = false;
        let before = self.violations.len();
        match self.evaluate(monitors.edges[number as usize].action, sink) {
            Ok(true) => {
                let taken = monitors.first_edge + number;
                self.coverage.take_edge(taken as usize, self.once.weight);
            }
            Ok(false) => {}
            Err(Stop) => self.end_evaluation(before),
        }
        if self.violations.len() > before {
            self.note_violation();
            self.attribute(number, before);
        }
        self.undo(changes);
        self.progress = progress;
    }

    /// What has gone wrong in a monitor of an invariant is a violation of that invariant; so many violations were there before.
    #[cold]
    fn attribute(&mut self, monitor: u32, before: usize) {
        let invariant = self.program.invariants[monitor as usize];
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
        let edge = &self.template(process).edges[step.edge as usize];
        let viewer = self.viewer(process);
        self.choose_parameters(edge, step.choice, viewer);
        let done = self.act(edge.action, viewer, sink);
        let nothing = std::mem::take(&mut self.blocked) | std::mem::take(&mut self.abandoned);
        self.fault = None;
        self.violations.truncate(before);
        self.undo(changes);
        self.progress = progress;
        done.is_ok() || !nothing
    }

    /// Executes the code of a monitor as far as that is possible; false if it cannot begin.
    fn evaluate(&mut self, check: Action, sink: &mut impl Sink) -> Result<bool, Stop> {
        let possible = match check {
            Action::Routine(routine) => self.routine_possible(routine, Viewer::NOBODY)?,
            action => self.is_possible(action, Viewer::NOBODY)?,
        };
        if possible {
            self.act(check, Viewer::NOBODY, sink)?;
        }
        Ok(possible)
    }

    /// A monitor has come to its end halfway through; so many violations were there before.
    fn end_evaluation(&mut self, before: usize) {
        if std::mem::take(&mut self.blocked) {
            self.violations.truncate(before);
        }
        self.abandoned = false;
        self.report_fault();
    }
}

impl Stepper<'_> {
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

    /// Whether each of some monitors holds in a packed state, in a choice of its parameters. Nothing of that is counted or told.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program, or it has no such monitor.
    pub fn monitors_hold(
        &mut self,
        packed: &[u8],
        asked: &[(MonitorId, u32)],
        holding: &mut Vec<bool>,
    ) {
        self.load_to_look(packed);
        holding.clear();
        for (monitor, choice) in asked {
            holding.push(self.holds_on_trial(*monitor, *choice));
        }
    }

    fn holds_on_trial(&mut self, monitor: MonitorId, choice: u32) -> bool {
        let Some(monitors) = self.monitors() else {
            return false;
        };
        let (progress, changes) = (self.progress, self.log.len());
        let before = self.violations.len();
        let check = &monitors.edges[monitor.index()];
        if !check.parameters.is_empty() {
            self.choose_parameters(check, choice, Viewer::NOBODY);
        }
        let holds = matches!(self.evaluate(check.action, &mut Nobody), Ok(true));
        (self.blocked, self.abandoned) = (false, false);
        self.fault = None;
        self.violations.truncate(before);
        self.undo(changes);
        self.progress = progress;
        holds
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
