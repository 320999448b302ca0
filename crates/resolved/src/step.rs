//! Steps and effects in resolved form.

use crate::expr::{ResolvedExpr, Wanted};
use crate::place::{ResolvedPlace, Store};
use mandala_model::ids::{NodeId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Keep, SendOrder};

/// When an edge can be taken and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedStep {
    /// Taken when the guard is true.
    Guarded {
        /// The condition.
        guard: ResolvedExpr,
        /// What is done then, in order.
        effects: Vec<ResolvedEffect>,
    },
    /// Taken when no earlier edge can be.
    Else,
    /// Puts a message into a channel, or hands it over at a rendezvous.
    Send {
        /// The channel.
        channel: ResolvedExpr,
        /// Where in the channel.
        order: SendOrder,
        /// One value a field.
        message: Vec<ResolvedExpr>,
    },
    /// Takes a message from a channel.
    Receive(Receipt),
    /// The process ends.
    Exit,
    /// Code that runs to its end in one step.
    Routine(ResolvedRoutine),
}

/// How a message is taken from a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The channel.
    pub channel: ResolvedExpr,
    /// What the message must look like.
    pub wanted: Wanted,
    /// Whether it stays in the channel.
    pub keep: Keep,
    /// The fields that are kept, in order, and where they go after the whole message has matched.
    pub bindings: Vec<(u32, ResolvedPlace)>,
}

/// A change of the state, or a check of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedEffect {
    /// Puts a value into a cell. The value is computed first, then the cell is found.
    Assign {
        /// The cell.
        place: ResolvedPlace,
        /// The value.
        value: ResolvedExpr,
    },
    /// Goes on if the condition is true.
    Check {
        /// The condition.
        condition: ResolvedExpr,
        /// What happens if it is not.
        otherwise: Otherwise,
    },
    /// Computes a value for nobody. That may fail.
    Evaluate(ResolvedExpr),
    /// Makes a process.
    Spawn(ResolvedSpawn),
    /// Changes the priority of a process; no effect if there is no such process.
    SetPriority {
        /// The process.
        process: ResolvedExpr,
        /// From 1 to 255; else a run-time error.
        priority: ResolvedExpr,
    },
}

/// What happens where a check fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// A failed assertion is reported there, and the step goes on.
    Report(Span),
    /// It is reported there that the step has failed, and there is no state after it.
    Fail(Span),
    /// There is no state after the step. Nothing is reported.
    Abandon,
}

/// A process that is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedSpawn {
    /// What it is an instance of.
    pub template: TemplateId,
    /// The values of its parameters, one a cell, and what the cells keep of them.
    pub arguments: Vec<(ResolvedExpr, Store)>,
    /// Its priority.
    pub priority: u8,
    /// Where the number of the new process goes.
    pub result: Option<ResolvedPlace>,
    /// Where it is reported that there is no room for one more.
    pub span: Span,
}

/// Code that runs in one step: an automaton that takes the first choice that it can at every node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedRoutine {
    /// The nodes; the first one is where it starts.
    pub nodes: Vec<ResolvedNode>,
}

/// A node of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedNode {
    /// What can be done here, in the order in which it is tried.
    pub choices: Vec<ResolvedChoice>,
    /// Whether the edge as a whole cannot be taken if no choice can.
    pub quiet: bool,
    /// The statement that starts here.
    pub span: Span,
}

/// One choice at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedChoice {
    /// When and what.
    pub step: ResolvedStep,
    /// Where to go on; nothing ends the routine.
    pub next: Option<NodeId>,
    /// Where it stands.
    pub span: Span,
}
