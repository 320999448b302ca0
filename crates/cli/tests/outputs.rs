//! Where results go, and where models come from.

use crate::common::{Run, mandala, mandala_reading, model, temporary};
use std::fs;

fn check(file: &str, more: &[&str]) -> Run {
    let path = model(file);
    mandala([&["check", &path], more].concat())
}

#[test]
fn a_place_that_cannot_be_written_is_noticed_before_the_search() {
    for option in ["--json", "--trail"] {
        // The search would take ten seconds and end in status 3.
        let place = [option, "/no/such/folder/file", "--time", "10s"];
        let started = std::time::Instant::now();
        let run = check("endless.pml", &place);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains("cannot write"), "{run}");
        assert!(started.elapsed().as_secs() < 9, "{run}");
    }
}

#[test]
fn the_document_is_written_though_the_trail_cannot_be() {
    let path = temporary("without-trail.json");
    let json = path.to_str().unwrap();
    let document = || -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap()
    };
    let run = check(
        "deadlock.pml",
        &["--json", json, "--trail", "/no/such/folder/file"],
    );
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("/no/such/folder/file"), "{run}");
    assert!(document()["verdict"].is_null());
    assert_eq!(document()["error"]["kind"], "file");
    let message = document()["error"]["message"].to_string();
    assert!(message.contains("/no/such/folder/file"), "{message}");
    // A device that is always full is noticed when the run is known.
    if std::path::Path::new("/dev/full").exists() {
        let run = check("deadlock.pml", &["--json", json, "--trail", "/dev/full"]);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains("`/dev/full`"), "{run}");
        assert_eq!(document()["verdict"], "violated");
        let trail = temporary("without-json.trail");
        let written = trail.to_str().unwrap();
        let run = check("deadlock.pml", &["--json", "/dev/full", "--trail", written]);
        assert_eq!(run.status, 2, "{run}");
        assert_eq!(fs::read_to_string(&trail).unwrap().lines().count(), 4);
    }
}

#[test]
fn one_place_is_not_for_two_results_however_it_is_written() {
    let path = temporary("twice.json");
    let other = temporary("./twice.json");
    let places = [path.to_str().unwrap(), other.to_str().unwrap()];
    let run = check("deadlock.pml", &["--json", places[0], "--trail", places[1]]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("the same place"), "{run}");
    let text = fs::read_to_string(&path).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["error"]["kind"], "command");
}

#[test]
fn an_old_result_stays_until_there_is_a_new_one_and_nothing_is_left_for_nothing() {
    let old = temporary("old.trail");
    fs::write(
        &old,
        "something much longer than any trail of this model will ever be\n".repeat(9),
    )
    .unwrap();
    let path = old.to_str().unwrap();
    assert_eq!(check("holds.pml", &["--trail", path]).status, 0);
    assert!(fs::read_to_string(&old).unwrap().starts_with("something"));
    assert_eq!(check("deadlock.pml", &["--trail", path]).status, 1);
    assert_eq!(fs::read_to_string(&old).unwrap().lines().count(), 4);
    let new = temporary("new.trail");
    let _ = fs::remove_file(&new);
    let run = check("holds.pml", &["--trail", new.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{run}");
    assert!(!new.exists());
}

#[test]
fn a_trail_can_go_to_standard_output() {
    let run = check("deadlock.pml", &["--trail", "-"]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.output.lines().count(), 4, "{run}");
    assert!(run.output.starts_with("1:"), "{run}");
    let run = check("deadlock.pml", &["--trail", "-", "--json", "-"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("the same place"), "{run}");
}

#[test]
fn a_model_can_come_from_standard_input() {
    let text = fs::read_to_string(model("assertion.pml")).unwrap();
    let run = mandala_reading(&text, ["check", "-"]);
    assert_eq!(run.status, 1, "{run}");
    assert!(
        run.output.starts_with("✗ violated: safety  <stdin>: "),
        "{run}"
    );
    assert!(run.output.contains("<stdin>:9:"), "{run}");
    let trace = temporary("stdin.json");
    let trace = trace.to_str().unwrap();
    assert_eq!(
        mandala_reading(&text, ["check", "-", "--json", trace]).status,
        1
    );
    let run = mandala(["replay", trace]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("--model FILE"), "{run}");
    let run = mandala(["replay", trace, "--model", &model("assertion.pml")]);
    assert_eq!(run.status, 0, "{run}");
    assert!(!run.output.contains("note:"), "the text is the same: {run}");
    let run = mandala_reading(&text, ["simulate", "-i", "-"]);
    assert_eq!(run.status, 2, "{run}");
}

#[test]
fn a_wrong_model_gives_a_document_without_a_verdict() {
    let run = check("wrong.pml", &["--json", "-"]);
    assert_eq!(run.status, 2, "{run}");
    let document = run.json();
    assert_eq!(document["schema"], "mandala-report/2");
    assert!(document.as_object().unwrap().contains_key("verdict"));
    assert!(document["verdict"].is_null());
    assert_eq!(document["error"]["kind"], "model");
    let findings = document["error"]["findings"].as_array().unwrap();
    let lines: Vec<_> = findings
        .iter()
        .map(|f| f["place"]["line"].as_u64())
        .collect();
    assert_eq!(lines, [Some(2), Some(5), Some(6)], "{run}");
    assert!(
        run.errors.contains("3 errors"),
        "people are told too: {run}"
    );
    let kinds = [
        (
            check("holds.pml", &["--json", "-", "--store-hashes", "3"]),
            "command",
        ),
        (mandala(["check", "/no/such.pml", "--json", "-"]), "file"),
    ];
    for (run, kind) in kinds {
        assert_eq!(run.status, 2, "{run}");
        assert_eq!(run.json()["error"]["kind"], kind);
    }
}

#[test]
fn a_document_without_a_verdict_cannot_be_replayed() {
    let path = temporary("wrong.json");
    let path = path.to_str().unwrap();
    assert_eq!(check("wrong.pml", &["--json", path]).status, 2);
    let run = mandala(["replay", path]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("it has no result"), "{run}");
}

#[test]
fn help_begins_with_what_it_does_and_shows_examples() {
    let run = mandala(["--help"]);
    assert_eq!(run.status, 0, "{run}");
    assert!(
        run.output
            .starts_with("Checks models of concurrent systems"),
        "{run}"
    );
    assert!(run.output.contains("mandala check model.pml"), "{run}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_writes_its_document() {
    use std::process::{Command, Stdio};
    let child = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args([
            "check",
            &model("endless.pml"),
            "--time",
            "60s",
            "--json",
            "-",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let signal = ["-INT", &child.id().to_string()];
    assert!(
        Command::new("kill")
            .args(signal)
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "unknown");
    assert_eq!(document["coverage"]["reason"], "the search was interrupted");
    assert!(document["stats"]["states"].as_u64() > Some(0));
}

/// The lines of a file, each a JSON document.
fn lines(path: &std::path::Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

#[test]
fn progress_is_written_line_by_line_and_the_last_line_has_the_numbers_of_the_report() {
    let path = temporary("progress.jsonl");
    fs::write(&path, "what was there before\n").unwrap();
    let to = ["--progress-json", path.to_str().unwrap()];
    let limits = ["--time", "2500ms", "--json", "-"];
    let run = check("endless.pml", &[&to[..], &limits].concat());
    assert_eq!(run.status, 3, "{run}");
    let lines = lines(&path);
    assert!(lines.len() >= 2, "{lines:?}");
    for line in &lines {
        assert_eq!(line["schema"], "mandala-progress/1");
        assert!(line["limits"]["time"].as_f64().unwrap() > 0.0, "{line}");
    }
    assert_eq!(lines[0]["phase"], "searching");
    assert!(lines[0]["states_per_second"].as_f64().unwrap() > 0.0);
    let last = lines.last().unwrap();
    assert_eq!(last["phase"], "done");
    for count in ["states", "transitions", "depth"] {
        assert_eq!(last[count], run.json()["stats"][count]);
    }
}

#[test]
fn progress_can_take_the_place_of_the_report() {
    let run = check("deadlock.pml", &["--progress-json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.json()["phase"], "done");
    assert_eq!(run.errors, "");
    let run = check("deadlock.pml", &["--progress-json", "-", "--json", "-"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("the same place"), "{run}");
    let run = check("deadlock.pml", &["--progress-json", "/no/such/folder/file"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("cannot write"), "{run}");
}
