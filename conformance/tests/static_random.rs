//! Static reductions change nothing about random programs but the number of states: not the verdicts, not which
//! statements are reached; and every counterexample is a run of the program as it was written. The seeds are fixed, so a run
//! is repeatable.

use mandala_conformance::lessened::{of_all_kinds, random, symmetric};
use mandala_conformance::statics::compare;

/// Programs with more states are left out.
const LARGEST: u64 = 4_000;

#[test]
fn programs_of_all_kinds() {
    random(of_all_kinds(120), compare, LARGEST).require(60, 8);
}

#[test]
fn symmetric_programs_and_their_mutants() {
    random(symmetric(30), compare, LARGEST).require(60, 8);
}
