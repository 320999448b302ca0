//! Formulas of computation tree logic on random symmetric programs: all runs or the fair ones, with symmetry and without it, as the
//! reference engine has it; and the same on decision diagrams, for all runs.
//!
//! [`Dose`] says how many answers and from which seed on.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{Choice, SymmetryChoice};
use mandala_conformance::branching;
use mandala_conformance::dose::Dose;
use mandala_conformance::engines;
use mandala_conformance::forever::{self, Fairness, Manner, Opinion};
use mandala_conformance::formula;
use mandala_conformance::identical_processes;
use mandala_conformance::random::RandomSource;
use mandala_conformance::symmetric::{self, arranged};
use std::path::Path;

/// How many answers a usual dose has: five for each formula, one for each kind of fairness.
const USUAL: u64 = 80;

/// How many formulas a program gets.
const FORMULAS: usize = 3;

/// How many states a program may have.
const STATES: u64 = 1_000;

#[derive(Debug, Default)]
struct Tally {
    agreed: u64,
    violated: u64,
    reduced: u64,
    /// Formulas about which fairness changes the answer.
    changed: u64,
    /// Answers on decision diagrams.
    on_diagrams: u64,
}

#[test]
fn formulas_of_branching_time_have_one_answer() {
    let dose = Dose::of("random formulas of branching time", USUAL);
    let mut tally = Tally::default();
    let mut seed = dose.first;
    while tally.agreed < dose.size {
        examine(seed, &mut tally).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        seed += 1;
    }
    println!("{} programs: {tally:?}", seed - dose.first);
    let Tally {
        agreed,
        violated,
        reduced,
        changed,
        ..
    } = tally;
    assert!(violated > 0 && violated < agreed && reduced > 0);
    if dose.is_large {
        assert!(violated * 10 > agreed && violated * 10 < agreed * 9);
        assert!(reduced * 3 > agreed && changed > 0);
    }
}

fn examine(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let (text, conditions) = program(seed);
    if conditions.is_empty() {
        return Ok(());
    }
    let mut dice = RandomSource::new(seed ^ 0x0043_544c);
    for _ in 0..FORMULAS {
        let formula = branching::random(&mut dice, &conditions);
        let loaded = forever::load_branching(Path::new("random.pml"), &text, &formula);
        let loaded = loaded.map_err(|what| format!("{what}\n{formula}\n{text}"))?;
        compare(&loaded, &mut dice, tally).map_err(|what| format!("{what}\n{formula}\n{text}"))?;
    }
    Ok(())
}

/// Processes that can be exchanged for each other, or every third time some that stand in an arrangement; and conditions
/// that mostly treat all names alike.
fn program(seed: u64) -> (String, Vec<String>) {
    let (program, mut conditions) = match seed % 3 {
        0 => {
            let specimen = arranged::specimen(seed);
            (specimen.program.without_assertions(), Vec::new())
        }
        _ => symmetric::observed(seed),
    };
    if conditions.is_empty() || seed.is_multiple_of(5) {
        conditions.extend(formula::atoms(&program));
    }
    (program.to_string(), conditions)
}

fn compare(loaded: &LoadedModel, dice: &mut RandomSource, tally: &mut Tally) -> Result<(), String> {
    let mut answers = Vec::new();
    for &fairness in Fairness::ALL {
        let manners = [Manner::USUAL, Manner::random(dice), Manner::REFERENCE];
        let ask = |manner| forever::ask(loaded, forever::BRANCHING, manner, fairness, STATES);
        let plain = ask(Manner::PLAIN)?;
        let Some(violated) = plain.violated() else {
            continue;
        };
        for manner in manners {
            let opinion = ask(manner)?;
            // What is usual may be too large, but it is available.
            let silent = manner == Manner::USUAL && matches!(opinion, Opinion::NotAvailable(_));
            if silent || opinion.violated().is_some_and(|other| other != violated) {
                return Err(format!("{fairness:?}: {plain:?}, {manner:?}: {opinion:?}"));
            }
            let missing = manner.engine == Manner::REFERENCE.engine && opinion.violated().is_none();
            if missing && opinion != Opinion::TooLarge {
                return Err(format!("{fairness:?}: {manner:?}: {opinion:?}"));
            }
            tally.reduced += u64::from(manner == Manner::USUAL && opinion.is_reduced());
        }
        tally.agreed += 1;
        tally.violated += u64::from(violated);
        answers.push(violated);
    }
    answers.dedup();
    tally.changed += u64::from(answers.len() > 1);
    Ok(())
}

#[test]
fn formulas_have_the_same_answer_on_decision_diagrams() {
    // Each of them is asked about in five ways.
    let dose = Dose::of("formulas of branching time on diagrams", USUAL / 5);
    let mut tally = Tally::default();
    let mut seed = dose.first;
    while tally.agreed < dose.size {
        examine_on_diagrams(seed, &mut tally).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        seed += 1;
    }
    println!("{} programs: {tally:?}", seed - dose.first);
    let Tally {
        agreed,
        violated,
        reduced,
        on_diagrams,
        ..
    } = tally;
    assert!(violated > 0 && violated < agreed && on_diagrams > 0 && reduced > 0);
    if dose.is_large {
        assert!(violated * 10 > agreed && violated * 10 < agreed * 9);
        assert!(on_diagrams > agreed * 4 && reduced > agreed);
    }
}

fn examine_on_diagrams(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let (text, conditions) = identical_processes::program(seed);
    let mut dice = RandomSource::new(seed ^ 0x0042_4444);
    for _ in 0..FORMULAS {
        let formula = branching::random(&mut dice, &conditions);
        let loaded = forever::load_branching(Path::new("random.pml"), &text, &formula);
        let loaded = loaded.map_err(|what| format!("{what}\n{formula}\n{text}"))?;
        compare_on_diagrams(&loaded, &mut dice, tally)
            .map_err(|what| format!("{what}\n{formula}\n{text}"))?;
    }
    Ok(())
}

/// Asks the engine that has sets of states, without symmetry and in all its ways to use it.
fn compare_on_diagrams(
    loaded: &LoadedModel,
    dice: &mut RandomSource,
    tally: &mut Tally,
) -> Result<(), String> {
    let ask = |manner| forever::ask(loaded, forever::BRANCHING, manner, Fairness::Off, STATES);
    let Some(violated) = ask(Manner::REFERENCE)?.violated() else {
        return Ok(());
    };
    let ways = engines::Manner::ALL.map(SymmetryChoice::OnSets);
    for symmetry in std::iter::once(SymmetryChoice::Off).chain(ways) {
        let manner = Manner::on_diagrams(dice, symmetry);
        let opinion = ask(manner)?;
        // Not every symmetry of data can be used on sets, and that is said.
        let is_refused =
            symmetry != SymmetryChoice::Off && matches!(opinion, Opinion::NotAvailable(_));
        if is_refused {
            continue;
        }
        if opinion.violated() != Some(violated) {
            return Err(format!("violated: {violated}, {manner:?}: {opinion:?}"));
        }
        tally.on_diagrams += 1;
        tally.reduced += u64::from(opinion.is_reduced());
    }
    tally.agreed += 1;
    tally.violated += u64::from(violated);
    Ok(())
}
