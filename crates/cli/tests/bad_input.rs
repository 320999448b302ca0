//! Input that is no model: a clear error and status 2, never a panic.

use crate::common::{Run, mandala, model, temporary};

fn check_bytes(name: &str, bytes: &[u8]) -> Run {
    let path = temporary(name);
    std::fs::write(&path, bytes).unwrap();
    mandala(["check", path.to_str().unwrap()])
}

fn refused(run: &Run) {
    assert_eq!(run.status, 2, "{run}");
    assert_eq!(run.output, "", "{run}");
    assert!(!run.errors.is_empty(), "{run}");
    assert!(!run.errors.contains("internal error"), "{run}");
    assert!(!run.errors.contains("panicked"), "{run}");
}

#[test]
fn several_errors_are_shown_with_their_places() {
    let run = mandala(["check", &model("wrong.pml")]);
    refused(&run);
    for place in ["wrong.pml:2:", "wrong.pml:5:", "wrong.pml:6:"] {
        assert!(run.errors.contains(place), "{place}: {run}");
    }
    assert!(run.errors.contains("3 errors"), "{run}");
}

#[test]
fn files_that_cannot_be_read() {
    let run = mandala(["check", "/no/such/model.pml"]);
    refused(&run);
    assert!(run.errors.contains("/no/such/model.pml"), "{run}");
    let run = mandala(["check", &model("")]);
    refused(&run);
    assert!(run.errors.contains("directory"), "{run}");
    refused(&mandala(["ir", "/no/such/model.pml"]));
    refused(&mandala(["simulate", "/no/such/model.pml"]));
}

#[test]
fn noise() {
    // A linear congruential generator: the same noise every time.
    let mut seed: u32 = 1;
    let mut noise = |length: usize| -> Vec<u8> {
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        (0..length).map(|_| next()).collect()
    };
    for length in [1, 10, 100, 1000, 10_000, 1_000_000] {
        refused(&check_bytes("noise.pml", &noise(length)));
    }
}

#[test]
fn truncated_models() {
    let text = std::fs::read(model("deadlock.pml")).unwrap();
    for end in (60..text.len()).step_by(37) {
        let run = check_bytes("truncated.pml", &text[..end]);
        assert!([0, 1, 2].contains(&run.status), "{end}: {run}");
        assert!(!run.errors.contains("internal error"), "{end}: {run}");
    }
}

#[test]
fn endless_nesting() {
    for (open, close) in [("(", ")"), ("{", "}"), ("if :: ", " fi"), ("-", "")] {
        let nested = format!(
            "active proctype P() {{ int x; x = {}1{} }}",
            open.repeat(50_000),
            close.repeat(50_000)
        );
        refused(&check_bytes("nested.pml", nested.as_bytes()));
    }
}

#[test]
fn text_that_plays_with_the_terminal() {
    let run = check_bytes("escape.pml", b"\x1b[2J\x1b]0;title\x07 byte x = ;\n");
    refused(&run);
    assert!(!run.errors.contains('\x1b'), "{run}");
}

#[test]
fn a_model_without_a_command_is_answered_with_one() {
    let run = mandala(["lock.pml"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors.contains("tip: `mandala check lock.pml`"),
        "{run}"
    );
    let run = mandala(["lock"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(!run.errors.contains("mandala check lock"), "{run}");
}
