//! Models as courses and projects write them, with processes that end: made one by one, with channels of their own, beside properties. The table in `docs/symmetry.md` is about these.

use mandala_checker::options::SymmetryChoice;
use mandala_conformance::reduced::{Case, Manner};
use mandala_conformance::spin::Claim;
use mandala_groups::BigUint;
use std::path::Path;

/// What it is about, the model, and the order of the group for safety.
const MODELS: &[(&str, &str, u32)] = &[
    (
        "made one by one",
        "byte n; proctype W() { n++; n-- } init { run W(); run W(); run W() }",
        6,
    ),
    (
        "a channel for the answer, with a name",
        "chan server = [1] of { byte, chan };
         proctype C(byte n) { chan mine = [1] of { byte }; byte x; server ! n, mine; mine ? x; assert(x == 7) }
         active proctype S() { byte n; chan c; end: do :: server ? n, c -> c ! 7; c = 0; n = 0 od }
         init { run C(5); run C(5); run C(5) }",
        144,
    ),
    // Answers are as long as questions: whoever has a channel may mean either.
    (
        "a channel for the answer, alone",
        "chan server = [1] of { chan };
         proctype C() { chan mine = [1] of { byte }; byte x; server ! mine; mine ? x; assert(x == 7) }
         active proctype S() { chan c; end: do :: server ? c -> c ! 7 od }
         init { run C(); run C(); run C() }",
        1,
    ),
    (
        "a formula without next",
        "byte done; proctype P() { done++ }
         init { atomic { run P(); run P(); run P(); run P() } }
         ltl all { <> (done == 4) }",
        24,
    ),
    (
        "a claim that cannot count",
        "byte inside; active [4] proctype P() { atomic { inside == 0 -> inside++ }; inside-- }
         never { do :: inside <= 1 :: inside > 1 -> break od }",
        24,
    ),
    (
        "waiting for all by counting processes",
        "byte sum; proctype W(byte k) { sum = sum + k }
         init { run W(2); run W(2); run W(2); (_nr_pr == 1); assert(sum == 6) }",
        1,
    ),
    (
        "waiting for all by messages",
        "chan done = [0] of { bit }; byte sum; proctype W() { sum++; done ! 1 }
         init { byte i; atomic { run W(); run W(); run W() }
           do :: i < 3 -> done ? _; i++ :: else -> break od; assert(sum == 3) }",
        6,
    ),
    (
        "giving up at a time-out",
        "byte stock = 2; byte got;
         proctype C() { if :: atomic { stock > 0 -> stock-- }; got++ :: timeout -> skip fi }
         init { atomic { run C(); run C(); run C() } }",
        6,
    ),
    (
        "a pool that is emptied while it is made",
        "byte tasks = 3; byte finished;
         proctype W() { do :: atomic { tasks > 0 -> tasks-- }; finished++ :: atomic { tasks == 0 -> break } od }
         init { byte i; for (i : 1 .. 4) { run W() } }",
        24,
    ),
    (
        "a lock that knows its owner",
        "byte owner = 255;
         active [3] proctype P() { atomic { owner == 255 -> owner = _pid }; assert(owner == _pid); owner = 255 }",
        6,
    ),
];

#[test]
fn models_of_courses_get_their_groups_and_keep_their_verdicts() {
    for (what, text, expected) in MODELS {
        let case = Case::load(Path::new("course.pml"), text, &[], Claim::None);
        let case = case.unwrap_or_else(|e| panic!("{what}: {e}"));
        let symmetry = case.symmetry().unwrap_or_else(|e| panic!("{what}: {e}"));
        let order: BigUint = symmetry.account.group.order.parse().expect("a number");
        assert_eq!(order, BigUint::from(*expected), "{what}");
        let search = |manner| {
            let found = case.search(manner, &symmetry);
            found.unwrap_or_else(|e| panic!("{what}: {e:?}"))
        };
        let all = search(Manner::OFF);
        let representatives = search(Manner {
            symmetry: SymmetryChoice::default(),
            ..Manner::OFF
        });
        assert_eq!(all.violated, representatives.violated, "{what}");
        let images = order * representatives.states;
        assert!(BigUint::from(all.states) <= images, "{what}");
    }
}
