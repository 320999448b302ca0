//! Channels: references, messages that match, sends and receives.

use super::{Stepper, Stop, Viewer};
use crate::code::{ChannelSource, CompiledKind, PatternSet, ReceiveSite, SendSite, Site};
use crate::stepper::events::Event;
use mandala_model::expr::ReceiveOrder;
use mandala_model::step::FaultKind;

/// Where a message is.
#[derive(Clone, Copy, Debug)]
pub(super) enum MessageAt {
    /// In the cells from this one on.
    Cell(usize),
    /// Between two processes.
    Handed,
}

impl<'p> Stepper<'p> {
    /// The index of the channel that a reference means.
    #[inline]
    pub(super) fn channel(&mut self, reference: i64, site: Site) -> Result<usize, Stop> {
        if reference < 1 {
            return self.fail(FaultKind::NoChannel, site);
        }
        let index = reference as usize - 1;
        if index >= self.shape.channels.len() {
            return self.fail(FaultKind::ChannelGone, site);
        }
        Ok(index)
    }

    /// The index of the channel of a statement.
    #[inline]
    pub(super) fn channel_of(
        &mut self,
        channel: ChannelSource,
        viewer: Viewer,
    ) -> Result<usize, Stop> {
        let reference = self.value_of(channel.source, viewer)?;
        self.channel(reference, channel.site)
    }

    #[inline]
    pub(super) fn kind(&self, channel: usize) -> &'p CompiledKind {
        let id = self.shape.channels[channel].kind;
        &self.program.parts.kinds[id.index()]
    }

    #[inline]
    fn base(&self, channel: usize) -> usize {
        self.shape.channels[channel].base as usize
    }

    /// How many messages wait in a channel.
    #[inline]
    pub(super) fn waiting(&self, channel: usize) -> usize {
        self.cells[self.base(channel)] as usize
    }

    #[inline]
    pub(super) fn is_rendezvous(&self, channel: usize) -> bool {
        self.kind(channel).capacity == 0
    }

    /// Whether no message fits in any more; never so for a rendezvous.
    #[inline]
    pub(super) fn is_full(&self, channel: usize) -> bool {
        let capacity = self.kind(channel).capacity as usize;
        capacity > 0 && self.waiting(channel) >= capacity
    }

    /// The first cell of a message.
    #[inline]
    fn message_cell(&self, channel: usize, position: usize) -> usize {
        self.base(channel) + 1 + position * self.kind(channel).fields.len()
    }

    /// A field of a message.
    #[inline]
    pub(super) fn field(&self, message: MessageAt, field: usize) -> i64 {
        match message {
            MessageAt::Cell(first) => self.cells[first + field],
            MessageAt::Handed => self.message[field],
        }
    }

    /// Whether a receive would be possible: 0 if not. If all messages are looked at, the answer is
    /// the position of the first that matches, from 1 on.
    pub(super) fn poll(
        &mut self,
        reference: i64,
        patterns: u32,
        viewer: Viewer,
        site: Site,
    ) -> Result<i64, Stop> {
        let channel = self.channel(reference, site)?;
        if self.is_rendezvous(channel) {
            return self.fail(FaultKind::PollAtRendezvous, site);
        }
        let found = self.receivable(channel, patterns, viewer, site)?;
        Ok(found.map_or(0, |position| position as i64 + 1))
    }

    /// The position of the message that a receive would take from a buffer.
    pub(super) fn receivable(
        &mut self,
        channel: usize,
        patterns: u32,
        viewer: Viewer,
        site: Site,
    ) -> Result<Option<usize>, Stop> {
        let patterns = &self.program.code.patterns[patterns as usize];
        let looked_at = match patterns.order {
            ReceiveOrder::First => self.waiting(channel).min(1),
            ReceiveOrder::AnyMatching => self.waiting(channel),
        };
        for position in 0..looked_at {
            let message = MessageAt::Cell(self.message_cell(channel, position));
            if self.matches(message, channel, patterns, viewer, site)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Whether a message of the channel fits the patterns. A receive with the wrong number of fields
    /// is a fault as soon as there is a message to look at.
    pub(super) fn matches(
        &mut self,
        message: MessageAt,
        channel: usize,
        patterns: &PatternSet,
        viewer: Viewer,
        site: Site,
    ) -> Result<bool, Stop> {
        self.check_arity(patterns.arity, channel, site)?;
        for &(field, wanted) in &patterns.matched {
            if self.value_of(wanted, viewer)? != self.field(message, field as usize) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline]
    fn check_arity(&mut self, found: u32, channel: usize, site: Site) -> Result<(), Stop> {
        let expected = self.kind(channel).fields.len() as u32;
        match found == expected {
            true => Ok(()),
            false => self.fail(FaultKind::MessageArity { found, expected }, site),
        }
    }

    /// Evaluates what is sent, into the registers from 0 on, not yet cut to the fields' types.
    fn sent(&mut self, send: SendSite, channel: usize, viewer: Viewer) -> Result<(), Stop> {
        self.check_arity(send.arity, channel, send.site)?;
        self.run(send.message, viewer)?;
        Ok(())
    }

    /// What the fields of the channel keep of the registers.
    fn kept(&mut self, send: SendSite, channel: usize) -> Result<(), Stop> {
        self.message.clear();
        let fields = self.kind(channel).fields.iter().enumerate();
        for (index, field) in fields {
            let value = self.register(index as u8);
            match field.store(value) {
                Some(kept) => self.message.push(kept),
                None => return self.fail(FaultKind::ValueOutOfRange { value }, send.site),
            }
        }
        Ok(())
    }

    /// Evaluates a message that is handed over at a rendezvous.
    pub(super) fn offer(
        &mut self,
        send: SendSite,
        channel: usize,
        viewer: Viewer,
    ) -> Result<(), Stop> {
        self.sent(send, channel, viewer)?;
        self.kept(send, channel)
    }

    /// Puts a message into a channel that has room.
    pub(super) fn send(&mut self, send: SendSite, viewer: Viewer) -> Result<(), Stop> {
        let channel = self.channel_of(send.channel, viewer)?;
        self.sent(send, channel, viewer)?;
        let waiting = self.waiting(channel);
        let position = match send.sorted {
            true => self.sorted_position(channel, waiting),
            false => waiting,
        };
        self.kept(send, channel)?;
        self.insert(channel, position, waiting);
        let last = MessageAt::Cell(self.message_cell(channel, waiting));
        self.observe(Event::Sent, channel, last, send.site)
    }

    /// Before the first message that is greater than what is in the registers.
    fn sorted_position(&self, channel: usize, waiting: usize) -> usize {
        let arity = self.kind(channel).fields.len();
        let sent = &self.registers.0[..arity];
        let greater = |position: &usize| {
            let first = self.message_cell(channel, *position);
            &self.cells[first..first + arity] > sent
        };
        (0..waiting).find(greater).unwrap_or(waiting)
    }

    /// Moves the messages from `position` on back by one and puts the message between.
    fn insert(&mut self, channel: usize, position: usize, waiting: usize) {
        let arity = self.message.len();
        let first = self.message_cell(channel, position);
        for cell in (first..self.message_cell(channel, waiting)).rev() {
            self.write(cell + arity, self.cells[cell]);
        }
        for field in 0..arity {
            self.write(first + field, self.message[field]);
        }
        self.write(self.base(channel), waiting as i64 + 1);
    }

    /// Takes a message that is there.
    pub(super) fn receive(&mut self, receive: ReceiveSite, viewer: Viewer) -> Result<(), Stop> {
        let channel = self.channel_of(receive.channel, viewer)?;
        let found = self.receivable(channel, receive.patterns, viewer, receive.site)?;
        let position = found.unwrap_or(0);
        let first = self.message_cell(channel, position);
        let arity = self.kind(channel).fields.len();
        self.message.clear();
        self.message
            .extend_from_slice(&self.cells[first..first + arity]);
        if receive.remove {
            let oldest = MessageAt::Cell(self.message_cell(channel, 0));
            self.observe(Event::Received, channel, oldest, receive.site)?;
            self.remove(channel, position);
        }
        self.bind(receive, viewer)
    }

    /// Moves the messages after `position` forward by one; room that is not in use holds zeroes.
    fn remove(&mut self, channel: usize, position: usize) {
        let waiting = self.waiting(channel);
        let arity = self.kind(channel).fields.len();
        let last = self.message_cell(channel, waiting - 1);
        for cell in self.message_cell(channel, position)..last {
            self.write(cell, self.cells[cell + arity]);
        }
        for cell in last..last + arity {
            self.write(cell, 0);
        }
        self.write(self.base(channel), waiting as i64 - 1);
    }

    /// Puts the fields of the message where they are wanted.
    pub(super) fn bind(&mut self, receive: ReceiveSite, viewer: Viewer) -> Result<(), Stop> {
        if let Some(bind) = receive.bind {
            self.run(bind, viewer)?;
        }
        Ok(())
    }
}
