//! Runs that an automaton accepts, found on the way: the automaton reads the states of the system while they are found.
//!
//! # The algorithm
//!
//! Most claims only look. What such a claim sees of a state is which of some conditions hold there, and that is asked once for each
//! state, whatever the claim has seen before. So the system is explored alone: a state is stored once and expanded once, by machine code,
//! and what follows it is written down as numbers. The pairs of a state and a state of the automaton are numbers, too, and
//! [`mandala_kripke::has_run`] searches them depth first, in the order in which steps are told; it asks for what follows a state when it
//! gets there. Where runs have to be weakly fair, an edge also says who takes part in the step and whose it is. The search ends with the
//! first component in which there is a run.
//!
//! Then the part of the graph that is known is a graph as [`crate::graph`] makes it, and a short run is found in it and shown in the same way.
//!
//! # Why it is right with symmetry
//!
//! For the reasons that stand in [`crate::graph`]. The names of processes are not followed, so this is for runs that need not be fair, or for
//! states that stand for themselves.
//!
//! # What is left to others
//!
//! If something goes wrong in a step, that may be in a run that the automaton does not follow. Then nothing is answered, and a search in which the
//! claim runs along has to find out. The same goes for conditions that fail, and for more processes than a word has bits.
//!
//! # Cost
//!
//! In the models of `mandala-bench liveness`, built for development and on a busy machine, a transition takes 0.3 to 0.9 microseconds, its number and the
//! pairs included, and with fairness a tenth more. There are as many as the system has; a nested search makes those of all pairs.
//!
//! # Rejected
//!
//! - To explore the system with several workers first: a violation is often found after a few states.
//! - To store pairs: a state that is met with two states of the automaton would be expanded twice.

use crate::batch::{Gatherer, limit_of};
use crate::footprint::Footprint;
use crate::graph::{Graph, Surveyor};
use crate::names::Numbers;
use crate::options::{Options, Query, Question, Whom};
use crate::outcome::{Answer, Claim, Extent, Limit, Outcome, Progress};
use crate::reducer::Reducer;
use crate::replay::Replay;
use crate::search::{Count, statistics};
use crate::shared::Shared;
use crate::states::{Access, States};
use crate::watch::{Lead, Overseer};
use crate::worker::Tally;
use mandala_encoding::{Arrival, Incomplete, Party, Program, Sink, Stepper};
use mandala_kripke::{
    Acts, Automaton, Fairness, Growing, KripkeError, Unfold, find_lasso_within, has_run,
};
use mandala_model::step::{Turn, Violation, Ways};
use mandala_store::{Arrived, StateRef};
use std::sync::atomic::Ordering;

/// How many states are expanded between looks at the clock and calls of the observer.
const PATROL: u32 = 256;

/// What a state in the table of numbers takes, with the room that tables leave empty.
const NUMBERED_BYTES: usize = 2 * (size_of::<StateRef>() + size_of::<u32>() + 1);

/// Looks for a run that the automaton of the first question accepts, while the states are found. The conditions of the program are the
/// propositions of the automaton, by number; no claim runs along.
///
/// None if it has to be found out in another way: something is wrong that is no matter of infinite runs, the question is another one,
/// or there is too much to be numbered.
pub fn search_reading<R: Reducer>(
    program: &Program,
    options: &Options,
    reducer: R,
    observer: &mut dyn FnMut(&Progress),
) -> Option<(Outcome, R)> {
    let (automaton, fairness) = asked(options.questions.first()?)?;
    let named = fairness == Fairness::None || reducer.is_trivial();
    if !named || program.observers().claim.is_some() || program.leaves_out_steps() {
        return None;
    }
    let footprint = Footprint::new(options.gauge);
    let states = States::new(options, program.open_turn());
    let shared = Shared::new(program, options, states, 1);
    let lead = Lead::alone(&shared, footprint, observer);
    let ways = match fairness {
        Fairness::None => Ways::Alike,
        Fairness::Weak | Fairness::Strong => Ways::ByProcess,
    };
    let reading = Reading {
        stepper: shared.stepper().telling_apart(ways),
        ways,
        judge: program.interpreting_stepper(),
        access: shared.states.access(),
        shared: &shared,
        lead,
        gatherer: Gatherer::new(reducer),
        parties: Parties {
            wanted: fairness == Fairness::Weak,
            told: Vec::new(),
        },
        names: Vec::new(),
        numbers: Numbers::default(),
        holding: Vec::new(),
        tally: Tally::default(),
        since_look: 0,
    };
    reading.run(automaton, fairness)
}

/// The automaton and the fairness of a question that can be answered here.
fn asked(question: &Question) -> Option<(&Automaton, Fairness)> {
    let Query::NoRun(automaton, _) = &question.what else {
        return None;
    };
    let is_known = match question.fairness {
        Fairness::None => true,
        Fairness::Weak => question.whom == Whom::Processes,
        Fairness::Strong => false,
    };
    is_known.then_some((automaton, question.fairness))
}

/// Why the search has ended before everything was known.
enum Stop {
    /// The signals say so.
    Limit,
    /// It has to be found out in another way.
    Elsewhere,
}

impl From<KripkeError> for Stop {
    fn from(_: KripkeError) -> Self {
        Stop::Elsewhere
    }
}

/// Who takes part in the steps that are told.
#[derive(Debug)]
struct Parties {
    /// Whether anybody wants to know.
    wanted: bool,
    told: Vec<Option<Party>>,
}

/// Notes who takes part in each step, and hands it on.
struct Witness<'a, S> {
    sink: S,
    parties: &'a mut Parties,
}

impl<S: Sink> Sink for Witness<'_, S> {
    #[inline]
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        if self.parties.wanted {
            self.parties.told.push(arrival.party());
        }
        self.sink.successor(arrival, turn);
    }

    fn violation(&mut self, violation: Violation) {
        self.sink.violation(violation);
    }

    fn abandoned(&mut self) {
        self.sink.abandoned();
    }

    fn keep_going(&mut self, held: usize) -> bool {
        self.sink.keep_going(held)
    }
}

/// Whose successors are told.
#[derive(Clone, Copy)]
enum Origin {
    Start,
    State(Turn),
}

/// A search that is going on.
struct Reading<'s, 'p, R> {
    shared: &'s Shared<'p>,
    lead: Lead<'s, 'p>,
    stepper: Stepper<'p>,
    /// Which ways through atomic sequences it tells apart.
    ways: Ways,
    /// Looks at conditions: machine code would have to load its cells again after each look.
    judge: Stepper<'p>,
    gatherer: Gatherer<R>,
    access: Access<'s>,
    parties: Parties,
    /// What the nodes of the graph are called.
    names: Vec<StateRef>,
    numbers: Numbers,
    /// The conditions that hold in the state at hand.
    holding: Vec<u32>,
    tally: Tally,
    /// How many states were expanded since the last look at limits.
    since_look: u32,
}

impl<R: Reducer> Reading<'_, '_, R> {
    fn run(mut self, automaton: &Automaton, fairness: Fairness) -> Option<(Outcome, R)> {
        let has_actors = fairness == Fairness::Weak;
        let mut graph = Growing::new(self.shared.program.conditions(), has_actors);
        let begun = self.begin(&mut graph);
        let found = begun.and_then(|()| has_run(&mut graph, automaton, &mut self));
        match found {
            Ok(false) => Some(self.finish(Extent::Complete, vec![Answer::Holds(None)])),
            Ok(true) => {
                let answer = self.shown(&graph, automaton, fairness)?;
                Some(self.finish(Extent::FirstViolation, vec![answer]))
            }
            Err(Stop::Limit) => {
                let limit = self.shared.signals.limit()?;
                Some(self.finish(Extent::Limited(limit), Vec::new()))
            }
            Err(Stop::Elsewhere) => None,
        }
    }

    /// Finds the states that runs start in.
    fn begin(&mut self, graph: &mut Growing) -> Result<(), Stop> {
        self.tell(Origin::Start)?;
        self.tally.transitions = 1;
        for node in self.settle(graph)? {
            graph.start(node);
        }
        Ok(())
    }

    /// Lets the stepper tell what follows, and looks whether something is wrong with it.
    fn tell(&mut self, from: Origin) -> Result<(), Stop> {
        let lap = self.gatherer.meter.begin();
        let mut wrong = Vec::new();
        let (arrivals, packed) = self.gatherer.arrivals(
            self.shared,
            &mut self.access,
            &mut self.lead,
            &mut wrong,
            lap,
        );
        self.parties.told.clear();
        let mut witness = Witness {
            sink: arrivals,
            parties: &mut self.parties,
        };
        let oversize = match from {
            Origin::Start => self.stepper.start(&mut witness).is_err(),
            Origin::State(turn) => {
                let told = self.stepper.expand(packed, turn, &mut witness);
                told == Err(Incomplete::Oversize)
            }
        };
        let arrivals = witness.sink;
        let (lap, limit, abandoned) = (arrivals.lap, arrivals.limit, arrivals.abandoned);
        self.gatherer.meter.end(lap);
        self.tally.transitions += abandoned;
        if let Some(limit) = oversize.then_some(Limit::StateSize).or(limit) {
            self.shared.signals.stop_at(limit);
        }
        let concerns = &self.shared.options.concerns;
        match wrong.iter().any(|violation| concerns.include(violation)) {
            true => Err(Stop::Elsewhere),
            false => self.go_on(),
        }
    }

    fn go_on(&self) -> Result<(), Stop> {
        match self.shared.signals.is_stopped() {
            true => Err(Stop::Limit),
            false => Ok(()),
        }
    }

    /// Remembers the states of the batch; their numbers.
    fn settle(&mut self, graph: &mut Growing) -> Result<Vec<u32>, Stop> {
        let batch = std::mem::take(&mut self.gatherer.batch);
        let began = self.gatherer.meter.begin_insertions(batch.entries.len());
        let mut numbers = Vec::with_capacity(batch.entries.len());
        for entry in &batch.entries {
            match self.access.visited.insert(entry.prepared, 0) {
                Ok(Arrived::New(state)) => {
                    self.tally.not_canonical += u64::from(!entry.canonical);
                    self.shared.count_state();
                    numbers.push(self.number(state, graph)?);
                }
                Ok(Arrived::Seen(state)) => numbers.push(self.numbers[&state]),
                Err(full) => self.shared.signals.stop_at(limit_of(full)),
            }
        }
        self.gatherer
            .meter
            .end_insertions(began, batch.entries.len());
        self.gatherer.batch = batch;
        self.gatherer.batch.clear();
        self.go_on()?;
        Ok(numbers)
    }

    /// The number of a new state.
    fn number(&mut self, state: StateRef, graph: &mut Growing) -> Result<u32, Stop> {
        let number = graph.node()?;
        self.names.push(state);
        self.numbers.insert(state, number);
        Ok(number)
    }

    /// What is said of a step of the batch.
    fn acts(&self, step: usize) -> Result<Acts, Stop> {
        if !self.parties.wanted {
            return Ok(Acts::default());
        }
        let party = self.parties.told[step].ok_or(Stop::Elsewhere)?;
        Ok(Acts {
            acting: party.all,
            offered: Party::bit(party.first),
        })
    }

    /// Looks after limits from time to time.
    fn patrol(&mut self, held: usize) -> Result<(), Stop> {
        self.since_look += 1;
        if self.since_look >= PATROL {
            self.since_look = 0;
            let desk = &self.shared.desks[0];
            desk.taken.store(self.tally.taken, Ordering::Relaxed);
            let transitions = self.tally.transitions;
            desk.transitions.store(transitions, Ordering::Relaxed);
            let own = self.numbers.capacity() * NUMBERED_BYTES
                + self.names.capacity() * size_of::<StateRef>();
            let bytes = own + held + self.gatherer.reducer.bytes() + self.stepper.bytes();
            desk.bytes.store(bytes, Ordering::Relaxed);
            self.access.release();
            self.lead.look(0);
        }
        self.go_on()
    }

    /// A run that is accepted, from what is known of the graph.
    fn shown(
        &mut self,
        graph: &Growing,
        automaton: &Automaton,
        fairness: Fairness,
    ) -> Option<Answer> {
        self.access.release();
        let (structure, unfolded) = graph.structure().ok()?;
        let lasso = find_lasso_within(&structure, automaton, fairness, &unfolded).ok()??;
        let graph = Graph::new(std::mem::take(&mut self.names), structure);
        let mut replay = Replay::new(self.shared, &mut self.gatherer.reducer);
        // Steps have their numbers among those that are told.
        replay.stepper = self.shared.stepper().telling_apart(self.ways);
        let mut surveyor = Surveyor::new(replay, &mut self.lead);
        Some(Answer::Fails(surveyor.lasso(&graph, &lasso)))
    }

    fn finish(mut self, extent: Extent, answers: Vec<Answer>) -> (Outcome, R) {
        let count = Count {
            tally: self.tally,
            split: self.gatherer.meter.reading(),
            natively: self.stepper.expanded_natively(),
            reduces: !self.gatherer.reducer.is_trivial(),
        };
        let outcome = Outcome {
            claim: Claim::NoViolation,
            extent,
            evidence: None,
            violations: 0,
            statistics: statistics(&mut self.lead, &count),
            reached: self.stepper.coverage().clone(),
            goes_round: self.stepper.goes_round(),
            levels: Vec::new(),
            answers,
            estimate: None,
            checkpoint_error: None,
        };
        (outcome, self.gatherer.reducer)
    }
}

impl<R: Reducer> Unfold for Reading<'_, '_, R> {
    type Stop = Stop;

    fn unfold(&mut self, node: u32, graph: &mut Growing, held: usize) -> Result<(), Stop> {
        self.patrol(held + graph.bytes())?;
        let state = self.names[node as usize];
        self.tally.taken += 1;
        self.access.load(state, &mut self.gatherer.tree);
        self.tell(Origin::State(self.shared.states.turn(state)))?;
        let (begin, targets) = (graph.edges(), self.settle(graph)?);
        self.tally.expanded += 1;
        self.tally.transitions += targets.len() as u64;
        for (step, target) in targets.into_iter().enumerate() {
            graph.edge(target, self.acts(step)?)?;
        }
        let looked = self
            .judge
            .conditions(self.gatherer.tree.bytes(), &mut self.holding);
        looked.map_err(|_| Stop::Elsewhere)?;
        graph.close(node, begin, &self.holding)?;
        Ok(())
    }
}
