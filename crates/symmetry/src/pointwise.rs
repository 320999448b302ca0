//! Functions of one name, looked at value by value.
//!
//! `1 - me` is the other one of the names 0 and 1, and `who < N` asks whether `who` is somebody. Neither
//! follows the rules for names, which know of equality alone, and both treat names alike. A term that depends
//! on one cell of few values is a table, and a table can be renamed row by row: `(to ^ 3) & 1`, asked by process 3 of
//! a hypercube, becomes what its image asks.

use crate::algebra::{Algebra, cut_sum};
use crate::budget::CASE;
use crate::rename::Renamer;
use crate::sorts::Sort;
use crate::term::{Table, Term};
use mandala_model::expr::{BinaryOp, UnaryOp};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many values a cell may have.
const MOST_VALUES: i64 = 1 << 16;

/// How many values a cell may have if something is done to it that can be undone.
const MOST_UNDONE: i64 = 1 << 8;

impl Renamer<'_> {
    /// The renamed term, if the term is a function of one cell, or of the number of the process, that
    /// never fails.
    pub(crate) fn pointwise(&self, term: &Term, want: Sort) -> Option<Term> {
        let leaf = term.only_leaf()?;
        let (image, sort) = match leaf {
            Term::Read(cell) => {
                let (_, sort) = self.cell(cell).ok()?;
                (self.read(cell, sort).ok()?, sort)
            }
            _ => (leaf.clone(), Sort::Plain),
        };
        // References to channels do not move as names do.
        let channel = |sort| matches!(sort, Sort::Channel(_));
        if channel(want) || channel(sort) {
            return None;
        }
        let function = Function {
            renamer: self,
            term,
            leaf,
            image,
            sorts: (sort, want),
        };
        match self.leaf_values(leaf) {
            Some(values) => {
                self.budget.spend(CASE * values.len() as u64);
                function.table(&values)
            }
            None => function.equivariant(),
        }
    }

    /// The values that a leaf can have, if they are few.
    fn leaf_values(&self, leaf: &Term) -> Option<Vec<i64>> {
        let values = self.values.of_leaf(self.template, self.here, leaf)?;
        let somebody_else = |v: &i64| *leaf != Term::Other || !self.scope.moves_process(*v);
        Some(values.iter().copied().filter(somebody_else).collect())
    }
}

/// Why a term has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// It cannot be computed.
    Fails,
    /// It is never asked for its value there: something is undefined, or does not fit.
    Unasked,
}

/// A term that is a function `f` of its only leaf.
struct Function<'a, 'r> {
    renamer: &'a Renamer<'r>,
    term: &'a Term,
    leaf: &'a Term,
    /// The renamed leaf.
    image: Term,
    /// What the values of the leaf and of the function stand for.
    sorts: (Sort, Sort),
}

impl Function<'_, '_> {
    fn value(&self, at: i64) -> Result<i64, Gap> {
        self.renamer.algebra.value_at(self.term, at)
    }

    fn moved(&self, sort: Sort, value: i64) -> i64 {
        let renamer = self.renamer;
        renamer.sorts.image(renamer.renaming, sort, value)
    }

    /// The renamed function `h`, value by value: `h(g v) = g(f(v))` for each value `v` that the leaf can have where the function
    /// is asked for.
    fn table(&self, values: &[i64]) -> Option<Term> {
        let entry = |v: &i64| match self.value(*v) {
            Ok(result) => Some(Some((
                self.moved(self.sorts.0, *v),
                self.moved(self.sorts.1, result),
            ))),
            Err(Gap::Unasked) => None,
            Err(Gap::Fails) => Some(None),
        };
        let entries: Option<Vec<(i64, i64)>> = values.iter().filter_map(entry).collect();
        let mut entries = entries?;
        entries.sort_unstable();
        Some(Term::Table(Rc::new(Table {
            leaf: self.image.clone(),
            sorts: self.sorts,
            entries,
        })))
    }

    /// The function itself of the renamed leaf, if `f(g v) = g(f(v))` for each value `v`: for leaves of so many values
    /// that a table would be too long.
    fn equivariant(&self) -> Option<Term> {
        let algebra = self.renamer.algebra;
        let (low, high) = algebra.range(self.leaf)?;
        if high.checked_sub(low)? > MOST_VALUES {
            return None;
        }
        let values = (high - low).unsigned_abs() + 1;
        self.renamer.budget.spend(CASE * values);
        let same = |v: i64| match (self.value(v), self.value(self.moved(self.sorts.0, v))) {
            (Ok(here), Ok(there)) => self.moved(self.sorts.1, here) == there,
            (Err(Gap::Unasked), Err(Gap::Unasked)) => true,
            _ => false,
        };
        let all = (low..=high).all(same);
        all.then(|| algebra.replaced(self.term, self.leaf, &self.image))
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
                Term::Const(_) | Term::Own(..) | Term::Named(..) => {}
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
    /// What can be compared in place of two terms that do the same to two cells, if the result tells what was in them:
    /// `1 - a == 1 - b` asks whether `a == b`.
    ///
    /// Let `f` be what is done. It is computed for every value that is possible in either cell, and it must not fail for
    /// any of them, nor come to the same for two. So `f(a) == f(b)` iff `a == b`. As there are different results, `f`
    /// cannot be computed without the cell; so if the cell cannot be read, neither can `f` of it be computed, and
    /// the left side fails first as it did.
    pub(crate) fn undone(self, left: &Term, right: &Term) -> Option<(Term, Term)> {
        let (a, b) = (left.only_leaf()?, right.only_leaf()?);
        let (low, high) = self.range(a).filter(|r| self.range(b) == Some(*r))?;
        let few = high.checked_sub(low)? < MOST_UNDONE;
        if a == left || !few || self.replaced(right, b, a) != *left {
            return None;
        }
        let mut results = BTreeSet::new();
        for value in low..=high {
            let result = self.value_at(left, value).ok()?;
            results.insert(result).then_some(())?;
        }
        (results.len() > 1).then(|| (a.clone(), b.clone()))
    }

    /// The only leaf of a term that fails iff the leaf does.
    pub(crate) fn only_risk(self, term: &Term) -> Option<Term> {
        let leaf = term.only_leaf().filter(|leaf| *leaf != term)?;
        let (low, high) = self.range(leaf)?;
        // Something that never fails and has the same range.
        let safe = Term::Table(Rc::new(Table {
            leaf: Term::Const(low),
            sorts: (Sort::Plain, Sort::Plain),
            entries: vec![(low, low), (high, high)],
        }));
        let total = self.is_total(&self.replaced(term, leaf, &safe));
        (total && always_reads(term, leaf)).then(|| leaf.clone())
    }

    /// The value of a term that has an only leaf, where that has a value. This is
    /// what [`Self::replaced`] would come to, without making any terms.
    pub(crate) fn value_at(self, term: &Term, leaf: i64) -> Result<i64, Gap> {
        let inner = |t: &Term| self.value_at(t, leaf);
        let holds = |t: &Term| inner(t).map(|v| v != 0);
        match term {
            Term::Read(_) | Term::Other => Ok(leaf),
            Term::Unary(op, a) => {
                let gap = match op.0 {
                    UnaryOp::Defined => Gap::Unasked,
                    _ => Gap::Fails,
                };
                self.arithmetic.unary(op.0, inner(a)?).map_err(|_| gap)
            }
            Term::Binary(op, a, b) => {
                let value = self.arithmetic.binary(op.0, inner(a)?, inner(b)?);
                value.map_err(|_| Gap::Fails)
            }
            Term::Sum(terms) => terms
                .iter()
                .try_fold(0, |sum, t| Ok(cut_sum(sum, inner(t)?))),
            Term::All(terms) => first_truth(terms, false, holds),
            Term::Any(terms) => first_truth(terms, true, holds),
            Term::Choose(a, b, c) => match holds(a)? {
                true => inner(b),
                false => inner(c),
            },
            Term::Stored(scalar, a) => scalar.0.store(inner(a)?).ok_or(Gap::Unasked),
            known => known.known().ok_or(Gap::Fails),
        }
    }

    /// The term with another one in place of its only leaf.
    pub(crate) fn replaced(self, term: &Term, leaf: &Term, by: &Term) -> Term {
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

/// Conditions in order, up to the first that is `wanted`: whether that was met, as a number.
fn first_truth(
    conditions: &[Term],
    wanted: bool,
    holds: impl Fn(&Term) -> Result<bool, Gap>,
) -> Result<i64, Gap> {
    for condition in conditions {
        if holds(condition)? == wanted {
            return Ok(i64::from(wanted));
        }
    }
    Ok(i64::from(!wanted))
}

/// Whether a term cannot be computed without its leaf.
fn always_reads(term: &Term, leaf: &Term) -> bool {
    let reads = |t: &Term| always_reads(t, leaf);
    match term {
        term if term == leaf => true,
        Term::Unary(_, a) | Term::Stored(_, a) => reads(a),
        Term::Binary(op, a, b) => {
            let both = !matches!(op.0, BinaryOp::And | BinaryOp::Or);
            reads(a) || both && reads(b)
        }
        Term::Sum(list) => list.iter().any(reads),
        Term::All(list) | Term::Any(list) => list.first().is_some_and(reads),
        Term::Choose(condition, ..) => reads(condition),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
