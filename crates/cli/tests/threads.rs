//! Programs with any number of threads, from the outside.

use crate::common::{Run, mandala, model, temporary};

/// The path of a bundled model.
fn bundled(file: &str) -> String {
    format!("{}/../../models/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn run(command: &str, file: &str, more: &[&str]) -> Run {
    let path = bundled(file);
    mandala([&[command, &path], more].concat())
}

const POOL: &str = "thread-pool/thread-pool.bp";
const VISITOR: &str = "third-visitor/third-visitor.bp";

#[test]
fn every_number_of_threads_is_decided() {
    let holds = run("check", POOL, &["--json", "-"]).json();
    assert_eq!(holds["verdict"], "holds");
    assert!(holds["threads"]["at_most"].is_null());
    assert!(holds["threads"].get("smallest").is_none());
    assert_eq!(holds["search"]["engine"], "coverability");
    let violated = run("check", VISITOR, &["--json", "-"]).json();
    assert_eq!(violated["verdict"], "violated");
    assert_eq!(violated["threads"]["smallest"], 4);
    assert_eq!(violated["model"]["threads"]["at_most"], 4);
}

#[test]
fn the_first_line_says_for_how_many_threads() {
    let line = |more: &[&str]| {
        let shown = run("check", POOL, &[&["-q"], more].concat());
        shown.output.replace(&bundled(""), "")
    };
    let every = "✓ holds: safety (for every number of threads)  thread-pool/thread-pool.bp\n";
    assert_eq!(line(&[]), every);
    let two = "✓ holds: safety (with at most 2 threads)  thread-pool/thread-pool.bp\n";
    assert_eq!(line(&["--max-threads", "2"]), two);
}

#[test]
fn a_run_is_made_again_with_as_many_threads() {
    let document = temporary("threads.json");
    let document = document.to_str().expect("a path that is text");
    let found = run("check", VISITOR, &["-q", "--json", document]);
    assert_eq!(found.status, 1, "{found}");
    let replayed = mandala(["replay", "-q", document]);
    assert_eq!(replayed.status, 0, "{replayed}");
    let shown = run(
        "simulate",
        VISITOR,
        &["--max-threads", "4", "--trace", document],
    );
    assert_eq!(shown.status, 1, "{shown}");
    assert!(shown.output.contains("made = thread_4"), "{shown}");
}

#[test]
fn what_must_not_be_reached_can_be_said() {
    let start = ["--target", "1|2,2", "--start", "0/0"];
    let one = run("check", "wake-all/wake-all.tts", &start);
    assert_eq!(one.status, 1, "{one}");
    assert!(
        one.output.contains("with 3 threads, the smallest number"),
        "{one}"
    );
    let label = run("check", VISITOR, &["--target", "VISIT", "--json", "-"]).json();
    assert_eq!(label["threads"]["smallest"], 2);
}

#[test]
fn a_limit_tells_what_was_explored() {
    let limited = run("check", POOL, &["--states", "1"]);
    assert_eq!(
        limited.status, 0,
        "one turn of the searches decides it: {limited}"
    );
    let path = bundled("third-visitor/third-visitor.bp");
    let missing = mandala(["check", &path, "--target", "nowhere"]);
    assert_eq!(missing.status, 2, "{missing}");
    assert!(
        missing
            .errors
            .contains("the program has no label `nowhere`"),
        "{missing}"
    );
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let refused = |file: &str, command: &str, more: &[&str], why: &str| {
        let run = run(command, file, more);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains(why), "{run}");
    };
    let without = "every number of threads is decided without one; add `--max-threads N`";
    for more in [
        vec!["--engine", "symbolic"],
        vec!["--symmetry", "off"],
        vec!["--keep-going"],
        vec!["--no-deadlock"],
        vec!["--property", "safety"],
    ] {
        refused(POOL, "check", &more, without);
    }
    let bounded = "only `mandala check` takes every number of threads";
    for command in ["simulate", "symmetry", "ir"] {
        refused(POOL, command, &[], bounded);
    }
    refused(
        "mutex/mutex.pml",
        "check",
        &["--max-threads", "2"],
        "is read as promela",
    );
    refused(POOL, "check", &["-D", "N=2"], "`-D N=2`");
    refused(POOL, "check", &["--ltl", "[] x"], "`--ltl`");
    refused(
        POOL,
        "check",
        &["--start", "0|0"],
        "starts with its function `main`",
    );
    let symmetric = mandala(["check", &model("symmetric.pml"), "--target", "x"]);
    assert_eq!(symmetric.status, 2, "{symmetric}");
}
