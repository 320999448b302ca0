//! What happens for ever in random symmetric programs, for runs that are fair to processes or statements: with symmetry the verdicts are those without it, and those of
//! the reference engine.
//!
//! Most formulas treat all names alike. Some name one process, which leaves less of the symmetry. [`Dose`] says how many programs
//! and which; a disagreement is shrunk before it is shown.
#![allow(clippy::print_stdout)]

use mandala_conformance::dose::Dose;
use mandala_conformance::formula;
use mandala_conformance::symmetric::{self, arranged};
use mandala_conformance::temporal::{Effort, Subject, Tally, survey};

/// How many programs a usual dose has.
const USUAL: u64 = 12;

/// How many formulas a program gets.
const FORMULAS: usize = 2;

/// Processes that can all be exchanged for each other, or every third time some that stand in an arrangement.
fn subject(seed: u64) -> Subject {
    let (program, mut atoms) = match seed % 3 {
        0 => {
            let specimen = arranged::specimen(seed);
            (specimen.program.without_assertions(), Vec::new())
        }
        _ => symmetric::observed(seed),
    };
    if atoms.is_empty() || seed.is_multiple_of(5) {
        atoms.extend(formula::atoms(&program));
    }
    Subject::over(program, &atoms, FORMULAS, seed)
}

#[test]
fn symmetry_never_changes_what_fair_runs_do() {
    let effort = Effort {
        states: 3_000,
        interpreted: 1_500,
        ..Effort::RANDOM
    };
    let dose = Dose::of("fair runs of symmetric programs", USUAL);
    let surveyed = survey(dose.first, effort, subject, |s| s.programs >= dose.size);
    println!("{} programs: {:?}", surveyed.programs, surveyed.tally);
    let disagreements = &surveyed.disagreements;
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    let Tally {
        agreed,
        violated,
        interpreted,
        reduced,
        saved,
        ..
    } = surveyed.tally;
    // Where there is no symmetry, it cannot change anything.
    assert!(violated > 0 && violated < agreed && reduced > 0 && interpreted > 0);
    if dose.is_large {
        assert!(violated * 10 > agreed && violated * 10 < agreed * 9);
        assert!(reduced * 3 > agreed && interpreted * 2 > agreed && saved > 0);
    }
}
