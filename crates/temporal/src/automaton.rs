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

impl Transition {
    /// A transition that asserts nothing.
    #[must_use]
    pub fn new(guard: Guard, target: StateId) -> Self {
        Self {
            guard,
            asserts: false,
            target,
        }
    }
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

impl State {
    /// A state that is named by its number.
    #[must_use]
    pub fn numbered(number: usize, accepting: bool, transitions: Vec<Transition>) -> Self {
        let name = match accepting {
            true => format!("accept_S{number}"),
            false => format!("S{number}"),
        };
        Self {
            labels: vec![name.clone()],
            name,
            accepting,
            transitions,
        }
    }
}

/// A state-based Büchi automaton: it accepts a word if some run over it visits accepting states infinitely often.
///
/// A run starts in [`Automaton::INITIAL`]; a transition is taken for every state of the system, the first one
/// included, if its guard holds in that state. What the propositions of the guards are is a matter of who has the automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The states in the order in which Spin prints them; `accept_all`, where it is needed, is the last.
    pub states: Vec<State>,
    /// The state `accept_all`, where every continuation is accepted.
    pub accept_all: Option<StateId>,
}

impl Automaton {
    /// The initial state, which is the first in every automaton.
    pub const INITIAL: StateId = StateId(0);

    /// The automaton that accepts every run on which the guard always holds.
    #[must_use]
    pub fn always(guard: Guard) -> Self {
        let again = Transition::new(guard, Self::INITIAL);
        Self {
            states: vec![State::numbered(0, true, vec![again])],
            accept_all: None,
        }
    }

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

    /// The transitions of all states.
    pub fn transitions(&self) -> impl Iterator<Item = &Transition> {
        self.states.iter().flat_map(|state| &state.transitions)
    }

    /// The same automaton with every guard replaced.
    #[must_use]
    pub fn map_guards(mut self, mut map: impl FnMut(&Guard) -> Guard) -> Self {
        for state in &mut self.states {
            for transition in &mut state.transitions {
                transition.guard = map(&transition.guard);
            }
        }
        self
    }

    /// The automaton as a never claim in the syntax of Promela, with the given names of propositions.
    pub fn named<'a>(&'a self, names: &'a Names) -> impl fmt::Display + 'a {
        Named {
            automaton: self,
            names,
        }
    }
}

struct Named<'a> {
    automaton: &'a Automaton,
    names: &'a Names,
}

impl Named<'_> {
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
        let guard = transition.guard.named(self.names);
        if transition.asserts {
            return writeln!(f, "\t:: atomic {{ ({guard}) -> assert(!({guard})) }}");
        }
        let target = &self.automaton.state(transition.target).name;
        writeln!(f, "\t:: ({guard}) -> goto {target}")
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "never {{")?;
        for (number, state) in self.automaton.states.iter().enumerate() {
            if self.automaton.accept_all == Some(StateId(number)) {
                writeln!(f, "{}:\n\tskip", state.name)?;
            } else {
                self.write_state(f, state)?;
            }
        }
        writeln!(f, "}}")
    }
}
