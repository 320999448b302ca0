//! `mandala check` from the outside: exit status, report and document.

use crate::common::{self, Run, mandala, model};

fn check(file: &str, more: &[&str]) -> Run {
    let path = model(file);
    mandala([&["check", &path], more].concat())
}

#[test]
fn a_model_that_holds_ends_with_status_0() {
    let run = check("holds.pml", &[]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.starts_with("✓ holds: safety  "), "{run}");
    assert!(
        run.output.contains("every reachable state was visited"),
        "{run}"
    );
    assert_eq!(run.errors, "");
}

#[test]
fn a_failed_assertion_is_told_with_its_values_and_a_shortest_run() {
    let run = check("assertion.pml", &["--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    let document = run.json();
    assert_eq!(document["verdict"], "violated");
    assert_eq!(document["violation"]["kind"], "assertion");
    assert_eq!(document["violation"]["place"]["line"], 9);
    assert_eq!(document["violation"]["values"][0]["name"], "inside");
    assert_eq!(document["violation"]["values"][0]["value"], "2");
    let steps = document["trace"]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 3, "{run}");
    assert_eq!(steps[1]["statement"], "inside++");
    assert_eq!(steps[1]["changes"][0]["from"], "1");
    assert_eq!(steps[1]["changes"][0]["to"], "2");
}

#[test]
fn a_definition_on_the_command_line_changes_the_model() {
    let run = check("assertion.pml", &["-D", "LIMIT=2"]);
    assert_eq!(run.status, 0, "{run}");
    let run = check("assertion.pml", &["-DLIMIT=2", "--json", "-"]);
    assert_eq!(run.json()["model"]["defines"][0], "LIMIT=2");
}

#[test]
fn a_deadlock_says_who_waits() {
    let run = check("deadlock.pml", &["--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    let document = run.json();
    assert_eq!(document["violation"]["kind"], "deadlock");
    let waiting = document["violation"]["waiting"].as_array().unwrap();
    let names: Vec<_> = waiting
        .iter()
        .map(|w| w["process"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["A", "B"]);
    let run = check("deadlock.pml", &["--no-deadlock"]);
    assert_eq!(run.status, 0, "{run}");
}

#[test]
fn a_run_time_error_is_a_violation() {
    let run = check("division.pml", &["--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    let document = run.json();
    assert_eq!(document["violation"]["kind"], "runtime-error");
    assert_eq!(document["violation"]["message"], "division by zero");
    assert_eq!(document["violation"]["place"]["line"], 7);
}

#[test]
fn limits_end_in_unknown_and_say_which() {
    let limits = [
        (
            ["--states", "1000"],
            "the limit of 1,000 states was reached",
        ),
        (["--depth", "100"], "the limit of depth 100 was reached"),
        (["--time", "100ms"], "the limit of 100 ms was reached"),
        (["--time", "1s"], "the limit of 1 s was reached"),
        (
            ["--memory", "30M"],
            "the limit of 30 MB of memory was reached",
        ),
    ];
    for (limit, reason) in limits {
        let run = check("endless.pml", &limit);
        assert_eq!(run.status, 3, "{run}");
        assert!(run.output.starts_with("? unknown: safety  "), "{run}");
        assert!(run.output.contains(reason), "{run}");
        assert!(
            run.output.contains("not every reachable state was visited"),
            "{run}"
        );
    }
}

#[test]
fn every_property_has_a_verdict_of_its_own() {
    let run = check("claims.pml", &["--keep-going", "--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    let document = run.json();
    let properties = document["properties"].as_array().unwrap();
    let verdicts: Vec<_> = properties
        .iter()
        .map(|p| (p["name"].as_str().unwrap(), p["verdict"].as_str().unwrap()))
        .collect();
    let expected = [
        ("safety", "holds"),
        ("bounded", "holds"),
        ("small", "violated"),
        ("returns", "violated"),
    ];
    assert_eq!(verdicts, expected, "{run}");
    assert_eq!(document["violation"]["property"], "small");
}

#[test]
fn one_property_can_be_selected() {
    assert_eq!(check("claims.pml", &["--property", "bounded"]).status, 0);
    assert_eq!(check("claims.pml", &["--property", "small"]).status, 1);
    assert_eq!(check("claims.pml", &["--property", "returns"]).status, 1);
    assert_eq!(check("claims.pml", &["--property", "safety"]).status, 0);
    let both = ["--property", "bounded", "--property", "safety"];
    assert_eq!(check("claims.pml", &both).status, 0);
    let run = check("claims.pml", &["--property", "nonsense"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors
            .contains("`safety`, `bounded`, `small`, `returns`"),
        "{run}"
    );
}

#[test]
fn what_comes_after_a_violation_is_checked_only_if_asked_for() {
    let run = check("many.pml", &["--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.json()["properties"][1]["verdict"], "unknown");
    let run = check("many.pml", &["--keep-going", "--json", "-"]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.json()["properties"][1]["verdict"], "violated");
    assert_eq!(
        run.json()["further"][0]["violation"]["property"],
        "never_two"
    );
    let run = check("many.pml", &["--keep-going"]);
    assert!(run.output.contains("✗ also violated  never_two"), "{run}");
}

#[test]
fn keep_going_visits_everything_and_counts_all_violations() {
    let stop = check("assertion.pml", &["--json", "-"]).json();
    let all = check("assertion.pml", &["--keep-going", "--json", "-"]).json();
    assert_eq!(stop["coverage"]["complete"], false);
    assert_eq!(all["coverage"]["complete"], true);
    assert!(all["stats"]["states"].as_u64() > stop["stats"]["states"].as_u64());
    assert!(all["stats"]["violations"].as_u64() > Some(1));
}

#[test]
fn statements_that_are_never_reached_are_named() {
    let run = check("unreached.pml", &["--json", "-"]);
    assert_eq!(run.status, 0, "{run}");
    let document = run.json();
    let unreached = document["unreached"].as_array().unwrap();
    assert!(!unreached.is_empty(), "{run}");
    assert!(
        unreached
            .iter()
            .all(|u| u["process"] == "P" && u["line"] == 8),
        "{run}"
    );
    let run = check("unreached.pml", &[]);
    assert!(run.output.contains("Never reached"), "{run}");
}

#[test]
fn quiet_says_the_verdict_only() {
    let run = check("assertion.pml", &["--quiet"]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.output.lines().count(), 1, "{run}");
    assert!(run.output.contains("an assertion failed"), "{run}");
}

#[test]
fn both_engines_and_both_orders_agree() {
    let models = [
        "holds.pml",
        "assertion.pml",
        "deadlock.pml",
        "rendezvous.pml",
        "division.pml",
        "claims.pml",
        "unreached.pml",
        "atomic.pml",
        "many.pml",
    ];
    for file in models {
        let mut results = Vec::new();
        for engine in ["explicit", "reference"] {
            for order in ["bfs", "dfs"] {
                let options = [
                    "--engine",
                    engine,
                    "--search",
                    order,
                    "--keep-going",
                    "--symmetry",
                    "off",
                    "--json",
                    "-",
                ];
                let document = check(file, &options).json();
                let states = document["stats"]["states"].as_u64().unwrap();
                results.push((states, document["verdict"].clone()));
            }
        }
        results.dedup();
        assert_eq!(results.len(), 1, "{file}: {results:?}");
    }
}

#[test]
fn the_document_goes_to_a_file_beside_the_report() {
    let file = common::temporary("check-json.json");
    let path = file.to_str().unwrap();
    let run = check("holds.pml", &["--json", path]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.contains("✓ holds"), "{run}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("{\n  \"schema\": \"mandala-report/2\""));
    let run = check("holds.pml", &["--json", "/no/such/folder/x.json"]);
    assert_eq!(run.status, 2, "{run}");
}

#[test]
fn a_counterexample_can_be_written_as_a_trail_of_spin() {
    let trail = common::temporary("deadlock.trail");
    let path = trail.to_str().unwrap();
    let run = check("deadlock.pml", &["--trail", path]);
    assert_eq!(run.status, 1, "{run}");
    let text = std::fs::read_to_string(&trail).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.starts_with("1:"), "{text}");
    let run = check("claims.pml", &["--trail", path]);
    assert_eq!(run.status, 2, "{run}");
    assert_eq!(run.output, "", "refused before the search");
}

#[test]
fn spin_replays_the_trails() {
    // Spin leaves files where it runs.
    let spin = |arguments: &[&str]| {
        let mut spin = std::process::Command::new("spin");
        spin.current_dir(env!("CARGO_TARGET_TMPDIR"));
        spin.args(arguments).output()
    };
    if spin(&["-V"]).is_err() {
        return; // Spin is not installed here; the form of the trail is tested above.
    }
    for (file, words) in [
        ("assertion.pml", "assertion violated"),
        ("rendezvous.pml", "assertion violated"),
        ("atomic.pml", "assertion violated"),
        ("deadlock.pml", "trail ends after 4 steps"),
    ] {
        let trail = common::temporary(&format!("{file}.trail"));
        let path = trail.to_str().unwrap();
        assert_eq!(check(file, &["--trail", path, "--quiet"]).status, 1);
        let output = spin(&["-t", "-p", "-k", path, &model(file)]).unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(words), "{file}: {text}");
    }
}

#[test]
fn reductions_are_switched_one_by_one() {
    for option in [
        ["--symmetry", "off"],
        ["--symmetry", "auto"],
        ["--por", "off"],
        ["--por", "auto"],
        ["--por", "on"],
        ["--static", "off"],
    ] {
        assert_eq!(check("holds.pml", &option).status, 0);
    }
}

#[test]
fn nonsense_on_the_command_line_is_refused() {
    let wrong: [&[&str]; 9] = [
        &["--symmetry", "nonsense"],
        &["--search", "sideways"],
        &["--states", "0"],
        &["--memory", "much"],
        &["--memory", "15M"],
        &["--time", "later"],
        &["--workers", "0"],
        &["-D", "1x=2"],
        &["--no-such-option"],
    ];
    for options in wrong {
        let run = check("holds.pml", options);
        assert_eq!(run.status, 2, "{run}");
        assert_eq!(run.output, "", "{run}");
    }
    assert_eq!(mandala(["check"]).status, 2);
    assert_eq!(mandala(["nonsense"]).status, 2);
    assert_eq!(mandala([]).status, 2);
}

#[test]
fn colours_only_where_they_are_wanted() {
    assert!(!check("holds.pml", &[]).output.contains('\x1b'));
    assert!(
        check("holds.pml", &["--color", "always"])
            .output
            .contains('\x1b')
    );
    assert!(
        !check("holds.pml", &["--color", "never"])
            .output
            .contains('\x1b')
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args(["check", &model("assertion.pml"), "--json", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_what_there_is_and_status_4() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let child = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args(["check", &model("endless.pml"), "--time", "60s"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("the search was interrupted"), "{text}");
    assert!(text.contains("states/s"), "{text}");
}

/// The report without what differs from run to run: time and memory, and where the models are.
fn steady(run: &Run) -> String {
    let is_cost = |line: &str| line.starts_with("  ") && line.contains(" bytes a state)");
    let lines = run.output.lines();
    let lines: Vec<&str> = lines
        .map(|line| {
            if is_cost(line) {
                "  (time and memory)"
            } else if line.contains(" of the time spent on ") {
                "  (share of the time)"
            } else {
                line
            }
        })
        .filter(|line| !line.contains(" successors a state"))
        .collect();
    lines.join("\n").replace(&model(""), "models/")
}

#[test]
fn the_reports_look_as_they_should() {
    for file in [
        "holds.pml",
        "assertion.pml",
        "deadlock.pml",
        "rendezvous.pml",
        "division.pml",
        "claims.pml",
        "unreached.pml",
        "atomic.pml",
    ] {
        let name = file.trim_end_matches(".pml");
        insta::assert_snapshot!(name, steady(&check(file, &[])));
    }
}
