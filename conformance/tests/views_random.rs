//! Random families: what is said to hold for every size is not violated with any size up to six, and its invariant is accepted.

// The generators are those whose views are compared in `crates/views`.
#[path = "../../crates/views/tests/dice.rs"]
mod dice;
#[path = "../../crates/views/tests/processes.rs"]
mod processes;
#[path = "../../crates/views/tests/questions.rs"]
mod questions;
#[path = "../../crates/views/tests/rich.rs"]
mod rich;
#[path = "../../crates/views/tests/systems.rs"]
mod systems;

use crate::views::Case;
use mandala_checker::check;
use mandala_checker::options::{CheckOptions, Deadlock, Limits, StaticReductions, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_conformance::dose::Dose;
use mandala_report::document::{EveryAnswer, Verdict};
use std::path::Path;

/// How many systems of each kind a usual run has.
const USUAL: u64 = 8;

/// The largest size that is searched, and how many states of each size at the most.
const LARGEST: u32 = 6;
const STATES: u64 = 4_000;

/// The most configurations.
const CONFIGURATIONS: u64 = 8_000;

/// The text of the system with that seed.
type Generator = fn(u64) -> String;

/// What became of the systems.
#[derive(Debug, Default)]
struct Tally {
    holds: u64,
    violated: u64,
    refused: u64,
    unknown: u64,
}

#[test]
fn what_holds_for_every_size_is_violated_with_none() {
    let dose = Dose::of("families of every size", USUAL);
    let kinds: [(&str, Generator); 4] = [
        ("questions.m", questions::text),
        ("rich.m", rich::text),
        ("systems.cub", systems::text),
        ("processes.pml", processes::text),
    ];
    let mut tally = Tally::default();
    for seed in dose.first..dose.first + dose.size {
        for (file, text) in kinds {
            one(&format!("{seed}-{file}"), &text(seed), &mut tally);
        }
    }
    let decided = tally.holds + tally.violated;
    assert!(tally.holds > 0 && 3 * decided > dose.size, "{tally:?}");
}

fn one(name: &str, text: &str, tally: &mut Tally) {
    let case = Case {
        path: Path::new(name),
        text,
        constant: "N",
        defines: &[],
    };
    let limits = Limits {
        states: Some(CONFIGURATIONS),
        ..Limits::default()
    };
    let Ok(found) = case.asked(limits) else {
        tally.refused += 1;
        return;
    };
    match found.document.every.as_ref().map(|every| every.answer) {
        Some(EveryAnswer::Holds) => tally.holds += 1,
        Some(EveryAnswer::Violated) => tally.violated += 1,
        Some(EveryAnswer::Refused) => tally.refused += 1,
        Some(EveryAnswer::Unknown) | None => tally.unknown += 1,
    }
    let properties = found.document.properties.iter();
    let held = properties.filter(|property| property.verdict == Verdict::Holds);
    let held: Vec<String> = held.map(|property| property.name.clone()).collect();
    for size in 1..=LARGEST {
        for property in &held {
            let wrong = is_violated(&case, size, property);
            assert!(
                !wrong,
                "{name}: `{property}` is violated with {size}:\n{text}"
            );
        }
    }
    if let Some(invariant) = &found.invariant {
        case.accepted(invariant)
            .unwrap_or_else(|why| panic!("{name}: {why}\n{text}\n{invariant}"));
    }
}

/// Whether a search of one size, without any reduction, finds a violation.
fn is_violated(case: &Case<'_>, size: u32, property: &str) -> bool {
    let loaded = case.loaded(size).expect("there is a model");
    let options = CheckOptions {
        symmetry: SymmetryChoice::Off,
        static_reductions: StaticReductions::NONE,
        deadlock: Deadlock::Ignore,
        properties: mandala_checker::options::Selection::Named(vec![property.to_string()]),
        limits: Limits {
            states: Some(STATES),
            ..Limits::default()
        },
        ..CheckOptions::default()
    };
    // There may be sizes in which no run begins.
    check(&loaded, &options, &mut Nobody)
        .is_ok_and(|document| document.verdict == Verdict::Violated)
}
