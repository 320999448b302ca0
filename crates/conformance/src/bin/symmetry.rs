//! Examines random symmetric programs and their mutants for as long as one likes.
//!
//! ```sh
//! cargo run --release -p mandala-conformance --bin symmetry -- --seed 1 --count 1000 --mutants 2
//! ```
//!
//! Each disagreement is shrunk and printed with its seed. `--print` prints the programs only, and
//! `--no-shrink` prints disagreements without shrinking. With `--arranged` the processes stand in rings, cubes, trees and the like; then
//! it is also counted whether the whole group was found that a program has by construction, and `--missed` prints
//! those of which it was not.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use mandala_conformance::strategies::{Agreement, Disagreement, examine, smallest};
use mandala_conformance::symmetric::{self, Specimen, arranged};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is worth a remark.
const SLOW: Duration = Duration::from_secs(10);

struct Arguments {
    seed: u64,
    count: u64,
    mutants: u64,
    threads: u64,
    print: bool,
    shrink: bool,
    arranged: bool,
    missed: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments {
        seed: 1,
        count: 100,
        mutants: 1,
        threads: 2,
        print: false,
        shrink: true,
        arranged: false,
        missed: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or(format!("{word} needs a number"))?;
            text.parse::<u64>()
                .map_err(|e| format!("{word} {text}: {e}"))
        };
        match word.as_str() {
            "--seed" => parsed.seed = number()?,
            "--count" => parsed.count = number()?,
            "--mutants" => parsed.mutants = number()?,
            "--threads" => parsed.threads = number()?,
            "--print" => parsed.print = true,
            "--no-shrink" => parsed.shrink = false,
            "--arranged" => parsed.arranged = true,
            "--missed" => parsed.missed = true,
            other => return Err(format!("unknown argument {other}")),
        }
    }
    Ok(parsed)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if arguments.print {
        for seed in arguments.seed..arguments.seed + arguments.count {
            specimens(&arguments, seed).for_each(|s| println!("{}", shown(seed, &s)));
        }
        return ExitCode::SUCCESS;
    }
    // A panic is a finding like any other and is reported with its program.
    std::panic::set_hook(Box::new(|_| {}));
    match run(&arguments) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn shown(seed: u64, specimen: &Specimen) -> String {
    let slip = specimen.slip.as_deref().unwrap_or("symmetric");
    format!("/* seed {seed}, {slip} */\n{}", specimen.program)
}

/// The program of a seed and its mutants.
fn specimens(arguments: &Arguments, seed: u64) -> impl Iterator<Item = Specimen> {
    type Make = (fn(u64) -> Specimen, fn(u64, u64) -> Specimen);
    let (program, mutant): Make = match arguments.arranged {
        true => (arranged::specimen, arranged::mutant),
        false => (symmetric::specimen, symmetric::mutant),
    };
    let mutants = (0..arguments.mutants).map(move |slip| mutant(seed, slip));
    std::iter::once(program(seed)).chain(mutants)
}

/// Examines all programs; the number of disagreements.
fn run(arguments: &Arguments) -> u64 {
    let next = AtomicU64::new(arguments.seed);
    let disagreements = AtomicU64::new(0);
    let tally: Mutex<BTreeMap<String, u64>> = Mutex::default();
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= arguments.seed + arguments.count {
            break;
        }
        for specimen in specimens(arguments, seed) {
            let started = Instant::now();
            let outcome = one(seed, arguments, specimen);
            if started.elapsed() > SLOW {
                println!("seed {seed} took {:?}: {outcome}", started.elapsed());
            }
            if outcome.contains("disagreement") {
                disagreements.fetch_add(1, Ordering::Relaxed);
            }
            if let Ok(mut tally) = tally.lock() {
                *tally.entry(outcome).or_default() += 1;
            }
        }
    };
    std::thread::scope(|scope| {
        (0..arguments.threads).for_each(|_| drop(scope.spawn(work)));
    });
    if let Ok(tally) = tally.lock() {
        tally
            .iter()
            .for_each(|(outcome, count)| println!("{count:6} {outcome}"));
    }
    disagreements.into_inner()
}

fn one(seed: u64, arguments: &Arguments, specimen: Specimen) -> String {
    let who = match specimen.slip {
        Some(_) => "mutant",
        None => "program",
    };
    let outcome = match examine(&specimen.program, seed) {
        Ok(Agreement::Reduced {
            violated,
            order,
            states,
            orbits,
        }) => {
            let how_much = how_much(&specimen, order);
            if arguments.missed && how_much == PART {
                println!("found {order:?}\n{}", shown(seed, &specimen));
            }
            let verdict = if violated { "violated" } else { "holds" };
            let gain = if orbits < states {
                "reduced"
            } else {
                "not reduced"
            };
            return format!("{who} {gain}, {verdict}{how_much}");
        }
        Ok(Agreement::NoSymmetry) => {
            if arguments.missed && how_much(&specimen, Some(1)) == PART {
                println!("found nothing\n{}", shown(seed, &specimen));
            }
            "without symmetry"
        }
        Ok(Agreement::Declined(_)) => "declaration declined",
        Ok(Agreement::TooLarge) => "too large",
        Ok(Agreement::Refused(why)) => {
            println!("seed {seed}: {why}\n{}", shown(seed, &specimen));
            "refused"
        }
        Err(first) => {
            disagreement(seed, arguments, specimen, first);
            "disagreement"
        }
    };
    format!("{who} {outcome}")
}

const WHOLE: &str = ", the whole group";
const PART: &str = ", a part of the group";

/// How much was found of the group that a program has by construction.
fn how_much(specimen: &Specimen, found: Option<u64>) -> &'static str {
    match (&specimen.slip, specimen.order) {
        (None, Some(order)) if found.is_none_or(|found| found % order == 0) => WHOLE,
        (None, Some(_)) => PART,
        _ => "",
    }
}

fn disagreement(seed: u64, arguments: &Arguments, mut specimen: Specimen, first: Disagreement) {
    if arguments.shrink {
        specimen.program = smallest(specimen.program, seed, &first);
    }
    let last = examine(&specimen.program, seed).err().unwrap_or(first);
    println!("seed {seed}: {last}\n{}", shown(seed, &specimen));
}
