//! Every promise in the headers of the bundled models is kept.
#![allow(clippy::print_stdout)]

use mandala_checker::options::SymmetryChoice;
use mandala_conformance::dose::Dose;
use mandala_conformance::ours::{self, Answer, EngineChoice, Question, SearchOrder, ViolationKind};
use mandala_conformance::promises::{self, Counting, Promise, Violated};
use mandala_conformance::reduced::{Case, Manner};
use mandala_conformance::spin::Claim;
use std::path::{Path, PathBuf};

/// Larger models are asked about in turns.
const SMALL: u64 = 5_000;

/// All promises, each with its model and the model's text.
fn promised() -> Vec<(PathBuf, String, Promise)> {
    let mut all = Vec::new();
    for model in promises::models().expect("the folder is there") {
        let text = std::fs::read_to_string(&model).expect("it can be read");
        let promises = promises::promises(&text).unwrap_or_else(|e| panic!("{model:?}: {e}"));
        assert!(!promises.is_empty(), "{model:?} promises nothing");
        let promises = promises.into_iter();
        all.extend(promises.map(|promise| (model.clone(), text.clone(), promise)));
    }
    all
}

fn is_large((_, _, promise): &(PathBuf, String, Promise)) -> bool {
    promise.states.is_none_or(|states| states > SMALL)
}

#[test]
fn every_promise_is_kept() {
    let mut checked = 0;
    let mut broken = Vec::new();
    for (model, text, promise) in Dose::turn_of("promises of models", promised(), is_large) {
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        let complaint = match promise.counting {
            Counting::Reachable => complaint(&model, &text, &promise),
            Counting::Orbits => complaint_of_orbits(&model, &text, &promise),
        };
        broken.extend(complaint.map(|c| format!("{name} {}: {c}", promise.settings.join(" "))));
        checked += 1;
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
