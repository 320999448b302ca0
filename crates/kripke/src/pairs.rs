//! Numbers for the pairs of a node and a state of an automaton.
//!
//! An automaton of few states is met in most of them with most nodes, and numbers that are computed take no memory. Of an automaton of many states
//! most pairs are never met: there only those have numbers that a run comes to, so that time and memory go with the edges of the product
//! and not with the product of the numbers of states.

use crate::acceptor::{Acceptor, target};
use crate::error::KripkeError;
use crate::structure::Structure;
use mandala_temporal::Proposition;
use std::collections::HashMap;

/// Pairs have numbers below this, so that a bit is left to mark them.
const MOST_PAIRS: usize = 1 << 31;

/// An automaton with more states has many.
pub(crate) const FEW_STATES: usize = 64;

/// A node and the state in which the automaton reads it.
pub(crate) type Pair = (u32, u32);

/// Numbers for pairs.
#[derive(Debug)]
pub(crate) enum Pairs {
    /// For all of them, of an automaton with so many states.
    All { states: u32 },
    /// For those that runs from the starts come to.
    Met(Met),
}

/// The pairs that runs come to.
#[derive(Debug, Default)]
pub(crate) struct Met {
    pairs: Vec<Pair>,
    numbers: HashMap<Pair, u32>,
}

impl Pairs {
    /// # Errors
    /// When there are too many.
    pub(crate) fn of(structure: &Structure, acceptor: &Acceptor) -> Result<Pairs, KripkeError> {
        if acceptor.width() > FEW_STATES {
            return Met::of(structure, acceptor).map(Pairs::Met);
        }
        let states = acceptor.width() as u32;
        Ok(Pairs::All { states })
    }

    /// How many pairs with nodes of a graph have numbers, if they are few enough to be numbered.
    pub(crate) fn count(&self, structure: &Structure) -> Option<usize> {
        let count = match self {
            Pairs::All { states } => structure.nodes().checked_mul(*states as usize)?,
            Pairs::Met(met) => met.pairs.len(),
        };
        (count < MOST_PAIRS).then_some(count)
    }

    /// The number of a pair that has one.
    pub(crate) fn number(&self, (node, state): Pair) -> u32 {
        match self {
            Pairs::All { states } => node * states + state,
            Pairs::Met(met) => met.numbers[&(node, state)],
        }
    }

    /// The pair of a number.
    pub(crate) fn pair(&self, number: u32) -> Pair {
        match self {
            Pairs::All { states } => (number / states, number % states),
            Pairs::Met(met) => met.pairs[number as usize],
        }
    }
}

impl Met {
    fn of(structure: &Structure, acceptor: &Acceptor) -> Result<Met, KripkeError> {
        let mut met = Met::default();
        for &start in structure.starts() {
            met.add((start, acceptor.initial()))?;
        }
        let mut next = 0;
        while let Some(&(node, state)) = met.pairs.get(next) {
            next += 1;
            let holds = |it: Proposition| structure.holds(it.0 as u32, node);
            let transitions = acceptor.state(state).transitions.iter();
            for transition in transitions.filter(|it| it.guard.holds(&holds)) {
                let edges = structure.edges(node);
                // A node without edges repeats.
                let stays = edges.is_empty().then_some(node);
                for successor in edges.map(|edge| structure.target(edge)).chain(stays) {
                    met.add((successor, target(transition)))?;
                }
            }
        }
        Ok(met)
    }

    fn add(&mut self, pair: Pair) -> Result<(), KripkeError> {
        let next = self.pairs.len();
        if *self.numbers.entry(pair).or_insert(next as u32) as usize == next {
            self.pairs.push(pair);
        }
        match next < MOST_PAIRS {
            true => Ok(()),
            false => Err(KripkeError::TooLarge),
        }
    }
}
