//! The observer of messages follows the sends and receives on the channels that it mentions.
//!
//! What it compares its constants with is, as in Spin's verifier, the last message of the channel after
//! a send and the first before a receive. A rendezvous is a send and then a receive.

use super::channels::MessageAt;
use super::{Stepper, Stop, Viewer};
use crate::code::{ChannelSource, Site, Source};
use crate::program::{EventEdge, EventKind, EventObserver};
use mandala_model::step::{FaultKind, Violation};

/// What happens to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Sent,
    Received,
}

/// Where the observer can go.
enum Ways {
    None,
    One(u32),
    Several(u32),
}

impl Stepper<'_> {
    /// Lets the observer, if there is one, follow an event on a channel.
    #[inline]
    pub(super) fn observe(
        &mut self,
        event: Event,
        channel: usize,
        message: MessageAt,
        site: Site,
    ) -> Result<(), Stop> {
        match (&self.program.parts.events, self.program.layout.events) {
            (Some(observer), Some(cell)) => {
                self.follow(observer, cell as usize, event, channel, message, site)
            }
            _ => Ok(()),
        }
    }

    fn follow(
        &mut self,
        observer: &EventObserver,
        cell: usize,
        event: Event,
        channel: usize,
        message: MessageAt,
        site: Site,
    ) -> Result<(), Stop> {
        let at = self.cells[cell] as usize;
        // One past the last location: the observation is over.
        let Some(&is_final) = observer.finals.get(at) else {
            return Ok(());
        };
        if !self.in_scope(observer, event, channel)? {
            return Ok(());
        }
        let ways = self.ways(observer, at, event, channel, message)?;
        if observer.required {
            return self.follow_required(ways, cell, observer, site);
        }
        match is_final {
            true => Ok(()),
            false => self.follow_forbidden(observer, ways, cell, site),
        }
    }

    fn follow_required(
        &mut self,
        ways: Ways,
        cell: usize,
        observer: &EventObserver,
        site: Site,
    ) -> Result<(), Stop> {
        let span = self.program.code.spans[site as usize];
        match ways {
            Ways::None => self.violations.push(Violation::UnexpectedEvent { span }),
            Ways::One(target) => self.move_observer(observer, cell, target),
            Ways::Several(_) => return self.fail(FaultKind::AmbiguousEvent, site),
        }
        Ok(())
    }

    fn follow_forbidden(
        &mut self,
        observer: &EventObserver,
        ways: Ways,
        cell: usize,
        site: Site,
    ) -> Result<(), Stop> {
        let span = self.program.code.spans[site as usize];
        let is_final = |target: u32| observer.finals[target as usize];
        match ways {
            Ways::None => {
                let done = observer.finals.iter().position(|done| *done);
                self.write(cell, done.unwrap_or(observer.finals.len()) as i64);
            }
            Ways::One(target) | Ways::Several(target) if is_final(target) => {
                self.move_observer(observer, cell, target);
                self.violations.push(Violation::ForbiddenEvents { span });
            }
            Ways::One(target) => self.move_observer(observer, cell, target),
            Ways::Several(_) => return self.fail(FaultKind::AmbiguousEvent, site),
        }
        Ok(())
    }

    fn move_observer(&mut self, observer: &EventObserver, cell: usize, target: u32) {
        self.write(cell, i64::from(target));
        let template = &self.program.parts.templates[observer.template.index()];
        self.coverage
            .reach_location((template.coverage + target) as usize);
    }

    /// Whether the observer cares about such events on the channel.
    fn in_scope(
        &mut self,
        observer: &EventObserver,
        event: Event,
        channel: usize,
    ) -> Result<bool, Stop> {
        for edge in &observer.edges {
            if let Some((mentioned, _)) = mentioned(edge, event)
                && self.channel_of(mentioned, Viewer::NOBODY)? == channel
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn ways(
        &mut self,
        observer: &EventObserver,
        at: usize,
        event: Event,
        channel: usize,
        message: MessageAt,
    ) -> Result<Ways, Stop> {
        let template = &self.program.parts.templates[observer.template.index()];
        let mut ways = Ways::None;
        for index in template.locations[at].edges.clone() {
            let edge = &observer.edges[index as usize];
            if self.follows(edge, event, channel, message)? {
                ways = match ways {
                    Ways::None => Ways::One(edge.target),
                    Ways::One(first) | Ways::Several(first) => Ways::Several(first),
                };
            }
        }
        Ok(ways)
    }

    fn follows(
        &mut self,
        edge: &EventEdge,
        event: Event,
        channel: usize,
        message: MessageAt,
    ) -> Result<bool, Stop> {
        if let EventKind::Always { guard } = edge.kind {
            return self.holds(guard, Viewer::NOBODY);
        }
        let Some((mentioned, fields)) = mentioned(edge, event) else {
            return Ok(false);
        };
        if self.channel_of(mentioned, Viewer::NOBODY)? != channel {
            return Ok(false);
        }
        let arity = self.kind(channel).fields.len();
        for &(field, wanted) in fields.iter().filter(|(field, _)| (*field as usize) < arity) {
            if self.value_of(wanted, Viewer::NOBODY)? != self.field(message, field as usize) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The channel and the fields that an edge mentions, if it is about such events.
fn mentioned(edge: &EventEdge, event: Event) -> Option<(ChannelSource, &[(u32, Source)])> {
    match (&edge.kind, event) {
        (EventKind::Sent { channel, fields }, Event::Sent)
        | (EventKind::Received { channel, fields }, Event::Received) => Some((*channel, fields)),
        _ => None,
    }
}
