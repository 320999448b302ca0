//! Functions of one name, looked at value by value.
//!
//! `1 - me` is the other one of the names 0 and 1, and `who < N` asks whether `who` is somebody. Neither
//! follows the rules for names, which know of equality alone, and both treat names alike. A term that depends
//! on one cell of few values is a table; that it is equivariant can be read off the table.

use crate::algebra::Algebra;
use crate::rename::Renamer;
use crate::sorts::{Point, Sort};
use crate::term::Term;

/// How many values a cell may have.
const MOST_VALUES: i64 = 1 << 16;

impl Renamer<'_> {
    /// The renamed term, if the term is a function `f` of one cell, or of the number of the process, that
    /// never fails and satisfies `f(g v) = g(f(v))` for each value `v`.
    pub(crate) fn pointwise(&self, term: &Term, want: Sort) -> Option<Term> {
        let leaf = term.only_leaf()?;
        let (image, sort) = match leaf {
            Term::Read(cell) => {
                let (_, sort) = self.cell(cell).ok()?;
                (self.read(cell, sort).ok()?, sort)
            }
            _ => (leaf.clone(), Sort::Plain),
        };
        let (low, high) = self.algebra.range(leaf)?;
        // References to channels do not move as names do.
        let channel = |sort| matches!(sort, Sort::Channel(_));
        if channel(want) || channel(sort) || high.checked_sub(low)? > MOST_VALUES {
            return None;
        }
        let value = |v: i64| self.algebra.replaced(term, leaf, &Term::Const(v)).known();
        let moved = |sort, v| self.sorts.image(self.renaming, sort, v);
        let equivariant = |v: i64| {
            let Some((here, there)) = value(v).zip(value(moved(sort, v))) else {
                return false;
            };
            moved(want, here) == there
        };
        let somebody_else = |v: &i64| *leaf != Term::Other || !self.is_exchanged(*v);
        let mut values = (low..=high).filter(somebody_else);
        values
            .all(equivariant)
            .then(|| self.algebra.replaced(term, leaf, &image))
    }

    fn is_exchanged(&self, number: i64) -> bool {
        let number = u32::try_from(number).ok();
        number.is_some_and(|n| self.exchanged.contains(&Point::Process(n)))
    }
}

impl Term {
    /// The one part of the term that depends on the state or the process, if that is a cell or the number
    /// of the process; all else is computed from it and from constants.
    pub(crate) fn only_leaf(&self) -> Option<&Term> {
        let mut open = vec![self];
        let mut leaf: Option<&Term> = None;
        while let Some(term) = open.pop() {
            match term {
                Term::Const(_) | Term::Own(..) => {}
                Term::Unary(_, a) | Term::Stored(_, a) => open.push(a),
                Term::Binary(_, a, b) => open.extend([&**a, &**b]),
                Term::Choose(a, b, c) => open.extend([&**a, &**b, &**c]),
                Term::Sum(list) | Term::All(list) | Term::Any(list) => open.extend(list),
                Term::Read(_) | Term::Other if leaf.is_none_or(|leaf| leaf == term) => {
                    leaf = Some(term);
                }
                _ => return None,
            }
        }
        leaf
    }
}

impl Algebra {
    /// The term with another one in place of its only leaf.
    fn replaced(self, term: &Term, leaf: &Term, by: &Term) -> Term {
        let inner = |t: &Term| self.replaced(t, leaf, by);
        let list = |terms: &[Term]| terms.iter().map(inner).collect();
        match term {
            term if term == leaf => by.clone(),
            Term::Unary(op, a) => self.unary(op.0, inner(a)),
            Term::Binary(op, a, b) => self.binary(op.0, inner(a), inner(b)),
            Term::Sum(terms) => self.sum(list(terms)),
            Term::All(terms) => self.all(list(terms)),
            Term::Any(terms) => self.any(list(terms)),
            Term::Choose(a, b, c) => self.choose(inner(a), inner(b), inner(c)),
            Term::Stored(scalar, a) => self.store(scalar.0, inner(a)),
            other => other.clone(),
        }
    }
}
