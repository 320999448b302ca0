//! All moves of a process, of the claim, of the system.
//!
//! What can be done is found first, without changing anything, and done later: so the list of moves is
//! all that has to be kept while one of them is tried out. A fault met on the way is a move that leads
//! nowhere: it is reported at once and counts as something that happened.

use super::choices::Choice;
use super::{Sink, Stepper, Stop, Viewer};
use crate::code::{Action, CompiledEdge, CompiledTemplate, ReceiveSite, SendSite};
use mandala_model::step::Violation;

/// Whose move it is, and what comes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A process moves.
    Process,
    /// The claim moves, then the system.
    Claim,
    /// The claim moves, then the claim once more: the system has stopped for ever.
    ClaimAlone,
    /// The claim moves, and nothing comes of it unless it is wrong in itself.
    DeadEnd,
    /// The claim moves while the system stands still.
    Stutter,
}

/// Something that can be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub kind: Kind,
    pub timeout: bool,
    pub process: u32,
    /// A row of the table of edges of its template.
    pub edge: u32,
    /// The choice of the parameters of the edge.
    pub choice: u32,
    /// The receiver at a rendezvous and its edge.
    pub partner: Option<(u32, u32)>,
    /// How many moves it stands for.
    pub weight: u64,
}

/// Who the moves are collected for.
#[derive(Clone, Copy)]
pub(super) struct Mover<'p> {
    pub viewer: Viewer,
    pub kind: Kind,
    pub template: &'p CompiledTemplate,
}

/// What the edges tried so far mean for those after them.
#[derive(Clone, Copy, Default)]
pub(super) struct Tried {
    /// Something was found.
    pub found: bool,
    /// An edge could be taken, so `else` cannot be.
    pub moved: bool,
    /// The class of the escape that was taken, or 0.
    pub escape: u32,
    /// The last edge was a send at a rendezvous that nobody takes part in.
    pub unmet: bool,
}

impl Tried {
    /// After an edge that could be taken.
    fn taken(edge: &CompiledEdge) -> Self {
        Tried {
            found: true,
            moved: true,
            escape: edge.escape,
            unmet: false,
        }
    }
}

impl Tried {
    /// Once an escape was taken, what is not part of it is out of reach.
    #[inline]
    fn closes(self, edge: &CompiledEdge) -> bool {
        self.escape > 0 && edge.escape != self.escape
    }
}

impl<'p> Stepper<'p> {
    /// Collects the moves of all processes, the one with the highest number first. Says whether
    /// there is any.
    #[inline]
    pub(super) fn collect_all(&mut self, timeout: bool) -> bool {
        let mut found = false;
        for process in (0..self.shape.processes.len()).rev() {
            found |= self.collect_process(process, timeout);
        }
        found
    }

    /// Whether any process can move.
    pub(super) fn can_move(&mut self, timeout: bool, sink: &mut impl Sink) -> bool {
        let violations = self.violations.len();
        let moves = self.expansion.moves.len();
        let processes = (0..self.shape.processes.len()).rev();
        let mut found = false;
        for process in processes {
            let first = self.expansion.moves.len();
            found = self.collect_process(process, timeout)
                && (!self.program.rules.on_trial()
                    || self.violations.len() > violations
                    || self.some_move_counts(first, sink));
            if found {
                break;
            }
        }
        self.violations.truncate(violations);
        self.expansion.moves.truncate(moves);
        found
    }

    /// Whether something comes of one of the moves from that number on.
    fn some_move_counts(&mut self, from: usize, sink: &mut impl Sink) -> bool {
        let mut number = from;
        while let Some(&step) = self.expansion.moves.get(number) {
            if self.counts(step, sink) {
                return true;
            }
            number += 1;
        }
        false
    }

    /// Collects the moves of one process.
    #[inline]
    pub(super) fn collect_process(&mut self, process: usize, timeout: bool) -> bool {
        if process >= self.shape.processes.len() || !self.admits_process(process as u32) {
            return false;
        }
        self.timeout = timeout;
        match self.may_move(process, self.program.prioritised) {
            Ok(false) => false,
            Ok(true) => {
                let location = self.location(process);
                let mover = Mover {
                    viewer: self.viewer(process),
                    kind: Kind::Process,
                    template: self.template(process),
                };
                self.collect_edges(mover, location.edges.clone())
            }
            Err(Stop) => {
                self.report_fault();
                !self.location(process).edges.is_empty()
            }
        }
    }

    /// Collects the moves of the claim.
    pub(super) fn collect_claim(&mut self, kind: Kind, timeout: bool) {
        let Some(claim) = &self.program.layout.claim else {
            return;
        };
        self.timeout = timeout;
        let template = &self.program.parts.templates[claim.template.index()];
        let location = &template.locations[self.cells[claim.base as usize] as usize];
        let mover = Mover {
            viewer: Viewer::NOBODY,
            kind,
            template,
        };
        self.collect_edges(mover, location.edges.clone());
    }

    #[inline]
    fn collect_edges(&mut self, mover: Mover<'p>, edges: std::ops::Range<u32>) -> bool {
        let mut tried = Tried::default();
        for index in edges {
            let edge = &mover.template.edges[index as usize];
            if tried.closes(edge) {
                break;
            }
            tried = self.try_edge(mover, index, tried);
        }
        tried.found
    }

    /// Collects the moves along an edge, if it can be taken after what was tried before.
    #[inline]
    pub(super) fn try_edge(&mut self, mover: Mover<'p>, index: u32, tried: Tried) -> Tried {
        let edge = &mover.template.edges[index as usize];
        if !edge.parameters.is_empty() {
            return self.try_choices(mover, index, tried);
        }
        if let Action::Send(send) = edge.action
            && let Some(channel) = self.rendezvous(send, mover.viewer)
        {
            return self.collect_meeting(mover, index, send, channel, tried);
        }
        match self.can_take(edge, mover.viewer, tried) {
            Ok(false) => return tried,
            Ok(true) => self.push(mover, (index, 0), None),
            Err(Stop) => self.report_fault(),
        }
        self.check_alone(edge, tried);
        Tried::taken(edge)
    }

    /// Collects the moves along an edge with parameters.
    fn try_choices(&mut self, mover: Mover<'p>, index: u32, mut tried: Tried) -> Tried {
        let edge = &mover.template.edges[index as usize];
        self.each_choice(edge, mover.viewer, &mut |this, choice| {
            match choice {
                Choice::Possible(choice) => match this.can_take(edge, mover.viewer, tried) {
                    Ok(false) => return,
                    Ok(true) => this.push(mover, (index, choice), None),
                    Err(Stop) => this.report_fault(),
                },
                Choice::Faulty => this.report_fault(),
            }
            this.check_alone(edge, tried);
            tried = Tried::taken(edge);
        });
        tried
    }

    /// Collects the move along an edge with one choice of its parameters, if it can be taken.
    pub(super) fn try_choice(
        &mut self,
        mover: Mover<'p>,
        (index, choice): (u32, u32),
        tried: Tried,
    ) -> Tried {
        let edge = &mover.template.edges[index as usize];
        let changes = self.log.len();
        self.choose_parameters(edge, choice, mover.viewer);
        let possible = self.is_choice_possible(edge, mover.viewer);
        self.undo(changes);
        match possible {
            Ok(false) => return tried,
            Ok(true) => self.push(mover, (index, choice), None),
            Err(Stop) => self.report_fault(),
        }
        self.check_alone(edge, tried);
        Tried::taken(edge)
    }

    /// Reports a choice where there must be none.
    #[inline]
    fn check_alone(&mut self, edge: &CompiledEdge, tried: Tried) {
        if let Some(site) = edge.alone.filter(|_| tried.moved) {
            let span = self.program.code.spans[site as usize];
            self.note_violation();
            self.violations.push(Violation::Nondeterminism { span });
        }
    }

    #[inline]
    fn push(&mut self, mover: Mover<'p>, (edge, choice): (u32, u32), partner: Option<(u32, u32)>) {
        let weight = self.collected_weight();
        self.note_weight(weight);
        self.expansion.moves.push(Move {
            kind: mover.kind,
            timeout: self.timeout,
            process: mover.viewer.process,
            edge,
            choice,
            partner,
            weight,
        });
    }

    #[inline]
    fn can_take(
        &mut self,
        edge: &CompiledEdge,
        viewer: Viewer,
        tried: Tried,
    ) -> Result<bool, Stop> {
        match edge.action {
            // All parts of it have been asked on the way.
            Action::Guarded { .. } if edge.parameters.ask_all => Ok(true),
            Action::Guarded { guard, .. } => self.holds(guard, viewer),
            Action::Else => Ok(!tried.moved),
            Action::Routine(routine) => self.routine_possible(routine, viewer),
            other => self.is_possible(other, viewer),
        }
    }

    /// The channel of a send, if it is a rendezvous. That it cannot be told comes up again when the send
    /// itself is looked at.
    #[inline]
    fn rendezvous(&mut self, send: SendSite, viewer: Viewer) -> Option<usize> {
        let channel = self.channel_of(send.channel, viewer).ok()?;
        self.is_rendezvous(channel).then_some(channel)
    }

    /// Collects the ways to hand over a message, one for each receive that takes it.
    fn collect_meeting(
        &mut self,
        mover: Mover<'p>,
        index: u32,
        send: SendSite,
        channel: usize,
        tried: Tried,
    ) -> Tried {
        let edge = &mover.template.edges[index as usize];
        if self.offer(send, channel, mover.viewer).is_err() {
            self.report_fault();
            return Tried::taken(edge);
        }
        // Receivers see the sender where it goes.
        let mark = self.log.len();
        self.advance(mover.viewer, edge);
        let mut met = false;
        for receiver in (0..self.shape.processes.len()).rev() {
            if receiver == mover.viewer.process as usize {
                continue;
            }
            let mark = self.tuple_mark();
            if !self.once.reduces || self.add_process(receiver as u32) {
                met |= self.collect_receiver(mover, index, channel, receiver);
            }
            self.go_back_in_tuple(mark);
        }
        self.undo(mark);
        if met {
            self.check_alone(edge, tried);
            return Tried::taken(edge);
        }
        Tried {
            escape: 0,
            unmet: true,
            ..tried
        }
    }

    fn collect_receiver(
        &mut self,
        sender: Mover<'p>,
        send: u32,
        channel: usize,
        receiver: usize,
    ) -> bool {
        match self.may_move(receiver, self.program.prioritised) {
            Ok(false) => return false,
            Ok(true) => {}
            Err(Stop) => {
                self.report_fault();
                return !self.location(receiver).edges.is_empty();
            }
        }
        let mut tried = Tried::default();
        let template = self.template(receiver);
        for index in self.location(receiver).edges.clone() {
            let edge = &template.edges[index as usize];
            if tried.closes(edge) {
                break;
            }
            match self.accepts(edge, channel, receiver) {
                Ok(false) => continue,
                Ok(true) => self.push(sender, (send, 0), Some((receiver as u32, index))),
                Err(Stop) => self.report_fault(),
            }
            tried.found = true;
            tried.escape = edge.escape;
        }
        tried.found
    }

    /// Whether an edge takes the message that is held out.
    fn accepts(
        &mut self,
        edge: &CompiledEdge,
        channel: usize,
        receiver: usize,
    ) -> Result<bool, Stop> {
        let Action::Receive(receive @ ReceiveSite { remove: true, .. }) = edge.action else {
            return Ok(false);
        };
        let viewer = self.viewer(receiver);
        // That the channel cannot be told is a fault of the receiver's own step, reported there.
        if self.channel_of(receive.channel, viewer) != Ok(channel) {
            return Ok(false);
        }
        let patterns = &self.program.code.patterns[receive.patterns as usize];
        self.matches(
            super::channels::MessageAt::Handed,
            channel,
            patterns,
            viewer,
            receive.site,
        )
    }
}
