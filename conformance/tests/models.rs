//! Every promise in the headers of the bundled models is kept.
#![allow(clippy::print_stdout)]

use mandala_checker::options::SymmetryChoice;
use mandala_conformance::ours::{self, Answer, EngineChoice, Question, SearchOrder, ViolationKind};
use mandala_conformance::promises::{self, Counting, Promise, Violated};
use mandala_conformance::reduced::{Case, Manner};
use mandala_conformance::spin::Claim;
use std::path::Path;

/// Without optimisation, larger models are left out.
const LARGEST_UNOPTIMISED: u64 = 300_000;

/// Every representative is checked in builds without optimisation, which takes its time.
const MOST_ORBITS_UNOPTIMISED: u64 = 10_000;

fn is_too_large(promise: &Promise) -> bool {
    let largest = match promise.counting {
        Counting::Reachable => LARGEST_UNOPTIMISED,
        Counting::Orbits => MOST_ORBITS_UNOPTIMISED,
    };
    cfg!(debug_assertions) && promise.states.is_some_and(|n| n > largest)
}

#[test]
fn every_promise_is_kept() {
    let mut checked = 0;
    let mut broken = Vec::new();
    for model in promises::models().expect("the folder is there") {
        let text = std::fs::read_to_string(&model).expect("it can be read");
        let name = model
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let promises = promises::promises(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!promises.is_empty(), "{name} promises nothing");
        for promise in promises {
            if is_too_large(&promise) {
                println!(
                    "{name} {}: only in release builds",
                    promise.settings.join(" ")
                );
                continue;
            }
            checked += 1;
            let complaint = match promise.counting {
                Counting::Reachable => complaint(&model, &text, &promise),
                Counting::Orbits => complaint_of_orbits(&model, &text, &promise),
            };
            broken.extend(complaint.map(|c| format!("{name} {}: {c}", promise.settings.join(" "))));
        }
    }
    println!("{checked} promises checked");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// What is wrong with the promise, if anything.
fn complaint(path: &Path, text: &str, promise: &Promise) -> Option<String> {
    let answer = ours::ask(&Question {
        path,
        text,
        defines: &promise.settings,
        dialect: None,
        claim: Claim::None,
        engine: EngineChoice::EXPLICIT,
        order: SearchOrder::BreadthFirst,
        limit: None,
    });
    let Answer::Complete(found) = answer else {
        return Some(format!("{answer:?}"));
    };
    if promise.states.is_some_and(|states| states != found.states) {
        return Some(format!(
            "{:?} states promised, {} found",
            promise.states, found.states
        ));
    }
    let wanted = promise.violated.and_then(kind);
    let shown = found.shown.map(|s| s.kind);
    (wanted != shown).then(|| format!("{wanted:?} promised, {shown:?} found"))
}

/// What is wrong with the promise of a number of orbits, if anything.
fn complaint_of_orbits(path: &Path, text: &str, promise: &Promise) -> Option<String> {
    let manner = Manner {
        symmetry: SymmetryChoice::default(),
        ..Manner::OFF
    };
    let found = Case::load(path, text, &promise.settings, Claim::None).and_then(|case| {
        let symmetry = case.symmetry()?;
        let found = case.search(manner, &symmetry);
        found.map_err(|failure| format!("{failure:?}"))
    });
    let found = match found {
        Ok(found) => found,
        Err(failure) => return Some(failure),
    };
    let as_promised = promise.states.is_none_or(|states| states == found.states)
        && promise.violated.is_some() == found.violated
        && found.not_canonical == 0;
    (!as_promised).then(|| format!("{found:?} with symmetry"))
}

/// What a search without a claim can find.
fn kind(violated: Violated) -> Option<ViolationKind> {
    match violated {
        Violated::Assertion => Some(ViolationKind::Assertion),
        Violated::Deadlock => Some(ViolationKind::Deadlock),
        Violated::Error => Some(ViolationKind::RuntimeError),
        Violated::Liveness => None,
    }
}
