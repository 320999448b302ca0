//! The automata are the very automata that Spin makes: the same text, state by state and option by option, which is
//! more than being isomorphic.
//!
//! These tests do nothing where Spin is not installed; there, the recorded claims stand in for it (`recorded.rs`).

use crate::common::{
    FORMULAS, Random, declared_letters, letters, operator_by_operator, parse, printed, spin,
    spin_claim, spin_is_installed,
};
use mandala_temporal::{Formula, Names, never_claim, translate};

const RANDOM_FORMULAS: usize = 300;

fn random_formulas(seed: u64, count: usize) -> impl Iterator<Item = Formula> {
    let mut random = Random::new(seed);
    (0..count).map(move |_| {
        let size = 1 + random.below(8);
        random.formula(size, 4)
    })
}

/// Compares the automaton of the formula itself.
fn check_automaton(formula: &Formula) {
    let text = operator_by_operator(formula);
    let automaton = translate(formula, &letters()).expect("not too complex");
    assert_eq!(printed(&automaton, &letters()), spin(&text), "{text}");
}

/// Compares the claim made for a model with the formula as its property.
fn check_claim(formula: &Formula) {
    check_claim_over(formula, &letters(), &declared_letters());
}

fn check_claim_over(formula: &Formula, names: &Names, declarations: &str) {
    let claim = never_claim(formula, names).expect("not too complex");
    let text = formula.named(names);
    let theirs = spin_claim(formula, names, declarations);
    assert_eq!(
        printed(&claim.over_predicates, &claim.predicate_names()),
        theirs,
        "{text}"
    );
}

#[test]
fn automata_of_listed_formulas() {
    if spin_is_installed() {
        FORMULAS
            .iter()
            .for_each(|text| check_automaton(&parse(text)));
    }
}

#[test]
fn claims_of_listed_formulas() {
    if spin_is_installed() {
        FORMULAS.iter().for_each(|text| check_claim(&parse(text)));
    }
}

#[test]
fn automata_of_random_formulas() {
    if spin_is_installed() {
        random_formulas(1, RANDOM_FORMULAS).for_each(|formula| check_automaton(&formula));
    }
}

#[test]
fn claims_of_random_formulas() {
    if spin_is_installed() {
        random_formulas(2, RANDOM_FORMULAS).for_each(|formula| check_claim(&formula));
    }
}

#[test]
fn claims_over_expressions() {
    let names = ["(x==1)", "flag", "(len(queue)<2)", "((x+y)>=3)"];
    let declarations = "byte x, y; bool flag; chan queue = [2] of { byte };";
    if spin_is_installed() {
        let names: Names = names.into_iter().collect();
        for formula in random_formulas(3, 60) {
            check_claim_over(&formula, &names, declarations);
        }
    }
}
