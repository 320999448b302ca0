//! Functions: code that edges share, with variables of its own in every call.
//!
//! A call is a choice of a routine ([`Step::Call`]): that of an edge or a monitor, or the body of another function. It
//!
//! 1. evaluates the arguments one after the other, each into its cell of a new *frame*, and then the indices of the places that it passes;
//! 2. runs the body, in which [`Root::Local`](crate::expr::Root::Local) is a variable of the frame and
//!    [`Root::Reference`](crate::expr::Root::Reference) a place that was passed;
//! 3. puts the result where it is wanted, and goes on behind the choice.
//!
//! A body fails, blocks and ends a step as the routine of the edge does. The variables of a frame are scratch: whatever reads one has written it
//! before, in the same call. Functions may call themselves and each other; calls of those that do nest at most [`MOST_CALLS`] deep.
//!
//! [`instantiate`](crate::instantiate) puts bodies in the place of calls.

use crate::expr::{Expr, Place};
use crate::ids::{FunctionId, LocalId};
use crate::source::Span;
use crate::template::{Routine, Step};
use crate::types::Variable;

/// How deep calls of functions that call themselves may nest. A deeper call is a violation, reported where the call is.
pub const MOST_CALLS: u32 = 1024;

/// What is said where a call turns up among single steps, which is a defect: they are [written out](crate::instantiate) before.
pub const CALL: &str = "calls are written out before single steps are looked at";

/// A function or a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in the source.
    pub name: String,
    /// How many of the local variables are parameters that get values; they come first.
    pub parameters: u32,
    /// The variables of a frame, all of them scratch.
    pub locals: Vec<Variable>,
    /// The parameters that places are passed to: their names and types.
    pub references: Vec<Variable>,
    /// The local variable that holds the result at the end, if there is one.
    pub result: Option<LocalId>,
    /// What it does.
    pub body: Routine,
    /// Where it is declared.
    pub span: Span,
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub function: FunctionId,
    /// The values of its parameters, one a cell. One that does not fit is a run-time error at the argument.
    pub arguments: Vec<Expr>,
    /// The places that are passed. Their indices are evaluated once, at the call.
    pub references: Vec<Place>,
    /// Where the result goes. Its indices are evaluated after the call.
    pub result: Option<Place>,
}

impl Routine {
    /// The calls in it.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        let choices = self.nodes.iter().flat_map(|node| &node.choices);
        choices.filter_map(|choice| match &choice.step {
            Step::Call(call) => Some(call),
            _ => None,
        })
    }
}
