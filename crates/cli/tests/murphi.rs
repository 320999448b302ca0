//! Murphi models from the outside: what reports and traces say, and in whose words.

use crate::common::{Run, mandala, model, temporary};
use serde_json::Value;

fn check(file: &str, more: &[&str]) -> Run {
    let path = model(file);
    mandala([&["check", &path], more].concat())
}

/// The document about a model with constants from outside.
fn document(file: &str, more: &[&str]) -> Value {
    let run = check(file, &[more, &["--json", "-"]].concat());
    assert_eq!(run.errors, "", "{run}");
    run.json()
}

/// The message about what goes wrong with that bug.
fn message(bug: u32) -> String {
    let define = format!("BUG={bug}");
    let document = document("rules.m", &["-D", &define]);
    let message = document["violation"]["message"].as_str();
    let message = message.unwrap_or_else(|| panic!("{document:#}"));
    let text = check("rules.m", &["-q", "-D", &define]);
    assert_eq!(text.status, 1, "{text}");
    assert!(text.output.contains(message), "{text}");
    message.to_string()
}

/// A counter from 0 to 3, with properties.
fn counter(properties: &str) -> Value {
    let text = format!(
        "var x: 0..3; startstate begin x := 0; end; rule \"inc\" x < 3 ==> begin x := x + 1; end;\n{properties}"
    );
    let path = temporary(&format!("counter-{:x}.m", properties.len()));
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    mandala(["check", path, "--keep-going", "--json", "-"]).json()
}

/// The id, kind and verdict of each row.
fn rows(document: &Value) -> Vec<String> {
    let rows = document["properties"].as_array().unwrap().iter();
    let words = |row: &Value| {
        ["id", "kind", "verdict"].map(|field| row[field].as_str().unwrap().to_string())
    };
    rows.map(|row| words(row).join(" ")).collect()
}

#[test]
fn properties_of_one_name_have_rows_and_ids_of_their_own() {
    let document = counter("cover \"same\" x = 2; invariant \"same\" x < 3;");
    let expected = [
        "safety safety violated",
        "p0 cover holds",
        "p1 invariant violated",
    ];
    assert_eq!(rows(&document), expected);
    let document = counter("invariant \"same\" x < 10; invariant \"same\" x < 2;");
    let expected = [
        "safety safety violated",
        "p0 invariant holds",
        "p1 invariant violated",
    ];
    assert_eq!(rows(&document), expected);
    assert_eq!(document["violation"]["property_id"], "p1");
    assert_eq!(document["violation"]["property"], "same");
    assert_eq!(document["further"][0]["violation"]["property_id"], "safety");
}

#[test]
fn run_time_errors_name_the_values_that_the_model_knows() {
    assert_eq!(message(1), "the value 10 is not in 5..8");
    assert_eq!(message(2), "the value 4 is not in 5..8");
    assert_eq!(message(3), "the value 3 is not in 5..8");
    let index = |n: u32| format!("array index {n} is outside the array, which goes from 5 to 8");
    assert_eq!(message(4), index(9));
    assert_eq!(message(5), index(4));
    assert_eq!(message(6), "`node[n].friend` is undefined");
    assert_eq!(message(7), "`m` is undefined");
    assert_eq!(
        message(8),
        "the rule does not end: it repeats the same states forever"
    );
}

#[test]
fn what_is_undefined_has_its_full_name() {
    let missing = |bug: &str| {
        let document = document("rules.m", &["-D", bug, "--symmetry", "off"]);
        document["violation"]["values"].clone()
    };
    let found = missing("BUG=6");
    assert_eq!(found[0]["name"], "node[Node_1].friend");
    assert_eq!(found[0]["value"], "undefined");
    let found = missing("BUG=10");
    let names = found.as_array().expect("values").iter();
    let names: Vec<&str> = names.filter_map(|v| v["name"].as_str()).collect();
    assert!(names.contains(&"node[Node_1].friend"), "{names:?}");
    assert_eq!(
        missing("BUG=7"),
        serde_json::json!([{"name": "m", "value": "undefined"}]),
        "a variable inside of a rule"
    );
}

/// Two members, who wait one after the other, and functions with code that an invariant calls.
const WAITING: &str = "type member: 1..2; var waits: array[member] of boolean; limit: 0..9;
    function waiting(): 0..2; var n: 0..2;
    begin n := 0; for m: member do if waits[m] then n := n + 1; end; end; return n; end;
    function more(than: 0..2): boolean; var n: 0..2; begin n := waiting(); return n > than; end;
    startstate begin for m: member do waits[m] := false; end; limit := 1; end;
    ruleset m: member do rule \"wait\" !waits[m] ==> begin waits[m] := true; end; end;";

#[test]
fn an_invariant_with_functions_is_explained_by_what_they_gave() {
    let values = |invariant: &str| {
        let path = temporary(&format!("waiting-{}.m", invariant.len()));
        std::fs::write(&path, format!("{WAITING} invariant \"i\" {invariant};")).unwrap();
        let run = mandala(["check", path.to_str().unwrap(), "--json", "-"]);
        let found = run.json()["violation"]["values"].clone();
        let found = found.as_array().expect("values").iter();
        let text = |v: &Value| format!("{}={}", v["name"], v["value"]).replace('"', "");
        found.map(text).collect::<Vec<String>>()
    };
    assert_eq!(values("waiting() <= limit"), ["waiting()=2", "limit=1"]);
    assert_eq!(
        values("!more(0) | !more(1)"),
        ["more(0)=true", "more(1)=true"]
    );
}

#[test]
fn traces_read_like_the_model() {
    let run = check("rules.m", &["-D", "BUG=9", "--symmetry", "off"]);
    let after = run.output.split("Trace (").nth(1);
    let trace = after.and_then(|text| text.split("\n\n").next());
    let lines: Vec<&str> = trace.expect("a trace").lines().map(str::trim).collect();
    assert_eq!(
        lines[..9],
        [
            "4 steps, a shortest one)",
            "1  rules.m:10  all idle",
            "node[Node_1, Node_2, Node_3].state = Idle",
            "taken[Idle, Busy][5, 6, 7, 8] = 0",
            "next = 5",
            "2  rules.m:17  take [n = Node_1]  node[Node_1].state: Idle → Busy",
            "node[Node_1].at: undefined → 5",
            "taken[Busy][5]: 0 → 1",
            "next: 5 → 6",
        ],
        "{run}"
    );
    assert!(!run.output.contains("[0]"), "{run}");
}

#[test]
fn every_cell_is_in_the_document_by_its_name() {
    let document = document("rules.m", &["-D", "BUG=9", "--symmetry", "off"]);
    let changes = document["trace"]["steps"][0]["changes"].as_array();
    let names = changes.expect("changes").iter();
    let names: Vec<&str> = names.filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(names.len(), 3 + 8 + 1, "{names:?}");
    assert_eq!(names[0], "node[Node_1].state");
    assert_eq!(names[3], "taken[Idle][5]");
    assert_eq!(names[10], "taken[Busy][8]");
}

#[test]
fn a_deadlock_is_what_the_user_says() {
    let verdict = |again: &str, more: &[&str]| {
        let document = document("wait.m", &[&["-D", again], more].concat());
        let kind = document["search"]["deadlock"].as_str().unwrap_or("");
        format!("{kind}: {}", document["verdict"].as_str().unwrap_or(""))
    };
    assert_eq!(verdict("AGAIN=1", &[]), "stuttering: violated");
    let [stuck, stuttering, off] = ["stuck", "stuttering", "off"].map(|k| ["--deadlock", k]);
    assert_eq!(verdict("AGAIN=1", &stuck), "stuck: holds");
    assert_eq!(verdict("AGAIN=1", &stuttering), "stuttering: violated");
    assert_eq!(verdict("AGAIN=1", &off), "off: holds");
    assert_eq!(verdict("AGAIN=0", &stuck), "stuck: violated");
    assert_eq!(verdict("AGAIN=0", &["--no-deadlock"]), "off: holds");
}

#[test]
fn a_run_to_a_deadlock_can_be_made_again_whatever_counts_as_one() {
    let file = temporary("stuck.json");
    let file = file.to_str().expect("a path");
    let run = check("wait.m", &["--deadlock", "stuck", "--json", file]);
    assert_eq!(run.status, 1, "{run}");
    let again = mandala(["replay", file]);
    assert_eq!(again.status, 0, "{again}");
    assert!(again.output.starts_with("✓ replayed"), "{again}");
}

#[test]
fn what_counts_as_a_deadlock_depends_on_the_language() {
    let run = check("deadlock.pml", &["--deadlock", "stuttering"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors.contains("the language of this model is promela"),
        "{run}"
    );
    let run = check("deadlock.pml", &["-q", "--deadlock", "stuck"]);
    assert_eq!(run.status, 1, "{run}");
    let run = check("deadlock.pml", &["-q", "--deadlock", "off"]);
    assert_eq!(run.status, 0, "{run}");
    let run = check("wait.m", &["--deadlock", "off", "--no-deadlock"]);
    assert_eq!(run.status, 2, "{run}");
}

/// The names of the properties with that verdict.
fn with_verdict(document: &Value, verdict: &str) -> Vec<String> {
    let properties = document["properties"].as_array().expect("properties");
    let found = properties.iter().filter(|p| p["verdict"] == verdict);
    found
        .filter_map(|p| p["name"].as_str().map(String::from))
        .collect()
}

/// All ways to search, none of which may change what stays possible.
const WAYS: [&[&str]; 7] = [
    &[],
    &["--symmetry", "off"],
    &["--workers", "4"],
    &["--search", "dfs"],
    &["--static", "off"],
    &["--interpret", "--keep-going"],
    &["--engine", "reference", "--symmetry", "off"],
];

#[test]
fn what_must_stay_possible_is_lost_for_who_never_moves() {
    for way in WAYS {
        let document = document("stays.m", way);
        assert_eq!(
            with_verdict(&document, "violated"),
            ["everybody moves"],
            "{way:?}"
        );
        assert_eq!(
            with_verdict(&document, "holds"),
            ["safety", "up"],
            "{way:?}"
        );
        assert_eq!(document["violation"]["kind"], "liveness");
        assert_eq!(document["violation"]["property"], "everybody moves");
        let rows = document["properties"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["name"] == "everybody moves");
        assert_eq!(row.expect("it has a row")["instances"], 2, "{way:?}");
        let steps = document["trace"]["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 1, "{way:?}");
        // Who is not chosen stays.
        let parameters = &document["violation"]["parameters"];
        assert_eq!(parameters[0]["name"], "w", "{way:?}");
        let chosen = match parameters[0]["value"].as_str() {
            Some("Who_1") => "choose [chosen = Who_2]",
            Some("Who_2") => "choose [chosen = Who_1]",
            other => panic!("{way:?}: {other:?}"),
        };
        assert_eq!(steps[0]["statement"], chosen, "{way:?}");
    }
}

#[test]
fn what_stays_possible_from_everywhere_holds() {
    for way in WAYS {
        let document = document("stays.m", &[way, &["-D", "ROUND=1"]].concat());
        assert_eq!(document["verdict"], "holds", "{way:?}: {document:#}");
    }
}

#[test]
fn the_run_to_a_loss_is_a_shortest_one_and_can_be_made_again() {
    let file = temporary("lost.json");
    let file = file.to_str().expect("a path");
    for way in WAYS {
        let more = [
            "-D",
            "ROUND=1",
            "-D",
            "TRAP=1",
            "--property",
            "up",
            "--json",
            file,
        ];
        let run = check("stays.m", &[way, &more].concat());
        assert_eq!(run.status, 1, "{run}");
        assert!(
            run.output.contains("Trace (2 steps, a shortest one)"),
            "{way:?}: {run}"
        );
        assert!(
            run.output
                .contains("liveness \"up\" is violated: after this run it can never be true"),
            "{run}"
        );
        let again = mandala(["replay", file]);
        assert!(again.output.starts_with("✓ replayed"), "{again}");
        assert!(again.output.contains("trap"), "{again}");
    }
}

#[test]
fn orbits_tell_the_same_as_states() {
    for lost in ["LOST=0", "LOST=1"] {
        let found =
            |way: &[&str]| document("rest.m", &[way, &["-D", lost, "--no-deadlock"]].concat());
        let (all, orbits) = (found(&["--symmetry", "off"]), found(&[]));
        let states = |document: &Value| document["stats"]["states"].as_u64();
        assert!(states(&orbits) < states(&all), "{orbits:#}");
        for verdict in ["holds", "violated"] {
            let names = with_verdict(&all, verdict);
            assert_eq!(with_verdict(&orbits, verdict), names, "{lost}");
        }
        let steps = |document: &Value| document["trace"]["steps"].as_array().map(Vec::len);
        let expected = (lost == "LOST=1").then_some(5);
        assert_eq!((steps(&all), steps(&orbits)), (expected, expected));
    }
}

#[test]
fn a_part_of_the_states_proves_nothing() {
    let undecided: [&[&str]; 3] = [
        &["--states", "2"],
        &["--store", "hash-compact"],
        &["--expand", "originals"],
    ];
    for way in undecided {
        let document = document("stays.m", &[way, &["-D", "TRAP=1"]].concat());
        let names = with_verdict(&document, "unknown");
        assert!(names.contains(&"up".to_string()), "{way:?}: {document:#}");
        assert_eq!(document["verdict"], "unknown", "{way:?}");
    }
}

/// A function with variables of its own, whose body is written out for the search: a run that symmetry has folded is one of the user's model all the
/// same, and the group is that of the types, whatever the load of the machine.
#[test]
fn runs_through_functions_are_unfolded() {
    let text = "const N: 4; type Node: scalarset(N);
        var voted: array [Node] of boolean; leader: Node;
        startstate for n: Node do voted[n] := false; end; end;
        function votes(): 0..N; var count: 0..N; begin
            count := 0;
            for n: Node do if voted[n] then count := count + 1; end; end;
            return count;
        end;
        ruleset n: Node do
            rule \"vote\" !voted[n] ==> begin voted[n] := true; end;
            rule \"lead\" isundefined(leader) & votes() > 2 & voted[n] ==> begin leader := n; end;
        end;
        invariant \"nobody leads\" isundefined(leader);";
    let path = temporary("votes.m");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let document = mandala(["check", path, "--json", "-"]).json();
    assert_eq!(document["verdict"], "violated", "{document:#}");
    assert_eq!(document["symmetry"]["order"], "24");
    assert_eq!(document["trace"]["steps"].as_array().map(Vec::len), Some(5));
    let unreduced = mandala(["check", path, "--symmetry", "off", "--json", "-"]).json();
    assert_eq!(unreduced["verdict"], "violated");
}

#[test]
fn an_assertion_inside_a_rule_tells_the_values_that_it_had() {
    let model = "\
type T: 0..3;
var x: T; a: array [0..1] of T;
startstate begin x := 0; for i: 0..1 do a[i] := 0; end; end;
ruleset n: 0..1 do rule \"step\" x < 3 ==> begin
  x := x + 1; a[n] := x;
  CHECK
end; end;
";
    for (check, values) in [
        (
            "assert x != 2 | a[n] = 0 \"two\";",
            "    x    = 2\n    a[0] = 2\n",
        ),
        ("if a[n] > 1 then error \"bad\" end;", "    a[0] = 2\n"),
        ("if x > n then assert x < 2; end;", "    x = 2\n"),
    ] {
        let path = temporary("asserted.m");
        std::fs::write(&path, model.replace("CHECK", check)).unwrap();
        let run = mandala(["check", path.to_str().unwrap()]);
        assert_eq!(run.status, 1, "{run}");
        assert!(run.output.contains(values), "{check}: {run}");
    }
}
