//! Frames of calls that have not ended, and the variables that cells belong to.

use mandala_model::expr::Projection;
use mandala_model::ids::FunctionId;
use mandala_model::state::Value;
use mandala_model::types::Type;

/// Whose variables a cell is among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Globals,
    Process(u32),
    Claim,
    /// Not a variable: the priority of that process.
    Priority(u32),
    /// The variables of a process that does not exist: they read as 0.
    Missing,
    /// The variables of that call, counted from the outermost.
    Frame(usize),
}

/// A call that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub function: FunctionId,
    /// The variables of the function, its parameters first.
    pub cells: Vec<Value>,
    /// What its parameters held at first.
    pub arguments: Vec<Value>,
    /// What was passed.
    pub references: Vec<Passed>,
    /// The node of the caller's routine that has the call, and the choice.
    pub call: (usize, usize),
}

/// A place that was passed: the indices are numbers now. Whether they are inside of their arrays is asked where the place is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    pub home: Home,
    /// The first cell of the variable, and its type.
    pub first: usize,
    pub ty: Type,
    pub path: Vec<Projection>,
}
