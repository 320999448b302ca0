//! Machine code and the interpreter agree: the same successors in the same order, the same violations, the same counts.
#![allow(clippy::print_stdout)]

mod common;

use common::generator::{Random, shrunk};
use common::{observers, unchecked, verified};
use mandala_encoding::{Arrival, Program, Sink, Stepper};
use mandala_model::Model;
use mandala_model::step::{Turn, Violation};
use std::collections::{HashSet, VecDeque};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// How many random models are compared.
const SEEDS: u64 = 1_000;

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
struct Compared {
    states: usize,
    natively: u64,
}

/// Explores a model up to a number of states both ways, and fails where the two disagree.
fn compare(model: &Model, limit: usize) -> Compared {
    let program = Program::compile(model, observers(model)).expect("the model can be compiled");
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
    Compared {
        states,
        natively: native.expanded_natively(),
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
    let compared = compare(
        &verified(unchecked(include_str!("models/peterson3.pml"))),
        20_000,
    );
    assert!(compared.states > 10_000);
    assert!(
        compared.natively as usize + 5 > compared.states,
        "{}",
        compared.natively
    );
}
