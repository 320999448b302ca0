//! Compares the compiled form of a model with the reference interpreter, state by state.

pub mod generator;
pub mod rules;
pub mod trio;

use mandala_encoding::{Arrival, Program, Sink, Stepper};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::model::{Model, UncheckedModel};
use mandala_model::property::PropertyKind;
use mandala_model::step::{Observers, Turn, Violation};
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
    verify(model).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// All observers that a model asks for.
pub fn observers(model: &Model) -> Observers {
    let mut observers = Observers::default();
    for property in &model.properties {
        match property.kind {
            PropertyKind::Events { observer } => observers.events = Some(observer),
            PropertyKind::Never { claim } | PropertyKind::Ltl { claim, .. } => {
                observers.claim = Some(claim)
            }
            PropertyKind::Ctl { .. }
            | PropertyKind::Progress { .. }
            | PropertyKind::Accept { .. }
            | PropertyKind::Invariant { .. }
            | PropertyKind::Cover { .. }
            | PropertyKind::Reachable { .. } => {}
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
        self.remember(found);
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
