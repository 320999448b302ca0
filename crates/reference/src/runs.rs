//! Every configuration of a model and every single step between them, with its actor and the actors that could move.
//!
//! Nothing is passed through here: the steps inside of atomic sequences and those of the claim are steps like all others. So a run of
//! this graph is a run of the model and nothing has to be argued about.

use mandala_evidence::lasso::{Party, is_accepting, parties};
use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::step::Turn;
use std::collections::{BTreeSet, HashMap};

/// A configuration, and what is known of it.
pub(super) struct Place {
    configuration: Configuration,
    /// Whether a search remembers it when it is met in this way.
    pub remembered: bool,
    parent: Option<usize>,
    pub accepting: bool,
    /// Who begins a step, where that is asked: not inside of atomic sequences, and not while the claim moves.
    pub able: Option<BTreeSet<Party>>,
    pub steps: Vec<Step>,
}

/// A step to another place.
pub(super) struct Step {
    pub to: usize,
    /// Who takes part.
    pub acting: Vec<Party>,
    /// Whether it is no step at all: nothing can happen any more, so the same state comes again.
    pub stands: bool,
}

/// All runs of a model.
pub(super) struct Runs {
    pub places: Vec<Place>,
}

/// Looks for all places, until it is told that time is up; then there is nothing.
pub(super) fn explore(
    interpreter: &Interpreter<'_>,
    per_action: bool,
    is_late: &dyn Fn() -> bool,
) -> Option<Runs> {
    let mut exploring = Exploring {
        interpreter,
        per_action,
        places: Vec::new(),
        index: HashMap::new(),
    };
    if let Ok(start) = interpreter.start() {
        exploring.place(start, !interpreter.model().start_held, None);
    }
    let mut current = 0;
    while current < exploring.places.len() {
        if is_late() {
            return None;
        }
        exploring.expand(current);
        current += 1;
    }
    Some(Runs {
        places: exploring.places,
    })
}

impl Runs {
    /// Those alone on which something happens for ever: what stands still has come to its end.
    pub(crate) fn without_ends(mut self) -> Self {
        let ended = |place: &&mut Place| place.configuration.turn == Turn::Stutter;
        let ended = self.places.iter_mut().filter(ended);
        ended.for_each(|place| place.steps.clear());
        self
    }
}

struct Exploring<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    per_action: bool,
    places: Vec<Place>,
    index: HashMap<(Configuration, bool), usize>,
}

impl Exploring<'_, '_> {
    /// The number of a place, which is a new one if it has not been met.
    fn place(
        &mut self,
        configuration: Configuration,
        remembered: bool,
        parent: Option<usize>,
    ) -> usize {
        let key = (configuration.clone(), remembered);
        if let Some(&known) = self.index.get(&key) {
            return known;
        }
        let held = matches!(configuration.turn, Turn::Held(_));
        self.places.push(Place {
            accepting: !held && is_accepting(self.interpreter, &configuration.state),
            configuration,
            remembered,
            parent,
            able: None,
            steps: Vec::new(),
        });
        self.index.insert(key, self.places.len() - 1);
        self.places.len() - 1
    }

    fn expand(&mut self, current: usize) {
        let from = self.places[current].configuration.clone();
        let moves = self.interpreter.moves(&from);
        self.places[current].able = self.able(from.turn, &moves);
        let ended = !moves.iter().any(Move::counts) && from.state.claim.is_none();
        for made in moves {
            let acting = parties(&made.label, self.per_action).collect();
            if let Some(next) = made.next {
                let to = self.place(next, made.remembered, Some(current));
                self.step(current, to, acting);
            }
        }
        if ended {
            self.places[current].steps.push(Step {
                to: current,
                acting: Vec::new(),
                stands: true,
            });
        }
    }

    fn step(&mut self, from: usize, to: usize, acting: Vec<Party>) {
        self.places[from].steps.push(Step {
            to,
            acting,
            stands: false,
        });
    }

    /// Who begins one of those moves, if it is a place where that is asked.
    fn able(&self, turn: Turn, moves: &[Move]) -> Option<BTreeSet<Party>> {
        let begins = |made: &Move| match made.counts() {
            true => parties(&made.label, self.per_action).next(),
            false => None,
        };
        match turn {
            Turn::Free => Some(moves.iter().filter_map(begins).collect()),
            Turn::Stutter => Some(BTreeSet::new()),
            Turn::Claim | Turn::Held(_) => None,
        }
    }
}

impl Runs {
    /// The remembered states on the way to a place, with its own.
    pub(crate) fn path(&self, to: usize) -> Vec<State> {
        let way = std::iter::successors(Some(to), |&at| self.places[at].parent);
        let remembered = way.filter(|&at| self.places[at].remembered);
        let mut path: Vec<State> = remembered.map(|at| self.state(at)).collect();
        path.reverse();
        path
    }

    /// The state of a place.
    pub(crate) fn state(&self, place: usize) -> State {
        self.places[place].configuration.state.clone()
    }
}
