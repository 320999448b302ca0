//! What a model leaves to chance: distributions over edges, rates, and rewards.
//!
//! # What an edge with chance means
//!
//! Edges of one location that belong to one [`Alternative`] are its *outcomes*. All of them can be taken in the same states; in each of these the weights say how likely each one is. In a
//! model of discrete time the weights of an alternative are probabilities, none negative, which add up to 1 exactly. Where several alternatives can be taken, whoever resolves the choice takes one
//! ([`Stochastic::Mdp`]), or chance takes each with the same probability ([`Stochastic::Dtmc`]). In a model of continuous time ([`Stochastic::Ctmc`]) weights are rates.
//!
//! The guard of an outcome is false where its weight is 0: whoever makes the model puts that into the guard. So an engine that knows nothing of chance takes every
//! outcome as a step that is possible, and what can be reached is the same. Edges without an outcome are no choice of the running system: they lead to the states that runs start in
//! ([a start that is held](crate::model::UncheckedModel::start_held)), or report what is wrong with the model.
//!
//! A state in which no edge can be taken stays as it is.

use crate::expr::Expr;
use crate::source::Span;
use dashu_ratio::RBig;

/// How chance and choice are mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stochastic {
    /// A Markov chain of discrete time.
    Dtmc,
    /// A Markov chain of continuous time.
    Ctmc,
    /// A Markov decision process.
    Mdp,
}

/// Which choice an edge is an outcome of, and how likely it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The alternative, among those of the template.
    pub alternative: Alternative,
    /// Its weight, where it can be taken.
    pub weight: Quantity,
    /// The action, for people, for rewards of steps, and for properties that see it; none if it has no name.
    pub action: Option<String>,
}

/// The number of an alternative in its template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alternative(pub u32);

/// An exact number that depends on the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// That number.
    Constant(RBig),
    /// The value of an expression over numbers.
    Value(Expr),
    /// The first where the condition is true, and else the second.
    If(Box<Expr>, Box<Quantity>, Box<Quantity>),
    /// The result of an operation.
    Operation(Operation, Box<Quantity>, Box<Quantity>),
    /// The greatest integer that is not greater.
    Floor(Box<Quantity>),
    /// The least integer that is not less.
    Ceiling(Box<Quantity>),
}

/// An operation on exact numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient; by 0 it is an error.
    Divide,
    /// The lesser.
    Min,
    /// The greater.
    Max,
    /// A power; the exponent must be an integer.
    Power,
}

/// A structure of rewards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewards {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What being in a state earns: for a step of discrete time, or for each unit of time.
    pub states: Vec<StateReward>,
    /// What steps earn.
    pub steps: Vec<StepReward>,
    /// Where it is declared.
    pub span: Span,
}

/// What being in a state earns. All that apply are added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateReward {
    /// Where.
    pub guard: Expr,
    /// How much.
    pub amount: Quantity,
    /// Where it stands.
    pub span: Span,
}

/// What a step earns. All that apply are added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReward {
    /// The action; steps without a name if none.
    pub action: Option<String>,
    /// In which states before the step.
    pub guard: Expr,
    /// How much.
    pub amount: Quantity,
    /// Where it stands.
    pub span: Span,
}

impl Quantity {
    /// An integer.
    pub fn integer(value: i64) -> Self {
        Quantity::Constant(RBig::from(value))
    }

    /// The number, if it depends on nothing.
    pub fn as_constant(&self) -> Option<&RBig> {
        match self {
            Quantity::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Calls `visit` on every outermost expression that it is made of.
    pub fn each_whole<'q>(&'q self, visit: &mut dyn FnMut(&'q Expr)) {
        match self {
            Quantity::Constant(_) => {}
            Quantity::Value(value) => visit(value),
            Quantity::If(condition, first, second) => {
                visit(condition);
                first.each_whole(visit);
                second.each_whole(visit);
            }
            Quantity::Operation(_, left, right) => {
                left.each_whole(visit);
                right.each_whole(visit);
            }
            Quantity::Floor(inner) | Quantity::Ceiling(inner) => inner.each_whole(visit),
        }
    }

    /// The same, to change them.
    pub fn each_whole_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Quantity::Constant(_) => {}
            Quantity::Value(value) => visit(value),
            Quantity::If(condition, first, second) => {
                visit(condition);
                first.each_whole_mut(visit);
                second.each_whole_mut(visit);
            }
            Quantity::Operation(_, left, right) => {
                left.each_whole_mut(visit);
                right.each_whole_mut(visit);
            }
            Quantity::Floor(inner) | Quantity::Ceiling(inner) => inner.each_whole_mut(visit),
        }
    }
}

impl Rewards {
    /// Calls `visit` on every outermost expression that it is made of.
    pub fn each_whole<'q>(&'q self, visit: &mut dyn FnMut(&'q Expr)) {
        for item in &self.states {
            visit(&item.guard);
            item.amount.each_whole(visit);
        }
        for item in &self.steps {
            visit(&item.guard);
            item.amount.each_whole(visit);
        }
    }

    /// The same, to change them.
    pub fn each_whole_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        for item in &mut self.states {
            visit(&mut item.guard);
            item.amount.each_whole_mut(visit);
        }
        for item in &mut self.steps {
            visit(&mut item.guard);
            item.amount.each_whole_mut(visit);
        }
    }
}
