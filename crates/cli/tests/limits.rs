//! Limits bound the whole command, and one signal ends any phase of it: the answer comes in time, with its document and its exit status.

use crate::common::{Run, mandala, model, temporary};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The limit of the tests.
const LIMIT: Duration = Duration::from_millis(700);

/// How much later than it should a command may end. Release builds promise 2 s; a debug build on a busy machine takes a while to start
/// and to write.
const LATE: Duration = match cfg!(debug_assertions) {
    true => Duration::from_secs(8),
    false => Duration::from_secs(2),
};

fn written(name: &str, text: &str) -> PathBuf {
    let path = temporary(name);
    fs::write(&path, text).unwrap();
    path
}

/// So many global variables.
fn variables(number: usize) -> String {
    let mut text = String::new();
    for i in 0..number {
        writeln!(text, "byte v{i};").unwrap();
    }
    text + "active proctype P() { v0 = 1; v1 = 2 }\n"
}

/// So many statements in one process.
fn statements(number: usize) -> String {
    let mut text = "byte x; active proctype P() {\n".to_string();
    for i in 0..number {
        writeln!(text, "  x = {};", i % 200).unwrap();
    }
    text + "}\n"
}

/// So many statements, every fourth a choice, in one atomic sequence.
fn atomic_choices(number: usize) -> String {
    let mut text = "byte x, y; active proctype P() { atomic {\n".to_string();
    for i in 0..number / 4 {
        let (a, b) = (i % 200, i % 7);
        writeln!(text, "  if :: x == {a} -> y = {b} :: else -> x = {a} fi;").unwrap();
    }
    text + "} }\n"
}

/// A formula whose translation is out of reach.
fn formula(disjuncts: usize) -> String {
    let disjuncts = (0..disjuncts).map(|i| format!("(<>[](x=={i}) U X (x=={i}))"));
    let formula = disjuncts.collect::<Vec<_>>().join(" || ");
    format!(
        "byte x; active proctype P() {{ do :: x < 30 -> x++ :: x = 0 od }}\nltl f {{ {formula} }}\n"
    )
}

/// A Büchi automaton of so many states with eleven edges each.
fn automaton(states: usize) -> String {
    let mut text = format!(
        "HOA: v1\nStates: {states}\nStart: 0\nAP: 1 \"x == 1\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n"
    );
    for state in 0..states {
        let accepting = if state % 3 == 0 { " {0}" } else { "" };
        writeln!(text, "State: {state}{accepting}").unwrap();
        for edge in 0..11 {
            let label = if edge % 2 == 0 { "!0" } else { "0" };
            let target = (state * 7 + edge * 13 + 1) % states;
            writeln!(text, "[{label}] {target}").unwrap();
        }
    }
    text + "--END--\n"
}

/// A division on decision diagrams, which is one operation.
const DIVISION: &str =
    "int x, y, z; active proctype P() { do :: x++ :: y = y + 3 :: y != 0 -> z = x / y od }";

/// Ackermann's function: each call is a process.
const ACKERMANN: &str = "
    proctype ack(short a; short b; chan up) {
        chan down = [0] of { short }; short ans;
        if
        :: a == 0 -> ans = b + 1
        :: a != 0 && b == 0 -> run ack(a - 1, 1, down); down?ans
        :: else -> run ack(a, b - 1, down); down?ans; run ack(a - 1, ans, down); down?ans
        fi;
        up!ans
    }
    init { chan ch = [0] of { short }; short ans; run ack(3, 5, ch); ch?ans; assert(ans == 253) }";

/// Checks with the limit, and looks at the answer.
fn limited(name: &str, options: &[&str]) -> Run {
    let path = temporary(name);
    let time = format!("{}ms", LIMIT.as_millis());
    let fixed = [
        "check",
        path.to_str().unwrap(),
        "--time",
        &time,
        "--json",
        "-",
    ];
    let started = Instant::now();
    let run = mandala([&fixed, options].concat());
    let took = started.elapsed();
    assert!(took < LIMIT + LATE, "{name} took {took:?}: {run}");
    run
}

/// The answer says that the limit was reached.
fn assert_limit(run: &Run) {
    assert_eq!(run.status, 3, "{run}");
    let document = run.json();
    assert_eq!(document["verdict"], "unknown", "{run}");
    assert_eq!(document["coverage"]["complete"], false, "{run}");
    let reason = document["coverage"]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("the limit of 700 ms was reached"),
        "{run}"
    );
}

/// The answer says that the limit was reached, or the command was faster.
fn assert_limit_or_done(run: &Run) {
    match run.status {
        0 => assert_eq!(run.json()["verdict"], "holds", "{run}"),
        _ => assert_limit(run),
    }
}

#[test]
fn the_limit_holds_for_many_variables() {
    written("many-variables.pml", &variables(60_000));
    assert_limit_or_done(&limited("many-variables.pml", &[]));
}

#[test]
fn the_limit_holds_for_many_statements() {
    written("many-statements.pml", &statements(30_000));
    assert_limit_or_done(&limited("many-statements.pml", &[]));
    let plain = ["--symmetry", "off", "--static", "off"];
    assert_limit_or_done(&limited("many-statements.pml", &plain));
}

#[test]
fn the_limit_holds_for_a_long_atomic_sequence() {
    written("atomic-choices.pml", &atomic_choices(30_000));
    assert_limit_or_done(&limited("atomic-choices.pml", &[]));
}

#[test]
fn the_limit_holds_for_a_large_field_of_bits() {
    written("bits.pml", "byte x; active proctype P() { x = 1 }");
    let run = limited("bits.pml", &["--store", "bitstate", "--store-size", "1G"]);
    assert_eq!(run.status, 3, "{run}");
}

#[test]
fn the_limit_holds_for_the_translation_of_a_formula() {
    written("long-formula.pml", &formula(24));
    let run = limited("long-formula.pml", &[]);
    assert_limit(&run);
}

#[test]
fn the_limit_holds_for_a_large_automaton() {
    written(
        "small.pml",
        "byte x; active proctype P() { do :: x < 2 -> x++ :: x = 0 od }",
    );
    let automaton = written("large.hoa", &automaton(90_000));
    let run = limited("small.pml", &["--automaton", automaton.to_str().unwrap()]);
    assert!([0, 1, 3].contains(&run.status), "{run}");
    if run.status == 3 {
        assert_limit(&run);
    }
}

#[test]
fn the_limit_holds_for_an_operation_on_diagrams() {
    written("division.pml", DIVISION);
    assert_limit(&limited("division.pml", &["--engine", "symbolic"]));
}

#[test]
fn the_limit_holds_for_hundreds_of_processes() {
    written("ackermann.pml", ACKERMANN);
    let run = limited("ackermann.pml", &[]);
    assert!([0, 1, 3].contains(&run.status), "{run}");
}

#[test]
fn a_first_state_that_is_too_large_is_refused_in_time() {
    written(
        "large-state.pml",
        "byte a[217200]; active proctype P() { a[3] = 1 }",
    );
    let run = limited("large-state.pml", &[]);
    assert!([2, 3].contains(&run.status), "{run}");
}

#[test]
fn a_document_that_comes_before_the_search_lists_all_properties() {
    let text = formula(24).replace("ltl f", "ltl g { [] (x <= 30) }\nltl f");
    written("two-formulas.pml", &text);
    let run = limited("two-formulas.pml", &[]);
    assert_limit(&run);
    let document = run.json();
    for property in document["properties"].as_array().unwrap() {
        let reason = property["reason"].as_str().unwrap_or("decided");
        assert_ne!(reason, "not decided yet", "{run}");
    }
}

/// A command that was started.
struct Started {
    child: Child,
}

#[cfg(unix)]
impl Started {
    fn new(arguments: &[&str]) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_mandala"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Started { child }
    }

    /// Lets it run for a while, sends it a signal, and gives what came of it, in time.
    fn ended_by(mut self, signal: &str, after: Duration) -> Run {
        // What it reads does not come to an end.
        let stdin = self.child.stdin.take();
        std::thread::sleep(after);
        self.signal(signal);
        let sent = Instant::now();
        let output = self.child.wait_with_output().unwrap();
        let run = Run {
            status: output.status.code().expect("an exit status"),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        let took = sent.elapsed();
        drop(stdin);
        assert!(took < LATE, "took {took:?}: {run}");
        run
    }

    fn signal(&self, signal: &str) {
        let kill = Command::new("kill")
            .args([signal, &self.child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
    }
}

/// Long enough for a command to listen to signals.
const WHILE: Duration = Duration::from_millis(600);

fn assert_interrupted(run: &Run, phase: &str) {
    assert_eq!(run.status, 4, "{run}");
    let document = run.json();
    assert_eq!(document["verdict"], "unknown", "{run}");
    let reason = document["coverage"]["reason"].as_str().unwrap();
    assert!(reason.contains("interrupted"), "{run}");
    assert!(reason.contains(phase), "{run}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_reading_of_a_model() {
    for signal in ["-INT", "-TERM"] {
        let run = Started::new(&["check", "-", "--json", "-"]).ended_by(signal, WHILE);
        assert_interrupted(&run, "while the model was being read");
        assert_eq!(run.json()["properties"].as_array().unwrap().len(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_translation_of_a_formula() {
    let path = written("interrupted-formula.pml", &formula(24));
    let run = Started::new(&["check", path.to_str().unwrap(), "--json", "-"]);
    assert_interrupted(&run.ended_by("-TERM", WHILE), "while");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_an_operation_on_diagrams() {
    let path = written("interrupted-division.pml", DIVISION);
    let engine = ["--engine", "symbolic", "--json", "-"];
    let arguments = [&["check", path.to_str().unwrap()], &engine[..]].concat();
    let run = Started::new(&arguments).ended_by("-INT", WHILE);
    assert_interrupted(&run, "");
    assert_eq!(run.json()["properties"][0]["verdict"], "unknown", "{run}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_search_with_its_statistics() {
    let run = Started::new(&["check", &model("endless.pml"), "--json", "-"]);
    let run = run.ended_by("-TERM", WHILE);
    assert_interrupted(&run, "");
    assert!(run.json()["stats"]["states"].as_u64().unwrap() > 0, "{run}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_commands_that_have_no_verdict() {
    let symmetry = Started::new(&["symmetry", "-", "--json", "-"]).ended_by("-INT", WHILE);
    assert_eq!(symmetry.status, 4, "{symmetry}");
    assert_eq!(symmetry.json()["error"]["kind"], "interrupted");
    let ir = Started::new(&["ir", "-"]).ended_by("-TERM", WHILE);
    assert_eq!((ir.status, ir.errors.as_str()), (4, "interrupted\n"));
    let walk = ["simulate", &model("endless.pml"), "--steps", "1000000000"];
    let walk = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args(walk)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let walk = Started { child: walk }.ended_by("-INT", WHILE);
    assert_eq!((walk.status, walk.errors.as_str()), (4, "interrupted\n"));
    let chosen = Started::new(&["simulate", "-i", &model("endless.pml")]);
    assert_eq!(chosen.ended_by("-INT", WHILE).status, 4);
}

#[cfg(unix)]
#[test]
fn a_second_signal_ends_the_program_at_once() {
    let path = written("interrupted-twice.pml", &formula(24));
    let started = Started::new(&["check", path.to_str().unwrap(), "--json", "-"]);
    std::thread::sleep(WHILE);
    started.signal("-INT");
    std::thread::sleep(Duration::from_millis(100));
    let run = started.ended_by("-INT", Duration::ZERO);
    assert_eq!((run.status, run.output.as_str()), (4, ""), "{run}");
}

#[cfg(unix)]
#[test]
fn a_document_in_a_file_is_whole() {
    let path = temporary("interrupted.json");
    let _ = fs::remove_file(&path);
    let file = path.to_str().unwrap();
    let started = Started::new(&["check", "-", "--json", file, "--trail", "-"]);
    let run = started.ended_by("-TERM", WHILE);
    assert_eq!((run.status, run.output.as_str()), (4, ""), "{run}");
    let text = fs::read_to_string(&path).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["verdict"], "unknown", "{text}");
}
