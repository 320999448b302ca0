//! Execution of a move on the state.

use super::channels::MessageAt;
use super::collect::Move;
use super::events::Event;
use super::{NOBODY, Sink, Stepper, Stop, Viewer};
use crate::code::{Action, CompiledEdge, CompiledTemplate};

impl<'p> Stepper<'p> {
    /// Performs a move of a process; gives the process that keeps control, if one does.
    #[inline]
    pub(super) fn perform(
        &mut self,
        step: Move,
        sink: &mut impl Sink,
    ) -> Result<Option<u32>, Stop> {
        let (changes, cells) = (self.log.len(), self.cells.len());
        let holder = self.perform_process(step, sink)?;
        if self.program.layout.has_scratch {
            self.forget_scratch(changes, cells);
        }
        Ok(holder)
    }

    /// Gives the cells that are no part of the state back what they held before the step, which the log
    /// knows from the change number `changes` on. Frames made in the step are left alone.
    fn forget_scratch(&mut self, changes: usize, cells: usize) {
        let cells = cells.min(self.cells.len());
        for change in self.log[changes..].iter().rev() {
            let cell = change.cell as usize;
            if cell < cells && self.shape.fields[cell].scratch {
                self.cells[cell] = change.old;
            }
        }
    }

    #[inline]
    fn perform_process(&mut self, step: Move, sink: &mut impl Sink) -> Result<Option<u32>, Stop> {
        let process = step.process as usize;
        let viewer = self.viewer(process);
        let template = self.template(process);
        let edge = &template.edges[step.edge as usize];
        if let Some((receiver, receiving)) = step.partner {
            return self.hand_over(viewer, template, step.edge, receiver, receiving);
        }
        self.choose_parameters(edge, step.choice, viewer);
        self.act(edge.action, viewer, sink)?;
        self.arrive(viewer, template, step.edge);
        Ok(edge.hold.then_some(step.process))
    }

    /// Performs a move of the claim; says whether it keeps control.
    pub(super) fn perform_claim(&mut self, step: Move, sink: &mut impl Sink) -> Result<bool, Stop> {
        let Some(claim) = &self.program.layout.claim else {
            return Ok(false);
        };
        let template = &self.program.parts.templates[claim.template.index()];
        let edge = &template.edges[step.edge as usize];
        let (changes, cells) = (self.log.len(), self.cells.len());
        self.act(edge.action, Viewer::NOBODY, sink)?;
        self.forget_scratch(changes, cells);
        self.write(claim.base as usize, i64::from(edge.target));
        let taken = template.first_edge + step.edge;
        self.coverage.take_edge(taken as usize, self.once.weight);
        Ok(edge.hold)
    }

    /// Does what a step does whose turn has come.
    #[inline]
    pub(super) fn act(
        &mut self,
        action: Action,
        viewer: Viewer,
        sink: &mut impl Sink,
    ) -> Result<(), Stop> {
        match action {
            Action::Guarded { effects: None, .. } | Action::Else => Ok(()),
            Action::Guarded {
                effects: Some(effects),
                ..
            } => self.run(effects, viewer).map(|_| ()),
            Action::Send(send) => self.send(send, viewer),
            Action::Receive(receive) => self.receive(receive, viewer),
            Action::Exit => {
                self.exit();
                Ok(())
            }
            Action::Routine(routine) => self.routine(routine, viewer, sink),
        }
    }

    /// Goes along an edge whose step has been performed.
    #[inline]
    fn arrive(&mut self, viewer: Viewer, template: &CompiledTemplate, edge: u32) {
        self.advance(viewer, &template.edges[edge as usize]);
        let taken = template.first_edge + edge;
        self.coverage.take_edge(taken as usize, self.once.weight);
    }

    /// The part of going along an edge that can be seen in the state.
    #[inline]
    pub(super) fn advance(&mut self, viewer: Viewer, edge: &CompiledEdge) {
        if let Some(cell) = self.program.layout.last_mover
            && viewer.process != NOBODY
        {
            self.write(cell as usize, i64::from(viewer.process));
        }
        if !matches!(edge.action, Action::Exit) {
            self.write(viewer.base as usize, i64::from(edge.target));
        }
    }

    /// A rendezvous: the sender goes first, then the receiver gets the message.
    fn hand_over(
        &mut self,
        sender: Viewer,
        template: &CompiledTemplate,
        sending: u32,
        receiver: u32,
        receiving: u32,
    ) -> Result<Option<u32>, Stop> {
        let edge = &template.edges[sending as usize];
        let receiver_template = self.template(receiver as usize);
        let accept = &receiver_template.edges[receiving as usize];
        let (Action::Send(send), Action::Receive(receive)) = (edge.action, accept.action) else {
            unreachable!("a send and a receive meet");
        };
        let channel = self.channel_of(send.channel, sender)?;
        self.offer(send, channel, sender)?;
        self.arrive(sender, template, sending);
        self.observe(Event::Sent, channel, MessageAt::Handed, send.site)?;
        self.observe(Event::Received, channel, MessageAt::Handed, receive.site)?;
        let viewer = self.viewer(receiver as usize);
        self.bind(receive, viewer)?;
        self.arrive(viewer, receiver_template, receiving);
        Ok(accept.hold.then_some(receiver))
    }
}
