//! Operators in front of formulas, in a language that does not reserve their names.
//!
//! Between two formulas a word can only be an operator. Before a formula it may also be a name of the model: `next` is an operator only if
//! something follows that a formula begins with and that no name is followed by, so `next[1]` and `next = 3` are what the model calls
//! `next`. `A` and `E` before a bracket or a parenthesis begin a path.

use crate::words;
use mandala_model::property::{BinaryTemporal, Runs, UnaryTemporal};

/// What formulas are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// All runs.
    Linear,
    /// What may happen in each state: quantifiers over runs say which are meant.
    Branching,
}

/// A token, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign<'t> {
    /// A name.
    Word(&'t str),
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `(`
    LeftParen,
    /// Something else that a condition begins with, and that never follows a name.
    Begins,
    /// Anything else.
    Other,
}

/// What stands before a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// An operator of so many tokens.
    Operator(UnaryTemporal, usize),
    /// A quantifier over runs, which is one token, and the operator that is written together with it.
    Quantifier(Runs, Option<UnaryTemporal>),
}

/// How tightly an operator between two formulas binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tightness {
    /// As implication does.
    Implies,
    /// Tighter than what joins conditions, looser than comparisons.
    Until,
}

/// The operator between two formulas that a word is.
pub fn between(word: &str) -> Option<(BinaryTemporal, Tightness)> {
    let op = words::binary(word)?;
    let tightness = match op {
        BinaryTemporal::Until | BinaryTemporal::WeakUntil | BinaryTemporal::Release => {
            Tightness::Until
        }
        BinaryTemporal::And
        | BinaryTemporal::Or
        | BinaryTemporal::Implies
        | BinaryTemporal::Equivalent => Tightness::Implies,
    };
    Some((op, tightness))
}

/// What stands before a formula at the first of the tokens ahead, if something does.
pub fn prefix<'t>(logic: Logic, ahead: impl Fn(usize) -> Sign<'t>) -> Option<Prefix> {
    let Sign::Word(word) = ahead(0) else {
        return sign([ahead(0), ahead(1)]).map(|op| Prefix::Operator(op, 2));
    };
    let next = ahead(1);
    let is_sign = || sign([next, ahead(2)]).is_some();
    let formula_follows = || match next {
        Sign::Word(word) => words::binary(word).is_none(),
        Sign::LeftParen | Sign::Begins => true,
        _ => is_sign(),
    };
    let path_follows = || match next {
        Sign::Word(word) => words::unary(word).is_some(),
        Sign::LeftParen | Sign::LeftBracket => true,
        _ => is_sign(),
    };
    if let Some(op) = words::unary(word) {
        return formula_follows().then_some(Prefix::Operator(op, 1));
    }
    let (runs, op) = words::quantifier(word).filter(|_| logic == Logic::Branching)?;
    let follows = match op {
        Some(_) => formula_follows(),
        None => path_follows(),
    };
    follows.then_some(Prefix::Quantifier(runs, op))
}

/// `[]` and `<>`
fn sign(signs: [Sign<'_>; 2]) -> Option<UnaryTemporal> {
    match signs {
        [Sign::LeftBracket, Sign::RightBracket] => Some(UnaryTemporal::Always),
        [Sign::Less, Sign::Greater] => Some(UnaryTemporal::Eventually),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(logic: Logic, signs: &[Sign<'static>]) -> Option<Prefix> {
        prefix(logic, |ahead| {
            signs.get(ahead).copied().unwrap_or(Sign::Other)
        })
    }

    #[test]
    fn a_word_is_an_operator_where_a_formula_follows() {
        let next = Some(Prefix::Operator(UnaryTemporal::Next, 1));
        let linear = |signs: &[Sign<'static>]| at(Logic::Linear, signs);
        assert_eq!(linear(&[Sign::Word("next"), Sign::Word("p")]), next);
        assert_eq!(linear(&[Sign::Word("X"), Sign::LeftParen]), next);
        assert_eq!(linear(&[Sign::Word("next"), Sign::Word("U")]), None);
        assert_eq!(linear(&[Sign::Word("next"), Sign::LeftBracket]), None);
        assert_eq!(linear(&[Sign::Word("next"), Sign::Less]), None);
        let always = [Sign::Word("X"), Sign::LeftBracket, Sign::RightBracket];
        assert_eq!(linear(&always), next);
    }

    #[test]
    fn quantifiers_are_of_one_logic() {
        let signs = [Sign::Word("AG"), Sign::Word("p")];
        let always = Prefix::Quantifier(Runs::All, Some(UnaryTemporal::Always));
        assert_eq!(at(Logic::Branching, &signs), Some(always));
        assert_eq!(at(Logic::Linear, &signs), None);
        let path = [Sign::Word("E"), Sign::LeftBracket];
        let some = Prefix::Quantifier(Runs::Some, None);
        assert_eq!(at(Logic::Branching, &path), Some(some));
        let name = [Sign::Word("E"), Sign::Other];
        assert_eq!(at(Logic::Branching, &name), None);
    }
}
