//! Random models in Murphi: our engines agree with each other, and with Rumur where it is installed.
//!
//! [`Dose`] says how many and which; a disagreement is shrunk before it is shown.
#![allow(clippy::print_stdout)]

use mandala_conformance::dose::Dose;
use mandala_conformance::murphi;
use mandala_conformance::murphi::compare::{Agreement, compare, smallest};
use mandala_conformance::rumur::Rumur;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many models a usual dose has.
const USUAL: u64 = 40;

/// How many disagreements are shown.
const ENOUGH: usize = 5;

/// What has come of the models so far.
#[derive(Default)]
struct Tally {
    confirmed: u64,
    wrong: u64,
    orbits: u64,
    reduced: u64,
    ours_only: Vec<String>,
    too_large: u64,
    disagreements: Vec<String>,
}

#[test]
fn random_models_mean_the_same_to_everybody() {
    let rumur = Rumur::find();
    if rumur.is_none() {
        println!("Rumur is not installed: our own engines are compared with each other only");
    }
    let seeds = Dose::of("random models in Murphi", USUAL).seeds();
    let next = AtomicU64::new(seeds.start);
    let tally: Mutex<Tally> = Mutex::default();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let enough = tally.lock().is_ok_and(|t| t.disagreements.len() >= ENOUGH);
            if seed >= seeds.end || enough {
                break;
            }
            one(seed, rumur.as_ref(), &tally);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let tally = tally.into_inner().expect("no thread panics with it");
    conclude(&tally, rumur.is_some());
}

fn one(seed: u64, rumur: Option<&Rumur>, tally: &Mutex<Tally>) {
    let model = murphi::model(seed);
    let outcome = compare(&model, rumur).map_err(|first| {
        let model = smallest(model, &first, rumur);
        let last = compare(&model, rumur).err().unwrap_or(first);
        format!("seed {seed}: {last}\n{model}")
    });
    let mut tally = tally.lock().expect("no thread panics with it");
    match outcome {
        Ok(Agreement::Confirmed {
            states,
            violated,
            orbits,
        }) => {
            tally.confirmed += 1;
            tally.wrong += u64::from(violated);
            tally.orbits += u64::from(orbits.is_some());
            tally.reduced += u64::from(orbits.is_some_and(|orbits| orbits < states));
        }
        Ok(Agreement::OursOnly(why)) => tally.ours_only.push(format!("seed {seed}: {why}")),
        Ok(Agreement::TooLarge) => tally.too_large += 1,
        Err(text) => {
            println!("{text}");
            tally.disagreements.push(text);
        }
    }
}

fn conclude(tally: &Tally, with_rumur: bool) {
    println!(
        "{} confirmed by Rumur, {} of them with an error, {} with the number of orbits, which is smaller in {}; {} without an \
         answer of Rumur, {} too large",
        tally.confirmed,
        tally.wrong,
        tally.orbits,
        tally.reduced,
        tally.ours_only.len(),
        tally.too_large
    );
    assert!(
        tally.disagreements.is_empty(),
        "{}",
        tally.disagreements.join("\n")
    );
    // A generator that makes nonsense would agree with everybody.
    let useful = match with_rumur {
        true => tally.confirmed,
        false => tally.ours_only.len() as u64,
    };
    let all = tally.confirmed + tally.too_large + tally.ours_only.len() as u64;
    let why = tally.ours_only.join("\n");
    assert!(useful * 10 >= all * 8, "too few models say anything: {why}");
    assert!(tally.wrong * 10 <= all * 7, "too many models are wrong");
}
