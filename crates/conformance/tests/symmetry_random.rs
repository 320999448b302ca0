//! Random symmetric programs and their mutants: every strategy agrees with the search without symmetry and with
//! brute force, and no certificate is false.
//!
//! The seeds are fixed, so a run is repeatable; `cargo run -p mandala-conformance --bin symmetry` tries others.
//! A disagreement is shrunk before it is shown.
#![allow(clippy::print_stdout)]

use mandala_conformance::strategies::{Agreement, examine, smallest};
use mandala_conformance::symmetric::{self, Specimen};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Programs that are examined in any case, each with a mutant.
const AT_LEAST: u64 = 60;

/// Programs that are examined if there is time.
const AT_MOST: u64 = 150;

/// When no further program is begun.
const ENOUGH: Duration = Duration::from_secs(75);

/// What has come of programs so far.
#[derive(Debug, Default)]
struct Tally {
    reduced: u64,
    violated: u64,
    without: u64,
    declined: u64,
    too_large: u64,
    mistakes: Vec<String>,
}

#[derive(Default)]
struct Tallies {
    programs: Tally,
    mutants: Tally,
}

#[test]
fn symmetry_never_changes_an_answer() {
    let started = Instant::now();
    let next = AtomicU64::new(0);
    let tallies: Mutex<Tallies> = Mutex::default();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let over = seed >= AT_LEAST && started.elapsed() > ENOUGH;
            if over || seed >= AT_MOST {
                break;
            }
            let program = outcome(seed, symmetric::specimen(seed));
            let mutant = outcome(seed, symmetric::mutant(seed, 0));
            let mut tallies = tallies.lock().expect("no thread panics with it");
            tallies.programs.add(program);
            tallies.mutants.add(mutant);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    conclude(&tallies.into_inner().expect("no thread panics with it"));
}

fn outcome(seed: u64, specimen: Specimen) -> Result<Agreement, String> {
    let program = specimen.program;
    match examine(&program, seed) {
        Ok(Agreement::Refused(why)) => Err(format!("seed {seed}: {why}\n{program}")),
        Ok(agreement) => Ok(agreement),
        Err(first) => {
            let program = smallest(program, seed, &first);
            let last = examine(&program, seed).err().unwrap_or(first);
            let slip = specimen.slip.unwrap_or_default();
            Err(format!("seed {seed} {slip}: {last}\n{program}"))
        }
    }
}

impl Tally {
    fn add(&mut self, outcome: Result<Agreement, String>) {
        match outcome {
            Ok(Agreement::Reduced { violated, .. }) => {
                self.reduced += 1;
                self.violated += u64::from(violated);
            }
            Ok(Agreement::NoSymmetry) => self.without += 1,
            Ok(Agreement::Declined(_) | Agreement::Refused(_)) => self.declined += 1,
            Ok(Agreement::TooLarge) => self.too_large += 1,
            Err(text) => self.mistakes.push(text),
        }
    }
}

fn conclude(tallies: &Tallies) {
    let Tallies { programs, mutants } = tallies;
    println!("programs: {programs:?}\nmutants: {mutants:?}");
    let mistakes: Vec<&String> = programs.mistakes.iter().chain(&mutants.mistakes).collect();
    let mistakes: Vec<&str> = mistakes.iter().map(|m| m.as_str()).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    // Programs of which nothing is reduced would agree with everything, and so would mutants that break nothing.
    let compared = programs.reduced + programs.without + programs.declined;
    assert!(programs.reduced * 2 > compared, "{programs:?}");
    assert!(programs.violated > 0 && programs.violated < programs.reduced);
    assert!(mutants.declined > programs.declined, "{mutants:?}");
    assert!(mutants.without > programs.without, "{mutants:?}");
}
