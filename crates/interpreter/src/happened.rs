//! Events of a step besides changes of variables: messages that go from one process to another, processes that come and go,
//! and values that did not fit.
//!
//! Two states do not tell this: a receive from the middle of a channel leaves other messages behind than one from its head, code
//! that runs in one step may send and receive several messages, and a value that was cut looks like any other. So
//! whoever makes the step notes it.

use crate::Interpreter;
use crate::attempt::Attempt;
use crate::frame::Home;
use crate::place::Cell;
use mandala_model::State;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::template::Keep;

/// One thing that a step does with a message, a process, or a value that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepEvent {
    /// The actor puts a message into a channel.
    Sent {
        /// The index of the channel.
        channel: usize,
        /// How many messages are before it.
        position: usize,
        /// Its fields, as the channel keeps them.
        message: Vec<Value>,
    },
    /// The actor takes a message out of a channel.
    Received {
        /// The index of the channel.
        channel: usize,
        /// How many messages were before it.
        position: usize,
        /// Its fields.
        message: Vec<Value>,
    },
    /// The actor reads a message that stays in its channel.
    Inspected {
        /// The index of the channel.
        channel: usize,
        /// How many messages are before it.
        position: usize,
        /// Its fields.
        message: Vec<Value>,
    },
    /// The actor hands a message to its partner.
    HandedOver {
        /// The index of the rendezvous channel.
        channel: usize,
        /// The fields of the message.
        message: Vec<Value>,
    },
    /// A message that nobody has received is gone, because the process ends that made its channel.
    Lost {
        /// The index that the channel had.
        channel: usize,
        /// The fields of the message.
        message: Vec<Value>,
    },
    /// The actor makes a process.
    Spawned {
        /// Its number.
        process: u32,
    },
    /// The actor ends.
    Ended,
    /// A variable keeps only a part of the value that is assigned to it.
    Truncated {
        /// The name of the variable, as in [`crate::Change`].
        name: String,
        /// The value that was assigned.
        value: Value,
        /// What is kept of it, as a person writes it.
        kept: String,
    },
}

impl StepEvent {
    /// A receive, which may leave the message where it is.
    pub(crate) fn took(keep: Keep, channel: usize, position: usize, message: Vec<Value>) -> Self {
        match keep {
            Keep::Remove => StepEvent::Received {
                channel,
                position,
                message,
            },
            Keep::Stay => StepEvent::Inspected {
                channel,
                position,
                message,
            },
        }
    }
}

impl Attempt<'_> {
    /// Notes that a cell is about to keep only a part of a value.
    pub(crate) fn note_truncation(&mut self, cell: &Cell, value: Value) {
        let Some(kept) = cell.scalar.store(value).filter(|kept| *kept != value) else {
            return;
        };
        if matches!(
            cell.home,
            Home::Frame(_) | Home::Missing | Home::Priority(_)
        ) {
            return;
        }
        let interpreter = Interpreter::new(self.model, Observers::default());
        if let Some(name) = interpreter.name_of_cell(&self.state, cell.home, cell.index) {
            let kept = interpreter.value_text(&self.state, cell.scalar, kept);
            self.events.push(StepEvent::Truncated { name, value, kept });
        }
    }
}

impl Interpreter<'_> {
    /// The fields of a message of a channel, as a person writes them: `1`, `(1, a)`.
    pub fn message_text(&self, state: &State, channel: usize, message: &[Value]) -> String {
        let Some(channel) = state.channels.get(channel) else {
            return String::new();
        };
        let fields = message
            .iter()
            .zip(&self.model.channel_kind(channel.kind).fields);
        let texts: Vec<_> = fields
            .map(|(value, field)| self.value_text(state, *field, *value))
            .collect();
        match texts.as_slice() {
            [single] => single.clone(),
            several => format!("({})", several.join(", ")),
        }
    }
}
