//! The propositions of formulas of computation tree logic: a renaming has to keep every one of them.

use crate::common::load_watched;

const MODEL: &str = "
byte turn;
bool at[3];
active [3] proctype P() {
    do
    :: atomic { !at[_pid] -> at[_pid] = 1 }
    :: atomic { at[_pid] -> at[_pid] = 0; turn++ }
    od
}";

const ALL: &[(&str, &[u32])] = &[("P", &[0, 1, 2])];

#[track_caller]
fn kept(formula: &str) {
    let loaded = load_watched(MODEL, formula);
    if let Err(breaches) = loaded.certify(ALL) {
        panic!("{formula}: {}", loaded.reasons(&breaches));
    }
}

#[track_caller]
fn lost(formula: &str) {
    let loaded = load_watched(MODEL, formula);
    let breaches = loaded.certify(ALL).expect_err(formula);
    let reasons = loaded.reasons(&breaches);
    assert!(reasons.contains("tells process"), "{formula}: {reasons}");
}

#[test]
fn propositions_that_name_nobody_are_kept() {
    kept("AG (turn < 3 -> EF (turn == 0))");
    kept("EF (at[0] + at[1] + at[2] == 3)");
    kept("AG !(at[0] && at[1] && at[2])");
    kept("true");
}

#[test]
fn a_proposition_is_as_large_as_it_can_be() {
    kept(
        "E[(at[0] || at[1] || at[2]) U ((at[0] && at[1] && at[2]) -> turn == 1)] || AX (turn == 1) || true",
    );
    kept("AF ((at[0] <-> at[1]) && (at[1] <-> at[2]) && (at[0] <-> at[2]))");
}

#[test]
fn propositions_that_tell_names_apart_are_lost() {
    lost("AG (at[0] -> EF (turn == 0))");
    lost("EF at[1]");
    lost("EF (at[0] || at[1])");
    // One proposition for each is too many, though they are the same set.
    lost("EF at[0] && EF at[1] && EF at[2]");
}

#[test]
fn the_stabiliser_of_a_proposition_remains() {
    let loaded = load_watched(MODEL, "AG EF at[0]");
    assert!(loaded.certify(&[("P", &[1, 2])]).is_ok());
    assert!(loaded.certify(&[("P", &[0, 1])]).is_err());
}
