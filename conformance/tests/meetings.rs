//! Ways through one step that lead to the same state and differ only in who takes part, which is all that fairness asks about.
//!
//! Everybody has to agree: with symmetry and without, by machine code and by the interpreter, whatever way runs are looked for.

use mandala_conformance::forever::{self, Fairness, Manner, Opinion};
use mandala_conformance::random::RandomSource;
use std::path::Path;

/// A program, its formula, and whether that is violated without fairness and with each kind of it.
struct Case {
    text: &'static str,
    violated: [(Fairness, bool); 5],
}

const fn kinds(off: bool, processes: [bool; 2], statements: [bool; 2]) -> [(Fairness, bool); 5] {
    [
        (Fairness::Off, off),
        (Fairness::Weak, processes[0]),
        (Fairness::Strong, processes[1]),
        (Fairness::WeakAction, statements[0]),
        (Fairness::StrongAction, statements[1]),
    ]
}

const CASES: [Case; 5] = [
    // Whoever can always send is met in the end, and each meeting counts.
    Case {
        text: "byte got; bit w; chan c = [0] of { bit };
active proctype P1() { do :: c!0 od }
active proctype P2() { do :: c!0 :: w = 1 - w od }
active proctype Q() { bit x; byte n;
  do :: atomic { c?x -> n = 0; do :: n < 6 -> n++ :: else -> break od; n = 0; got = 1 - got } od }
ltl f { []<> (got == 1) }",
        violated: kinds(true, [false, false], [false, false]),
    },
    // Two who send for ever are served for ever, and need not do anything else; but a statement that can always be executed is.
    Case {
        text: "bool stop; chan c = [0] of { bit };
active proctype P1() { do :: c!0 :: stop = true od }
active proctype P2() { do :: c!0 od }
active proctype Q() { bit x; byte n;
  do :: atomic { c?x -> n = 0; do :: n < 6 -> n++ :: else -> break od; n = 0 } od }
ltl f { <> stop }",
        violated: kinds(true, [true, true], [false, false]),
    },
    // The same where the senders can be exchanged.
    Case {
        text: "bool stop; chan c = [0] of { bit };
active [2] proctype P() { do :: c!0 :: stop = true od }
active proctype Q() { byte n; do :: atomic { c?_ -> for (n : 1 .. 6) { skip }; n = 0 } od }
ltl f { <> stop }",
        violated: kinds(true, [true, true], [false, false]),
    },
    // And where the way is short.
    Case {
        text: "bool stop; bit k; chan c = [0] of { bit };
active [2] proctype P() { do :: c!0 :: stop = true od }
active proctype Q() { do :: atomic { c?_ -> k = 1 - k } od }
ltl f { <> stop }",
        violated: kinds(true, [true, true], [false, false]),
    },
    // A statement that is executed where it changes nothing has been executed.
    Case {
        text: "byte y; bit z; byte n;
active proctype P() {
  do :: atomic { if :: y = 0 :: y = z fi; n = 0; do :: n < 6 -> n++ :: else -> break od; n = 0 } od }
active proctype Z() { do :: z = 1 - z od }
ltl f { <> (y == 1) }",
        violated: kinds(true, [true, true], [true, true]),
    },
];

#[test]
fn whoever_takes_part_has_acted() {
    for (number, case) in CASES.iter().enumerate() {
        let loaded = forever::load(Path::new("meetings.pml"), case.text);
        let loaded = loaded.unwrap_or_else(|why| panic!("{number}: {why}"));
        let mut dice = RandomSource::new(number as u64);
        for (fairness, violated) in case.violated {
            let others = (0..6).map(|_| Manner::random(&mut dice));
            let manners = [Manner::PLAIN, Manner::USUAL, Manner::REFERENCE];
            for manner in manners.into_iter().chain(others) {
                let opinion = forever::ask(&loaded, "f", manner, fairness, 10_000);
                let opinion = opinion.unwrap_or_else(|why| panic!("{number}: {manner:?}: {why}"));
                let found = opinion.violated();
                let is_right = found.is_none_or(|found| found == violated);
                assert!(is_right, "{number}: {fairness:?}, {manner:?}: {opinion:?}");
                assert!(manner != Manner::PLAIN || found.is_some(), "{number}");
            }
        }
    }
}

/// Beside a process that changes `y` for ever, one goes into a sequence that need not end.
fn caught(inside: &str) -> String {
    format!(
        "bit x, y; active proctype P() {{ byte n; atomic {{ x == 0 -> {inside} }} }}
active proctype Q() {{ do :: y = 1 - y od }}
ltl f {{ []<> (y == 1) }}"
    )
}

/// A run that never comes out of a step has no state after it, and a formula cannot be said to hold. Steps that go round and come out are steps.
#[test]
fn a_step_without_end_leaves_the_question_open() {
    let endless = ["do :: x == 0 od", "do :: n = 1 - n :: n > 1 -> break od"];
    let ending = ["do :: n < 20 -> n++ :: else -> break od", "skip"];
    let asked = |inside: &str, manner| {
        let loaded = forever::load(Path::new("caught.pml"), &caught(inside));
        let loaded = loaded.unwrap_or_else(|why| panic!("{inside}: {why}"));
        let opinion = forever::ask(&loaded, "f", manner, Fairness::Weak, 10_000);
        opinion.unwrap_or_else(|why| panic!("{inside}: {manner:?}: {why}"))
    };
    for manner in [Manner::PLAIN, Manner::USUAL, Manner::REFERENCE] {
        for inside in endless {
            let opinion = asked(inside, manner);
            let is_open = matches!(&opinion, Opinion::NotAvailable(why) if why.contains("atomic"));
            assert!(is_open, "{inside}: {manner:?}: {opinion:?}");
        }
        for inside in ending {
            let opinion = asked(inside, manner);
            assert_eq!(opinion.violated(), Some(false), "{inside}: {manner:?}");
        }
    }
}
