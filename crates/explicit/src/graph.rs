//! The graph of all states, written down once they are known, to decide what infinite runs do.
//!
//! # The algorithm
//!
//! Once a search has seen everything, its states are visited once more, breadth first and by one worker, and now the steps between them
//! are written down as a [`Structure`]: a node for each remembered state, an edge for each step, in the order in which the stepper
//! tells them. An edge says who takes part in the step, whose step it is (so that one is known to be able to move) and how the processes of
//! the state that was met are called in the one that represents it. `mandala_kripke` decides the rest.
//!
//! A part of the graph proves nothing: a step that is missing may be part of the cycle. So this is done only after a complete
//! search with an exact store in which nothing went wrong, and it is done wholly or not at all.
//!
//! # Who can move
//!
//! A process can move in a state if it begins a step there: alone, or as the sender at a rendezvous. Who waits for a sender cannot move
//! by itself. This is Spin's notion.
//!
//! # Runs that end
//!
//! With a claim the stepper tells that the system stands still; a node without edges is one where the claim cannot go on, and no
//! run is left to be followed. Without a claim, a state that nothing follows repeats for ever.

use crate::options::Whom;
use crate::outcome::{Limit, Visit};
use crate::reducer::Reducer;
use crate::replay::{Replay, name};
use crate::states::Access;
use crate::watch::Overseer;
use mandala_encoding::{Arrival, Program, Sink};
use mandala_kripke::{
    Accepting, Actor, Automaton, AutomatonState, Choice, Fairness, KripkeError, Label, Lasso,
    Length, Move, Structure, StructureBuilder, find_lasso,
};
use mandala_model::step::{Turn, Violation};
use mandala_store::StateRef;
use std::collections::HashMap;

/// How many states are visited between two looks at limits.
const PERIOD: usize = 256;

/// What a state in the table of numbers takes, with the room that tables leave empty.
const NUMBERED_BYTES: usize = 2 * (size_of::<StateRef>() + size_of::<u32>() + 1);

/// The proposition that a node is an accepting one.
const ACCEPTING: u32 = 0;
/// The proposition that a run goes on from there.
const GOES_ON: u32 = 1;
/// How many propositions there are.
const PROPOSITIONS: usize = 2;

/// Why there is no graph.
pub(crate) enum Unfinished {
    /// A limit was reached.
    Limit(Limit),
    /// A state was met that is not remembered.
    Stranger,
}

impl From<KripkeError> for Unfinished {
    /// Everything is numbered, so what is wrong can only be that there is too much.
    fn from(_: KripkeError) -> Self {
        Unfinished::Limit(Limit::StateNumbers)
    }
}

/// The graph of all states, numbered in the order of the visit.
pub(crate) struct Graph {
    names: Vec<StateRef>,
    structure: Structure,
}

/// A run that goes round for ever.
#[derive(Debug, Default)]
pub(crate) struct Round {
    pub path: Vec<Visit>,
    pub cycle: Vec<Visit>,
}

/// Visits all remembered states once more and writes down the steps between them.
pub(crate) fn graph<R: Reducer>(
    replay: &mut Replay<'_, '_, '_, R>,
    whom: Option<Whom>,
    overseer: &mut impl Overseer,
) -> Result<Graph, Unfinished> {
    let program = replay.shared.program;
    let cast = Cast::new(program, whom);
    let mut visit = Visiting {
        builder: StructureBuilder::new(PROPOSITIONS, cast.actors)?,
        names: Vec::new(),
        accepting: Vec::new(),
        numbers: HashMap::new(),
        repeats: program.observers().claim.is_none(),
        cast,
    };
    for told in visit.starts(replay) {
        let number = visit.number(&told)?;
        visit.builder.start(number);
    }
    let mut next = 0;
    while let Some(&state) = visit.names.get(next) {
        if next % PERIOD == 0 && !overseer.look(visit.bytes()) {
            let limit = replay.shared.signals.limit();
            return Err(Unfinished::Limit(limit.unwrap_or(Limit::Cancelled)));
        }
        visit.expand(replay, state, next)?;
        next += 1;
    }
    Ok(Graph {
        names: visit.names,
        structure: visit.builder.finish()?,
    })
}

/// Who acts.
#[derive(Clone, Copy, Debug)]
struct Cast {
    whom: Option<Whom>,
    actors: usize,
    /// How many actors a process is.
    each: usize,
}

impl Cast {
    /// All who act in states that have come up.
    fn new(program: &Program, whom: Option<Whom>) -> Self {
        let each = match whom {
            None => 0,
            Some(Whom::Processes) => 1,
            Some(Whom::Actions) => program.edges(),
        };
        Cast {
            whom,
            actors: each * program.most_processes(),
            each,
        }
    }

    /// What an arrival says about them.
    fn label(&self, arrival: &Arrival<'_, '_>) -> Label {
        if self.whom.is_none() {
            return Label::default();
        }
        let takers = arrival.takers();
        let acts: Vec<Actor> = takers
            .map(|taker| match self.whom {
                Some(Whom::Actions) => {
                    (taker.process as usize * self.each + taker.edge as usize) as Actor
                }
                _ => taker.process as Actor,
            })
            .collect();
        let offers = acts.first().copied();
        Label::new(&acts, offers.as_slice())
    }
}

/// A state as it is told.
struct Told {
    name: Option<StateRef>,
    accepting: bool,
    label: Label,
}

/// A visit that is going on.
struct Visiting {
    builder: StructureBuilder,
    names: Vec<StateRef>,
    accepting: Vec<bool>,
    numbers: HashMap<StateRef, u32>,
    /// Whether a state that nothing follows repeats.
    repeats: bool,
    cast: Cast,
}

impl Visiting {
    fn starts<R: Reducer>(&self, replay: &mut Replay<'_, '_, '_, R>) -> Vec<Told> {
        let mut noting = Noting::new(&mut replay.access, replay.reducer, self.cast);
        let _ = replay.stepper.start(&mut noting);
        noting.told
    }

    fn expand<R: Reducer>(
        &mut self,
        replay: &mut Replay<'_, '_, '_, R>,
        state: StateRef,
        number: usize,
    ) -> Result<(), Unfinished> {
        replay.access.load(state, &mut replay.tree);
        let turn = replay.shared.states.turn(state);
        let mut noting = Noting::new(&mut replay.access, replay.reducer, self.cast);
        let expanded = replay
            .stepper
            .expand(replay.tree.bytes(), turn, &mut noting);
        let told = noting.told;
        expanded.map_err(|_| Unfinished::Stranger)?;
        let goes_on = self.repeats || !told.is_empty();
        for successor in told {
            let target = self.number(&successor)?;
            let label = self.builder.label(successor.label)?;
            self.builder.edge(target, label)?;
        }
        let holding = [(ACCEPTING, self.accepting[number]), (GOES_ON, goes_on)];
        let holding = holding.iter().filter(|(_, holds)| *holds);
        let holding: Vec<u32> = holding.map(|(proposition, _)| *proposition).collect();
        self.builder.close(&holding)?;
        Ok(())
    }

    /// The number of a state; the next one if it is new.
    fn number(&mut self, told: &Told) -> Result<u32, Unfinished> {
        let state = told.name.ok_or(Unfinished::Stranger)?;
        if let Some(&known) = self.numbers.get(&state) {
            return Ok(known);
        }
        let new = u32::try_from(self.names.len()).map_err(|_| KripkeError::TooLarge)?;
        self.numbers.insert(state, new);
        self.names.push(state);
        self.accepting.push(told.accepting);
        Ok(new)
    }

    fn bytes(&self) -> usize {
        self.numbers.capacity() * NUMBERED_BYTES
            + self.names.capacity() * size_of::<StateRef>()
            + self.accepting.capacity()
            + self.builder.bytes()
    }
}

/// Finds out what the states are called that it is told of, and who leads to them.
struct Noting<'a, 's, R> {
    access: &'a mut Access<'s>,
    reducer: &'a mut R,
    cast: Cast,
    told: Vec<Told>,
}

impl<'a, 's, R: Reducer> Noting<'a, 's, R> {
    fn new(access: &'a mut Access<'s>, reducer: &'a mut R, cast: Cast) -> Self {
        Noting {
            access,
            reducer,
            cast,
            told: Vec::new(),
        }
    }

    /// The label of an arrival, with what its processes are called in its representative.
    fn label(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Label> {
        let label = self.cast.label(arrival);
        if self.cast.whom.is_none() || self.reducer.is_trivial() {
            return Some(label);
        }
        let witness = self.reducer.witness(arrival)?;
        let names = 0..self.cast.actors as u32;
        let renamed: Vec<Actor> = names
            .map(|process| witness.processes().image(process) as Actor)
            .collect();
        Some(label.renamed(&renamed))
    }
}

impl<R: Reducer> Sink for Noting<'_, '_, R> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        let accepting = arrival.is_accepting();
        let label = self.label(arrival);
        let name = label
            .as_ref()
            .and_then(|_| name(self.access, self.reducer, arrival));
        self.told.push(Told {
            name,
            accepting,
            label: label.unwrap_or_default(),
        });
    }

    fn violation(&mut self, _: Violation) {}
}

impl Graph {
    /// A fair run through accepting states for ever, if there is one.
    pub fn round(&self, fairness: Fairness) -> Result<Option<Lasso>, KripkeError> {
        let state = AutomatonState {
            accepting: Accepting::Where(ACCEPTING),
            choices: vec![Choice {
                guard: Some(GOES_ON),
                target: 0,
            }],
        };
        let automaton = Automaton::new(vec![state], 0)?;
        find_lasso(&self.structure, &automaton, fairness, Length::Short)
    }

    /// How the states of a run are met.
    pub fn visits<R: Reducer>(
        &self,
        lasso: &Lasso,
        replay: &mut Replay<'_, '_, '_, R>,
    ) -> Option<Round> {
        let first = lasso.prefix.iter().chain(&lasso.cycle).next()?;
        let start = replay.start(self.names[first.node as usize])?;
        let mut path = vec![start];
        for step in &lasso.prefix {
            path.extend(self.visit(step, replay)?);
        }
        let mut cycle = Vec::new();
        for step in &lasso.cycle {
            cycle.extend(self.visit(step, replay)?);
        }
        Some(Round { path, cycle })
    }

    /// How the state is met that a move leads to: none if it stands still. Nothing if there is no such move.
    fn visit<R: Reducer>(
        &self,
        step: &Move,
        replay: &mut Replay<'_, '_, '_, R>,
    ) -> Option<Option<Visit>> {
        let Some(edge) = step.edge else {
            return Some(None);
        };
        let nth = edge - self.structure.edges(step.node).start;
        let visit = replay.nth_step(self.names[step.node as usize], nth as usize)?;
        Some(Some(visit))
    }
}
