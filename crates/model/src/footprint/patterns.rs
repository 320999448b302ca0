//! Patterns: cells of a variable by indices that depend on parameters and on the variables of quantifiers and loops.

use super::cells::CellSet;
use super::terms::{Term, Terms};
use crate::state::Value;

/// So many pieces are kept apart. Where there are more, all that lies between them counts.
const MOST_PIECES: u64 = 1 << 10;

/// An index on the way from a variable to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Index {
    /// Its value, if it is known what it depends on.
    pub term: Option<Term>,
    /// How many cells an element has.
    pub stride: u32,
    /// How many elements there are.
    pub length: u32,
}

/// Some cells of a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pattern {
    /// The first cell if all indices are 0.
    pub start: u32,
    /// How many cells the part has.
    pub width: u32,
    pub indices: Vec<Index>,
    /// Terms that are true, or false, where the cells are touched at all.
    pub when: Vec<(Term, bool)>,
}

impl Pattern {
    /// Adds an index. One that always has the same value is none.
    pub fn push(&mut self, terms: &Terms, index: Index) {
        let value = index.term.and_then(|term| terms.as_constant(term));
        match value.and_then(|value| u32::try_from(value).ok()) {
            Some(value) if value < index.length => self.start += value * index.stride,
            Some(_) => self.indices.push(Index {
                term: None,
                ..index
            }),
            None => self.indices.push(index),
        }
    }

    /// All elements of the innermost arrays in one piece, where every one counts.
    pub fn join_innermost(&mut self) {
        while let Some(last) = self.indices.last()
            && last.term.is_none()
            && last.stride == self.width
        {
            self.width *= last.length;
            self.indices.pop();
        }
    }

    /// Whether it is the same cells whatever the values of variables are.
    pub fn is_fixed(&self) -> bool {
        self.when.is_empty() && self.indices.iter().all(|index| index.term.is_none())
    }

    /// Adds the cells for some values of variables: those of the rest may be any of theirs.
    pub fn cells(&self, terms: &Terms, known: &[Option<Value>], into: &mut CellSet) {
        let indices = self.indices.iter().filter_map(|index| index.term);
        let conditions = self.when.iter().map(|(term, _)| *term);
        terms.each_choice(indices.chain(conditions), known, &mut |values| {
            if !terms.is_ruled_out(&self.when, values) {
                self.add(terms, values, into);
            }
        });
    }

    fn add(&self, terms: &Terms, values: &[Option<Value>], into: &mut CellSet) {
        let mut start = self.start;
        let mut any: Vec<Index> = Vec::new();
        for index in &self.indices {
            let value = index.term.and_then(|term| terms.value(term, values));
            match value.and_then(|value| u32::try_from(value).ok()) {
                Some(value) if value < index.length => start += value * index.stride,
                // What is outside fails. Where that is, is not told more closely.
                _ => any.push(*index),
            }
        }
        let pieces = any.iter().map(|index| u64::from(index.length));
        match pieces.fold(1, u64::saturating_mul) > MOST_PIECES {
            true => into.insert(start..start + self.span(&any)),
            false => self.pieces(&any, start, into),
        }
    }

    /// How many cells there are from the first to the last element of some arrays.
    fn span(&self, any: &[Index]) -> u32 {
        let last = |index: &Index| index.length.saturating_sub(1) * index.stride;
        any.iter().map(last).sum::<u32>() + self.width
    }

    fn pieces(&self, any: &[Index], start: u32, into: &mut CellSet) {
        let Some((index, rest)) = any.split_first() else {
            return into.insert(start..start + self.width);
        };
        for position in 0..index.length {
            self.pieces(rest, start + position * index.stride, into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::BinaryOp;
    use crate::values::Progression;
    use crate::values::Values;

    fn index(term: Option<Term>, stride: u32, length: u32) -> Index {
        Index {
            term,
            stride,
            length,
        }
    }

    fn pattern(indices: Vec<Index>, when: Vec<(Term, bool)>) -> Pattern {
        Pattern {
            start: 2,
            width: 1,
            indices,
            when,
        }
    }

    fn cells(pattern: &Pattern, terms: &Terms, known: &[Option<Value>]) -> Vec<u32> {
        let mut found = CellSet::default();
        pattern.cells(terms, known, &mut found);
        found.intervals().iter().cloned().flatten().collect()
    }

    #[test]
    fn cells_follow_the_values_that_are_known() {
        let mut terms = Terms::default();
        let row = terms.variable(&Values(vec![Progression::range(0, 3)]));
        let column = terms.variable(&Values(vec![Progression::range(0, 3)]));
        let differ = terms.binary(BinaryOp::NotEqual, row, column);
        let differ = differ.expect("both are known");
        let two = vec![index(Some(row), 3, 3), index(Some(column), 1, 3)];
        let all = pattern(two.clone(), Vec::new());
        assert_eq!(cells(&all, &terms, &[Some(1), Some(2)]), [7]);
        assert_eq!(cells(&all, &terms, &[Some(1), None]), [5, 6, 7]);
        assert_eq!(cells(&all, &terms, &[None, Some(0)]), [2, 5, 8]);
        let beside = pattern(two, vec![(differ, true)]);
        assert_eq!(cells(&beside, &terms, &[Some(1), None]), [5, 7]);
        assert!(cells(&beside, &terms, &[Some(1), Some(1)]).is_empty());
        let unknown = pattern(vec![index(Some(row), 3, 3), index(None, 1, 3)], Vec::new());
        assert_eq!(cells(&unknown, &terms, &[Some(2)]), [8, 9, 10]);
        // An index outside fails, whichever cell that is about.
        assert_eq!(cells(&all, &terms, &[Some(7), Some(0)]), [2, 5, 8]);
    }

    #[test]
    fn many_combinations_stand_for_every_element() {
        let mut terms = Terms::default();
        let mut far = || terms.variable(&Values(vec![Progression::range(0, 100)]));
        let (row, column) = (far(), far());
        let both = vec![index(Some(row), 100, 100), index(Some(column), 1, 100)];
        let all = pattern(both, Vec::new());
        assert_eq!(cells(&all, &terms, &[]), (2..10_002).collect::<Vec<_>>());
        assert_eq!(cells(&all, &terms, &[Some(3), Some(4)]), [306]);
    }
}
