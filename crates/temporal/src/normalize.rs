//! From the user's formula to a term in negation normal form, with the simplifications made on the way.
//!
//! The formula is built up from its leaves, and each operator is simplified when its operands are known: `[]` and `<>`
//! become release and until, `p U p` becomes `p`, `(p U q) && (r U q)` becomes `(p && r) U q`, and so on. The rules
//! below, and the order in which they are tried, are Spin's, because a formula simplified differently gives a
//! different automaton.

use crate::formula::{Formula, Literal};
use crate::rewrite::Rewriter;
use crate::terms::{Term, TermId};
use crate::too_complex::TooComplex;

/// Written out, no formula may become longer than this: nested equivalences double the length at every level.
const LONGEST: u64 = 2000;

/// The term of a formula.
pub(crate) fn normalize(rewriter: &mut Rewriter, formula: &Formula) -> Result<TermId, TooComplex> {
    let term = Normalizer { rewriter }.formula(formula)?;
    Ok(merge_always_and_eventually(rewriter, term))
}

struct Normalizer<'a> {
    rewriter: &'a mut Rewriter,
}

impl Normalizer<'_> {
    fn formula(&mut self, formula: &Formula) -> Result<TermId, TooComplex> {
        let operands = formula
            .operands()
            .map(|operand| self.formula(operand))
            .collect::<Result<Vec<TermId>, TooComplex>>()?;
        let term = match *operands.as_slice() {
            [operand] => self.unary(formula, operand),
            [left, right] => self.binary(formula, left, right),
            _ => self.leaf(formula),
        };
        if self.rewriter.terms.weight(term) > LONGEST {
            return Err(TooComplex);
        }
        Ok(term)
    }

    fn leaf(&mut self, formula: &Formula) -> TermId {
        self.make(match *formula {
            Formula::Proposition(proposition) => Term::Literal(Literal {
                proposition,
                positive: true,
            }),
            Formula::False => Term::False,
            _ => Term::True,
        })
    }

    fn unary(&mut self, operator: &Formula, operand: TermId) -> TermId {
        match operator {
            Formula::Always(_) => self.always(operand),
            Formula::Eventually(_) => self.eventually(operand),
            Formula::Next(_) => self.next(operand),
            _ => self.negation(operand),
        }
    }

    fn binary(&mut self, operator: &Formula, left: TermId, right: TermId) -> TermId {
        match operator {
            Formula::And(..) => self.and(left, right),
            Formula::Or(..) => self.or(left, right),
            Formula::Implies(..) => self.implies(left, right),
            Formula::Equiv(..) => self.equiv(left, right),
            Formula::Release(..) => self.release(left, right),
            Formula::WeakUntil(..) => self.weak_until(left, right),
            _ => self.until(left, right),
        }
    }

    /// The negation of a term, with the negation pushed down to the propositions.
    fn negation(&mut self, id: TermId) -> TermId {
        let negated = match self.get(id) {
            Term::True => Term::False,
            Term::False => Term::True,
            Term::Literal(literal) => Term::Literal(literal.negated()),
            Term::Next(operand) => Term::Next(self.negation(operand)),
            Term::And(left, right) => self.negate_both(Term::Or, left, right),
            Term::Or(left, right) => self.negate_both(Term::And, left, right),
            Term::Until(left, right) => self.negate_both(Term::Release, left, right),
            Term::Release(left, right) => self.negate_both(Term::Until, left, right),
        };
        let negated = self.make(negated);
        self.rewriter.rewrite(negated)
    }

    fn negate_both(
        &mut self,
        dual: fn(TermId, TermId) -> Term,
        left: TermId,
        right: TermId,
    ) -> Term {
        let right = self.negation(right);
        dual(self.negation(left), right)
    }

    fn always(&mut self, operand: TermId) -> TermId {
        let lasting = match self.get(operand) {
            Term::True | Term::False => return operand,
            Term::Release(left, _) if self.is(left, Term::False) => return operand,
            Term::Release(_, right) => right,
            _ => operand,
        };
        let never = self.make(Term::False);
        self.make(Term::Release(never, lasting))
    }

    fn eventually(&mut self, operand: TermId) -> TermId {
        let goal = match self.get(operand) {
            Term::True | Term::False => return operand,
            Term::Until(left, _) if self.is(left, Term::True) => return operand,
            Term::Until(_, right) => right,
            _ => operand,
        };
        let anything = self.make(Term::True);
        self.make(Term::Until(anything, goal))
    }

    fn next(&mut self, operand: TermId) -> TermId {
        if self.is(operand, Term::True) {
            return operand;
        }
        self.make(Term::Next(operand))
    }

    fn weak_until(&mut self, left: TermId, right: TermId) -> TermId {
        let always = self.always(left);
        let until = self.until(left, right);
        self.or(always, until)
    }

    fn implies(&mut self, left: TermId, right: TermId) -> TermId {
        if self.equal(left, right) {
            return self.make(Term::True);
        }
        let denied = self.negation(left);
        let either = self.make(Term::Or(denied, right));
        self.rewriter.rewrite(either)
    }

    fn equiv(&mut self, left: TermId, right: TermId) -> TermId {
        if self.equal(left, right) {
            return self.make(Term::True);
        }
        let both = self.make(Term::And(left, right));
        let both = self.rewriter.rewrite(both);
        let neither = self.negate_both(Term::And, left, right);
        let neither = self.make(neither);
        let neither = self.rewriter.rewrite(neither);
        let either = self.make(Term::Or(both, neither));
        self.rewriter.rewrite(either)
    }

    fn until(&mut self, left: TermId, right: TermId) -> TermId {
        if self.is_constant(right) || self.is(left, Term::False) || self.equal(left, right) {
            return right;
        }
        match (self.get(left), self.get(right)) {
            // (p U q) U p = q U p
            (Term::Until(p, q), _) if self.equal(p, right) => self.make(Term::Until(q, right)),
            // p U <>q = <>q
            (_, Term::Until(p, _)) if self.is(p, Term::True) => right,
            (Term::Next(p), Term::Next(q)) => {
                let until = self.make(Term::Until(p, q));
                self.make(Term::Next(until))
            }
            _ => self.make(Term::Until(left, right)),
        }
    }

    fn release(&mut self, left: TermId, right: TermId) -> TermId {
        if self.is_constant(right) || self.is(left, Term::True) || self.equal(left, right) {
            return right;
        }
        match self.get(right) {
            // [](p V q) = []q
            Term::Release(_, q) if self.is(left, Term::False) => self.make(Term::Release(left, q)),
            // p V []q = []q
            Term::Release(p, _) if self.is(p, Term::False) => right,
            _ => self.make(Term::Release(left, right)),
        }
    }

    fn and(&mut self, left: TermId, right: TermId) -> TermId {
        self.absorbed_conjunct(left, right)
            .or_else(|| self.merged_conjuncts(left, right))
            .or_else(|| self.constant_conjunct(left, right))
            .or_else(|| self.conjunct_implied_by_release(left, right))
            .unwrap_or_else(|| self.make(Term::And(left, right)))
    }

    /// `p && (q U p) = p`, `p && (q V p) = q V p`, and the same the other way round.
    fn absorbed_conjunct(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        match (self.get(left), self.get(right)) {
            (_, Term::Until(_, p)) if self.equal(p, left) => Some(left),
            (Term::Until(_, p), _) if self.equal(p, right) => Some(right),
            (_, Term::Release(_, p)) if self.equal(p, left) => Some(right),
            (Term::Release(_, p), _) if self.equal(p, right) => Some(left),
            _ => None,
        }
    }

    /// `(p U q) && (r U q) = (p && r) U q`, `(p V q) && (p V r) = p V (q && r)`, `X p && X q = X (q && p)`.
    fn merged_conjuncts(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        let merged = match (self.get(left), self.get(right)) {
            (Term::Until(p, q), Term::Until(r, q2)) if self.equal(q2, q) => {
                Term::Until(self.make(Term::And(p, r)), q)
            }
            (Term::Release(p, q), Term::Release(p2, r)) if self.equal(p2, p) => {
                Term::Release(p2, self.make(Term::And(q, r)))
            }
            (Term::Next(p), Term::Next(q)) => Term::Next(self.make(Term::And(q, p))),
            _ => return None,
        };
        Some(self.make(merged))
    }

    fn constant_conjunct(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        if self.equal(left, right) || self.is(right, Term::False) || self.is(left, Term::True) {
            Some(right)
        } else if self.is(right, Term::True) || self.is(left, Term::False) {
            Some(left)
        } else {
            None
        }
    }

    /// `(p V q) && (r U q) = p V q`
    fn conjunct_implied_by_release(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        match (self.get(left), self.get(right)) {
            (Term::Release(_, q), Term::Until(_, q2)) if self.equal(q, q2) => Some(left),
            _ => None,
        }
    }

    fn or(&mut self, left: TermId, right: TermId) -> TermId {
        self.absorbed_disjunct(left, right)
            .or_else(|| self.merged_untils(left, right))
            .or_else(|| self.constant_disjunct(left, right))
            .or_else(|| self.merged_releases(left, right))
            .unwrap_or_else(|| self.make(Term::Or(left, right)))
    }

    /// `p || (q U p) = q U p`, `p || (q V p) = p`
    fn absorbed_disjunct(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        match self.get(right) {
            Term::Until(_, p) if self.equal(p, left) => Some(right),
            Term::Release(_, p) if self.equal(p, left) => Some(left),
            _ => None,
        }
    }

    /// `(p U q) || (p U r) = p U (q || r)`
    fn merged_untils(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        match (self.get(left), self.get(right)) {
            (Term::Until(p, q), Term::Until(p2, r)) if self.equal(p2, p) => {
                let goal = self.make(Term::Or(q, r));
                Some(self.make(Term::Until(p2, goal)))
            }
            _ => None,
        }
    }

    fn constant_disjunct(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        if self.equal(left, right) || self.is(right, Term::False) || self.is(left, Term::True) {
            Some(left)
        } else if self.is(right, Term::True) || self.is(left, Term::False) {
            Some(right)
        } else {
            None
        }
    }

    /// `(p V q) || (r V q) = (p || r) V q`, `(p V q) || (r U q) = r U q`
    fn merged_releases(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        match (self.get(left), self.get(right)) {
            (Term::Release(p, q), Term::Release(r, q2)) if self.equal(q, q2) => {
                let end = self.make(Term::Or(p, r));
                Some(self.make(Term::Release(end, q2)))
            }
            (Term::Release(_, q), Term::Until(_, q2)) if self.equal(q, q2) => Some(right),
            _ => None,
        }
    }

    fn get(&self, id: TermId) -> Term {
        self.rewriter.terms.get(id)
    }

    fn make(&mut self, term: Term) -> TermId {
        self.rewriter.terms.make(term)
    }

    fn equal(&mut self, a: TermId, b: TermId) -> bool {
        self.rewriter.terms.equal(a, b)
    }

    fn is(&self, id: TermId, term: Term) -> bool {
        self.get(id) == term
    }

    fn is_constant(&self, id: TermId) -> bool {
        matches!(self.get(id), Term::True | Term::False)
    }
}

/// Applies `[]p && []q = [](p && q)` and `<>p || <>q = <>(p || q)` throughout, innermost first.
fn merge_always_and_eventually(rewriter: &mut Rewriter, id: TermId) -> TermId {
    let term = rewriter.terms.get(id);
    let id = rewriter.map_operands(term, merge_always_and_eventually);
    let terms = &mut rewriter.terms;
    let merged = match terms.get(id) {
        Term::And(left, right) => match (terms.get(left), terms.get(right)) {
            (Term::Release(end, p), Term::Release(end2, q))
                if end == end2 && terms.get(end) == Term::False =>
            {
                Term::Release(end, terms.make(Term::And(p, q)))
            }
            _ => return id,
        },
        Term::Or(left, right) => match (terms.get(left), terms.get(right)) {
            (Term::Until(start, p), Term::Until(start2, q))
                if start == start2 && terms.get(start) == Term::True =>
            {
                Term::Until(start, terms.make(Term::Or(p, q)))
            }
            _ => return id,
        },
        _ => return id,
    };
    terms.make(merged)
}
