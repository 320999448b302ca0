//! The product of the system with a state-based Büchi automaton, searched while the states of the system are found.
//!
//! # The algorithm
//!
//! Most claims only observe. What such a claim sees of a state is which of some conditions hold there, and that is evaluated once for each
//! state, whatever the claim has seen before. So the system is explored alone: a state is stored once and expanded once, by machine code,
//! and its successors are written down as numbers. The pairs of a state and a state of the automaton are numbers, too, and
//! [`mandala_kripke::has_run`] searches them depth first, in the order in which steps are told; it asks for the successors of a state when it
//! gets there. Where runs have to be weakly fair, an edge also says who takes part in the step and whose it is. The search ends with the
//! first strongly connected component in which there is an accepted run.
//!
//! Then the part of the graph that is known is a graph as [`crate::graph`] makes it, and a short run is found in it and shown in the same way.
//!
//! # Why it is right with symmetry
//!
//! For the reasons that are given in [`crate::graph`]. Process ids are not followed along renamings, so this is for runs that need not be fair, or for
//! states that represent only themselves.
//!
//! # What is left to others
//!
//! A violation in a step may belong to a run that the automaton does not follow. Then there is no answer here, and a search in which the
//! claim runs along has to find out. The same goes for conditions that fail, and for more processes than a word has bits.
//!
//! # Depth
//!
//! The depth of a state is the number of steps of the product by which the search first came to it, and is what is reported.
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

use crate::expander::{Expansion, Visitor};
use crate::footprint::Footprint;
use crate::graph::{Graph, Survey};
use crate::handles::{NUMBERED_BYTES, Numbers};
use crate::options::{GraphQuestion, Options, Proposition, Query, Whom};
use crate::outcome::{Answer, ExplicitOutcome, Extent, Progress};
use crate::shared::Shared;
use crate::solo::{Conclusion, Solo};
use crate::states::States;
use crate::successors::Generator;
use crate::tally::START;
use mandala_encoding::{Arrival, Party, Program, Stepper};
use mandala_kripke::{
    Acceptor, Acts, Fairness, Growing, KripkeError, Unfold, find_lasso_within, has_run,
};
use mandala_model::step::Ways;
use mandala_reduce::Reducer;
use mandala_store::{Arrived, StateRef};

/// Looks for a run that the automaton of the first question accepts, while the states are found. The propositions of
/// the automaton are conditions of the program; no claim runs along.
///
/// None if it has to be found out in another way: there is a violation of safety, the question is another one,
/// or there is too much to be numbered.
pub fn search_product<R: Reducer>(
    program: &Program,
    options: &Options,
    reducer: R,
    observer: &mut dyn FnMut(&Progress),
) -> Option<(ExplicitOutcome, R)> {
    let (acceptor, fairness) = asked(options.questions.first()?)?;
    let named = fairness == Fairness::None || reducer.is_trivial();
    if !named || program.observers().claim.is_some() || program.leaves_out_steps() {
        return None;
    }
    let footprint = Footprint::new(options.gauge);
    let states = States::new(options, program.open_turn());
    let shared = Shared::new(program, options, states, 1);
    let ways = match fairness {
        Fairness::None => Ways::Alike,
        Fairness::Weak | Fairness::Strong => Ways::ByProcess,
    };
    let successors = Generator::Full(shared.stepper().telling_apart(ways));
    let product = Product {
        solo: Solo::new(&shared, footprint, observer, successors, reducer),
        ways,
        conditions: program.interpreting_stepper(),
        has_actors: fairness == Fairness::Weak,
        nodes: Nodes::default(),
        propositions: options.propositions.len(),
        columns: columns(program, &options.propositions)?,
        holding: Vec::new(),
    };
    product.run(acceptor, fairness)
}

/// The numbers of the propositions that the conditions of the program are; none if there are propositions of another kind.
fn columns(program: &Program, propositions: &[Proposition]) -> Option<Vec<u32>> {
    let mut columns = vec![None; program.conditions()];
    for (number, proposition) in (0..).zip(propositions) {
        match proposition {
            Proposition::Condition(condition) => *columns.get_mut(*condition)? = Some(number),
            Proposition::Unasked => {}
            _ => return None,
        }
    }
    columns.into_iter().collect()
}

/// The automaton and the fairness of a question that can be answered here.
fn asked(question: &GraphQuestion) -> Option<(&Acceptor, Fairness)> {
    let Query::NoRun(acceptor, _) = &question.what else {
        return None;
    };
    let is_known = match question.fairness {
        Fairness::None => true,
        Fairness::Weak => question.whom == Whom::Processes,
        Fairness::Strong => false,
    };
    is_known.then_some((acceptor, question.fairness))
}

/// Why the search has ended before everything was known.
enum Stop {
    /// A limit was reached.
    Limit,
    /// It has to be found out in another way.
    Elsewhere,
}

impl From<KripkeError> for Stop {
    fn from(_: KripkeError) -> Self {
        Stop::Elsewhere
    }
}

/// The states that have numbers.
#[derive(Debug, Default)]
struct Nodes {
    /// By number.
    states: Vec<StateRef>,
    numbers: Numbers,
}

impl Nodes {
    fn bytes(&self) -> usize {
        self.numbers.capacity() * NUMBERED_BYTES + self.states.capacity() * size_of::<StateRef>()
    }
}

/// Numbers the successors of a state, and notes who takes part in the steps to them.
struct Numbering<'a> {
    nodes: &'a mut Nodes,
    graph: &'a mut Growing,
    /// Whether runs have to be fair, so that it matters who takes part.
    has_actors: bool,
    parties: Vec<Option<Party>>,
    targets: Vec<u32>,
    error: Option<KripkeError>,
}

impl Numbering<'_> {
    /// The number of a new state.
    fn number(&mut self, state: StateRef) -> Result<u32, KripkeError> {
        let number = self.graph.node()?;
        self.nodes.states.push(state);
        self.nodes.numbers.insert(state, number);
        Ok(number)
    }

    /// The actors of a step.
    fn acts(&self, step: usize) -> Result<Acts, Stop> {
        if !self.has_actors {
            return Ok(Acts::default());
        }
        let party = self.parties[step].ok_or(Stop::Elsewhere)?;
        Ok(Acts {
            acting: party.all,
            offered: Party::bit(party.first),
        })
    }

    /// Adds the edges of the node whose successors these are.
    fn add_edges(mut self) -> Result<(), Stop> {
        self.error.take().map_or(Ok(()), Err)?;
        for (step, &target) in self.targets.iter().enumerate() {
            let acts = self.acts(step)?;
            self.graph.edge(target, acts)?;
        }
        Ok(())
    }
}

impl Visitor for Numbering<'_> {
    fn takes_notes(&self) -> bool {
        self.has_actors
    }

    fn note(&mut self, arrival: &mut Arrival<'_, '_>, _: &mut dyn Reducer) {
        self.parties.push(arrival.party());
    }

    fn depth(&self) -> u32 {
        0
    }

    fn met(&mut self, arrived: Arrived) {
        let number = match arrived {
            Arrived::New(state) => self.number(state),
            Arrived::Seen(state) => Ok(self.nodes.numbers[&state]),
        };
        match number {
            Ok(number) => self.targets.push(number),
            Err(error) => self.error = Some(error),
        }
    }
}

/// A search that is going on.
struct Product<'s, 'p, R> {
    solo: Solo<'s, 'p, R>,
    /// Which ways through atomic sequences are distinguished.
    ways: Ways,
    /// Evaluates conditions: machine code would have to load its cells again after each.
    conditions: Stepper<'p>,
    has_actors: bool,
    /// The nodes of the graph.
    nodes: Nodes,
    /// The number of propositions.
    propositions: usize,
    /// For each condition of the program, the number of the proposition that it is.
    columns: Vec<u32>,
    /// The propositions that hold in the state at hand.
    holding: Vec<u32>,
}

impl<R: Reducer> Product<'_, '_, R> {
    fn run(mut self, acceptor: &Acceptor, fairness: Fairness) -> Option<(ExplicitOutcome, R)> {
        let mut graph = Growing::new(self.propositions, self.has_actors);
        let begun = self.begin(&mut graph);
        let found = begun.and_then(|()| has_run(&mut graph, acceptor, &mut self));
        match found {
            Ok(false) => Some(self.finish(Extent::Complete, vec![Answer::Holds(None)])),
            Ok(true) => {
                let answer = self.shown(&graph, acceptor, fairness)?;
                Some(self.finish(Extent::FirstViolation, vec![answer]))
            }
            Err(Stop::Limit) => {
                let limit = self.solo.shared.signals.limit()?;
                Some(self.finish(Extent::Limited(limit), Vec::new()))
            }
            Err(Stop::Elsewhere) => None,
        }
    }

    /// Finds the states that runs start in.
    fn begin(&mut self, graph: &mut Growing) -> Result<(), Stop> {
        let mut starts = numbering(&mut self.nodes, graph, self.has_actors);
        self.solo.start(&mut starts);
        let Numbering { targets, error, .. } = starts;
        let tally = self.solo.tally();
        (tally.transitions, tally.fired) = (START, START);
        go_on(&mut self.solo, Expansion::Irregular)?;
        error.map_or(Ok(()), Err)?;
        targets.into_iter().for_each(|node| graph.start(node));
        Ok(())
    }

    /// A run that is accepted, from what is known of the graph.
    fn shown(
        &mut self,
        graph: &Growing,
        acceptor: &Acceptor,
        fairness: Fairness,
    ) -> Option<Answer> {
        self.solo.access.release();
        let (structure, unfolded) = graph.structure().ok()?;
        let lasso = find_lasso_within(&structure, acceptor, fairness, &unfolded).ok()??;
        let graph = Graph::new(std::mem::take(&mut self.nodes.states), structure);
        let reducer = &mut self.solo.expander.gatherer.reducer;
        // Steps have their numbers among those that are told.
        let stepper = self.solo.shared.stepper().telling_apart(self.ways);
        let mut survey = Survey::new(&graph, self.solo.shared, reducer, stepper);
        Some(Answer::Fails(survey.lasso(&lasso)))
    }

    fn finish(mut self, extent: Extent, answers: Vec<Answer>) -> (ExplicitOutcome, R) {
        let conclusion = Conclusion {
            extent,
            numbers: self.solo.numbers(),
            evidence: None,
            answers,
        };
        self.solo.finish(conclusion)
    }
}

/// Whether the search goes on after an expansion.
fn go_on<R: Reducer>(solo: &mut Solo<'_, '_, R>, expansion: Expansion) -> Result<(), Stop> {
    if expansion == Expansion::Irregular {
        let violations = solo.expander.take_violations();
        if solo.shared.first_counted(&violations).is_some() {
            return Err(Stop::Elsewhere);
        }
    }
    match solo.is_running() {
        true => Ok(()),
        false => Err(Stop::Limit),
    }
}

fn numbering<'a>(nodes: &'a mut Nodes, graph: &'a mut Growing, has_actors: bool) -> Numbering<'a> {
    Numbering {
        nodes,
        graph,
        has_actors,
        parties: Vec::new(),
        targets: Vec::new(),
        error: None,
    }
}

impl<R: Reducer> Unfold for Product<'_, '_, R> {
    type Stop = Stop;

    fn unfold(
        &mut self,
        node: u32,
        depth: u32,
        graph: &mut Growing,
        held: usize,
    ) -> Result<(), Stop> {
        let own = held + graph.bytes() + self.nodes.bytes();
        self.solo.check_limits(|| own);
        go_on(&mut self.solo, Expansion::Done)?;
        let state = self.nodes.states[node as usize];
        self.solo.expander.take(depth);
        let begin = graph.edges();
        let mut successors = numbering(&mut self.nodes, graph, self.has_actors);
        let expansion = self.solo.expand(state, &mut successors);
        go_on(&mut self.solo, expansion)?;
        successors.add_edges()?;
        let packed = self.solo.expander.packed();
        let evaluated = self.conditions.conditions(packed, &mut self.holding);
        evaluated.map_err(|_| Stop::Elsewhere)?;
        for condition in &mut self.holding {
            *condition = self.columns[*condition as usize];
        }
        graph.close(node, begin, &self.holding)?;
        Ok(())
    }
}
