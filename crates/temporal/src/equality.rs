//! Equality of terms, as the translation needs it.
//!
//! Conjunctions and disjunctions are compared as sets: order, grouping and repetition of their members do not matter.

use crate::terms::{Junction, Term, TermId, Terms};

impl Terms {
    /// Whether two terms are the same up to the order and repetition of conjuncts and disjuncts.
    pub(crate) fn equal(&mut self, a: TermId, b: TermId) -> bool {
        if a == b {
            return true;
        }
        if self.class(a) != self.class(b) {
            return false;
        }
        if let Some(&known) = self.known_equal.get(&(a, b)) {
            return known;
        }
        let result = self.equal_by_shape(a, b);
        self.known_equal.insert((a, b), result);
        result
    }

    fn equal_by_shape(&mut self, a: TermId, b: TermId) -> bool {
        match (self.get(a), self.get(b)) {
            (Term::Next(f), Term::Next(g)) => self.equal(f, g),
            (Term::Until(a1, a2), Term::Until(b1, b2))
            | (Term::Release(a1, a2), Term::Release(b1, b2)) => {
                self.equal(a1, b1) && self.equal(a2, b2)
            }
            (Term::And(..), Term::And(..)) => self.same_members(Junction::And, a, b),
            (Term::Or(..), Term::Or(..)) => self.same_members(Junction::Or, a, b),
            _ => false,
        }
    }

    fn same_members(&mut self, junction: Junction, a: TermId, b: TermId) -> bool {
        self.holds_all(junction, b, a) && self.holds_all(junction, a, b)
    }

    /// Whether every member along the right spine of `wanted` is found in `whole`.
    fn holds_all(&mut self, junction: Junction, whole: TermId, wanted: TermId) -> bool {
        match junction.split(self.get(wanted)) {
            Some((member, rest)) => {
                self.holds(junction, whole, member) && self.holds_all(junction, whole, rest)
            }
            None => self.holds(junction, whole, wanted),
        }
    }

    /// Whether `wanted` is `whole` or a part of it, itself perhaps such a junction.
    fn holds(&mut self, junction: Junction, whole: TermId, wanted: TermId) -> bool {
        if self.equal(whole, wanted) {
            return true;
        }
        match junction.split(self.get(whole)) {
            Some((left, right)) => {
                self.holds(junction, left, wanted) || self.holds(junction, right, wanted)
            }
            None => false,
        }
    }

    /// Whether `wanted` is among the members of `whole` that are not such a junction themselves.
    pub(crate) fn has_member(&mut self, junction: Junction, whole: TermId, wanted: TermId) -> bool {
        match junction.split(self.get(whole)) {
            Some((left, right)) => {
                self.has_member(junction, left, wanted) || self.has_member(junction, right, wanted)
            }
            None => self.equal(whole, wanted),
        }
    }

    /// Whether every conjunct of `wanted` is a conjunct of `whole`.
    pub(crate) fn has_conjuncts(&mut self, whole: TermId, wanted: TermId) -> bool {
        match Junction::And.split(self.get(wanted)) {
            Some((left, right)) => {
                self.has_conjuncts(whole, left) && self.has_conjuncts(whole, right)
            }
            None => self.has_member(Junction::And, whole, wanted),
        }
    }

    /// Like [`Terms::equal`] for conditions, where an absent condition is the same as `true`.
    pub(crate) fn equal_conditions(&mut self, a: Option<TermId>, b: Option<TermId>) -> bool {
        match (a, b) {
            (None, None) => true,
            (Some(term), None) | (None, Some(term)) => self.get(term) == Term::True,
            (Some(a), Some(b)) => self.equal(a, b),
        }
    }
}
