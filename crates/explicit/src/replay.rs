//! Expanding remembered states once more, to find out how a state was reached.

use crate::outcome::Visit;
use crate::reducer::Reducer;
use crate::states::States;
use mandala_encoding::{Arrival, Sink, Stepper};
use mandala_model::step::{Turn, Violation};
use mandala_store::{Mark, StateId};
use mandala_symmetry::Renaming;

/// What is needed to expand remembered states again.
pub(crate) struct Replay<'s, 'p, R> {
    pub stepper: &'s mut Stepper<'p>,
    pub reducer: &'s mut R,
    pub states: &'s States,
}

impl<R: Reducer> Replay<'_, '_, R> {
    /// The first state inserted between two moments from which a step leads to `wanted`.
    pub fn predecessor(&mut self, from: &Mark, to: &Mark, wanted: StateId) -> Option<StateId> {
        let states = self.states;
        let mut level = states.visited.between(from, to);
        level.find(|&id| self.step(id, wanted).is_some())
    }

    /// How the states of a path from the start were met.
    pub fn visits(&mut self, path: &[StateId]) -> Vec<Visit> {
        let first = path.first().and_then(|id| self.start(*id));
        let steps = path.windows(2).map(|pair| self.step(pair[0], pair[1]));
        // A path is made of steps that were taken before, so all of them are found again; whoever
        // gets a shorter path will notice that it does not lead to the violation.
        let steps: Vec<_> = steps.map_while(|visit| visit).collect();
        first.into_iter().chain(steps).collect()
    }

    /// How the start was met.
    fn start(&mut self, wanted: StateId) -> Option<Visit> {
        let mut search = Wanted::new(self.states, self.reducer, wanted);
        self.stepper.start(&mut search).ok()?;
        search.found
    }

    /// How a state was met from another one, if it was.
    fn step(&mut self, from: StateId, wanted: StateId) -> Option<Visit> {
        let mut search = Wanted::new(self.states, self.reducer, wanted);
        let (packed, turn) = (self.states.expanded(from), self.states.turn(from));
        // A successor that is too large is not the wanted one. Nothing is to be watched: all these
        // states have been expanded before.
        let _ = self.stepper.expand(packed, turn, &mut search);
        search.found
    }
}

/// Looks for one state among the successors of others.
struct Wanted<'a, R> {
    states: &'a States,
    reducer: &'a mut R,
    id: StateId,
    found: Option<Visit>,
}

impl<'a, R: Reducer> Wanted<'a, R> {
    fn new(states: &'a States, reducer: &'a mut R, id: StateId) -> Self {
        Wanted {
            states,
            reducer,
            id,
            found: None,
        }
    }

    /// The renaming that makes the arrival the wanted state, if there is one. Where originals are expanded, the
    /// wanted state was met as it is.
    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        if let Some(originals) = &self.states.originals {
            let met = arrival.packed() == originals.get(self.id);
            return met.then(Renaming::identity);
        }
        let representative = self.reducer.representative(arrival).ok()?;
        let met = representative.packed == self.states.visited.get(self.id);
        met.then(|| self.reducer.witness(arrival)).flatten()
    }
}

impl<R: Reducer> Sink for Wanted<'_, R> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        if self.found.is_some() {
            return;
        }
        let Some(witness) = self.witness(arrival) else {
            return;
        };
        let program = arrival.program();
        let state = program.decode(arrival.packed());
        self.found = state.map(|state| Visit { state, witness });
    }

    fn violation(&mut self, _: Violation) {}
}
