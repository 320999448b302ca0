//! Machine code and the interpreter agree on every state of the bundled models and of other projects' models, and on random
//! programs. What has more states than the dose says is compared up to there.
#![allow(clippy::print_stdout)]

use mandala_conformance::dose::Dose;
use mandala_conformance::native::{Agreement, compare};
use mandala_conformance::program::Program;
use mandala_conformance::statics::load;
use mandala_conformance::symmetric::{self, arranged};
use mandala_conformance::{generate, oracle, promises};
use mandala_model::step::Observers;
use std::collections::BTreeSet;
use std::path::Path;

/// How many states of a model are compared at most in a usual dose: a search without optimisation is slow.
const SMALL: u64 = 10_000;

/// How many states of a model are compared at most in a large one.
const LARGEST: u64 = 150_000;

/// What has been compared so far.
#[derive(Debug, Default)]
struct Tally {
    models: u64,
    complete: u64,
    states: u64,
    natively: u64,
    mistakes: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, agreement: Result<Agreement, String>) {
        match agreement {
            Ok(found) => {
                self.models += 1;
                self.complete += u64::from(found.complete);
                self.states += found.states;
                self.natively += found.natively;
            }
            Err(what) => self.mistakes.push(format!("{name}: {what}")),
        }
    }

    /// Requires that nothing differs, that so many models were compared, and that machine code has expanded most states: otherwise it is mostly
    /// the interpreter that is compared with itself.
    fn require(&self, models: u64) {
        self.require_agreement(models);
        assert!(self.natively * 2 > self.states || cfg!(not(target_arch = "x86_64")));
    }

    fn require_agreement(&self, models: u64) {
        println!(
            "{} models, {} of them to the end; {} states, {} expanded by machine code",
            self.models, self.complete, self.states, self.natively
        );
        assert!(self.mistakes.is_empty(), "{}", self.mistakes.join("\n"));
        assert!(self.models >= models, "only {} were compared", self.models);
    }
}

#[test]
fn bundled_models() {
    let largest = Dose::largest("machine code of bundled models", SMALL, LARGEST);
    let mut tally = Tally::default();
    let models = promises::models().expect("the folder is there");
    for path in Dose::turn("machine code of bundled models", models) {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let promises = promises::promises(&text).expect("a right header");
        let settings: BTreeSet<Vec<String>> = promises.into_iter().map(|p| p.settings).collect();
        for settings in settings {
            let loaded = load(&path, &text, &settings).expect("a right model");
            let name = format!("{} {}", path.display(), settings.join(" "));
            let observers = Observers::default();
            tally.add(&name, compare(&loaded.model, observers, largest));
        }
    }
    tally.require(Dose::one_of(26, 90));
}

#[test]
fn models_of_other_projects() {
    let Some(folder) = oracle::folder() else {
        println!("skipped: there is no folder of other projects' models next to the checkout");
        return;
    };
    let rows = std::fs::read_to_string(folder.join("oracle.csv")).expect("the file is there");
    let rows = oracle::rows(&rows).expect("every line can be read");
    let largest = Dose::largest("machine code of other projects' models", SMALL, LARGEST);
    let names: BTreeSet<String> = rows.into_iter().map(|row| row.model).collect();
    let mut tally = Tally::default();
    for name in names {
        let path = folder.join(&name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        // Some include files that are not in the folder.
        if let Some(loaded) = load(&path, &text, &[]) {
            tally.add(&name, compare(&loaded.model, Observers::default(), largest));
        }
    }
    tally.require(40);
}

#[test]
fn random_programs() {
    let mut tally = Tally::default();
    let dose = Dose::of("machine code of random programs", 120);
    for seed in dose.seeds() {
        let text = random_program(seed).to_string();
        let Some(loaded) = load(Path::new("random.pml"), &text, &[]) else {
            continue;
        };
        let agreement = compare(&loaded.model, Observers::default(), 2_000);
        tally.add(&format!("seed {seed}\n{text}"), agreement);
    }
    match dose.is_large {
        true => tally.require(dose.size / 2),
        false => tally.require_agreement(dose.size / 3),
    }
}

/// A program with processes that are all alike, one with processes in an arrangement, or, mostly, one of any kind.
fn random_program(seed: u64) -> Program {
    match seed % 8 {
        0 => symmetric::specimen(seed).program,
        1 => arranged::specimen(seed).program,
        _ => generate::program(seed),
    }
}
