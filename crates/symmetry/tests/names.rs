//! Names: values that index arrays, sit in variables and messages, and are given to processes when they
//! start.

mod common;

use common::{Judgement, Loaded, judge_certificate, load};

/// Peterson's algorithm for processes that are told who they are.
fn peterson(start: &str) -> String {
    format!(
        "byte level[4]; byte turn[3] = 255; byte critical;
        proctype P(byte me) {{
            byte k; bool ahead;
            do
            :: k = 1;
                do
                :: k < 3 ->
                    level[me] = k;
                    turn[k] = me;
again:              atomic {{
                        ahead = (me == 1 || level[1] < k) && (me == 2 || level[2] < k) && (me == 3 || level[3] < k);
                        if :: ahead || turn[k] != me :: else -> goto again fi
                    }};
                    k++
                :: else -> break
                od;
                critical++;
                assert(critical == 1);
                critical--;
                level[me] = 0
            od
        }}
        init {{ byte i; {start} }}"
    )
}

#[track_caller]
fn found(loaded: &Loaded, expected: &[&str]) {
    let detected = loaded.detect();
    let reasons: Vec<String> = detected
        .refused
        .iter()
        .map(|r| format!("{}: {}", r.label, loaded.reasons(&r.breaches)))
        .collect();
    let certificate = detected
        .certificate
        .unwrap_or_else(|| panic!("{reasons:#?}"));
    assert_eq!(loaded.summary(&certificate), expected, "{reasons:#?}");
    match judge_certificate(loaded, &certificate, 1_500) {
        Judgement::Symmetric { checks, .. } => assert!(checks > 0),
        Judgement::Asymmetric(state) => panic!("{state}"),
    }
}

#[test]
fn processes_that_are_told_who_they_are() {
    for start in [
        "run P(1); run P(2); run P(3)",
        "atomic { run P(1); run P(2); run P(3) }",
        "for (i : 1 .. 3) { run P(i) }",
        "atomic { for (i : 1 .. 3) { run P(i) } }",
        "i = 3; do :: i > 0 -> run P(i); i-- :: else -> break od",
        "d_step { i = 1 }; do :: i <= 3 -> atomic { run P(i); i++ } :: else -> goto done od; done: false",
    ] {
        found(&load(&peterson(start), &[]), &["P x3", "level 1..3*"]);
    }
}

#[test]
fn names_that_are_counted_from_another_number() {
    let model = "byte flag[3]; byte last = 255;
        proctype P(byte me) { byte l;
            do :: flag[me - 1] = 1 - flag[me - 1] :: last = me :: l = me - 1; flag[l] = 0; l = 255
            :: last != 255 && flag[last - 1] == 1 -> last = 255 od }
        init { run P(1); run P(2); run P(3) }";
    found(&load(model, &[]), &["P x3", "flag 0..2*"]);
}

#[test]
fn process_numbers_that_are_counted_from_another_number() {
    let model = "byte flag[3]; pid last = 255; byte who = 255;
        active proctype Zero() { do :: last = 255 od }
        active [3] proctype P() { byte l;
            do :: flag[_pid - 1] = 1 - flag[_pid - 1] :: last = _pid :: l = _pid - 1; flag[l] = 0; l = 255
            :: last != 255 && flag[last - 1] == 1 -> last = 255
            :: who = _pid + 2 :: who == _pid + 2 -> who = 255
            od }";
    found(&load(model, &[]), &["P x3"]);
    let odd = load(&model.replace("flag[last - 1]", "flag[last - 2]"), &[]);
    assert!(odd.detect().certificate.is_none());
}
