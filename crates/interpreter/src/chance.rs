//! Exact numbers that depend on the state, and how likely each step is.

use crate::{Interpreter, Move};
use dashu_ratio::RBig;
use mandala_model::State;
use mandala_model::chance::{Alternative, Operation, Quantity, Stochastic};
use mandala_model::step::{Actor, Fault};
use mandala_model::template::Edge;
use std::collections::BTreeMap;
use std::fmt;

/// Why an exact number has no value, or steps have no probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChanceError {
    /// An expression in it has none.
    Fault(Fault),
    /// It is divided by 0.
    Division,
    /// The exponent of a power is no integer, or too large.
    Exponent,
    /// A probability or rate is negative.
    Negative {
        /// The step.
        step: String,
        /// The number.
        weight: RBig,
    },
    /// The probabilities of one alternative do not add up to 1.
    Sum {
        /// One of its steps.
        step: String,
        /// What they add up to.
        sum: RBig,
    },
}

impl fmt::Display for ChanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChanceError::Fault(_) => {
                f.write_str("a probability, rate or reward has no value in this state")
            }
            ChanceError::Division => f.write_str("a probability, rate or reward is divided by 0"),
            ChanceError::Exponent => {
                f.write_str("the exponent in a probability, rate or reward is no small integer")
            }
            ChanceError::Negative { step, weight } => {
                write!(
                    f,
                    "the probability or rate of `{step}` is {weight}, which is negative"
                )
            }
            ChanceError::Sum { step, sum } => {
                write!(
                    f,
                    "the probabilities of `{step}` and what else may come of it add up to {sum}, not to 1"
                )
            }
        }
    }
}

impl std::error::Error for ChanceError {}

/// The greatest exponent of a power.
const POWER: u64 = 100_000;

impl Interpreter<'_> {
    /// The value of a number in a state, as that process sees it.
    ///
    /// # Errors
    ///
    /// If it has none.
    pub fn quantity(
        &self,
        state: &State,
        process: Option<u32>,
        quantity: &Quantity,
    ) -> Result<RBig, ChanceError> {
        let of = |quantity: &Quantity| self.quantity(state, process, quantity);
        let value = |expr| {
            self.evaluate(state, process, expr)
                .map_err(ChanceError::Fault)
        };
        match quantity {
            Quantity::Constant(number) => Ok(number.clone()),
            Quantity::Value(expr) => Ok(RBig::from(value(expr)?)),
            Quantity::If(condition, first, second) => match value(condition)? {
                0 => of(second),
                _ => of(first),
            },
            Quantity::Operation(operation, left, right) => {
                calculated(*operation, of(left)?, of(right)?)
            }
            Quantity::Floor(inner) => Ok(RBig::from(of(inner)?.floor())),
            Quantity::Ceiling(inner) => Ok(RBig::from(of(inner)?.ceil())),
        }
    }

    /// How likely each of the moves from a state is, up to a common factor: its probability, or its rate. Several alternatives are equally likely, also those that
    /// are a choice. Where chance decides nothing, as of the states that runs start in, all moves are equally likely.
    ///
    /// # Errors
    ///
    /// If something has no value, is negative, or adds up to another sum than 1.
    pub fn likelihoods(&self, state: &State, moves: &[Move]) -> Result<Vec<RBig>, ChanceError> {
        let mut sums: BTreeMap<Alternative, (RBig, &Edge)> = BTreeMap::new();
        let mut weights = Vec::new();
        for taken in moves {
            let id = taken.label.edge;
            let edge = &self.model().template(id.template).edges[id.index as usize];
            let Some(outcome) = &edge.outcome else {
                weights.push(RBig::ONE);
                continue;
            };
            let process = match taken.label.actor {
                Actor::Process(number) => Some(number),
                _ => None,
            };
            let weight = self.quantity(state, process, &outcome.weight)?;
            if weight < RBig::ZERO {
                let step = edge.text.clone();
                return Err(ChanceError::Negative { step, weight });
            }
            let sum = sums
                .entry(outcome.alternative)
                .or_insert((RBig::ZERO, edge));
            sum.0 += &weight;
            weights.push(weight);
        }
        if self.model().stochastic == Some(Stochastic::Ctmc) {
            return Ok(weights);
        }
        match sums.into_values().find(|(sum, _)| *sum != RBig::ONE) {
            Some((sum, edge)) => Err(ChanceError::Sum {
                step: edge.text.clone(),
                sum,
            }),
            None => Ok(weights),
        }
    }
}

fn calculated(operation: Operation, left: RBig, right: RBig) -> Result<RBig, ChanceError> {
    match operation {
        Operation::Add => Ok(left + right),
        Operation::Subtract => Ok(left - right),
        Operation::Multiply => Ok(left * right),
        Operation::Divide if right == RBig::ZERO => Err(ChanceError::Division),
        Operation::Divide => Ok(left / right),
        Operation::Min => Ok(left.min(right)),
        Operation::Max => Ok(left.max(right)),
        Operation::Power => power(left, &right),
    }
}

fn power(base: RBig, exponent: &RBig) -> Result<RBig, ChanceError> {
    let whole = exponent.floor();
    if RBig::from(whole.clone()) != *exponent {
        return Err(ChanceError::Exponent);
    }
    let exponent = i64::try_from(whole).map_err(|_| ChanceError::Exponent)?;
    let base = match (exponent < 0, base == RBig::ZERO) {
        (true, true) => return Err(ChanceError::Division),
        (true, false) => RBig::ONE / base,
        (false, _) => base,
    };
    match exponent.unsigned_abs() {
        count if count <= POWER => Ok(base.pow(count as isize)),
        _ => Err(ChanceError::Exponent),
    }
}
