//! What is claimed of a model.

use crate::expr::Expr;
use crate::ids::TemplateId;
use crate::source::Span;

/// A named claim about the model's runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name in the source, or one made up (`never_0`).
    pub name: String,
    /// What is claimed.
    pub kind: PropertyKind,
    /// Where it stands.
    pub span: Span,
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// No run is followed by this claim to its end, or through its accepting locations for ever.
    Never {
        /// The observer.
        claim: TemplateId,
    },
    /// Every run satisfies the formula.
    Ltl {
        /// The formula.
        formula: Formula,
        /// An observer that follows exactly the runs that violate it.
        claim: TemplateId,
    },
    /// Every run's messages fit the observer.
    Events {
        /// The observer.
        observer: TemplateId,
    },
}

/// A formula of linear temporal logic over conditions on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A condition on a state.
    Condition(Expr),
    /// A formula with one operand.
    Unary(UnaryTemporal, Box<Formula>),
    /// A formula with two operands.
    Binary(BinaryTemporal, Box<Formula>, Box<Formula>),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryTemporal {
    /// Not.
    Not,
    /// From now on.
    Always,
    /// Now or later.
    Eventually,
    /// In the next state.
    Next,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryTemporal {
    /// Both.
    And,
    /// Either.
    Or,
    /// The left implies the right.
    Implies,
    /// Both or neither.
    Equivalent,
    /// The left holds until the right does, and the right does at some time.
    Until,
    /// The left holds until the right does, or for ever.
    WeakUntil,
    /// The right holds until and including when the left does, or for ever.
    Release,
}
