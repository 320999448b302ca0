//! Three ways to explore a system of rules: the reference interpreter, the interpreter of the compiled form, machine code.

use mandala_encoding::{Arrival, Coverage, Program, Sink, Stepper};
use mandala_interpreter::{Configuration, Interpreter, MacroStep};
use mandala_model::step::{Observers, Turn, Violation};
use mandala_model::{Model, State};
use std::collections::{HashSet, VecDeque};

/// What an exploration has met.
#[derive(Debug, Default)]
pub struct Explored {
    pub starts: usize,
    pub states: usize,
    /// Steps that were taken, those that lead nowhere included.
    pub fired: usize,
    pub violations: Vec<Violation>,
    pub natively: u64,
}

#[derive(Debug, Default, PartialEq)]
struct Told {
    successors: Vec<(Vec<u8>, Turn)>,
    cells: Vec<Vec<i64>>,
    violations: Vec<Violation>,
    abandoned: usize,
}

impl Sink for Told {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        self.cells.push(arrival.cells().to_vec());
        self.successors.push((arrival.packed().to_vec(), turn));
    }

    fn violation(&mut self, violation: Violation) {
        self.violations.push(violation);
    }

    fn abandoned(&mut self, _: u64) {
        self.abandoned += 1;
    }
}

struct Trio<'m, 'p> {
    interpreter: Interpreter<'m>,
    program: &'p Program,
    compiled: Stepper<'p>,
    native: Stepper<'p>,
}

impl Trio<'_, '_> {
    fn start(&mut self) -> Told {
        let (mut told, mut again) = (Told::default(), Told::default());
        self.compiled.start(&mut told).expect("a small start");
        self.native.start(&mut again).expect("a small start");
        assert_eq!(told, again, "the start, machine code");
        let start = self.interpreter.start().expect("a start");
        assert_eq!(start.turn, Turn::Held(0));
        self.agrees(&told, &self.interpreter.macro_steps(&start), Vec::new());
        told
    }

    fn expand(&mut self, packed: &[u8], turn: Turn) -> Told {
        let (mut told, mut again) = (Told::default(), Told::default());
        self.compiled.expand(packed, turn, &mut told).expect("room");
        self.native.expand(packed, turn, &mut again).expect("room");
        assert_eq!(again, told, "machine code");
        let state = self.decoded(packed);
        let from = Configuration { state, turn };
        let here = self.interpreter.verdicts_here(&from);
        self.agrees(&told, &self.interpreter.macro_steps(&from), here);
        told
    }

    /// Whether what is told is what the reference interpreter does.
    fn agrees(&self, told: &Told, chains: &[MacroStep], here: Vec<Violation>) {
        let steps = chains.iter().flat_map(|chain| chain.steps.last());
        let met = steps.clone().flat_map(|step| step.violations.clone());
        let expected: Vec<Violation> = here.into_iter().chain(met).collect();
        assert_eq!(sorted(&told.violations), sorted(&expected), "violations");
        let successors = chains.iter().filter_map(MacroStep::successor);
        let successors: Vec<(State, Turn)> =
            successors.map(|c| (c.state.clone(), c.turn)).collect();
        let got = told.successors.iter();
        let got: Vec<(State, Turn)> = got.map(|(p, t)| (self.decoded(p), *t)).collect();
        assert_eq!(got, successors, "successors");
        let idle = steps.filter(|step| step.next.is_none() && step.violations.is_empty());
        assert_eq!(
            told.abandoned,
            idle.count(),
            "steps without a state after them"
        );
    }

    fn decoded(&self, packed: &[u8]) -> State {
        self.program.decode(packed).expect("a state")
    }
}

fn sorted(violations: &[Violation]) -> Vec<String> {
    let mut all: Vec<String> = violations.iter().map(|v| format!("{v:?}")).collect();
    all.sort();
    all
}

/// Explores a model in three ways, and fails where they disagree.
#[track_caller]
pub fn explore(model: &Model) -> (Explored, Coverage) {
    explore_some(model, usize::MAX)
}

/// The same up to a number of states.
#[track_caller]
pub fn explore_some(model: &Model, limit: usize) -> (Explored, Coverage) {
    let program = Program::compile(model, Observers::default()).expect("it can be compiled");
    let mut trio = Trio {
        interpreter: Interpreter::new(model, Observers::default()),
        program: &program,
        compiled: program.interpreting_stepper(),
        native: program.eager_stepper(),
    };
    let mut explored = Explored::default();
    let told = trio.start();
    explored.violations.extend(told.violations);
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::new();
    let remember =
        |next: Vec<(Vec<u8>, Turn)>, waiting: &mut VecDeque<_>, seen: &mut HashSet<_>| {
            for (state, turn) in next {
                if seen.insert(state.clone()) {
                    waiting.push_back((state, turn));
                }
            }
        };
    remember(told.successors, &mut waiting, &mut seen);
    explored.starts = seen.len();
    let mut expanded = 0;
    while expanded < limit
        && let Some((state, turn)) = waiting.pop_front()
    {
        expanded += 1;
        let told = trio.expand(&state, turn);
        explored.fired += told.successors.len() + told.abandoned;
        explored.violations.extend(told.violations);
        remember(told.successors, &mut waiting, &mut seen);
    }
    explored.states = seen.len();
    explored.natively = trio.native.expanded_natively();
    assert_eq!(trio.compiled.coverage(), trio.native.coverage(), "coverage");
    assert_eq!(
        trio.compiled.has_atomic_cycle(),
        trio.native.has_atomic_cycle()
    );
    (explored, trio.compiled.coverage().clone())
}
