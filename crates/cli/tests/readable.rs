//! What people read: which steps of a trace are shown, charts, reasons, hints.

use crate::common::{Run, mandala, temporary};
use std::fs;

/// Two clients start a server with messages, in atomic sequences, with a loop.
const MODEL: &str = "\
chan q = [3] of { byte };
byte x, y;
active proctype P() {
  byte i;
  atomic { for (i : 1 .. 2) { q!i } };
  x = 1;
  if :: y > 0 -> skip :: else fi;
  x = 2
}
active proctype Q() {
  byte z;
  q?z; q?z; y = 255 + z;
  assert(x < 2)
}
";

fn written(name: &str, text: &str) -> String {
    let path = temporary(name);
    fs::write(&path, text).expect("the model is written");
    path.to_str().expect("a path").to_owned()
}

fn trace_of(more: &[&str]) -> (Run, Vec<String>) {
    let path = written("readable.pml", MODEL);
    let run = mandala([&["check", &path], more].concat());
    let after = run.output.split("Trace (").nth(1);
    let trace = after.and_then(|text| text.split("\n\n").next());
    let lines = trace.expect("a trace").lines().skip(1).map(String::from);
    let lines = lines.collect();
    (run, lines)
}

#[test]
fn an_atomic_sequence_is_a_line_and_every_step_can_be_asked_for() {
    let (run, short) = trace_of(&[]);
    assert!(short.iter().any(|line| line.contains("q: + 1, 2")), "{run}");
    assert!(!short.iter().any(|line| line.contains("i++")), "{run}");
    assert!(run.output.contains("`--steps full` shows each"), "{run}");
    let (run, full) = trace_of(&["--steps", "full"]);
    assert!(full.iter().any(|line| line.contains("i++")), "{run}");
    assert!(full.len() > short.len(), "{run}");
    assert!(!run.output.contains("shows each"), "{run}");
    let (run, messages) = trace_of(&["--steps", "messages"]);
    let first = messages.first().expect("a line");
    assert!(first.ends_with("q ! 1"), "{run}");
    assert!(run.output.contains("q ? 2  from P(0)"), "{run}");
}

#[test]
fn some_variables_can_be_asked_for_and_others_are_refused() {
    let (run, lines) = trace_of(&["--show", "x,z"]);
    assert!(lines.iter().any(|line| line.contains("x: 0 → 1")), "{run}");
    assert!(lines.iter().any(|line| line.contains("z: 1 → 2")), "{run}");
    assert!(!run.output.contains("q: +"), "{run}");
    let path = written("readable-names.pml", MODEL);
    let run = mandala(["check", &path, "--show", "nothing"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("no such variable"), "{run}");
}

#[test]
fn the_last_state_and_what_did_not_fit_are_told() {
    let (run, _) = trace_of(&[]);
    assert!(
        run.output.contains("257 does not fit y, which keeps 1"),
        "{run}"
    );
    let last = run
        .output
        .split("Last state\n")
        .nth(1)
        .expect("a last state");
    assert!(last.contains("  x = 2\n"), "{run}");
    assert!(last.contains("Q(1) at readable.pml:"), "{run}");
}

#[test]
fn charts_go_where_they_are_asked_for() {
    let path = written("readable-chart.pml", MODEL);
    let run = mandala(["check", &path, "-q", "--msc", "-"]);
    assert!(run.output.contains("q ! 1"), "{run}");
    assert!(run.output.starts_with("✗ violated"), "{run}");
    let document = temporary("readable.json");
    let json = document.to_str().expect("a path");
    for (end, first) in [("txt", " "), ("mmd", "sequenceDiagram"), ("svg", "<svg ")] {
        let chart = temporary(&format!("readable.{end}"));
        let place = chart.to_str().expect("a path");
        let run = mandala(["check", &path, "--msc", place, "--json", json]);
        assert_eq!(run.status, 1, "{run}");
        let checked = fs::read_to_string(&chart).expect("a chart");
        assert!(checked.starts_with(first), "{checked}");
        let run = mandala(["replay", json, "--msc", place]);
        assert_eq!(run.status, 0, "{run}");
        assert_eq!(fs::read_to_string(&chart).expect("a chart"), checked);
    }
    let run = mandala(["check", &path, "--msc", "chart.png"]);
    assert_eq!(run.status, 2, "{run}");
    let run = mandala(["check", &path, "--msc", "-", "--json", "-"]);
    assert!(run.output.contains("the same place"), "{run}");
    let run = mandala(["simulate", &path, "--seed", "1", "--msc", "-"]);
    assert!(run.output.contains("●1"), "{run}");
}

#[test]
fn events_are_in_the_document() {
    let path = written("readable-events.pml", MODEL);
    let run = mandala(["check", &path, "--json", "-"]);
    let document: serde_json::Value = serde_json::from_str(&run.output).expect("a document");
    let steps = document["trace"]["steps"].as_array().expect("steps");
    let events: Vec<_> = steps
        .iter()
        .map(|s| &s["event"])
        .filter(|e| !e.is_null())
        .collect();
    let sends = events.iter().filter(|event| event["kind"] == "send");
    assert!(sends.clone().count() == 2, "{run}");
    for send in sends {
        assert_eq!(
            (send["from"].as_str(), send["to"].as_str()),
            (Some("P(0)"), Some("Q(1)"))
        );
        let same = |event: &&&serde_json::Value| event["number"] == send["number"];
        let mut both = events.iter().filter(same);
        assert_eq!(both.clone().count(), 2, "{run}");
        assert!(both.any(|event| event["kind"] == "receive"), "{run}");
    }
    assert!(
        !document["trace"]["last_state"]["values"]
            .as_array()
            .expect("values")
            .is_empty()
    );
}

#[test]
fn a_deadlock_says_who_waits_for_whom_and_what_to_do() {
    let text = "chan q = [1] of { byte };\nbool go;\n\
                active proctype S() { byte x; do :: q?x od }\nactive proctype C() { q!1 }\n";
    let path = written("readable-ended.pml", text);
    let run = mandala(["check", &path]);
    assert!(
        run.output
            .contains("q = []; no other process can change that"),
        "{run}"
    );
    assert!(run.output.contains("`--no-deadlock`"), "{run}");
    let text =
        "bool a, b;\nactive proctype A() { a; b = true }\nactive proctype B() { b; a = true }\n";
    let path = written("readable-circle.pml", text);
    let run = mandala(["check", &path]);
    assert!(
        run.output.contains("a = false; B(1) could change that"),
        "{run}"
    );
    assert!(!run.output.contains("--no-deadlock"), "{run}");
}

#[test]
fn who_is_never_served_is_named() {
    let text = "bool p;\nbyte t;\nactive proctype A() { p = true }\n\
                active proctype B() { do :: t = 1 - t od }\nltl f { <> p }\n";
    let path = written("readable-unfair.pml", text);
    let run = mandala(["check", &path]);
    assert!(run.output.contains("never true: `p`"), "{run}");
    let told = "A(0) could move in every state of the cycle and never does; `--fair weak`";
    assert!(run.output.contains(told), "{run}");
}

#[test]
fn what_other_tools_write_gets_a_hint() {
    for (name, text, hint) in [
        (
            "hint1.pml",
            "byte x;\nactive proctype P() { x := 1 }\n",
            "written `x = 1`",
        ),
        (
            "hint2.pml",
            "byte x;\nactive proctype P() { x = x > 1 ? 2 : 3 }\n",
            "(condition -> one : other)",
        ),
        (
            "hint3.pml",
            "chan q = [1] of { mtype };\nactive proctype P() { q!REQ }\n",
            "mtype = { REQ }",
        ),
        (
            "hint4.pml",
            "bool p;\ninit { p = true }\nltl f { G F p }\n",
            "`[] p`",
        ),
        (
            "hint5.m",
            "var x: 0..3;\nstartstate { x := 0; }\n",
            "no braces",
        ),
        (
            "hint7.pml",
            "bool p, q;\ninit { p = true }\nltl f { [] p and <> q }\n",
            "write `&&`",
        ),
        (
            "hint8.pml",
            "bool p, q;\ninit { p = true }\nltl f { [] p & <> q }\n",
            "formulas are joined by `&&`",
        ),
        (
            "hint9.pml",
            "byte x;\ninit { x = 1 }\nltl f { <> x == 1 }\n",
            "as in `[] (x > 0)`",
        ),
        (
            "hint10.pml",
            "init { for (i : 1 .. 2) { skip } }\n",
            "declare it first: `byte i;`",
        ),
        (
            "hint11.pml",
            "bool flag;\ninit { flga = true }\n",
            "is `flag` meant?",
        ),
        (
            "hint12.m",
            "var x: 0..3;\nstartstate x := 0; end;\nrule x < 3 ==> x++; end;\n",
            "write `x := x + 1`",
        ),
    ] {
        let path = written(name, text);
        let run = mandala(["check", &path]);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains(hint), "{run}");
    }
    let path = written("hint6.pml", MODEL);
    let run = mandala(["check", &path, "--threads", "2"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("--workers"), "{run}");
}

/// What "Why" says of the values at a run-time error.
fn values_at_error(file: &str, text: &str) -> String {
    let path = temporary(file);
    fs::write(&path, text).unwrap();
    let run = mandala(["check", path.to_str().unwrap()]);
    assert_eq!(run.status, 1, "{run}");
    let why = run.output.split("Why\n").nth(1).expect("a reason");
    let lines = why.lines().skip(1).take_while(|line| !line.is_empty());
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.map(|line| words(line) + "; ").collect()
}

#[test]
fn run_time_errors_say_what_the_statement_read() {
    let promela = |name: &str, body: &str| {
        let text = format!(
            "byte n = 3; byte a[3]; int big = 2000000000; active proctype P() {{ byte i = 3; {body} }}"
        );
        values_at_error(&format!("error-{name}.pml"), &text)
    };
    assert_eq!(
        promela("division", "n = 0; big = i / n"),
        "P(0):i = 3; n = 0; "
    );
    assert_eq!(promela("index", "a[i] = n + 1"), "P(0):i = 3; n = 3; ");
    assert_eq!(promela("guard", "a[i] == 0 -> skip"), "P(0):i = 3; ");
    assert_eq!(promela("shift", "big = 1 << (0 - i)"), "P(0):i = 3; ");
    // Inside of code that runs in one step, the values are those of that moment.
    assert_eq!(
        promela("moment", "d_step { n = 2; i = 0; n = n / i }"),
        "n = 2; P(0):i = 0; "
    );
    let murphi = |name: &str, rule: &str| {
        let text = format!(
            "type R: 0..3; var a: array[R] of 0..10; t: 0..30; u: R;
             startstate begin for i: R do a[i] := i; end; t := 0; end; {rule}"
        );
        values_at_error(&format!("error-{name}.m"), &text)
    };
    // Variables and parameters of rules, and members of what is quantified, have the names that the user gave them.
    let rule = "rule \"r\" true ==> var j: 0..30; begin j := t + 7; t := j; a[j] := 1; end;";
    assert_eq!(murphi("local", rule), "j = 7; ");
    let rule =
        "ruleset r: R do rule \"r\" t = 0 ==> begin t := 1; a[r] := 5 / (a[r] - 2); end; end;";
    assert_eq!(murphi("parameter", rule), "a[0] = 0; ");
    let rule = "rule \"r\" t < 2 ==> begin t := t + 1; end;
        invariant \"i\" forall i: R do 6 / (a[i] - 3) < 9 end;";
    assert_eq!(murphi("quantified", rule), "i = 3; a[3] = 3; ");
    let rule = "function f(x: 0..30): 0..30; begin return 5 / (x - a[0]); end;
        rule \"r\" true ==> begin t := f(t); end;";
    assert_eq!(murphi("function", rule), "t = 0; a[0] = 0; ");
    let rule = "rule \"r\" true ==> begin clear u; undefine u; t := u + 1; end;";
    assert_eq!(murphi("undefined", rule), "u = undefined; ");
}
