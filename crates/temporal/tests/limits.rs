//! Formulas out of reach are refused in good time, and long ones within reach do no harm.

use crate::common::letters;
use mandala_temporal::{Formula, Names, TooComplex, never_claim, translate};

fn p(number: usize) -> Formula {
    Formula::proposition(number)
}

fn refused(formula: &Formula) {
    let names = Names::default();
    assert_eq!(translate(formula, &names), Err(TooComplex), "{formula}");
}

#[test]
fn nested_equivalences() {
    refused(&(1..60).fold(p(0), |formula, number| formula.equiv(p(number))));
}

#[test]
fn enormous_formulas() {
    let formula = (1..10_000).fold(p(0), |formula, number| formula.or(p(number).always()));
    refused(&formula);
    assert_eq!(never_claim(&formula, &letters()), Err(TooComplex));
    refused(&(0..10_000).fold(p(0), |formula, _| formula.negate()));
}

#[test]
fn too_many_states() {
    let eventualities = |count| (1..count).fold(p(0).eventually(), |f, n| f.and(p(n).eventually()));
    let fair = |count| {
        (1..count).fold(p(0).eventually().always(), |f, n| {
            f.and(p(n).eventually().always())
        })
    };
    refused(&eventualities(9));
    refused(&fair(40));
    assert!(translate(&eventualities(5), &Names::default()).is_ok());
}

#[test]
fn long_formulas_within_reach() {
    let conjunction = (1..120).fold(p(0), |formula, number| formula.and(p(number).negate()));
    let automaton = translate(&conjunction.clone().always(), &Names::default()).expect("one state");
    assert_eq!(automaton.states.len(), 1);
    let claim = never_claim(&conjunction.always(), &Names::default()).expect("an invariant");
    assert_eq!(claim.predicates.len(), 1);
    assert_eq!(claim.automaton.states.len(), 2);
    let later = (0..400).fold(p(0), |formula, _| formula.next());
    let automaton = translate(&later, &Names::default()).expect("a line of states");
    assert_eq!(automaton.states.len(), 402);
}
