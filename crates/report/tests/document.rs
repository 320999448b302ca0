//! The document in both of its forms: the text against snapshots, the JSON against the contract.

use mandala_report::document::*;
use mandala_report::text::View;
use mandala_report::{Colour, json, text};

fn stats(states: u64) -> Stats {
    Stats {
        states,
        transitions: states * 3,
        fired: Some(states * 3),
        depth: 12,
        seconds: 0.25,
        peak_bytes: 2_500_000,
        bytes_per_state: 11.5,
        violations: 0,
        expanded: states,
        expanded_natively: states - 12,
        states_per_second: states as f64 * 4.0,
        transitions_per_second: states as f64 * 12.0,
        branching: 3.0,
        split: Some(TimeSplit {
            expand: 0.1,
            canonicalise: 0.0,
            store: 0.06,
        }),
        diagrams: None,
    }
}

fn safety(verdict: Verdict, reason: Option<&str>) -> PropertyResult {
    PropertyResult {
        id: PropertyId::Safety,
        name: "safety".into(),
        kind: PropertyKind::Safety,
        verdict,
        instances: None,
        reason: reason.map(String::from),
        violations: u64::from(verdict == Verdict::Violated),
        stats: Some(stats(1234)),
        levels: Vec::new(),
        symmetry: None,
        witness: None,
        value: None,
        greatest: None,
        chain: None,
    }
}

fn document(verdict: Verdict) -> Document {
    Document {
        schema: SCHEMA.into(),
        tool: Tool::mandala(),
        model: ModelSource {
            path: "models/mutex.pml".into(),
            language: "promela".into(),
            defines: vec!["N=3".into()],
            dialect: None,
            threads: None,
            stated: Vec::new(),
            digest: "0123456789abcdef".into(),
        },
        verdict,
        properties: vec![safety(verdict, None)],
        not_selected: Vec::new(),
        violation: None,
        trace: None,
        further: Vec::new(),
        stats: stats(1234),
        search: Search {
            engine: "explicit".into(),
            order: "breadth first".into(),
            workers: 2,
            store: "exact".into(),
            ..Search::default()
        },
        symmetry: Symmetry::off(),
        reduction: Reduction {
            partial_order: "off".into(),
            left_out: None,
            simplification: "off".into(),
        },
        coverage: Coverage {
            complete: verdict == Verdict::Holds,
            ..Coverage::default()
        },
        threads: None,
        every: None,
        unreached: Vec::new(),
        warnings: Vec::new(),
    }
}

fn step(number: u32, pid: u32, line: u32, statement: &str, changes: &[(&str, &str, &str)]) -> Step {
    let change = |&(name, from, to): &(&str, &str, &str)| Change {
        name: name.into(),
        from: (!from.is_empty()).then(|| from.into()),
        to: (!to.is_empty()).then(|| to.into()),
    };
    Step {
        number,
        actor: Actor::Process,
        process: "user".into(),
        pid: Some(pid),
        file: "models/mutex.pml".into(),
        line,
        statement: statement.into(),
        edge: line,
        rule: None,
        parameters: Vec::new(),
        choice: 0,
        partner: None,
        changes: changes.iter().map(change).collect(),
        printed: Vec::new(),
        event: None,
        further_events: Vec::new(),
        truncated: Vec::new(),
        atomic: false,
        bookkeeping: false,
        state: None,
    }
}

fn place(line: u32) -> Place {
    Place {
        file: "models/mutex.pml".into(),
        line,
        column: 9,
    }
}

fn failed_assertion() -> Document {
    let mut rendezvous = step(2, 1, 11, "ask!_pid", &[]);
    rendezvous.partner = Some(Partner {
        process: "server".into(),
        pid: 2,
        file: "models/mutex.pml".into(),
        line: 30,
        statement: "ask?who".into(),
        edge: 4,
    });
    let mut print = step(3, 1, 12, "printf(\"in\\n\")", &[]);
    print.printed = vec!["in\n".into()];
    let steps = vec![
        step(1, 0, 10, "inside++", &[("inside", "0", "1")]),
        rendezvous,
        print,
        step(
            4,
            1,
            13,
            "inside++",
            &[("inside", "1", "2"), ("q", "", "[]"), ("t", "1", "")],
        ),
    ];
    Document {
        violation: Some(Violation {
            property_id: PropertyId::Safety,
            property: "safety".into(),
            kind: ViolationKind::Assertion,
            message: "an assertion failed".into(),
            place: Some(place(14)),
            text: Some("assert(inside <= 1)".into()),
            parameters: Vec::new(),
            choice: 0,
            values: vec![NamedValue {
                name: "inside".into(),
                value: "2".into(),
            }],
            waiting: Vec::new(),
            notes: Vec::new(),
        }),
        trace: Some(Trace {
            property_id: PropertyId::Safety,
            property: "safety".into(),
            shortest: true,
            before_cycle: None,
            fairness: None,
            steps,
            last_state: None,
        }),
        coverage: Coverage {
            complete: false,
            reason: Some("the search stopped at the first violation".into()),
            ..Coverage::default()
        },
        ..document(Verdict::Violated)
    }
}

#[test]
fn a_failed_assertion_is_told_with_its_values_and_its_run() {
    insta::assert_snapshot!(text::render(&failed_assertion(), &View::new(Colour::Off)));
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let mut document = failed_assertion();
    document.trace.as_mut().unwrap().steps.truncate(1);
    document.violation = Some(Violation {
        property_id: PropertyId::Safety,
        property: "safety".into(),
        kind: ViolationKind::Deadlock,
        message: "deadlock: no process can move".into(),
        place: None,
        text: None,
        parameters: Vec::new(),
        choice: 0,
        values: Vec::new(),
        waiting: vec![
            Waiting {
                process: "user".into(),
                pid: 0,
                place: place(20),
                statements: vec!["left?_".into(), "right?_".into()],
                guards: vec![WaitingGuard {
                    statement: "left?_".into(),
                    values: vec![NamedValue {
                        name: "left".into(),
                        value: "[]".into(),
                    }],
                    changed_by: vec!["user(1)".into()],
                }],
                allowed: false,
            },
            Waiting {
                process: "server".into(),
                pid: 1,
                place: place(31),
                statements: vec!["ask?who".into()],
                guards: Vec::new(),
                allowed: true,
            },
        ],
        notes: vec!["if nobody minds, `--no-deadlock` says so".into()],
    });
    insta::assert_snapshot!(text::render(&document, &View::new(Colour::Off)));
}

#[test]
fn steps_that_were_made_are_told_where_they_are_fewer() {
    let mut document = document(Verdict::Holds);
    let told =
        |document: &Document| text::render(document, &View::new(Colour::Off)).contains("fired)");
    assert!(!told(&document));
    document.stats.fired = Some(document.stats.transitions - 1);
    assert!(told(&document));
}

#[test]
fn a_complete_search_says_what_was_never_reached() {
    let unreached = |process: &str, line, statement: &str| Unreached {
        process: process.into(),
        file: "models/mutex.pml".into(),
        line,
        state: line,
        statement: statement.into(),
    };
    let mut document = document(Verdict::Holds);
    document.unreached = (1..10)
        .map(|line| unreached("user", line, "skip"))
        .collect();
    document.unreached.push(unreached("server", 40, "-end-"));
    document.warnings = vec!["`x` is never used".into()];
    insta::assert_snapshot!(text::render(&document, &View::new(Colour::Off)));
}

#[test]
fn sets_of_states_may_be_larger_than_any_other_number() {
    let states = 1 << 70;
    let mut document = document(Verdict::Holds);
    document.stats.states = u64::MAX;
    document.stats.diagrams = Some(DiagramStats {
        states,
        transitions: u128::MAX,
        bits: 80,
        nodes: 1,
    });
    let text = text::render(&document, &View::new(Colour::Off));
    assert!(
        text.contains("1,180,591,620,717,411,303,424 states, 340,282,"),
        "{text}"
    );
    assert!(text.contains("1 node for states of 80 bits"), "{text}");
    assert!(!text.contains("bytes a state"), "{text}");
    let written = json::write(&document).unwrap();
    assert!(
        written.contains("\"states\": \"1180591620717411303424\""),
        "{written}"
    );
    assert_eq!(json::read(&written).unwrap(), document);
}

#[test]
fn an_unknown_verdict_gives_its_reason_first() {
    let mut document = document(Verdict::Unknown);
    let limit = "the limit of 1,234 states was reached";
    document.properties = vec![
        safety(Verdict::Unknown, Some(limit)),
        PropertyResult {
            id: PropertyId::Stated(0),
            name: "live".into(),
            kind: PropertyKind::Ltl,
            stats: None,
            ..safety(
                Verdict::Unknown,
                Some("liveness checking is not available yet"),
            )
        },
    ];
    document.coverage.reason = Some(limit.into());
    insta::assert_snapshot!(text::render(&document, &View::new(Colour::Off)));
}

#[test]
fn a_store_that_is_not_exact_is_told_with_what_it_may_have_missed() {
    let reason = "no violation was found, but one may have been missed";
    let mut document = document(Verdict::Unknown);
    document.properties = vec![safety(Verdict::Unknown, Some(reason))];
    document.stats.expanded_natively = 0;
    document.search = Search {
        order: "depth first".into(),
        store: "hash-compact".into(),
        interpret: true,
        checkpoint: Some(CheckpointUse {
            folder: "here".into(),
            resumed: true,
            can_go_on: true,
            at_the_end: true,
        }),
        ..document.search
    };
    document.coverage.reason = Some(reason.into());
    document.coverage.estimate = Some(Estimate {
        least: 1234,
        most: 5678,
    });
    document.coverage.omissions = Some(Omissions {
        expected: 0.25,
        probability: 0.22,
        chance: 0.001,
        hash_bits: Some(44),
        field: None,
    });
    insta::assert_snapshot!(text::render(&document, &View::new(Colour::Off)));
}

#[test]
fn counts_of_statements_are_told_process_by_process() {
    let counted = |process: &str, line, statement: &str, count| StatementCount {
        process: process.into(),
        file: "models/mutex.pml".into(),
        line,
        statement: statement.into(),
        count,
    };
    let mut document = document(Verdict::Holds);
    document.coverage.statements = Some(vec![
        counted("user", 9, "ask!_pid", 12_345),
        counted("user", 10, "inside\t= \u{1b}", 0),
        counted("server", 130, "ask?who", 7),
    ]);
    insta::assert_snapshot!(text::render(&document, &View::new(Colour::Off)));
    let text = json::write(&document).unwrap();
    assert_eq!(json::read(&text).unwrap(), document);
}

#[test]
fn a_document_without_the_newer_fields_is_read() {
    let text = json::write(&document(Verdict::Holds)).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let newer = [
        ("/stats", "expanded"),
        ("/stats", "expanded_natively"),
        ("/stats", "states_per_second"),
        ("/stats", "transitions_per_second"),
        ("/stats", "branching"),
        ("/stats", "split"),
        ("/search", "store"),
        ("/search", "interpret"),
        ("/search", "deadlock"),
        ("/search", "checkpoint"),
        ("/coverage", "omissions"),
        ("/coverage", "estimate"),
    ];
    for (place, field) in newer {
        let object = value.pointer_mut(place).and_then(|v| v.as_object_mut());
        assert!(object.unwrap().remove(field).is_some(), "{place}/{field}");
    }
    let old = json::read(&value.to_string()).unwrap();
    let shown = text::render(&old, &View::new(Colour::Off));
    assert!(shown.contains("Search (breadth first)\n"), "{shown}");
    assert!(!shown.contains("successors a state"), "{shown}");
}

#[test]
fn the_description_of_a_checkpoint_survives_the_round_trip() {
    let description = CheckpointDescription {
        schema: CHECKPOINT_SCHEMA.into(),
        tool: Tool::mandala(),
        model: document(Verdict::Holds).model,
        directory: "/home/somebody".into(),
        command: ["check", "m.pml", "-D", "N=3"].map(String::from).into(),
    };
    let text = json::write_checkpoint(&description).unwrap();
    assert_eq!(json::read_checkpoint(text.as_bytes()), Ok(description));
    let other = text.replace(CHECKPOINT_SCHEMA, "mandala-checkpoint/1");
    let error = json::read_checkpoint(other.as_bytes()).unwrap_err();
    assert!(error.contains("mandala-checkpoint/1"), "{error}");
    assert!(error.contains("start the search anew"), "{error}");
    let error = json::read_checkpoint(b"nonsense").unwrap_err();
    assert!(error.contains("does not say"), "{error}");
}

#[test]
fn the_middle_of_a_long_trace_is_left_out_and_the_text_says_so() {
    let mut document = failed_assertion();
    let steps = (1..=1000).map(|n| step(n, 0, 10, "x++", &[])).collect();
    document.trace.as_mut().unwrap().steps = steps;
    let text = text::render(&document, &View::new(Colour::Off));
    assert!(text.contains("steps 51 to 800 are left out here"), "{text}");
    assert!(text.contains("\n  50  user(0)"), "{text}");
    assert!(!text.contains(" 51  user(0)"), "{text}");
    assert!(!text.contains(" 800  user(0)"), "{text}");
    assert!(text.contains("\n   801  user(0)"), "{text}");
}

#[test]
fn the_schema_comes_first_and_the_document_survives_the_round_trip() {
    for document in [failed_assertion(), document(Verdict::Holds)] {
        let text = json::write(&document).unwrap();
        assert!(text.starts_with("{\n  \"schema\": \"mandala-report/2\""));
        assert_eq!(json::read(&text).unwrap(), document);
    }
}

#[test]
fn the_contract_of_the_command_line_is_kept() {
    let text = json::write(&failed_assertion()).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let paths = [
        "/tool/name",
        "/tool/version",
        "/model/path",
        "/model/language",
        "/verdict",
        "/properties/0/id",
        "/properties/0/name",
        "/properties/0/kind",
        "/properties/0/verdict",
        "/stats/states",
        "/stats/transitions",
        "/stats/depth",
        "/stats/seconds",
        "/stats/peak_bytes",
        "/stats/bytes_per_state",
        "/symmetry/strategy",
        "/symmetry/order",
        "/symmetry/exact",
        "/symmetry/generators",
        "/symmetry/structure",
        "/symmetry/source",
        "/reduction/partial_order",
        "/coverage/complete",
        "/coverage/reason",
        "/unreached",
        "/trace/steps/0/process",
        "/trace/steps/0/line",
        "/trace/steps/0/statement",
        "/trace/steps/0/changes/0/name",
        "/violation/property_id",
        "/violation/kind",
        "/warnings",
    ];
    for path in paths {
        assert!(value.pointer(path).is_some(), "{path} is missing");
    }
    assert_eq!(value.pointer("/verdict").unwrap(), "violated");
    assert_eq!(value.pointer("/symmetry/order").unwrap(), "1");
    let holds = json::write(&document(Verdict::Holds)).unwrap();
    let holds: serde_json::Value = serde_json::from_str(&holds).unwrap();
    assert!(holds["trace"].is_null());
}

#[test]
fn a_document_of_another_version_is_called_that() {
    let error = json::read("{\"schema\": \"mandala-report/1\"}").unwrap_err();
    assert!(matches!(error, json::ReadError::OtherSchema(_)));
    assert!(
        error
            .to_string()
            .contains("anew with `mandala check --json`")
    );
    let error = json::read("{\"schema\": 3}").unwrap_err();
    assert!(matches!(error, json::ReadError::Malformed(_)));
    assert!(json::read("").is_err());
}
