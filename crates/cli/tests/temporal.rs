//! What is said of whole runs: formulas, labels, fairness, and the runs that are shown.

use crate::common::{Run, alone, mandala, temporary};
use serde_json::Value;

/// A server that may forget a request, and answers otherwise; two clients.
const SERVER: &str = "byte asked[2]; byte answered[2];
active [2] proctype client() {
    do
    :: asked[_pid] == 0 -> asked[_pid] = 1; answered[_pid] = 0
    :: answered[_pid] == 1 ->
progress: asked[_pid] = 0; answered[_pid] = 0
    od
}
active proctype server() {
    do
    :: asked[0] == 1 -> answered[0] = 1
    :: asked[1] == 1 -> answered[1] = 1
    od
}
";

fn check(name: &str, more: &[&str]) -> Run {
    let file = temporary(&format!("temporal-{name}.pml"));
    std::fs::write(&file, SERVER).unwrap();
    let path = file.to_str().unwrap().to_string();
    let alone = alone(more);
    let alone = alone.iter().map(String::as_str);
    mandala(["check", &path].into_iter().chain(alone))
}

fn json(run: &Run) -> Value {
    run.json()
}

#[test]
fn all_ways_of_looking_agree() {
    let formulas = [
        // The server is fair to nobody, unless each of its statements has to have its turn.
        ("[] (asked[0] == 1 -> <> (answered[0] == 1))", 1, 1, 0),
        ("[]<> (asked[0] + asked[1] > 0)", 0, 0, 0),
        ("<>[] (asked[0] == 1)", 1, 1, 1),
        ("[] (asked[0] <= 1)", 0, 0, 0),
    ];
    for (number, (formula, off, fair, each)) in formulas.into_iter().enumerate() {
        let ways = [
            (vec!["--cycles", "nested"], off),
            (vec!["--cycles", "graph"], off),
            (vec!["--shortest"], off),
            (vec!["--por", "on"], off),
            (vec!["--por", "on", "--workers", "2"], off),
            (vec!["--por", "on", "--search", "dfs"], off),
            (vec!["--engine", "reference"], off),
            (vec!["--fair", "weak"], fair),
            (vec!["--fair", "strong"], fair),
            (vec!["--fair", "strong-action"], each),
        ];
        for (way, status) in ways {
            for symmetry in ["auto", "off"] {
                let mut options = vec!["--ltl", formula, "--json", "-"];
                if way[0] != "--engine" {
                    options.extend(["--symmetry", symmetry]);
                }
                options.extend(&way);
                let run = check(&format!("ways-{number}"), &options);
                assert_eq!(run.status, status, "{formula} {way:?} {symmetry}: {run}");
            }
        }
    }
}

#[test]
fn a_run_that_goes_round_is_told_and_replays() {
    let file = temporary("temporal-lasso.json");
    let path = file.to_str().unwrap();
    let formula = "[] (asked[0] == 1 -> <> (answered[0] == 1))";
    for fairness in ["off", "weak"] {
        let run = check(
            "told",
            &["--ltl", formula, "--fair", fairness, "--json", path],
        );
        assert_eq!(run.status, 1, "{run}");
        assert!(run.output.contains("repeat"), "{run}");
        let document: Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let trace = &document["trace"];
        let before = trace["before_cycle"].as_u64().unwrap();
        assert!((before as usize) < trace["steps"].as_array().unwrap().len());
        assert_eq!(document["violation"]["kind"], "liveness");
        assert_eq!(mandala(["replay", path]).status, 0);
        // A round with a step less does not close.
        let mut broken = document.clone();
        broken["trace"]["steps"].as_array_mut().unwrap().pop();
        std::fs::write(path, broken.to_string()).unwrap();
        assert_eq!(mandala(["replay", path]).status, 2);
    }
}

/// How many steps the system makes before a run goes round and in a round, and whether no run is said to be shorter.
fn lengths(run: &Run) -> (usize, usize, bool) {
    let trace = &run.json()["trace"];
    let (before, round) = trace["steps"]
        .as_array()
        .unwrap()
        .split_at(trace["before_cycle"].as_u64().unwrap() as usize);
    let made = |steps: &[Value]| {
        let steps = steps.iter().filter(|step| step["actor"] == "process");
        steps.count()
    };
    let shortest = trace["shortest"].as_bool().unwrap();
    (made(before), made(round), shortest)
}

#[test]
fn a_shortest_run_is_as_short_as_it_can_be() {
    let models = [
        // The claim looks at the first state before it goes round.
        ("byte x; active proctype P() { do :: x = 0 od }", (1, 1)),
        (
            "byte x; active proctype P() { do :: x == 0 -> x = 1 :: x == 1 -> skip od }",
            (2, 2),
        ),
        // What is met first is a long round, and a short one comes behind more steps.
        (
            "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 4 -> x = 20; break :: x == 9 -> x = 0 od; do :: x = 20 od }",
            (10, 1),
        ),
    ];
    for (number, (model, (before, round))) in models.into_iter().enumerate() {
        let file = temporary(&format!("temporal-short-{number}.pml"));
        std::fs::write(&file, model).unwrap();
        let path = file.to_str().unwrap();
        let asked = |more: &[&str]| {
            let formula = ["--ltl", "f: []<> (x == 50)", "--json", "-"];
            let run = mandala([&["check", path, "--static", "off"], &formula[..], more].concat());
            lengths(&run)
        };
        let shortest = asked(&["--shortest"]);
        assert_eq!(shortest, (before, round, true), "{model}");
        for other in [&["--cycles", "nested"][..], &["--cycles", "graph"], &[]] {
            let (longer, wider, said) = asked(other);
            assert!(longer + wider >= before + round && !said, "{model}");
        }
    }
}

#[test]
fn branching_time_is_decided_with_runs_that_show_it() {
    let cases = [
        ("AG EF (answered[0] == 1)", 0, false),
        ("EF (answered[0] == 1)", 0, true),
        ("AF (asked[0] == 1)", 1, true),
        ("AG (answered[0] == 1 -> asked[0] == 1)", 1, true),
        ("EG (asked[0] == 0)", 0, true),
        ("EF (asked[0] == 2)", 1, false),
    ];
    for (formula, status, shown) in cases {
        for symmetry in ["auto", "off"] {
            let options = ["--ctl", formula, "--symmetry", symmetry, "--json", "-"];
            let run = check("ctl", &options);
            assert_eq!(run.status, status, "{formula}: {run}");
            let document = json(&run);
            let steps = match status {
                0 => &document["properties"][0]["witness"]["steps"],
                _ => &document["trace"]["steps"],
            };
            let shows = steps.as_array().is_some_and(|steps| !steps.is_empty());
            assert_eq!(shows, shown, "{formula}: {run}");
        }
    }
    let fair = [
        "--ctl",
        "AG ((asked[0] == 1) -> AF (answered[0] == 1))",
        "--fair",
        "strong-action",
    ];
    assert_eq!(check("ctl-fair", &fair).status, 0);
}

#[test]
fn what_stays_possible_is_asked_without_a_formula() {
    assert_eq!(
        check("possible", &["--possible", "answered[1] == 1"]).status,
        0
    );
    assert_eq!(
        check("possible", &["--possible", "answered[1] == 2"]).status,
        1
    );
    assert_eq!(
        check("possible", &["--always-possible", "asked[0] == 0"]).status,
        0
    );
    let run = check("possible", &["--possible", "answered[1] == 1"]);
    assert!(run.output.contains("holds, as this run shows"), "{run}");
}

#[test]
fn labels_are_properties_of_their_own() {
    assert_eq!(check("progress", &["--non-progress"]).status, 1);
    assert_eq!(
        check("progress", &["--non-progress", "--fair", "strong"]).status,
        0
    );
    assert_eq!(check("accept", &["--accept"]).status, 0);
    assert_eq!(
        check("progress", &["--non-progress", "--por", "on"]).status,
        1
    );
    assert_eq!(check("accept", &["--accept", "--por", "on"]).status, 0);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let formula = ["--ltl", "[]<> (asked[0] == 0)"];
    for (more, message) in [
        (vec!["--store", "bitstate"], "--store bitstate"),
        (vec!["--symmetry", "flood"], "--symmetry flood"),
        (vec!["--expand", "originals"], "--expand originals"),
        (
            vec!["--cycles", "nested", "--fair", "weak"],
            "--cycles graph",
        ),
        (vec!["--por", "on", "--cycles", "nested"], "--cycles graph"),
        (vec!["--por", "on", "--fair", "weak"], "`--fair weak`"),
        (vec!["--por", "on", "--shortest"], "`--shortest`"),
        (
            vec!["--por", "on", "--ltl", "after: X (asked[0] == 0)"],
            "`after`, which says what comes next",
        ),
        (
            vec!["--por", "on", "--ctl", "EF (asked[0] == 1)"],
            "`ctl_0`, which is of branching time",
        ),
        (
            vec![
                "--por",
                "on",
                "--ltl",
                "each: forall i in client: []<> (asked[i] == 0)",
            ],
            "`each`, which does more than look at states",
        ),
    ] {
        let run = check("refused", &[&formula[..], &more].concat());
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains(message), "{more:?}: {run}");
    }
    let run = check("pointless", &["--fair", "weak"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("nothing that is checked is"), "{run}");
}

/// One that goes round, and one that has something else to do meanwhile.
const ROUNDS: &str = "byte left, right;
active proctype first() { do :: left < 3 -> left++ :: left == 3 -> reset: left = 0 od }
active proctype second() { right = 1; right = 2; right = 3 }
";

/// The exit status and the number of states with and without steps left out.
fn with_and_without(name: &str, formula: &str) -> [(i32, u64); 2] {
    let file = temporary(&format!("temporal-{name}.pml"));
    std::fs::write(&file, ROUNDS).unwrap();
    let path = file.to_str().unwrap();
    ["off", "on"].map(|por| {
        let run = mandala([
            "check",
            path,
            "--ltl",
            formula,
            "--property",
            "ltl_0",
            "--cycles",
            "graph",
            "--por",
            por,
            "--json",
            "-",
        ]);
        let states = json(&run)["stats"]["states"].as_u64().unwrap();
        (run.status, states)
    })
}

#[test]
fn steps_that_nobody_sees_are_left_out() {
    let cases = [
        ("[]<> (left == 0)", 0, true),
        ("<>[] (left > 0)", 1, true),
        ("[]<> first@reset", 0, true),
        ("[] (first@reset -> <> (left == 1))", 0, true),
        // Where everything is seen, or somebody may go round unseen at any time, all states may have to be visited.
        ("[] (_nr_pr == 2)", 1, false),
        ("<> (left == 2 && right == 0)", 1, false),
        ("<> (right == 3)", 1, false),
    ];
    for (number, (formula, status, saves)) in cases.into_iter().enumerate() {
        let [all, some] = with_and_without(&format!("unseen-{number}"), formula);
        assert_eq!((all.0, some.0), (status, status), "{formula}");
        assert!(some.1 < all.1 || !saves, "{formula}: {all:?}, {some:?}");
    }
}
