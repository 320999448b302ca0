//! A concrete state of a model, written out in full. The reference interpreter steps it, traces
//! and reports show it, packed states decode to it.

use crate::ids::{ChannelKindId, LocationId, TemplateId};

/// The value of one cell.
pub type Value = i64;

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The cells of the global variables, in order.
    pub globals: Vec<Value>,
    /// The processes; a process's number is its index. The last one was made last.
    pub processes: Vec<ProcessState>,
    /// The channels; a reference is the index plus one. The last one was made last.
    pub channels: Vec<ChannelState>,
    /// The process that made the last step, if the model keeps track of it; 0 otherwise.
    pub last_mover: Value,
    /// The claim that is checked, if one is.
    pub claim: Option<ProcessState>,
    /// Where the observer of messages is, if there is one.
    pub events: Option<LocationId>,
}

/// One process in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProcessState {
    /// What it is an instance of.
    pub template: TemplateId,
    /// Where it is.
    pub location: LocationId,
    /// Its priority; 1 in models without priorities.
    pub priority: u8,
    /// The cells of its local variables, in order.
    pub locals: Vec<Value>,
}

/// One channel in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChannelState {
    /// Its capacity and message type.
    pub kind: ChannelKindId,
    /// The process that made it, unless it is global.
    pub owner: Option<u32>,
    /// What waits in it, oldest first.
    pub messages: Vec<Vec<Value>>,
}
