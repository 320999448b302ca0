//! The rules of the derivation for channels and messages.
//!
//! A reference to a channel is renamed as the channel is: with the process that made it, or with the element of the global array that it was made for. So the
//! renamed reference refers to a channel of the same declaration with the renamed messages in the same order, and there are as many of them.
//! Each field of a message has a type, one for all channels that a reference may mean.

use super::names::Refusal;
use super::typer::{Pass, Typed, Typer};
use super::types::{NameType, Slot};
use crate::sorts::bounds;
use mandala_model::expr::{Expr, Pattern};
use mandala_model::ids::ChannelKindId;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::SendOrder;
use mandala_model::types::Scalar;

impl Typer<'_> {
    /// The kind of the channels that an expression refers to; nothing if that is not known yet.
    pub(super) fn channel(&mut self, expr: &Expr) -> Typed<Option<ChannelKindId>> {
        let found = self.expr(expr)?;
        match self.slots.resolve(found) {
            NameType::Channel(kind) => Ok(Some(kind)),
            _ if self.pass == Pass::Learn => Ok(None),
            // None is there, which is a fault in a renamed state as well.
            NameType::Constant(0) => Ok(None),
            _ => Err(Refusal::of_channels(expr.span)),
        }
    }

    /// A message of values of the types of its fields. Where messages are sorted by their values, none of these is renamed.
    pub(super) fn send(
        &mut self,
        channel: &Expr,
        order: SendOrder,
        message: &[Expr],
        span: Span,
    ) -> Typed<()> {
        let kind = self.channel(channel)?;
        let mut found = Vec::new();
        for value in message {
            let ty = self.expr(value)?;
            found.push((ty, self.hull(value), value.span));
        }
        let Some(kind) = kind else {
            return Ok(());
        };
        for kind in self.slots.class_of(kind) {
            let fields = self.message_fields(kind, message.len(), span)?;
            for ((slot, scalar), (ty, hull, span)) in fields.into_iter().zip(&found) {
                if order == SendOrder::Sorted {
                    self.same_as(slot.ty(), NameType::Plain, *span, Some("is sorted"));
                }
                self.stored((slot.ty(), scalar), (*ty, *hull), *span);
            }
        }
        Ok(())
    }

    /// The fields of messages of a kind, of which there must be so many.
    fn message_fields(
        &mut self,
        kind: ChannelKindId,
        count: usize,
        span: Span,
    ) -> Typed<Vec<(Slot, Scalar)>> {
        let slots = self.slots.fields(kind).iter().copied();
        let scalars = self.model.channel_kind(kind).fields.iter().copied();
        let fields: Vec<(Slot, Scalar)> = slots.zip(scalars).collect();
        let fits = fields.len() == count || self.pass == Pass::Learn;
        fits.then_some(fields)
            .ok_or_else(|| Refusal::of_channels(span))
    }

    /// A message that matches, whose fields are stored.
    pub(super) fn receive(&mut self, channel: &Expr, patterns: &[Pattern]) -> Typed<()> {
        let Some(kind) = self.matched(channel, patterns)? else {
            return Ok(());
        };
        for kind in self.slots.class_of(kind) {
            let fields = self.message_fields(kind, patterns.len(), channel.span)?;
            for (pattern, (slot, scalar)) in patterns.iter().zip(fields) {
                if let Pattern::Bind(place) = pattern {
                    let cell = self.cell(place)?;
                    let values: Option<(Value, Value)> = bounds(scalar);
                    self.stored(cell, (slot.ty(), values), place.span);
                }
            }
        }
        Ok(())
    }

    /// What patterns ask of a message has the types of its fields: whether they match is the same after renaming.
    pub(super) fn matched(
        &mut self,
        channel: &Expr,
        patterns: &[Pattern],
    ) -> Typed<Option<ChannelKindId>> {
        let kind = self.channel(channel)?;
        let fields = match kind {
            Some(kind) => self.message_fields(kind, patterns.len(), channel.span)?,
            None => Vec::new(),
        };
        for (place, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(value) = pattern {
                let found = self.expr(value)?;
                if let Some((slot, _)) = fields.get(place) {
                    self.same(slot.ty(), found, value.span);
                }
            }
        }
        Ok(kind)
    }
}
