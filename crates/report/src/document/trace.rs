//! Runs of the model, what they show, and the states on them.

use super::{Event, PropertyId, Truncation};
use serde::{Deserialize, Serialize};

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file, as the user named it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// A variable or an expression, and what it was worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedValue {
    /// The variable or expression.
    pub name: String,
    /// Its value, as a person writes it.
    pub value: String,
}

/// A process that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The name of what it is an instance of.
    pub process: String,
    /// Its number.
    pub pid: u32,
    /// Where it stands.
    pub place: Place,
    /// What it waits to do: one of these.
    pub statements: Vec<String>,
    /// What these wait for, as far as that can be said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<WaitingGuard>,
    /// Whether it may stay there for ever.
    pub allowed: bool,
}

/// What a statement waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingGuard {
    /// The statement.
    pub statement: String,
    /// What its condition reads, or what its channel holds.
    pub values: Vec<NamedValue>,
    /// The other processes that have a statement which changes one of these; they may never come to it.
    pub changed_by: Vec<String>,
}

/// A run of the model, step by step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Whose run it is: the property that it violates, or that it shows to hold.
    pub property_id: PropertyId,
    /// The name of that property.
    pub property: String,
    /// Whether no run to this violation has fewer steps that the search remembers.
    pub shortest: bool,
    /// If the run goes round for ever: how many of the steps come before. The rest is one round; if there is none, the
    /// last state repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_cycle: Option<usize>,
    /// Which infinite runs count, by the name that `--fair` takes, if not all do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<String>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The state at the end; that in which the cycle begins, if there is one. Absent if the model fails before its first state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_state: Option<StateListing>,
}

/// All of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateListing {
    /// The variables and channels.
    pub values: Vec<NamedValue>,
    /// The processes; none in a model that consists of rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessPlace>,
}

/// Where a process stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessPlace {
    /// The name of what it is an instance of.
    pub process: String,
    /// Its number.
    pub pid: u32,
    /// The statement that comes next.
    pub place: Place,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// How many steps the system has made, this one included: from 1. A move of the claim is no step
    /// of the system and has the number of the step before it.
    pub number: u32,
    /// Whether a process or the claim moved.
    #[serde(default)]
    pub actor: Actor,
    /// The name of what moved: that of a process, or of a claim.
    pub process: String,
    /// The number of the process; null for a claim.
    pub pid: Option<u32>,
    /// The file of the statement.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// The statement.
    pub statement: String,
    /// The number of its edge in the automaton of the process, by which it is replayed.
    pub edge: u32,
    /// The name of the rule, if it is one with parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The parameters of the rule, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The number of the choice of its parameters, by which it is replayed.
    #[serde(default, skip_serializing_if = "is_first")]
    pub choice: u32,
    /// The process that received at a rendezvous.
    pub partner: Option<Partner>,
    /// The variables and channels that the step changed.
    pub changes: Vec<Change>,
    /// What the step printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
    /// What it does with a message or a process, if it does something: the first such thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Event>,
    /// The other such things that it does, in order: code that runs in one step may send several messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_events: Vec<Event>,
    /// Values of which variables keep only a part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<Truncation>,
    /// Whether the process keeps control, so that the next step belongs to the same atomic sequence.
    #[serde(default, skip_serializing_if = "is_false")]
    pub atomic: bool,
    /// Whether it only leads the process on: `else`, a jump, or what a `for` loop counts.
    #[serde(default, skip_serializing_if = "is_false")]
    pub bookkeeping: bool,
    /// The state after the step, if such states were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<StateListing>,
}

impl Step {
    /// All that it does with messages and processes, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.event.iter().chain(&self.further_events)
    }

    /// Whether it is one of the one process of a model that consists of rules: everybody knows who moves.
    pub fn is_rule(&self) -> bool {
        (self.process.as_str(), self.pid) == ("rules", Some(0))
    }

    /// The same, to be changed.
    pub fn events_mut(&mut self) -> impl Iterator<Item = &mut Event> {
        self.event.iter_mut().chain(&mut self.further_events)
    }
}

/// True for what is not said because it is usual.
pub(super) fn is_false(flag: &bool) -> bool {
    !*flag
}

/// True for the first choice, which is the only one of a step without parameters.
pub(super) fn is_first(choice: &u32) -> bool {
    *choice == 0
}

/// A parameter of a rule, or of a property, with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name in the model.
    pub name: String,
    /// The value, as a person writes it.
    pub value: String,
    /// The name of the set of interchangeable names that the value is one of, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scalarset: Option<String>,
}

/// Who makes a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Actor {
    /// A process of the system.
    #[default]
    Process,
    /// The claim, which only watches.
    Claim,
}

/// The receiver at a rendezvous.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partner {
    /// The name of what it is an instance of.
    pub process: String,
    /// Its number.
    pub pid: u32,
    /// The file of its receive.
    pub file: String,
    /// The line of its receive, from 1.
    pub line: u32,
    /// Its receive.
    pub statement: String,
    /// The number of that edge in the automaton of the process.
    pub edge: u32,
}

/// A value that a step changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The variable or channel.
    pub name: String,
    /// What it held before; null if it came to be with the step.
    pub from: Option<String>,
    /// What it holds afterwards; null if it is gone.
    pub to: Option<String>,
}
