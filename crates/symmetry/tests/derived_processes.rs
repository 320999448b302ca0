//! Symmetry of processes by type: what the rules derive is so in every state, and what is not so they refuse.

use crate::common::{Judgement, Loaded, judge_certificate, load, try_load};
use crate::random::{random_text, with_names, with_offsets};
use crate::{mutants, mutants_of_names};
use mandala_symmetry::{Derivation, derive_processes};

fn derived(loaded: &Loaded) -> Derivation {
    derive_processes(&loaded.model, loaded.observers(), &loaded.census())
}

/// What is derived, if brute force finds nothing wrong with it.
#[track_caller]
fn right(loaded: &Loaded, text: &str, limit: usize) -> Derivation {
    let derivation = derived(loaded);
    if let Some(certificate) = &derivation.certificate
        && let Judgement::Asymmetric(why) = judge_certificate(loaded, certificate, limit)
    {
        let domains = loaded.summary(certificate);
        panic!("{domains:?}: {why}\n{text}");
    }
    derivation
}

/// These domains are derived and nothing is refused.
#[track_caller]
fn accept(text: &str, domains: &[&str]) {
    let loaded = load(text, &[]);
    let derivation = right(&loaded, text, 600);
    let refused: Vec<String> = derivation
        .refused
        .iter()
        .map(|(label, breach)| format!("{label}: {}", breach.describe(&loaded.sources)))
        .collect();
    assert!(refused.is_empty(), "{refused:?}\n{text}");
    let certificate = derivation.certificate.expect("a certificate");
    assert_eq!(loaded.summary(&certificate), domains, "{text}");
    assert_eq!(derivation.parts.decided, derivation.parts.all, "{text}");
}

/// Something is refused for that reason, and what is left is right.
#[track_caller]
fn refuse(text: &str, why: &str) {
    let loaded = load(text, &[]);
    let derivation = right(&loaded, text, 600);
    let reasons: Vec<String> = derivation
        .refused
        .iter()
        .map(|(label, breach)| format!("{label}: {}", breach.describe(&loaded.sources)))
        .collect();
    assert!(
        reasons.iter().any(|r| r.contains(why)),
        "{reasons:?}\n{text}"
    );
    assert!(!derivation.is_complete);
}

/// Three processes that repeat a statement.
fn three(declarations: &str, body: &str) -> String {
    format!("{declarations}\nactive [3] proctype P() {{ {body} }}")
}

/// Three processes that are told who they are.
fn told(declarations: &str, body: &str) -> String {
    format!(
        "{declarations}\nproctype P(byte me) {{ {body} }}\ninit {{ atomic {{ run P(0); run P(1); run P(2) }} }}"
    )
}

#[test]
fn numbers_of_processes_in_cells_and_indices() {
    for (declarations, body) in [
        ("byte x; bool a[3];", "do :: a[_pid] = !a[_pid] :: x++ od"),
        (
            "pid p = 255; bool a[3];",
            "do :: p == 255 -> p = _pid :: p == _pid -> a[p] = true; p = 255 od",
        ),
        (
            "byte a[4];",
            "pid q = 255; do :: q = _pid :: q != 255 -> a[q + 1]++ :: q = 255 od",
        ),
        (
            "bool a[3];",
            "pid q = 255; do :: q = 255 :: q == 255 -> a[_pid] = 1 :: _pid >= 0 -> skip :: q < 200 -> skip od",
        ),
        (
            "pid p = 255;",
            "l: do :: p = _pid :: p < 3 && P[p]@l -> p = 255 od",
        ),
        (
            "byte x;",
            "byte c = 0; do :: c < 2 -> c++ :: else -> c = 0; x = !x od",
        ),
        (
            "byte x;",
            "do :: atomic { x == 0 -> x = 1; x = 0 } :: timeout -> skip od",
        ),
    ] {
        accept(&three(declarations, body), &["P x3"]);
    }
}

#[test]
fn what_tells_processes_apart_is_refused() {
    for (declarations, body, why) in [
        (
            "byte x;",
            "do :: x = _pid :: x > 0 -> x = x / 2 od",
            "used as a number",
        ),
        ("byte x;", "do :: _pid == 1 -> x = !x od", "written down"),
        (
            "bool a[3];",
            "do :: a[0] = !a[0] :: a[_pid] = 1 od",
            "written down",
        ),
        (
            "byte x;",
            "do :: _pid < 2 -> x = !x od",
            "compared by their order",
        ),
        ("byte x;", "do :: _pid -> x = !x od", "compared with 0"),
        ("byte x;", "do :: x = !x :: x = _nr_pr od", "no rule"),
        (
            "bool a[2]; byte x;",
            "do :: _pid < 3 -> a[_pid] = 1 od",
            "room for some",
        ),
        // 0 is a number of a process, and what a variable holds that was never written.
        ("pid p;", "do :: p == _pid -> p = 0 od", "written down"),
        (
            "bit p;",
            "do :: p = _pid :: p == _pid -> skip od",
            "room for some",
        ),
        ("byte x;", "x = 1", "processes end in the reverse"),
        // 255 becomes 3, which is a number of a process.
        (
            "byte q = 255; unsigned p : 2; bool a[4];",
            "do :: a[_pid] = 1 :: q = _pid :: p = q :: p == _pid -> a[p] = 0 od",
            "cut",
        ),
    ] {
        refuse(&three(declarations, body), why);
    }
    let four = "byte q = 255; unsigned p : 2; bool a[4]; active [4] proctype P() {
        do :: a[_pid] = 1 :: q = _pid :: q = 255 :: p = q :: p == _pid -> a[p] = 0 od }";
    refuse(four, "when it is cut");
}

#[test]
fn claims_conditions_and_other_processes() {
    accept(
        "bool a[3]; active [3] proctype P() { do :: a[_pid] = !a[_pid] od }
        active proctype W() { byte n; do :: n = (n + 1) % 3 od } ltl f { [] (true) }",
        &["P x3"],
    );
    refuse(
        "bool a[3]; active [3] proctype P() { do :: a[_pid] = !a[_pid] od } ltl f { [] !a[1] }",
        "written down",
    );
    accept(
        "byte x; active [2] proctype P() { do :: x = 1 od } active [3] proctype Q() { do :: x = 0 od }",
        &["P x2", "Q x3"],
    );
    // A number that is written down is one of a single family.
    let two = "pid p = 255; active [2] proctype P() { do :: p = _pid od } active [2] proctype Q() { do :: p == 1 -> p = 255 od }";
    let loaded = load(two, &[]);
    let derivation = right(&loaded, two, 300);
    assert_eq!(derivation.refused.len(), 1);
    let certificate = derivation.certificate.expect("the other family");
    assert_eq!(loaded.summary(&certificate), ["Q x2"]);
}

#[test]
fn conditions_on_all_moves() {
    let moves = |condition: &str| {
        format!(
            "pid p = 255; byte x; active [3] proctype P() provided ({condition}) {{ do :: x = !x :: p = 255 :: p = _pid od }}"
        )
    };
    accept(&moves("p != _pid"), &["P x3"]);
    refuse(&moves("p != 1"), "written down");
    refuse(&moves("_pid != 1"), "written down");
}

#[test]
fn channels_that_carry_numbers() {
    for (declarations, body) in [
        (
            "chan c = [2] of { pid };",
            "pid q = 255; do :: c ! _pid :: c ? q; q = 255 od",
        ),
        (
            "chan c = [0] of { pid };",
            "pid q = 255; do :: c ! _pid :: c ? q; q = 255 od",
        ),
        (
            "chan c[3] = [1] of { pid, byte };",
            "pid q = 255; do :: q != 255 -> c[q] ! _pid, 1; q = 255 :: c[_pid] ? q, 1 od",
        ),
        (
            "chan c[3] = [1] of { pid };",
            "pid q = 255; do :: c[_pid] ? [eval(_pid)] -> c[_pid] ? q; q = 255 :: nfull(c[_pid]) -> c[_pid] ! _pid od",
        ),
        (
            "chan c = [2] of { pid };",
            "do :: c ! _pid :: c ?? eval(_pid) :: len(c) == 2 -> c ? _ od",
        ),
        // References to channels, in messages and variables.
        (
            "chan ask = [1] of { chan };",
            "chan own = [1] of { pid }; chan his; do :: ask ! own; own ? _ :: atomic { ask ? his -> his ! _pid; his = 0 } od",
        ),
    ] {
        accept(&three(declarations, body), &["P x3"]);
    }
}

#[test]
fn channels_that_tell_processes_apart_are_refused() {
    for (declarations, body, why) in [
        (
            "chan c = [2] of { byte };",
            "byte n; do :: c ! _pid :: c ? n; n = n + 1 od",
            "used as a number",
        ),
        (
            "chan c = [2] of { pid };",
            "do :: c ! _pid :: c ? 1 od",
            "written down",
        ),
        (
            "chan c = [2] of { pid };",
            "do :: c ! _pid :: c ! 0 :: c ? _ od",
            "written down",
        ),
        (
            "chan c = [2] of { pid };",
            "do :: c !! _pid :: c ? _ od",
            "used as a number",
        ),
        (
            "chan c = [2] of { bit };",
            "do :: c ! _pid :: c ? eval(_pid) od",
            "room for some",
        ),
        (
            "chan c[3] = [1] of { byte };",
            "do :: c[0] ! 1 :: c[_pid] ? _ od",
            "written down",
        ),
    ] {
        refuse(&three(declarations, body), why);
    }
}

#[test]
fn processes_that_are_made_at_the_start() {
    accept(
        &told(
            "bool a[3]; byte t = 255;",
            "do :: a[me] = !a[me] :: t = me :: t == me -> t = 255 od",
        ),
        &["P x3", "a 0..2*"],
    );
    accept(
        "bool a[4]; byte t; proctype P(byte me) { do :: a[me] = !a[me] :: t = me :: t == me -> t = 0 od }
        init { byte i; atomic { for (i : 1 .. 3) { run P(i) } } }",
        &["P x3", "a 1..3*"],
    );
    refuse(
        &told(
            "bool a[3]; byte t = 255;",
            "do :: a[me] = !a[me] :: a[1] = 1 :: t = me od",
        ),
        "written down",
    );
    // It is never over.
    refuse(
        "bool a[3]; proctype P(byte me) { do :: a[me] = !a[me] od }
        init { run P(0); run P(1); run P(2); do :: a[1] = 0 od }",
        "written down",
    );
    // A process that is made later holds 0 at first, which is a name.
    refuse(
        "bool a[3]; byte n; proctype P(byte me) { byte q; do :: a[me] = 1; q = me; a[q] = 0 od }
        init { run P(0); run P(1); do :: n < 2 -> n++; run P(1) od }",
        "",
    );
}

#[test]
fn loops_over_processes_in_one_step() {
    for (declarations, body) in [
        (
            "bool a[3]; hidden byte k;",
            "do :: d_step { !a[_pid] -> a[_pid] = true; for (k : 0 .. 2) { if :: k != _pid -> a[k] = false :: else fi } } od",
        ),
        (
            "chan c[3] = [2] of { pid }; hidden byte k;",
            "do :: d_step { empty(c[_pid]) -> for (k : 0 .. 2) { if :: k != _pid && nfull(c[k]) -> c[k] ! _pid :: else fi } } :: c[_pid] ? _ od",
        ),
        // To send to a channel that is full is an error in a `d_step`, whoever's it is.
        (
            "chan c[3] = [1] of { pid }; hidden byte k;",
            "do :: d_step { for (k : 0 .. 2) { c[k] ! _pid } } :: c[_pid] ? _ od",
        ),
        (
            "bool a[3]; byte n;",
            "byte k = 9; do :: d_step { a[_pid] = 1; k = 0; do :: k < 3 -> if :: a[k] -> n = 1 :: else fi; k++ :: else -> break od } :: a[_pid] = 0; n = 0 od",
        ),
        (
            "byte a[3]; byte n; hidden byte k, t;",
            "do :: d_step { n = 0; for (k : 0 .. 2) { t = a[k]; if :: t > 0 -> n++ :: else fi } t = 0 } :: a[_pid] = !a[_pid] od",
        ),
        (
            "byte a[3]; hidden byte k;",
            "bool b; do :: d_step { b = true; for (k : 0 .. 2) { b = b && (k == _pid || a[k] < 1) } } :: a[_pid] = !a[_pid] od",
        ),
    ] {
        accept(&three(declarations, body), &["P x3"]);
    }
    accept(
        &told(
            "bool a[3]; hidden byte k;",
            "do :: d_step { !a[me] -> a[me] = true; for (k : 0 .. 2) { if :: k == me :: else -> a[k] = false fi } } od",
        ),
        &["P x3", "a 0..2*"],
    );
}

#[test]
fn loops_whose_order_may_matter_are_refused() {
    for (declarations, body) in [
        // The first one that is free.
        (
            "bool a[3]; byte n; hidden byte k;",
            "do :: d_step { n = 0; for (k : 0 .. 2) { if :: n == 0 && !a[k] -> a[k] = 1; n = 1 :: else fi } } :: a[_pid] = 0 od",
        ),
        // The last one.
        (
            "bool a[3]; pid p = 255; hidden byte k;",
            "do :: d_step { for (k : 0 .. 2) { if :: a[k] -> p = k :: else fi } } :: a[_pid] = !a[_pid] :: p == _pid -> p = 255 od",
        ),
        // One channel gets the messages in an order.
        (
            "chan c = [3] of { pid }; bool a[3]; hidden byte k;",
            "do :: d_step { empty(c) -> for (k : 0 .. 2) { a[k] = 1; c ! k } } :: c ?? eval(_pid) od",
        ),
        // Some of them alone.
        (
            "bool a[3]; hidden byte k;",
            "do :: d_step { for (k : 0 .. 1) { a[k] = 1 } } :: a[_pid] = 0 od",
        ),
        // Early ends.
        (
            "bool a[3]; byte n; hidden byte k;",
            "do :: d_step { for (k : 0 .. 2) { if :: a[k] -> break :: else -> a[k] = 1 fi } } :: a[_pid] = 0 od",
        ),
        // Somebody counts on.
        (
            "bool a[3]; hidden byte k;",
            "do :: d_step { for (k : 0 .. 2) { a[k] = 1; k = k + 1 } } :: a[_pid] = 0 od",
        ),
        // A neighbour.
        (
            "bool a[4]; hidden byte k;",
            "do :: d_step { for (k : 0 .. 2) { a[k] = a[k + 1] } } :: a[_pid] = !a[_pid] od",
        ),
        // A local variable connects them.
        (
            "bool a[3]; hidden byte k;",
            "byte t; do :: d_step { t = 0; for (k : 0 .. 2) { a[k] = t; t = 1 } } :: a[_pid] = 0 od",
        ),
        // To look at an element that is not there is an error, and who comes first decides whether somebody looks.
        (
            "byte a[3]; byte x; hidden byte k;",
            "bool b; do :: d_step { b = true; for (k : 0 .. 2) { b = b && (a[k] < 1) && (a[x] < 3) } } :: x = 3 :: a[_pid] = !a[_pid] od",
        ),
        (
            "byte a[3]; hidden byte k;",
            "bool b; do :: d_step { b = true; for (k : 0 .. 2) { b = b && (a[k] == 0 || 1 / a[k] == 1) } } :: a[_pid] = !a[_pid] od",
        ),
        // Not in one step: others see how far it is.
        (
            "bool a[3];",
            "byte k; do :: for (k : 0 .. 2) { a[k] = 1 } :: a[_pid] = 0 od",
        ),
        // A send that waits in the middle.
        (
            "chan c[3] = [1] of { pid };",
            "byte k; do :: atomic { for (k : 0 .. 2) { c[k] ! _pid } } :: c[_pid] ? _ od",
        ),
    ] {
        refuse(&three(declarations, body), "");
    }
}

#[test]
fn the_variable_of_a_loop_is_no_name_behind_it() {
    let two = |behind: &str| {
        format!("bool a[5]; pid p = 255; hidden byte k;
            active [3] proctype P() {{ do :: d_step {{ for (k : 0 .. 2) {{ a[k] = 1 }} {behind} }} :: a[_pid] = 0 od }}
            active [2] proctype Q() {{ do :: p == _pid -> p = 255 :: a[_pid] = 0 od }}")
    };
    accept(&two(""), &["P x3", "Q x2"]);
    // It is 3, which is the number of the first of the others.
    refuse(&two("p = k"), "written down");
}

#[test]
fn no_random_model_is_derived_against_the_facts() {
    let mut found = [0; 3];
    for seed in 0..250 {
        let plain = random_text(seed, "");
        let texts = [
            plain.clone(),
            with_names(&plain, seed),
            with_offsets(&random_text(seed, " - 1")),
        ];
        for (kind, text) in texts.iter().enumerate() {
            let loaded = load(text, &[]);
            let derivation = right(&loaded, text, 120);
            found[kind] += usize::from(derivation.certificate.is_some());
        }
    }
    // It happens often enough.
    assert!(found.iter().all(|n| *n > 12), "{found:?}");
}

#[test]
fn no_mutant_is_derived_against_the_facts() {
    let texts = mutants::all_texts().into_iter();
    let texts = texts.chain(mutants_of_names::all_texts());
    let mut found = 0;
    for (text, defines) in texts {
        let Some(loaded) = try_load(&text, defines) else {
            continue;
        };
        let derivation = right(&loaded, &text, 700);
        found += usize::from(derivation.certificate.is_some());
    }
    assert!(found > 20, "{found}");
}
