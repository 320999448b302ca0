//! Moves that twins have in common: machine code that processes share admits the same ones as the interpreter, with the same weights.

use crate::common::{observers, unchecked, verified};
use mandala_encoding::{Arrival, Program, Roles, Sink, Stepper};
use mandala_model::Model;
use mandala_model::step::{Turn, Violation};
use std::collections::{HashSet, VecDeque};

/// Process 0 has no name. The others have, and the numbers of their names are not their own: whoever takes the one for the other asks about somebody else.
const MODEL: &str = "byte n; chan c = [0] of { byte };
    active proctype A() { do :: c?_ :: n < 3 -> n++ od }
    active [6] proctype B() { do :: n > 0 -> n-- :: c!1 :: c?_ :: atomic { n == 2 -> n = 0 } od }";

/// How many processes have names.
const NAMED: u32 = 6;

/// How far the name of a process is from its number.
const DISTANCE: u32 = 3;

#[derive(Debug, Default, PartialEq)]
struct Told(Vec<(Vec<u8>, u64)>);

impl Sink for Told {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        let weight = arrival.weight();
        self.0.push((arrival.packed().to_vec(), weight));
    }

    fn violation(&mut self, violation: Violation) {
        panic!("{violation:?}");
    }
}

fn program(model: &Model) -> Program {
    let program = Program::compile(model, observers(model)).expect("it is small");
    let named = (1..=NAMED).map(|number| Some(number + DISTANCE));
    let processes = std::iter::once(None).chain(named).collect();
    let roles = Roles::new(&program, NAMED + DISTANCE + 1, processes, |_, _, _| None);
    program.firing_once(roles)
}

/// What is told of a state in which the processes of each class are twins.
fn expand(stepper: &mut Stepper<'_>, state: &[u8], classes: &[Vec<u32>]) -> Told {
    let twins = stepper.twins();
    twins.clear();
    for class in classes {
        twins.add_class(
            class
                .iter()
                .map(|number| std::iter::once(number + DISTANCE)),
        );
    }
    let mut told = Told::default();
    let expanded = stepper.expand(state, Turn::Free, &mut told);
    expanded.expect("nothing is in the way");
    stepper.twins().clear();
    told
}

/// Classes of processes, the last first, as they are tried.
fn classes(bits: u32) -> Vec<Vec<u32>> {
    let split = |of: u32| (1..=NAMED).rev().filter(move |p| bits >> p & 1 == of);
    let classes = [split(0), split(1)].map(Iterator::collect::<Vec<_>>);
    classes
        .into_iter()
        .filter(|class| class.len() > 1)
        .collect()
}

#[test]
fn shared_code_asks_about_the_names_of_those_who_move() {
    let model = verified(unchecked(MODEL));
    let program = program(&model);
    let mut native = program.eager_stepper();
    let mut interpreting = program.interpreting_stepper();
    let mut start = Told::default();
    native.start(&mut start).expect("there is a start");
    let mut waiting: VecDeque<_> = start.0.into();
    let mut seen = HashSet::new();
    while let Some((state, _)) = waiting.pop_front() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let all = expand(&mut interpreting, &state, &[]);
        for bits in (0..1 << (NAMED + 1)).step_by(11) {
            // Whoever is told to be a twin is one as far as the code goes.
            let classes = classes(bits);
            let told = expand(&mut native, &state, &classes);
            assert_eq!(
                told,
                expand(&mut interpreting, &state, &classes),
                "{classes:?}"
            );
        }
        waiting.extend(all.0);
    }
    assert!(seen.len() >= 4 && native.expanded_natively() > 100);
}

#[test]
fn the_moves_of_twins_count_for_all_of_them() {
    let model = verified(unchecked(MODEL));
    let program = program(&model);
    let mut native = program.eager_stepper();
    let mut start = Told::default();
    native.start(&mut start).expect("there is a start");
    let (state, _) = start.0.remove(0);
    let everybody: Vec<u32> = (1..=NAMED).rev().collect();
    for _ in 0..3 {
        let all = expand(&mut native, &state, &[]);
        let once = expand(&mut native, &state, std::slice::from_ref(&everybody));
        let weights: u64 = once.0.iter().map(|(_, weight)| weight).sum();
        assert_eq!(weights, all.0.len() as u64);
        // One sends to A, one to another; A moves alone.
        let mut weights: Vec<u64> = once.0.iter().map(|(_, weight)| *weight).collect();
        weights.sort_unstable();
        assert_eq!(weights, [1, 6, 30]);
    }
    assert!(native.expanded_natively() > 0);
}
