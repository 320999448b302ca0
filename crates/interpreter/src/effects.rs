//! Effects of a step on the state.

use crate::attempt::{Attempt, Halt};
use crate::channel::insertion_point;
use crate::evaluate::fault;
use crate::events::Event;
use crate::frame::Home;
use crate::happened::StepEvent;
use crate::place::{Cell, priority, stored, write};
use mandala_model::expr::{Expr, Pattern, Place, ReceiveOrder};
use mandala_model::source::Span;
use mandala_model::state::{ChannelState, Value};
use mandala_model::step::{Fault, FaultKind, Violation};
use mandala_model::template::{Effect, Insertion, Keep, SendOrder, Step};

impl Attempt<'_> {
    /// Performs a step, or says that it cannot be taken. A rendezvous takes two and is not performed
    /// here; whether an `else` can be taken depends on its neighbours, so it is not asked here.
    pub(crate) fn perform(&mut self, step: &Step, span: Span) -> Result<bool, Halt> {
        match step {
            Step::Else => Ok(true),
            Step::Guarded { guard, effects } => self.guarded(guard, effects, span),
            Step::Send {
                channel,
                order,
                message,
            } => Ok(self.send(channel, *order, message, span)?),
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => Ok(self.receive(channel, *order, *keep, patterns, span)?),
            Step::Exit => Ok(self.exit()),
            Step::Routine(routine) => self.run_routine(routine),
            // It can always be taken; the routine that it is a choice of enters it.
            Step::Call(_) => Ok(true),
        }
    }

    fn guarded(&mut self, guard: &Expr, effects: &[Effect], span: Span) -> Result<bool, Halt> {
        if !self.view().holds(guard)? {
            return Ok(false);
        }
        for effect in effects {
            self.effect(effect, span)?;
        }
        Ok(true)
    }

    fn effect(&mut self, effect: &Effect, span: Span) -> Result<(), Halt> {
        match effect {
            Effect::Assign { place, value } => {
                let value = self.view().evaluate(value)?;
                self.assign(place, value)?;
            }
            Effect::Assert { condition } => self.assert(condition)?,
            Effect::Print { text } => {
                let text = self.view().print(text)?;
                self.printed.push(text);
            }
            Effect::Spawn {
                template,
                arguments,
                priority,
                result,
            } => {
                let number = self.spawn(*template, arguments, *priority, span)?;
                self.events.push(StepEvent::Spawned { process: number });
                if let Some(place) = result {
                    self.assign(place, Value::from(number))?;
                }
            }
            Effect::SetPriority { process, priority } => self.set_priority(process, priority)?,
            Effect::Fail { .. } => return Err(Halt::Failed(span)),
            Effect::Abandon => return Err(Halt::Abandoned),
            Effect::Insert(insertion) => self.insert(insertion, span)?,
        }
        Ok(())
    }

    fn insert(&mut self, insertion: &Insertion, span: Span) -> Result<(), Halt> {
        if !self.view().holds(&insertion.has_room)? {
            return Err(Halt::Failed(span));
        }
        let position = self.view().evaluate(&insertion.first_free)?;
        self.assign(&insertion.position, position)?;
        for (place, value) in &insertion.cells {
            let value = self.view().evaluate(value)?;
            self.assign(place, value)?;
        }
        Ok(())
    }

    /// Puts a value into the cell that a place is.
    fn assign(&mut self, place: &Place, value: Value) -> Result<(), Fault> {
        let cell = self.view().cell(place)?;
        self.note_truncation(&cell, value);
        self.put(&cell, value, place.span)
    }

    /// Puts a value into a cell.
    pub(crate) fn put(&mut self, cell: &Cell, value: Value, span: Span) -> Result<(), Fault> {
        match cell.home {
            Home::Frame(level) => {
                self.frames[level].cells[cell.index] = stored(cell.scalar, value, span)?;
                Ok(())
            }
            _ => write(&mut self.state, cell, value, span),
        }
    }

    fn assert(&mut self, condition: &Expr) -> Result<(), Fault> {
        if !self.view().holds(condition)? {
            let span = condition.span;
            self.violations.push(Violation::Assertion { span });
        }
        Ok(())
    }

    fn set_priority(&mut self, process: &Expr, to: &Expr) -> Result<(), Fault> {
        let number = self.view().evaluate(process)?;
        let value = self.view().evaluate(to)?;
        if self.view().process(number).is_some() {
            self.state.processes[number as usize].priority = priority(value, to.span)?;
        }
        Ok(())
    }

    fn send(
        &mut self,
        channel: &Expr,
        order: SendOrder,
        fields: &[Expr],
        span: Span,
    ) -> Result<bool, Fault> {
        let channel = self.view().channel(channel)?;
        if self.view().is_rendezvous(channel) || self.view().is_full(channel) {
            return Ok(false);
        }
        let sent = self.view().message(channel, fields, span)?;
        let kept = self.kept(channel, &sent, span)?;
        let messages = &mut self.state.channels[channel].messages;
        let position = insertion_point(messages, order, &sent);
        messages.insert(position, kept.clone());
        let last = messages[messages.len() - 1].clone();
        self.events.push(StepEvent::Sent {
            channel,
            position,
            message: kept,
        });
        self.observe(Event::Sent, channel, &last, span)?;
        Ok(true)
    }

    /// A message as the fields of the channel keep it.
    pub(crate) fn kept(
        &self,
        channel: usize,
        sent: &[Value],
        span: Span,
    ) -> Result<Vec<Value>, Fault> {
        let view = self.view();
        let fields = &view.channel_at(channel).1.fields;
        let cut = |(value, field): (&Value, &_)| stored(*field, *value, span);
        sent.iter().zip(fields).map(cut).collect()
    }

    fn receive(
        &mut self,
        channel: &Expr,
        order: ReceiveOrder,
        keep: Keep,
        patterns: &[Pattern],
        span: Span,
    ) -> Result<bool, Fault> {
        let index = self.view().channel(channel)?;
        if self.view().is_rendezvous(index) {
            return rendezvous_alone(keep, channel.span);
        }
        let Some(position) = self.view().receivable(index, order, patterns, span)? else {
            return Ok(false);
        };
        let message = self.state.channels[index].messages[position].clone();
        if keep == Keep::Remove {
            let first = self.state.channels[index].messages[0].clone();
            self.observe(Event::Received, index, &first, span)?;
            self.state.channels[index].messages.remove(position);
        }
        self.events
            .push(StepEvent::took(keep, index, position, message.clone()));
        self.bind(patterns, &message)?;
        Ok(true)
    }

    /// Puts the fields of a message that has matched where they are wanted, from left to right.
    pub(crate) fn bind(&mut self, patterns: &[Pattern], message: &[Value]) -> Result<(), Fault> {
        for (pattern, value) in patterns.iter().zip(message) {
            if let Pattern::Bind(place) = pattern {
                self.assign(place, *value)?;
            }
        }
        Ok(())
    }

    /// Ends the actor, if it is the process made last, and the channels that it made.
    fn exit(&mut self) -> bool {
        let count = self.state.processes.len();
        if count == 0 || self.actor != Some(count as u32 - 1) {
            return false;
        }
        self.state.processes.pop();
        let actor = self.actor;
        let own = |channel: &mut ChannelState| channel.owner == actor;
        while let Some(gone) = self.state.channels.pop_if(own) {
            let channel = self.state.channels.len();
            let lost = gone.messages.into_iter();
            let lost = lost.map(|message| StepEvent::Lost { channel, message });
            self.events.extend(lost);
        }
        self.events.push(StepEvent::Ended);
        true
    }
}

/// A receive at a rendezvous waits for a sender; to look at a message without taking it makes no
/// sense where none ever waits.
fn rendezvous_alone(keep: Keep, span: Span) -> Result<bool, Fault> {
    match keep {
        Keep::Remove => Ok(false),
        Keep::Stay => Err(fault(FaultKind::PollAtRendezvous, span)),
    }
}
