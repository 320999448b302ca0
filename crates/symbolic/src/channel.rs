//! Channels with room for messages, in all states at once.

use crate::attempt::{Attempt, Path};
use crate::cells::ChannelCells;
use crate::diagrams::{Bdd, Made};
use crate::effects::Performed;
use crate::number::Number;
use mandala_model::expr::{ChannelQuery, Expr, Pattern, ReceiveOrder};
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_model::template::{Keep, SendOrder};
use oxidd::BooleanFunction;

/// A channel that may be meant, and where it is.
type Meant<'a> = (Bdd, &'a ChannelCells);

/// For each place of a channel, where its message is the one that a receive takes.
type Chosen = Vec<Bdd>;

impl<'a> Attempt<'a> {
    /// The channels that an expression may refer to. None, and one that is gone, are faults.
    fn channels(&mut self, path: &Path, under: &Bdd, reference: &Expr) -> Made<Vec<Meant<'a>>> {
        let d = self.d();
        let number = self.evaluate(path, under, reference)?;
        let none = number.less(d, &self.constant(1))?;
        let mut gone = none.not()?;
        self.fault(under, &none, FaultKind::NoChannel, reference.span)?;
        let mut meant = Vec::new();
        for (index, channel) in self.context.layout.channels.iter().enumerate() {
            let mut here = number.is(d, index as i64 + 1)?;
            if let Some(owner) = channel.owner {
                here = here.and(&self.exists(path, owner as usize)?)?;
            }
            gone = here.imp_strict(&gone)?;
            if here.and(under)?.satisfiable() {
                meant.push((here, channel));
            }
        }
        self.fault(under, &gone, FaultKind::ChannelGone, reference.span)?;
        Ok(meant)
    }

    fn length(&self, path: &Path, channel: &ChannelCells) -> Number {
        self.cell(path, channel.length)
    }

    fn is_full(&self, path: &Path, channel: &ChannelCells) -> Made<Bdd> {
        let capacity = channel.capacity as i64;
        self.length(path, channel).is(self.d(), capacity)
    }

    /// The answer to a question about a channel.
    pub fn channel_query(
        &mut self,
        path: &Path,
        under: &Bdd,
        query: ChannelQuery,
        reference: &Expr,
    ) -> Made<Number> {
        let d = self.d();
        let mut answer = self.constant(0);
        for (meant, channel) in self.channels(path, under, reference)? {
            let length = self.length(path, channel);
            let here = match query {
                ChannelQuery::Length => length,
                ChannelQuery::Empty => Number::truth(d, length.is_zero(d)?),
                ChannelQuery::NotEmpty => Number::truth(d, length.is_true(d)?),
                ChannelQuery::Full => Number::truth(d, self.is_full(path, channel)?),
                ChannelQuery::NotFull => Number::truth(d, self.is_full(path, channel)?.not()?),
            };
            answer = Number::choose(&meant, &here, &answer)?;
        }
        Ok(answer)
    }

    /// Whether a receive would be possible, or at which place from 1 on if all messages are looked at.
    pub fn poll(
        &mut self,
        path: &Path,
        under: &Bdd,
        reference: &Expr,
        order: ReceiveOrder,
        patterns: &[Pattern],
    ) -> Made<Number> {
        let mut answer = self.constant(0);
        for (meant, channel) in self.channels(path, under, reference)? {
            let under = under.and(&meant)?;
            let chosen = self.chosen(path, &under, channel, order, patterns, reference.span)?;
            for (place, here) in chosen.iter().enumerate() {
                let here = here.and(&meant)?;
                answer = Number::choose(&here, &self.constant(place as i64 + 1), &answer)?;
            }
        }
        Ok(answer)
    }

    /// For each place that is looked at, where its message is the first that fits.
    fn chosen(
        &mut self,
        path: &Path,
        under: &Bdd,
        channel: &ChannelCells,
        order: ReceiveOrder,
        patterns: &[Pattern],
        span: Span,
    ) -> Made<Chosen> {
        let d = self.d();
        let places = match order {
            ReceiveOrder::First => channel.capacity.min(1),
            ReceiveOrder::AnyMatching => channel.capacity,
        };
        let length = self.length(path, channel);
        let mut open = under.clone();
        let mut chosen = Vec::new();
        for place in 0..places {
            let waits = self.constant(place as i64).less(d, &length)?;
            open = open.and(&waits)?;
            let fits = self.matches(path, &open, channel, place, patterns, span)?;
            chosen.push(open.and(&fits)?);
            open = fits.imp_strict(&open)?;
        }
        Ok(chosen)
    }

    /// Where the message at a place fits the patterns.
    fn matches(
        &mut self,
        path: &Path,
        under: &Bdd,
        channel: &ChannelCells,
        place: usize,
        patterns: &[Pattern],
        span: Span,
    ) -> Made<Bdd> {
        let d = self.d();
        if !self.has_fields(under, channel, patterns.len(), span)? {
            return Ok(d.no.clone());
        }
        let mut fits = under.clone();
        for (field, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(wanted) = pattern {
                let wanted = self.evaluate(path, &fits, wanted)?;
                let found = self.cell(path, channel.field(place, field));
                fits = fits.and(&found.equals(d, &wanted)?)?;
            }
        }
        Ok(fits)
    }

    /// Whether a message has as many fields as the channel; if not, it is a fault.
    fn has_fields(
        &mut self,
        under: &Bdd,
        channel: &ChannelCells,
        found: usize,
        span: Span,
    ) -> Made<bool> {
        let kind = FaultKind::MessageArity {
            found: found as u32,
            expected: channel.fields as u32,
        };
        if found != channel.fields {
            self.fault(under, under, kind, span)?;
        }
        Ok(found == channel.fields)
    }

    pub fn send(
        &mut self,
        path: Path,
        reference: &Expr,
        order: SendOrder,
        message: &[Expr],
        span: Span,
    ) -> Made<Performed> {
        let meant = self.channels(&path, &path.condition, reference)?;
        let mut possible = self.d().no.clone();
        for (here, channel) in &meant {
            let room = self.is_full(&path, channel)?.not()?;
            possible = possible.or(&here.and(&room)?)?;
        }
        let mut performed = self.split(path, &possible)?;
        let path = &mut performed.taken;
        for (here, channel) in &meant {
            let under = path.condition.and(here)?;
            if under.satisfiable() && self.has_fields(&under, channel, message.len(), span)? {
                self.put_message(path, &under, channel, order, message, span)?;
            }
        }
        self.go_on(path)?;
        Ok(performed)
    }

    fn put_message(
        &mut self,
        path: &mut Path,
        under: &Bdd,
        channel: &ChannelCells,
        order: SendOrder,
        message: &[Expr],
        span: Span,
    ) -> Made<()> {
        let sent = message
            .iter()
            .map(|field| self.evaluate(path, under, field));
        let sent = sent.collect::<Made<Vec<Number>>>()?;
        let types = &self.context.model.channel_kind(channel.kind).fields;
        let kept = types.iter().zip(&sent);
        let kept = kept.map(|(scalar, value)| self.stored(under, *scalar, value, span));
        let kept = kept.collect::<Made<Vec<Number>>>()?;
        let at = self.insertion(path, under, channel, order, &sent)?;
        self.insert_message(path, channel, &at, &kept)?;
        let longer = self
            .length(path, channel)
            .plus(self.d(), &self.constant(1))?;
        self.put(path, under, channel.length, &longer)
    }

    /// For each place, where a message goes there: behind all others, or before the first that is greater.
    fn insertion(
        &self,
        path: &Path,
        under: &Bdd,
        channel: &ChannelCells,
        order: SendOrder,
        sent: &[Number],
    ) -> Made<Chosen> {
        let d = self.d();
        let length = self.length(path, channel);
        let mut open = under.clone();
        let mut chosen = Vec::new();
        for place in 0..channel.capacity {
            let mut here = length.is(d, place as i64)?;
            if order == SendOrder::Sorted {
                here = here.or(&self.is_greater(path, channel, place, sent)?)?;
            }
            chosen.push(open.and(&here)?);
            open = here.imp_strict(&open)?;
        }
        Ok(chosen)
    }

    /// Where the message at a place comes after the one that is sent, comparing field by field.
    fn is_greater(
        &self,
        path: &Path,
        channel: &ChannelCells,
        place: usize,
        sent: &[Number],
    ) -> Made<Bdd> {
        let d = self.d();
        let mut greater = d.no.clone();
        for (field, value) in sent.iter().enumerate().rev() {
            let waiting = self.cell(path, channel.field(place, field));
            let same = waiting.equals(d, value)?;
            greater = same.ite(&greater, &value.less(d, &waiting)?)?;
        }
        Ok(greater)
    }

    /// Puts a message at a place, and moves what is there and behind it on by one.
    fn insert_message(
        &self,
        path: &mut Path,
        channel: &ChannelCells,
        at: &Chosen,
        message: &[Number],
    ) -> Made<()> {
        for place in (0..channel.capacity).rev() {
            let mut before = self.d().no.clone();
            for here in &at[..place] {
                before = before.or(here)?;
            }
            for (field, value) in message.iter().enumerate() {
                let cell = channel.field(place, field);
                if place > 0 {
                    let moved = self.cell(path, channel.field(place - 1, field));
                    self.put(path, &before, cell, &moved)?;
                }
                self.put(path, &at[place], cell, value)?;
            }
        }
        Ok(())
    }

    pub fn receive(
        &mut self,
        path: Path,
        reference: &Expr,
        order: ReceiveOrder,
        keep: Keep,
        patterns: &[Pattern],
        span: Span,
    ) -> Made<Performed> {
        let meant = self.channels(&path, &path.condition, reference)?;
        let mut possible = self.d().no.clone();
        let mut message = vec![self.constant(0); patterns.len()];
        let mut taken = Vec::new();
        for (here, channel) in meant {
            let under = path.condition.and(&here)?;
            let chosen = self.chosen(&path, &under, channel, order, patterns, span)?;
            for (place, here) in chosen.iter().enumerate() {
                possible = possible.or(here)?;
                for (field, value) in message.iter_mut().enumerate().take(channel.fields) {
                    let found = self.cell(&path, channel.field(place, field));
                    *value = Number::choose(here, &found, value)?;
                }
            }
            taken.push((chosen, channel));
        }
        let mut performed = self.split(path, &possible)?;
        let path = &mut performed.taken;
        if keep == Keep::Remove {
            for (chosen, channel) in &taken {
                self.remove_message(path, channel, chosen)?;
            }
        }
        for (pattern, value) in patterns.iter().zip(&message) {
            if let Pattern::Bind(place) = pattern {
                self.assign(path, place, value)?;
            }
        }
        Ok(performed)
    }

    /// Takes the message at a place away, and moves what is behind it up by one.
    fn remove_message(&self, path: &mut Path, channel: &ChannelCells, at: &Chosen) -> Made<()> {
        let mut until_here = self.d().no.clone();
        for place in 0..channel.capacity {
            if let Some(here) = at.get(place) {
                until_here = until_here.or(here)?;
            }
            for field in 0..channel.fields {
                let moved = match place + 1 < channel.capacity {
                    true => self.cell(path, channel.field(place + 1, field)),
                    false => self.constant(0),
                };
                self.put(path, &until_here, channel.field(place, field), &moved)?;
            }
        }
        let shorter = self
            .length(path, channel)
            .minus(self.d(), &self.constant(1))?;
        self.put(path, &until_here, channel.length, &shorter)
    }
}
