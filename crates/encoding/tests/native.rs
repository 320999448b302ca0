//! Machine code and the interpreter agree: the same successors in the same order, the same violations, the same counts.
#![allow(clippy::print_stdout)]

use crate::common::generator::{Random, shrunk};
use crate::common::{observers, unchecked, verified};
use mandala_encoding::{Arrival, Program, Sink, Stepper};
use mandala_model::Model;
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::step::{Observers, Turn, Violation};
use std::collections::{HashSet, VecDeque};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// How many random models are compared.
const SEEDS: u64 = 600;

#[derive(Debug, Default, PartialEq)]
struct Told {
    successors: Vec<(Vec<u8>, Turn)>,
    cells: Vec<Vec<i64>>,
    violations: Vec<Violation>,
}

impl Sink for Told {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        self.cells.push(arrival.cells().to_vec());
        self.successors.push((arrival.packed().to_vec(), turn));
    }

    fn violation(&mut self, violation: Violation) {
        self.violations.push(violation);
    }
}

/// How many states were compared, and how many of those machine code has expanded.
pub struct Compared {
    pub states: usize,
    pub natively: u64,
    has_atomic_cycle: bool,
}

/// Explores a model with all that observes it up to a number of states both ways, and fails where the two disagree.
fn compare(model: &Model, limit: usize) -> Compared {
    compare_with(model, observers(model), limit)
}

/// The same with certain observers.
pub fn compare_with(model: &Model, observers: Observers, limit: usize) -> Compared {
    let program = Program::compile(model, observers).expect("the model can be compiled");
    let mut native = program.eager_stepper();
    let mut interpreting = program.interpreting_stepper();
    let mut told = Told::default();
    let _ = native.start(&mut told);
    let _ = interpreting.start(&mut Told::default());
    let mut waiting: VecDeque<_> = told.successors.into();
    let mut seen: HashSet<Vec<u8>> = waiting.iter().map(|(state, _)| state.clone()).collect();
    let mut states = 0;
    while states < limit
        && let Some((state, turn)) = waiting.pop_front()
    {
        states += 1;
        let told = expand_both(&mut native, &mut interpreting, &state, turn);
        for (next, turn) in told.successors {
            if seen.insert(next.clone()) {
                waiting.push_back((next, turn));
            }
        }
    }
    assert_eq!(native.coverage(), interpreting.coverage(), "coverage");
    assert_eq!(
        native.has_atomic_cycle(),
        interpreting.has_atomic_cycle(),
        "circles"
    );
    Compared {
        states,
        natively: native.expanded_natively(),
        has_atomic_cycle: native.has_atomic_cycle(),
    }
}

fn expand_both(
    native: &mut Stepper<'_>,
    interpreting: &mut Stepper<'_>,
    state: &[u8],
    turn: Turn,
) -> Told {
    let (mut got, mut expected) = (Told::default(), Told::default());
    let first = native.expand(state, turn, &mut got);
    let second = interpreting.expand(state, turn, &mut expected);
    let decoded = native.program().decode(state);
    assert_eq!(first, second, "outcome in {decoded:?}");
    assert_eq!(got, expected, "successors of {decoded:?}");
    expected
}

/// The settings that the expectations in the text of a model mention.
fn settings(text: &str) -> Vec<Vec<(String, String)>> {
    let mut all = vec![Vec::new()];
    for line in text.lines().filter_map(|line| line.split_once("Expect:")) {
        let settings = line.1.split([':', ',']).next().unwrap_or_default();
        let pairs = settings
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='));
        let pairs: Vec<_> = pairs
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        if !all.contains(&pairs) {
            all.push(pairs);
        }
    }
    all
}

fn with_settings(text: &str, settings: &[(String, String)]) -> String {
    let defines = settings
        .iter()
        .map(|(name, value)| format!("#define {name} {value}\n"));
    defines.collect::<String>() + text
}

/// All Promela files below a folder.
fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(models_below(&path)),
            false if path.extension().is_some_and(|e| e == "pml") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// How many states of each model are compared.
const STATES: usize = 2_000;

#[test]
fn all_models_of_the_repository_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let (mut states, mut natively) = (0, 0);
    for path in models_below(&folder) {
        let text = std::fs::read_to_string(&path).expect("a text");
        for settings in settings(&text) {
            let model = verified(unchecked(&with_settings(&text, &settings)));
            let compared = compare(&model, STATES);
            let share = 100 * compared.natively / (compared.states as u64).max(1);
            println!(
                "{} {settings:?}: {} states, {share} %",
                path.display(),
                compared.states
            );
            states += compared.states as u64;
            natively += compared.natively;
        }
    }
    assert!(states > 50_000, "{states} states");
    assert!(
        natively > states / 10 * 9,
        "{natively} of {states} by machine code"
    );
}

/// What was compared, or nothing if the two disagree.
fn compared(model: &Random) -> Option<Compared> {
    let text = model.text();
    catch_unwind(|| compare(&verified(unchecked(&text)), 150)).ok()
}

#[test]
fn random_models_agree() {
    let only = std::env::var("MANDALA_SEED").ok();
    let only = only.and_then(|seed| seed.parse::<u64>().ok());
    let (mut states, mut natively) = (0, 0);
    for seed in only.map_or(0..SEEDS, |seed| seed..seed + 1) {
        let model = Random::new(seed).unobserved();
        let Some(found) = compared(&model) else {
            let smallest = shrunk(model, |model| compared(model).is_none());
            panic!("seed {seed}:\n{}", smallest.text());
        };
        states += found.states as u64;
        natively += found.natively;
    }
    println!("{natively} of {states}");
    assert!(
        only.is_some() || natively > states / 6,
        "{natively} of {states}"
    );
}

#[test]
fn peterson() {
    let model = verified(unchecked(include_str!("models/peterson3.pml")));
    let compared = compare(&model, 20_000);
    assert!(compared.states > 10_000);
    assert!(compared.natively as usize + 5 > compared.states);
}

/// Compares all states of a text; machine code must expand most of them.
#[track_caller]
fn mostly_natively(text: &str) {
    let compared = compare(&verified(unchecked(text)), 5_000);
    let (states, natively) = (compared.states as u64, compared.natively);
    assert!(natively * 10 > states * 8, "{natively} of {states}");
}

#[test]
fn channels_known_only_in_the_run() {
    mostly_natively(
        "chan a = [2] of { byte }; chan b = [1] of { byte }; chan c = [0] of { byte }; chan spare[2] = [2] of { byte };
         active [2] proctype p() { chan mine = a; byte x;
           do :: mine = b :: mine = c :: mine = spare[_pid] :: len(mine) < 2 -> mine!x :: mine?x :: x = (x + 1) % 2 od }",
    );
}

#[test]
fn messages_in_order_and_out_of_order() {
    mostly_natively(
        "chan q = [3] of { byte, short };
         active proctype s() { byte n; do :: q!!n,-1 :: q!!1,n :: q!n,7 :: n = (n + 1) % 3 od }
         active proctype r() { byte x; short y; do :: q??1,y :: q??x,7 :: q?<x,_> :: q?x,y :: q??[2,7] -> y = 0; x = 0 od }",
    );
}

#[test]
fn long_atomic_sequences_and_loops_in_them() {
    mostly_natively(
        "byte g, h; active [2] proctype p() { byte i;
           do :: atomic { i = 0; do :: i < 9 -> i++; if :: g = (g + i) % 5 :: h = (h + 1) % 3 fi :: i >= 9 -> break od }; i = 0 od }",
    );
}

/// Two ways that meet are no circle, and neither is a second round with another number.
#[test]
fn sequences_that_go_round() {
    let ending = [
        "i = 0; do :: i < 9 -> i++; if :: g = 1 :: g = 1 fi :: else -> break od",
        "i = 0; do :: i < 9 -> i++ :: i < 9 -> i++; i = i + 0 :: i >= 9 -> break od",
    ];
    let endless = [
        "i = 0; do :: i < 9 -> i++ :: i > 3 -> i-- :: i >= 9 -> break od",
        "i = 0; do :: skip :: break od",
        "i = 0; do :: i < 9 -> i++ :: i == 9 -> if :: q!1; q?_ :: break fi od",
    ];
    for (inside, has_atomic_cycle) in ending
        .map(|text| (text, false))
        .into_iter()
        .chain(endless.map(|text| (text, true)))
    {
        let text = format!(
            "byte g; chan q = [1] of {{ byte }};
             active [2] proctype p() {{ byte i; do :: atomic {{ {inside} }}; i = 0; g = 0 od }}"
        );
        let compared = compare(&verified(unchecked(&text)), 5_000);
        assert_eq!(compared.has_atomic_cycle, has_atomic_cycle, "{inside}");
        assert!(
            compared.natively * 10 > compared.states as u64 * 8,
            "{inside}"
        );
    }
}

#[test]
fn what_is_taken_for_granted_can_turn_out_otherwise() {
    // The limit is a constant of every run, but not the same in all.
    mostly_natively(
        "byte limit, other; byte level[3];
         proctype p(byte own) { do :: level[own] < limit + other -> level[own]++ :: level[own] > 0 -> level[own]-- od }
         init { if :: limit = 2 :: limit = 3 :: limit = 5 fi; if :: other = 1 :: other = 2 fi; atomic { run p(0); run p(2) } }",
    );
}

#[test]
fn routines_with_and_without_constant_bounds() {
    mostly_natively(
        "byte a[4]; byte n = 3; hidden byte i;
         active [2] proctype p() { byte sum;
           do
           :: d_step { sum = 0; for (i : 0 .. 3) { sum = sum + a[i] } ; sum = sum % 4 }
           :: d_step { i = 0; do :: i < n -> a[i] = (a[i] + _pid + 1) % 3; i++ :: else -> break od }
           :: n = 1 + n % 4
           od }",
    );
}

#[test]
fn escapes_and_choices_that_must_be_alone() {
    mostly_natively(
        "byte g; bool stop;
         active proctype p() { do :: { do :: g = (g + 1) % 4 :: g > 2 -> g = 0 od } unless { stop -> stop = false } od }
         D_proctype q() { do :: g == 1 -> g = 2 :: g == 3 -> stop = true :: else -> skip od }
         init { run q() }",
    );
}

#[test]
fn faults_are_told_in_their_place() {
    let model = verified(unchecked(
        "byte g, a[3]; active [2] proctype p() { byte i; do :: i++; a[i % 4] = 1 :: assert(g < 3); g++ :: g > 0 -> g-- od }",
    ));
    let compared = compare(&model, 3_000);
    assert!(compared.natively > 0 && compared.natively < compared.states as u64);
}

/// Panics at the third successor of each state.
#[derive(Default)]
struct Anxious(u32);

impl Sink for Anxious {
    fn successor(&mut self, _: &mut Arrival<'_, '_>, _: Turn) {
        self.0 += 1;
        assert_ne!(self.0, 3, "the third one");
    }

    fn violation(&mut self, _: Violation) {}
}

#[test]
fn a_sink_may_panic() {
    let model = verified(unchecked(
        "byte g; active [3] proctype p() { do :: g = (g + 1) % 200 od }",
    ));
    let program = Program::compile(&model, observers(&model)).expect("the model can be compiled");
    let mut stepper = program.eager_stepper();
    let mut told = Told::default();
    stepper.start(&mut told).expect("a start");
    let (state, turn) = told.successors[0].clone();
    for _ in 0..3 {
        let mut anxious = Anxious::default();
        let mut expand = || stepper.expand(&state, turn, &mut anxious);
        assert!(catch_unwind(std::panic::AssertUnwindSafe(&mut expand)).is_err());
        let mut told = Told::default();
        stepper.expand(&state, turn, &mut told).expect("steps");
        assert_eq!(told.successors.len(), 3);
    }
    assert!(stepper.expanded_natively() > 0);
}

#[test]
fn code_is_shared_between_threads() {
    fn is_send<T: Send>(_: &T) {}
    fn is_sync<T: Sync>(_: &T) {}
    let model = verified(unchecked(include_str!("models/peterson3.pml")));
    let program = Program::compile(&model, observers(&model)).expect("the model can be compiled");
    is_sync(&program);
    is_send(&program.stepper());
    let explore = || {
        let mut stepper = program.eager_stepper();
        let mut told = Told::default();
        stepper.start(&mut told).expect("a start");
        let mut next = 0;
        while next < 3_000 {
            let (state, turn) = told.successors[next].clone();
            stepper.expand(&state, turn, &mut told).expect("steps");
            next += 1;
        }
        (
            told,
            stepper.coverage().clone(),
            stepper.expanded_natively(),
        )
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..3).map(|_| scope.spawn(explore)).collect();
        workers
            .into_iter()
            .map(|w| w.join().expect("no panic"))
            .collect()
    });
    for (told, coverage, _) in &results {
        assert_eq!((told, coverage), (&results[0].0, &results[0].1));
    }
    // Whoever comes while somebody else compiles goes on interpreting.
    assert!(results.iter().any(|(_, _, natively)| *natively > 1_000));
}

#[test]
fn edges_are_counted() {
    let model = verified(unchecked(
        "byte g; active proctype p() { g = 1; if :: g == 1 -> g = 2 :: g == 3 -> g = 4 fi }",
    ));
    let program = Program::compile(&model, observers(&model)).expect("the model can be compiled");
    let mut stepper = program.eager_stepper();
    let mut told = Told::default();
    stepper.start(&mut told).expect("a start");
    let mut next = 0;
    while next < told.successors.len() {
        let (state, turn) = told.successors[next].clone();
        stepper.expand(&state, turn, &mut told).expect("steps");
        next += 1;
    }
    let template = TemplateId::from(0);
    let edges = 0..model.template(template).edges.len() as u32;
    let counts: Vec<_> = edges
        .map(|index| {
            stepper
                .coverage()
                .edge(&program, EdgeId { template, index })
        })
        .collect();
    let (once, never) = (
        counts.iter().filter(|c| **c == 1).count(),
        counts.iter().filter(|c| **c == 0).count(),
    );
    assert_eq!((once, never), (counts.len() - 2, 2), "{counts:?}");
}

/// What a process is provided with is no edge: if it cannot be translated, no edge must be left to the interpreter in its place.
#[test]
fn a_condition_that_cannot_be_translated_gives_the_state_back() {
    let text = "mtype = { red, green };
        bit g0; bit g1; int g2;
        chan q[2] = [1] of { mtype, bit };
        active [2] proctype P() { byte n; g2 = n % 4; q[g0 & 1]!green, 0; skip; q[_pid & 1]?_, g0 }
        active proctype Q() provided (q[g1 & 1]??[red, 1]) { g1 = 1 }";
    let compared = compare(&verified(unchecked(text)), STATES);
    assert!(compared.states > 10, "{}", compared.states);
}
