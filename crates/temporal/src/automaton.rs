//! Büchi automata as the translation delivers them.

use std::fmt;

use crate::formula::Names;
use crate::guard::Guard;

/// The place of a state in [`Automaton::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub usize);

/// A transition of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// What has to hold in the present state of the system.
    pub guard: Guard,
    /// Whether the transition leads to the state `accept_all`, from which every continuation is accepted. The fate of
    /// the run is settled here, so Spin writes the transition as a failing assertion:
    /// `atomic { (guard) -> assert(!(guard)) }`.
    pub asserts: bool,
    /// Where the transition leads.
    pub target: StateId,
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The name by which transitions refer to the state.
    pub name: String,
    /// All labels of the state as Spin prints them, the name among them.
    pub labels: Vec<String>,
    /// Whether a run that visits this state infinitely often is accepted.
    pub accepting: bool,
    /// The transitions in Spin's order. Without any, the automaton is stuck here.
    pub transitions: Vec<Transition>,
}

/// A Büchi automaton: it accepts a word if some run over it visits accepting states infinitely often.
///
/// A run starts in [`Automaton::INITIAL`]; a transition is taken for every state of the system, the first one
/// included, if its guard holds in that state. Displayed, the automaton is a never claim in the syntax of Promela.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The states in the order in which Spin prints them; `accept_all`, where it is needed, is the last.
    pub states: Vec<State>,
    /// How the propositions of the guards are spelled.
    pub names: Names,
    /// The state `accept_all`, where every continuation is accepted.
    pub accept_all: Option<StateId>,
}

impl Automaton {
    /// The initial state, which is the first in every automaton.
    pub const INITIAL: StateId = StateId(0);

    /// The state with the given number.
    #[must_use]
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.0]
    }

    /// Where Spin's verifier goes on after a transition.
    ///
    /// An [asserting](Transition::asserts) transition has reported a violation by then. If the search goes on
    /// nevertheless, it goes on in the state in which the transition began: `accept_all` is never entered.
    #[must_use]
    pub fn resume(&self, from: StateId, transition: &Transition) -> StateId {
        if transition.asserts {
            from
        } else {
            transition.target
        }
    }

    /// The same automaton with every guard replaced, over propositions with other names.
    #[must_use]
    pub fn map_guards(&self, names: Names, map: impl Fn(&Guard) -> Guard) -> Self {
        let mut mapped = Self {
            names,
            ..self.clone()
        };
        for state in &mut mapped.states {
            for transition in &mut state.transitions {
                transition.guard = map(&transition.guard);
            }
        }
        mapped
    }

    fn write_state(&self, f: &mut fmt::Formatter<'_>, state: &State) -> fmt::Result {
        for label in &state.labels {
            writeln!(f, "{label}:")?;
        }
        writeln!(f, "\tdo")?;
        for transition in &state.transitions {
            self.write_transition(f, transition)?;
        }
        if state.transitions.is_empty() {
            writeln!(f, "\t:: false")?;
        }
        writeln!(f, "\tod;")
    }

    fn write_transition(&self, f: &mut fmt::Formatter<'_>, transition: &Transition) -> fmt::Result {
        let guard = transition.guard.named(&self.names);
        if transition.asserts {
            return writeln!(f, "\t:: atomic {{ ({guard}) -> assert(!({guard})) }}");
        }
        let target = &self.state(transition.target).name;
        writeln!(f, "\t:: ({guard}) -> goto {target}")
    }
}

impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "never {{")?;
        for (number, state) in self.states.iter().enumerate() {
            if self.accept_all == Some(StateId(number)) {
                writeln!(f, "{}:\n\tskip", state.name)?;
            } else {
                self.write_state(f, state)?;
            }
        }
        writeln!(f, "}}")
    }
}
