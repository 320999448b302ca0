//! Formulas of temporal logic beside models in Murphi and pointer automata: verdicts, and runs that are shown, replayed and simulated.

use crate::common::{Run, alone, mandala, model, temporary};

fn check(file: &str, more: &[&str]) -> Run {
    let path = model(file);
    let alone = alone(more);
    let alone = alone.iter().map(String::as_str);
    mandala(["check", &path].into_iter().chain(alone))
}

/// Ways to look for what happens for ever, none of which may change the verdict.
const WAYS: [&[&str]; 7] = [
    &[],
    &["--symmetry", "off"],
    &["--cycles", "nested"],
    &["--cycles", "graph", "--workers", "2"],
    &["--shortest"],
    &["--keep-going"],
    &["--engine", "reference"],
];

#[test]
fn all_ways_of_looking_agree() {
    let cases = [
        (
            "pointers.red",
            "[] (exists i: in[i]) or <> (owner != NULL)",
            0,
        ),
        ("pointers.red", "X (owner != NULL)", 0),
        ("pointers.red", "[] (owner != NULL => [] owner != NULL)", 0),
        // Nobody goes on for ever, and who is out can always come in.
        ("pointers.red", "<> (forall i: in[i])", 0),
        ("pointers.red", "<> (turns[1] == 2)", 1),
        (
            "pointers.red",
            "[] not (turns[1] == 2 and owner == NULL)",
            0,
        ),
        ("pointers.red", "[] (turns[1] < 2)", 1),
        ("rules.m", "[] (next <= 8)", 0),
        ("rules.m", "[] <> next = 5", 0),
        ("rules.m", "[] <> next = 8", 1),
        (
            "rules.m",
            "[] forall n: Node do node[n].state = Idle end",
            1,
        ),
        ("wait.m", "<> [] x = 2", 0),
        ("wait.m", "[] (x = 0 | <> x = 0)", 1),
        ("wait.m", "x = 0 U x = 1", 0),
        ("wait.m", "X X X x = 2", 0),
    ];
    for (file, formula, status) in cases {
        for way in WAYS {
            let run = check(file, &[&["--ltl", formula], way].concat());
            assert_eq!(run.status, status, "{formula} {way:?}: {run}");
        }
    }
    // A run that ends goes on for ever in its last state, whether a rule leads back to it or none does.
    for again in ["AGAIN=0", "AGAIN=1"] {
        for formula in ["AG AF x = 2", "AG (x = 2 -> AX x = 2)", "EX EX EX EX x = 2"] {
            for way in [&[][..], &["--engine", "reference"]] {
                let run = check("wait.m", &[&["-D", again, "--ctl", formula], way].concat());
                assert_eq!(run.status, 0, "{formula} {way:?}: {run}");
            }
        }
    }
}

#[test]
fn a_run_that_violates_a_formula_is_told_and_replays() {
    let file = temporary("formulas.json");
    let path = file.to_str().expect("a path");
    let cases = [
        (
            "pointers.red",
            ["--ltl", "<> (turns[1] == 2)"],
            "the last state repeats forever",
        ),
        (
            "pointers.red",
            ["--ltl", "[] (turns[1] < 2)"],
            "turns[1]: 1 → 2",
        ),
        (
            "pointers.red",
            ["--ctl", "AG (turns[1] < 2)"],
            "turns[1]: 1 → 2",
        ),
        (
            "pointers.red",
            ["--ctl", "AF (forall i: turns[i] == 2)"],
            "",
        ),
        ("rules.m", ["--ltl", "[] <> next = 8"], "repeat"),
        ("rules.m", ["--ctl", "AG next < 7"], "next: 6 → 7"),
        ("wait.m", ["--ltl", "[] <> x = 1"], ""),
    ];
    for (model_file, property, words) in cases {
        for symmetry in ["auto", "off"] {
            let options = [&property[..], &["--symmetry", symmetry, "--json", path]].concat();
            let run = check(model_file, &options);
            assert_eq!(run.status, 1, "{property:?}: {run}");
            if symmetry == "off" {
                assert!(run.output.contains(words), "{property:?}: {run}");
            }
            let again = mandala(["replay", path]);
            assert_eq!(again.status, 0, "{property:?}: {again}");
            let simulated = mandala(["simulate", &model(model_file), "--trace", path]);
            assert!(simulated.status <= 1, "{property:?}: {simulated}");
        }
    }
}

#[test]
fn what_goes_wrong_in_a_run_violates_a_formula() {
    // NULL is followed in a run of the model.
    let undefined = ["-D", "BUG=1", "--ltl", "[] (owner == NULL or true)"];
    let run = check("pointers.red", &undefined);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("there is nothing behind it"), "{run}");
    // A risk is no matter of formulas, and neither is an invariant.
    let risk = [
        "-D",
        "BUG=3",
        "--ltl",
        "[] (owner == NULL or owner != NULL)",
    ];
    assert_eq!(check("pointers.red", &risk).status, 0);
    let invariant = ["-D", "BUG=9", "--ctl", "AG next <= 8"];
    assert_eq!(check("rules.m", &invariant).status, 0);
    assert_eq!(check("rules.m", &["-D", "BUG=9"]).status, 1);
    // An undefined value is an error in a formula as it is elsewhere.
    let at = "exists n: Node do node[n].at = 5 end";
    let run = check("rules.m", &["--ltl", &format!("[] !({at})")]);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("undefined"), "{run}");
    let run = check("rules.m", &["--ctl", &format!("EF ({at})")]);
    assert_eq!(run.status, 3, "{run}");
}

#[test]
fn what_a_formula_names_is_kept_apart_and_nothing_else() {
    let order = |file: &str, formula: &str, more: &[&str]| {
        let run = check(file, &[&["--json", "-", "--ctl", formula], more].concat());
        run.json()["symmetry"]["order"].as_str().map(String::from)
    };
    let order = |file: &str, formula: &str| order(file, formula, &[]).expect("an order");
    assert_eq!(
        order("pointers.red", "AG EF (forall i: turns[i] == 2)"),
        "6"
    );
    assert_eq!(order("pointers.red", "EF in[2]"), "2");
    assert_eq!(
        order("rules.m", "EF (exists n: Node do node[n].state = Busy end)"),
        "6"
    );
}

#[test]
fn the_model_with_a_formula_can_be_shown_and_explained() {
    let path = model("pointers.red");
    let run = mandala(["ir", &path, "--ltl", "few: [] (turns[1] < 2)"]);
    assert!(run.output.contains("property few ltl"), "{run}");
    let run = mandala(["symmetry", &path, "--ctl", "few: AG (turns[1] < 2)"]);
    assert_eq!(run.status, 0, "{run}");
}
