//! The graph of all states, built once they are known, to decide what needs more than a look at each of them.
//!
//! # The algorithm
//!
//! Once a search has seen everything, the steps between its states are written down as a [`Structure`], breadth first from the start: what the workers have kept of them in their
//! logs (`log`, which says when there are any), or else what comes up when the states are visited once more by one worker. There is a node for each stored state with the propositions that hold in it, an edge for each step, in
//! the order in which the stepper tells them. Where runs have to be fair, an edge also says who takes part in the step, whose step it is
//! (so that this process is known to be enabled) and what the process ids of the state that was met are in its
//! representative. `mandala_kripke` decides the rest: fair runs through accepting states, and formulas of branching time.
//!
//! A part of the graph proves nothing: a step that is missing may be the one that matters. So this is done only after a complete
//! search with an exact store in which there was no violation, and it is done wholly or not at all.
//!
//! # Why it is right with symmetry
//!
//! The states are representatives and the steps lead between orbits. A certificate says that a renaming *g* maps steps to
//! steps, steps of process *i* to steps of process *g(i)*, and that what is asked about *s* is so iff it is so in *g(s)*. By which
//! statement of *g(i)* the step is made is known as well, if runs have to be fair to statements
//! ([`mandala_symmetry::Statements`]). So a run from *s*
//! maps to a run from *g(s)*, and each step of it to the step that was written down from the representative: the two are bisimilar, and
//! with the renamings kept on the edges the run of the representatives tells which processes are passed over. It does not
//! matter whether an orbit has one representative or several.
//!
//! Rewrites before the search (constants, dead variables) put states together that do the same
//! steps and have the same propositions: a bisimulation again. Passing through states would not be one, and is not
//! done where something observes states.
//!
//! # Partial-order reduction
//!
//! Where the search was reduced and preserved runs (`successors`), the graph has the same steps, and no others: whether a state was expanded
//! fully is decided once more, in the same way, by the stepper and the marks of the states, which are as they were. The graph is one of the
//! system alone. The state of a claim never had a say in what was left out, so what goes wrong if it has (Siegel 2019) cannot: the claim
//! reads runs that are already fixed.
//!
//! # Moves that twins have in common
//!
//! Where nobody asks who makes a step, moves that lead to one representative are made once here, too, as in the search: edges between the same two nodes say nothing more than one of them.
//! Where runs have to be fair, all moves are made, and where something is asked of each of several things that have names.
//!
//! # Questions about each of several things
//!
//! "For each *i*" names *i*. So it is asked of pairs of a node and an *i*, which is called along an edge what the renaming of the step calls it
//! ([`mandala_kripke::Indexing`] has the argument). The states are still visited with all of the symmetry.
//!
//! # Who is enabled
//!
//! A process is enabled in a state if it begins a step there: alone, or as the sender at a rendezvous. A process that waits for a sender is not enabled
//! by itself. This is Spin's notion.
//!
//! # Runs that end
//!
//! With a claim the stepper tells that the system stutters; a node without edges is one where the claim cannot go on, and no
//! run is left to be followed. Without a claim, a state without successors repeats forever.
//!
//! # Memory
//!
//! A step takes eight bytes, a state up to 150: its handle, its number in a table that is half empty at worst, where its
//! steps are. All of it counts against the limit on memory.
//!
//! # Rejected
//!
//! - Numbers for states during the search, so that a log takes four bytes a step: workers would have to agree on numbers, and the hot loop would look up each
//!   successor in one more table.
//! - Copies of the graph for each process, as Spin decides fairness: process ids do not stay the same from state to state.

mod actors;
mod answers;
mod log;
mod propositions;

pub(crate) use answers::Survey;
pub(crate) use log::{StepLog, graph as of_logs};

use crate::expander::{Context, Counted, Expander, Visitor};
use crate::handles::{NUMBERED_BYTES, Numbers};
use crate::monitor::Monitor;
use crate::options::Whom;
use crate::outcome::{Answer, Limit};
use crate::replay::Selection;
use crate::shared::Shared;
use crate::successors::Generator;
use actors::Actors;
use mandala_encoding::{Arrival, Stepper};
use mandala_kripke::{KripkeError, Label, Structure, StructureBuilder};
use mandala_model::step::Fault;
use mandala_reduce::Reducer;
use mandala_store::{Arrived, StateRef};
use mandala_symmetry::Renaming;
use propositions::{Look, Watch};
use std::collections::HashMap;

/// Why there is no graph.
#[derive(Clone, Debug)]
pub(crate) enum Unfinished {
    /// A limit was reached.
    Limit(Limit),
    /// In some state it cannot be told whether a proposition holds.
    Fault(Fault),
}

impl From<KripkeError> for Unfinished {
    /// Everything is numbered, so what is wrong can only be that there is too much.
    fn from(_: KripkeError) -> Self {
        Unfinished::Limit(Limit::StateNumbers)
    }
}

impl From<Unfinished> for Answer {
    fn from(unfinished: Unfinished) -> Self {
        match unfinished {
            Unfinished::Limit(limit) => Answer::Unknown(limit),
            Unfinished::Fault(fault) => Answer::Fault(fault),
        }
    }
}

/// A state was met that is not stored: there is more than the search has seen.
const STRANGER: Unfinished = Unfinished::Limit(Limit::States);

/// The limit that has ended the search, if one has.
fn go_on(shared: &Shared<'_>) -> Result<(), Unfinished> {
    let signals = &shared.signals;
    match signals.is_stopped() {
        true => Err(Unfinished::Limit(
            signals.limit().unwrap_or(Limit::Cancelled),
        )),
        false => Ok(()),
    }
}

/// The graph of all states, numbered in the order in which they are visited.
pub(crate) struct Graph {
    states: Vec<StateRef>,
    /// Which successors each state has in the graph.
    selections: Vec<Selection>,
    structure: Structure,
    /// How names change along edges, if somebody wants to know.
    turns: Turns,
}

/// How names change along edges.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// The renamings that there are, each once.
    renamings: Vec<Renaming>,
    numbers: HashMap<Renaming, u32>,
    /// For each edge, the number of its renaming.
    of_edges: Vec<u32>,
}

impl Turns {
    /// Notes what the next edge does to names.
    fn push(&mut self, renaming: Renaming) {
        let next = self.renamings.len() as u32;
        let number = self.numbers.entry(renaming).or_insert_with_key(|new| {
            self.renamings.push(new.clone());
            next
        });
        self.of_edges.push(*number);
    }

    fn bytes(&self) -> usize {
        let renaming = 3 * size_of::<Renaming>();
        self.of_edges.capacity() * size_of::<u32>() + self.renamings.len() * renaming
    }
}

impl Graph {
    /// A graph whose nodes are these states, each with all successors.
    pub(crate) fn new(states: Vec<StateRef>, structure: Structure) -> Self {
        Graph {
            selections: vec![Selection::default(); states.len()],
            states,
            structure,
            turns: Turns::default(),
        }
    }
}

/// The stepper that tells the steps of a graph.
pub(crate) fn stepper<'p>(shared: &Shared<'p>, whom: Option<Whom>) -> Stepper<'p> {
    match whom {
        // Only the bytecode machine knows who makes a step.
        Some(whom) => {
            let stepper = shared.program.interpreting_stepper();
            stepper.telling_apart(whom.ways())
        }
        None => shared.stepper(),
    }
}

/// Visits all stored states once more, and makes a graph of them.
pub(crate) fn build<'p, R: Reducer>(
    shared: &Shared<'p>,
    expander: &mut Expander<'p, R>,
    monitor: &mut dyn Monitor,
    whom: Option<Whom>,
) -> Result<Graph, Unfinished> {
    let stepper = stepper(shared, whom);
    let successors = match shared.program.keeps_runs() {
        true => Generator::new(stepper),
        false => Generator::Full(stepper),
    };
    // Moves that lead to one representative are different ones for those whose names they change.
    let every_move = whom.is_some() || shared.options.asks_for_instances();
    let mut source = match every_move {
        true => Counted::again(successors),
        false => Counted::once_again(successors),
    };
    std::mem::swap(&mut expander.source, &mut source);
    let mut context = Context {
        shared,
        access: &mut shared.states.access(),
        monitor,
    };
    let graph = Construction::new(shared, whom)
        .and_then(|construction| construction.run(expander, &mut context));
    std::mem::swap(&mut expander.source, &mut source);
    graph
}

/// The successors of a state.
struct Labelled<'a> {
    actors: &'a mut Actors,
    /// Whether it matters what becomes of names though nobody acts.
    follows_names: bool,
    /// For each that was told, how it was met, unless that is not known, and whether it is accepting.
    notes: Vec<(Option<Met>, bool)>,
    /// For each that was looked up, its handle; none if it is not stored.
    states: Vec<Option<StateRef>>,
}

/// How a successor was met.
#[derive(Default)]
struct Met {
    label: Label,
    /// What makes it its representative, if that matters.
    renaming: Option<Renaming>,
}

/// A successor, or a start.
struct Told {
    state: Option<StateRef>,
    accepting: bool,
    met: Met,
}

impl<'a> Labelled<'a> {
    fn new(actors: &'a mut Actors, follows_names: bool) -> Self {
        Labelled {
            actors,
            follows_names,
            notes: Vec::new(),
            states: Vec::new(),
        }
    }

    fn told(self) -> Vec<Told> {
        let both = self.notes.into_iter().zip(self.states);
        let told = both.map(|((met, accepting), state)| Told {
            state: state.filter(|_| met.is_some()),
            accepting,
            met: met.unwrap_or_default(),
        });
        told.collect()
    }

    /// The label of an arrival, with what its actors are called in its representative, and what makes it that.
    fn meet(&mut self, arrival: &mut Arrival<'_, '_>, reducer: &mut dyn Reducer) -> Option<Met> {
        let mut met = Met {
            label: self.actors.label(arrival),
            renaming: self.follows_names.then(Renaming::identity),
        };
        if reducer.is_trivial() || !(self.actors.is_wanted() || self.follows_names) {
            return Some(met);
        }
        let witness = reducer.witness(arrival)?;
        if self.follows_names {
            met.renaming = Some(witness.clone());
        }
        if self.actors.is_wanted() {
            met.label = self.actors.renamed(met.label, witness)?;
        }
        Some(met)
    }
}

impl Visitor for Labelled<'_> {
    fn takes_notes(&self) -> bool {
        true
    }

    fn note(&mut self, arrival: &mut Arrival<'_, '_>, reducer: &mut dyn Reducer) {
        let accepting = arrival.is_accepting();
        let met = self.meet(arrival, reducer);
        self.notes.push((met, accepting));
    }

    fn retract(&mut self) {
        self.notes.clear();
        self.states.clear();
    }

    fn depth(&self) -> u32 {
        0
    }

    fn met(&mut self, arrived: Arrived) {
        self.states.push(match arrived {
            Arrived::Seen(state) => Some(state),
            Arrived::New(_) => None,
        });
    }
}

/// A graph that is being built.
struct Construction<'a, 'p> {
    shared: &'a Shared<'p>,
    builder: StructureBuilder,
    /// The number of the label without actors.
    plain: u32,
    watch: Watch<'a>,
    states: Vec<StateRef>,
    /// Which successors of each state that was visited are in the graph.
    selections: Vec<Selection>,
    accepting: Vec<bool>,
    numbers: Numbers,
    /// Whether a state without successors repeats.
    repeats: bool,
    actors: Actors,
    /// Whether it matters what becomes of names though nobody acts.
    follows_names: bool,
    turns: Turns,
}

impl<'a, 'p> Construction<'a, 'p> {
    fn new(shared: &'a Shared<'p>, whom: Option<Whom>) -> Result<Self, Unfinished> {
        let watch = Watch::new(&shared.options.propositions);
        let statements = shared.options.statements.clone();
        let actors = Actors::new(shared.program, whom, statements);
        let mut builder = StructureBuilder::new(watch.propositions(), actors.len())?;
        Ok(Construction {
            shared,
            plain: builder.label(Label::default())?,
            builder,
            watch,
            states: Vec::new(),
            selections: Vec::new(),
            accepting: Vec::new(),
            numbers: Numbers::default(),
            repeats: shared.program.observers().claim.is_none(),
            actors,
            follows_names: shared.options.asks_for_instances(),
            turns: Turns::default(),
        })
    }

    fn run<R: Reducer>(
        mut self,
        expander: &mut Expander<'p, R>,
        context: &mut Context<'_, '_, 'p>,
    ) -> Result<Graph, Unfinished> {
        context.monitor.check(0);
        self.start(expander, context)?;
        let mut next = 0;
        while let Some(&state) = self.states.get(next) {
            expander.take_again();
            if expander.is_check_due() {
                expander.check_limits_with(context, self.bytes());
            }
            self.expand(expander, context, state, next)?;
            next += 1;
        }
        Ok(Graph {
            states: self.states,
            selections: self.selections,
            structure: self.builder.finish()?,
            turns: self.turns,
        })
    }

    fn start<R: Reducer>(
        &mut self,
        expander: &mut Expander<'p, R>,
        context: &mut Context<'_, '_, 'p>,
    ) -> Result<(), Unfinished> {
        let mut starts = Labelled::new(&mut self.actors, self.follows_names);
        expander.start(context, &mut starts);
        expander.look_up(context, &mut starts);
        let told = starts.told();
        go_on(self.shared)?;
        for start in told {
            let number = self.number(&start)?;
            self.builder.start(number);
        }
        Ok(())
    }

    fn expand<R: Reducer>(
        &mut self,
        expander: &mut Expander<'p, R>,
        context: &mut Context<'_, '_, 'p>,
        state: StateRef,
        number: usize,
    ) -> Result<(), Unfinished> {
        self.watch.begin(expander.stepper());
        let told = self.successors(expander, context, state)?;
        let look = Look {
            accepting: self.accepting[number],
            goes_on: self.repeats || !told.is_empty(),
            moves: !told.is_empty(),
        };
        for successor in told {
            let target = self.number(&successor)?;
            let label = match self.actors.is_wanted() {
                true => self.builder.label(successor.met.label)?,
                false => self.plain,
            };
            self.builder.edge(target, label)?;
            if let Some(renaming) = successor.met.renaming {
                self.turns.push(renaming);
            }
        }
        let holding = self.watch.holding(expander, look);
        self.builder.close(holding.map_err(Unfinished::Fault)?)?;
        Ok(())
    }

    /// The successors of a state that the search has followed.
    fn successors<R: Reducer>(
        &mut self,
        expander: &mut Expander<'p, R>,
        context: &mut Context<'_, '_, 'p>,
        state: StateRef,
    ) -> Result<Vec<Told>, Unfinished> {
        let reduced = expander.source.tally.reduced;
        let mut successors = Labelled::new(&mut self.actors, self.follows_names);
        expander.expand(state, context, &mut successors);
        expander.look_up(context, &mut successors);
        // What goes wrong on the way does not matter to what is asked.
        expander.take_violations();
        let told = successors.told();
        go_on(self.shared)?;
        self.selections.push(Selection {
            ample: expander.source.tally.reduced > reduced,
            once: expander.stepper().fires_once(),
        });
        Ok(told)
    }

    /// The number of a state; the next one if it is new.
    fn number(&mut self, told: &Told) -> Result<u32, Unfinished> {
        let state = told.state.ok_or(STRANGER)?;
        if let Some(&known) = self.numbers.get(&state) {
            return Ok(known);
        }
        let new = u32::try_from(self.states.len()).map_err(|_| KripkeError::TooLarge)?;
        self.numbers.insert(state, new);
        self.states.push(state);
        self.accepting.push(told.accepting);
        Ok(new)
    }

    fn bytes(&self) -> usize {
        self.numbers.capacity() * NUMBERED_BYTES
            + self.states.capacity() * size_of::<StateRef>()
            + self.accepting.capacity()
            + self.selections.capacity()
            + self.builder.bytes()
            + self.actors.bytes()
            + self.turns.bytes()
    }
}
