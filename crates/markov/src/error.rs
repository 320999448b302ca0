//! Why there is no process, or no answer.

use dashu_ratio::RBig;
use std::fmt;

/// Why a process cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessError {
    /// The probabilities of a choice do not add up to 1.
    Sum {
        /// The state.
        state: u32,
        /// What they add up to.
        sum: RBig,
    },
    /// A weight or a reward is negative.
    Negative {
        /// The state.
        state: u32,
        /// How much it is.
        amount: RBig,
    },
    /// A state of a chain has a second choice.
    SecondChoice {
        /// The state.
        state: u32,
    },
    /// A branch leads to a state that there is not.
    NoSuchState {
        /// The number of the state.
        target: u32,
    },
    /// There is no state to start in.
    NoStart,
    /// There are more states, choices or branches than can be counted.
    TooLarge,
}

impl fmt::Display for ProcessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessError::Sum { state, sum } => {
                write!(
                    f,
                    "probabilities in state {state} add up to {sum}, not to 1"
                )
            }
            ProcessError::Negative { state, amount } => {
                write!(
                    f,
                    "a weight or reward in state {state} is negative: {amount}"
                )
            }
            ProcessError::SecondChoice { state } => {
                write!(f, "state {state} of a chain has a second choice")
            }
            ProcessError::NoSuchState { target } => {
                write!(f, "a branch leads to state {target}, which is not there")
            }
            ProcessError::NoStart => f.write_str("there is no state to start in"),
            ProcessError::TooLarge => {
                f.write_str("the process has more states, choices or branches than 2^31")
            }
        }
    }
}

impl std::error::Error for ProcessError {}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkovError {
    /// The question means something else than it says, or nothing: what is wrong, and what to write.
    Meaningless(&'static str),
    /// What this version cannot do, by name.
    Unsupported(&'static str),
    /// A comparison is not decided by the bounds of a value.
    Undecided,
    /// There would be more work than is allowed.
    TooMuchWork,
}

impl fmt::Display for MarkovError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MarkovError::Meaningless(why) => f.write_str(why),
            MarkovError::Unsupported(what) => write!(f, "{what} cannot be answered yet"),
            MarkovError::Undecided => {
                f.write_str("a value is too close to the number that it is compared with")
            }
            MarkovError::TooMuchWork => f.write_str("it would take more work than is allowed"),
        }
    }
}

impl std::error::Error for MarkovError {}
