//! `mandala replay`: what `mandala check --json` wrote can be made again, and nothing else.

use crate::common::{Run, mandala, model, temporary};
use serde_json::{Value, json};

/// Checks a model, writes the document, and gives its path.
fn written(file: &str, name: &str, more: &[&str]) -> String {
    let path = temporary(name).to_str().unwrap().to_string();
    let run = mandala([&["check", &model(file), "--json", &path], more].concat());
    assert_eq!(run.status, 1, "{run}");
    path
}

fn replay(path: &str) -> Run {
    mandala(["replay", path])
}

#[test]
fn every_kind_of_counterexample_replays() {
    let fails = ["--ctl", "p: AF (_nr_pr > 9)", "--property", "p"];
    let cases: [(&str, &[&str]); 10] = [
        ("assertion.pml", &[]),
        ("deadlock.pml", &[]),
        ("rendezvous.pml", &[]),
        ("division.pml", &[]),
        ("atomic.pml", &[]),
        ("claims.pml", &[]),
        ("many.pml", &["--keep-going"]),
        ("division.pml", &fails),
        ("deadlock.pml", &fails),
        ("assertion.pml", &["-D", "LIMIT=0", "--search", "dfs"]),
    ];
    for (number, (file, options)) in cases.into_iter().enumerate() {
        let path = written(file, &format!("replay-{number}.json"), options);
        let run = replay(&path);
        assert_eq!(run.status, 0, "{file}: {run}");
        assert!(run.output.starts_with("✓ replayed"), "{run}");
    }
}

/// The document with one thing changed.
fn tampered(name: &str, pointer: &str, value: Value) -> Run {
    let path = written("assertion.pml", name, &[]);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    *document.pointer_mut(pointer).unwrap() = value;
    std::fs::write(&path, document.to_string()).unwrap();
    replay(&path)
}

#[test]
fn a_trace_that_is_not_a_run_is_refused() {
    let changes = [
        ("/trace/steps/0/pid", json!(7)),
        ("/trace/steps/0/edge", json!(9999)),
        ("/trace/steps/0/statement", json!("inside = 5")),
        ("/trace/steps/0/process", json!("nobody")),
        ("/trace/steps/0/changes/0/to", json!("9")),
        ("/trace/steps", json!([])),
        ("/violation/property", json!("nonsense")),
        ("/violation/property_id", json!("p7")),
        ("/violation/property_id", json!("nonsense")),
        ("/violation/message", json!("the sky fell")),
        ("/violation/values/0/value", json!("77")),
        ("/schema", json!("mandala-report/99")),
        ("/schema", json!("mandala-report/1")),
        ("/model/path", json!("/no/such/model.pml")),
    ];
    for (number, (pointer, value)) in changes.into_iter().enumerate() {
        let run = tampered(&format!("tampered-{number}.json"), pointer, value);
        assert_eq!(run.status, 2, "{pointer}: {run}");
        assert!(run.errors.contains("error"), "{pointer}: {run}");
        assert!(!run.errors.contains("internal error"), "{pointer}: {run}");
    }
}

#[test]
fn a_document_of_an_older_schema_says_what_to_do() {
    let run = tampered("older.json", "/schema", json!("mandala-report/1"));
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("`mandala-report/1`"), "{run}");
    assert!(
        run.errors.contains("anew with `mandala check --json`"),
        "{run}"
    );
}

#[test]
fn a_model_that_has_changed_is_noticed() {
    let copy = temporary("changing.pml");
    let text = std::fs::read_to_string(model("assertion.pml")).unwrap();
    std::fs::write(&copy, &text).unwrap();
    let trace = temporary("changing.json");
    let (copy_path, trace_path) = (copy.to_str().unwrap(), trace.to_str().unwrap());
    assert_eq!(
        mandala(["check", copy_path, "--json", trace_path]).status,
        1
    );
    let run = replay(trace_path);
    assert_eq!(run.status, 0, "{run}");
    assert!(!run.output.contains("note:"), "{run}");
    std::fs::write(&copy, text.replace("inside--", "inside = 0")).unwrap();
    let run = replay(trace_path);
    assert_eq!(run.status, 0, "the run is still the same: {run}");
    assert!(run.output.contains("note: this is not the text"), "{run}");
    std::fs::write(&copy, format!("\n\n{text}")).unwrap();
    let run = replay(trace_path);
    assert_eq!(run.status, 0, "{run}");
    assert!(
        run.output.contains("changing.pml:11:"),
        "the place is that of today: {run}"
    );
    std::fs::write(&copy, text.replace("inside++", "inside = inside + 2")).unwrap();
    let run = replay(trace_path);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("the model has changed"), "{run}");
}

#[test]
fn a_model_elsewhere_can_be_named_or_lies_beside_the_trace() {
    let folder = temporary("elsewhere");
    std::fs::create_dir_all(&folder).unwrap();
    let from = temporary("moving.pml");
    std::fs::copy(model("assertion.pml"), &from).unwrap();
    let trace = folder.join("trace.json");
    let trace_path = trace.to_str().unwrap();
    assert_eq!(
        mandala(["check", from.to_str().unwrap(), "--json", trace_path]).status,
        1
    );
    let to = folder.join("moving.pml");
    std::fs::rename(&from, &to).unwrap();
    assert_eq!(replay(trace_path).status, 0);
    let far = folder.join("other.pml");
    std::fs::rename(&to, &far).unwrap();
    assert_eq!(replay(trace_path).status, 2);
    let run = mandala(["replay", trace_path, "--model", far.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.contains("other.pml, 3 steps: "), "{run}");
    assert!(!run.output.contains("moving.pml"), "{run}");
}

#[test]
fn a_document_without_a_trace_cannot_be_replayed() {
    let path = temporary("no-trace.json");
    let path = path.to_str().unwrap();
    assert_eq!(
        mandala(["check", &model("holds.pml"), "--json", path]).status,
        0
    );
    let run = replay(path);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("no trace"), "{run}");
    assert_eq!(replay("/no/such/file.json").status, 2);
    assert_eq!(replay(&model("holds.pml")).status, 2);
}
