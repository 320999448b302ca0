//! Tables of values that code goes through: those of parameters, and those of the variables of quantifiers.

use crate::code::{Code, Entry};
use mandala_model::parameters::Values;

/// A loop through values.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub values: Values,
    /// How many values there are.
    pub count: u64,
    /// Where [`Op::Each`] is.
    pub begin: u32,
    /// Where it goes on behind the loop: [`Op::Next`] is right before.
    pub end: u32,
    /// The least and the greatest number that is made of the values.
    pub result: (i64, i64),
    /// How many operations there are if each value has its own.
    pub size: u64,
}

/// A parameter of an edge or a monitor.
#[derive(Clone, Debug)]
pub(crate) struct CompiledParameter {
    /// The cell that holds its value during the step: of the frame of the process, or for monitors of the fixed part.
    pub cell: u32,
    pub values: Values,
    /// How many values there are.
    pub count: u32,
    /// How many choices of the parameters behind it there are.
    pub rest: u32,
    /// A part of the guard, which can be asked when this parameter and those before it are known.
    pub early: Option<Entry>,
}

/// The least and the greatest of some values; (0, 0) if there is none.
pub(crate) fn extremes(values: &Values) -> (i64, i64) {
    let runs = values.0.iter().filter(|run| run.count > 0);
    let ends = runs.flat_map(|run| [Some(run.first), run.last()]).flatten();
    let low = ends.clone().min().unwrap_or(0);
    (low, ends.max().unwrap_or(0))
}

/// The parameters of an edge: rows of [`Code::parameters`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parameters {
    pub first: u32,
    pub count: u32,
    /// A part of the guard that no parameter matters to.
    pub early: Option<Entry>,
    /// How many choices of their values there are.
    pub choices: u32,
    /// Whether all parts of the guard have been asked when all parameters are known.
    pub ask_all: bool,
}

impl Parameters {
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The rows.
    pub fn of(self, code: &Code) -> &[CompiledParameter] {
        let first = self.first as usize;
        &code.parameters[first..first + self.count as usize]
    }
}
