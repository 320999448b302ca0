//! `--bugs`: violations that come from different things, each with a run.

use crate::common::{Run, mandala, model, temporary};
use serde_json::Value;

fn check(more: &[&str]) -> Run {
    let path = model("several.pml");
    let all = ["check", &path, "--keep-going", "--json", "-"];
    mandala([&all[..], more].concat())
}

/// The message, the line and the length of the run of each violation that is shown.
fn shown(run: &Run) -> Vec<(String, u64, usize)> {
    let document = run.json();
    let first = serde_json::json!({"violation": document["violation"], "trace": document["trace"]});
    let further = document["further"].as_array().cloned().unwrap_or_default();
    let all = std::iter::once(first).chain(further);
    all.map(|found| told(&found)).collect()
}

fn told(found: &Value) -> (String, u64, usize) {
    let violation = &found["violation"];
    let message = violation["message"].as_str().unwrap().to_string();
    let line = violation["place"]["line"].as_u64().unwrap_or(0);
    (
        message,
        line,
        found["trace"]["steps"].as_array().unwrap().len(),
    )
}

#[test]
fn each_violation_that_comes_from_something_else_has_a_shortest_run() {
    let all = shown(&check(&["--bugs", "10"]));
    let expected = [
        ("an assertion failed", 6),
        (
            "array index 3 is outside the array, which goes from 0 to 2",
            14,
        ),
        ("an assertion failed", 8),
        ("an assertion failed", 14),
        (
            "deadlock: no process can move, and a process waits where it must not stay",
            0,
        ),
    ];
    let met: Vec<(&str, u64)> = all
        .iter()
        .map(|(what, line, _)| (what.as_str(), *line))
        .collect();
    assert_eq!(met, expected);
    let lengths: Vec<usize> = all.iter().map(|(.., steps)| *steps).collect();
    assert!(lengths.is_sorted(), "{lengths:?}");
    // A search for that one alone finds no shorter run.
    let deadlock = temporary("deadlock-alone.pml");
    let text = std::fs::read_to_string(model("several.pml")).unwrap();
    let text = text
        .replace("assert(x != 2)", "skip")
        .replace("assert(y < 4)", "skip");
    let text = text
        .replace("a[x+1] = 1", "skip")
        .replace("assert(x == 0)", "skip");
    std::fs::write(&deadlock, text).unwrap();
    let alone = mandala(["check", deadlock.to_str().unwrap(), "--json", "-"]);
    let alone = told(&alone.json());
    assert_eq!((alone.0, alone.2), (all[4].0.clone(), all[4].2));
}

#[test]
fn as_many_as_wanted_are_shown_however_the_search_is_done() {
    let all = shown(&check(&["--bugs", "10"]));
    for number in 1..=4 {
        let some = shown(&check(&["--bugs", &number.to_string()]));
        assert_eq!(some, all[..number], "{number}");
    }
    for manner in [
        &["--workers", "2"][..],
        &["--symmetry", "off"],
        &["--interpret", "--fire", "all"],
    ] {
        assert_eq!(
            shown(&check(&[&["--bugs", "10"], manner].concat())),
            all,
            "{manner:?}"
        );
    }
    // Depth first others are met first, from the same statements.
    let lines = |found: &[(String, u64, usize)]| {
        let mut lines: Vec<u64> = found.iter().map(|(_, line, _)| *line).collect();
        lines.sort_unstable();
        lines
    };
    let dfs = shown(&check(&["--bugs", "10", "--search", "dfs"]));
    assert_eq!(lines(&dfs), lines(&all));
}

#[test]
fn the_report_shows_all_of_them_and_all_replay() {
    let path = model("several.pml");
    let json = temporary("several.json");
    let json = json.to_str().unwrap();
    let run = mandala([
        "check",
        &path,
        "--keep-going",
        "--bugs",
        "3",
        "--json",
        json,
    ]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.output.matches("also violated").count(), 2, "{run}");
    let again = mandala(["replay", json]);
    assert_eq!(again.status, 0, "{again}");
    assert_eq!(again.output.matches("✓ replayed").count(), 3, "{again}");
}

#[test]
fn bugs_are_refused_where_they_are_not_told_apart() {
    let path = model("several.pml");
    let run = mandala(["check", &path, "--bugs", "2"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("--keep-going"), "{run}");
    let run = mandala([
        "check",
        &path,
        "--keep-going",
        "--bugs",
        "2",
        "--engine",
        "symbolic",
    ]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("--bugs"), "{run}");
}
