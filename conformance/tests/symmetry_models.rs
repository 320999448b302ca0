//! Models by people, with every strategy: the numbers that are known from the literature, the same verdict as without
//! symmetry, and planted bugs that everybody finds.
#![allow(clippy::print_stdout)]

use mandala_checker::options::SymmetryChoice;
use mandala_conformance::dose::Dose;
use mandala_conformance::oracle;
use mandala_conformance::promises::{self, Counting, Promise};
use mandala_conformance::reduced::{Case, Failure, Manner};
use mandala_conformance::spin::{Claim, Spin};
use mandala_conformance::strategies::{Agreement, Effort, examine_case, manners};
use mandala_reduce::{Guarantee, Strategy};
use std::path::{Path, PathBuf};

/// A model, its settings, and how many states remain.
type Row = (&'static str, &'static [&'static str], u64);

/// Counts as Spin does it, with its start-up: Bošnački, Dams and Holenderski 2002 (Peterson, data base), Wahl and
/// Donaldson 2010 (mutex, readers and writers), Donaldson 2009 (e-mail, three tiers), Wang and Schmidt (MCS); partial
/// maps of unlabelled points are a classic of counting.
const COUNTS: &[Row] = &[
    ("peterson", &["N=2"], 134),
    ("peterson", &["N=3"], 1_976),
    ("database", &["N=3"], 3 * 4 / 2 + 1 + 2),
    ("database", &["N=5"], 5 * 6 / 2 + 1 + 2),
    ("database", &["N=7"], 7 * 8 / 2 + 1 + 2),
    ("database", &["N=20"], 20 * 21 / 2 + 1 + 2),
    ("partial-maps", &["N=2"], 6),
    ("partial-maps", &["N=3"], 16),
    ("partial-maps", &["N=4"], 45),
    ("partial-maps", &["N=5"], 121),
    ("partial-maps", &["N=6"], 338),
    ("email", &["N=3"], 3_902),
    ("three-tier", &["C1=3", "C2=3"], 2_656),
    ("three-tier", &["C1=4", "C2=4"], 5_021),
    ("mutex", &["N=5"], 2 * 5 + 1),
    ("mutex", &["N=10"], 2 * 10 + 1),
    ("readers-writers", &["R=2", "W=1"], 15),
    ("readers-writers", &["R=3", "W=2"], 38),
    ("mcs-lock", &["N=2"], 81),
    ("mcs-lock", &["N=3"], 1_285),
    ("peterson", &["N=4"], 24_383),
    ("peterson", &["N=5"], 262_749),
    ("partial-maps", &["N=7"], 929),
    ("email", &["N=4"], 36_255),
    ("mcs-lock", &["N=4"], 23_636),
];

/// TopSPIN's own examples.
const TOPSPIN: &[(&str, u64)] = &[
    ("peterson3.p", 1_976),
    ("email3.p", 3_902),
    ("2s3cs.p", 2_656),
    ("mutex5.p", 12),
    ("mutex10.p", 22),
    ("peterson4.p", 24_383),
    ("email4.p", 36_255),
];

/// How much work is done on each model.
fn effort() -> Effort {
    let usual = Effort {
        states: 10_000,
        // That every generator is a symmetry is compared in all states by `detected_groups`.
        space: 2_000,
        images: 100_000,
        compared: 100,
        enumerated: 300_000,
    };
    let large = Effort {
        states: 30_000,
        space: 5_000,
        images: 200_000,
        enumerated: 1_000_000,
        ..usual
    };
    Dose::one_of(usual, large)
}

fn bundled(name: &str) -> PathBuf {
    let folder = promises::folder();
    folder.join(name).join(format!("{name}.pml"))
}

fn load(path: &Path, settings: &[String], claim: Claim) -> Case {
    let text = std::fs::read(path).expect("the model is there");
    let text = String::from_utf8_lossy(&text);
    Case::load(path, &text, settings, claim).unwrap_or_else(|e| panic!("{path:?}: {e}"))
}

fn settings(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// What is wrong with the number of states that the default leaves, if anything.
fn miscount(case: &Case, expected: u64) -> Option<String> {
    let manner = Manner {
        symmetry: SymmetryChoice::default(),
        ..Manner::OFF
    };
    let symmetry = match case.symmetry() {
        Ok(symmetry) => symmetry,
        Err(why) => return Some(why),
    };
    match case.search(manner, &symmetry) {
        Ok(found) if found.states == expected && found.not_canonical == 0 => None,
        other => Some(format!("{expected} states expected, {other:?} found")),
    }
}

#[test]
fn the_numbers_of_the_literature_come_out() {
    let mut wrong = Vec::new();
    for (model, words, expected) in COUNTS {
        let case = load(&bundled(model), &settings(words), Claim::None);
        let complaint = miscount(&case, *expected);
        wrong.extend(complaint.map(|c| format!("{model} {words:?}: {c}")));
    }
    if let Some(folder) = oracle::folder() {
        for (model, expected) in TOPSPIN {
            let path = folder.join("topspin").join(model);
            let complaint = miscount(&load(&path, &[], Claim::None), *expected);
            wrong.extend(complaint.map(|c| format!("{model}: {c}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Processes with `values` local states each that know nothing of each other.
fn free(processes: u64, values: u64) -> String {
    let values = values - 1;
    format!(
        "active [{processes}] proctype P() {{ byte x; do :: d_step {{ x < {values} -> x++ }} :: d_step {{ x > 0 -> x-- }} od }}"
    )
}

/// How many ways there are to choose `k` of `n`.
fn choose(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |product, i| product * (n - k + i) / i)
}

#[test]
fn processes_that_know_nothing_of_each_other_are_multisets() {
    for (processes, values) in [(2, 2), (3, 4), (5, 3), (8, 3)] {
        let text = free(processes, values);
        let case = Case::load(Path::new("free.pml"), &text, &[], Claim::None).expect("a model");
        let orbits = choose(processes + values - 1, processes);
        assert_eq!(miscount(&case, orbits), None, "{text}");
        let off = case.search(Manner::OFF, &case.symmetry().expect("a symmetry"));
        assert_eq!(off.map(|f| f.states), Ok(values.pow(processes as u32)));
    }
}

/// What came of models.
#[derive(Default)]
struct Tally {
    reduced: usize,
    without: usize,
    too_large: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn examine(&mut self, name: String, case: &Case) {
        let seed = self.reduced as u64;
        match examine_case(case, effort(), seed) {
            Ok(Agreement::Reduced { states, orbits, .. }) => {
                println!("{name}: {states} states, {orbits} with symmetry");
                self.reduced += 1;
            }
            Ok(Agreement::NoSymmetry) => self.without += 1,
            Ok(Agreement::TooLarge) => self.too_large += 1,
            Ok(other) => self.wrong.push(format!("{name}: {other:?}")),
            Err(disagreement) => self.wrong.push(format!("{name}: {disagreement}")),
        }
    }

    fn conclude(&self) {
        let Tally {
            reduced,
            without,
            too_large,
            ..
        } = self;
        println!("{reduced} with symmetry, {without} without, {too_large} too large");
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

/// What the bundled models promise about all their states.
fn promised() -> Vec<(PathBuf, Promise)> {
    let mut all = Vec::new();
    for path in promises::models().expect("the folder is there") {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let promises = promises::promises(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let plain = promises
            .into_iter()
            .filter(|p| p.counting == Counting::Reachable);
        all.extend(plain.map(|p| (path.clone(), p)));
    }
    all
}

fn name(path: &Path, settings: &[String]) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{file} {}", settings.join(" "))
}

#[test]
fn every_strategy_agrees_on_the_bundled_models() {
    let mut tally = Tally::default();
    for (path, promise) in Dose::turn("strategies on bundled models", promised()) {
        if promise
            .states
            .is_some_and(|states| states > effort().states)
        {
            continue;
        }
        let case = load(&path, &promise.settings, Claim::None);
        tally.examine(name(&path, &promise.settings), &case);
    }
    tally.conclude();
    assert!(
        tally.reduced >= Dose::one_of(8, 25),
        "{} models have a symmetry",
        tally.reduced
    );
}

#[test]
fn every_strategy_agrees_on_the_models_of_others() {
    let Some(folder) = oracle::folder() else {
        println!("skipped: there is no folder of other projects' models next to the checkout");
        return;
    };
    let rows = std::fs::read_to_string(folder.join("oracle.csv")).expect("the file is there");
    let mut tally = Tally::default();
    for row in oracle::rows(&rows).expect("every line can be read") {
        if row.states > effort().states {
            continue;
        }
        let path = folder.join(&row.model);
        let text =
            String::from_utf8_lossy(&std::fs::read(&path).expect("it is there")).into_owned();
        // Some of them are refused for what they say, as another test knows.
        if let Ok(case) = Case::load(&path, &text, &[], row.claim) {
            tally.examine(format!("{} ({:?})", row.model, row.claim), &case);
        }
    }
    tally.conclude();
    assert!(
        tally.reduced >= 8,
        "{} models have a symmetry",
        tally.reduced
    );
}

/// The bundled models with a mistake in them, and a symmetry.
fn with_bugs() -> Vec<(PathBuf, Promise)> {
    // Depth first, counterexamples of larger ones have thousands of steps, each of which is lifted and replayed.
    let small = |promise: &Promise| promise.states.is_none_or(|states| states <= 12_000);
    let violated = |(_, promise): &(PathBuf, Promise)| promise.violated.is_some() && small(promise);
    promised().into_iter().filter(violated).collect()
}

#[test]
fn everybody_finds_the_planted_bugs() {
    let mut wrong = Vec::new();
    for (path, promise) in Dose::turn("planted bugs", with_bugs()) {
        let case = load(&path, &promise.settings, Claim::None);
        let symmetry = case.symmetry().unwrap_or_else(|e| panic!("{path:?}: {e}"));
        if symmetry.certificate.is_none() {
            continue;
        }
        for strategy in Strategy::ALL {
            for manner in manners(strategy) {
                let limited = Manner {
                    limit: Some(effort().states),
                    ..manner
                };
                match case.search(limited, &symmetry) {
                    Ok(found) if found.violated => {}
                    Ok(_) if strategy.guarantee() == Guarantee::MayMiss => {}
                    Err(Failure::TooLarge) => {}
                    other => wrong.push(format!(
                        "{}: {manner:?}: {other:?}",
                        name(&path, &promise.settings)
                    )),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn spin_replays_the_counterexamples_of_reduced_searches() {
    let Some(spin) = Spin::find() else {
        println!("skipped: Spin is not installed");
        return;
    };
    let mut replayed = 0;
    for (path, promise) in with_bugs() {
        let case = load(&path, &promise.settings, Claim::None);
        let text = std::fs::read_to_string(&path).expect("it can be read");
        for strategy in [Strategy::Auto, Strategy::Sorted, Strategy::FirstMet] {
            let manner = manners(strategy)[replayed % 4];
            let trail = match case.trail(manner) {
                Ok(Some(trail)) => trail,
                other => panic!("{}: {manner:?}: {other:?}", name(&path, &promise.settings)),
            };
            let said = spin
                .replay(&text, &promise.settings, &trail)
                .expect("Spin starts");
            let ends = format!(
                "trail ends after {} steps",
                trail.lines().filter(|l| !l.starts_with('-')).count()
            );
            assert!(
                said.contains("assertion violated") || said.contains(&ends),
                "{}: {said}",
                name(&path, &promise.settings)
            );
            replayed += 1;
        }
    }
    println!("{replayed} trails replayed");
    assert!(replayed > 20);
}
