//! Observers of messages.
//!
//! An observer follows the sends and receives on the channels that it mentions: a send counts only
//! if it mentions a send on that channel, a receive only if it mentions a receive. For each it must
//! take an edge. What it compares its constants with is what Spin's verifier looks at: after a
//! send the *last* message of the channel, before a receive the *first*. For sorted sends and for
//! receives from the middle that need not be the message that went in or comes out. To look at a
//! message without taking it is no event; a rendezvous is a send and then a receive, once both sides
//! are found.

use crate::attempt::Attempt;
use crate::evaluate::fault;
use crate::view::View;
use mandala_model::expr::{Expr, Pattern};
use mandala_model::ids::LocationId;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::{Fault, FaultKind, Violation};
use mandala_model::template::{Edge, EventSense, Role, Step, Template};

/// What happens to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Sent,
    Received,
}

impl Attempt<'_> {
    /// Lets the observer, if there is one, follow an event on a channel.
    pub(crate) fn observe(
        &mut self,
        event: Event,
        channel: usize,
        message: &[Value],
        span: Span,
    ) -> Result<(), Fault> {
        let (Some(observer), Some(at)) = (self.observer, self.state.events) else {
            return Ok(());
        };
        let observer = self.model.template(observer);
        // The observer sees what everybody sees: it is no process.
        let view = View::new(self.model, &self.state, None, self.timeout);
        if !view.in_scope(observer, event, channel)? {
            return Ok(());
        }
        let ways = view.ways(observer, at, event, channel, message)?;
        match observer.role {
            Role::Events(EventSense::Forbidden) => self.follow_forbidden(observer, &ways, at, span),
            _ => self.follow_required(&ways, span),
        }
    }

    fn follow_required(&mut self, ways: &[LocationId], span: Span) -> Result<(), Fault> {
        match ways {
            [] => self.violations.push(Violation::UnexpectedEvent { span }),
            [target] => self.state.events = Some(*target),
            _ => return Err(fault(FaultKind::AmbiguousEvent, span)),
        }
        Ok(())
    }

    fn follow_forbidden(
        &mut self,
        observer: &Template,
        ways: &[LocationId],
        at: LocationId,
        span: Span,
    ) -> Result<(), Fault> {
        if is_final(observer, at) {
            return Ok(());
        }
        match ways {
            [] => self.state.events = final_location(observer),
            [target, ..] if is_final(observer, *target) => {
                self.state.events = Some(*target);
                self.violations.push(Violation::ForbiddenEvents { span });
            }
            [target] => self.state.events = Some(*target),
            _ => return Err(fault(FaultKind::AmbiguousEvent, span)),
        }
        Ok(())
    }
}

impl View<'_> {
    /// Whether the observer cares about such events on the channel.
    fn in_scope(&self, observer: &Template, event: Event, channel: usize) -> Result<bool, Fault> {
        for edge in &observer.edges {
            if let Some(mentioned) = mentioned(&edge.step, event)
                && self.channel(mentioned)? == channel
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Where the observer can go.
    fn ways(
        &self,
        observer: &Template,
        at: LocationId,
        event: Event,
        channel: usize,
        message: &[Value],
    ) -> Result<Vec<LocationId>, Fault> {
        let mut targets = Vec::new();
        for (_, edge) in observer.edges_from(at) {
            if self.follows(edge, event, channel, message)? {
                targets.push(edge.target);
            }
        }
        Ok(targets)
    }

    fn follows(
        &self,
        edge: &Edge,
        event: Event,
        channel: usize,
        message: &[Value],
    ) -> Result<bool, Fault> {
        if let Step::Guarded { guard, .. } = &edge.step {
            return self.holds(guard);
        }
        let Some(mentioned) = mentioned(&edge.step, event) else {
            return Ok(false);
        };
        Ok(self.channel(mentioned)? == channel && self.fits(&edge.step, message)?)
    }

    /// Whether the fields that an edge of the observer fixes are those of the message.
    fn fits(&self, step: &Step, message: &[Value]) -> Result<bool, Fault> {
        match step {
            Step::Send { message: fixed, .. } => {
                Ok(fixed.iter().zip(message).all(|(field, value)| {
                    field
                        .as_constant()
                        .is_none_or(|constant| constant == *value)
                }))
            }
            Step::Receive { patterns, .. } => {
                for (pattern, value) in patterns.iter().zip(message) {
                    if let Pattern::Match(wanted) = pattern
                        && self.evaluate(wanted)? != *value
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// The channel that a step of the observer mentions, if it is about such events.
fn mentioned(step: &Step, event: Event) -> Option<&Expr> {
    match (step, event) {
        (Step::Send { channel, .. }, Event::Sent) => Some(channel),
        (Step::Receive { channel, .. }, Event::Received) => Some(channel),
        _ => None,
    }
}

/// Whether the observer is done there: an end that nothing leads away from. (A location that is
/// merely labelled as an end is one where a run may stop.)
fn is_final(observer: &Template, location: LocationId) -> bool {
    let mut edges = observer.edges_from(location);
    observer.locations[location.index()].end && edges.all(|(_, e)| matches!(e.step, Step::Exit))
}

/// Where the observer is done; `None`, which ends the observation as well, if it never would be.
fn final_location(observer: &Template) -> Option<LocationId> {
    let mut locations = (0..observer.locations.len()).map(LocationId::from);
    locations.find(|location| is_final(observer, *location))
}
