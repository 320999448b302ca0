//! Models in Murphi: what Rumur and CMurphi have said of those of other projects, and what the headers of our own promise.
//!
//! A state is a state and a step is a rule that was fired, so both numbers have to be the same. With symmetry, the numbers are
//! those of representatives.
#![allow(clippy::print_stdout)]

use mandala_conformance::dose::Dose;
use mandala_conformance::ours::{
    self, Answer, Dialect, EngineChoice, Question, Search, SearchOrder, SymmetryChoice,
};
use mandala_conformance::promises::{self, Counting, Promise, PromisedSize};
use mandala_conformance::spin::Claim;
use std::path::{Path, PathBuf};

/// Larger models are left to a large dose.
const LARGEST: u64 = 30_000;

/// Larger ones are asked about in turns.
const SMALL: u64 = 2_000;

/// Models whose symmetry is not proved, or not at all sizes, and why. With symmetry they have more states than there are orbits.
const UNPROVEN: [(&str, &str); 2] = [
    ("peterson.m", "a liveness property names each process"),
    (
        "job-pool.m",
        "what is added up in a loop may leave its range on the way",
    ),
];

fn is_unproven(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| UNPROVEN.iter().any(|(file, _)| *file == name))
}

/// Whether the numbers are those that are expected. Where a proof is missing at some sizes, there may be
/// more.
fn check_numbers(
    path: &Path,
    counting: Counting,
    found: (u64, u64),
    wanted: (u64, u64),
    what: &str,
) {
    if counting == Counting::Orbits && is_unproven(path) {
        assert!(found.0 >= wanted.0, "{what}: orbits are missing");
    } else {
        assert_eq!(found, wanted, "{what}");
    }
}

fn folder() -> Option<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = crate_folder.join("../../shared/models/murphi");
    folder.join("oracle.csv").exists().then_some(folder)
}

fn ask_for(path: &Path, settings: &[String], dialect: Dialect, counting: Counting) -> Answer {
    let text = std::fs::read_to_string(path).expect("the model is there");
    let question = Question {
        path,
        text: &text,
        defines: settings,
        dialect: Some(dialect),
        claim: Claim::None,
        engine: EngineChoice::EXPLICIT,
        order: SearchOrder::BreadthFirst,
        limit: None,
    };
    let symmetry = match counting {
        Counting::Reachable => SymmetryChoice::Off,
        Counting::Orbits => SymmetryChoice::default(),
    };
    ours::ask_with(&question, symmetry)
}

/// The tool that has counted, by the last cell of a row: the first one that it names.
fn counter(cell: &str) -> Dialect {
    let word = cell.split(['/', ' ']).next();
    word.and_then(Dialect::named).expect("a tool")
}

/// What another tool has counted, if it has.
fn counted(states: &str, rules: &str) -> Option<(u64, u64)> {
    Some((states.parse().ok()?, rules.parse().ok()?))
}

/// What another tool has counted of a model.
struct Count<'a> {
    model: &'a str,
    counting: Counting,
    counter: Dialect,
    /// States and rules that were fired.
    numbers: (u64, u64),
}

/// All counts in a table, one for each way of counting.
fn counts_of_others(rows: &str) -> Vec<Count<'_>> {
    let mut counts = Vec::new();
    let largest = Dose::largest("models of other projects in Murphi", 2_000_000, u64::MAX);
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let all = counted(cells[1], cells[2]);
        let orbits = counted(cells[3], cells[4]);
        for (counting, numbers) in [(Counting::Reachable, all), (Counting::Orbits, orbits)] {
            let small = numbers.filter(|(states, _)| *states <= largest);
            counts.extend(small.map(|numbers| Count {
                model: cells[0],
                counting,
                counter: counter(cells[5]),
                numbers,
            }));
        }
    }
    counts
}

#[test]
fn models_of_other_projects_have_the_numbers_of_other_tools() {
    let Some(folder) = folder() else {
        println!("skipped: there is no folder of other projects' models next to the checkout");
        return;
    };
    let rows = std::fs::read_to_string(folder.join("oracle.csv")).expect("the file is there");
    let counts = counts_of_others(&rows);
    let in_turns = |count: &Count<'_>| count.numbers.0 > LARGEST;
    let mut compared = 0;
    for count in Dose::turn_of("models of other projects in Murphi", counts, in_turns) {
        let path = folder.join(count.model);
        let what = format!("{} {:?}", count.model, count.counting);
        match ask_for(&path, &[], count.counter, count.counting) {
            Answer::Complete(found) => {
                let found = (found.states, found.transitions);
                check_numbers(&path, count.counting, found, count.numbers, &what);
            }
            other => panic!("{what}: {other:?}"),
        }
        compared += 1;
        println!("{what}: {:?} states and rules", count.numbers);
    }
    assert!(compared >= 15, "only {compared} numbers were compared");
}

/// What the headers of our models promise of small ones: the model, the promise, and what it says about rules.
fn promised() -> Vec<(PathBuf, Promise, Option<PromisedSize>)> {
    let largest = Dose::largest("promises of models in Murphi", LARGEST, u64::MAX);
    let mut all = Vec::new();
    for path in promises::murphi_models().expect("the folder is there") {
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let promises = promises::promises(&text).expect("every line can be read");
        let mut rules = promises::rules(&text).expect("every line can be read");
        for promise in promises {
            let about = rules.iter().position(|size| is_about(size, &promise));
            let size = about.map(|about| rules.remove(about));
            if promise.states.is_none_or(|states| states <= largest) {
                all.push((path.clone(), promise, size));
            }
        }
        assert!(
            rules.is_empty(),
            "{path:?}: the states are missing for {rules:?}"
        );
    }
    all
}

#[test]
fn our_models_keep_what_their_headers_promise() {
    let in_turns = |(_, promise, _): &(PathBuf, Promise, Option<PromisedSize>)| {
        promise.states.is_none_or(|states| states > SMALL)
    };
    let mut kept = 0;
    for (path, promise, size) in Dose::turn_of("models in Murphi", promised(), in_turns) {
        match ask_for(&path, &promise.settings, Dialect::CMurphi, promise.counting) {
            Answer::Complete(found) => check(&path, &promise, size.as_ref(), &found),
            other => panic!("{path:?} {:?}: {other:?}", promise.settings),
        }
        kept += 1;
    }
    assert!(kept >= 25, "only {kept} promises were checked");
}

fn is_about(size: &PromisedSize, promise: &Promise) -> bool {
    size.settings == promise.settings && size.counting == promise.counting
}

fn check(path: &Path, promise: &Promise, size: Option<&PromisedSize>, found: &Search) {
    let what = format!("{path:?} {:?} {:?}", promise.settings, promise.counting);
    assert_eq!(found.violated, promise.violated.is_some(), "{what}");
    if promise.violated.is_none() {
        let states = promise.states.unwrap_or(found.states);
        let rules = size.map_or(found.transitions, |size| size.rules);
        let numbers = (found.states, found.transitions);
        check_numbers(path, promise.counting, numbers, (states, rules), &what);
    }
}

/// Sizes that no promise is made of are larger, so they take turns.
#[test]
fn our_models_are_as_large_as_their_headers_say() {
    let largest = Dose::largest("large sizes of models in Murphi", LARGEST, u64::MAX);
    let mut sizes = Vec::new();
    for path in promises::murphi_models().expect("the folder is there") {
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let larger = promises::larger(&text).expect("every line can be read");
        let small = larger.into_iter();
        let small = small.filter(|size| size.states.is_none_or(|states| states <= largest));
        sizes.extend(small.map(|size| (path.clone(), size)));
    }
    let mut checked = 0;
    for (path, size) in Dose::turn("large sizes of models in Murphi", sizes) {
        let what = format!("{path:?} {:?} {:?}", size.settings, size.counting);
        match ask_for(&path, &size.settings, Dialect::CMurphi, size.counting) {
            Answer::Complete(found) => {
                let numbers = (found.states, found.transitions);
                let wanted = (size.states.unwrap_or(found.states), size.rules);
                check_numbers(&path, size.counting, numbers, wanted, &what);
            }
            other => panic!("{what}: {other:?}"),
        }
        println!("{what}: {:?} states, {} rules", size.states, size.rules);
        checked += 1;
    }
    assert!(
        checked >= Dose::one_of(2, 7),
        "only {checked} sizes were checked"
    );
}
