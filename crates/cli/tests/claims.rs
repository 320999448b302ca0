//! Claims: what they are called, what is said of them, and how their runs are counted.

use crate::common::{Run, mandala, model, temporary};
use serde_json::Value;

fn check(file: &str, more: &[&str]) -> Run {
    let path = model(file);
    mandala([&["check", &path], more].concat())
}

fn steps_of(document: &Value, actor: &str) -> usize {
    let steps = document["trace"]["steps"].as_array().unwrap().iter();
    steps.filter(|step| step["actor"] == actor).count()
}

#[test]
fn an_assertion_in_a_never_claim_is_an_assertion() {
    let run = check("never.pml", &["--property", "watch", "--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    let violation = &run.json()["violation"];
    assert_eq!(violation["message"], "an assertion failed");
    assert_eq!(violation["place"]["line"], 15);
    assert_eq!(violation["text"], "assert(x != 2)");
    assert_eq!(violation["values"][0]["value"], "2");
}

#[test]
fn the_only_never_claim_is_called_never() {
    let run = check("never.pml", &["--property", "never", "--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.json()["properties"][0]["name"], "watch");
    let run = check("claims.pml", &["--property", "never"]);
    assert_eq!(run.status, 2, "there is none: {run}");
}

#[test]
fn the_steps_of_the_system_are_counted_everywhere() {
    for (file, property) in [("never.pml", "watch"), ("claims.pml", "small")] {
        let trace = temporary(&format!("steps-{file}.json"));
        let path = trace.to_str().unwrap();
        let run = check(file, &["--property", property, "--json", path]);
        let document: Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let steps = steps_of(&document, "process");
        assert!(steps_of(&document, "claim") > 0, "{run}");
        let last = document["trace"]["steps"]
            .as_array()
            .unwrap()
            .last()
            .unwrap();
        assert_eq!(last["number"], steps, "{run}");
        assert!(
            run.output.contains(&format!("Trace ({steps} steps")),
            "{run}"
        );
        let replayed = mandala(["replay", path]);
        assert!(
            replayed.output.contains(&format!(", {steps} steps: ")),
            "{replayed}"
        );
        assert!(
            replayed.output.contains(&format!("Trace ({steps} steps")),
            "{replayed}"
        );
    }
}

#[test]
fn a_weak_until_is_decided() {
    let run = check("weak.pml", &["--property", "before"]);
    assert_eq!(run.status, 0, "{run}");
    let run = check("weak.pml", &["--property", "wrong"]);
    assert_eq!(run.status, 1, "{run}");
    assert!(
        run.output.contains("does not satisfy the formula `wrong`"),
        "{run}"
    );
}

#[test]
fn long_channels_are_shown_by_what_came_and_went() {
    let path = temporary("channel.json");
    let path = path.to_str().unwrap();
    let run = check("channel.pml", &["--json", path]);
    assert_eq!(run.status, 1, "{run}");
    let longest = run.output.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(120), "{run}");
    assert!(run.output.contains("q: + (1, 2, 3)"), "{run}");
    assert!(run.output.contains("q: - (1, 2, 3)"), "{run}");
    let document = std::fs::read_to_string(path).unwrap();
    assert!(
        document.contains("(1, 2, 3), (1, 2, 3), (1, 2, 3)"),
        "all of it"
    );
}

#[test]
fn a_state_that_is_too_large_says_how_large_and_what_would_not_be() {
    let path = temporary("large.pml");
    std::fs::write(&path, "int big[30000]; active proctype p() { big[7] = 1 }").unwrap();
    let run = mandala(["check", path.to_str().unwrap()]);
    assert_eq!(run.status, 3, "{run}");
    assert!(
        run.output
            .contains("more than 65,536 bytes, which is the limit"),
        "{run}"
    );
    assert!(run.output.contains("30,000 values"), "{run}");
}
