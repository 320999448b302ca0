//! Compares the compiled form of a model with the reference interpreter, state by state.

pub mod generator;
pub mod rules;
pub mod trio;

use mandala_encoding::{Arrival, ChainMove, Goal, Program, Sink, Stepper};
use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::ids::PropertyId;
use mandala_model::model::{Model, UncheckedModel};
use mandala_model::property::PropertyKind;
use mandala_model::step::{Actor, Observers, Turn, Violation};
use mandala_model::verify::verify;
use mandala_model::{SourceText, Sources, State};
use mandala_promela::{ParseOptions, load};
use std::collections::{HashSet, VecDeque};

/// What an exploration met.
#[derive(Debug, Default)]
pub struct Explored {
    pub states: usize,
    pub violations: Vec<Violation>,
}

/// The model that a Promela text means.
pub fn unchecked(text: &str) -> UncheckedModel {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("test.pml", text));
    let (model, diagnostics) = load(&mut sources, file, &ParseOptions::default());
    let shown: Vec<_> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    model.unwrap_or_else(|| panic!("{}\n{text}", shown.join("\n")))
}

pub fn verified(model: UncheckedModel) -> Model {
    let observed = verify(model);
    observed.unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// All observers that a model asks for.
pub fn observers(model: &Model) -> Observers {
    let mut observers = Observers::default();
    for (id, property) in (0..).map(PropertyId).zip(&model.properties) {
        match &property.kind {
            PropertyKind::Events { observer } => observers.events = Some(*observer),
            PropertyKind::Never { .. } | PropertyKind::NoRun(_) => {
                observers.claim = model.claim_of(id);
            }
            PropertyKind::Ctl { .. }
            | PropertyKind::Invariant { .. }
            | PropertyKind::Cover { .. }
            | PropertyKind::Query { .. }
            | PropertyKind::Reachable { .. }
            | PropertyKind::Remark { .. } => {}
        }
    }
    observers
}

/// Explores a Promela text with all observers that it asks for.
pub fn explore(text: &str) -> Explored {
    explore_model(&verified(unchecked(text)), usize::MAX)
}

/// Explores a model up to a number of states, and fails where the two disagree.
pub fn explore_model(model: &Model, limit: usize) -> Explored {
    let observers = observers(model);
    let program = Program::compile(model, observers).expect("the model can be compiled");
    Comparison {
        interpreter: Interpreter::new(model, observers),
        // What the interpreter does is compared with machine code elsewhere.
        stepper: program.eager_stepper(),
        finder: program.interpreting_stepper(),
        program: &program,
        waiting: VecDeque::new(),
        seen: HashSet::new(),
        violations: Vec::new(),
    }
    .run(limit)
}

struct Comparison<'a> {
    interpreter: Interpreter<'a>,
    stepper: Stepper<'a>,
    /// Tells the moves of chains.
    finder: Stepper<'a>,
    program: &'a Program,
    waiting: VecDeque<(Vec<u8>, Turn)>,
    seen: HashSet<Vec<u8>>,
    violations: Vec<Violation>,
}

impl Comparison<'_> {
    fn run(mut self, limit: usize) -> Explored {
        self.start();
        while self.seen.len() <= limit
            && let Some((packed, turn)) = self.waiting.pop_front()
        {
            self.expand(&packed, turn);
        }
        Explored {
            states: self.seen.len(),
            violations: self.violations,
        }
    }

    fn start(&mut self) {
        let mut found = Found::default();
        self.stepper
            .start(&mut found)
            .expect("the start is not too large");
        match self.interpreter.start() {
            Err(fault) => {
                assert_eq!(found.violations, [Violation::Fault(fault)]);
                assert!(found.successors.is_empty());
            }
            Ok(start) => {
                let [(packed, turn)] = found.successors.as_slice() else {
                    panic!("{} states to start in", found.successors.len());
                };
                assert_eq!((self.decoded(packed), *turn), (start.state, start.turn));
            }
        }
        self.remember(found);
    }

    fn expand(&mut self, packed: &[u8], turn: Turn) {
        let state = self.decoded(packed);
        let mut found = Found::default();
        self.stepper
            .expand(packed, turn, &mut found)
            .expect("no state is too large");
        let configuration = Configuration { state, turn };
        let (successors, violations) = self.expected(&configuration);
        let got: HashSet<_> = found
            .successors
            .iter()
            .map(|(p, t)| (self.decoded(p), *t))
            .collect();
        assert_eq!(got, successors, "successors of {configuration:?}");
        let wrong: HashSet<_> = found.violations.iter().cloned().collect();
        assert_eq!(wrong, violations, "violations from {configuration:?}");
        self.find_again(packed, &configuration, &found);
        self.remember(found);
    }

    /// Looks for the first and the last successor and for each violation once more. The interpreter makes the moves that are told.
    fn find_again(&mut self, packed: &[u8], from: &Configuration, found: &Found) {
        let here = self.interpreter.verdicts_here(from);
        let successors = found.successors.iter();
        for (wanted, _) in successors.clone().take(1).chain(successors.last()) {
            let mut goal = Wanted::new(|met| matches!(met, Met::Successor(p) if p == wanted));
            let chain = self.finder.chain_to(packed, from.turn, &mut goal);
            let chain = chain.expect("room").expect("a chain");
            let state = self.decoded(wanted);
            let leads = |step: &Move| step.remembered_next().is_some_and(|c| c.state == state);
            assert!(self.makes(from, &chain, &leads), "{chain:?} {from:?}");
        }
        for wanted in found.violations.iter().filter(|v| !here.contains(v)) {
            let mut goal = Wanted::new(|met| matches!(met, Met::Violation(v) if v == wanted));
            let chain = self.finder.chain_to(packed, from.turn, &mut goal);
            let chain = chain.expect("room").expect("a chain");
            let shows = |step: &Move| step.violations.contains(wanted);
            assert!(self.makes(from, &chain, &shows), "{chain:?} {from:?}");
        }
        let mut goal = Wanted::new(|_| false);
        let chain = self.finder.chain_to(packed, from.turn, &mut goal);
        assert_eq!(chain, Ok(None), "nothing is wanted");
    }

    /// Whether the interpreter can make those moves, and the last one is as it should be.
    fn makes(
        &self,
        from: &Configuration,
        chain: &[ChainMove],
        is_wanted: &dyn Fn(&Move) -> bool,
    ) -> bool {
        let mut tips = vec![from.clone()];
        for (index, step) in chain.iter().enumerate() {
            let made = tips.iter().flat_map(|at| self.matching(at, step));
            let made: Vec<Move> = made.collect();
            if index + 1 == chain.len() && made.iter().any(is_wanted) {
                return true;
            }
            tips = made
                .iter()
                .filter_map(|made| made.passed_next().cloned())
                .collect();
        }
        // A step that fails before it is made is none of the moves.
        let ends = tips.iter().flat_map(|at| self.interpreter.moves(at));
        ends.into_iter().any(|end| is_wanted(&end))
    }

    fn matching(&self, at: &Configuration, step: &ChainMove) -> Vec<Move> {
        let mut moves = self.interpreter.moves(at);
        moves.retain(|made| {
            let actor = step.process.map_or(Actor::Claim, Actor::Process);
            let partner = made.label.partner.map(|(p, edge)| (p, edge.index));
            let (edge, choice) = (made.label.edge.index, made.label.choice);
            (made.label.actor, edge, choice, partner)
                == (actor, step.edge, step.choice, step.partner)
        });
        moves
    }

    /// What the interpreter says.
    fn expected(&self, from: &Configuration) -> (HashSet<(State, Turn)>, HashSet<Violation>) {
        let mut violations: HashSet<_> = self.interpreter.verdict_here(from).into_iter().collect();
        // That a claim has ended is told on arrival, not once more afterwards.
        violations.remove(&Violation::ClaimEnded);
        let mut successors = HashSet::new();
        for chain in self.interpreter.macro_steps(from) {
            violations.extend(chain.steps.iter().flat_map(|step| step.violations.clone()));
            successors.extend(chain.successor().map(|c| (c.state.clone(), c.turn)));
        }
        (successors, violations)
    }

    fn remember(&mut self, found: Found) {
        self.violations.extend(found.violations);
        for (packed, turn) in found.successors {
            if self.seen.insert(packed.clone()) {
                self.waiting.push_back((packed, turn));
            }
        }
    }

    /// The state, after a check that it is packed in no other way.
    fn decoded(&self, packed: &[u8]) -> State {
        let state = self.program.decode(packed).expect("a state of the program");
        assert_eq!(self.program.encode(&state).as_deref(), Some(packed));
        state
    }
}

#[derive(Default)]
struct Found {
    successors: Vec<(Vec<u8>, Turn)>,
    violations: Vec<Violation>,
}

impl Sink for Found {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        self.successors.push((arrival.packed().to_vec(), turn));
    }

    fn violation(&mut self, violation: Violation) {
        self.violations.push(violation);
    }
}

/// What is told.
enum Met<'a> {
    Successor(&'a [u8]),
    Violation(&'a Violation),
}

/// Waits for something to be told.
struct Wanted<F> {
    is_wanted: F,
    met: bool,
}

impl<F: FnMut(Met<'_>) -> bool> Wanted<F> {
    fn new(is_wanted: F) -> Self {
        Wanted {
            is_wanted,
            met: false,
        }
    }
}

impl<F: FnMut(Met<'_>) -> bool> Sink for Wanted<F> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        self.met = self.met || (self.is_wanted)(Met::Successor(arrival.packed()));
    }

    fn violation(&mut self, violation: Violation) {
        self.met = self.met || (self.is_wanted)(Met::Violation(&violation));
    }
}

impl<F: FnMut(Met<'_>) -> bool> Goal for Wanted<F> {
    fn is_met(&self) -> bool {
        self.met
    }
}
