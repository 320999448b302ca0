//! Atomic sequences that always go on are derived like routines; what brute force finds wrong with one is refused.

use crate::common::{Judgement, judge_certificate, load};
use mandala_symmetry::derive_processes;

/// What is derived of three processes with an atomic sequence, if brute force finds nothing wrong with it.
#[track_caller]
fn derived(declarations: &str, sequence: &str) -> Vec<String> {
    let text = format!(
        "{declarations}
        proctype P(byte me) {{ byte k; byte x = 9; do :: atomic {{ {sequence} }} od }}
        init {{ atomic {{ run P(0); run P(1); run P(2) }} }}"
    );
    let loaded = load(&text, &[]);
    let derivation = derive_processes(&loaded.model, loaded.observers(), &loaded.census());
    let Some(certificate) = &derivation.certificate else {
        return Vec::new();
    };
    if let Judgement::Asymmetric(why) = judge_certificate(&loaded, certificate, 600) {
        panic!("{why}\n{text}");
    }
    loaded.summary(certificate)
}

/// Whether all names are interchangeable.
fn has_all(found: &[String]) -> bool {
    matches!(found, [processes, names] if processes == "P x3" && names.ends_with(" 0..2*"))
}

#[track_caller]
fn accept(declarations: &str, sequence: &str) {
    let found = derived(declarations, sequence);
    assert!(has_all(&found), "{found:?} {sequence}");
}

/// Not all names are interchangeable.
#[track_caller]
fn refuse(declarations: &str, sequence: &str) {
    let found = derived(declarations, sequence);
    assert!(!has_all(&found), "{found:?} {sequence}");
}

const LOOP: &str = "for (k : 0 .. 2)";

#[test]
fn a_loop_over_all_in_an_atomic_sequence() {
    let array = "bool a[3];";
    accept(
        array,
        &format!("!a[me]; a[me] = true; {LOOP} {{ a[k] = false }} k = 9"),
    );
    accept(
        array,
        &format!(
            "!a[me]; {LOOP} {{ if :: k != me -> a[k] = false :: else -> a[k] = true fi }} k = 9"
        ),
    );
    accept(
        "bool a[3]; byte n;",
        &format!(
            "a[me] || n < 3; n = 0; {LOOP} {{ if :: a[k] -> n++ :: else fi }} a[me] = (n == 0); k = 9"
        ),
    );
}

#[test]
fn a_loop_that_sends_where_there_is_room() {
    let channels = "chan a[3] = [1] of { byte };";
    let send = "if :: k != me && nfull(a[k]) -> a[k]!me :: else fi";
    accept(
        channels,
        &format!("empty(a[me]); {LOOP} {{ {send} }} k = 9"),
    );
    accept(
        channels,
        &format!("a[me]?x; x = 9; {LOOP} {{ {send} }} k = 9"),
    );
}

#[test]
fn who_may_be_held_up_in_the_middle_is_seen_there() {
    let channels = "chan a[3] = [1] of { byte };";
    refuse(
        channels,
        &format!("empty(a[me]); {LOOP} {{ a[k]!me }} k = 9"),
    );
    refuse(
        "bool a[3];",
        &format!("{LOOP} {{ !a[k]; a[k] = true }} k = 9; a[me] = false"),
    );
}

#[test]
fn iterations_that_disturb_each_other_are_refused() {
    refuse(
        "bool a[3]; byte n;",
        &format!("!a[me]; {LOOP} {{ if :: !a[k] -> n = k; a[k] = true :: else fi }} k = 9"),
    );
    refuse(
        "bool a[3]; byte n;",
        &format!("!a[me]; {LOOP} {{ a[k] = (n == 1); n = 1 - n }} k = 9"),
    );
    refuse(
        "bool a[3];",
        &format!("{LOOP} {{ if :: a[k] -> a[k] = false; break :: else fi }} a[me] = true; k = 9"),
    );
    refuse(
        "bool a[3];",
        &format!("a[me]; {LOOP} {{ if :: k == 1 -> a[k] = !a[k] :: else fi }} k = 9"),
    );
    refuse(
        "bool a[3];",
        "a[me] = !a[me]; for (k : 0 .. 1) { a[k] = !a[k] } k = 9",
    );
    // The last value is a name.
    refuse(
        "bool a[3];",
        &format!("a[me]; {LOOP} {{ a[k] = !a[k] }} k = 2"),
    );
}

#[test]
fn a_sequence_with_a_choice_is_no_routine() {
    // Any of two, at each name: symmetric, but not what the first choice that is possible does.
    let found = derived(
        "bool a[3];",
        &format!("{LOOP} {{ if :: a[k] = false :: a[k] = true fi }} k = 9"),
    );
    assert!(found.len() != 1, "{found:?}");
    // Two ends.
    let found = derived(
        "bool a[3];",
        &format!(
            "a[me] = !a[me]; {LOOP} {{ a[k] = !a[k] }} k = 9; if :: a[me] -> skip :: else -> goto away fi }}; away: atomic {{ a[me] = true"
        ),
    );
    assert!(found.len() != 1, "{found:?}");
}

#[test]
fn what_is_hidden_is_gone_behind_each_step() {
    let hidden = "bool a[3]; hidden byte h;";
    let found = derived(hidden, "h = me; a[h] = !a[h]; a[me] = !a[me]; h = 9");
    assert!(found.len() != 1, "{found:?}");
}
