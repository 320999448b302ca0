//! What happens for ever in random symmetric programs, for runs that are fair to processes or statements: with symmetry the verdicts are those without it, and those of
//! the reference engine.
//!
//! Most formulas treat all names alike. Some name one process, which leaves less of the symmetry. The seeds are fixed, so a run is
//! repeatable; `FAIR_MODELS=1000` and `FAIR_SEED=5000` ask for more and for others. A disagreement is shrunk before it is shown.
#![allow(clippy::print_stdout)]

use mandala_conformance::formula;
use mandala_conformance::symmetric::{self, arranged};
use mandala_conformance::temporal::{Effort, Subject, Tally, number, survey};

/// How many programs are examined if nobody asks for more.
const USUAL: u64 = 60;

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
    let wanted = number("FAIR_MODELS").unwrap_or(USUAL);
    let first = number("FAIR_SEED").unwrap_or(0);
    let surveyed = survey(first, effort, subject, |s| s.programs >= wanted);
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
    assert!(violated * 10 > agreed && violated * 10 < agreed * 9);
    // Where there is no symmetry, it cannot change anything.
    assert!(reduced * 3 > agreed && interpreted * 2 > agreed && saved > 0);
}
