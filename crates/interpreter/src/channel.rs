//! Channels: references to them, which messages a receive would take, questions about them.

use crate::evaluate::fault;
use crate::view::View;
use mandala_model::expr::{ChannelQuery, Expr, Pattern, ReceiveOrder};
use mandala_model::source::Span;
use mandala_model::state::{ChannelState, Value};
use mandala_model::step::{Fault, FaultKind};
use mandala_model::template::SendOrder;
use mandala_model::types::ChannelKind;

impl View<'_> {
    /// The index of the channel that an expression refers to.
    pub(crate) fn channel(&self, reference: &Expr) -> Result<usize, Fault> {
        let number = self.evaluate(reference)?;
        if number < 1 {
            return Err(fault(FaultKind::NoChannel, reference.span));
        }
        if number > self.state.channels.len() as Value {
            return Err(fault(FaultKind::ChannelGone, reference.span));
        }
        Ok(number as usize - 1)
    }

    /// The channel and what all of its kind have in common.
    pub(crate) fn channel_at(&self, index: usize) -> (&ChannelState, &ChannelKind) {
        let channel = &self.state.channels[index];
        (channel, self.model.channel_kind(channel.kind))
    }

    /// True if sender and receiver meet there.
    pub(crate) fn is_rendezvous(&self, channel: usize) -> bool {
        self.channel_at(channel).1.capacity == 0
    }

    /// True if no message fits in any more; never so for a rendezvous.
    pub(crate) fn is_full(&self, channel: usize) -> bool {
        let (channel, kind) = self.channel_at(channel);
        kind.capacity > 0 && channel.messages.len() >= kind.capacity as usize
    }

    /// The answer to a question about a channel.
    pub(crate) fn channel_query(
        &self,
        query: ChannelQuery,
        reference: &Expr,
    ) -> Result<Value, Fault> {
        let index = self.channel(reference)?;
        let waiting = self.channel_at(index).0.messages.len();
        Ok(match query {
            ChannelQuery::Length => waiting as Value,
            ChannelQuery::Empty => Value::from(waiting == 0),
            ChannelQuery::NotEmpty => Value::from(waiting > 0),
            ChannelQuery::Full => Value::from(self.is_full(index)),
            ChannelQuery::NotFull => Value::from(!self.is_full(index)),
        })
    }

    /// Whether a receive with those patterns would be possible: 0 if not. If all messages are looked at, the
    /// answer is the position of the first that matches, from 1 on.
    pub(crate) fn poll(
        &self,
        reference: &Expr,
        order: ReceiveOrder,
        patterns: &[Pattern],
    ) -> Result<Value, Fault> {
        let channel = self.channel(reference)?;
        if self.is_rendezvous(channel) {
            return Err(fault(FaultKind::PollAtRendezvous, reference.span));
        }
        let found = self.receivable(channel, order, patterns, reference.span)?;
        Ok(found.map_or(0, |position| position as Value + 1))
    }

    /// The position of the message that a receive would take from a buffer.
    pub(crate) fn receivable(
        &self,
        channel: usize,
        order: ReceiveOrder,
        patterns: &[Pattern],
        span: Span,
    ) -> Result<Option<usize>, Fault> {
        let messages = &self.channel_at(channel).0.messages;
        let looked_at = match order {
            ReceiveOrder::First => messages.len().min(1),
            ReceiveOrder::AnyMatching => messages.len(),
        };
        for (position, message) in messages[..looked_at].iter().enumerate() {
            if self.matches(message, patterns, span)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Whether a message fits patterns. That their numbers of fields agree is asked first, so that a
    /// receive of the wrong shape is a fault whenever there is a message to look at.
    pub(crate) fn matches(
        &self,
        message: &[Value],
        patterns: &[Pattern],
        span: Span,
    ) -> Result<bool, Fault> {
        same_arity(patterns.len(), message.len(), span)?;
        for (field, pattern) in message.iter().zip(patterns) {
            if let Pattern::Match(wanted) = pattern
                && self.evaluate(wanted)? != *field
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The values of a message, one a field of the channel, not yet cut to the fields' types.
    pub(crate) fn message(
        &self,
        channel: usize,
        fields: &[Expr],
        span: Span,
    ) -> Result<Vec<Value>, Fault> {
        let expected = self.channel_at(channel).1.fields.len();
        same_arity(fields.len(), expected, span)?;
        fields.iter().map(|field| self.evaluate(field)).collect()
    }
}

/// Where in a channel a message goes. A sorted send compares the values as they are sent, before
/// they are cut to the fields' types, as Spin does.
pub(crate) fn insertion_point(
    messages: &[Vec<Value>],
    order: SendOrder,
    message: &[Value],
) -> usize {
    let greater = |waiting: &Vec<Value>| waiting.as_slice() > message;
    match order {
        SendOrder::Last => messages.len(),
        SendOrder::Sorted => messages.iter().position(greater).unwrap_or(messages.len()),
    }
}

fn same_arity(found: usize, expected: usize, span: Span) -> Result<(), Fault> {
    if found == expected {
        return Ok(());
    }
    let kind = FaultKind::MessageArity {
        found: found as u32,
        expected: expected as u32,
    };
    Err(fault(kind, span))
}
