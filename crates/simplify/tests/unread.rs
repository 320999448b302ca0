//! Constants in variables that nobody will read again, and those that somebody may still read.

use crate::common::{explore, model, same_violations, verified};
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_simplify::{DeadCell, Unread, replace_unread};

const NOBODY: Observers = Observers {
    claim: None,
    events: None,
    asked: None,
};

/// The model in which 255 stands where nobody reads.
fn replaced(model: &Model) -> Option<Unread> {
    let nobody = |_: &DeadCell| Some(255);
    verified(replace_unread(model, NOBODY, &nobody))
}

/// The variables that get 255 somewhere; the same goes wrong, and there are as many states.
#[track_caller]
fn names(text: &str) -> Vec<String> {
    let before = model(text);
    match replaced(&before) {
        None => Vec::new(),
        Some(unread) => {
            let (before, after) = same_violations(&before, &unread.model, NOBODY);
            assert_eq!(before, after);
            unread.variables.into_iter().collect()
        }
    }
}

#[test]
fn a_reset_behind_the_last_use_is_another_one() {
    let text = "chan q = [1] of { byte }; byte g;
        active proctype P() { do :: q ! 1 :: q ! 2 od }
        active proctype R() { byte from; do :: atomic { q ? from -> g = from; from = 0 } od }";
    assert_eq!(names(text), ["R:from"]);
}

#[test]
fn what_a_variable_holds_at_first_goes_along() {
    let text = "chan q = [1] of { byte }; byte g;
        active proctype P() { q ! 1; q ! 2 }
        active proctype R() { byte from; do :: atomic { q ? from -> g = from; from = 0 } od }";
    let after = replaced(&model(text)).expect("it is reset").model;
    let states = explore(&after, NOBODY).states;
    let values = states.iter().flat_map(|s| s.processes.get(1));
    let values: std::collections::BTreeSet<i64> = values.map(|r| r.locals[0]).collect();
    assert_eq!(values.into_iter().collect::<Vec<_>>(), [255]);
}

#[test]
fn in_a_routine_the_last_write_counts() {
    let text = "byte g; byte a[3]; active proctype P() { byte k; do
        :: d_step { k = 0; do :: k < 3 -> a[k] = 1 - a[k]; k++ :: else -> break od; k = 0 } od }";
    assert_eq!(names(text), ["P:k"]);
}

#[test]
fn what_somebody_reads_stays() {
    // On the way round.
    let text = "byte g; active proctype P() { byte x; do :: g = x; x = 0; g = 1 :: x = 1 od }";
    assert!(!names(text).contains(&"P:x".to_string()));
    // By a condition that is false elsewhere, by `eval`, and in an assertion.
    let text = "byte g; active proctype P() { byte x = 3; x = 0; if :: g == 1 && x == 0 -> skip :: g == 0 fi }";
    assert!(!names(text).contains(&"P:x".to_string()));
    let text =
        "chan q = [1] of { byte }; active proctype P() { byte x = 2; x = 0; q ! 0; q ? eval(x) }";
    assert!(!names(text).contains(&"P:x".to_string()));
    let text = "active proctype P() { byte x = 2; x = 0; assert(x == 0) }";
    assert!(!names(text).contains(&"P:x".to_string()));
    // By another process.
    let text = "active proctype P() { byte x = 2; x = 0; false } active proctype Q() { assert(P:x != 255) }";
    assert!(!names(text).contains(&"P:x".to_string()));
    // As an index, where something is written.
    let text = "byte a[2]; active proctype P() { byte x = 1; x = 0; a[x] = 1 }";
    assert!(!names(text).contains(&"P:x".to_string()));
}

#[test]
fn elements_of_arrays_and_what_is_given_stay() {
    let text = "byte g; active proctype P() { byte a[2]; do :: a[0] = g; g = a[0]; a[0] = 0 od }";
    assert!(!names(text).contains(&"P:a".to_string()));
    // A parameter may be reset, but not given.
    let text = "byte g; proctype P(byte x) { g = x; x = 0; g = 0 } init { run P(1); run P(2) }";
    let after = replaced(&model(text)).expect("it is reset").model;
    let p = after
        .templates
        .iter()
        .find(|t| t.name == "P")
        .expect("there is one");
    assert_eq!(
        p.locals[0].initial,
        model(text).templates[0].locals[0].initial
    );
}
