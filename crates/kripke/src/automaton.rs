//! Büchi automata that read the propositions of nodes.

use crate::error::KripkeError;
use crate::structure::Structure;

/// When the automaton and the node that it is about to read count as accepting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepting {
    /// Never.
    Never,
    /// Always.
    Always,
    /// When a proposition holds in the node.
    Where(u32),
}

/// A move of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The proposition that has to hold in the node that is read, if any.
    pub guard: Option<u32>,
    /// The next state.
    pub target: u32,
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonState {
    /// When it is accepting.
    pub accepting: Accepting,
    /// How it can go on. A run on which it cannot go on is not accepted.
    pub choices: Vec<Choice>,
}

/// A Büchi automaton: it accepts a run if it can read it so that accepting states come up for ever.
#[derive(Clone, Debug)]
pub struct Automaton {
    states: Vec<AutomatonState>,
    initial: u32,
}

impl Automaton {
    /// An automaton.
    ///
    /// # Errors
    /// When a state is not in the list.
    pub fn new(states: Vec<AutomatonState>, initial: u32) -> Result<Automaton, KripkeError> {
        let targets = states.iter().flat_map(|state| &state.choices);
        let mut all = targets.map(|choice| choice.target).chain([initial]);
        match all.find(|state| *state as usize >= states.len()) {
            Some(unknown) => Err(KripkeError::UnknownState(unknown)),
            None => Ok(Automaton { states, initial }),
        }
    }

    /// The automaton that accepts every run on which accepting nodes come up for ever.
    #[must_use]
    pub fn visiting(accepting: Accepting) -> Automaton {
        let again = Choice {
            guard: None,
            target: 0,
        };
        let state = AutomatonState {
            accepting,
            choices: vec![again],
        };
        Automaton {
            states: vec![state],
            initial: 0,
        }
    }

    /// The state in which it starts.
    #[must_use]
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// All states.
    #[must_use]
    pub fn states(&self) -> &[AutomatonState] {
        &self.states
    }

    /// Whether the structure has all propositions that it reads.
    pub(crate) fn verify(&self, structure: &Structure) -> Result<(), KripkeError> {
        self.states.iter().try_for_each(|state| {
            if let Accepting::Where(proposition) = state.accepting {
                structure.knows(proposition)?;
            }
            let mut guards = state.choices.iter().filter_map(|choice| choice.guard);
            guards.try_for_each(|guard| structure.knows(guard))
        })
    }
}
