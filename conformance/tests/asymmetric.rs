//! Models that are symmetric but for few statements: adaptive symmetry reduction and virtual symmetry, compared with searches of all states.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{
    AfterViolation, CheckOptions, EngineChoice, Limits, PartialSymmetry, Selection, SymmetryChoice,
};
use mandala_checker::run::{CheckError, EngineError};
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_conformance::asymmetric::{Covered, arbitrated, compare, program};
use mandala_conformance::branching;
use mandala_conformance::dose::Dose;
use mandala_conformance::engines::load_text;
use mandala_conformance::forever::load_branching;
use mandala_conformance::random::RandomSource;
use mandala_conformance::symmetric::mutant;
use mandala_report::Document;
use mandala_report::document::Verdict;
use std::path::Path;

/// Programs with more states are left out.
const MOST_STATES: usize = 3_000;

const ADAPTIVE: SymmetryChoice = SymmetryChoice::Partial(PartialSymmetry::Adaptive);
const VIRTUAL: SymmetryChoice = SymmetryChoice::Partial(PartialSymmetry::Virtual);

/// What is known of a model, or why nothing is.
fn asked(loaded: &LoadedModel, options: CheckOptions) -> Result<Result<Document, String>, String> {
    let options = CheckOptions {
        limits: Limits {
            states: Some(MOST_STATES as u64),
            ..Limits::default()
        },
        ..options
    };
    match check(loaded, &options, &mut Nobody) {
        Ok(document) => Ok(Ok(document)),
        Err(Refusal::Check(CheckError::Engine(EngineError::NotTaken { what, .. }))) => {
            Ok(Err(what))
        }
        Err(refusal) => Err(format!("{refusal:?}")),
    }
}

fn safety(symmetry: SymmetryChoice, after_violation: AfterViolation) -> CheckOptions {
    CheckOptions {
        symmetry,
        after_violation,
        properties: Selection::Named(vec!["safety".into()]),
        ..CheckOptions::default()
    }
}

fn verdict(document: &Document) -> Verdict {
    document.properties[0].verdict
}

/// Compares verdicts of safety with and without the reduction. Says whether it was made.
fn same_safety(text: &str) -> Result<bool, String> {
    let loaded = load_text(Path::new("random.pml"), text, &[])?;
    let mut made = false;
    for after in [AfterViolation::Stop, AfterViolation::GoOn] {
        let plain = asked(&loaded, safety(SymmetryChoice::Off, after))?;
        let Ok(reduced) = asked(&loaded, safety(ADAPTIVE, after))? else {
            return Ok(false);
        };
        let plain = plain.map_err(|what| format!("without symmetry: {what}"))?;
        let (one, other) = (verdict(&plain), verdict(&reduced));
        if one == Verdict::Unknown || other == Verdict::Unknown {
            return Ok(false);
        }
        if one != other {
            return Err(format!(
                "{after:?}: {one:?} without, {other:?} with the reduction"
            ));
        }
        made = true;
    }
    Ok(made)
}

#[test]
fn abstract_states_stand_for_the_reachable_states_exactly() {
    let dose = Dose::of("asymmetric programs, all states", 12);
    let (mut exact, mut reduced, mut refused) = (0, 0, 0);
    for seed in dose.first..dose.first + dose.size {
        let text = program(seed);
        match compare(&text, MOST_STATES) {
            Ok(Covered::Exactly { pairs, states }) => {
                exact += 1;
                reduced += u64::from(pairs < states);
            }
            Ok(Covered::TooLarge) => {}
            Ok(Covered::NotTaken) => refused += 1,
            Err(what) => panic!("seed {seed}: {what}\n{text}"),
        }
        let same = same_safety(&text);
        assert!(same.is_ok(), "seed {seed}: {same:?}\n{text}");
    }
    println!("{exact} exact, {reduced} of them with fewer abstract states, {refused} not taken");
    assert!(exact > 0 && reduced > 0, "{exact} {reduced}");
    assert!(!dose.is_large || exact * 4 > dose.size, "{exact}");
}

#[test]
fn slips_in_symmetric_programs_are_no_obstacle() {
    let dose = Dose::of("symmetric programs with a slip, all states", 8);
    let (mut exact, mut reduced) = (0, 0);
    for seed in dose.first..dose.first + dose.size {
        let text = mutant(seed, seed ^ 0x534c_4950).program.to_string();
        match compare(&text, MOST_STATES) {
            Ok(Covered::Exactly { pairs, states }) => {
                exact += 1;
                reduced += u64::from(pairs < states);
            }
            Ok(Covered::TooLarge | Covered::NotTaken) => {}
            Err(what) => panic!("seed {seed}: {what}\n{text}"),
        }
    }
    println!("{exact} exact, {reduced} of them with fewer abstract states");
    assert!(exact > 0 && reduced > 0, "{exact} {reduced}");
}

/// How many formulas are asked of each program.
const FORMULAS: usize = 3;

#[test]
fn formulas_have_the_same_answer_on_bisimilar_orbits() {
    let dose = Dose::of(
        "formulas of branching time on virtually symmetric programs",
        30,
    );
    let (mut agreed, mut violated, mut refused) = (0u64, 0u64, 0u64);
    for seed in dose.first..dose.first + dose.size {
        let (text, conditions) = arbitrated(seed);
        let mut dice = RandomSource::new(seed);
        for _ in 0..FORMULAS {
            let formula = branching::random(&mut dice, &conditions);
            let loaded = load_branching(Path::new("random.pml"), &text, &formula);
            let loaded = loaded.unwrap_or_else(|what| panic!("{what}\n{formula}\n{text}"));
            let last = loaded.model.properties.last().map(|p| p.name.clone());
            let with = |symmetry, engine| CheckOptions {
                symmetry,
                engine,
                properties: Selection::Named(last.clone().into_iter().collect()),
                ..CheckOptions::default()
            };
            let plain = asked(&loaded, with(SymmetryChoice::Off, EngineChoice::EXPLICIT));
            let reduced = asked(&loaded, with(VIRTUAL, EngineChoice::EXPLICIT));
            let plain = plain.unwrap().unwrap();
            match reduced.unwrap_or_else(|what| panic!("seed {seed}: {what}\n{formula}\n{text}")) {
                Ok(reduced) => {
                    let (one, other) = (verdict(&plain), verdict(&reduced));
                    assert_eq!(one, other, "seed {seed}\n{formula}\n{text}");
                    agreed += 1;
                    violated += u64::from(one == Verdict::Violated);
                }
                Err(why) => {
                    assert!(why.contains("--symmetry virtual"), "{why}");
                    refused += 1;
                }
            }
        }
    }
    println!("{agreed} agreed, {violated} of them violated, {refused} refused");
    assert!(violated > 0 && violated < agreed && refused > 0);
}
