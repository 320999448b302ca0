//! Formulas of computation tree logic.

use crate::error::KripkeError;
use crate::structure::Structure;

/// What a node may satisfy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ctl {
    /// Nothing is asked.
    True,
    /// A proposition holds.
    Proposition(u32),
    /// The formula does not hold.
    Not(Box<Ctl>),
    /// Both hold.
    And(Box<Ctl>, Box<Ctl>),
    /// At least one holds.
    Or(Box<Ctl>, Box<Ctl>),
    /// Some run from here does that (`E`).
    Exists(Box<Temporal>),
    /// All runs from here do that (`A`).
    All(Box<Temporal>),
}

/// What a run may do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Temporal {
    /// The formula holds after one step (`X`).
    Next(Ctl),
    /// The formula holds at some time (`F`).
    Finally(Ctl),
    /// The formula holds all the time (`G`).
    Globally(Ctl),
    /// The second formula holds at some time, the first one all the time before (`U`).
    Until(Ctl, Ctl),
    /// The same, or the first one holds for ever (`W`).
    WeakUntil(Ctl, Ctl),
}

impl Ctl {
    /// Not this.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "one word for each operator, as for `and`"
    )]
    pub fn not(self) -> Ctl {
        Ctl::Not(Box::new(self))
    }

    /// This and another.
    #[must_use]
    pub fn and(self, other: Ctl) -> Ctl {
        Ctl::And(Box::new(self), Box::new(other))
    }

    /// This or another.
    #[must_use]
    pub fn or(self, other: Ctl) -> Ctl {
        Ctl::Or(Box::new(self), Box::new(other))
    }

    /// Another, if this.
    #[must_use]
    pub fn implies(self, other: Ctl) -> Ctl {
        self.not().or(other)
    }

    /// Some run does that.
    #[must_use]
    pub fn exists(temporal: Temporal) -> Ctl {
        Ctl::Exists(Box::new(temporal))
    }

    /// All runs do that.
    #[must_use]
    pub fn all(temporal: Temporal) -> Ctl {
        Ctl::All(Box::new(temporal))
    }

    /// Some run comes to where this holds (`EF`).
    #[must_use]
    pub fn possible(self) -> Ctl {
        Ctl::exists(Temporal::Finally(self))
    }

    /// Wherever a run comes, this holds (`AG`).
    #[must_use]
    pub fn always(self) -> Ctl {
        Ctl::all(Temporal::Globally(self))
    }

    /// Whether the structure has all propositions of the formula.
    pub(crate) fn verify(&self, structure: &Structure) -> Result<(), KripkeError> {
        match self {
            Ctl::True => Ok(()),
            Ctl::Proposition(number) => structure.knows(*number),
            Ctl::Not(inner) => inner.verify(structure),
            Ctl::And(one, other) | Ctl::Or(one, other) => {
                one.verify(structure)?;
                other.verify(structure)
            }
            Ctl::Exists(temporal) | Ctl::All(temporal) => {
                let mut operands = temporal.operands().into_iter().flatten();
                operands.try_for_each(|operand| operand.verify(structure))
            }
        }
    }
}

impl Temporal {
    fn operands(&self) -> [Option<&Ctl>; 2] {
        match self {
            Temporal::Next(one) | Temporal::Finally(one) | Temporal::Globally(one) => {
                [Some(one), None]
            }
            Temporal::Until(one, other) | Temporal::WeakUntil(one, other) => {
                [Some(one), Some(other)]
            }
        }
    }
}
