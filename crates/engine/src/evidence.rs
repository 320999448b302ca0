//! The states of runs that show something. The reference interpreter finds the steps between them.

use crate::outcome::Limit;
use mandala_model::State;
use mandala_model::step::Violation;

/// A violation, and the remembered states of a run from the start to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The states up to the violation, or to where the cycle begins.
    pub path: Vec<State>,
    /// The states of the cycle after that, if there is one: the last of them is the last of the path. None if that one stutters.
    pub cycle: Vec<State>,
    /// What is wrong.
    pub violation: Violation,
}

/// The remembered states of a run from the start that shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The states up to its end, or to where its cycle begins.
    pub path: Vec<State>,
    /// The states of the cycle after that, if it is infinite; none of them if the last of the path stutters.
    pub cycle: Option<Vec<State>>,
    /// Of a property that is several in one ([`mandala_model::several`]), the instance that it is about; otherwise the first.
    pub instance: u32,
}

/// What is known of a formula of computation tree logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Branching {
    /// It holds. A run that shows it, if one can.
    Holds(Option<Witness>),
    /// It does not, as this run shows.
    Fails(Witness),
    /// Not decided, and why.
    Unknown(Limit),
}

/// Whether something stays possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possibility {
    /// From every state there is a way to it.
    Stays,
    /// There is none from the end of a run from the start.
    Lost {
        /// The states of the run.
        path: Vec<State>,
        /// Whether no shorter run loses it.
        shortest: bool,
        /// Of a property that is several in one, the instance that is lost; otherwise the first.
        instance: u32,
    },
    /// Not decided, and why.
    Unknown(Limit),
}
