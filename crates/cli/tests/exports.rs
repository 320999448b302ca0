//! What is written for other programs: graphs of states, automata, groups, trails, states of traces.

use crate::common::{mandala, mandala_reading, model, temporary};
use serde_json::Value;
use std::fs;

/// Two processes that can change places, and a state in which both are inside.
const LOCK: &str = "byte inside;
    active [2] proctype P() { inside++; assert(inside == 1); inside-- }";

fn graph(name: &str, options: &[&str]) -> String {
    let file = temporary(name);
    let path = file.to_str().unwrap();
    let mut all = vec!["check", "-", "--keep-going", "--graph", path];
    all.extend(options);
    let run = mandala_reading(LOCK, all);
    assert_eq!(run.status, 1, "{run}");
    fs::read_to_string(&file).unwrap()
}

/// The first line of a file in Aldebaran's format: the first state, transitions, states.
fn described(text: &str) -> (usize, usize, usize) {
    let (head, steps) = text.split_once('\n').unwrap();
    let numbers = head
        .strip_prefix("des (")
        .unwrap()
        .strip_suffix(')')
        .unwrap();
    let numbers: Vec<usize> = numbers.split(',').map(|n| n.parse().unwrap()).collect();
    let [first, transitions, states] = numbers[..] else {
        panic!("{head}");
    };
    assert_eq!(steps.lines().count(), transitions);
    for step in steps.lines() {
        let inside = step.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
        let (from, rest) = inside.split_once(",\"").unwrap();
        let (label, to) = rest.rsplit_once("\",").unwrap();
        assert!(!label.contains('"'), "{step}");
        assert!(from.parse::<usize>().unwrap() < states && to.parse::<usize>().unwrap() < states);
    }
    (first, transitions, states)
}

#[test]
fn a_graph_has_the_states_and_steps_of_the_report_in_every_form() {
    for symmetry in ["auto", "off"] {
        let with = ["--symmetry", symmetry];
        let run = mandala_reading(
            LOCK,
            [
                "check",
                "-",
                "--keep-going",
                "--json",
                "-",
                "--symmetry",
                symmetry,
            ],
        );
        let document = run.json();
        let counted = |what: &str| document["stats"][what].as_u64().unwrap() as usize;
        // To get to the start is a step for the report.
        let (states, transitions) = (counted("states"), counted("transitions") - 1);

        let aut = graph(&format!("lock-{symmetry}.aut"), &with);
        assert_eq!(described(&aut), (0, transitions, states), "{aut}");

        let dot = graph(&format!("lock-{symmetry}.dot"), &with);
        let arrows = dot.lines().filter(|line| line.contains(" -> ")).count();
        let nodes = dot.lines().filter(|line| line.contains("tooltip=")).count();
        assert_eq!((arrows, nodes), (transitions, states), "{dot}");
        assert!(dot.contains("color=red"), "{dot}");

        let json: Value =
            serde_json::from_str(&graph(&format!("lock-{symmetry}.json"), &with)).unwrap();
        assert_eq!(json["schema"], "mandala-graph/1");
        assert_eq!(json["states"].as_array().unwrap().len(), states);
        assert_eq!(json["edges"].as_array().unwrap().len(), transitions);
        assert_eq!(json["complete"], true);
        assert_eq!(json["strategy"], symmetry);
        let exchanged = aut.contains(" @ (P 0 P 1)");
        assert_eq!(exchanged, symmetry == "auto", "{aut}");
    }
}

#[test]
fn a_limit_of_a_graph_is_told() {
    let file = temporary("part.dot");
    let path = file.to_str().unwrap();
    let limited =
        |path: &str| mandala_reading(LOCK, ["check", "-", "--graph", path, "--graph-limit", "3"]);
    let run = limited(path);
    assert_eq!(run.status, 1, "{run}");
    let note = "note: the graph has the first 3 states only: there are more than 3 states; `--graph-limit N` takes more";
    assert!(run.errors.contains(note), "{run}");
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .contains("not all states")
    );

    let aut = temporary("part.aut");
    let _ = fs::remove_file(&aut);
    let run = limited(aut.to_str().unwrap());
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors.contains("cannot say that states are missing"),
        "{run}"
    );
    assert!(
        run.output.contains("violated"),
        "the report is there: {run}"
    );
    assert!(!aut.exists(), "nothing was written");
}

#[test]
fn what_cannot_be_drawn_is_refused_before_the_search() {
    let file = temporary("refused.json");
    let _ = fs::remove_file(&file);
    let path = file.to_str().unwrap();
    for (option, why) in [
        (["--por", "on"], "leaves some out"),
        (["--engine", "symbolic"], "`--engine explicit` does"),
        (["--symmetry", "flood"], "keeps states of its own"),
    ] {
        let mut all = vec!["check", "-", "--graph", path];
        all.extend(option);
        let run = mandala_reading(LOCK, all);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains(why), "{run}");
        assert_eq!(run.output, "", "{run}");
        assert!(!file.exists());
    }
    let run = mandala_reading(LOCK, ["check", "-", "--graph", "g.png"]);
    assert!(run.errors.contains("has to end with .dot"), "{run}");
    let run = mandala_reading(LOCK, ["check", "-", "--graph", path, "--json", path]);
    assert!(
        run.errors.contains("cannot both go to the same place"),
        "{run}"
    );
}

#[test]
fn several_starts_have_one_before_them_in_aldebarans_format() {
    let text = "var x: 0..2;
        ruleset i: 0..2 do startstate begin x := i; end; end;
        rule x < 2 ==> begin x := x + 1; end;";
    let path = temporary("starts.m");
    fs::write(&path, text).unwrap();
    let file = temporary("starts.aut");
    let arguments = [
        "check",
        path.to_str().unwrap(),
        "--no-deadlock",
        "--graph",
        file.to_str().unwrap(),
    ];
    let run = mandala(arguments);
    assert_eq!(run.status, 0, "{run}");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(described(&text), (0, 5, 4), "{text}");
    assert_eq!(text.matches("(0,\"start\",").count(), 3, "{text}");
}

#[test]
fn groups_are_written_for_gap() {
    let text =
        "byte b[3]; active [3] proctype P() { do :: b[_pid] < 2 -> b[_pid]++ :: b[_pid] = 0 od }";
    let run = mandala_reading(text, ["symmetry", "-", "--gap", "-"]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.starts_with("# The symmetry of"), "{run}");
    assert!(run.output.contains("# 1 = P 0\n"), "{run}");
    assert!(run.output.contains("if Size(G) <> 6 then Error("), "{run}");
    let run = mandala_reading(
        "active proctype P() { skip }",
        ["symmetry", "-", "--gap", "-"],
    );
    assert!(
        run.output.contains("G := Group(());;\nif Size(G) <> 1"),
        "{run}"
    );
    let run = mandala_reading(text, ["symmetry", "-", "--gap", "-", "--json", "-"]);
    assert_eq!(run.status, 2, "{run}");
}

#[test]
fn automata_are_drawn_for_graphviz() {
    let text = "mtype = { hello }; active proctype P() { again: printf(\"say \\\"%e\\\"\\n\", hello); goto again }";
    let run = mandala_reading(text, ["ir", "--dot", "-"]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.starts_with("digraph automata {\n"), "{run}");
    assert!(run.output.contains("label=\"P\";"), "{run}");
    assert!(run.output.contains("again\\nline 1"), "{run}");
    assert!(run.output.contains("printf(\\\"say "), "{run}");
    let quotes = run
        .output
        .replace("\\\\", "")
        .replace("\\\"", "")
        .matches('"')
        .count();
    assert_eq!(quotes % 2, 0, "{run}");
}

/// A claim before the processes, and a formula behind them: neither changes what Spin calls their statements.
const CLAIMED: &str = "byte x;
never { do :: x < 100 :: x == 7 -> break od }
active proctype Q() { do :: x < 3 -> x++ od }
active [2] proctype P() { do :: x++; if :: x > 2 -> assert(x < 4) :: else fi od }
ltl p { []<> (x == 0) }
";

#[test]
fn safety_of_a_model_with_claims_has_trails() {
    let path = temporary("claimed.pml");
    fs::write(&path, CLAIMED).unwrap();
    let trail = temporary("claimed.trail");
    let (path, written) = (path.to_str().unwrap(), trail.to_str().unwrap());
    let run = mandala(["check", path, "--trail", written, "--property", "safety"]);
    assert_eq!(run.status, 1, "{run}");
    let run = mandala(["check", path, "--trail", written]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("with `--property safety`"), "{run}");
    let mut spin = std::process::Command::new("spin");
    spin.current_dir(env!("CARGO_TARGET_TMPDIR"));
    if let Ok(output) = spin.args(["-t", "-p", "-k", written, path]).output() {
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("assertion violated"), "{text}");
        assert!(text.contains("trail ends after 8 steps"), "{text}");
    }
}

#[test]
fn the_state_after_each_step_is_told_on_request() {
    let path = model("assertion.pml");
    let run = mandala(["check", &path, "--json", "-"]);
    let steps = run.json()["trace"]["steps"].clone();
    assert!(
        steps
            .as_array()
            .unwrap()
            .iter()
            .all(|step| step.get("state").is_none())
    );
    let run = mandala(["check", &path, "--json", "-", "--trace-states"]);
    let document = run.json();
    let steps = document["trace"]["steps"].as_array().unwrap();
    let mut known: std::collections::HashMap<String, String> = std::collections::HashMap::new();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for step in steps {
        for change in step["changes"].as_array().unwrap() {
            known.insert(text(&change["name"]), text(&change["to"]));
        }
        // What was changed has the value that was told last.
        let state = step["state"]["values"].as_array().unwrap();
        for value in state {
            if let Some(last) = known.get(value["name"].as_str().unwrap()) {
                assert_eq!(*last, text(&value["value"]));
            }
        }
        let names: Vec<String> = state.iter().map(|value| text(&value["name"])).collect();
        assert!(known.keys().all(|name| names.contains(name)), "{step}");
    }
    assert_eq!(
        steps.last().unwrap()["state"],
        document["trace"]["last_state"]
    );
    assert!(mandala(["check", &path, "--trace-states"]).status == 2);
}

#[test]
fn the_report_is_written_as_a_page() {
    let file = temporary("report.html");
    let path = file.to_str().unwrap();
    let run = mandala_reading(LOCK, ["check", "-", "--html", path]);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("✗ violated"), "{run}");
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("inside == 1") && page.contains("\"schema\":\"mandala-report/2\""));
    assert!(
        page.contains("\"drawn\":true"),
        "the graph of states is in it"
    );
    let run = mandala_reading(LOCK, ["check", "-", "--html", "-"]);
    assert!(run.output.starts_with("<!doctype html>"), "{run}");

    // Of a run that is made again.
    let path = model("assertion.pml");
    let json = temporary("to-page.json");
    let written = json.to_str().unwrap();
    assert_eq!(mandala(["check", &path, "--json", written]).status, 1);
    let again = temporary("again.html");
    let run = mandala(["replay", written, "--html", again.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{run}");
    let page = fs::read_to_string(&again).unwrap();
    assert!(page.contains("\"violation\":{") && page.contains("\"trace\":{"));

    // An engine without single states has a page without their graph.
    let run = mandala_reading(LOCK, ["check", "-", "--engine", "symbolic", "--html", "-"]);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("\"graph\":null"), "{run}");
}
