//! Message sequence charts of runs.
//!
//! A chart says who sends what to whom, and when: each process has a lane, time goes down, and an arrow leads from the sender of a message to
//! its receiver. [`Chart`] is that as data; [`build`] makes it of the events that the steps of a trace have, which are those of the
//! run that the reference interpreter has executed, and [`render`] writes it in three forms.
//!
//! # Invariants
//!
//! - Nothing is read from the texts of statements: every arrow is an event of a step ([`mandala_report::document::Event`]).
//! - The chart holds all that the channels do: their contents after each step follow from it (`tests/rebuild.rs`).

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

pub mod build;
pub mod render;

pub use build::chart;
pub use render::Form;

/// The index of a lane.
pub type LaneId = usize;

/// The index of a message.
pub type MessageId = usize;

/// A run as a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// Who takes part, from left to right.
    pub lanes: Vec<Lane>,
    /// What happens, one after the other.
    pub rows: Vec<Row>,
    /// The messages that go through channels with buffers, in the order in which they are sent.
    pub messages: Vec<Message>,
    /// The first of the rows that repeat, if the run goes on forever: the number of rows if none of them do.
    pub repeats_from: Option<usize>,
    /// What the run shows, and the lane that it is seen on, if it is one.
    pub outcome: Option<Outcome>,
}

/// Somebody who takes part: a process, or a member of a set of interchangeable names that rules act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// The row in which it is made, if not at the start.
    pub begins: Option<usize>,
    /// The row in which it ends, if it does.
    pub ends: Option<usize>,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The index of the step in the trace.
    pub step: usize,
    /// The number of the step, as people count them.
    pub number: u32,
    /// What happens.
    pub action: Action,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A message is put into its channel.
    Send {
        /// Which one.
        message: MessageId,
        /// How many are before it.
        position: usize,
    },
    /// A message is taken out of its channel.
    Receive {
        /// Which one.
        message: MessageId,
        /// By whom.
        by: LaneId,
        /// How many were before it.
        position: usize,
    },
    /// A message is read and stays in its channel.
    Inspect {
        /// Which one.
        message: MessageId,
        /// By whom.
        by: LaneId,
    },
    /// A message is gone with its channel.
    Lose {
        /// Which one.
        message: MessageId,
        /// Whose end it is.
        at: LaneId,
    },
    /// A message is handed over.
    Rendezvous {
        /// By whom.
        from: LaneId,
        /// To whom.
        to: LaneId,
        /// Where.
        channel: String,
        /// The message.
        text: String,
    },
    /// Somebody makes another one.
    Spawn {
        /// Who does.
        from: LaneId,
        /// The new one.
        to: LaneId,
    },
    /// Somebody ends.
    End {
        /// Who.
        lane: LaneId,
    },
    /// A step of somebody, or of several together; of all if it is nobody's.
    Local {
        /// Whose.
        lanes: Vec<LaneId>,
        /// The statement or rule.
        text: String,
    },
}

/// A message that goes through a channel with a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sends it.
    pub from: LaneId,
    /// The channel.
    pub channel: String,
    /// Its fields.
    pub text: String,
    /// The row in which it is sent.
    pub sent: usize,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Somebody receives it.
    Received {
        /// Who.
        by: LaneId,
        /// In which row.
        row: usize,
    },
    /// It is gone with its channel, and nobody has received it.
    Lost {
        /// In which row.
        row: usize,
    },
    /// It is still in its channel at the end.
    Unread,
}

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In words.
    pub text: String,
    /// The number of the last step, as people count them.
    pub number: u32,
    /// On which lane, if on one alone.
    pub lane: Option<LaneId>,
}
