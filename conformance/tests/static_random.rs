//! Static reductions change nothing about random programs but the number of states: not the verdicts, not which
//! statements are reached; and every counterexample is a run of the program as it was written. [`Dose`] says how many, and from
//! which seed on.

use mandala_conformance::dose::Dose;
use mandala_conformance::statics::compare;
use mandala_conformance::with_and_without::{of_all_kinds, random, symmetric};

/// Programs with more states are left out.
const LARGEST: u64 = 4_000;

#[test]
fn programs_of_all_kinds() {
    let dose = Dose::of("random programs with static reductions", 20);
    random(of_all_kinds(dose), compare, LARGEST).require_of(dose, 8);
}

#[test]
fn symmetric_programs_and_their_mutants() {
    let dose = Dose::of("symmetric programs with static reductions", 20);
    random(symmetric(dose), compare, LARGEST).require_of(dose, 8);
}
