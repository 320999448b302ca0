//! Properties that are stated on the command line.

use crate::common::{Run, mandala, model, temporary};

fn check(more: &[&str]) -> Run {
    let path = model("mailbox.pml");
    mandala([&["check", &path], more].concat())
}

/// The names, kinds and verdicts of what was checked.
fn verdicts(more: &[&str]) -> Vec<String> {
    let run = check(&[more, &["--json", "-"]].concat());
    let document = run.json();
    let properties = document["properties"].as_array();
    let properties = properties.unwrap_or_else(|| panic!("{run}")).iter();
    let words = |p: &serde_json::Value| {
        let word = |field: &str| p[field].as_str().unwrap().to_string();
        [word("name"), word("kind"), word("verdict")].join(" ")
    };
    properties.map(words).collect()
}

#[test]
fn a_formula_is_checked_as_if_it_stood_in_the_model() {
    for (formula, verdict) in [
        ("[] (len(box) <= 1)", "violated"),
        ("[] (len(box) <= 2)", "holds"),
        ("[] !(FILLED)", "violated"),
        ("[] (nfull(box))", "violated"),
        ("[] (full(box) -> len(box) == 2)", "holds"),
        ("empty(box) W nempty(box)", "holds"),
        ("[] !full(box)", "violated"),
        ("[] !(Sender[1]@want && Sender[2]@want)", "violated"),
        ("[] (Sender[2]:sent <= 1)", "holds"),
        ("always (Sender:letter != 3)", "holds"),
        ("(len(box) == 0) U (len(box) == 1)", "holds"),
        ("<> (Sender[1]:sent == 2)", "violated"),
        ("(len(box) == 0) W (len(box) == 1)", "holds"),
        ("(len(box) == 1) V (len(box) <= 1)", "holds"),
    ] {
        let expected = [format!("p ltl {verdict}")];
        let formula = format!("p: {formula}");
        let alone = ["--ltl", &formula, "--property", "p"];
        assert_eq!(verdicts(&alone), expected);
        assert_eq!(verdicts(&[&alone[..], &["--por", "on"]].concat()), expected);
    }
}

#[test]
fn names_go_on_where_the_model_ends() {
    let two = ["--ltl", "[] (len(box) < 3)", "--ltl", "[] (len(box) < 4)"];
    let all = [
        "safety safety holds",
        "first ltl violated",
        "ltl_1 ltl holds",
        "ltl_2 ltl holds",
    ];
    assert_eq!(verdicts(&[&two[..], &["--keep-going"]].concat()), all);
    let chosen = ["--property", "ltl_2", "--property", "ltl_1"];
    assert_eq!(verdicts(&[&two[..], &chosen].concat()), &all[2..]);
    let run = check(&["--ltl", "first: [] (len(box) < 3)"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("a second property `first`"), "{run}");
}

/// A counter with an assertion that fails, and a formula that holds.
fn counter(name: &str) -> String {
    let path = temporary(&format!("stated-{name}.pml"));
    let text = "byte x;\n\
        active proctype P() { do :: x < 3 -> x++ :: else -> break od; assert(x < 3) }\n\
        ltl good { [] (x < 9) }\n";
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn what_the_command_line_states_is_added_to_the_model() {
    let run = mandala(["check", &counter("added"), "--ltl", "a: [] (x < 4)"]);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("an assertion failed"), "{run}");
    let run = mandala([
        "check",
        &counter("added"),
        "--ltl",
        "a: [] (x < 4)",
        "--keep-going",
        "-q",
    ]);
    assert_eq!(run.status, 1, "{run}");
    assert!(
        run.output
            .starts_with("✗ violated: safety (1 of 3 properties)  "),
        "{run}"
    );
}

#[test]
fn what_is_stated_and_not_selected_is_an_error() {
    let path = counter("selected");
    let stated = [
        "check",
        &path,
        "--property",
        "good",
        "--ltl",
        "b: [] (x < 2)",
    ];
    let run = mandala(stated);
    assert_eq!(run.status, 2, "{run}");
    let words = "`b` is stated on the command line and not selected by `--property good`: add `--property b`";
    assert!(run.errors.contains(words), "{run}");
    assert_eq!(run.output, "", "{run}");
    let both = [&stated[..], &["--property", "b"]].concat();
    assert_eq!(mandala(both).status, 1);
    let more = ["--ctl", "EF (x == 3)", "--non-progress", "--json", "-"];
    let run = mandala([&stated[..], &more].concat());
    assert_eq!(run.json()["error"]["kind"], "command");
    assert!(
        run.errors
            .contains("`b`, `ctl_0`, `non-progress` are stated"),
        "{run}"
    );
    let run = mandala([
        "symmetry",
        &path,
        "--property",
        "good",
        "--ltl",
        "b: [] (x < 2)",
    ]);
    assert_eq!(run.status, 2, "{run}");
}

#[test]
fn the_first_line_says_what_is_covered() {
    let path = counter("covered");
    for (options, line) in [
        (
            &["--property", "good"][..],
            "✓ holds: good (not selected: assertions, deadlock)  ",
        ),
        (
            &[
                "--property",
                "good",
                "--property",
                "a",
                "--ltl",
                "a: [] (x < 4)",
            ],
            "✓ holds: 2 properties (not selected: assertions, deadlock)  ",
        ),
        (
            &["--property", "safety"],
            "✗ violated: safety (not selected: good)  ",
        ),
        (
            &["--no-deadlock"],
            "✗ violated: safety (1 of 2 properties; not selected: deadlock)  ",
        ),
        (
            &[
                "--keep-going",
                "--ltl",
                "a: [] (x < 2)",
                "--ltl",
                "b: [] (x < 1)",
            ],
            "✗ violated: 3 of 4 properties  ",
        ),
        (&["--states", "2"], "? unknown: 2 properties  "),
        (
            &["--states", "2", "--property", "safety"],
            "? unknown: safety (not selected: good)  ",
        ),
        (
            &["--property", "d", "--ltl", "d: [] (x < 4)", "--no-deadlock"],
            "✓ holds: d (not selected: assertions, deadlock, good)  ",
        ),
    ] {
        let run = mandala([&["check", &path, "-q"], options].concat());
        assert!(run.output.starts_with(line), "{line}: {run}");
        assert_eq!(run.output.lines().count(), 1, "{run}");
    }
    let document = mandala(["check", &path, "--property", "good", "--json", "-"]).json();
    let left = serde_json::json!([
        { "id": "safety", "name": "assertions" },
        { "id": "safety", "name": "deadlock" },
    ]);
    assert_eq!(document["not_selected"], left);
}

#[test]
fn the_earlier_name_of_non_progress_is_an_error_that_says_so() {
    for command in ["check", "symmetry", "ir"] {
        let run = mandala([command, &counter("earlier"), "--progress"]);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains("`--non-progress`"), "{run}");
    }
    let help = mandala(["check", "--help"]).output;
    assert!(help.contains("--non-progress"), "{help}");
    let help = help.replace("--progress-json", "");
    assert!(!help.contains("--progress"), "{help}");
}

#[test]
fn mistakes_are_shown_in_the_formula() {
    for (formula, words) in [
        ("[] (len(box) <= )", "expected an expression"),
        ("[] (len(box) <= bound)", "`bound`"),
        ("[] Sender[1]@wants", "`Sender` has no label `wants`"),
        (
            "[] (1) } init { skip",
            "expected an operator or the end of the formula",
        ),
        ("", "found the end of the formula"),
        ("len(box) = 1", "write `==`"),
        ("G F len(box) == 1", "`F p` is `<> p`"),
    ] {
        let run = check(&["--ltl", formula]);
        assert_eq!(run.status, 2, "{formula}: {run}");
        let shown = run.errors.contains("--ltl:1:") && run.errors.contains(words);
        assert!(shown && run.errors.contains(formula), "{formula}: {run}");
    }
    let run = check(&["--ltl", "safety: [] 1"]);
    assert!(
        run.status == 2 && run.errors.contains("choose another name"),
        "{run}"
    );
}

#[test]
fn a_trace_is_replayed_with_the_formula_that_it_violates() {
    let trace = temporary("stated-trace.json");
    let path = trace.to_str().unwrap();
    let run = check(&["--ltl", "few: [] (len(box) <= 1)", "--json", path]);
    assert_eq!(run.status, 1, "{run}");
    let replayed = mandala(["replay", path]);
    assert_eq!(replayed.status, 0, "{replayed}");
    let document = std::fs::read_to_string(path).unwrap();
    let broken = document.replace("\"form\": \"ltl\"", "\"form\": \"verse\"");
    assert_ne!(document, broken);
    std::fs::write(path, broken).unwrap();
    let refused = mandala(["replay", path]);
    assert!(
        refused.status == 2 && refused.errors.contains("`verse`"),
        "{refused}"
    );
}

#[test]
fn a_search_is_resumed_with_its_formula() {
    let folder = temporary("stated-checkpoint");
    let _ = std::fs::remove_dir_all(&folder);
    let path = folder.to_str().unwrap();
    let walkers = model("walkers.pml");
    let stopped = mandala([
        "check",
        &walkers,
        "--ltl",
        "here: [] (_nr_pr > 0)",
        "--property",
        "here",
        "--checkpoint",
        path,
        "--time",
        "1ms",
    ]);
    assert_eq!(stopped.status, 3, "{stopped}");
    let resumed = mandala(["resume", path, "--time", "600s", "--json", "-"]);
    assert_eq!(resumed.status, 0, "{resumed}");
    assert_eq!(resumed.json()["properties"][0]["name"], "here");
}

/// Writes an automaton for the mailbox that accepts where its proposition holds for ever.
fn automaton(name: &str, proposition: &str) -> String {
    let path = temporary(name);
    let text = format!(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"{proposition}\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
         State: 0 [t] 0 [0] 1\nState: 1 {{0}} [0] 1\n--END--\n"
    );
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn an_automaton_is_a_never_claim() {
    let path = automaton("filled.hoa", "FILLED && Sender[1]:sent == 1");
    let mailbox = model("mailbox.pml");
    let run = mandala(["ir", &mailbox, "--automaton", &path]);
    for line in [
        " = len(box) == 2 && Sender[1]::sent == 1\n",
        "property filled automaton",
        "  state accept_S1 accepting\n",
    ] {
        assert!(run.output.contains(line), "{line}: {run}");
    }
    let filled = ["--automaton", &path, "--property", "filled"];
    assert_eq!(verdicts(&filled), ["filled never holds"]);
    let stays = automaton("stays.hoa", "FILLED && nempty(box)");
    let stays = ["--automaton", &stays, "--property", "stays"];
    assert_eq!(verdicts(&stays), ["stays never violated"]);
    let listed = check(&["--automaton", &path, "--property", "none"]);
    assert!(listed.errors.contains("`first`, `filled`"), "{listed}");
    let unnamed = automaton("2 filled.hoa", "FILLED");
    let listed = check(&["--automaton", &unnamed, "--property", "none"]);
    assert!(listed.errors.contains("`automaton_0`"), "{listed}");
}

#[test]
fn mistakes_are_shown_in_the_automaton() {
    for (proposition, words) in [
        ("len(box) >", "found the end of the proposition"),
        ("filed", "`filed`"),
        ("x\" \"y", "`AP:` has 2 names"),
    ] {
        let path = automaton("mistaken.hoa", proposition);
        let run = check(&["--automaton", &path]);
        assert_eq!(run.status, 2, "{run}");
        let shown = run.errors.contains("mistaken.hoa:") && run.errors.contains(words);
        assert!(shown, "{run}");
    }
    let run = check(&["--automaton", "no-such-file.hoa"]);
    assert!(
        run.status == 2 && run.errors.contains("no-such-file.hoa"),
        "{run}"
    );
}

#[test]
fn each_kind_is_decided_under_its_name() {
    for (options, name) in [
        (&["--ctl", "back: AG EF (len(box) == 0)"][..], "back"),
        (&["--possible", "len(box) == 2"], "possible_0"),
        (&["--always-possible", "len(box) == 2"], "always_possible_0"),
        (&["--non-progress"], "non-progress"),
        (&["--accept"], "accept"),
    ] {
        let run = check(&[options, &["--property", name, "--json", "-"]].concat());
        assert!(run.status < 2, "{run}");
        let properties = run.json()["properties"].clone();
        assert_eq!(properties.as_array().unwrap().len(), 1, "{run}");
        assert_eq!(properties[0]["name"], name, "{run}");
        let all = check(&[options, &["--json", "-"]].concat()).json();
        assert_eq!(all["properties"].as_array().unwrap().len(), 3, "{run}");
    }
    let run = mandala(["ir", &model("mailbox.pml"), "--non-progress"]);
    assert!(
        run.output
            .contains("property `non-progress` non-progress  //"),
        "{run}"
    );
    assert!(run.output.contains(" = non_progress()\n"), "{run}");
}

#[test]
fn other_commands_know_them_too() {
    let path = model("mailbox.pml");
    let run = mandala(["ir", &path, "--ltl", "few: [] (len(box) <= 1)"]);
    assert!(run.output.contains("property few ltl"), "{run}");
    let run = mandala(["symmetry", &path, "--ltl", "few: [] (len(box) <= 1)"]);
    assert_eq!(run.status, 0, "{run}");
}

#[test]
fn a_trail_is_about_the_model_alone() {
    let run = check(&["--ltl", "[] 1", "--trail", "-"]);
    assert!(run.status == 2 && run.errors.contains("`--trail`"), "{run}");
}

#[test]
fn what_is_possible_in_murphi_is_a_property_of_the_language() {
    let path = model("rules.m");
    let run = mandala(["check", &path, "--accept"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors.contains("`--accept` is for Promela models"),
        "{run}"
    );
    for (options, kind, status) in [
        (["--possible", "next = 7"], "cover", 0),
        (["--possible", "next = 8 & false"], "cover", 1),
        (["--always-possible", "next = 5"], "reachable", 0),
        (["--possible", "nxt = 7"], "", 2),
    ] {
        let run = mandala(["check", &path, "--json", "-", options[0], options[1]]);
        assert_eq!(run.status, status, "{run}");
        let properties = run.json()["properties"].as_array().cloned();
        let last = properties.and_then(|all| all.last().map(|p| p["kind"].clone()));
        assert_eq!(last.unwrap_or("".into()), kind, "{run}");
    }
    let stays = ["--always-possible", "next = 5", "--por", "on"];
    let run = mandala([&["check", &path], &stays[..]].concat());
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("the liveness property"), "{run}");
}
