//! The effort of finding a symmetry, what is not interchangeable, and what properties cost.

use crate::state_pair::StatePair;
use mandala_groups::BigUint;
use mandala_model::source::Span;
use mandala_symmetry::{Breach, LookAlikes, Parts, ProofPart};
use std::time::Duration;

/// The effort of finding a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How long.
    pub time: Duration,
    /// How many vertices and edges the graph of the model had, if there was one.
    pub graph: Option<(usize, usize)>,
    /// How many steps of work it took ([`ProofBudget`]): the same on every machine.
    pub steps: u64,
    /// The factor that the user has raised the budget by.
    pub factor: u32,
    /// The part of a proof at which the budget ended, if it was not enough for everything.
    pub ended_at: Option<ProofPart>,
    /// How many parts of the model types decided, if they were asked.
    pub parts: Option<Parts>,
}

/// Something that is not interchangeable, or cannot be proven to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What.
    pub what: String,
    /// The same as data.
    pub accused: Accused,
    /// Why.
    pub breach: Breach,
    /// Two states that show that it is not, if they were looked for and found.
    pub pair: Option<StatePair>,
}

/// What is not interchangeable, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accused {
    /// The members of a domain of that name.
    Domain(String),
    /// Two of them.
    LookAlikes(LookAlikes),
    /// Nothing that could be exchanged.
    Nothing,
}

impl Accused {
    /// What a person calls the names, if they are names.
    pub(crate) fn names(&self) -> Option<&str> {
        match self {
            Accused::Domain(label) | Accused::LookAlikes(LookAlikes::Names { label, .. }) => {
                Some(label)
            }
            Accused::LookAlikes(LookAlikes::Processes(..)) | Accused::Nothing => None,
        }
    }
}

/// The symmetry of the system alone, and the checks that take some of it away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyCost {
    /// The order of its group.
    pub order: BigUint,
    /// Assertions each of which leaves less than that.
    pub assertions: Vec<Span>,
    /// Whether the observers leave less than that.
    pub observers: bool,
}
