//! Never claims: what Spin makes of an `ltl` block in a model.
//!
//! To verify a property, Spin looks for a run that violates it, so the claim is the automaton of the negated formula.
//! Two things happen to the formula before it is translated, and both show in the automaton:
//!
//! - `p -> q` is replaced by `!p || q`, and `p W q` by `[]p || (p U q)`.
//! - The formula is written out, with every operand in parentheses, and read again; and what is read between
//!   parentheses without a temporal operator or `<->` in it is *one* predicate, whatever it is made of. So
//!   `[] (p -> q)` is an invariant over the single predicate `(! (p)) || (q)`. Predicates that are spelled alike are
//!   the same predicate.

use crate::automaton::Automaton;
use crate::formula::{Formula, Names};
use crate::guard::Guard;
use crate::too_complex::TooComplex;
use crate::translate::{LARGEST_FORMULA, translate};

/// A propositional part of a property that Spin reads as one predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// How it is spelled.
    pub text: String,
    /// What it is made of: a formula without temporal operators over the propositions of the property.
    pub meaning: Formula,
}

/// The automaton of the runs that violate a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverClaim {
    /// The automaton as Spin prints it: its propositions are the [predicates](NeverClaim::predicates).
    pub over_predicates: Automaton,
    /// The predicates, by the number of the proposition that stands for them.
    pub predicates: Vec<Predicate>,
    /// The same automaton over the propositions of the property.
    pub automaton: Automaton,
}

impl NeverClaim {
    /// The texts of the predicates.
    #[must_use]
    pub fn predicate_names(&self) -> Names {
        let texts = self.predicates.iter();
        texts.map(|predicate| predicate.text.as_str()).collect()
    }
}

/// The never claim of a property, given how its propositions are spelled in Spin.
///
/// Spin spells a comparison `(x==1)`, a variable `b`, `true` as `1` and `false` as `0`. A different spelling gives a
/// claim for the same property all the same, but possibly not the very automaton of Spin, which sorts by spelling.
///
/// # Errors
///
/// [`TooComplex`] if the automaton would be out of reach.
pub fn never_claim(property: &Formula, names: &Names) -> Result<NeverClaim, TooComplex> {
    if !property.is_no_larger_than(LARGEST_FORMULA) {
        return Err(TooComplex);
    }
    let mut reading = Reading {
        names,
        predicates: Vec::new(),
    };
    let formula = reading.read(&without_abbreviations(property));
    let predicates = reading.predicates;
    let texts = predicates.iter().map(|predicate| predicate.text.as_str());
    let over_predicates = translate(&formula.negate(), &texts.collect())?;
    let automaton = over_predicates.clone().map_guards(|guard| {
        guard.map_literals(&|literal| {
            let predicate = &predicates[literal.proposition.0];
            Guard::of_propositional(&predicate.meaning, literal.positive)
                .expect("predicates have no temporal operators")
        })
    });
    Ok(NeverClaim {
        over_predicates,
        predicates,
        automaton,
    })
}

/// The formula without `->` and `W`.
fn without_abbreviations(formula: &Formula) -> Formula {
    let formula = map_operands(formula, &mut without_abbreviations);
    match formula {
        Formula::Implies(f, g) => f.negate().or(*g),
        Formula::WeakUntil(f, g) => f.clone().always().or(f.until(*g)),
        other => other,
    }
}

struct Reading<'a> {
    names: &'a Names,
    predicates: Vec<Predicate>,
}

impl Reading<'_> {
    /// The formula over predicates.
    fn read(&mut self, formula: &Formula) -> Formula {
        if is_one_predicate(formula) {
            return self.predicate(formula);
        }
        map_operands(formula, &mut |operand| self.read(operand))
    }

    fn predicate(&mut self, formula: &Formula) -> Formula {
        let text = spell(formula, self.names);
        let known = self.predicates.iter().position(|p| p.text == text);
        Formula::proposition(known.unwrap_or_else(|| {
            self.predicates.push(Predicate {
                text,
                meaning: formula.clone(),
            });
            self.predicates.len() - 1
        }))
    }
}

fn is_one_predicate(formula: &Formula) -> bool {
    let operator_allows = matches!(
        formula,
        Formula::True
            | Formula::False
            | Formula::Proposition(_)
            | Formula::Not(_)
            | Formula::And(..)
            | Formula::Or(..)
    );
    operator_allows && formula.operands().all(is_one_predicate)
}

fn spell(formula: &Formula, names: &Names) -> String {
    let operands: Vec<String> = formula.operands().map(|f| spell(f, names)).collect();
    match (formula, operands.as_slice()) {
        (Formula::True, _) => "1".to_owned(),
        (Formula::False, _) => "0".to_owned(),
        (Formula::Not(_), [operand]) => format!("! ({operand})"),
        (Formula::And(..), [left, right]) => format!("({left}) && ({right})"),
        (Formula::Or(..), [left, right]) => format!("({left}) || ({right})"),
        _ => formula.named(names).to_string(),
    }
}

/// The same operator over mapped operands.
fn map_operands(formula: &Formula, map: &mut dyn FnMut(&Formula) -> Formula) -> Formula {
    let one = |f: &Formula, map: &mut dyn FnMut(&Formula) -> Formula| Box::new(map(f));
    match formula {
        Formula::True | Formula::False | Formula::Proposition(_) => formula.clone(),
        Formula::Not(f) => Formula::Not(one(f, map)),
        Formula::Always(f) => Formula::Always(one(f, map)),
        Formula::Eventually(f) => Formula::Eventually(one(f, map)),
        Formula::Next(f) => Formula::Next(one(f, map)),
        Formula::And(f, g) => Formula::And(one(f, map), one(g, map)),
        Formula::Or(f, g) => Formula::Or(one(f, map), one(g, map)),
        Formula::Implies(f, g) => Formula::Implies(one(f, map), one(g, map)),
        Formula::Equiv(f, g) => Formula::Equiv(one(f, map), one(g, map)),
        Formula::Until(f, g) => Formula::Until(one(f, map), one(g, map)),
        Formula::Release(f, g) => Formula::Release(one(f, map), one(g, map)),
        Formula::WeakUntil(f, g) => Formula::WeakUntil(one(f, map), one(g, map)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Literal, Proposition};

    fn names() -> Names {
        ["p", "q", "r"].into_iter().collect()
    }

    fn texts(property: &Formula) -> Vec<String> {
        let claim = never_claim(property, &names()).expect("small");
        claim.predicates.into_iter().map(|p| p.text).collect()
    }

    fn atoms() -> [Formula; 3] {
        [0, 1, 2].map(Formula::proposition)
    }

    #[test]
    fn propositional_parts_are_one_predicate() {
        let [p, q, r] = atoms();
        let property = p.and(q.negate()).implies(r.eventually()).always();
        assert_eq!(texts(&property), ["! ((p) && (! (q)))", "r"]);
    }

    #[test]
    fn an_equivalence_is_taken_apart() {
        let [p, q, r] = atoms();
        assert_eq!(texts(&p.or(q).equiv(r).always()), ["(p) || (q)", "r"]);
    }

    #[test]
    fn predicates_spelled_alike_are_one() {
        let [p, q, _] = atoms();
        let both = || p.clone().and(q.clone());
        assert_eq!(texts(&both().until(both().always())), ["(p) && (q)"]);
    }

    #[test]
    fn constants_are_predicates_too() {
        let [p, _, _] = atoms();
        assert_eq!(texts(&Formula::True.and(p).always()), ["(1) && (p)"]);
        assert_eq!(texts(&Formula::False.eventually()), ["0"]);
    }

    #[test]
    fn guards_are_expressed_in_the_propositions_of_the_property() {
        let [p, q, _] = atoms();
        let claim = never_claim(&p.implies(q).always(), &names()).expect("small");
        let initial = claim.automaton.state(Automaton::INITIAL);
        let literal = |number, positive| {
            let proposition = Proposition(number);
            Guard::Literal(Literal {
                proposition,
                positive,
            })
        };
        assert_eq!(
            initial.transitions[0].guard,
            literal(0, true).and(literal(1, false))
        );
        assert!(initial.transitions[0].asserts);
        assert_eq!(initial.transitions[1].guard, Guard::True);
    }
}
