//! Replay inside the engine: stored states are expanded once more, to find out how a state was reached and which violation is there.

use crate::outcome::Visit;
use crate::shared::Shared;
use crate::states::Access;
use mandala_encoding::{Arrival, Sink, Stepper};
use mandala_model::step::{Turn, Violation};
use mandala_reduce::Reducer;
use mandala_store::{StateRef, Tree};
use mandala_symmetry::Renaming;

/// Which successors of a state are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Only those of its ample set.
    pub ample: bool,
    /// Only the first one of each orbit of moves that twins have in common.
    pub once: bool,
}

/// What is needed to expand stored states again.
pub(crate) struct Replay<'a, 's, 'p, R> {
    pub shared: &'s Shared<'p>,
    /// Not that of a worker: what is done again is not counted again.
    pub stepper: Stepper<'p>,
    pub reducer: &'a mut R,
    pub access: Access<'s>,
    pub tree: Tree,
}

impl<'a, 's, 'p, R: Reducer> Replay<'a, 's, 'p, R> {
    pub(crate) fn new(shared: &'s Shared<'p>, reducer: &'a mut R) -> Self {
        Replay {
            shared,
            stepper: shared.stepper(),
            reducer,
            access: shared.states.access(),
            tree: Tree::default(),
        }
    }

    /// The packed form of a state.
    pub(crate) fn packed(&mut self, state: StateRef) -> Vec<u8> {
        self.access.load(state, &mut self.tree);
        self.tree.bytes().to_vec()
    }

    /// How the states of a path from the start were met.
    pub(crate) fn visits(&mut self, path: &[StateRef]) -> Vec<Visit> {
        let first = path.first().and_then(|state| self.start(*state));
        let steps = path.windows(2).map(|pair| self.step(pair[0], pair[1]));
        // A path is made of steps that were taken before, so all of them are found again; the
        // replay of a shorter path would notice that it does not lead to the violation.
        let steps: Vec<_> = steps.map_while(|visit| visit).collect();
        first.into_iter().chain(steps).collect()
    }

    /// How the start was met.
    pub(crate) fn start(&mut self, wanted: StateRef) -> Option<Visit> {
        let wanted = self.packed(wanted);
        let mut search = Wanted::new(&wanted, self.is_renamed(), self.reducer);
        self.stepper.start(&mut search).ok()?;
        search.found
    }

    /// How the state was met that is told at that place among the successors of a state, all or some of them.
    pub(crate) fn nth_step(
        &mut self,
        from: StateRef,
        selection: Selection,
        nth: usize,
    ) -> Option<Visit> {
        self.access.load(from, &mut self.tree);
        let turn = self.shared.states.turn(from);
        let packed = self.tree.bytes();
        if selection.once {
            self.reducer.find_twins(packed, &mut self.stepper);
        }
        let mut search = Nth {
            left: nth,
            reducer: self.reducer,
            found: None,
        };
        // It has been told before, so nothing is in the way of it.
        let _ = match selection.ample {
            false => self.stepper.expand(packed, turn, &mut search),
            true => {
                let expanded = self.stepper.expand_ample(packed, turn, &mut search);
                expanded.map(|_| ())
            }
        };
        self.stepper.twins().clear();
        search.found
    }

    /// How a state was met from another one, if it was.
    fn step(&mut self, from: StateRef, wanted: StateRef) -> Option<Visit> {
        let wanted = self.packed(wanted);
        self.access.load(from, &mut self.tree);
        self.lead(from, &wanted)
    }

    /// Whether there is a step to a state from the one that is loaded.
    pub(crate) fn leads(&mut self, from: (StateRef, &[u8]), wanted: &[u8]) -> bool {
        let turn = self.shared.states.turn(from.0);
        let mut search = Wanted::new(wanted, self.is_renamed(), self.reducer);
        // A successor that is too large is not the wanted one. Nothing is to be watched: all these
        // states have been expanded before.
        let _ = self.stepper.expand(from.1, turn, &mut search);
        search.found.is_some()
    }

    fn lead(&mut self, from: StateRef, wanted: &[u8]) -> Option<Visit> {
        let turn = self.shared.states.turn(from);
        let mut search = Wanted::new(wanted, self.is_renamed(), self.reducer);
        let _ = self.stepper.expand(self.tree.bytes(), turn, &mut search);
        search.found
    }

    /// Whether the states that are expanded are representatives.
    fn is_renamed(&self) -> bool {
        self.shared.states.originals.is_none()
    }

    /// Gives the start a depth; returns it.
    pub(crate) fn date_start(&mut self, tag: u8) -> Vec<StateRef> {
        let mut dating = Dating::new(&mut self.access, self.reducer, tag);
        // Where there is a way back there is a start.
        let _ = self.stepper.start(&mut dating);
        dating.found
    }

    /// Gives a depth to all successors of some states that have none; returns those.
    pub(crate) fn date_successors(&mut self, states: &[StateRef], tag: u8) -> Vec<StateRef> {
        let mut found = Vec::new();
        for &state in states {
            self.access.load(state, &mut self.tree);
            let turn = self.shared.states.turn(state);
            let mut dating = Dating::new(&mut self.access, self.reducer, tag);
            let _ = self.stepper.expand(self.tree.bytes(), turn, &mut dating);
            found.append(&mut dating.found);
        }
        found
    }

    /// The violation of that number that is told for a state; without a state, for the start.
    pub(crate) fn violation(&mut self, state: Option<StateRef>, nth: usize) -> Option<Violation> {
        let mut wrong = Wrong {
            nth,
            told: Vec::new(),
        };
        match state {
            None => {
                let _ = self.stepper.start(&mut wrong);
            }
            Some(state) => {
                self.access.load(state, &mut self.tree);
                let turn = self.shared.states.turn(state);
                let _ = self.stepper.expand(self.tree.bytes(), turn, &mut wrong);
            }
        }
        wrong.told.into_iter().nth(nth)
    }
}

/// Looks for one state among the successors of another.
struct Wanted<'a, R> {
    packed: &'a [u8],
    /// Whether it is a representative. If not, it was met as it is.
    renamed: bool,
    reducer: &'a mut R,
    found: Option<Visit>,
}

impl<'a, R: Reducer> Wanted<'a, R> {
    fn new(packed: &'a [u8], renamed: bool, reducer: &'a mut R) -> Self {
        Wanted {
            packed,
            renamed,
            reducer,
            found: None,
        }
    }

    /// The renaming that makes the arrival the wanted state, if there is one.
    #[inline]
    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        if !self.renamed {
            let met = arrival.packed() == self.packed;
            return met.then(Renaming::identity);
        }
        let representative = self.reducer.representative(arrival).ok()?;
        let met = representative.packed == self.packed;
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

/// Waits for the successor of some number.
struct Nth<'a, R> {
    /// How many come before it.
    left: usize,
    reducer: &'a mut R,
    found: Option<Visit>,
}

impl<R: Reducer> Sink for Nth<'_, R> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        if self.found.is_some() {
            return;
        }
        if self.left > 0 {
            self.left -= 1;
            return;
        }
        let program = arrival.program();
        let state = program.decode(arrival.packed());
        let witness = self.reducer.witness(arrival);
        self.found = state
            .zip(witness)
            .map(|(state, witness)| Visit { state, witness });
    }

    fn violation(&mut self, _: Violation) {}
}

/// The handle under which an arrival is stored.
fn name<R: Reducer>(
    access: &mut Access<'_>,
    reducer: &mut R,
    arrival: &mut Arrival<'_, '_>,
) -> Option<StateRef> {
    match &mut access.originals {
        Some(originals) => originals.find(arrival.packed()),
        None => {
            let representative = reducer.representative(arrival).ok()?;
            access.visited.find(representative.packed)
        }
    }
}

/// Gives depths to states that have none.
struct Dating<'a, 's, R> {
    access: &'a mut Access<'s>,
    reducer: &'a mut R,
    tag: u8,
    found: Vec<StateRef>,
}

impl<'a, 's, R: Reducer> Dating<'a, 's, R> {
    fn new(access: &'a mut Access<'s>, reducer: &'a mut R, tag: u8) -> Self {
        Dating {
            access,
            reducer,
            tag,
            found: Vec::new(),
        }
    }

    /// Gives a depth to a state that is in the store; gives its name if it had none.
    fn date(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<StateRef> {
        let state = name(self.access, self.reducer, arrival)?;
        let access = &mut self.access;
        let session = access.originals.as_mut().unwrap_or(&mut access.visited);
        session.date(state, self.tag).then_some(state)
    }
}

impl<R: Reducer> Sink for Dating<'_, '_, R> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        let state = self.date(arrival);
        self.found.extend(state);
    }

    fn violation(&mut self, _: Violation) {}
}

/// Waits for one violation.
struct Wrong {
    nth: usize,
    told: Vec<Violation>,
}

impl Sink for Wrong {
    fn successor(&mut self, _: &mut Arrival<'_, '_>, _: Turn) {}

    fn violation(&mut self, violation: Violation) {
        self.told.push(violation);
    }

    fn keep_going(&mut self, _: usize) -> bool {
        self.told.len() <= self.nth
    }
}
