//! Models of the kind on which partial-order reduction goes wrong that chooses steps on the way, where both the system and the claim are known
//! (Siegel, *What's wrong with on-the-fly partial order reduction*, 2019).
//!
//! In each of them one process idles for ever, unseen, and another one does something that the claim waits for. A reduction on the way puts
//! the other one off until the states of system *and* claim come round. If the claim has gone on meanwhile, it may be
//! somewhere where it does not expect the step any more, although it would have accepted the same run with one more or one fewer idle
//! step. The claims here count idle steps modulo two or three and guess at the start which number it will be, so
//! what they accept does not depend on that number. Spin 6.5.2 overlooks the violations of all three.
//!
//! Here steps are left out of the graph of the system alone, for formulas without next; claims that are written by hand are refused.
#![allow(clippy::print_stdout)]

use mandala_conformance::forever::{self, Fairness, Manner, Opinion};
use mandala_conformance::spin::{Claim, Question, Runs, Size, Spin};
use std::path::Path;
use std::time::Duration;

/// One process idles, the other one does something.
const SYSTEM: &str = "bool p;
active proctype idler() { bit x; do :: x = 0 od }
active proctype setter() { p = true }
";

/// Claims that are followed to the end, or through an accepting state for ever, by all runs in which `p` holds at some time; what they say as a formula.
const CLAIMS: [(&str, &str); 3] = [
    (
        "never {
start: if :: p -> goto done :: !p -> goto odd :: !p -> goto first fi;
odd:   if :: !p -> goto even fi;
even:  if :: p -> goto done :: !p -> goto odd fi;
first: if :: p -> goto done :: !p -> goto second fi;
second: if :: !p -> goto third fi;
third: if :: p -> goto done :: !p -> goto second fi;
done:  skip
}",
        "[] !p",
    ),
    (
        "never {
start: if :: p -> goto accept :: !p -> goto odd :: !p -> goto first fi;
odd:   if :: !p -> goto even fi;
even:  if :: p -> goto accept :: !p -> goto odd fi;
first: if :: p -> goto accept :: !p -> goto second fi;
second: if :: !p -> goto third fi;
third: if :: p -> goto accept :: !p -> goto second fi;
accept: do :: p od
}",
        "!(!p U [] p)",
    ),
    (
        "never {
start: if :: p -> goto done :: !p -> goto a1 :: !p -> goto b1 :: !p -> goto c1 fi;
a1: if :: !p -> goto a2 fi;
a2: if :: !p -> goto a0 fi;
a0: if :: p -> goto done :: !p -> goto a1 fi;
b1: if :: p -> goto done :: !p -> goto b2 fi;
b2: if :: !p -> goto b3 fi;
b3: if :: !p -> goto b4 fi;
b4: if :: p -> goto done :: !p -> goto b2 fi;
c1: if :: !p -> goto c2 fi;
c2: if :: p -> goto done :: !p -> goto c3 fi;
c3: if :: !p -> goto c4 fi;
c4: if :: !p -> goto c5 fi;
c5: if :: p -> goto done :: !p -> goto c3 fi;
done: skip
}",
        "[] !p",
    ),
];

fn opinion(text: &str, property: &str, manner: Manner) -> Opinion {
    let loaded = forever::load(Path::new("idle.pml"), text).expect("a model");
    forever::ask(&loaded, property, manner, Fairness::Off, 10_000).expect("an opinion")
}

#[test]
fn claims_that_count_idle_steps_are_violated_or_refused() {
    for (claim, formula) in CLAIMS {
        let by_hand = format!("{SYSTEM}{claim}");
        let plain = opinion(&by_hand, "never", Manner::PLAIN);
        assert_eq!(plain.violated(), Some(true), "{claim}");
        let refused = opinion(&by_hand, "never", Manner::PARTLY);
        assert!(matches!(refused, Opinion::NotAvailable(_)), "{refused:?}");
        let stated = format!("{SYSTEM}ltl f {{ {formula} }}");
        for manner in [Manner::PLAIN, Manner::PARTLY, Manner::USUAL.partly()] {
            let said = opinion(&stated, "f", manner);
            assert_eq!(said.violated(), Some(true), "{formula}: {manner:?}");
        }
    }
}

#[test]
fn spin_overlooks_them_where_it_leaves_out_steps() {
    let Some(spin) = Spin::find() else {
        println!("skipped: spin or gcc is not installed");
        return;
    };
    for (claim, _) in CLAIMS {
        let text = format!("{SYSTEM}{claim}");
        let question = Question {
            text: &text,
            defines: &[],
            claim: Claim::Product,
            size: Size::Small,
            limit: Duration::from_secs(300),
        };
        let verifiers = [spin.liveness(&question), spin.reduced_liveness(&question)];
        let [all, some] = verifiers.map(|verifier| {
            let verifier = verifier.expect("Spin runs").expect("a verifier");
            let answer = verifier.is_violated(None, Runs::All).expect("it runs");
            answer.expect("an answer")
        });
        assert_eq!((all, some), (true, false), "{claim}");
    }
}

/// Systems in which a process idles or goes round by itself, in more than one way.
const SYSTEMS: [&str; 4] = [
    SYSTEM,
    "bool p; active proctype idler() { byte x; do :: x = (x + 1) % 3 od }
     active proctype setter() { do :: p = true; p = false od }",
    "bool p; active [2] proctype idler() { byte x; do :: x = 1 - x :: break od }
     active proctype setter() { p = true; p = false }",
    "bool p; active proctype idler() { byte x; x = 1; x = 2; do :: x > 0 -> x = x ^ 1 od }
     active proctype setter() { byte y; y = 1; p = true; y = 2; if :: true -> p = false :: true fi }",
];

/// Formulas whose automata do more than wait.
const FORMULAS: [&str; 8] = [
    "[] !p",
    "<>[] p",
    "[]<> p",
    "<>[] !p",
    "!p U [] p",
    "!p U (p U [] !p)",
    "[] (p -> [] (!p -> [] !p))",
    "(<> p) -> (!p U (p && <> !p))",
];

#[test]
fn idle_steps_make_no_difference() {
    let mut saved = 0;
    for (system, formula) in SYSTEMS.iter().flat_map(|s| FORMULAS.map(|f| (s, f))) {
        let text = format!("{system}\nltl f {{ {formula} }}");
        let loaded = forever::load(Path::new("idle.pml"), &text).expect("a model");
        let states = forever::states(&loaded, 10_000).expect("nothing breaks off");
        let plain = opinion(&text, "f", Manner::PLAIN).violated();
        for manner in [Manner::PARTLY, Manner::USUAL.partly()] {
            let said = opinion(&text, "f", manner);
            assert_eq!(said.violated(), plain, "{text}: {manner:?}");
            saved += u64::from(said.states().is_some_and(|some| some < states));
        }
    }
    assert!(saved > 5, "{saved}");
}
