//! Proofs of symmetry are written, and checked without anything being searched for again.

use crate::common::{Run, mandala, mandala_reading, model, temporary};
use serde_json::Value;

/// Writes the proof of a model, and gives its path.
fn proved(path: &str, name: &str, more: &[&str]) -> String {
    let file = temporary(name).to_str().unwrap().to_string();
    let run = mandala([&["symmetry", path, "--proof", &file], more].concat());
    assert_eq!(run.status, 0, "{run}");
    file
}

fn verify(path: &str, file: &str) -> Run {
    mandala(["verify-proof", path, file])
}

fn bundled(path: &str) -> String {
    format!("{}/../../models/{path}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn what_is_proven_is_accepted() {
    let paths = [
        ("symmetric.pml", model("symmetric.pml")),
        ("directory.m", bundled("directory/directory.m")),
        ("philosophers.pml", bundled("philosophers/philosophers.pml")),
        ("peterson.pml", bundled("peterson/peterson.pml")),
    ];
    for (name, path) in paths {
        let run = verify(&path, &proved(&path, &format!("{name}.proof"), &[]));
        assert_eq!(run.status, 0, "{run}");
        assert!(run.output.starts_with("✓ accepted"), "{run}");
    }
}

#[test]
fn what_is_trusted_is_named_and_is_another_status() {
    // The addressee is chosen by a loop inside of an atomic sequence.
    let path = bundled("base-station/base-station.pml");
    let run = verify(&path, &proved(&path, "trusted.proof", &[]));
    assert_eq!(run.status, 3, "{run}");
    assert!(run.output.starts_with("? accepted in part"), "{run}");
    let trusted = run.output.lines().filter(|line| line.contains("trusted: "));
    let mut trusted = trusted.filter(|line| line.contains("base-station.pml:"));
    assert!(trusted.next().is_some(), "{run}");
}

#[test]
fn a_model_is_brought_into_the_other_words_that_a_proof_is_about() {
    // Locations that differ in a number, and names that are numbers in a range.
    let text = "
        type Proc: enum { a, b, c };
        var at: array [Proc] of enum { idle, trying, inside };
        startstate for p: Proc do at[p] := idle; end; end;
        ruleset p: Proc do
            rule \"try\" at[p] = idle ==> at[p] := trying; end;
            rule \"enter\" at[p] = trying & (forall q: Proc do at[q] != inside end) ==> at[p] := inside; end;
            rule \"leave\" at[p] = inside ==> at[p] := idle; end;
        end;";
    let names = temporary("names.m").to_str().unwrap().to_string();
    std::fs::write(&names, text).unwrap();
    for (path, name) in [
        (bundled("peterson/peterson-scan.pml"), "scan"),
        (names, "names"),
    ] {
        let run = verify(&path, &proved(&path, &format!("{name}.proof"), &[]));
        assert!(matches!(run.status, 0 | 3), "{run}");
        assert!(run.output.contains("accepted"), "{run}");
    }
}

#[test]
fn a_proof_of_another_model_is_rejected() {
    let file = proved(&model("symmetric.pml"), "other.proof", &[]);
    let run = verify(&bundled("peterson/peterson.pml"), &file);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("it is about another model"), "{run}");
}

#[test]
fn a_proof_that_was_changed_is_rejected() {
    let path = bundled("peterson/peterson.pml");
    let file = proved(&path, "changed.proof", &[]);
    let text = std::fs::read_to_string(&file).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let types = document.pointer_mut("/proofs/0/proof/globals").unwrap();
    let plain = types.to_string().replace("\"p\"", "\"-\"");
    assert_ne!(plain, types.to_string());
    *types = serde_json::from_str(&plain).unwrap();
    std::fs::write(&file, document.to_string()).unwrap();
    let run = verify(&path, &file);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("peterson.pml:"), "{run}");
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    let run = verify(&path, &file);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("it is not a proof of Mandala"), "{run}");
}

#[test]
fn a_proof_goes_to_standard_output_alone() {
    let text = std::fs::read_to_string(model("symmetric.pml")).unwrap();
    let run = mandala_reading(&text, ["symmetry", "-", "--proof", "-"]);
    assert_eq!(run.status, 0, "{run}");
    assert_eq!(run.json()["schema"], "mandala-proof/1");
    let both = ["symmetry", "-", "--proof", "-", "--json", "-"];
    let run = mandala_reading(&text, both);
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains("cannot both go to"), "{run}");
}
