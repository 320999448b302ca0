//! Random formulas on random programs: whatever way Mandala goes, and Spin where it is installed, everybody has the same verdict.
//!
//! [`Dose`] says how many combinations and from which seed on: a combination is a formula with a kind of fairness. A disagreement is shrunk before
//! it is shown.
#![allow(clippy::print_stdout)]

use mandala_conformance::dose::Dose;
use mandala_conformance::program::Program;
use mandala_conformance::spin::Spin;
use mandala_conformance::temporal::{Effort, Subject, Survey, Tally, survey};
use mandala_conformance::{generate, reactive, symmetric};

/// How many combinations a usual dose has.
const USUAL: u64 = 90;

/// Programs of four kinds in turn, those that go on for ever most often.
fn program(seed: u64) -> Program {
    match seed % 6 {
        0 => generate::system(seed),
        1 => symmetric::specimen(seed).program.without_assertions(),
        2 => reactive::meetings(seed),
        _ => reactive::program(seed),
    }
}

fn subject(seed: u64) -> Subject {
    Subject::new(program(seed), seed)
}

#[test]
fn random_formulas_mean_the_same_to_everybody() {
    let spin = Spin::find();
    if spin.is_none() {
        println!("Spin is not installed: our own engines are compared with each other only");
    }
    let effort = Effort {
        spin: spin.as_ref(),
        ..Effort::RANDOM
    };
    let dose = Dose::of("random formulas", USUAL);
    let surveyed = survey(dose.first, effort, subject, |s| s.tally.agreed >= dose.size);
    conclude(&surveyed, dose, spin.is_some());
}

fn conclude(survey: &Survey, dose: Dose, with_spin: bool) {
    println!("{} programs: {:?}", survey.programs, survey.tally);
    let disagreements = &survey.disagreements;
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    // Verdicts that are always the same would be the same for everybody.
    let Tally {
        agreed,
        confirmed,
        violated,
        rounds,
        saved,
        partly,
        whole_states,
        states_left_out,
        ..
    } = survey.tally;
    assert!(violated > 0 && violated < agreed && rounds > 0);
    if !dose.is_large {
        return;
    }
    assert!(violated * 10 > agreed && violated * 10 < agreed * 9);
    assert!(rounds * 10 > agreed && saved > 2);
    // One kind of fairness in five is none at all, and most formulas have no next. A reduction that leaves out nothing would show nothing.
    assert!(partly * 10 > agreed && states_left_out * 50 > whole_states);
    // Spin knows two of the five kinds, and one of them as we do in most programs.
    assert!(!with_spin || confirmed * 5 > agreed);
}
