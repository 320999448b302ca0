//! Enabledness of steps, and the processes that are free to move.

use super::{Stepper, Stop, Viewer};
use crate::code::{Action, CompiledChoice, CompiledLocation, ReceiveSite, Site};
use mandala_model::step::FaultKind;

impl<'p> Stepper<'p> {
    /// The location of a process.
    #[inline]
    pub(super) fn location(&self, process: usize) -> &'p CompiledLocation {
        let base = self.shape.processes[process].base as usize;
        &self.template(process).locations[self.cells[base] as usize]
    }

    pub(super) fn priority(&self, process: usize) -> i64 {
        let slot = self.shape.processes[process];
        let layout = &self.program.layout.templates[slot.template.index()];
        match layout.priority {
            Some(offset) => self.cells[(slot.base + offset) as usize],
            None => 1,
        }
    }

    /// Whether a process is free to move at all: what it is provided with holds, and no process of
    /// a higher priority could move instead.
    #[inline]
    pub(super) fn may_move(&mut self, process: usize, prioritised: bool) -> Result<bool, Stop> {
        if !self.is_provided(process)? {
            return Ok(false);
        }
        if prioritised {
            return self.is_foremost(process);
        }
        Ok(true)
    }

    #[inline]
    fn is_provided(&mut self, process: usize) -> Result<bool, Stop> {
        let provided = self.template(process).provided;
        self.holds(provided, self.viewer(process))
    }

    fn is_foremost(&mut self, process: usize) -> Result<bool, Stop> {
        let own = self.priority(process);
        for other in 0..self.shape.processes.len() {
            if self.priority(other) > own
                && self.is_provided(other)?
                && self.some_step_possible(other)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The viewer asks whether a process is enabled. To ask about oneself is a fault, also if the question
    /// comes round through the guards of others.
    pub(super) fn ask_enabled(
        &mut self,
        number: i64,
        viewer: Viewer,
        site: Site,
    ) -> Result<bool, Stop> {
        let is_asking = |p: &u32| i64::from(*p) == number;
        if is_asking(&viewer.process) || self.asking.iter().any(is_asking) {
            return self.fail(FaultKind::EnabledOfSelf, site);
        }
        let Some(process) = self.process(number) else {
            return Ok(false);
        };
        // Guards of the other process use the same registers.
        let registers = self.registers.clone();
        self.asking.push(viewer.process);
        let answer = self.some_step_possible(process);
        self.asking.pop();
        self.registers = registers;
        answer
    }

    fn some_step_possible(&mut self, process: usize) -> Result<bool, Stop> {
        let viewer = self.viewer(process);
        let template = self.template(process);
        let location = self.location(process);
        for edge in &template.edges[location.edges.start as usize..location.edges.end as usize] {
            let possible = match edge.parameters.is_empty() {
                true => self.is_possible(edge.action, viewer)?,
                false => self.some_choice_possible(edge, viewer)?,
            };
            if possible {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a step could be taken, as far as can be told without other processes: a send at a
    /// rendezvous counts as possible, a receive there does not.
    pub(super) fn is_possible(&mut self, action: Action, viewer: Viewer) -> Result<bool, Stop> {
        match action {
            Action::Guarded { guard, .. } => self.holds(guard, viewer),
            // Asked only after all steps before it have turned out impossible.
            Action::Else => Ok(true),
            Action::Send(send) => {
                let channel = self.channel_of(send.channel, viewer)?;
                Ok(!self.is_full(channel))
            }
            Action::Receive(receive) => self.receive_possible(receive, viewer),
            Action::Exit => Ok(viewer.process as usize + 1 == self.shape.processes.len()),
            Action::Routine(routine) => {
                let first = &self.program.routines[routine as usize].nodes[0];
                for choice in &first.choices {
                    if self.is_possible(choice.action, viewer)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn receive_possible(&mut self, receive: ReceiveSite, viewer: Viewer) -> Result<bool, Stop> {
        let channel = self.channel_of(receive.channel, viewer)?;
        if self.is_rendezvous(channel) {
            return match receive.remove {
                true => Ok(false),
                false => self.fail(FaultKind::PollAtRendezvous, receive.channel.site),
            };
        }
        let found = self.receivable(channel, receive.patterns, viewer, receive.site)?;
        Ok(found.is_some())
    }

    /// Whether a routine can start.
    pub(super) fn routine_possible(&mut self, routine: u32, viewer: Viewer) -> Result<bool, Stop> {
        let first = &self.program.routines[routine as usize].nodes[0];
        for choice in &first.choices {
            if self.choice_possible(choice, viewer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a choice of a routine can be taken. A rendezvous needs another process to move, which
    /// cannot be inside a routine.
    pub(super) fn choice_possible(
        &mut self,
        choice: &CompiledChoice,
        viewer: Viewer,
    ) -> Result<bool, Stop> {
        let channel = match choice.action {
            Action::Send(send) => Some(send.channel),
            Action::Receive(receive) => Some(receive.channel),
            _ => None,
        };
        if let Some(channel) = channel {
            let channel = self.channel_of(channel, viewer)?;
            if self.is_rendezvous(channel) {
                return self.fail(FaultKind::RendezvousInRoutine, choice.site);
            }
        }
        self.is_possible(choice.action, viewer)
    }
}
