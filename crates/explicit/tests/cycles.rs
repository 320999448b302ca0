//! Accepting cycles: nested depth-first search against brute force on random graphs.

use crate::common::model;
use mandala_encoding::Program;
use mandala_explicit::{AfterViolation, Cycles, ExplicitOutcome, Extent, Options, search};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::ids::PropertyId;
use mandala_model::property::PropertyKind;
use mandala_model::step::{Observers, Violation};

/// Numbers that look random: the same ones every time.
struct RandomSource(u64);

impl RandomSource {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

/// A graph whose node 0 is the start, and its accepting nodes.
struct Graph {
    steps: Vec<Vec<usize>>,
    accepting: Vec<bool>,
}

impl Graph {
    fn random(dice: &mut RandomSource) -> Self {
        let nodes = 1 + dice.below(8);
        let steps = (0..nodes).map(|_| (0..dice.below(3)).map(|_| dice.below(nodes)).collect());
        Graph {
            steps: steps.collect(),
            accepting: (0..nodes).map(|_| dice.below(3) == 0).collect(),
        }
    }

    /// A process that walks along the steps; where there is none it stops.
    fn model(&self) -> Model {
        let mut text = String::from("byte x;\nactive proctype walk() {\nend: do\n");
        for (from, to) in self.steps.iter().enumerate() {
            for to in to {
                text += &format!(":: atomic {{ x == {from} -> x = {to} }}\n");
            }
        }
        let met: Vec<String> = (0..self.accepting.len())
            .filter(|&node| self.accepting[node])
            .map(|node| format!("x == {node}"))
            .collect();
        let met = if met.is_empty() {
            "false".into()
        } else {
            met.join(" || ")
        };
        text += ":: false\nod }\n";
        text += &format!("ltl seldom {{ <>[] !({met}) }}\n");
        model(&text)
    }

    fn reachable(&self, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.steps.len()];
        let mut open: Vec<usize> = from.into_iter().collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                open.extend(&self.steps[node]);
            }
        }
        reached
    }

    /// Whether a run meets accepting nodes for ever: it goes round through one, or stops there.
    fn has_accepting_run(&self) -> bool {
        let reachable = self.reachable([0]);
        (0..self.steps.len()).any(|node| {
            let comes_back = self.reachable(self.steps[node].iter().copied())[node];
            let stops = self.steps[node].is_empty();
            reachable[node] && self.accepting[node] && (comes_back || stops)
        })
    }
}

fn observers(model: &Model) -> Observers {
    let mut properties = (0..).map(PropertyId).zip(&model.properties);
    let claim = properties.find_map(|(id, property)| match &property.kind {
        PropertyKind::NoRun(_) => Some(Claim::Automaton(id)),
        _ => None,
    });
    Observers {
        claim,
        events: None,
        asked: None,
    }
}

/// Whatever the order, the same states are met, also where the system has stopped.
fn program(model: &Model) -> Program {
    let program = Program::compile(model, observers(model)).expect("it is small");
    program.keeping_stutter()
}

fn nested(model: &Model, on_violation: AfterViolation) -> ExplicitOutcome {
    let program = program(model);
    let options = Options {
        cycles: Cycles::Nested,
        on_violation,
        ..Options::default()
    };
    search(&program, &options, &mut |_| {}).expect("the options go together")
}

/// The interpreter finds a step between any two states that come after each other, and the last is where the cycle begins.
fn follow(model: &Model, outcome: &ExplicitOutcome) {
    let evidence = outcome.evidence.as_ref().expect("evidence");
    assert_eq!(evidence.violation, Violation::Cycle);
    let visits = evidence.path.iter().chain(&evidence.cycle);
    let states: Vec<_> = visits.map(|visit| visit.state.clone()).collect();
    assert_eq!(
        states.last(),
        evidence.path.last().map(|visit| &visit.state)
    );
    assert!(
        !evidence.cycle.is_empty(),
        "with a claim every state has a successor"
    );
    let interpreter = Interpreter::new(model, observers(model));
    let start = interpreter.start().expect("a start");
    assert_eq!(start.state, states[0]);
    let mut here: Vec<Configuration> = vec![start];
    for state in &states[1..] {
        let steps = here.iter().flat_map(|from| interpreter.macro_steps(from));
        let next = steps.filter_map(|step| step.successor().cloned());
        here = next.filter(|next| next.state == *state).collect();
        assert!(!here.is_empty(), "no step leads to {state:?}");
    }
}

#[test]
fn nested_search_finds_a_cycle_iff_there_is_one() {
    let mut dice = RandomSource(7);
    let mut found = 0;
    for _ in 0..400 {
        let graph = Graph::random(&mut dice);
        let model = graph.model();
        let outcome = nested(&model, AfterViolation::Stop);
        let expected = graph.has_accepting_run();
        assert_eq!(outcome.evidence.is_some(), expected, "{:?}", graph.steps);
        match expected {
            true => follow(&model, &outcome),
            false => assert_eq!(outcome.extent, Extent::Complete),
        }
        found += usize::from(expected);
    }
    assert!((50..350).contains(&found), "{found} of 400 have one");
}

#[test]
fn going_on_after_a_cycle_visits_everything() {
    let mut dice = RandomSource(11);
    for _ in 0..100 {
        let model = Graph::random(&mut dice).model();
        let all = nested(&model, AfterViolation::GoOn);
        let first = nested(&model, AfterViolation::Stop);
        assert_eq!(all.extent, Extent::Complete);
        assert_eq!(all.violations.is_empty(), first.violations.is_empty());
        let program = program(&model);
        let plain = Options {
            on_violation: AfterViolation::GoOn,
            ..Options::default()
        };
        let plain = search(&program, &plain, &mut |_| {}).expect("the options go together");
        assert_eq!(all.statistics.states, plain.statistics.states);
        assert_eq!(all.statistics.transitions, plain.statistics.transitions);
    }
}

#[test]
fn a_claim_that_is_at_its_end_from_the_start_is_violated_there() {
    let model = model(
        "byte x; active proctype p() { do :: x = 1 - x od }
         never { end0: do :: x == 0 od; accept1: do :: true od }",
    );
    let claim = model
        .properties
        .iter()
        .find_map(|property| match property.kind {
            PropertyKind::Never { claim } => Some(Claim::Template(claim)),
            _ => None,
        });
    let observers = Observers {
        claim,
        events: None,
        asked: None,
    };
    let program = Program::compile(&model, observers).expect("it is small");
    let options = Options {
        cycles: Cycles::Nested,
        ..Options::default()
    };
    let outcome = search(&program, &options, &mut |_| {}).expect("the options go together");
    let evidence = outcome.evidence.expect("a violation");
    assert_eq!(evidence.violation, Violation::ClaimEnded);
    assert_eq!(evidence.path.len(), 1, "the start itself");
}
