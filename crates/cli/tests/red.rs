//! Pointer automata from the outside: what reports and traces say, and in whose words.

use crate::common::{Run, mandala, model, temporary};

fn check(more: &[&str]) -> Run {
    let path = model("pointers.red");
    mandala([&["check", &path], more].concat())
}

/// The message about what goes wrong with that bug.
fn message(bug: &str) -> String {
    let run = check(&["-D", bug, "--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    let document = run.json();
    assert!(document["trace"].is_object(), "{document:#}");
    let message = document["violation"]["message"].as_str();
    message.unwrap_or_default().to_string()
}

#[test]
fn what_is_undefined_is_a_violation_with_a_trace() {
    assert_eq!(
        message("BUG=1"),
        "`owner->next->next` is NULL, so there is nothing behind it"
    );
    assert_eq!(
        message("BUG=2"),
        "the value 3 is outside the range of the variable"
    );
    assert_eq!(message("BUG=3"), "the risk condition is true");
}

#[test]
fn a_risk_without_a_value_is_one() {
    let path = temporary("risk.red");
    let text =
        "process count = 2; global pointer g; local discrete d; mode a true {} risk g->d == 1;";
    std::fs::write(&path, text).expect("it can be written");
    let run = mandala(["check", &path.display().to_string()]);
    assert_eq!(run.status, 1, "{run}");
    let message = "the risk condition has no value: it follows NULL or divides by zero";
    assert!(run.output.contains(message), "{run}");
}

#[test]
fn traces_read_like_the_model() {
    let run = check(&["-D", "BUG=3", "--symmetry", "off"]);
    let step = "pointers.red:9   when owner == NULL may owner = P; next = P; goto in;";
    assert!(run.output.contains(step), "{run}");
    assert!(run.output.contains("owner: NULL → "), "{run}");
    assert!(!run.output.contains("[0]"), "{run}");
}

#[test]
fn nothing_is_declared_and_all_processes_are_interchangeable() {
    let run = check(&["-D", "count=4", "--json", "-"]);
    assert_eq!(run.status, 0, "{run}");
    let document = run.json();
    assert_eq!(document["model"]["language"], "red");
    assert_eq!(document["symmetry"]["order"], "24");
    let goals = ["in[1] and owner == 1", "exists i: in[i] and owner == i"];
    for (goal, order) in goals.into_iter().zip(["2", "6"]) {
        let run = check(&["--possible", goal, "--json", "-"]);
        assert_eq!(run.status, 0, "{run}");
        assert_eq!(run.json()["symmetry"]["order"], order, "{goal}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let run = check(&["-D", "BUGS=1"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors.contains("the model defines no constant `BUGS`"),
        "{run}"
    );
    let run = check(&["--non-progress"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors
            .contains("`--non-progress` is for Promela models"),
        "{run}"
    );
    let run = check(&["--trail", "x.trail"]);
    assert_eq!(run.status, 2, "{run}");
}
