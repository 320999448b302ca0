//! Random programs: our engines agree with each other, and with Spin where it is installed.
//!
//! The seeds are fixed, so a run is repeatable; `cargo run -p mandala-conformance --bin random` tries
//! others. A disagreement is shrunk before it is shown.
#![allow(clippy::print_stdout)]

use mandala_conformance::compare::{Agreement, compare, smallest};
use mandala_conformance::generate;
use mandala_conformance::spin::Spin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Programs that are compared in any case.
const AT_LEAST: u64 = 60;

/// Programs that are compared if there is time. The binary `random` goes on from there.
const AT_MOST: u64 = 200;

/// When no further program is begun.
const ENOUGH: Duration = Duration::from_secs(120);

/// What has come of the programs so far.
#[derive(Default)]
struct Tally {
    confirmed: u64,
    ours_only: u64,
    refused: u64,
    too_large: u64,
    disagreements: Vec<String>,
}

#[test]
fn random_programs_mean_the_same_to_everybody() {
    let spin = Spin::find();
    if spin.is_none() {
        println!("Spin is not installed: our own engines are compared with each other only");
    }
    let started = Instant::now();
    let next = AtomicU64::new(0);
    let tally: Mutex<Tally> = Mutex::default();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let over = seed >= AT_LEAST && started.elapsed() > ENOUGH;
            if over || seed >= AT_MOST {
                break;
            }
            one(seed, spin.as_ref(), &tally);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    conclude(
        &tally.into_inner().expect("no thread panics with it"),
        spin.is_some(),
    );
}

fn one(seed: u64, spin: Option<&Spin>, tally: &Mutex<Tally>) {
    let program = generate::program(seed);
    let outcome = compare(&program, spin).map_err(|first| {
        let program = smallest(program, &first, spin);
        let last = compare(&program, spin).err().unwrap_or(first);
        format!("seed {seed}: {last}\n{program}")
    });
    let mut tally = tally.lock().expect("no thread panics with it");
    match outcome {
        Ok(Agreement::Confirmed { .. }) => tally.confirmed += 1,
        Ok(Agreement::OursOnly(_)) => tally.ours_only += 1,
        Ok(Agreement::Refused) => tally.refused += 1,
        Ok(Agreement::TooLarge) => tally.too_large += 1,
        Err(text) => tally.disagreements.push(text),
    }
}

fn conclude(tally: &Tally, with_spin: bool) {
    println!(
        "{} confirmed by Spin, {} without an answer of Spin, {} refused by both, {} too large",
        tally.confirmed, tally.ours_only, tally.refused, tally.too_large
    );
    assert!(
        tally.disagreements.is_empty(),
        "{}",
        tally.disagreements.join("\n")
    );
    // A generator that makes nonsense would agree with everybody.
    let compared = tally.confirmed + tally.ours_only;
    let useful = if with_spin { tally.confirmed } else { compared };
    assert!(
        useful * 10 >= (compared + tally.refused) * 8,
        "too few programs say anything"
    );
}
