//! Formulas that have to hold for each of some numbers: one number of each orbit is looked at, with the whole group of the system.

use crate::common::{self, Run, alone, mandala};

/// Three users and a lock that prefers nobody.
const LOCK: &str = "#define N 3
bool want[N]; byte holder = 255;
active [N] proctype user() {
    do
    :: want[_pid] = true;
wait:  atomic { holder == 255 -> holder = _pid };
       want[_pid] = false;
       holder = 255
    od
}
";

fn check(name: &str, more: &[&str]) -> Run {
    let file = common::temporary(&format!("{name}.pml"));
    std::fs::write(&file, LOCK).unwrap();
    let path = file.to_str().unwrap().to_string();
    let alone = alone(more);
    let alone = alone.iter().map(String::as_str);
    mandala(["check", &path].into_iter().chain(alone))
}

fn states(run: &Run) -> u64 {
    run.json()["stats"]["states"].as_u64().unwrap()
}

const LIVE: &str = "live: forall i in user: [] (want[i] -> <> (holder == i))";

#[test]
fn the_whole_group_is_used_and_the_verdict_is_that_without_symmetry() {
    for (fairness, status) in [("off", 1), ("weak", 1), ("strong", 0)] {
        let options = ["--ltl", LIVE, "--fair", fairness, "--json", "-"];
        let reduced = check(&format!("group-{fairness}"), &options);
        assert_eq!(reduced.status, status, "{reduced}");
        assert_eq!(reduced.json()["symmetry"]["order"], "6", "{reduced}");
        let all = [&options[..], &["--symmetry", "off"]].concat();
        let full = check(&format!("full-{fairness}"), &all);
        assert_eq!(full.status, status, "{full}");
        if fairness != "off" {
            assert!(states(&full) > 4 * states(&reduced), "{full}");
        }
    }
}

#[test]
fn the_number_is_told_and_the_run_replays() {
    let trace = common::temporary("indexed-trace.json");
    let path = trace.to_str().unwrap();
    let run = check("told", &["--ltl", LIVE, "--fair", "weak", "--json", path]);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("i = "), "{run}");
    assert!(run.output.contains("repeat"), "{run}");
    let replayed = mandala(["replay", path]);
    assert_eq!(replayed.status, 0, "{replayed}");
}

/// In Murphi a value is kept as a number of its own, and told as it is written.
#[test]
fn the_value_is_told_as_it_is_written() {
    let file = common::temporary("indexed-written.m");
    let path = file.to_str().unwrap();
    let types = [
        ("5..7", "6"),
        ("0..2", "1"),
        ("-3..-1", "-2"),
        ("enum { A, B, C }", "B"),
    ];
    for (values, found) in types {
        let model = format!(
            "type proc: {values}; var x: array [proc] of 0..1;
             startstate for i: proc do x[i] := 0; end; end;
             rule x[{found}] = 0 ==> begin x[{found}] := 1; end;
             rule true ==> begin end;"
        );
        std::fs::write(&file, model).unwrap();
        for formula in ["<> [] x[i] = 0", "[] x[i] = 0"] {
            let formula = format!("forall i: proc do {formula} end");
            let alone = ["--ltl", &formula, "--property", "ltl_0", "--json", "-"];
            let run = mandala(["check", path].into_iter().chain(alone));
            assert_eq!(run.status, 1, "{run}");
            let told = run.json()["violation"]["values"].clone();
            let told = told.as_array().unwrap().iter();
            let told = told.filter(|value| value["name"].as_str().unwrap().ends_with('i'));
            let told: Vec<_> = told.map(|value| value["value"].clone()).collect();
            assert_eq!(told, [found], "{values}, {formula}: {run}");
        }
    }
}

/// Of two who want the lock, the first may be passed over for ever, unless fairness is strong.
#[test]
fn several_numbers_are_chosen_together() {
    let both = "both: forall i in user: forall j in user: [] (want[i] && want[j] && i != j -> <> (holder == i))";
    for (fairness, status) in [("weak", 1), ("strong", 0)] {
        let options = ["--ltl", both, "--fair", fairness, "--json", "-"];
        let reduced = check(&format!("both-{fairness}"), &options);
        assert_eq!(reduced.status, status, "{reduced}");
        assert_eq!(reduced.json()["symmetry"]["order"], "6", "{reduced}");
        let all = [&options[..], &["--symmetry", "off"]].concat();
        let full = check(&format!("both-full-{fairness}"), &all);
        assert_eq!(full.status, status, "{full}");
        assert!(states(&full) > 3 * states(&reduced), "{full}");
    }
    let told = check("both-told", &["--ltl", both, "--fair", "weak"]);
    assert!(
        told.output.contains("i = ") && told.output.contains("j = "),
        "{told}"
    );
}

#[test]
fn one_number_alone_leaves_less_symmetry() {
    let one = "one: [] (want[0] -> <> (holder == 0))";
    let run = check("one", &["--ltl", one, "--fair", "weak", "--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.json()["symmetry"]["order"], "2", "{run}");
}

#[test]
fn ranges_are_numbers_and_everything_else_is_an_error() {
    let ranged = "live: forall i in 0 .. N - 1: [] (want[i] -> <> (holder == i))";
    let run = check("ranged", &["--ltl", ranged, "--fair", "strong"]);
    assert_eq!(run.status, 0, "{run}");
    for (formula, message) in [
        (
            "forall i in nobody: [] want[i]",
            "there is no proctype `nobody`",
        ),
        ("forall i in 3 .. 1: [] want[i]", "at least one"),
        ("forall i in holder .. 1: [] want[i]", "constant"),
        ("forall i in 0: [] want[i]", "expected `..`"),
        ("forall i in user [] want[i]", "expected"),
        (
            "forall i in 0 .. 99: forall j in 0 .. 99: [] (i == j)",
            "10000 combinations",
        ),
    ] {
        let run = check("wrong", &["--ltl", formula]);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains(message), "{formula}: {run}");
    }
}
