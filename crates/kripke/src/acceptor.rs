//! Büchi automata that read the propositions of nodes.

use crate::error::KripkeError;
use mandala_temporal::{Automaton, Guard, Literal, Proposition, State, Transition};
use std::sync::Arc;

/// An automaton as a reader of graphs: its propositions are those of the nodes, by number.
///
/// It may be told to count a visit of an accepting state only at nodes where a proposition holds.
#[derive(Clone, Debug)]
pub struct Acceptor {
    automaton: Arc<Automaton>,
    /// One more than the largest number of a proposition in a guard.
    propositions: usize,
    marked: Option<Proposition>,
}

impl Acceptor {
    /// The reader that an automaton is.
    ///
    /// # Errors
    /// When a transition leads to no state of it, or it has none.
    pub fn new(automaton: Arc<Automaton>) -> Result<Acceptor, KripkeError> {
        let count = automaton.states.len();
        let targets = automaton.transitions().map(|transition| transition.target);
        let unknown = targets
            .chain([Automaton::INITIAL])
            .find(|state| state.0 >= count);
        if let Some(unknown) = unknown {
            return Err(KripkeError::UnknownState(number(unknown.0)));
        }
        let mut propositions = 0;
        let mut see = |literal: Literal| propositions = propositions.max(literal.proposition.0 + 1);
        for transition in automaton.transitions() {
            transition.guard.each_literal(&mut see);
        }
        Ok(Acceptor {
            automaton,
            propositions,
            marked: None,
        })
    }

    /// The reader that accepts every run on which the guard always holds.
    #[must_use]
    pub fn always(guard: Guard) -> Acceptor {
        let automaton = Arc::new(Automaton::always(guard));
        Acceptor::new(automaton).expect("its only transition leads to its only state")
    }

    /// The same, but accepting states count only where a proposition holds.
    #[must_use]
    pub fn where_marked(self, marked: Proposition) -> Acceptor {
        Acceptor {
            marked: Some(marked),
            ..self
        }
    }

    /// The number of states.
    #[must_use]
    pub fn width(&self) -> usize {
        self.automaton.states.len()
    }

    /// The state of that number.
    #[must_use]
    pub fn state(&self, number: u32) -> &State {
        &self.automaton.states[number as usize]
    }

    /// The state in which it starts.
    #[must_use]
    pub fn initial(&self) -> u32 {
        Automaton::INITIAL.0 as u32
    }

    /// The most transitions that a state has.
    #[must_use]
    pub fn degree(&self) -> usize {
        let states = self.automaton.states.iter();
        let degrees = states.map(|state| state.transitions.len());
        degrees.max().unwrap_or(0)
    }

    /// Whether it is accepting when it is about to read a node in that state, given which propositions hold in the node.
    pub fn is_accepting(&self, state: u32, node: impl Fn(Proposition) -> bool) -> bool {
        self.state(state).accepting && self.marked.is_none_or(node)
    }

    /// Whether so many propositions are enough.
    pub(crate) fn require(&self, propositions: usize) -> Result<(), KripkeError> {
        let marked = self.marked.map_or(0, |marked| marked.0 + 1);
        let needed = self.propositions.max(marked);
        match needed <= propositions {
            true => Ok(()),
            false => Err(KripkeError::UnknownProposition(number(needed - 1))),
        }
    }
}

/// A number for a message.
fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The number of the state that a transition leads to.
pub(crate) fn target(transition: &Transition) -> u32 {
    transition.target.0 as u32
}
