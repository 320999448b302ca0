//! `mandala test`: what comes of expectations, on the terminal, as JUnit XML and as SARIF.

use crate::common::{Run, mandala, model, temporary};
use crate::schemas::{assert_junit, assert_sarif};
use roxmltree::{Document, Node};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

const COUNTER: &str =
    "byte x;\nactive proctype P() { do :: x < 3 -> x++ :: else -> assert(x == LAST); break od }\n";

/// A folder with those models.
fn folder(name: &str, models: &[(&str, &str)]) -> PathBuf {
    let folder = temporary(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in models {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn counter(lines: &[&str]) -> String {
    let lines: String = lines
        .iter()
        .map(|line| format!(" * Expect: {line}\n"))
        .collect();
    format!("/* A counter.\n{lines} */\n{COUNTER}")
}

fn test(arguments: &[&str]) -> Run {
    mandala(["test"].into_iter().chain(arguments.iter().copied()))
}

fn path(path: &std::path::Path) -> &str {
    path.to_str().expect("text")
}

#[test]
fn what_is_expected_is_found() {
    let text = counter(&[
        "LAST=3: holds, 10 states",
        "LAST=3, symmetry: holds, 10 states",
        "LAST=2: violated, assertion",
        "LAST=2, --property safety --search dfs: violated",
        "LAST=3, --states 2: unknown",
        "LAST=3, --ltl 'up: <> (x == 3)' --property up: holds",
        "LAST=3, --ltl 'never: [] (x == 0)': violated, liveness",
    ]);
    // A name that is reserved, which makes the last line wrong.
    let folder = folder(
        "suite-right",
        &[
            ("deep/counter.pml", &text),
            (".hidden/x.pml", "wrong"),
            ("notes.txt", ""),
        ],
    );
    let run = test(&[path(&folder)]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.output.contains("7 tests of 1 model: 6 passed, 1 wrong"),
        "{run}"
    );
    let text = text
        .replace("'never:", "'flat:")
        .replace("liveness", "claim");
    fs::write(folder.join("deep/counter.pml"), text).expect("a file");
    let run = test(&[path(&folder)]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.contains("7 tests of 1 model: 7 passed"), "{run}");
}

#[test]
fn the_exit_status_says_what_is_not_as_expected() {
    let silent = "byte x; active proctype P() { x = 1 }\n";
    let failing = counter(&[
        "LAST=3: violated",
        "LAST=2: holds",
        "LAST=3: holds, 11 states",
        "LAST=2: violated, deadlock",
    ]);
    let undecided = counter(&["LAST=3, --states 2: holds"]);
    let broken = "/* Expect: default: holds */\nactive proctype P() { x = 1 }\n";
    let folder = folder(
        "suite-wrong",
        &[
            ("a.pml", &failing),
            ("b.pml", &undecided),
            ("c.pml", broken),
            ("d.pml", silent),
        ],
    );
    let of = |file: &str| folder.join(file);
    let run = test(&[path(&of("a.pml"))]);
    assert_eq!(run.status, 1, "{run}");
    for found in [
        "found: holds\n",
        "found: violated, assertion (an assertion failed)",
        "found: holds, 10 states",
        "found: violated, assertion",
    ] {
        assert!(run.output.contains(found), "{found}: {run}");
    }
    assert_eq!(test(&[path(&of("b.pml"))]).status, 3);
    let run = test(&["--quiet", path(&of("c.pml"))]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.output.contains("`x` is not declared"), "{run}");
    let run = test(&[path(&of("d.pml"))]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("says nothing to expect"), "{run}");
    let run = test(&[path(&folder), "--jobs", "3"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.output.contains("1 model has no `Expect:` line"),
        "{run}"
    );
    assert!(
        run.output
            .contains("6 tests of 3 models: 4 failed, 1 wrong, 1 not decided"),
        "{run}"
    );
    let run = test(&[path(&of("e.pml"))]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("cannot read"), "{run}");
}

/// The answer is the same however many tests run at a time.
#[test]
fn results_come_in_the_order_of_models_and_lines() {
    let many: Vec<String> = (1..=9)
        .map(|n| format!("LAST={n}: {}", if n == 3 { "holds" } else { "violated" }))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let text = counter(&many);
    let folder = folder("suite-order", &[("b.pml", &text), ("a.pml", &text)]);
    let lines = |jobs| {
        let run = test(&["--jobs", jobs, path(&folder)]);
        assert_eq!(run.status, 0, "{run}");
        let lines: Vec<String> = run.output.lines().map(str::to_string).collect();
        lines[..lines.len() - 1].to_vec()
    };
    let one = lines("1");
    assert_eq!(one.len(), 18);
    assert!(
        one.is_sorted_by_key(|line| !line.contains("a.pml")),
        "{one:?}"
    );
    assert_eq!(one, lines("4"));
}

#[test]
fn a_suite_is_written_as_junit_and_as_sarif() {
    let text = counter(&[
        "LAST=3: holds",
        "LAST=2: holds",
        "LAST=3, --states 2: holds",
        "LAST: holds",
        "LAST=2, --ltl '\"<>': holds",
    ]);
    let broken = "/* Expect: default: holds */\nactive proctype P() { x = 1 }\n";
    let folder = folder(
        "suite-written",
        &[("a & <b>.pml", &text), ("c.pml", broken)],
    );
    let (junit, sarif) = (temporary("suite.xml"), temporary("suite.sarif"));
    let run = test(&[
        path(&folder),
        "--junit",
        path(&junit),
        "--sarif",
        path(&sarif),
    ]);
    assert_eq!(run.status, 2, "{run}");
    let tally = junit_tally(&fs::read_to_string(junit).expect("JUnit"));
    assert_eq!(tally, (6, 1, 4), "{run}");
    let text = fs::read_to_string(sarif).expect("SARIF");
    let rules = sarif_rules(&serde_json::from_str(&text).expect("JSON"));
    assert_eq!(
        rules,
        ["expectation", "undecided", "expectation", "model", "model"],
        "{text}"
    );
    let run = test(&[path(&folder), "--junit", "x", "--sarif", "x"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("same place"), "{run}");
}

#[cfg(unix)]
#[test]
fn what_was_interrupted_is_an_error_for_other_programs() {
    let endless = fs::read_to_string(model("endless.pml")).expect("a model");
    let endless = format!("/* Expect: default: holds */\n{endless}");
    let folder = folder(
        "suite-interrupted",
        &[("a.pml", &endless), ("b.pml", &endless)],
    );
    let junit = folder.join("junit.xml");
    let mut child = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args([
            "test",
            path(&folder),
            "--jobs",
            "1",
            "--junit",
            path(&junit),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(4));
    let text = fs::read_to_string(junit).expect("JUnit");
    assert_eq!(junit_tally(&text), (2, 0, 2), "{text}");
    assert!(text.contains("type=\"interrupted\""), "{text}");
}

#[test]
fn a_check_is_written_as_sarif() {
    let sarif = |arguments: &[&str]| {
        let run = mandala(
            ["check", "--sarif", "-"]
                .into_iter()
                .chain(arguments.iter().copied()),
        );
        sarif_rules(&run.json())
    };
    let counter = folder(
        "suite-check",
        &[
            ("a.pml", COUNTER),
            ("wrong.pml", "x = 1"),
            ("stuck.pml", "active proctype P() { false }"),
        ],
    );
    let a = counter.join("a.pml");
    assert_eq!(sarif(&[path(&a), "-D", "LAST=3"]), [""; 0]);
    assert_eq!(sarif(&[path(&a), "-D", "LAST=2"]), ["assertion"]);
    assert_eq!(
        sarif(&[path(&a), "-D", "LAST=3", "--states", "2"]),
        ["undecided"]
    );
    assert_eq!(sarif(&[path(&counter.join("wrong.pml"))]), ["model"]);
    assert_eq!(sarif(&[path(&counter.join("stuck.pml"))]), ["deadlock"]);
    assert_eq!(sarif(&["/no/such/file.pml"]), [""; 0]);
    let liveness = ["--ltl", "p: <> (x == 9)", "-D", "LAST=3", path(&a)];
    assert_eq!(sarif(&liveness), ["liveness"]);
    assert_eq!(sarif(&[&model("deadlock.pml")]), ["deadlock"]);
}

/// Numbers of tests, failures and errors of a document that is valid for the schemas of Ant and of Jenkins.
fn junit_tally(text: &str) -> (usize, usize, usize) {
    assert_junit(text);
    let document = Document::parse(text).expect("XML");
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    // Ant allows none, Jenkins requires none.
    assert_eq!(root.attributes().len(), 0);
    let mut all = (0, 0, 0);
    for (id, suite) in elements(root).enumerate() {
        let attributes = [
            "id",
            "name",
            "package",
            "timestamp",
            "hostname",
            "tests",
            "failures",
            "errors",
            "time",
        ];
        requires(suite, "testsuite", &attributes);
        assert_eq!(suite.attribute("id"), Some(id.to_string().as_str()));
        let time = suite.attribute("timestamp").expect("a time");
        let form: String = time
            .chars()
            .map(|c| if c.is_ascii_digit() { '0' } else { c })
            .collect();
        assert_eq!(form, "0000-00-00T00:00:00");
        let parts: Vec<Node> = elements(suite).collect();
        let (first, cases) = parts.split_first().expect("properties");
        requires(*first, "properties", &[]);
        let (cases, last) = cases.split_at(cases.len() - 2);
        requires(last[0], "system-out", &[]);
        requires(last[1], "system-err", &[]);
        let mut tally = (0, 0, 0);
        for case in cases {
            requires(*case, "testcase", &["name", "classname", "time"]);
            assert!(
                case.attribute("time")
                    .is_some_and(|time| time.parse::<f64>().is_ok())
            );
            tally.0 += 1;
            for result in elements(*case) {
                match result.tag_name().name() {
                    "failure" => tally.1 += 1,
                    "error" => tally.2 += 1,
                    other => panic!("<{other}>"),
                }
                requires(result, result.tag_name().name(), &["message", "type"]);
            }
        }
        let said = |name| suite.attribute(name).and_then(|n| n.parse().ok());
        assert_eq!(
            (said("tests"), said("failures"), said("errors")),
            (Some(tally.0), Some(tally.1), Some(tally.2))
        );
        all = (all.0 + tally.0, all.1 + tally.1, all.2 + tally.2);
    }
    all
}

fn elements<'a, 'b>(node: Node<'a, 'b>) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(Node::is_element)
}

/// An element with these attributes and no others.
fn requires(node: Node, name: &str, attributes: &[&str]) {
    assert_eq!(node.tag_name().name(), name);
    let found: BTreeSet<&str> = node.attributes().map(|a| a.name()).collect();
    assert_eq!(found, attributes.iter().copied().collect(), "<{name}>");
}

/// The rules of the results in a document that is valid for the schema of SARIF 2.1.0: what is required is there, and nothing is there that the
/// schema does not have.
fn sarif_rules(document: &Value) -> Vec<String> {
    assert_sarif(document);
    keys(document, &["$schema", "version", "runs"], &[]);
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    keys(run, &["tool", "columnKind", "invocations", "results"], &[]);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    keys(driver, &["name", "version", "rules"], &[]);
    let rules: Vec<&str> = list(&driver["rules"])
        .iter()
        .map(|rule| {
            keys(rule, &["id", "shortDescription"], &[]);
            message(&rule["shortDescription"]);
            rule["id"].as_str().expect("an id")
        })
        .collect();
    assert_eq!(rules.len(), rules.iter().collect::<BTreeSet<_>>().len());
    for invocation in list(&run["invocations"]) {
        keys(
            invocation,
            &["executionSuccessful", "toolExecutionNotifications"],
            &[],
        );
        assert!(invocation["executionSuccessful"].is_boolean());
        for notification in list(&invocation["toolExecutionNotifications"]) {
            keys(notification, &["level", "message"], &[]);
            message(&notification["message"]);
        }
    }
    list(&run["results"])
        .iter()
        .map(|result| {
            keys(
                result,
                &["ruleId", "kind", "level", "message", "locations"],
                &["codeFlows"],
            );
            message(&result["message"]);
            // A level says how bad a failure is; what is no failure has none.
            let (kind, level) = (&result["kind"], &result["level"]);
            match kind.as_str() {
                Some("fail") => assert!(level == "error" || level == "warning"),
                Some("open") => assert_eq!(level, "none"),
                _ => panic!("{kind}"),
            }
            list(&result["locations"]).iter().for_each(location);
            for flow in result["codeFlows"].as_array().into_iter().flatten() {
                keys(flow, &["threadFlows"], &[]);
                for thread in list(&flow["threadFlows"]) {
                    keys(thread, &["locations"], &[]);
                    assert!(!list(&thread["locations"]).is_empty());
                    for place in list(&thread["locations"]) {
                        keys(place, &["location"], &[]);
                        message(&place["location"]["message"]);
                        location(&place["location"]);
                    }
                }
            }
            let rule = result["ruleId"].as_str().expect("a rule");
            assert!(rules.contains(&rule), "{rule}");
            rule.to_string()
        })
        .collect()
}

fn location(location: &Value) {
    keys(location, &["physicalLocation"], &["message"]);
    let physical = &location["physicalLocation"];
    keys(physical, &["artifactLocation"], &["region"]);
    keys(&physical["artifactLocation"], &["uri"], &[]);
    let uri = physical["artifactLocation"]["uri"]
        .as_str()
        .expect("a reference");
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~/%:".contains(c);
    assert!(!uri.is_empty() && uri.chars().all(plain), "{uri}");
    if let Some(region) = physical.get("region") {
        keys(region, &["startLine"], &["startColumn"]);
        assert!(
            region
                .as_object()
                .into_iter()
                .flatten()
                .all(|(_, n)| n.as_u64() > Some(0))
        );
    }
}

fn message(message: &Value) {
    keys(message, &["text"], &[]);
    assert!(
        message["text"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    );
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// An object with all of the first keys, perhaps some of the second, and no others.
fn keys(value: &Value, required: &[&str], allowed: &[&str]) {
    let found: BTreeSet<&str> = value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    assert!(required.iter().all(|key| found.contains(key)), "{value}");
    assert!(
        found
            .iter()
            .all(|key| required.contains(key) || allowed.contains(key)),
        "{value}"
    );
}
