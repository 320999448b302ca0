//! The graph of all states, written down once they are known, to decide what needs more than a look at each of them.
//!
//! # The algorithm
//!
//! Once a search has seen everything, its states are visited once more, breadth first and by one worker, and now the steps between them
//! are written down as a [`Structure`]: a node for each remembered state with the propositions that hold in it, an edge for each step, in
//! the order in which the stepper tells them. Where runs have to be fair, an edge also says who takes part in the step, whose step it is
//! (so that one is known to be able to move) and how the processes of the state that was met are called in the one that represents
//! it. `mandala_kripke` decides the rest: fair runs through accepting states, and formulas of branching time.
//!
//! A part of the graph proves nothing: a step that is missing may be the one that matters. So this is done only after a complete
//! search with an exact store in which nothing went wrong, and it is done wholly or not at all.
//!
//! # Why it is right with symmetry
//!
//! The states are representatives and the steps lead between orbits. A certificate says that a renaming *g* maps steps to
//! steps, steps of process *i* to steps of process *g(i)*, and that what is asked about *s* is so iff it is so in *g(s)*. By which
//! statement of *g(i)* the step is made is known as well, if runs have to be fair to statements
//! ([`Statements`]). So a run from *s*
//! maps to a run from *g(s)*, and each step of it to the step that was written down from the representative: the two are bisimilar, and
//! with the names kept on the edges the run of the representatives tells which processes are passed over. It does not
//! matter whether an orbit has one representative or several.
//!
//! Rewritings before the search (constants, variables that nobody will read) put states together that do the same
//! steps and look the same to everything that looks: a bisimulation again. Passing through states would not be one, and is not
//! done where something looks at states.
//!
//! # Steps that are left out
//!
//! Where the search has left out steps and kept runs (`search`), the graph has the same steps, and no others: whether a state was expanded
//! fully is decided once more, in the same way, by the stepper and the marks of the states, which are as they were. The graph is one of the
//! system alone. What a claim would do there never had a say in what was left out, so what goes wrong if it has (Siegel 2019) cannot: the claim
//! reads runs that are already settled.
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
//!
//! # Memory
//!
//! A step takes eight bytes, a state up to 150: its name, its number in a table that is half empty at worst, where its
//! steps are. All of it counts against the limit on memory.
//!
//! # Rejected
//!
//! - Writing the steps down during the search: the hot loop would have to know, several workers would have to agree on numbers, and a
//!   search that finds a violation would have paid for nothing. The second visit costs the time of one search with one worker, and
//!   only what needs it has it. It also works after a search that was taken up from a checkpoint.
//! - Copies of the graph for each process, as Spin decides fairness: names do not stay the same from state to state.

use crate::names::Numbers;
use crate::options::{Proposition, Query, Question, Whom};
use crate::outcome::{Answer, Limit, Shown, Visit};
use crate::reducer::Reducer;
use crate::replay::Replay;
use crate::states::{Access, Share};
use crate::watch::{Lead, Overseer};
use mandala_encoding::{Arrival, Expanded, Program, Sink};
use mandala_kripke::{
    Actor, Ctl, Evidence, Fairness, KripkeError, Label, Lasso, Move, Structure, StructureBuilder,
    check_ctl, find_lasso,
};
use mandala_model::step::{Fault, Turn, Violation};
use mandala_store::{Arrived, StateRef, Tree};
use mandala_symmetry::{EdgeNumbers, Renaming, Statements};
use std::collections::HashMap;
use std::sync::Arc;

/// How many states are visited between two looks at limits.
const PERIOD: usize = 256;

/// What a state in the table of numbers takes, with the room that tables leave empty.
const NUMBERED_BYTES: usize = 2 * (size_of::<StateRef>() + size_of::<u32>() + 1);

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

/// A state was met that is not remembered: there is more than the search has seen.
const STRANGER: Unfinished = Unfinished::Limit(Limit::States);

/// The graph of all states, numbered in the order of the visit.
pub(crate) struct Graph {
    names: Vec<StateRef>,
    /// How much of each state was expanded.
    shares: Vec<Share>,
    structure: Structure,
}

impl Graph {
    /// A graph whose nodes have these names, of states that were expanded fully.
    pub fn new(names: Vec<StateRef>, structure: Structure) -> Self {
        Graph {
            shares: vec![Share::Whole; names.len()],
            names,
            structure,
        }
    }
}

/// Somebody who makes graphs, and finds runs again that were seen in them.
pub(crate) struct Surveyor<'a, 's, 'p, R> {
    replay: Replay<'a, 's, 'p, R>,
    lead: &'a mut Lead<'s, 'p>,
}

impl<'a, 's, 'p, R: Reducer> Surveyor<'a, 's, 'p, R> {
    pub fn new(replay: Replay<'a, 's, 'p, R>, lead: &'a mut Lead<'s, 'p>) -> Self {
        Surveyor { replay, lead }
    }

    /// Visits all remembered states once more and writes down the steps between them.
    pub fn graph(
        &mut self,
        whom: Option<Whom>,
        propositions: &[Proposition],
    ) -> Result<Graph, Unfinished> {
        let program = self.replay.shared.program;
        if let Some(whom) = whom {
            // Only the interpreter knows who makes a step.
            self.replay.stepper = program.interpreting_stepper().telling_apart(whom.ways());
        }
        let statements = self.replay.shared.options.statements.clone();
        let cast = Cast::new(program, whom, statements);
        let mut visit = Visiting::new(program, cast, propositions)?;
        visit.start(&mut self.replay)?;
        let mut next = 0;
        while let Some(&state) = visit.names.get(next) {
            if next % PERIOD == 0 && !self.lead.look(visit.bytes()) {
                let limit = self.replay.shared.signals.limit();
                return Err(Unfinished::Limit(limit.unwrap_or(Limit::Cancelled)));
            }
            visit.expand(&mut self.replay, state, next)?;
            next += 1;
        }
        Ok(Graph {
            names: visit.names,
            shares: visit.shares,
            structure: visit.builder.finish()?,
        })
    }

    /// The answer to a question about the graph.
    pub fn answer(&mut self, graph: &Graph, question: &Question) -> Answer {
        let answer = match &question.what {
            Query::Formula(formula) => self.formula(graph, formula, question.fairness),
            Query::NoRun(automaton, length) => {
                let lasso = find_lasso(&graph.structure, automaton, question.fairness, *length);
                lasso.map(|lasso| self.no_run(graph, lasso))
            }
        };
        answer.unwrap_or(Answer::Unknown(Limit::StateNumbers))
    }

    /// Whether a formula holds.
    fn formula(
        &mut self,
        graph: &Graph,
        formula: &Ctl,
        fairness: Fairness,
    ) -> Result<Answer, KripkeError> {
        let verdict = check_ctl(&graph.structure, formula, fairness)?;
        let shown = verdict.evidence.map(|evidence| self.shown(graph, evidence));
        Ok(match verdict.holds {
            true => Answer::Holds(shown),
            false => Answer::Fails(shown.unwrap_or_default()),
        })
    }

    /// Whether there is no run of some kind, of which one was looked for.
    fn no_run(&mut self, graph: &Graph, found: Option<Lasso>) -> Answer {
        match found {
            None => Answer::Holds(None),
            Some(lasso) => Answer::Fails(self.lasso(graph, &lasso)),
        }
    }

    fn shown(&mut self, graph: &Graph, evidence: Evidence) -> Shown {
        match evidence {
            Evidence::Lasso(lasso) => self.lasso(graph, &lasso),
            Evidence::Path { moves, end, fact } => Shown {
                path: self.path(graph, &moves, end).unwrap_or_default(),
                cycle: None,
                fact: Some((fact.formula, fact.holds)),
            },
        }
    }

    /// How the states of a run are met that goes round for ever. Should it not be found again, nothing is shown, which whoever
    /// replays it will notice.
    pub fn lasso(&mut self, graph: &Graph, lasso: &Lasso) -> Shown {
        let entry = lasso.cycle.first().map_or(0, |step| step.node);
        let path = self.path(graph, &lasso.prefix, entry);
        let cycle = self.visits(graph, &lasso.cycle);
        match path.zip(cycle) {
            Some((path, cycle)) => Shown {
                path,
                cycle: Some(cycle),
                fact: None,
            },
            None => Shown::default(),
        }
    }

    /// How the states of a run from a start are met, the last of which is given.
    fn path(&mut self, graph: &Graph, moves: &[Move], end: u32) -> Option<Vec<Visit>> {
        let first = moves.first().map_or(end, |step| step.node);
        let start = self.replay.start(graph.names[first as usize])?;
        let rest = self.visits(graph, moves)?;
        Some(std::iter::once(start).chain(rest).collect())
    }

    /// How the states are met that moves lead to.
    fn visits(&mut self, graph: &Graph, moves: &[Move]) -> Option<Vec<Visit>> {
        // Who stands still is not met again.
        let made = moves
            .iter()
            .filter_map(|step| Some((step.node, step.edge?)));
        let visit = |(node, edge): (u32, u32)| {
            let nth = edge - graph.structure.edges(node).start;
            let (name, share) = (graph.names[node as usize], graph.shares[node as usize]);
            self.replay.nth_step(name, share, nth as usize)
        };
        made.map(visit).collect()
    }
}

/// Who acts.
#[derive(Debug)]
struct Cast {
    whom: Option<Whom>,
    processes: usize,
    /// How many actors a process is.
    each: usize,
    /// What renamings do to statements.
    statements: Option<Arc<Statements>>,
    numbers: EdgeNumbers,
    /// What those do that have come up.
    renamings: HashMap<Renaming, Arc<[Actor]>>,
}

impl Cast {
    /// All who act in states that have come up.
    fn new(program: &Program, whom: Option<Whom>, statements: Option<Arc<Statements>>) -> Self {
        let each = match whom {
            None => 0,
            Some(Whom::Processes) => 1,
            Some(Whom::Actions) => program.edges(),
        };
        Cast {
            whom,
            processes: program.most_processes(),
            each,
            statements,
            numbers: EdgeNumbers {
                firsts: program.first_edges(),
                count: program.edges() as u32,
            },
            renamings: HashMap::new(),
        }
    }

    fn actors(&self) -> usize {
        self.each * self.processes
    }

    /// The label with what a renaming does to actors; none if it is not known what that is.
    fn renamed(&mut self, label: Label, renaming: Renaming) -> Option<Label> {
        match self.whom {
            Some(Whom::Actions) => {
                let images = self.actions(renaming)?;
                Some(label.sharing(images))
            }
            Some(Whom::Processes) | None => {
                let names = 0..self.processes as u32;
                let images = names.map(|process| renaming.processes().image(process) as Actor);
                Some(label.renamed(&images.collect::<Vec<Actor>>()))
            }
        }
    }

    /// What becomes of each action; empty if nothing does.
    fn actions(&mut self, renaming: Renaming) -> Option<Arc<[Actor]>> {
        if let Some(known) = self.renamings.get(&renaming) {
            return Some(known.clone());
        }
        let statements = self.statements.as_ref()?;
        let images = statements.images(&renaming, self.processes as u32, &self.numbers)?;
        let moved = images
            .iter()
            .zip(0..)
            .any(|(image, action)| *image != action);
        // There are no more actors than an actor can be numbered.
        let images = images
            .into_iter()
            .filter(|_| moved)
            .map(|image| image as Actor);
        let images: Arc<[Actor]> = images.collect();
        self.renamings.insert(renaming, images.clone());
        Some(images)
    }

    /// What is known of renamings takes so much memory.
    fn bytes(&self) -> usize {
        let each = self.actors() * size_of::<Actor>() + 2 * size_of::<Renaming>();
        self.renamings.len() * each
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

/// What was seen of a state while it was expanded.
struct Look {
    /// How often the edges of each proposition had been taken before.
    before: Vec<u64>,
    accepting: bool,
    goes_on: bool,
    /// Whether something can happen.
    moves: bool,
}

/// A visit that is going on.
struct Visiting<'o> {
    builder: StructureBuilder,
    /// The number of the label that says nothing of anybody.
    plain: u32,
    propositions: &'o [Proposition],
    names: Vec<StateRef>,
    /// How much of each state that was visited has been expanded.
    shares: Vec<Share>,
    accepting: Vec<bool>,
    numbers: Numbers,
    /// Whether a state that nothing follows repeats.
    repeats: bool,
    cast: Cast,
}

impl<'o> Visiting<'o> {
    fn new(
        program: &Program,
        cast: Cast,
        propositions: &'o [Proposition],
    ) -> Result<Self, Unfinished> {
        let mut builder = StructureBuilder::new(propositions.len(), cast.actors())?;
        Ok(Visiting {
            plain: builder.label(Label::default())?,
            builder,
            propositions,
            names: Vec::new(),
            shares: Vec::new(),
            accepting: Vec::new(),
            numbers: Numbers::default(),
            repeats: program.observers().claim.is_none(),
            cast,
        })
    }

    fn start<R: Reducer>(&mut self, replay: &mut Replay<'_, '_, '_, R>) -> Result<(), Unfinished> {
        let near = &replay.tree;
        let mut noting = Noting::new(&mut replay.access, near, replay.reducer, &mut self.cast);
        let _ = replay.stepper.start(&mut noting);
        for told in noting.told {
            let number = self.number(&told)?;
            self.builder.start(number);
        }
        Ok(())
    }

    fn expand<R: Reducer>(
        &mut self,
        replay: &mut Replay<'_, '_, '_, R>,
        state: StateRef,
        number: usize,
    ) -> Result<(), Unfinished> {
        replay.access.load(state, &mut replay.tree);
        let before = self.taken(replay);
        let told = match self.some_successors(replay, state)? {
            Some(told) => told,
            None => self.all_successors(replay, state)?,
        };
        let look = Look {
            before,
            accepting: self.accepting[number],
            goes_on: self.repeats || !told.is_empty(),
            moves: !told.is_empty(),
        };
        let holding = self.holding(replay, &look)?;
        for successor in told {
            let target = self.number(&successor)?;
            let label = match self.cast.whom {
                Some(_) => self.builder.label(successor.label)?,
                None => self.plain,
            };
            self.builder.edge(target, label)?;
        }
        self.builder.close(&holding)?;
        Ok(())
    }

    /// The successors of a state that the search has expanded in part; none if it has expanded it fully.
    fn some_successors<R: Reducer>(
        &mut self,
        replay: &mut Replay<'_, '_, '_, R>,
        state: StateRef,
    ) -> Result<Option<Vec<Told>>, Unfinished> {
        if !replay.shared.program.keeps_runs() {
            return Ok(None);
        }
        let turn = replay.shared.states.turn(state);
        let near = &replay.tree;
        let mut noting = Noting::new(&mut replay.access, near, replay.reducer, &mut self.cast);
        let expanded = replay.stepper.expand_some(near.bytes(), turn, &mut noting);
        let (told, wrong) = (noting.told, noting.wrong);
        if expanded.map_err(|_| STRANGER)? == Expanded::Fully {
            self.shares.push(Share::Part);
            return Ok(Some(told));
        }
        let mut leads_on = |told: &Told| {
            let name = told.name;
            name.is_some_and(|name| replay.access.is_later(name, state))
        };
        let kept = !wrong && !told.is_empty() && told.iter().all(&mut leads_on);
        self.shares.extend(kept.then_some(Share::Part));
        Ok(kept.then_some(told))
    }

    fn all_successors<R: Reducer>(
        &mut self,
        replay: &mut Replay<'_, '_, '_, R>,
        state: StateRef,
    ) -> Result<Vec<Told>, Unfinished> {
        self.shares.push(Share::Whole);
        let turn = replay.shared.states.turn(state);
        let near = &replay.tree;
        let mut noting = Noting::new(&mut replay.access, near, replay.reducer, &mut self.cast);
        let expanded = replay.stepper.expand(near.bytes(), turn, &mut noting);
        let told = noting.told;
        expanded.map_err(|_| STRANGER)?;
        Ok(told)
    }

    /// How often the edges of each proposition have been taken.
    fn taken<R: Reducer>(&self, replay: &Replay<'_, '_, '_, R>) -> Vec<u64> {
        let taken = |proposition: &Proposition| match proposition {
            Proposition::Observed(edges) => replay.taken(edges),
            _ => 0,
        };
        self.propositions.iter().map(taken).collect()
    }

    /// The propositions that hold in the state that was expanded last.
    fn holding<R: Reducer>(
        &self,
        replay: &mut Replay<'_, '_, '_, R>,
        look: &Look,
    ) -> Result<Vec<u32>, Unfinished> {
        let after = self.taken(replay);
        let mut holding = Vec::new();
        for (number, proposition) in self.propositions.iter().enumerate() {
            let holds = match proposition {
                Proposition::Observed(_) => after[number] > look.before[number],
                Proposition::Condition(number) => condition(replay, *number)?,
                Proposition::Meanwhile(number) => look.moves && condition(replay, *number)?,
                Proposition::Accepting => look.accepting,
                Proposition::GoesOn => look.goes_on,
            };
            holding.extend(holds.then_some(number as u32));
        }
        Ok(holding)
    }

    /// The number of a state; the next one if it is new.
    fn number(&mut self, told: &Told) -> Result<u32, Unfinished> {
        let state = told.name.ok_or(STRANGER)?;
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
            + self.shares.capacity()
            + self.builder.bytes()
            + self.cast.bytes()
    }
}

fn condition<R: Reducer>(
    replay: &mut Replay<'_, '_, '_, R>,
    number: usize,
) -> Result<bool, Unfinished> {
    let holds = replay.stepper.condition(replay.tree.bytes(), number);
    holds.map_err(Unfinished::Fault)
}

/// Finds out what the states are called that it is told of, and who leads to them.
struct Noting<'a, 's, R> {
    access: &'a mut Access<'s>,
    /// The state that is expanded, if there is one: its successors have most parts in common with it.
    near: &'a Tree,
    reducer: &'a mut R,
    cast: &'a mut Cast,
    told: Vec<Told>,
    /// Whether something goes wrong on the way, which does not matter to what is asked.
    wrong: bool,
}

impl<'a, 's, R: Reducer> Noting<'a, 's, R> {
    fn new(
        access: &'a mut Access<'s>,
        near: &'a Tree,
        reducer: &'a mut R,
        cast: &'a mut Cast,
    ) -> Self {
        Noting {
            access,
            near,
            reducer,
            cast,
            told: Vec::new(),
            wrong: false,
        }
    }

    /// The name of what represents an arrival; none if it is not remembered.
    fn name(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<StateRef> {
        let representative = self.reducer.representative(arrival).ok()?;
        let visited = &mut self.access.visited;
        let prepared = visited.prepare(representative.packed, self.near).ok()?;
        match visited.insert(prepared, 0) {
            Ok(Arrived::Seen(state)) => Some(state),
            // Something is new, although everything was known.
            Ok(Arrived::New(_)) | Err(_) => None,
        }
    }

    /// The label of an arrival, with what its actors are called in its representative.
    fn label(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Label> {
        let label = self.cast.label(arrival);
        if self.cast.whom.is_none() || self.reducer.is_trivial() {
            return Some(label);
        }
        let witness = self.reducer.witness(arrival)?;
        self.cast.renamed(label, witness)
    }
}

impl<R: Reducer> Sink for Noting<'_, '_, R> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        let accepting = arrival.is_accepting();
        let label = self.label(arrival);
        let name = label.as_ref().and_then(|_| self.name(arrival));
        self.told.push(Told {
            name,
            accepting,
            label: label.unwrap_or_default(),
        });
    }

    fn violation(&mut self, _: Violation) {
        self.wrong = true;
    }
}
