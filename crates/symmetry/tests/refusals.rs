//! What a refusal says, and constructs that are refused or certified for a reason of their own.

use crate::common::{Judgement, Loaded, judge, judge_certificate, load};

const FAMILY: &[(&str, &[u32])] = &[("P", &[0, 1, 2])];

/// The reasons for refusing the family of three `P`.
fn refusal(text: &str) -> String {
    let loaded = load(text, &[]);
    match loaded.certify(FAMILY) {
        Ok(_) => panic!("certified: {text}"),
        Err(breaches) => loaded.reasons(&breaches),
    }
}

fn certified(text: &str) {
    let loaded = load(text, &[]);
    let certificate = match loaded.certify(FAMILY) {
        Ok(certificate) => certificate,
        Err(breaches) => panic!("{}\n{text}", loaded.reasons(&breaches)),
    };
    let judgement = judge(
        &loaded,
        certificate.sorts(),
        &loaded.candidate(FAMILY),
        1_500,
    );
    assert!(
        matches!(judgement, Judgement::Symmetric { checks, .. } if checks > 0),
        "{judgement:?}\n{text}"
    );
}

fn processes(declarations: &str, statement: &str) -> String {
    format!(
        "{declarations}\nactive [3] proctype P() {{\nbyte n; pid l = 255;\ndo\n:: {statement}\nod }}"
    )
}

#[track_caller]
fn refused(declarations: &str, statement: &str, words: &str) {
    let reasons = refusal(&processes(declarations, statement));
    assert!(reasons.contains(words), "{reasons}");
}

#[test]
fn a_refusal_names_the_line_and_the_constant() {
    refused(
        "byte x;",
        "_pid == 2 -> x = 1",
        "line 5: compares the process number with 2",
    );
    refused(
        "pid x;",
        "x = 1 :: x == _pid",
        "line 5: `x = 1` tells process 0 and process 1 apart",
    );
}

#[test]
fn a_conflict_names_both_lines() {
    let text = processes("byte turn;", "turn == _pid -> skip\n:: turn = turn + 1");
    let reasons = refusal(&text);
    assert!(
        reasons.contains("line 6") && reasons.contains("line 5"),
        "{reasons}"
    );
}

#[test]
fn numbers_that_name_are_not_computed_with_or_ordered() {
    refused("", "l < _pid -> l = 255", "apart");
    refused("pid x = 255;", "x = _pid; l = x * 2", "plain number");
    refused("bit x;", "x = _pid; x == _pid", "");
}

/// A function of one name may treat all names alike without being a comparison for equality.
#[test]
fn functions_of_one_name() {
    certified(&processes(
        "",
        "n = _pid; assert(n < 9) :: n < 3 -> n = 255",
    ));
    refused("", "n = _pid; assert(n < 2)", "plain number");
    certified(&processes(
        "byte a[3];",
        "l < 3 && a[l] == 0 -> l = 255 :: l = _pid",
    ));
    refused("", "l = _pid; n = l * 2", "plain number");
    certified(&processes("", "l = _pid; n = l / 3 :: n = n + 1"));
    refused("", "l = _pid; n = l / 2 :: n = n + 1", "plain number");
    let pair: &[(&str, &[u32])] = &[("P", &[0, 1])];
    let other = "bool flag[2]; byte turn; byte inside; active [2] proctype P() {
        do :: flag[_pid] = true; turn = 1 - _pid; OTHER; inside++; assert(inside == 1); inside--;
        flag[_pid] = false od }";
    for wait in [
        "!flag[1 - _pid] || turn == _pid",
        "!flag[_pid ^ 1] || turn != 1 - _pid",
        "!flag[(_pid + 1) % 2] || turn != (_pid ^ 1)",
    ] {
        let loaded = load(&other.replace("OTHER", wait), &[]);
        let certificate = loaded.certify(pair);
        let certificate = certificate.unwrap_or_else(|b| panic!("{}", loaded.reasons(&b)));
        let judgement = judge_certificate(&loaded, &certificate, 1_500);
        assert!(
            matches!(judgement, Judgement::Symmetric { checks, .. } if checks > 0),
            "{judgement:?}"
        );
    }
    let odd = load(&other.replace("OTHER", "!flag[1] || turn == _pid"), &[]);
    assert!(odd.certify(pair).is_err());
}

#[test]
fn there_must_be_room_for_all_names() {
    refused("byte a[2];", "a[_pid] = 1", "no element");
    // Nobody sees a name that is gone before the end of the step.
    certified(&processes("", "atomic { n = _pid; l = n; n = 0 }"));
    certified(&processes("byte a[3];", "a[_pid] = 1 - a[_pid]"));
}

#[test]
fn processes_that_end_are_told_apart() {
    let text = "active [3] proctype P() { skip }";
    assert!(refusal(text).contains("end"));
    let text = "byte x; active [3] proctype P() { do :: x = 1 - x od }";
    certified(text);
}

#[test]
fn priorities_and_enabledness_are_refused() {
    let text = "active [3] proctype P() { do :: set_priority(_pid, 2) od }";
    assert!(refusal(text).contains("priorit"));
    let text = "byte x; active [3] proctype P() { do :: x = 1 - x od }
        never { do :: enabled(0) od }";
    assert!(refusal(text).contains("enabled"));
}

#[test]
fn what_counts_processes_or_asks_for_their_places_is_invariant() {
    certified(&processes("byte x;", "_nr_pr == 3 -> x = 1 - x"));
    certified(&processes("byte x;", "_last == _pid -> x = 1 - x"));
    refused("byte x;", "_last == 1 -> x = 1 - x", "apart");
    let watch = "byte x; active [3] proctype P() { do :: x = 1; in: x = 0 od }
        active proctype W() { do :: pc_value(0) == 1 && pc_value(1) == 1 && pc_value(2) == 1 od }";
    certified(watch);
    assert!(refusal(&watch.replace("&& pc_value(2) == 1", "")).contains("apart"));
}

#[test]
fn remote_variables() {
    let text = "active [3] proctype P() { byte n; do :: n = 1 - n od }
        active proctype W() { do :: P[0]:n == 1 -> skip od }";
    assert!(refusal(text).contains("apart"));
    let text = "active [3] proctype P() { byte n; pid l; do :: l = _pid :: P[l]:n == 1 -> n = 0 :: n = 1 od }";
    certified(text);
}

#[test]
fn the_first_of_a_family_is_not_singled_out() {
    let text = "active [3] proctype P() { byte n; do :: n = 1 - n od }
        active proctype W() { do :: P:n == 1 -> skip od }";
    assert!(refusal(text).contains("singled out"));
}

#[test]
fn claims_and_observers_of_events() {
    let model = "byte x; chan c = [1] of { pid };
        active [3] proctype P() { do :: c ! _pid :: c ? _ :: x = 1 - x od }";
    certified(&format!("{model} ltl {{ [] (x < 2) }}"));
    certified(&format!("{model} trace {{ do :: c ! _ ; c ? _ od }}"));
    assert!(refusal(&format!("{model} trace {{ do :: c ! 1 ; c ? _ od }}")).contains("apart"));
    let model = model.replace(":: x = 1 - x", ":: x = 1; in: x = 0");
    certified(&format!(
        "{model} ltl {{ [] !(P[0]@in && P[1]@in && P[2]@in) }}"
    ));
    assert!(refusal(&format!("{model} ltl {{ [] !(P[1]@in) }}")).contains("apart"));
}

#[test]
fn sorted_sends_order_names() {
    refused("chan c = [3] of { pid };", "c !! _pid :: c ? _", "sorted");
    certified(&processes(
        "chan c = [3] of { byte };",
        "c !! n :: c ? _ :: n = 1 - n",
    ));
}

/// Processes that are started by a model, in the end or again and again.
fn started(local: &str, step: &str, more: &str) -> Loaded {
    let text = format!(
        "proctype P() {{ {local}; do :: {step} od }}
        init {{ run P(); run P(); run P(); {more} }}"
    );
    load(&text, &[])
}

const STARTED: &[(&str, &[u32])] = &[("P", &[1, 2, 3])];
const ONCE_MORE: &str = "run P(); do :: false od";
const FOR_EVER: &str = "do :: _nr_pr < 9 -> run P() od";

#[test]
fn new_processes_must_treat_names_alike() {
    let alike = started("pid l = 255", "l = _pid :: l = 255", FOR_EVER);
    let certificate = alike.certify(STARTED).expect("symmetric");
    assert!(certificate.domains()[0].settled.is_empty());
    let judgement = judge_certificate(&alike, &certificate, 1_500);
    assert!(matches!(judgement, Judgement::Symmetric { checks, .. } if checks > 0));
    let odd = started("pid l = 2", "l = _pid :: l = 255", FOR_EVER);
    let breaches = odd.certify(STARTED).expect_err("asymmetric");
    assert!(odd.reasons(&breaches).contains("first value"));
    // The fourth is made when the others are there already.
    let candidate = odd.candidate(STARTED);
    let judgement = judge(&odd, certificate.sorts(), &candidate, 1_500);
    assert!(matches!(judgement, Judgement::Asymmetric(_)));
}

/// What is made while the symmetry does not hold yet may be as it likes.
#[test]
fn processes_that_are_all_there_are_not_asked_how_they_began() {
    for (local, step) in [
        ("pid l = 2", "l = _pid :: l = 255"),
        (
            "chan own[5] = [1] of { pid }",
            "own[_pid] ! _pid :: own[_pid] ? _",
        ),
    ] {
        let loaded = started(local, step, ONCE_MORE);
        let certificate = loaded.certify(STARTED).expect("symmetric");
        assert_eq!(certificate.domains()[0].settled.len(), 1);
        let judgement = judge_certificate(&loaded, &certificate, 1_500);
        assert!(
            matches!(judgement, Judgement::Symmetric { checks, .. } if checks > 0),
            "{judgement:?}"
        );
    }
}

#[test]
fn new_channels_in_arrays_of_processes() {
    let local = "chan own[5] = [1] of { pid }";
    let loaded = started(local, "own[_pid] ! _pid :: own[_pid] ? _", FOR_EVER);
    let breaches = loaded.certify(STARTED).expect_err("asymmetric");
    assert!(loaded.reasons(&breaches).contains("new channels"));
}

/// A start must be over some time, and must keep channels of different messages apart.
#[test]
fn what_may_be_done_before_the_symmetry_begins() {
    let model = "byte x[4]; chan a = [1] of { pid }; chan b = [1] of { byte };
        proctype P(chan c) { chan d = a; do :: x[_pid] = 1 - x[_pid] :: d ! _pid :: d ? _ od }
        init { START; run P(a); run P(a); run P(a); LATER }
        active proctype B() { byte n; do :: b ! n :: b ? n :: n = n + 1 od }";
    let family: &[(&str, &[u32])] = &[("P", &[2, 3, 4])];
    let with = |start: &str, later: &str| {
        let text = model.replace("START", start).replace("LATER", later);
        let text = text.replace("x[4]", "x[5]");
        let loaded = load(&text, &[]);
        (loaded.certify(family), loaded)
    };
    for start in ["x[2] = 1", "x[2] = 1; x[3] = 2; x[x[2]] = 3"] {
        let (proof, loaded) = with(start, "do :: false od");
        let certificate = proof.unwrap_or_else(|b| panic!("{}", loaded.reasons(&b)));
        let judgement = judge_certificate(&loaded, &certificate, 1_500);
        assert!(
            matches!(judgement, Judgement::Symmetric { checks, .. } if checks > 0),
            "{judgement:?}"
        );
    }
    assert!(with("skip", "do :: x[2] = 1 od").0.is_err());
    assert!(with("skip", "do :: x[2] = 1 :: break od").0.is_err());
    let (proof, loaded) = with("a = b", "do :: false od");
    let reasons = loaded.reasons(&proof.expect_err("channels are mixed"));
    assert!(reasons.contains("plain number"), "{reasons}");
}

#[test]
fn loops_that_are_too_long_are_refused_and_not_followed() {
    refused(
        "int x;",
        "atomic { x = 0; do :: x < 100000 -> x++ :: else -> break od }; x = _pid",
        "",
    );
    refused(
        "int x;",
        "d_step { do :: x < 100000 -> x++ :: else -> break od }",
        "too many ways",
    );
    refused(
        "int x;",
        "d_step { n = 0; do :: n < 250 -> n++; x = x * 3 + x :: else -> break od }; x == _pid",
        "",
    );
}

#[test]
fn candidates_that_make_no_sense_are_refused() {
    let loaded = load(
        "byte x; active [3] proctype P() { do :: x = 0 od } never { skip }",
        &[],
    );
    for numbers in [&[0, 0][..], &[0, 300]] {
        assert!(loaded.certify(&[("P", numbers)]).is_err());
    }
    assert!(loaded.certify(&[("P", &[0, 1]), ("P", &[1, 2])]).is_err());
    let claim = loaded.observers().claim.expect("a claim");
    let candidate = mandala_symmetry::Candidate {
        families: vec![mandala_symmetry::Family {
            template: loaded.model.runnable(claim),
            numbers: vec![0, 1],
        }],
        ..mandala_symmetry::Candidate::default()
    };
    assert!(mandala_symmetry::certify(&loaded.model, loaded.observers(), &candidate).is_err());
}
