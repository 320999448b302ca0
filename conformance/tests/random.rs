//! Random programs: our engines agree with each other, and with Spin where it is installed.
//!
//! [`Dose`] says how many and which; a disagreement is shrunk before it is shown.
#![allow(clippy::print_stdout)]

use mandala_conformance::compare::{Agreement, compare, smallest};
use mandala_conformance::dose::Dose;
use mandala_conformance::generate;
use mandala_conformance::spin::Spin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many programs a usual dose has.
const USUAL: u64 = 40;

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
    let seeds = Dose::of("random programs", USUAL).seeds();
    let next = AtomicU64::new(seeds.start);
    let tally: Mutex<Tally> = Mutex::default();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
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
