//! What is asked of each of several members that can be exchanged, on random systems: with symmetry and without it, as the reference engine and decision diagrams have it, whatever
//! runs have to be fair to. A counterexample says for which members it is one, and is replayed from its document.
//!
//! [`Dose`] says how many systems and from which seed on.
#![allow(clippy::print_stdout)]

use mandala_checker::options::{Choice, SymmetryChoice};
use mandala_conformance::dose::Dose;
use mandala_conformance::engines;
use mandala_conformance::forever::{self, Fairness, Manner, Opinion};
use mandala_conformance::indexed::{self, Case};
use mandala_conformance::random::RandomSource;
use std::path::Path;

/// How many systems a usual dose has.
const USUAL: u64 = 60;

/// How many states a system may have.
const STATES: u64 = 5_000;

#[derive(Debug, Default)]
struct Tally {
    agreed: u64,
    violated: u64,
    reduced: u64,
    on_diagrams: u64,
}

impl Tally {
    /// That enough was asked to say something.
    fn check(&self) {
        assert!(self.violated > 0 && self.violated < self.agreed);
        assert!(self.reduced > 0 && self.on_diagrams > 0);
    }
}

#[test]
fn formulas_with_indices_have_one_answer() {
    let dose = Dose::of("random formulas with indices", USUAL);
    let mut tally = Tally::default();
    for seed in dose.seeds() {
        let case = indexed::promela(seed);
        let loaded = forever::load_branching(Path::new("random.pml"), &case.text, &case.formula);
        let asked = loaded.and_then(|loaded| {
            let ask = |manner, fairness| {
                forever::ask(&loaded, forever::BRANCHING, manner, fairness, STATES)
            };
            compare(seed, Fairness::ALL, &ask, &mut tally)
        });
        asked.unwrap_or_else(|what| panic!("{}", told(seed, &case, &what)));
    }
    println!("{tally:?}");
    tally.check();
}

#[test]
fn liveness_in_rulesets_has_one_answer() {
    let dose = Dose::of("random liveness in rulesets", USUAL);
    let mut tally = Tally::default();
    for seed in dose.seeds() {
        let case = indexed::murphi(seed);
        let loaded = forever::load_alone(Path::new("random.m"), &case.text);
        let asked = loaded.and_then(|loaded| {
            let ask =
                |manner, fairness| forever::ask(&loaded, indexed::LIVE, manner, fairness, STATES);
            compare(seed, &[Fairness::Off], &ask, &mut tally)
        });
        asked.unwrap_or_else(|what| panic!("{}", told(seed, &case, &what)));
    }
    println!("{tally:?}");
    tally.check();
}

fn told(seed: u64, case: &Case, what: &str) -> String {
    format!("seed {seed}: {what}\n{}\n{}", case.formula, case.text)
}

fn compare(
    seed: u64,
    kinds: &[Fairness],
    ask: &dyn Fn(Manner, Fairness) -> Result<Opinion, String>,
    tally: &mut Tally,
) -> Result<(), String> {
    let mut dice = RandomSource::new(seed);
    for &fairness in kinds {
        let plain = ask(Manner::PLAIN, fairness)?;
        let Some(violated) = plain.violated() else {
            continue;
        };
        let mut manners = vec![Manner::USUAL, Manner::random(&mut dice), Manner::REFERENCE];
        if fairness == Fairness::Off {
            let ways = engines::Manner::ALL.map(SymmetryChoice::OnSets);
            let ways = std::iter::once(SymmetryChoice::Off).chain(ways);
            manners.extend(ways.map(|way| Manner::on_diagrams(&mut dice, way)));
        }
        for manner in manners {
            let opinion = ask(manner, fairness)?;
            if opinion.violated().is_some_and(|other| other != violated) {
                return Err(format!("{fairness:?}: {plain:?}, {manner:?}: {opinion:?}"));
            }
            let usual = manner == Manner::USUAL;
            if usual && opinion.violated().is_none() {
                return Err(format!("{fairness:?}: {manner:?}: {opinion:?}"));
            }
            tally.reduced += u64::from(usual && opinion.is_reduced());
            let on_diagrams = manner.engine.name() == "symbolic" && opinion.violated().is_some();
            tally.on_diagrams += u64::from(on_diagrams);
        }
        tally.agreed += 1;
        tally.violated += u64::from(violated);
    }
    Ok(())
}
