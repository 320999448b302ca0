//! Families of every size, from the outside.

use crate::common::{Run, mandala, temporary};
use std::fs;

/// The path of a bundled model.
fn bundled(file: &str) -> String {
    format!("{}/../../models/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn check(file: &str, more: &[&str]) -> Run {
    let path = bundled(file);
    mandala([&["check", &path], more].concat())
}

const MUTEX: &str = "mutex/mutex.pml";
const COMMIT: &str = "two-phase-commit/two-phase-commit.m";

/// A system of Cubicle: a lock that is taken by one process, or by two.
fn lock(takes: &str) -> String {
    let text = format!(
        "type l = Out | In\nvar Free : bool\narray S[proc] : l\ninit (z) {{ Free = True && S[z] = Out }}\n\
         unsafe (x y) {{ S[x] = In && S[y] = In }}\n\
         transition enter (x) requires {{ S[x] = Out && Free = True }} {{ S[x] := In; Free := {takes}; }}\n\
         transition leave (x) requires {{ S[x] = In }} {{ S[x] := Out; Free := True; }}\n"
    );
    let file = temporary(&format!("lock-{takes}.cub"));
    fs::write(&file, text).expect("a file");
    file.to_str().expect("a path that is text").to_string()
}

#[test]
fn the_status_is_0_only_if_all_that_is_asked_is_decided() {
    let every: &[&str] = &["--every", "N", "-q"];
    let with = |file: &str, more: &[&str]| check(file, &[every, more].concat());
    assert_eq!(with(MUTEX, &["--no-deadlock"]).status, 0);
    let asked = with(MUTEX, &[]);
    assert_eq!(asked.status, 3, "{asked}");
    assert!(asked.output.contains("deadlock is not decided"), "{asked}");
    let some = with(COMMIT, &["--property", "all or nobody"]);
    assert_eq!(some.status, 0, "{some}");
    assert_eq!(with(COMMIT, &["--no-deadlock"]).status, 3);
    assert_eq!(with(MUTEX, &["-D", "BUG=1"]).status, 1);
    let refused = with("mcs-lock/mcs-lock.m", &[]);
    assert_eq!(refused.status, 3, "{refused}");
    assert!(refused.output.contains("mcs-lock.m:69:3"), "{refused}");
}

#[test]
fn the_document_says_what_was_found() {
    let holds = check(MUTEX, &["--every", "N", "--no-deadlock", "--json", "-"]).json();
    let every = &holds["every"];
    assert_eq!(every["answer"], "holds");
    assert_eq!((&every["k"], &every["w"]), (&2.into(), &1.into()));
    assert_eq!(
        (&every["views"], &every["configurations"]),
        (&8.into(), &19.into())
    );
    assert_eq!(every["covered"][0], "assertions");
    assert_eq!(every["searched"].as_array().map(Vec::len), Some(3));
    let refused = check("mcs-lock/mcs-lock.m", &["--every", "N", "--json", "-"]).json();
    assert_eq!(refused["every"]["refused"]["condition"], 2);
    assert_eq!(refused["every"]["refused"]["place"]["line"], 69);
    assert_eq!(refused["every"]["not_covered"][0], "deadlock");
    let sizes = &refused["every"]["searched"];
    let column = |name: &str| [0, 1, 2].map(|size| sizes[size][name].as_u64());
    assert_eq!(column("states"), [Some(4), Some(22), Some(78)]);
    assert_eq!(column("views"), [Some(4), Some(22), Some(111)]);
    assert_eq!(column("executed"), [Some(5), Some(10), Some(10)]);
    assert_eq!(column("statements"), [Some(10); 3]);
}

#[test]
fn sizes_in_which_no_run_begins_are_passed_over() {
    let text = "const N: 3; type P: scalarset(N); var p, q: P; b: boolean;\n\
        ruleset c: P; d: P do startstate begin assume c != d; p := c; q := d; b := false; end; end;\n\
        ruleset c: P do rule c != p & c != q ==> begin b := true; end; end; invariant \"i\" !b;\n";
    let file = temporary("two.m");
    let path = file.to_str().expect("a path that is text");
    let decided = |text: &str| {
        fs::write(&file, text).expect("a file");
        mandala(["check", path, "--every", "N", "--no-deadlock", "-q"])
    };
    let found = decided(text);
    assert!(found.output.contains("with N=3, the smallest"), "{found}");
    let held = decided(&text.replace("b := true", "b := false"));
    assert_eq!(held.status, 0, "{held}");
    let none = decided(&text.replace("assume c != d", "assume c != c"));
    assert_eq!(none.status, 2, "{none}");
}

#[test]
fn a_violation_is_that_of_the_smallest_size_and_replays() {
    let document = temporary("every.json");
    let document = document.to_str().expect("a path that is text");
    let found = check(
        MUTEX,
        &["--every", "N", "-D", "BUG=1", "-q", "--json", document],
    );
    assert_eq!(found.status, 1, "{found}");
    assert!(found.output.contains("with N=2, the smallest"), "{found}");
    let replayed = mandala(["replay", "-q", document]);
    assert_eq!(replayed.status, 0, "{replayed}");
}

#[test]
fn a_system_of_cubicle_is_about_every_number() {
    let right = lock("False");
    let every = mandala(["check", &right, "-q"]);
    assert_eq!(every.status, 0, "{every}");
    assert!(every.output.contains("for every N"), "{every}");
    let three = mandala(["check", &right, "-q", "-D", "N=3"]);
    assert_eq!(three.status, 0, "{three}");
    assert!(!three.output.contains("for every N"), "{three}");
    let wrong = mandala(["check", &lock("True"), "-q"]);
    assert_eq!(wrong.status, 1, "{wrong}");
    assert!(wrong.output.contains("with N=2, the smallest"), "{wrong}");
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let error = |file: &str, more: &[&str], said: &str| {
        let run = check(file, more);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains(said), "{run}");
    };
    error(
        MUTEX,
        &["--every", "N", "-D", "N=3"],
        "leave one of them out",
    );
    error(
        MUTEX,
        &["--every", "N", "--graph", "states.json"],
        "`--graph`",
    );
    error(MUTEX, &["--every", "NOBODY"], "is the size of no scalarset");
    error(COMMIT, &["--every", "M"], "no constant `M`");
    error(MUTEX, &["--every", "N", "--store", "bitstate"], "`--store`");
    error(MUTEX, &["--every", "N", "--keep-going"], "`--keep-going`");
    error(
        "double-cycle/double-cycle.red",
        &["--every", "N"],
        "Promela, Murphi and Cubicle",
    );
    error(
        MUTEX,
        &["--every", "N", "--ltl", "x: [] free", "--property", "x"],
        "none of these is selected",
    );
}

#[test]
fn limits_bound_the_work() {
    let found = check(
        "german/german.m",
        &["--every", "N", "--states", "5000", "--no-deadlock", "-q"],
    );
    assert_eq!(found.status, 3, "{found}");
    let stopped = check(
        "german/german.m",
        &["--every", "N", "--time", "0s", "--no-deadlock", "-q"],
    );
    assert_eq!(stopped.status, 3, "{stopped}");
}

#[test]
fn an_invariant_is_accepted_and_a_corrupted_one_is_not() {
    let processes = (bundled(MUTEX), vec!["--every", "N", "--no-deadlock"]);
    let names = (lock("False"), Vec::new());
    for (number, (model, more)) in [processes, names].into_iter().enumerate() {
        let file = temporary(&format!("family-{number}.inv"));
        let path = file.to_str().expect("a path that is text");
        let found = mandala([&["check", &model, "-q", "--invariant", path], &more[..]].concat());
        assert_eq!(found.status, 0, "{found}");
        let verified = || mandala(["verify-invariant", &model, path]);
        let accepted = verified();
        assert_eq!(accepted.status, 0, "{accepted}");
        assert!(accepted.output.contains("for every N >= 2"), "{accepted}");
        let text = fs::read_to_string(&file).expect("it was written");
        let lines: Vec<&str> = text.lines().collect();
        let head = lines.iter().position(|line| line.starts_with("for all"));
        let head = head.expect("there are views") + 1;
        let mut corrupted: Vec<String> = (head..lines.len())
            .map(|left| [&lines[..left], &lines[left + 1..]].concat().join("\n"))
            .collect();
        let last = lines[lines.len() - 1];
        corrupted.push(text.clone() + &last.replace("== Out", "== In").replace("== s0", "== s1"));
        corrupted.push(text.replace("members 2", "members 1"));
        corrupted.push(text.replacen(" == ", " == no", 1));
        corrupted.push(lines[..head].join("\n"));
        // Values that the cells cannot have.
        for (right, wrong) in [
            ("== s0", "== s999"),
            ("== s0", "== s-1"),
            ("critical == 0", "critical == 70000"),
            ("S[i] == Out", "S[i] == Outside"),
        ] {
            if text.contains(right) {
                corrupted.push(text.replacen(right, wrong, 1));
            }
            if last.contains(right) {
                corrupted.push(text.clone() + &last.replace(right, wrong));
            }
        }
        for wrong in corrupted {
            fs::write(&file, &wrong).expect("a file");
            let rejected = verified();
            assert_eq!(rejected.status, 1, "{rejected}\n{wrong}");
        }
        fs::write(&file, "nothing\n").expect("a file");
        assert_eq!(verified().status, 2);
    }
}

#[test]
fn the_invariant_of_one_model_is_none_of_another() {
    let file = temporary("right.inv");
    let path = file.to_str().expect("a path that is text");
    let right = lock("False");
    assert_eq!(
        mandala(["check", &right, "-q", "--invariant", path]).status,
        0
    );
    let rejected = mandala(["verify-invariant", &lock("True"), path]);
    assert_eq!(rejected.status, 1, "{rejected}");
    let none = check(MUTEX, &["-q", "--invariant", path]);
    assert_eq!(none.status, 2, "{none}");
}
