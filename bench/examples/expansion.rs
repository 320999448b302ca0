//! How long a transition takes by machine code and by the interpreter: `expansion MODEL [NAME=VALUE ...]`.
//!
//! States are collected first, so nothing but the stepper is measured: once with a sink that only counts, once with one that
//! has every successor packed.
#![allow(clippy::print_stdout)]

use mandala_encoding::{Arrival, Program, Sink, Stepper};
use mandala_model::step::{Observers, Turn, Violation};
use mandala_model::verify::verify;
use mandala_model::{SourceText, Sources};
use mandala_promela::{ParseOptions, load};
use std::collections::{HashSet, VecDeque};
use std::hint::black_box;
use std::time::Instant;

/// How many states are expanded.
const STATES: usize = 100_000;

/// How many states are measured at a time.
const CHUNK: usize = 256;

/// Expansions are repeated for about so many seconds.
const SECONDS: f64 = 0.7;

#[derive(Default)]
struct Collected(Vec<Vec<u8>>);

impl Sink for Collected {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        self.0.push(arrival.packed().to_vec());
    }

    fn violation(&mut self, _: Violation) {}
}

/// Counts successors, and has them packed if that is wanted.
#[derive(Default)]
struct Counter {
    packs: bool,
    successors: u64,
}

impl Sink for Counter {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        self.successors += 1;
        if self.packs {
            black_box(arrival.packed());
        }
    }

    fn violation(&mut self, _: Violation) {}
}

/// The first states that can be reached.
fn reachable(program: &Program) -> Vec<Vec<u8>> {
    let mut stepper = program.interpreting_stepper();
    let mut first = Collected::default();
    let _ = stepper.start(&mut first);
    let mut waiting: VecDeque<_> = first.0.into();
    let mut seen: HashSet<Vec<u8>> = waiting.iter().cloned().collect();
    let mut states = Vec::new();
    while states.len() < STATES
        && let Some(state) = waiting.pop_front()
    {
        let mut next = Collected::default();
        let _ = stepper.expand(&state, Turn::Free, &mut next);
        for state in next.0 {
            if seen.insert(state.clone()) {
                waiting.push_back(state);
            }
        }
        states.push(state);
    }
    states
}

/// Nanoseconds for each successor. Of every few states the fastest round counts, so that others who use the machine do not
/// matter much.
fn time(stepper: &mut Stepper<'_>, states: &[Vec<u8>], packs: bool) -> f64 {
    let mut counter = Counter {
        packs,
        successors: 0,
    };
    let start = Instant::now();
    let mut best = vec![f64::INFINITY; states.len().div_ceil(CHUNK)];
    let mut rounds = 0;
    while rounds < 3 || start.elapsed().as_secs_f64() < SECONDS {
        for (chunk, best) in states.chunks(CHUNK).zip(&mut best) {
            let round = Instant::now();
            for state in chunk {
                let _ = stepper.expand(state, Turn::Free, &mut counter);
            }
            *best = best.min(round.elapsed().as_secs_f64());
        }
        rounds += 1;
    }
    best.iter().sum::<f64>() * 1e9 * f64::from(rounds) / counter.successors.max(1) as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which model?")?;
    let defines: String = arguments
        .filter_map(|setting| {
            let (name, value) = setting.split_once('=')?;
            Some(format!("#define {name} {value}\n"))
        })
        .collect();
    let mut sources = Sources::default();
    let text = defines + &std::fs::read_to_string(&path)?;
    let file = sources.add(SourceText::new(&path, text));
    let (model, _) = load(&mut sources, file, &ParseOptions::default());
    let model = verify(model.ok_or("the model has errors")?).map_err(|e| format!("{e:?}"))?;
    let program = Program::compile(&model, Observers::default())?;
    let states = reachable(&program);

    let mut native = program.eager_stepper();
    let compiling = Instant::now();
    let mut counter = Counter::default();
    for state in &states {
        let _ = native.expand(state, Turn::Free, &mut counter);
    }
    let first_round = compiling.elapsed().as_secs_f64();
    let again = Instant::now();
    for state in &states {
        let _ = native.expand(state, Turn::Free, &mut counter);
    }
    let compiled = (first_round - again.elapsed().as_secs_f64()) * 1e3;
    let share = 50.0 * native.expanded_natively() as f64 / states.len() as f64;

    let mut interpreting = program.interpreting_stepper();
    let (by_code, packed) = (
        time(&mut native, &states, false),
        time(&mut native, &states, true),
    );
    let (interpreted, slowly) = (
        time(&mut interpreting, &states, false),
        time(&mut interpreting, &states, true),
    );
    println!(
        "{path}: {} states, {:.1} bytes, {share:.0} % by code, compiled in {compiled:.2} ms",
        states.len(),
        states.iter().map(Vec::len).sum::<usize>() as f64 / states.len() as f64
    );
    println!(
        "  ns a transition: {by_code:.1} (packed {packed:.1}); interpreted {interpreted:.1} (packed {slowly:.1})"
    );
    Ok(())
}
