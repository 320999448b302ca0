//! Models in Murphi: what Rumur and CMurphi have said of those of other projects, and what the headers of our own promise.
//!
//! Everything is searched without reductions. A state is a state and a step is a rule that was fired, so both numbers have to
//! be the same.
#![allow(clippy::print_stdout)]

use mandala_conformance::ours::{self, Answer, Engine, Question, Search, SearchOrder};
use mandala_conformance::promises::{self, Counting, Promise, Violated};
use mandala_conformance::spin::Claim;
use std::path::{Path, PathBuf};

/// Larger models are left to the run with optimised code.
const LARGEST: u64 = if cfg!(debug_assertions) {
    70_000
} else {
    u64::MAX
};

/// Models with multisets, whose elements still have an order in the states that the engine counts.
const ORDERED: [&str; 2] = ["newcache3.m", "directory-msi.m"];

fn folder() -> Option<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = crate_folder.join("../../../shared/models/murphi");
    folder.join("oracle.csv").exists().then_some(folder)
}

fn ask(path: &Path, settings: &[String]) -> Answer {
    let text = std::fs::read_to_string(path).expect("the model is there");
    ours::ask(&Question {
        path,
        text: &text,
        defines: settings,
        claim: Claim::None,
        engine: Engine::Explicit,
        order: SearchOrder::BreadthFirst,
        limit: None,
    })
}

fn is_ordered(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| ORDERED.contains(&name))
}

#[test]
fn models_of_other_projects_have_the_numbers_of_other_tools() {
    let Some(folder) = folder() else {
        println!("skipped: there is no folder of other projects' models next to the checkout");
        return;
    };
    let rows = std::fs::read_to_string(folder.join("oracle.csv")).expect("the file is there");
    let mut compared = 0;
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let path = folder.join(cells[0]);
        if is_ordered(&path) {
            continue;
        }
        let (Ok(states), Ok(rules)) = (cells[1].parse::<u64>(), cells[2].parse::<u64>()) else {
            continue;
        };
        if states > LARGEST {
            continue;
        }
        match ask(&path, &[]) {
            Answer::Complete(found) => {
                let numbers = (found.states, found.transitions);
                assert_eq!(numbers, (states, rules), "{}", cells[0]);
            }
            other => panic!("{}: {other:?}", cells[0]),
        }
        compared += 1;
        println!("{}: {states} states, {rules} rules", cells[0]);
    }
    assert!(compared >= 4, "only {compared} rows were compared");
}

#[test]
fn our_models_keep_what_their_headers_promise() {
    let mut kept = 0;
    for path in promises::murphi_models().expect("the folder is there") {
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let promises = promises::promises(&text).expect("every line can be read");
        if is_ordered(&path) {
            continue;
        }
        for promise in promises.iter().filter(|p| is_checked(p)) {
            match ask(&path, &promise.settings) {
                Answer::Complete(found) => check(&path, promise, &found),
                other => panic!("{path:?} {:?}: {other:?}", promise.settings),
            }
            kept += 1;
        }
    }
    assert!(kept >= 25, "only {kept} promises were checked");
}

/// Whether a promise is about a search without reductions that is not too large, and not about what is not checked yet.
fn is_checked(promise: &Promise) -> bool {
    promise.counting == Counting::Reachable
        && promise.violated != Some(Violated::Liveness)
        && promise.states.is_none_or(|states| states <= LARGEST)
}

fn check(path: &Path, promise: &Promise, found: &Search) {
    let what = format!("{path:?} {:?}", promise.settings);
    assert_eq!(found.violated, promise.violated.is_some(), "{what}");
    if let (Some(states), None) = (promise.states, promise.violated) {
        assert_eq!(found.states, states, "{what}");
    }
}
