//! Symmetry from the outside: `mandala symmetry`, and `mandala check` with every way of using it.

use crate::common::{Run, mandala, model, temporary};

const STRATEGIES: [&str; 15] = [
    "auto",
    "full",
    "sorted",
    "segmented",
    "pc-sorted",
    "pc-segmented",
    "enumerate",
    "enumerate-swaps",
    "vector-swaps",
    "shuffle",
    "minimising-set",
    "local-search",
    "flood",
    "markers",
    "first-met",
];

fn run(command: &str, file: &str, more: &[&str]) -> Run {
    let path = model(file);
    mandala([&[command, &path], more].concat())
}

fn check(file: &str, more: &[&str]) -> Run {
    run("check", file, more)
}

fn symmetry(file: &str, more: &[&str]) -> Run {
    run("symmetry", file, more)
}

#[test]
fn the_group_is_shown_in_the_names_of_the_model() {
    let run = symmetry("symmetric.pml", &["--property", "safety"]);
    assert_eq!(run.status, 0, "{run}");
    insta::assert_snapshot!(run.output.replace(&model(""), "models/"), @r"
    S3, order 6  models/symmetric.pml

    Interchangeable
      user 0..2  processes  found

    Generators
      (user 0 user 1)
      (user 0 user 1 user 2)

    Proof
      types decide 13 of 13 parts of the model
    ");
    assert_eq!(run.errors, "");
}

#[test]
fn the_document_begins_with_its_schema_and_has_the_symmetry() {
    let run = symmetry("symmetric.pml", &["--json", "-"]);
    assert_eq!(run.status, 0, "{run}");
    let start = "{\n  \"schema\": \"mandala-symmetry/1\"";
    assert!(run.output.starts_with(start), "{run}");
    let document = run.json();
    assert_eq!(document["tool"]["name"], "mandala");
    assert_eq!(document["model"]["language"], "promela");
    assert_eq!(document["property"], "safety");
    let symmetry = &document["symmetry"];
    assert_eq!(symmetry["order"], "6");
    assert_eq!(symmetry["structure"], "S3");
    assert_eq!(symmetry["source"], "found");
    assert_eq!(symmetry["generators"][0], "(user 0 user 1)");
    assert_eq!(symmetry["domains"][0]["kind"], "processes");
    assert_eq!(symmetry["domains"][0]["members"][2], "user 2");
}

#[test]
fn the_document_goes_to_a_file_beside_the_text() {
    let file = temporary("symmetry.json");
    let run = symmetry("symmetric.pml", &["--json", file.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.starts_with("S3, order 6"), "{run}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"order\": \"6\""), "{text}");
    let run = mandala(["replay", file.to_str().unwrap()]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("mandala-symmetry/1"), "{run}");
}

#[test]
fn a_part_of_a_family_may_be_interchangeable() {
    let run = symmetry("juniors.pml", &[]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.starts_with("S2, order 2"), "{run}");
    assert!(run.output.contains("(user 0 user 1)"), "{run}");
    let apart = "Not interchangeable: user 0 and user 2: `_pid < 2` tells them apart";
    assert!(run.output.contains(apart), "{run}");
    let pair = "with user 0 and user 2 exchanged";
    assert!(run.output.contains(pair), "{run}");
    let domain = &symmetry("juniors.pml", &["--json", "-"]).json()["symmetry"]["domains"][0];
    assert_eq!(domain["full"], false);
}

#[test]
fn what_tells_processes_apart_is_shown_with_its_line() {
    let run = symmetry("ranked.pml", &[]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.starts_with("no symmetry"), "{run}");
    assert!(run.output.contains("Not interchangeable: user"), "{run}");
    assert!(run.output.contains("ranked.pml:7:"), "{run}");
    let document = symmetry("ranked.pml", &["--json", "-"]).json();
    assert_eq!(document["symmetry"]["order"], "1");
    let refused = &document["symmetry"]["refused"][0];
    assert_eq!(refused["line"], 7);
    let text = refused["pair"]["text"].as_str().unwrap();
    assert!(
        text.contains("in the second") || text.contains("in the first"),
        "{text}"
    );
    assert_eq!(refused["pair"]["exchanged"].as_array().unwrap().len(), 2);
    let file = document["symmetry"]["refused"][0]["file"].as_str().unwrap();
    assert!(file.ends_with("ranked.pml"), "{file}");
}

/// The largest of some values does not depend on the order in which they are looked at, but the text does not show that.
#[test]
fn what_no_states_show_is_not_proven_and_says_what_to_write() {
    let text = "type Node: scalarset(3);
var a: array [Node] of 0..2; best: 0..2;
startstate for n: Node do a[n] := 0; end; best := 0; end;
ruleset n: Node do
  rule \"step\" a[n] < 2 ==> a[n] := a[n] + 1; end;
  rule \"scan\" true ==>
    for m: Node do
      if a[m] > best then best := a[m]; end;
    end;
  end;
end;
";
    let path = temporary("scan.m");
    std::fs::write(&path, text).unwrap();
    let run = mandala(["symmetry", path.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.contains("Not proven: Node: the order"), "{run}");
    assert!(!run.output.contains("Not interchangeable"), "{run}");
    for words in [
        "one iteration writes `best`, which another one reads",
        "instead",
    ] {
        assert!(run.output.contains(words), "{run}");
    }
    assert!(run.output.contains("is written here"), "{run}");
    // With a loop that is no maximum two states show that the order matters.
    let text = text.replace("if a[m] > best then best := a[m]; end;", "best := a[m];");
    std::fs::write(&path, text).unwrap();
    let run = mandala(["symmetry", path.to_str().unwrap()]);
    assert!(run.output.contains("Not interchangeable: Node"), "{run}");
    assert!(run.output.contains("leads where nothing leads"), "{run}");
}

#[test]
fn a_property_that_names_a_process_leaves_a_smaller_group() {
    let run = symmetry("symmetric.pml", &["--json", "-"]);
    let document = run.json();
    let further = document["further"].as_array().unwrap();
    assert_eq!(further.len(), 1, "{run}");
    assert_eq!(further[0]["property"], "first");
    assert_ne!(further[0]["symmetry"]["order"], "6");
    let alone = symmetry("symmetric.pml", &["--property", "first", "--json", "-"]);
    assert_eq!(alone.json()["property"], "first");
    let both = ["order", "generators", "domains", "refused"];
    for field in both {
        let here = &alone.json()["symmetry"][field];
        assert_eq!(*here, further[0]["symmetry"][field], "{field}");
    }
}

/// A model with a declaration beside it, in a file of its own.
fn declared(name: &str, model: &str, declaration: &str) -> String {
    let path = temporary(name);
    std::fs::write(&path, model).unwrap();
    std::fs::write(path.with_extension("sym"), declaration).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn what_is_declared_is_told_with_its_line() {
    let run = symmetry("declared.pml", &["--json", "-"]);
    assert_eq!(run.status, 0, "{run}");
    let document = run.json();
    let domains = document["symmetry"]["domains"].as_array().unwrap();
    let names = domains.iter().find(|d| d["name"] == "ID").unwrap();
    assert_eq!(names["source"], "declared");
    assert_eq!(names["declared"]["line"], 5);
    assert_eq!(names["members"][1], "ID 2");
    assert_eq!(document["symmetry"]["source"], "declared and found");
}

#[test]
fn a_declaration_that_does_not_hold_is_an_error_unless_symmetry_is_off() {
    let text = "byte last;
proctype Client(byte id) { end: do :: last = id :: last < id -> last = 0 od }
init { atomic { run Client(1); run Client(2); run Client(3) } }
";
    let path = declared("unequal.pml", text, "scalarset ID = 1..3: Client.id\n");
    for strategy in STRATEGIES {
        let run = mandala(["check", &path, "--symmetry", strategy, "--json", "-"]);
        assert_eq!(run.status, 2, "{strategy}: {run}");
        assert_eq!(run.json()["error"]["kind"], "model");
        let finding = &run.json()["error"]["findings"][0];
        assert_eq!(finding["place"]["line"], 2, "{run}");
        let message = finding["message"].as_str().unwrap();
        assert!(message.starts_with("`ID` is not symmetric: "), "{run}");
        assert!(run.errors.contains("unequal.sym:1"), "{run}");
    }
    let run = mandala(["symmetry", &path]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("--symmetry off"), "{run}");
    let run = mandala(["check", &path, "--symmetry", "off"]);
    assert_eq!(run.status, 0, "{run}");
    let run = mandala(["check", &path, "--engine", "reference"]);
    assert_eq!(run.status, 0, "{run}");
}

#[test]
fn what_cannot_be_read_or_does_not_exist_is_status_2() {
    let run = symmetry("wrong.pml", &["--json", "-"]);
    assert_eq!(run.status, 2, "{run}");
    assert_eq!(run.json()["schema"], "mandala-symmetry/1");
    assert_eq!(run.json()["error"]["kind"], "model");
    let run = symmetry("symmetric.pml", &["--property", "nonsense"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("no property `nonsense`"), "{run}");
    let run = symmetry("symmetric.pml", &["--json", "/no/such/folder/x.json"]);
    assert_eq!(run.status, 2, "{run}");
    assert_eq!(mandala(["symmetry"]).status, 2);
}

#[test]
fn every_strategy_gives_the_verdict_of_the_unreduced_search() {
    for strategy in STRATEGIES {
        let run = check(
            "symmetric.pml",
            &["--property", "safety", "--symmetry", strategy],
        );
        let expected = if strategy == "markers" { 3 } else { 0 };
        assert_eq!(run.status, expected, "{strategy}: {run}");
        let violated = ["--property", "safety", "-DLIMIT=0", "--symmetry", strategy];
        let run = check("symmetric.pml", &violated);
        assert_eq!(run.status, 1, "{strategy}: {run}");
    }
}

#[test]
fn canonical_strategies_store_one_state_for_each_orbit() {
    let states = |strategy: &str| {
        let options = [
            "--property",
            "safety",
            "--symmetry",
            strategy,
            "--json",
            "-",
        ];
        check("symmetric.pml", &options).json()
    };
    let all = states("off")["stats"]["states"].as_u64().unwrap();
    let orbits = states("auto")["stats"]["states"].as_u64().unwrap();
    assert!(orbits < all && all <= 6 * orbits, "{orbits} of {all}");
    for strategy in STRATEGIES {
        let document = states(strategy);
        let stored = document["stats"]["states"].as_u64().unwrap();
        let symmetry = &document["symmetry"];
        assert_eq!(symmetry["strategy"], strategy);
        assert_eq!(symmetry["order"], "6", "{strategy}");
        match symmetry["guarantee"].as_str().unwrap() {
            "canonical" => {
                assert_eq!(stored, orbits, "{strategy}");
                assert_eq!(symmetry["exact"], true, "{strategy}");
            }
            "several" => {
                assert!((orbits..=all).contains(&stored), "{strategy}: {stored}");
                assert_eq!(symmetry["exact"], false, "{strategy}");
            }
            "may-miss" => {
                assert!(stored <= all, "{strategy}: {stored}");
                assert_eq!(document["coverage"]["complete"], false);
                let reason = document["properties"][0]["reason"].as_str().unwrap();
                assert!(reason.contains("may have been missed"), "{reason}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn the_document_tells_what_finding_representatives_took() {
    let document = check("symmetric.pml", &["--property", "safety", "--json", "-"]).json();
    let symmetry = &document["symmetry"];
    let stored = document["stats"]["states"].as_u64();
    let canonicalising = &symmetry["canonicalising"];
    assert!(canonicalising["states"].as_u64() >= stored, "{symmetry}");
    assert_eq!(canonicalising["not_canonical"], 0);
    // It may be too short for somebody to see where its time goes.
    let is_split = !document["stats"]["split"].is_null();
    assert_eq!(!canonicalising["seconds"].is_null(), is_split, "{document}");
    let share = canonicalising["share"].as_f64();
    assert_eq!(share.is_some(), is_split, "{document}");
    assert!((0.0..=1.0).contains(&share.unwrap_or(0.0)), "{share:?}");
    assert_eq!(symmetry["expand"], "representatives");
    assert_eq!(symmetry["bound"], "6");
    let flood = ["--property", "safety", "--symmetry", "flood", "--json", "-"];
    let flood = check("symmetric.pml", &flood).json();
    assert!(flood["symmetry"]["images"].as_u64() > stored, "{flood}");
    let achieved = flood["symmetry"]["achieved"].as_f64().unwrap();
    assert!(achieved > 1.0 && achieved <= 6.0, "{achieved}");
}

#[test]
fn originals_can_be_expanded_in_place_of_representatives() {
    for strategy in STRATEGIES {
        let options = [
            "--property",
            "safety",
            "--symmetry",
            strategy,
            "--json",
            "-",
        ];
        let usual = check("symmetric.pml", &options);
        let other = check(
            "symmetric.pml",
            &[&options[..], &["--expand", "originals"]].concat(),
        );
        assert_eq!(usual.status, other.status, "{strategy}: {other}");
        assert_eq!(other.json()["symmetry"]["expand"], "originals");
        if other.json()["symmetry"]["guarantee"] == "canonical" {
            assert_eq!(
                usual.json()["stats"]["states"],
                other.json()["stats"]["states"]
            );
        }
    }
}

#[test]
fn a_main_array_can_be_named() {
    for strategy in ["sorted", "segmented"] {
        let options = [
            "--property",
            "safety",
            "--symmetry",
            strategy,
            "--main-array",
            "seen",
        ];
        let run = check("symmetric.pml", &[&options[..], &["--json", "-"]].concat());
        assert_eq!(run.status, 0, "{run}");
        assert_eq!(run.json()["symmetry"]["main_array"], "seen");
    }
}

#[test]
fn a_strategy_without_a_symmetry_is_no_error_and_says_why() {
    for strategy in STRATEGIES {
        let run = check("ranked.pml", &["--symmetry", strategy]);
        assert_eq!(run.status, 0, "{strategy}: {run}");
        assert!(
            run.output.contains(&format!("Symmetry ({strategy})")),
            "{run}"
        );
        assert!(run.output.contains("nothing is reduced"), "{run}");
        assert!(run.output.contains("line 7"), "{run}");
    }
    let off = check("ranked.pml", &["--symmetry", "off"]);
    assert!(!off.output.contains("Symmetry"), "{off}");
    let document = check("ranked.pml", &["--json", "-"]).json();
    assert_eq!(document["symmetry"]["strategy"], "auto");
    assert_eq!(document["symmetry"]["order"], "1");
    assert_eq!(document["symmetry"]["exact"], true);
    assert!(document["symmetry"]["expand"].is_null());
}

#[test]
fn combinations_that_make_no_sense_are_refused_by_name() {
    let wrong: [(&[&str], &str); 9] = [
        (&["--main-array", "seen"], "`--symmetry auto` does not sort"),
        (
            &["--symmetry", "off", "--main-array", "seen"],
            "`--main-array`",
        ),
        (
            &["--symmetry", "pc-sorted", "--main-array", "seen"],
            "`--symmetry pc-sorted`",
        ),
        (
            &["--symmetry", "sorted", "--main-array", "inside"],
            "no array `inside`",
        ),
        (
            &["--symmetry", "sorted", "--main-array", "nonsense"],
            "it has `seen`",
        ),
        (
            &["--symmetry", "off", "--expand", "originals"],
            "`--symmetry off`",
        ),
        (
            &["--engine", "reference", "--symmetry", "full"],
            "`--engine reference`",
        ),
        (
            &["--engine", "reference", "--expand", "originals"],
            "`--engine reference`",
        ),
        (
            &[
                "--engine",
                "reference",
                "--symmetry",
                "off",
                "--expand",
                "originals",
            ],
            "`--expand`",
        ),
    ];
    for (options, words) in wrong {
        let run = check("symmetric.pml", options);
        assert_eq!(run.status, 2, "{options:?}: {run}");
        assert!(run.errors.contains(words), "{options:?}: {run}");
        assert_eq!(run.output, "", "{options:?}");
    }
    let run = check(
        "symmetric.pml",
        &["--engine", "reference", "--property", "safety"],
    );
    assert_eq!(run.status, 0, "{run}");
    let right = ["--expand", "representatives", "--property", "safety"];
    assert_eq!(check("symmetric.pml", &right).status, 0);
}

#[test]
fn counterexamples_are_runs_of_the_model_whatever_the_strategy() {
    for strategy in STRATEGIES {
        for order in ["bfs", "dfs"] {
            for expand in ["representatives", "originals"] {
                let file = temporary(&format!("symmetry-{strategy}-{order}-{expand}.json"));
                let path = file.to_str().unwrap();
                let options = [
                    "-DLIMIT=0",
                    "--property",
                    "safety",
                    "--symmetry",
                    strategy,
                    "--search",
                    order,
                    "--expand",
                    expand,
                    "--json",
                    path,
                    "--quiet",
                ];
                let run = check("symmetric.pml", &options);
                assert_eq!(run.status, 1, "{strategy} {order} {expand}: {run}");
                let replayed = mandala(["replay", path, "--quiet"]);
                assert_eq!(
                    replayed.status, 0,
                    "{strategy} {order} {expand}: {replayed}"
                );
            }
        }
    }
}

#[test]
fn help_lists_every_strategy_with_what_it_promises() {
    let run = mandala(["check", "--help"]);
    assert_eq!(run.status, 0, "{run}");
    for strategy in STRATEGIES {
        assert!(
            run.output.contains(&format!("- {strategy}")),
            "{strategy}: {run}"
        );
    }
    for promise in ["canonical:", "may keep several:", "may miss violations:"] {
        assert!(run.output.contains(promise), "{promise}: {run}");
    }
}

#[test]
fn the_factor_of_the_budgets_is_part_of_the_document() {
    let run = symmetry("symmetric.pml", &["--json", "-"]);
    let usual = run.json();
    assert_eq!(usual["symmetry"]["detection"]["proof_effort"], 1);
    let more = ["--json", "-", "--proof-effort", "3"];
    for run in [
        symmetry("symmetric.pml", &more),
        check("symmetric.pml", &more),
    ] {
        let document = run.json();
        let detection = &document["symmetry"]["detection"];
        assert_eq!(detection["proof_effort"], 3, "{run}");
        assert_eq!(detection["complete"], true, "{run}");
        assert!(detection["ended_at"].is_null(), "{run}");
        assert!(detection["steps"].as_u64().is_some_and(|s| s > 0), "{run}");
        assert_eq!(document["symmetry"]["order"], usual["symmetry"]["order"]);
    }
    for wrong in ["0", "-1", "much"] {
        let run = symmetry("symmetric.pml", &["--proof-effort", wrong]);
        assert_eq!(run.status, 2, "{run}");
    }
}
