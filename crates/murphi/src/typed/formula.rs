//! Properties of runs, with types.

use super::{Binding, Expr, QuantifierKind};
use mandala_formulas::prefix::Logic;
use mandala_model::property::{BinaryTemporal, Runs, UnaryTemporal};
use mandala_model::source::Span;
use mandala_temporal::Hoa;

/// A claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// What is claimed.
    pub kind: ClaimKind,
    /// Where it stands.
    pub span: Span,
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq)]
pub enum ClaimKind {
    /// A formula of that logic holds.
    Formula(Logic, Formula),
    /// No run is followed by the automaton, whose propositions are these conditions.
    Automaton(Box<Hoa>, Vec<Expr>),
}

/// A formula of temporal logic.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// What it is.
    pub kind: FormulaKind,
    /// Where it stands.
    pub span: Span,
}

/// What a formula is.
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaKind {
    /// A condition on a state, as large as it can be.
    Condition(Expr),
    /// An operator before a formula.
    Unary(UnaryTemporal, Box<Formula>),
    /// An operator between two formulas.
    Binary(BinaryTemporal, Box<Formula>, Box<Formula>),
    /// `A` or `E` before what is said of runs.
    InRuns(Runs, Box<Formula>),
    /// The formula for all values, or for some. They are known before the model runs.
    Quantified(QuantifierKind, Box<Binding>, Box<Formula>),
}
