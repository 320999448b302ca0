//! Steps that nobody else can see, and those that somebody can although it does not look like it.

use crate::common::{explore, model, same_violations, verified};
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::step::{Observers, Violation};
use mandala_simplify::merge_local_steps;

const NOBODY: Observers = Observers {
    claim: None,
    events: None,
    asked: None,
};

/// The merged model: the same goes wrong in it, and it has fewer states.
#[track_caller]
fn merged(text: &str) -> Model {
    let before = model(text);
    let merged = verified(merge_local_steps(&before, NOBODY)).expect("there are local steps");
    let (more, fewer) = same_violations(&before, &merged.model, NOBODY);
    assert!(fewer < more, "{more} states stay {fewer}");
    merged.model
}

#[track_caller]
fn untouched(text: &str) {
    assert!(verified(merge_local_steps(&model(text), NOBODY)).is_none());
}

#[test]
fn local_steps_are_joined_to_the_step_before() {
    let text = "byte g; active [2] proctype P() { byte x; g = 1; x = 1; x = x + 1; g = x }";
    let after = merged(text);
    let busy = |s: &mandala_model::State| s.processes.iter().all(|p| p.locals[0] != 1);
    assert!(explore(&after, NOBODY).states.iter().all(busy));
}

#[test]
fn a_circle_of_local_steps_is_cut() {
    let text =
        "byte g; active proctype P() { byte i; g = 1; do :: i < 3 -> i++ :: i >= 3 -> i = 0 od }
        active proctype Q() { g == 1; assert(false) }";
    let before = model(text);
    let merged = verified(merge_local_steps(&before, NOBODY)).expect("there are local steps");
    same_violations(&before, &merged.model, NOBODY);
    // A circle of one location cannot be passed through at all.
    untouched("byte g; active proctype P() { bit b; g = 1; do :: b = 1 - b od }");
}

#[test]
fn a_process_that_cannot_go_on_is_seen_there() {
    let text = "byte g; active proctype P() { byte x; g = 1; x = 1; x == 2; g = 3 }
        active proctype Q() { g == 1; g = 2 }";
    let after = merged(text);
    assert!(
        explore(&after, NOBODY)
            .violations
            .contains(&Violation::Deadlock)
    );
}

#[test]
fn a_deadlock_of_a_state_that_is_passed_through_is_found_behind_it() {
    let text = "byte g; active [2] proctype P() { byte x; g++; x = g; x = x + 1; if :: x == 3 -> g == 9 :: else -> skip fi; g == 7 }";
    let before = model(text);
    let merged = verified(merge_local_steps(&before, NOBODY)).expect("there are local steps");
    same_violations(&before, &merged.model, NOBODY);
}

#[test]
fn an_assertion_in_a_merged_step_still_fails() {
    let text = "byte g; active proctype P() { byte x; g = 1; x = 1; assert(x == 2); x = 3; g = 2 }
        active proctype Q() { g == 1; assert(g == 2) }";
    let after = merged(text);
    let failed = explore(&after, NOBODY).violations;
    let assertions = failed
        .iter()
        .filter(|v| matches!(v, Violation::Assertion { .. }));
    assert_eq!(assertions.count(), 2);
}

#[test]
fn a_step_that_may_fail_is_not_merged() {
    let safe = "byte g; active [2] proctype P() { byte x; byte a[2]; g = 1; a[1] = 1; g = 2 }";
    merged(safe);
    untouched(&safe.replace("a[1] = 1", "a[x] = 1"));
    untouched(&safe.replace("a[1] = 1", "x = 1 / x"));
}

/// What is possible only as long as the other process is not ready to receive.
#[test]
fn somebody_notices_that_nobody_is_ready() {
    let text = "byte g; chan c = [0] of { byte };
        active proctype P() { byte x; g = 1; x = x + 1; c ? x }
        active proctype Q() { g == 1; if :: c ! 1 :: else -> g = 2; assert(false) fi }";
    let failing = |text: &str| {
        let before = model(text);
        let after =
            verified(merge_local_steps(&before, NOBODY)).map_or(before.clone(), |m| m.model);
        same_violations(&before, &after, NOBODY);
        let found = explore(&after, NOBODY).violations;
        assert!(
            found
                .iter()
                .any(|v| matches!(v, Violation::Assertion { .. }))
        );
    };
    failing(text);
    let unless = "{ g = 2; assert(false) } unless { c ! 1 }";
    failing(&text.replace("if :: c ! 1 :: else -> g = 2; assert(false) fi", unless));
    // A step that does not lead to a receive does not matter.
    let further = text.replace("x = x + 1; c", "x = 5; x = x + 1; c");
    failing(&further);
    merged(&further);
}

#[test]
fn rendezvous_and_time_outs_go_on_as_before() {
    merged(
        "byte g; chan c = [0] of { byte };
         active [2] proctype P() { byte x; do :: c ? x; x = x + 1; g = x od }
         active proctype Q() { byte y; do :: c ! y; y = 1 - y; y = 1 - y; g = 0 :: timeout -> g = 5 od }",
    );
    merged(
        "byte g; active proctype P() { byte x; g = 1; x = 1; x = 2; g == 3; assert(false) }
         active proctype T() { timeout -> g = 3 }",
    );
}

#[test]
fn atomic_sequences_may_end_in_local_steps() {
    merged(
        "byte g; active [2] proctype P() { byte x; do :: atomic { g < 2 -> g++; x = g }; x = x + 1; x = 0; g-- od }",
    );
}

#[test]
fn whoever_asks_where_processes_are_is_told() {
    let local = "byte x; g = 1; x = 1; L: x = 2; g = 2";
    untouched(&format!(
        "byte g; active proctype P() {{ {local} }} active proctype Q() {{ P@L; g = 3 }}"
    ));
    untouched(&format!(
        "byte g; active proctype P() {{ {local} }} active proctype Q() {{ P:x == 1; g = 3 }}"
    ));
    untouched(&format!(
        "byte g; active proctype P() {{ {local} }} active proctype Q() {{ enabled(0) && g == 1 }}"
    ));
    untouched(&format!(
        "byte g; active proctype P() {{ {local} }} active proctype Q() {{ g = _last }}"
    ));
    untouched(&format!(
        "byte g; active proctype P() priority 2 {{ {local} }} active proctype Q() {{ g = 1 }}"
    ));
    untouched(&format!(
        "byte g; active proctype P() provided (g < 5) {{ {local} }}"
    ));
    let text = format!("byte g; active proctype P() {{ {local} }} never {{ do :: g < 9 od }}");
    let before = model(&text);
    let claim = before
        .templates
        .iter()
        .position(|t| t.role == mandala_model::template::Role::Claim);
    let watched = Observers {
        claim: claim.map(|claim| Claim::Template(claim.into())),
        events: None,
        asked: None,
    };
    assert!(verified(merge_local_steps(&before, watched)).is_none());
    assert!(verified(merge_local_steps(&before, NOBODY)).is_some());
}
