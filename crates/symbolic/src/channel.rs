//! Channels, in all states at once. What two processes do where there is no room for messages is in `rendezvous`.

use crate::attempt::{Attempt, Context, Path};
use crate::cells::ChannelCells;
use crate::diagrams::{Bdd, Made};
use crate::effects::Performed;
use crate::number::Number;
use mandala_model::expr::ReceiveOrder;
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_model::template::{Keep, SendOrder};
use mandala_resolved::{ChannelQuestion, Receipt, ResolvedExpr, ResolvedPlace, Store, Wanted};
use oxidd::BooleanFunction;

/// A channel that may be meant, and where it is.
pub(crate) type Meant<'a> = (Bdd, &'a ChannelCells);

/// For each place of a channel, where its message is the one that a receive takes.
pub(crate) type Chosen = Vec<Bdd>;

impl<'a> Attempt<'a> {
    /// The channels that an expression may refer to. None, and one that is gone, are faults.
    pub(crate) fn channels(
        &mut self,
        path: &Path,
        under: &Bdd,
        reference: &ResolvedExpr,
    ) -> Made<Vec<Meant<'a>>> {
        let d = self.d();
        let number = self.evaluate(path, under, reference)?;
        let none = number.less(d, &self.constant(1))?;
        let mut gone = none.not()?;
        self.fault(under, &none, FaultKind::NoChannel, reference.span)?;
        let mut meant = Vec::new();
        for channel in &self.context.layout.channels {
            let here = self.is_channel(path, &number, channel)?;
            gone = here.imp_strict(&gone)?;
            if here.and(under)?.satisfiable() {
                meant.push((here, channel));
            }
        }
        self.fault(under, &gone, FaultKind::ChannelGone, reference.span)?;
        Ok(meant)
    }

    /// Where a number is that of a channel.
    pub(crate) fn is_channel(
        &self,
        path: &Path,
        number: &Number,
        channel: &ChannelCells,
    ) -> Made<Bdd> {
        let d = self.d();
        let Some(owner) = channel.owner else {
            return number.is(d, channel.earlier as i64 + 1);
        };
        let before = self.channels_before(path, owner)?;
        let own = before.plus(d, &self.constant(channel.earlier as i64 + 1))?;
        let is_meant = number.equals(d, &own)?;
        Ok(is_meant.and(&self.exists(path, owner)?)?)
    }

    /// How many channels there are that a process has not made itself, where it is the last one. Processes come and go in the order of
    /// their numbers, and their channels with them: those of all processes with lower numbers come before.
    pub(crate) fn channels_before(&self, path: &Path, process: usize) -> Made<Number> {
        let Context { d, layout, .. } = self.context;
        let made_by = |owner: Option<usize>| {
            let made = layout.channels.iter().filter(|c| c.owner == owner);
            self.constant(made.count() as i64)
        };
        let mut count = made_by(None);
        for number in 0..layout.processes[process].number() {
            let tenants = layout.processes.iter().enumerate();
            let mut tenants = tenants.filter(|(_, own)| own.number() == number);
            let Some((first, _)) = tenants.next() else {
                continue;
            };
            let mut made = made_by(Some(first));
            for (place, own) in tenants {
                let is_here = self.cell(path, own.lodging.0).is(d, own.lodging.1)?;
                made = Number::choose(&is_here, &made_by(Some(place)), &made)?;
            }
            count = count.plus(d, &made)?;
        }
        Ok(count)
    }

    fn length(&self, path: &Path, channel: &ChannelCells) -> Number {
        self.cell(path, channel.length)
    }

    /// Where no message fits in any more; nowhere for a rendezvous.
    pub(crate) fn is_full(&self, path: &Path, channel: &ChannelCells) -> Made<Bdd> {
        if channel.is_rendezvous() {
            return Ok(self.d().no.clone());
        }
        let capacity = channel.capacity as i64;
        self.length(path, channel).is(self.d(), capacity)
    }

    /// The answer to a question about a channel.
    pub(crate) fn channel_question(
        &mut self,
        path: &Path,
        under: &Bdd,
        question: &ChannelQuestion,
        reference: &ResolvedExpr,
    ) -> Made<Number> {
        let d = self.d();
        let mut answer = self.constant(0);
        for (meant, channel) in self.channels(path, under, reference)? {
            let here = match question {
                ChannelQuestion::Length => self.length(path, channel),
                ChannelQuestion::IsFull => Number::truth(d, self.is_full(path, channel)?),
                ChannelQuestion::Poll(wanted) => {
                    let under = under.and(&meant)?;
                    self.poll(path, &under, channel, wanted, reference.span)?
                }
            };
            answer = Number::choose(&meant, &here, &answer)?;
        }
        Ok(answer)
    }

    /// Whether a receive would be possible, or at which place from 1 on if all messages are looked at.
    fn poll(
        &mut self,
        path: &Path,
        under: &Bdd,
        channel: &ChannelCells,
        wanted: &Wanted,
        span: Span,
    ) -> Made<Number> {
        if channel.is_rendezvous() {
            self.fault(under, under, FaultKind::PollAtRendezvous, span)?;
        }
        let chosen = self.chosen(path, under, channel, wanted, span)?;
        let mut answer = self.constant(0);
        for (place, here) in chosen.iter().enumerate() {
            answer = Number::choose(here, &self.constant(place as i64 + 1), &answer)?;
        }
        Ok(answer)
    }

    /// For each place that is looked at, where its message is the first that fits.
    pub(crate) fn chosen(
        &mut self,
        path: &Path,
        under: &Bdd,
        channel: &ChannelCells,
        wanted: &Wanted,
        span: Span,
    ) -> Made<Chosen> {
        let d = self.d();
        let places = match wanted.order {
            ReceiveOrder::First => channel.capacity.min(1),
            ReceiveOrder::AnyMatching => channel.capacity,
        };
        let length = self.length(path, channel);
        let mut open = under.clone();
        let mut chosen = Vec::new();
        for place in 0..places {
            let waits = self.constant(place as i64).less(d, &length)?;
            open = open.and(&waits)?;
            let message = self.message_at(path, channel, place);
            let fits = self.matches(path, &open, &message, wanted, span)?;
            chosen.push(open.and(&fits)?);
            open = fits.imp_strict(&open)?;
        }
        Ok(chosen)
    }

    fn message_at(&self, path: &Path, channel: &ChannelCells, place: usize) -> Vec<Number> {
        let fields = 0..channel.fields;
        fields
            .map(|field| self.cell(path, channel.field(place, field)))
            .collect()
    }

    /// Where a message is as it is wanted.
    pub(crate) fn matches(
        &mut self,
        path: &Path,
        under: &Bdd,
        message: &[Number],
        wanted: &Wanted,
        span: Span,
    ) -> Made<Bdd> {
        let d = self.d();
        if !self.has_fields(under, message.len(), wanted.arity as usize, span)? {
            return Ok(d.no.clone());
        }
        let mut fits = under.clone();
        for (field, value) in &wanted.fields {
            let value = self.evaluate(path, &fits, value)?;
            fits = fits.and(&message[*field as usize].equals(d, &value)?)?;
        }
        Ok(fits)
    }

    /// Whether a message has as many fields as the channel; if not, it is a fault.
    fn has_fields(&mut self, under: &Bdd, expected: usize, found: usize, span: Span) -> Made<bool> {
        let kind = FaultKind::MessageArity {
            found: found as u32,
            expected: expected as u32,
        };
        if found != expected {
            self.fault(under, under, kind, span)?;
        }
        Ok(found == expected)
    }

    pub(crate) fn send(
        &mut self,
        path: Path,
        reference: &ResolvedExpr,
        order: SendOrder,
        message: &[ResolvedExpr],
        span: Span,
    ) -> Made<Performed> {
        let meant = self.channels(&path, &path.condition, reference)?;
        let mut possible = self.d().no.clone();
        for (here, channel) in &meant {
            if !channel.is_rendezvous() {
                let room = self.is_full(&path, channel)?.not()?;
                possible = possible.or(&here.and(&room)?)?;
            }
        }
        let mut performed = self.split(path, &possible)?;
        let path = &mut performed.taken;
        for (here, channel) in &meant {
            let under = path.condition.and(here)?;
            if !under.satisfiable() {
                continue;
            }
            if let Some(sent) = self.message(path, &under, channel, message, span)? {
                self.put_message(path, &under, channel, order, &sent, span)?;
            }
        }
        self.go_on(path)?;
        Ok(performed)
    }

    /// The values of a message, not yet cut to the types of the fields; none if there are too many or too few.
    pub(crate) fn message(
        &mut self,
        path: &Path,
        under: &Bdd,
        channel: &ChannelCells,
        fields: &[ResolvedExpr],
        span: Span,
    ) -> Made<Option<Vec<Number>>> {
        if !self.has_fields(under, channel.fields, fields.len(), span)? {
            return Ok(None);
        }
        let sent = fields.iter();
        let sent = sent.map(|field| self.evaluate(path, under, field));
        Ok(Some(sent.collect::<Made<Vec<Number>>>()?))
    }

    /// A message as the fields of a channel keep it.
    pub(crate) fn kept(
        &mut self,
        under: &Bdd,
        channel: &ChannelCells,
        sent: &[Number],
        span: Span,
    ) -> Made<Vec<Number>> {
        let types = &self.context.model.channel_kind(channel.kind).fields;
        let stores = types
            .iter()
            .map(|scalar| Store::of(self.context.model, *scalar));
        let stores: Vec<Store> = stores.collect();
        let kept = stores.into_iter().zip(sent);
        let kept = kept.map(|(store, value)| self.stored(under, store, value, span));
        kept.collect()
    }

    fn put_message(
        &mut self,
        path: &mut Path,
        under: &Bdd,
        channel: &ChannelCells,
        order: SendOrder,
        sent: &[Number],
        span: Span,
    ) -> Made<()> {
        let kept = self.kept(under, channel, sent, span)?;
        let at = self.insertion(path, under, channel, order, sent)?;
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

    pub(crate) fn receive(&mut self, path: Path, receipt: &Receipt, span: Span) -> Made<Performed> {
        let Receipt {
            channel: reference,
            wanted,
            keep,
            bindings,
        } = receipt;
        let meant = self.channels(&path, &path.condition, reference)?;
        let mut possible = self.d().no.clone();
        let mut message = vec![self.constant(0); wanted.arity as usize];
        let mut taken = Vec::new();
        for (here, channel) in meant {
            let under = path.condition.and(&here)?;
            if channel.is_rendezvous() && *keep == Keep::Stay {
                let kind = FaultKind::PollAtRendezvous;
                self.fault(&under, &under, kind, reference.span)?;
            }
            let chosen = self.chosen(&path, &under, channel, wanted, span)?;
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
        if *keep == Keep::Remove {
            for (chosen, channel) in &taken {
                self.remove_message(path, channel, chosen)?;
            }
        }
        self.bind(path, bindings, &message)?;
        Ok(performed)
    }

    /// Puts the fields of a message that fits where they are wanted, from left to right.
    pub(crate) fn bind(
        &mut self,
        path: &mut Path,
        bindings: &[(u32, ResolvedPlace)],
        message: &[Number],
    ) -> Made<()> {
        for (field, place) in bindings {
            if let Some(value) = message.get(*field as usize) {
                self.assign(path, place, value)?;
            }
        }
        Ok(())
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
