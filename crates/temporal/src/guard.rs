//! The condition of a transition: a propositional formula about the present state.

use std::fmt;

use crate::formula::{Formula, Literal, Names, Proposition};

/// A propositional formula in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// The transition can always be taken.
    True,
    /// The transition can never be taken.
    False,
    /// The literal has to hold.
    Literal(Literal),
    /// Both have to hold.
    And(Box<Guard>, Box<Guard>),
    /// One has to hold.
    Or(Box<Guard>, Box<Guard>),
}

impl Guard {
    /// The proposition with the given number has to hold.
    #[must_use]
    pub fn proposition(number: usize) -> Self {
        Self::Literal(Literal {
            proposition: Proposition(number),
            positive: true,
        })
    }

    /// Calls `visit` on every literal, from left to right.
    pub fn each_literal(&self, visit: &mut impl FnMut(Literal)) {
        match self {
            Self::True | Self::False => {}
            Self::Literal(literal) => visit(*literal),
            Self::And(left, right) | Self::Or(left, right) => {
                left.each_literal(visit);
                right.each_literal(visit);
            }
        }
    }

    /// Both guards; `True` is left out.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, guard) | (guard, Self::True) => guard,
            (left, right) => Self::And(Box::new(left), Box::new(right)),
        }
    }

    /// Either guard; `True` is enough.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, _) | (_, Self::True) => Self::True,
            (left, right) => Self::Or(Box::new(left), Box::new(right)),
        }
    }

    /// Whether the guard holds in a state, given what propositions do.
    pub fn holds(&self, state: &impl Fn(Proposition) -> bool) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Literal(literal) => state(literal.proposition) == literal.positive,
            Self::And(left, right) => left.holds(state) && right.holds(state),
            Self::Or(left, right) => left.holds(state) || right.holds(state),
        }
    }

    /// The guard with every literal replaced.
    #[must_use]
    pub fn map_literals(&self, map: &impl Fn(Literal) -> Guard) -> Guard {
        match self {
            Self::True => Self::True,
            Self::False => Self::False,
            Self::Literal(literal) => map(*literal),
            Self::And(left, right) => left.map_literals(map).and(right.map_literals(map)),
            Self::Or(left, right) => left.map_literals(map).or(right.map_literals(map)),
        }
    }

    /// The guard that holds where a propositional formula does (or, negated, where it does not). Nothing if the
    /// formula has temporal operators.
    #[must_use]
    pub fn of_propositional(formula: &Formula, positive: bool) -> Option<Guard> {
        let same = |f: &Formula| Self::of_propositional(f, positive);
        let opposite = |f: &Formula| Self::of_propositional(f, !positive);
        let guard = match formula {
            Formula::True => Self::constant(positive),
            Formula::False => Self::constant(!positive),
            Formula::Proposition(proposition) => Self::Literal(Literal {
                proposition: *proposition,
                positive,
            }),
            Formula::Not(f) => opposite(f)?,
            Formula::And(f, g) if positive => same(f)?.and(same(g)?),
            Formula::And(f, g) => same(f)?.or(same(g)?),
            Formula::Or(f, g) if positive => same(f)?.or(same(g)?),
            Formula::Or(f, g) => same(f)?.and(same(g)?),
            Formula::Implies(f, g) if positive => opposite(f)?.or(same(g)?),
            Formula::Implies(f, g) => opposite(f)?.and(same(g)?),
            Formula::Equiv(f, g) => {
                let (f, g, not_f, not_g) = (
                    Self::of_propositional(f, true)?,
                    same(g)?,
                    Self::of_propositional(f, false)?,
                    opposite(g)?,
                );
                f.and(g).or(not_f.and(not_g))
            }
            _ => return None,
        };
        Some(guard)
    }

    fn constant(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }

    /// The guard spelled as Spin spells it, with the given names of propositions.
    pub fn named<'a>(&'a self, names: &'a Names) -> impl fmt::Display + 'a {
        Named {
            guard: self,
            names,
            outermost: true,
        }
    }
}

struct Named<'a> {
    guard: &'a Guard,
    names: &'a Names,
    /// Outermost conjunctions have no parentheses.
    outermost: bool,
}

impl<'a> Named<'a> {
    fn part(&self, guard: &'a Guard, outermost: bool) -> Self {
        Named {
            guard,
            names: self.names,
            outermost,
        }
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.guard {
            Guard::True => f.write_str("1"),
            Guard::False => f.write_str("false"),
            Guard::Literal(literal) => {
                let name = self.names.get(literal.proposition);
                if literal.positive {
                    write!(f, "({name})")
                } else {
                    write!(f, "! (({name}))")
                }
            }
            Guard::And(left, right) if self.outermost => {
                write!(f, "{} && {}", self.part(left, true), self.part(right, true))
            }
            Guard::And(left, right) => {
                write!(
                    f,
                    "({} && {})",
                    self.part(left, false),
                    self.part(right, false)
                )
            }
            Guard::Or(left, right) => {
                write!(
                    f,
                    "({} || {})",
                    self.part(left, false),
                    self.part(right, false)
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both values of a formula with every operator agree with the guard, whatever the propositions do.
    #[test]
    fn guards_agree_with_their_formulas() {
        let [p, q, r] = [0, 1, 2].map(Formula::proposition);
        let formula = p.clone().equiv(q.clone().or(r.clone().negate()));
        let formula = formula
            .and(Formula::True)
            .implies(p.and(q.implies(r).or(Formula::False)));
        let guard = Guard::of_propositional(&formula, true).expect("propositional");
        let negated = Guard::of_propositional(&formula, false).expect("propositional");
        for state in 0..8_u8 {
            let bit = |n: usize| state >> n & 1 == 1;
            let left = bit(0) == (bit(1) || !bit(2));
            let expected = !left || (bit(0) && (!bit(1) || bit(2)));
            assert_eq!(guard.holds(&|p| bit(p.0)), expected, "{state:b}");
            assert_eq!(negated.holds(&|p| bit(p.0)), !expected, "{state:b}");
        }
    }

    #[test]
    fn temporal_formulas_have_no_guard() {
        let formula = Formula::proposition(0).always().negate();
        assert_eq!(Guard::of_propositional(&formula, true), None);
    }
}
