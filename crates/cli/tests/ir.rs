//! The text form of the intermediate representation from the outside: what is printed can be used in place of the model.

use crate::common::{Run, mandala, model, temporary};
use serde_json::Value;

/// The text of a model in a file of its own.
fn written(name: &str, arguments: &[&str]) -> String {
    let run = mandala([&["ir"], arguments].concat());
    assert_eq!(run.status, 0, "{run}");
    let path = temporary(name);
    std::fs::write(&path, run.output).expect("it can be written");
    path.display().to_string()
}

fn checked(arguments: &[&str]) -> Value {
    let run = mandala([&["check"], arguments, &["--json", "-"]].concat());
    assert!(run.status < 2, "{run}");
    run.json()
}

/// What must be the same of a model and of its text: all but names of files, places and texts of statements, and times.
fn answer(document: &Value) -> Value {
    let properties = document["properties"]
        .as_array()
        .expect("properties")
        .iter();
    let properties: Vec<Value> = properties
        .map(|p| serde_json::json!([p["name"], p["kind"], p["verdict"], p["violations"]]))
        .collect();
    serde_json::json!({
        "language": document["model"]["language"],
        "verdict": document["verdict"],
        "properties": properties,
        "states": document["stats"]["states"],
        "transitions": document["stats"]["transitions"],
        "order": document["symmetry"]["order"],
        "length": document["trace"]["steps"].as_array().map(Vec::len),
    })
}

const MODELS: [&str; 9] = [
    "assertion.pml",
    "atomic.pml",
    "claims.pml",
    "rendezvous.pml",
    "symmetric.pml",
    "walkers.pml",
    "rules.m",
    "stays.m",
    "pointers.red",
];

#[test]
fn the_text_of_a_model_is_checked_like_the_model() {
    for name in MODELS {
        let path = model(name);
        let expected = answer(&checked(&[&path]));
        let text = written(&format!("{name}.ir"), &[&path]);
        assert_eq!(answer(&checked(&[&text])), expected, "{name}");
        let full = written(&format!("{name}.full.ir"), &[&path, "--full"]);
        assert_eq!(answer(&checked(&[&full])), expected, "{name}, full");
    }
}

/// The full text brings the source along, so that traces read like those of the model itself.
#[test]
fn the_full_text_gives_the_same_trace() {
    let path = model("assertion.pml");
    let full = written("assertion.full-trace.ir", &[&path, "--full"]);
    let (expected, found) = (checked(&[&path]), checked(&[&full]));
    assert!(expected["trace"].is_object());
    assert_eq!(found["trace"]["steps"], expected["trace"]["steps"]);
    let (plain, source) = (
        written("assertion.plain.ir", &[&path]),
        model("assertion.pml"),
    );
    let found = checked(&[&plain]).to_string();
    assert!(!found.contains(&source), "{found}");
}

#[test]
fn properties_of_the_command_line_become_part_of_the_text() {
    let path = model("holds.pml");
    let property = ["--ctl", "p: AG true"];
    let expected = answer(&checked(&[&[path.as_str()], &property[..]].concat()));
    let text = written("stated.ir", &[&[path.as_str()], &property[..]].concat());
    assert_eq!(answer(&checked(&[&text])), expected);
}

#[test]
fn other_commands_take_texts_too() {
    let text = written("symmetric.other.ir", &[&model("symmetric.pml")]);
    let symmetry = |path: &str| -> Run { mandala(["symmetry", path]) };
    let expected = symmetry(&model("symmetric.pml"));
    let found = symmetry(&text);
    assert_eq!(found.status, expected.status, "{found}");
    let again = mandala(["ir", &text]);
    assert_eq!(again.status, 0, "{again}");
    let simulated = mandala(["simulate", &text]);
    assert!(simulated.status < 2, "{simulated}");
}

#[test]
fn what_a_text_cannot_have_is_refused() {
    let text = written("refused.ir", &[&model("holds.pml")]);
    let run = mandala(["check", &text, "-D", "N=2"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("has no constants to define"), "{run}");
    let run = mandala(["check", &text, "--ltl", "p: [] true"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("`--ltl` is not available"), "{run}");
}

#[test]
fn another_version_is_refused() {
    let path = temporary("version.ir");
    std::fs::write(&path, "mandala-ir 1\n").expect("it can be written");
    let run = mandala(["check", &path.display().to_string()]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("version 1 of the form"), "{run}");
}
