//! The reference interpreter: what a model means, written to be read. It is the oracle for every engine.
//!
//! Nothing here is fast. A state is a [`State`], a step copies it, an expression is evaluated by
//! walking over it. In exchange each rule of the semantics stands in one small file:
//!
//! | file | rule |
//! |---|---|
//! | `evaluate` | the value of an expression |
//! | `place` | which cell a place is, and what an assignment leaves in it |
//! | `channel` | references to channels, messages that match, sends and receives |
//! | `chance` | exact numbers that depend on the state, and how likely steps are |
//! | `effects` | what a step does to the state |
//! | `routine` | code that runs to its end in one step |
//! | `call` | functions: frames, and the places that are passed |
//! | `spawn` | new processes, first values of variables, new channels |
//! | `start` | the state that runs start in |
//! | `enabled` | when a step could be taken, seen by somebody who does not take it |
//! | `taking` | the steps of one process: order of edges, `else`, escapes, rendezvous |
//! | `moves` | whose turn it is: control that is held, the claim, time-outs, stuttering |
//! | `events` | observers of messages |
//! | `monitors` | checks of states |
//! | `verdicts` | what is wrong with a state in which nothing happens any more |
//! | `macro_steps` | chains of steps between states that a search remembers |
//!
//! The other files serve people: `describe` names processes, values and changes, `happened` says what became of messages, `format` prints, and
//! [`simulate`] walks through a model step by step.
//!
//! # Who moves
//!
//! A run goes from [`Configuration`] to [`Configuration`]: a state together with whose turn it is.
//! [`Interpreter::moves`] lists all ways to go on; each [`Move`] says whether a search remembers the
//! configuration that it leads to. States in the middle of an atomic sequence, and those
//! between a step of the claim and the step of the system that belongs to it, are passed through.

mod attempt;
mod call;
mod chance;
mod channel;
mod describe;
mod effects;
mod enabled;
mod evaluate;
mod events;
mod format;
mod frame;
mod happened;
mod macro_steps;
mod monitors;
mod moves;
mod place;
mod quantified;
mod reason;
mod routine;
pub mod simulate;
mod spawn;
mod start;
mod taking;
mod verdicts;
mod view;

pub use call::Returned;
pub use chance::ChanceError;
pub use describe::{CellRead, Change, Owner, StepText};
pub use happened::StepEvent;
pub use macro_steps::{ChainEnd, Chains, MacroStep};
pub use monitors::Observation;
pub use reason::Reason;
pub use routine::ROUTINE_LIMIT;

use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::NodeId;
use mandala_model::state::Value;
use mandala_model::step::{Fault, Observers, StepLabel, Turn, Violation};
use mandala_model::{Model, State};
use std::collections::BTreeSet;
use view::View;

/// The meaning of one model together with the observers that run along with it.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter<'m> {
    model: &'m Model,
    observers: Observers,
}

/// A state and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// The state.
    pub state: State,
    /// Who moves next.
    pub turn: Turn,
}

/// One way to go on from a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who moves, by which edge, with whom.
    pub label: StepLabel,
    /// Where it leads; `None` if the run does not go on from there, as after a fault, or if nothing is known
    /// about it: see [`ROUTINE_LIMIT`].
    pub next: Option<Configuration>,
    /// Whether a search remembers where it leads.
    pub remembered: bool,
    /// What went wrong on the way, in order.
    pub violations: Vec<Violation>,
    /// What was shown on the way, in order.
    pub printed: Vec<String>,
    /// What was done with messages and processes on the way, in order.
    pub events: Vec<StepEvent>,
    /// The nodes that were executed, if the step is a routine; those of functions that it calls are not among them.
    pub nodes: BTreeSet<NodeId>,
}

impl Move {
    /// Whether something comes of it: a state, or something that is wrong. A rule that leads to what is assumed not to be comes to
    /// nothing.
    pub fn counts(&self) -> bool {
        self.next.is_some() || !self.violations.is_empty()
    }
}

impl<'m> Interpreter<'m> {
    /// The meaning of `model` under those observers.
    pub fn new(model: &'m Model, observers: Observers) -> Self {
        Interpreter { model, observers }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The observers.
    pub fn observers(&self) -> Observers {
        self.observers
    }

    /// The value of an expression in a state, as that process sees it; without a process, as the
    /// claim sees it.
    ///
    /// # Panics
    ///
    /// If the expression reads local variables of a process or claim that the state does not have.
    pub fn evaluate(
        &self,
        state: &State,
        process: Option<u32>,
        expr: &Expr,
    ) -> Result<Value, Fault> {
        let asks_timeout = expr.any(|e| e.kind == ExprKind::Timeout);
        let timeout = asks_timeout && self.is_stuck(state);
        View::new(self.model, state, process, timeout).evaluate(expr)
    }
}
