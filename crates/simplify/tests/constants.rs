//! What never changes, and what can never happen.

use crate::common::{explore, model, same_violations, verified};
use mandala_model::Model;
use mandala_model::expr::{ExprKind, Root};
use mandala_model::ids::GlobalId;
use mandala_model::step::Observers;
use mandala_model::template::{Edge, Step};
use mandala_simplify::replace_constants;

/// The simplified model, in which everything happens as before; with the names of its constants and how much is idle.
#[track_caller]
fn simplified(text: &str) -> (Model, Vec<String>, usize) {
    let before = model(text);
    let simplified =
        verified(replace_constants(&before, &|_| true)).expect("something is constant");
    let nobody = Observers::default();
    same_violations(&before, &simplified.model, nobody);
    let (old, new) = (explore(&before, nobody), explore(&simplified.model, nobody));
    assert_eq!(old.states, new.states);
    let constants = simplified.constants.into_iter().collect();
    (simplified.model, constants, simplified.idle_edges)
}

#[test]
fn variables_that_are_never_assigned_become_numbers() {
    let text = "byte n = 3; byte g; active proctype P() { byte m = 2; do :: g < n -> g = g + m :: else -> break od }";
    let (after, constants, _) = simplified(text);
    assert_eq!(constants, ["P:m", "n"]);
    let shown = after.templates[0].edges.len();
    assert_eq!(shown, model(text).templates[0].edges.len());
}

#[test]
fn a_variable_that_only_a_formula_reads_becomes_a_number() {
    let text = "byte n = 3; byte c = 2; byte g;
        active proctype P() { do :: g < n -> g = g + 1 :: else -> break od } ltl f { [] (g < c) }";
    let (after, constants, _) = simplified(text);
    assert_eq!(constants, ["c", "n"]);
    // The automaton runs with the number.
    let (_, automaton) = after.runnables().last().expect("there is an automaton");
    assert!(automaton.edges.iter().any(reads_only_g));
}

/// Whether the guard of an edge compares `g`, the only global that is left to read, with a number.
fn reads_only_g(edge: &Edge) -> bool {
    let mut read = Vec::new();
    if let Step::Guarded { guard, .. } = &edge.step {
        guard.walk(&mut |e| {
            if let ExprKind::Read(place) = &e.kind {
                read.push(place.root.clone());
            }
        });
    }
    read == [Root::Global(GlobalId(2))]
}

#[test]
fn what_can_never_happen_loses_its_effects_and_so_it_goes_on() {
    // `b` is assigned only where nobody gets, so it is a constant as well.
    let text = "bool debug; byte b; byte g;
        active proctype P() { if :: debug -> b = 1; g = 5 :: else -> g = 1 fi; if :: b == 1 -> assert(false) :: else -> g = 2 fi }";
    let (_, constants, idle) = simplified(text);
    assert_eq!(constants, ["b", "debug"]);
    assert_eq!(idle, 5);
}

#[test]
fn an_else_behind_what_is_always_possible_is_idle() {
    let text = "byte n = 1; byte g; active proctype P() { do :: n == 1 -> g = 1 :: else -> g = 2; assert(false) od }";
    let (_, _, idle) = simplified(text);
    assert!(idle >= 3);
}

#[test]
fn what_fails_still_fails() {
    let text =
        "byte n; byte g; active proctype P() { g = 1 / n } active proctype Q() { g = 8 % n }";
    simplified(text);
    let text = "byte n = 4; byte a[3]; active proctype P() { a[n] = 1 } active proctype Q() { n == 4 && a[n] == 1 }";
    simplified(text);
}

#[test]
fn whoever_may_be_assigned_stays() {
    let unchanged = |text: &str| verified(replace_constants(&model(text), &|_| true)).is_none();
    assert!(unchanged(
        "byte n = 3; active proctype P() { n = 3; n == 3; do :: n > 1 od }"
    ));
    assert!(unchanged(
        "chan q = [1] of { byte }; byte n; active proctype P() { do :: q ! n; q ? n od }"
    ));
    assert!(unchanged(
        "byte a[2] = 1; byte g; active [2] proctype P() { do :: g = a[_pid] od }"
    ));
    assert!(unchanged(
        "byte g; proctype P(byte id) { do :: g = id od } init { run P(3); do :: g = 1 od }"
    ));
}

#[test]
fn the_caller_may_forbid_it() {
    let text =
        "byte n = 3; byte g; active proctype P() { do :: g < n -> g++ :: g >= n -> g = 0 od }";
    assert!(verified(replace_constants(&model(text), &|_| false)).is_none());
}

#[test]
fn variables_of_others_read_as_nothing_when_they_are_gone() {
    let text = "byte g; proctype P() { byte x = 5; g = 1 }
        init { pid p; p = run P(); (g == 1 && _nr_pr == 1) -> assert(P[p]:x == 0) }";
    let before = model(text);
    let after = verified(replace_constants(&before, &|_| true)).map_or(before.clone(), |s| s.model);
    let nobody = Observers::default();
    assert_eq!(
        explore(&before, nobody).violations,
        explore(&after, nobody).violations
    );
}
