//! Variables that nobody will read again, and those that somebody may still read although it does not look like it.

use crate::common::{explore, model, same_violations, verified};
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::ids::PropertyId;
use mandala_model::property::PropertyKind;
use mandala_model::step::Observers;
use mandala_model::template::Edge;
use mandala_simplify::{Resets, reset_dead};

const NOBODY: Observers = Observers {
    claim: None,
    events: None,
    asked: None,
};

/// The model with all cells at their first values where they are dead.
fn reset(model: &Model, observers: Observers) -> Option<Resets> {
    verified(reset_dead(model, observers, &mut |cell| {
        Some(cell.initial.unwrap_or(0))
    }))
}

/// The names of what is reset; nothing else changes, and there are no more states than before.
#[track_caller]
fn reset_names(text: &str) -> Vec<String> {
    let model = model(text);
    match reset(&model, NOBODY) {
        None => Vec::new(),
        Some(resets) => {
            same_violations(&model, &resets.model, NOBODY);
            resets.variables.into_iter().collect()
        }
    }
}

#[track_caller]
fn shrinks(text: &str) {
    let model = model(text);
    let resets = reset(&model, NOBODY).expect("something is dead");
    let (before, after) = same_violations(&model, &resets.model, NOBODY);
    assert!(after < before, "{before} states stay {after}");
}

const LOOP: &str = "byte g; active proctype P() { byte x;
    do :: g = (g + 1) % 4; x = g; g = (x + 1) % 4 od }
    active proctype Q() { g == 7 }";

#[test]
fn a_variable_is_dead_after_its_last_use() {
    assert_eq!(reset_names(LOOP), ["P:x"]);
    let text = "byte g; active proctype P() { byte x; do
        :: if :: x = 1 :: x = 2 :: x = 3 fi; g = x; g = 0 od }
        active proctype Q() { assert(g < 4) }";
    shrinks(text);
}

#[test]
fn behind_messages_and_else_it_is_reset_on_a_landing() {
    let text = "chan q = [1] of { byte }; byte g;
        active proctype P() { byte x; do :: if :: x = 1 :: x = 2 fi; q ! x; g = 1 - g od }
        active proctype R() { byte y; do :: q ? y; g = y; if :: y == 9 -> skip :: else -> g = 0 fi; skip od }";
    let before = model(text);
    let resets = reset(&before, NOBODY).expect("something is dead");
    assert_eq!(resets.variables.iter().collect::<Vec<_>>(), ["P:x", "R:y"]);
    let (more, fewer) = same_violations(&before, &resets.model, NOBODY);
    assert!(fewer < more);
    for (old, new) in before.templates.iter().zip(&resets.model.templates) {
        let same = |(old, new): (&Edge, &Edge)| old.text == new.text && old.source == new.source;
        assert!(old.edges.iter().zip(&new.edges).all(same), "edges move");
        assert!(new.locations.len() > old.locations.len());
    }
}

#[test]
fn somebody_else_may_read_it() {
    // Through a remote reference.
    let text = "byte g; active proctype P() { byte x; x = 3; g = 1; g = 2; g = 3 }
        active proctype Q() { g == 2; assert(P:x == 3) }";
    assert!(reset_names(text).is_empty());
    // A global that two processes use.
    let text =
        "byte g; active proctype P() { g = 1; g = 2 } active proctype Q() { assert(g != 2) }";
    assert!(reset_names(text).is_empty());
}

#[test]
fn eval_is_a_read() {
    let text = "chan q = [1] of { byte }; byte g;
        active proctype P() { byte x; x = 3; g = 1; q ! 3; g = 2; q ? eval(x); x = 1 }";
    let before = model(text);
    let resets = reset(&before, NOBODY).expect("x is dead at the end");
    same_violations(&before, &resets.model, NOBODY);
    let deadlocks = explore(&resets.model, NOBODY).violations.len();
    assert_eq!(deadlocks, 0, "x must still be 3 at the receive");
}

#[test]
fn a_channel_that_a_variable_refers_to_is_read_through_it() {
    let text = "chan q = [2] of { byte }; chan r = [2] of { byte }; byte g;
        active proctype P() { chan c; byte i;
            if :: c = q :: c = r fi; g = 1; g = 2; c ! 1; g = 3;
            do :: i < 3 -> i++ :: else -> break od; g = 4 }";
    let before = model(text);
    let resets = reset(&before, NOBODY).expect("c is dead at the end");
    assert!(resets.variables.contains("P:c"));
    same_violations(&before, &resets.model, NOBODY);
}

#[test]
fn what_is_read_inside_atomic_and_d_step_is_read() {
    let text = "byte g; active proctype P() { byte x; byte y;
        x = 2; g = 1; atomic { g = x; y = g; g = y }; g = 0; d_step { y = 1; x = y; assert(x == 1) }; g = 7 }
        active proctype Q() { g == 7 }";
    assert_eq!(reset_names(text), ["P:x", "P:y"]);
    // A routine that reads before it writes keeps it alive.
    let text = "byte g; active proctype P() { byte x; x = 2; g = 1;
        d_step { if :: x == 2 -> g = 5 :: else -> assert(false) fi; x = 0 }; g = g + 1 }";
    let before = model(text);
    let after = reset(&before, NOBODY).map_or(before.clone(), |r| r.model);
    same_violations(&before, &after, NOBODY);
    assert!(explore(&after, NOBODY).violations.is_empty());
}

#[test]
fn arguments_of_printf_and_assertions_are_reads() {
    // An index out of range is an error, also in a text.
    let text = "byte a[2]; byte g; active proctype P() { byte x = 7; x = 1; g = 1; printf(\"%d\", a[x]); g = g + 1 }
        active proctype Q() { a[0] = g }";
    let before = model(text);
    let after = reset(&before, NOBODY).expect("x is dead at the end").model;
    same_violations(&before, &after, NOBODY);
    assert!(explore(&after, NOBODY).violations.is_empty());
    let text = "byte g; active proctype P() { byte x; x = 1; g = 1; assert(x == 1); g = g + 1 }";
    assert!(
        explore(&reset(&model(text), NOBODY).expect("dead").model, NOBODY)
            .violations
            .is_empty()
    );
}

#[test]
fn elements_count_one_by_one_and_unknown_ones_all_at_once() {
    let text = "byte g; active proctype P() { byte a[3]; byte i;
        a[0] = 1; a[1] = 2; a[2] = 3; i = 1; g = a[0]; g = 9; assert(a[i] == 2); i = 0; g = g + 1 }
        active proctype Q() { end: g == 90 }";
    let before = model(text);
    let after = reset(&before, NOBODY)
        .expect("all is dead at the end")
        .model;
    same_violations(&before, &after, NOBODY);
    assert!(explore(&after, NOBODY).violations.is_empty());
}

#[test]
fn what_never_changes_is_left_alone() {
    let text = "byte g; proctype P(byte id) { byte x = 4; g = id + x; g = 0; g = 1 }
        init { atomic { run P(1); run P(2) } }";
    assert!(reset_names(text).is_empty());
}

#[test]
fn a_global_of_one_process_alone_is_like_a_local_unless_a_claim_reads_it() {
    let text = "byte g; byte t; active proctype P() { do :: t = 1; g = t; g = 2 :: t = 2; g = t; g = 3 od }
        active proctype Q() { g == 9 } never { do :: t != 7 od }";
    let before = model(text);
    assert!(reset(&before, NOBODY).is_some_and(|r| r.variables.contains("t")));
    let claim = before.properties.iter().find_map(|p| match p.kind {
        PropertyKind::Never { claim } => Some(Claim::Template(claim)),
        _ => None,
    });
    let watched = Observers {
        claim,
        events: None,
        asked: None,
    };
    assert!(reset(&before, watched).is_none());
}

#[test]
fn an_element_of_each_process_is_like_a_local_unless_others_read_it() {
    let own = "byte g; byte a[2]; active [2] proctype P() { do :: a[_pid] = g; g = a[_pid] + 1; a[1 - _pid] = 0; g = g % 2 od }";
    let before = model(own);
    let resets = reset(&before, NOBODY).expect("a[_pid] is dead after its use");
    assert!(resets.variables.contains("a"));
    let (before_, after) = (explore(&before, NOBODY), explore(&resets.model, NOBODY));
    assert_eq!(before_.violations, after.violations);
    let read = own.replace("g % 2", "(g + a[1 - _pid]) % 2");
    assert!(reset(&model(&read), NOBODY).is_none());
    // Numbers of processes that are outside must not come to be used.
    let small = "byte g; byte a[1]; active [2] proctype P() { if :: _pid == 0 -> a[_pid] = g; g = a[_pid] :: else fi; g = 1 }";
    assert!(reset(&model(small), NOBODY).is_none());
}

#[test]
fn nobody_can_keep_control_behind_a_rendezvous_that_it_offers() {
    let text = "chan c = [0] of { byte }; byte g;
        active proctype P() { byte x; do :: x = 1; c ! x; g = 1; g = 0 :: x = 2; c ! x; g = 1; g = 0 od }
        active proctype Q() { byte y; do :: c ? y; g = y; assert(y < 3) od }";
    let before = model(text);
    let resets = reset(&before, NOBODY).expect("y is dead after its use");
    let (more, fewer) = same_violations(&before, &resets.model, NOBODY);
    assert!(fewer < more);
}

#[test]
fn a_value_that_the_cell_cannot_hold_is_none() {
    let before = model(LOOP);
    assert!(verified(reset_dead(&before, NOBODY, &mut |_| Some(256))).is_none());
    assert!(verified(reset_dead(&before, NOBODY, &mut |_| None)).is_none());
}

/// An automaton that runs along reads its conditions, and so does whoever asks them of states.
#[test]
fn what_a_formula_reads_is_not_dead() {
    let text = "byte g; byte t; active proctype P() { do :: t = 1; g = t; g = 2 :: t = 2; g = t; g = 3 od }
        active proctype Q() { g == 9 } ltl f { [] (t != 7) }";
    let before = model(text);
    let is_reset = |observers| reset(&before, observers).is_some_and(|r| r.variables.contains("t"));
    let formula = PropertyId(0);
    assert!(is_reset(NOBODY));
    assert!(!is_reset(Observers {
        claim: Some(Claim::Automaton(formula)),
        ..NOBODY
    }));
    assert!(!is_reset(Observers {
        asked: Some(formula),
        ..NOBODY
    }));
}

/// A process that reads `d` only if `k` is 0, in a loop. `READ` is how it goes on.
const CASES: &str = "byte g; active proctype P() { byte k; byte d; do
    :: if :: d = 1 :: d = 2 :: d = 3 fi; if :: k = 0 :: k = 1 :: k = 2 fi; g = 0; READ; d = 0; k = 0 od }
    active proctype Q() { do :: g == 3 -> g = 0 od }";

/// How many states there are before and after resets.
#[track_caller]
fn in_cases(read: &str) -> (usize, usize) {
    // What is reset where it is still read is 0 there.
    let read = read.replace("g = d", "assert(d != 0); g = d");
    let before = model(&CASES.replace("READ", &read));
    let after = reset(&before, NOBODY).expect("something is dead").model;
    same_violations(&before, &after, NOBODY)
}

#[test]
fn what_is_read_in_one_case_alone_is_dead_in_the_others() {
    let (_, always) = in_cases("if :: k == 0 -> g = d :: k == 1 -> g = d :: k == 2 -> g = d fi");
    for read in [
        "if :: k == 0 -> g = d :: k == 1 -> g = 1 :: k == 2 -> g = 2 fi",
        "if :: k != 0 -> g = 1 :: !k -> g = d fi",
        "if :: k != 0 && k != 7 -> g = 1 :: !(k != 0) && d > 0 -> g = d fi",
        "if :: k -> g = 1 :: k == 0 -> g = d fi",
        "if :: k == 0 -> g = d :: else -> g = 1 fi",
    ] {
        let (before, after) = in_cases(read);
        assert!(
            after < before && after < always,
            "{read}: {after} of {before}, {always}"
        );
    }
}

/// Whoever looks at `d` before it is known what `k` is reads it in every case; and what `k` is when a guard asks may not be what it is where the process waits.
#[test]
fn what_may_be_read_in_a_case_is_kept() {
    for read in [
        "if :: d > 0 && k == 0 -> g = d :: k == 1 -> g = 1 :: k == 2 -> g = 2 fi",
        "if :: k == 0 || d > 2 -> g = 1 :: k == 1 -> g = 2 :: k == 2 -> g = 0 fi",
        "if :: k == 0 -> g = 1 :: k == 1 -> k = 0; g = d :: k == 2 -> g = 0 fi",
        "if :: k == 0 -> g = 1 :: k == 1 -> k = 2; g = 0; if :: k == 2 -> g = d :: k != 2 fi :: k == 2 fi",
        "if :: k == 0 -> k = g + 1; g = 0; if :: k == 1 -> g = d :: k != 1 fi :: k > 0 -> g = 1 fi",
        "if :: d_step { k == 0 -> g = d } :: k != 0 -> g = 1 fi",
        "if :: k == 0 -> g = 2 :: k != 0 -> printf(\"%d\", d); g = 1 fi",
    ] {
        let (before, after) = in_cases(read);
        assert!(after <= before, "{read}");
    }
}

#[test]
fn where_something_cannot_be_reset_on_the_way_no_case_is_told() {
    // Behind a rendezvous that is offered nothing can be reset.
    let text = "chan c = [0] of { byte }; byte g;
        active proctype P() { byte k; byte d; do
            :: if :: d = 1 :: d = 2 fi; if :: k = 0 :: k = 1 fi; c ! 1; if :: k == 0 -> g = d :: k == 1 -> g = 0 fi; d = 0; k = 0 od }
        active proctype Q() { do :: c ? _; g = 0 od }";
    let before = model(text);
    let after = reset(&before, NOBODY).map_or(before.clone(), |resets| resets.model);
    same_violations(&before, &after, NOBODY);
}

/// Conditions on `k`, some of which look at `d` as well.
const GUARDS: [&str; 12] = [
    "k == 0",
    "k == 1",
    "k != 1",
    "k == 2 || k == 0",
    "k",
    "!k",
    "!(k == 2)",
    "k == 0 && d > 1",
    "d > 1 && k == 0",
    "k != 2 || d == 1",
    "k == g",
    "true",
];

/// What is done then.
const ACTIONS: [&str; 9] = [
    "assert(d != 0)",
    "g = d",
    "g = 1",
    "k = 0",
    "k = 1",
    "k = g",
    "d = 2",
    "skip",
    "d_step { k = 2; g = k }",
];

/// Two choices, one after the other, of branches that the seed says.
fn random_choices(seed: u64) -> String {
    let mut state = seed;
    let mut pick = |all: &[&str]| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        all[(state >> 33) as usize % all.len()].to_string()
    };
    let mut choice = || {
        let mut branches: Vec<String> = (0..3)
            .map(|_| {
                format!(
                    ":: {} -> {}; {}",
                    pick(&GUARDS),
                    pick(&ACTIONS),
                    pick(&ACTIONS)
                )
            })
            .collect();
        if seed.is_multiple_of(2) {
            branches.push(":: else".into());
        }
        format!("if {} fi", branches.join(" "))
    };
    format!("{}; g = 0; {}", choice(), choice())
}

/// Whatever goes wrong where `d` is read goes wrong with resets as well, and nothing else does.
#[test]
fn random_cases_go_wrong_alike() {
    let mut fewer = 0;
    for seed in 0..150 {
        let before = model(&CASES.replace("READ", &random_choices(seed)));
        let after = reset(&before, NOBODY).map_or(before.clone(), |resets| resets.model);
        let (all, left) = same_violations(&before, &after, NOBODY);
        fewer += usize::from(left < all);
    }
    assert!(fewer > 75, "{fewer}");
}
