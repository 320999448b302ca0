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
    let all = shown(&check(&["--bugs", "20"]));
    let expected = [
        ("an assertion failed", 6),
        (
            "array index 3 is outside the array, which goes from 0 to 2",
            14,
        ),
        ("an assertion failed", 8),
        (
            "array index 4 is outside the array, which goes from 0 to 2",
            14,
        ),
        ("an assertion failed", 8),
        ("an assertion failed", 14),
        (
            "array index 5 is outside the array, which goes from 0 to 2",
            14,
        ),
        ("an assertion failed", 14),
        ("an assertion failed", 14),
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
    assert_eq!((alone.0, alone.2), (all[10].0.clone(), all[10].2));
}

#[test]
fn as_many_as_wanted_are_shown_however_the_search_is_done() {
    let all = shown(&check(&["--bugs", "20"]));
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
            shown(&check(&[&["--bugs", "20"], manner].concat())),
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
    let dfs = shown(&check(&["--bugs", "20", "--search", "dfs"]));
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

/// The line and the values of each violation that is shown, without the numbers of processes.
fn values(run: &Run) -> Vec<(u64, Vec<String>)> {
    let document = run.json();
    let first = serde_json::json!({"violation": document["violation"]});
    let further = document["further"].as_array().cloned().unwrap_or_default();
    let all = std::iter::once(first).chain(further);
    let told = all.map(|found| {
        let violation = &found["violation"];
        let values = violation["values"].as_array().unwrap().iter();
        let text = |value: &Value| {
            let name = value["name"].as_str().unwrap();
            let own = name.rsplit(':').next().unwrap();
            format!("{own} = {}", value["value"].as_str().unwrap())
        };
        (
            violation["place"]["line"].as_u64().unwrap(),
            values.map(text).collect(),
        )
    });
    told.collect()
}

#[test]
fn values_tell_causes_apart_and_who_it_is_does_not() {
    let path = model("values.pml");
    let all = [
        "check",
        &path,
        "--keep-going",
        "--bugs",
        "20",
        "--json",
        "-",
    ];
    let mut expected = vec![
        (7, vec!["inside = 2".to_string()]),
        (7, vec!["inside = 3".to_string()]),
        (8, vec!["turns = 1".to_string()]),
        (8, vec!["turns = 2".to_string()]),
    ];
    for manner in [
        &[][..],
        &["--workers", "3"],
        &["--interpret"],
        &["--fire", "all"],
        &["--search", "dfs"],
        &["--symmetry", "sorted"],
    ] {
        let run = mandala([&all[..], manner].concat());
        let mut met = values(&run);
        met.sort();
        expected.sort();
        assert_eq!(met, expected, "{manner:?}");
    }
    // Where no symmetry is known, who it is matters.
    let run = mandala([&all[..], &["--symmetry", "off"]].concat());
    assert_eq!(values(&run).len(), 2 + 3 * 2);
}

#[test]
fn more_causes_than_are_wanted_do_no_harm() {
    let text = "byte x, y; active proctype P() { do :: x < 60 -> x++ :: y < 60 -> y++ :: else -> break od }
        active proctype Q() { do :: assert(x + y < 50 || x == 0) od }";
    let file = temporary("many-causes.pml");
    std::fs::write(&file, text).unwrap();
    let check = |bugs: &str, workers: &str| {
        let path = file.to_str().unwrap();
        let run = mandala([
            "check",
            path,
            "--keep-going",
            "--bugs",
            bugs,
            "--workers",
            workers,
            "--json",
            "-",
        ]);
        values(&run)
    };
    let many = check("40", "1");
    assert_eq!(many.len(), 40);
    let different: std::collections::BTreeSet<_> = many.iter().collect();
    assert_eq!(different.len(), 40, "{many:?}");
    for (bugs, workers) in [("40", "3"), ("7", "1"), ("7", "3")] {
        let some = check(bugs, workers);
        assert_eq!(some, many[..some.len()], "{bugs} {workers}");
        assert_eq!(some.len().to_string(), bugs);
    }
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
