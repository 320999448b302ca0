//! Formulas of linear temporal logic, as a user writes them.
//!
//! A formula talks about an infinite sequence of states through *propositions*: facts that hold or do not hold in one
//! state. What a proposition means is no concern of this crate; it is a number, and [`Names`] says how it is spelled.

use std::borrow::Cow;
use std::fmt;

/// A fact about one state, known here by its number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Proposition(pub usize);

/// A proposition or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The fact that is asserted or denied.
    pub proposition: Proposition,
    /// Whether the fact is asserted.
    pub positive: bool,
}

impl Literal {
    /// The literal that holds exactly where this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            positive: !self.positive,
            ..self
        }
    }
}

/// A formula of linear temporal logic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// Holds where the proposition does.
    Proposition(Proposition),
    /// `! f`
    Not(Box<Formula>),
    /// `f && g`
    And(Box<Formula>, Box<Formula>),
    /// `f || g`
    Or(Box<Formula>, Box<Formula>),
    /// `f -> g`
    Implies(Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Equiv(Box<Formula>, Box<Formula>),
    /// `[] f`: from now on, for ever.
    Always(Box<Formula>),
    /// `<> f`: now or later.
    Eventually(Box<Formula>),
    /// `f U g`: `g` now or later, and `f` at every moment before.
    Until(Box<Formula>, Box<Formula>),
    /// `f V g`: `g` up to and including the first moment of `f`, or for ever; the dual of until.
    Release(Box<Formula>, Box<Formula>),
    /// `f W g`: like until, but `g` need not come if `f` holds for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `X f`: at the next moment.
    Next(Box<Formula>),
}

impl Formula {
    /// The proposition with the given number.
    #[must_use]
    pub fn proposition(number: usize) -> Self {
        Self::Proposition(Proposition(number))
    }

    /// `! self`
    #[must_use]
    pub fn negate(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// `self && other`
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    /// `self || other`
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::Or(Box::new(self), Box::new(other))
    }

    /// `self -> other`
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        Self::Implies(Box::new(self), Box::new(other))
    }

    /// `self <-> other`
    #[must_use]
    pub fn equiv(self, other: Self) -> Self {
        Self::Equiv(Box::new(self), Box::new(other))
    }

    /// `[] self`
    #[must_use]
    pub fn always(self) -> Self {
        Self::Always(Box::new(self))
    }

    /// `<> self`
    #[must_use]
    pub fn eventually(self) -> Self {
        Self::Eventually(Box::new(self))
    }

    /// `self U other`
    #[must_use]
    pub fn until(self, other: Self) -> Self {
        Self::Until(Box::new(self), Box::new(other))
    }

    /// `self V other`
    #[must_use]
    pub fn release(self, other: Self) -> Self {
        Self::Release(Box::new(self), Box::new(other))
    }

    /// `self W other`
    #[must_use]
    pub fn weak_until(self, other: Self) -> Self {
        Self::WeakUntil(Box::new(self), Box::new(other))
    }

    /// `X self`
    #[must_use]
    pub fn next(self) -> Self {
        Self::Next(Box::new(self))
    }

    /// The operands, left before right.
    pub fn operands(&self) -> impl Iterator<Item = &Formula> {
        let (left, right) = match self {
            Self::True | Self::False | Self::Proposition(_) => (None, None),
            Self::Not(f) | Self::Always(f) | Self::Eventually(f) | Self::Next(f) => (Some(f), None),
            Self::And(f, g)
            | Self::Or(f, g)
            | Self::Implies(f, g)
            | Self::Equiv(f, g)
            | Self::Until(f, g)
            | Self::Release(f, g)
            | Self::WeakUntil(f, g) => (Some(f), Some(g)),
        };
        left.into_iter().chain(right).map(Box::as_ref)
    }

    /// How many operators, constants and propositions the formula is written with.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.operands().map(Formula::size).sum::<usize>()
    }

    /// Whether it speaks of the next moment, so that it matters how many steps something takes.
    #[must_use]
    pub fn says_next(&self) -> bool {
        matches!(self, Self::Next(_)) || self.operands().any(Formula::says_next)
    }

    /// Whether [`Formula::size`] is within a limit; looks no further, nor deeper, than the limit.
    #[must_use]
    pub fn is_no_larger_than(&self, limit: usize) -> bool {
        self.rest_of(limit).is_some()
    }

    /// What is left of the limit.
    fn rest_of(&self, limit: usize) -> Option<usize> {
        let rest = limit.checked_sub(1)?;
        self.operands()
            .try_fold(rest, |rest, operand| operand.rest_of(rest))
    }

    /// The formula spelled with the given names of its propositions.
    pub fn named<'a>(&'a self, names: &'a Names) -> impl fmt::Display + 'a {
        Named {
            formula: self,
            names,
        }
    }

    /// The sign of the operator; empty for what has no operands.
    fn sign(&self) -> &'static str {
        match self {
            Self::True | Self::False | Self::Proposition(_) => "",
            Self::Not(_) => "!",
            Self::And(..) => "&&",
            Self::Or(..) => "||",
            Self::Implies(..) => "->",
            Self::Equiv(..) => "<->",
            Self::Always(_) => "[]",
            Self::Eventually(_) => "<>",
            Self::Until(..) => "U",
            Self::Release(..) => "V",
            Self::WeakUntil(..) => "W",
            Self::Next(_) => "X",
        }
    }
}

/// Prints the formula with every operand in parentheses and propositions spelled `p0`, `p1`, ...
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.named(&Names::default()).fmt(f)
    }
}

struct Named<'a> {
    formula: &'a Formula,
    names: &'a Names,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.formula {
            Formula::True => return f.write_str("true"),
            Formula::False => return f.write_str("false"),
            Formula::Proposition(p) => return f.write_str(&self.names.get(*p)),
            _ => {}
        }
        let sign = self.formula.sign();
        let operands: Vec<String> = self
            .formula
            .operands()
            .map(|operand| operand.named(self.names).to_string())
            .collect();
        match operands.as_slice() {
            [left, right] => write!(f, "({left}) {sign} ({right})"),
            _ => write!(f, "{sign} ({})", operands.concat()),
        }
    }
}

/// How propositions are spelled. A proposition without a name of its own is spelled `p` and its number.
///
/// Names are more than decoration: Spin sorts conjunctions and disjunctions by their spelling, and the order in which
/// parts of a formula are taken apart shapes the automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// The name of a proposition.
    #[must_use]
    pub fn get(&self, proposition: Proposition) -> Cow<'_, str> {
        match self.0.get(proposition.0) {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(format!("p{}", proposition.0)),
        }
    }
}

impl<T: Into<String>> FromIterator<T> for Names {
    fn from_iter<I: IntoIterator<Item = T>>(names: I) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_printed_with_all_parentheses() {
        let (p, q) = (Formula::proposition(0), Formula::proposition(1));
        let formula = p.clone().until(q.clone()).implies(q.negate().always());
        assert_eq!(formula.to_string(), "((p0) U (p1)) -> ([] (! (p1)))");
        let names: Names = ["x"].into_iter().collect();
        assert_eq!(p.next().named(&names).to_string(), "X (x)");
    }

    #[test]
    fn size_and_limit_agree() {
        let (p, q) = (Formula::proposition(0), Formula::proposition(1));
        let formula = p.until(q.eventually());
        assert_eq!(formula.size(), 4);
        assert!(formula.is_no_larger_than(4));
        assert!(!formula.is_no_larger_than(3));
    }
}
