//! Events of steps, with messages and processes, in the words of the document.
//!
//! The interpreter says at which position of which channel a message was put or taken. Here each message gets a number, so that a receive
//! is known to take what a certain send has put there, whatever the message looks like and whatever variable refers to the channel.

use mandala_evidence::replay::ReplayedStep;
use mandala_interpreter::{Interpreter, StepEvent};
use mandala_model::State;
use mandala_model::step::Actor;
use mandala_report::document::{Event, EventKind, Step, Truncation};

/// The messages of a run, as far as it has been followed.
pub struct MessageLog<'a> {
    interpreter: Interpreter<'a>,
    /// The state that the next step is made in; none if the model fails before its first state.
    state: Option<State>,
    /// The numbers of the messages that wait in each channel, oldest first.
    waiting: Vec<Vec<u32>>,
    /// The sender of each message and, once there is one, its receiver; the message with the number 1 is the first.
    ends: Vec<(String, Option<String>)>,
}

impl<'a> MessageLog<'a> {
    /// The log of a run that has not made a step.
    pub fn new(interpreter: Interpreter<'a>) -> Self {
        MessageLog {
            interpreter,
            state: interpreter.start().ok().map(|start| start.state),
            waiting: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// What the next step does with messages and processes.
    pub fn follow(&mut self, step: &ReplayedStep) -> Vec<Event> {
        let after = step.after.as_ref().map(|after| &after.state);
        let Some(before) = self.state.take().or_else(|| after.cloned()) else {
            return Vec::new();
        };
        let interpreter = self.interpreter;
        let told = Scene {
            interpreter: &interpreter,
            before: &before,
            after: after.unwrap_or(&before),
            step,
        };
        let events = step.events.iter();
        let events = events.filter_map(|event| self.event(&told, event));
        let events = events.collect();
        self.state = Some(after.cloned().unwrap_or(before));
        events
    }

    /// Says of each message that was sent in these steps who receives it.
    pub fn address(&self, steps: &mut [Step]) {
        let events = steps.iter_mut().flat_map(Step::events_mut);
        for event in events.filter(|event| event.kind == EventKind::Send) {
            let ends = event.number.and_then(|n| self.ends.get(n as usize - 1));
            event.to = ends.and_then(|(_, receiver)| receiver.clone());
        }
    }

    fn event(&mut self, scene: &Scene<'_>, event: &StepEvent) -> Option<Event> {
        Some(match event {
            StepEvent::Sent {
                channel,
                position,
                message,
            } => {
                let number = self.number(scene.actor());
                self.channel(*channel).insert(*position, number);
                Event {
                    number: Some(number),
                    position: Some(*position as u32),
                    from: Some(scene.actor()),
                    ..scene.message(EventKind::Send, *channel, message)
                }
            }
            StepEvent::Received {
                channel,
                position,
                message,
            } => {
                let number = self.channel(*channel).remove(*position);
                self.ends[number as usize - 1].1 = Some(scene.actor());
                Event {
                    to: Some(scene.actor()),
                    position: Some(*position as u32),
                    ..self.known(number, scene.message(EventKind::Receive, *channel, message))
                }
            }
            StepEvent::Inspected {
                channel,
                position,
                message,
            } => {
                let number = self.channel(*channel)[*position];
                Event {
                    to: Some(scene.actor()),
                    position: Some(*position as u32),
                    ..self.known(number, scene.message(EventKind::Inspect, *channel, message))
                }
            }
            StepEvent::Lost { channel, message } => {
                // The channels of a process that ends go from the last one on, each with its oldest message first.
                let number = self.channel(*channel).remove(0);
                self.known(number, scene.message(EventKind::Lost, *channel, message))
            }
            StepEvent::HandedOver { channel, message } => Event {
                from: Some(scene.actor()),
                to: scene.partner(),
                ..scene.message(EventKind::Rendezvous, *channel, message)
            },
            StepEvent::Spawned { process } => Event {
                from: Some(scene.actor()),
                to: Some(scene.interpreter.process_name(scene.after, *process)),
                ..Event::of(EventKind::Spawn)
            },
            StepEvent::Ended => Event {
                from: Some(scene.actor()),
                ..Event::of(EventKind::End)
            },
            StepEvent::Truncated { .. } => return None,
        })
    }

    /// The number of a new message.
    fn number(&mut self, sender: String) -> u32 {
        self.ends.push((sender, None));
        self.ends.len() as u32
    }

    fn known(&self, number: u32, event: Event) -> Event {
        Event {
            number: Some(number),
            from: Some(self.ends[number as usize - 1].0.clone()),
            ..event
        }
    }

    fn channel(&mut self, index: usize) -> &mut Vec<u32> {
        if self.waiting.len() <= index {
            self.waiting.resize(index + 1, Vec::new());
        }
        &mut self.waiting[index]
    }
}

/// A step between its states.
struct Scene<'a> {
    interpreter: &'a Interpreter<'a>,
    before: &'a State,
    after: &'a State,
    step: &'a ReplayedStep,
}

impl Scene<'_> {
    fn actor(&self) -> String {
        self.interpreter
            .actor_name(self.before, self.step.label.actor)
    }

    fn partner(&self) -> Option<String> {
        let (partner, _) = self.step.label.partner?;
        let partner = Actor::Process(partner);
        Some(self.interpreter.actor_name(self.before, partner))
    }

    /// An event of a message, which is told as it looks where its channel is.
    fn message(&self, kind: EventKind, channel: usize, message: &[i64]) -> Event {
        let state = match channel < self.before.channels.len() {
            true => self.before,
            false => self.after,
        };
        Event {
            channel: Some(self.interpreter.channel_name(state, channel)),
            message: Some(self.interpreter.message_text(state, channel, message)),
            ..Event::of(kind)
        }
    }
}

/// The values that a step has cut.
pub fn truncations(step: &ReplayedStep) -> Vec<Truncation> {
    let events = step.events.iter();
    let cut = events.filter_map(|event| match event {
        StepEvent::Truncated { name, value, kept } => Some(Truncation {
            name: name.clone(),
            value: value.to_string(),
            kept: kept.clone(),
        }),
        _ => None,
    });
    cut.collect()
}
