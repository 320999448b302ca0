//! Events of steps: messages and processes.

use serde::{Deserialize, Serialize};

/// One thing that a step does with a message or a process. Processes are told as in [`super::Change::name`]: `P(1)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Which kind of thing.
    pub kind: EventKind,
    /// The channel, by the name of the variable that it was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The fields of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Which message it is: messages in channels with buffers are numbered in the order in which they are sent, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// How many messages are before it in the channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
    /// The sender of the message, the process that makes another one, or the process that ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The receiver of the message, or the new process; absent if nobody receives the message in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

impl Event {
    /// An event of that kind of which nothing else is known.
    pub fn of(kind: EventKind) -> Self {
        Event {
            kind,
            channel: None,
            message: None,
            number: None,
            position: None,
            from: None,
            to: None,
        }
    }
}

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// A message is put into a channel.
    Send,
    /// A message is taken out of a channel.
    Receive,
    /// A message is read and stays in its channel.
    Inspect,
    /// A message is handed from one process to another.
    Rendezvous,
    /// A message is gone with its channel, and nobody has received it.
    Lost,
    /// A process is made.
    Spawn,
    /// A process ends.
    End,
}

/// A value of which a variable keeps only a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truncation {
    /// The variable.
    pub name: String,
    /// The value that was assigned.
    pub value: String,
    /// The value that is kept.
    pub kept: String,
}
