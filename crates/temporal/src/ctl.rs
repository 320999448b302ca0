//! Formulas of computation tree logic.

use crate::formula::Proposition;

/// A formula of computation tree logic: a state satisfies it or does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ctl {
    /// Holds in all states, or in none.
    Constant(bool),
    /// Holds where the proposition does.
    Proposition(Proposition),
    /// Not.
    Not(Box<Ctl>),
    /// Both.
    And(Box<Ctl>, Box<Ctl>),
    /// Either.
    Or(Box<Ctl>, Box<Ctl>),
    /// The left implies the right.
    Implies(Box<Ctl>, Box<Ctl>),
    /// In the next state of those runs (`X`).
    Next(Runs, Box<Ctl>),
    /// Now or later in those runs (`F`).
    Eventually(Runs, Box<Ctl>),
    /// Now and at every later moment in those runs (`G`).
    Always(Runs, Box<Ctl>),
    /// In those runs the left holds until the right does, and the right does at some time (`U`).
    Until(Runs, Box<Ctl>, Box<Ctl>),
    /// In those runs the left holds until the right does, or forever (`W`).
    WeakUntil(Runs, Box<Ctl>, Box<Ctl>),
}

/// The quantifier over the runs from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Runs {
    /// All of them (`A`).
    All,
    /// At least one (`E`).
    Some,
}

impl Ctl {
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

    /// `EX self` or `AX self`
    #[must_use]
    pub fn next(self, runs: Runs) -> Self {
        Self::Next(runs, Box::new(self))
    }

    /// `EF self` or `AF self`
    #[must_use]
    pub fn eventually(self, runs: Runs) -> Self {
        Self::Eventually(runs, Box::new(self))
    }

    /// `EG self` or `AG self`
    #[must_use]
    pub fn always(self, runs: Runs) -> Self {
        Self::Always(runs, Box::new(self))
    }

    /// `E[self U other]` or `A[self U other]`
    #[must_use]
    pub fn until(self, runs: Runs, other: Self) -> Self {
        Self::Until(runs, Box::new(self), Box::new(other))
    }

    /// `E[self W other]` or `A[self W other]`
    #[must_use]
    pub fn weak_until(self, runs: Runs, other: Self) -> Self {
        Self::WeakUntil(runs, Box::new(self), Box::new(other))
    }

    /// `AG EF self`: from every reachable state a state can be reached in which this holds.
    #[must_use]
    pub fn always_possible(self) -> Self {
        self.eventually(Runs::Some).always(Runs::All)
    }

    /// The operands, left before right.
    pub fn operands(&self) -> impl Iterator<Item = &Ctl> {
        let (left, right) = match self {
            Self::Constant(_) | Self::Proposition(_) => (None, None),
            Self::Not(f) | Self::Next(_, f) | Self::Eventually(_, f) | Self::Always(_, f) => {
                (Some(f), None)
            }
            Self::And(f, g)
            | Self::Or(f, g)
            | Self::Implies(f, g)
            | Self::Until(_, f, g)
            | Self::WeakUntil(_, f, g) => (Some(f), Some(g)),
        };
        left.into_iter().chain(right).map(Box::as_ref)
    }

    /// The number of operators, constants and propositions that the formula is written with.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.operands().map(Ctl::size).sum::<usize>()
    }

    /// Calls `visit` on every proposition of the formula, from left to right.
    pub fn each_proposition(&self, visit: &mut impl FnMut(Proposition)) {
        match self {
            Self::Proposition(proposition) => visit(*proposition),
            other => {
                for operand in other.operands() {
                    operand.each_proposition(visit);
                }
            }
        }
    }
}
