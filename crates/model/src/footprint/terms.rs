//! Terms: numbers that depend on nothing but parameters of an edge and the variables of quantifiers and loops around.
//!
//! Each term is kept once. What is known of its operands alone is computed when it is made, so a term without variables is a constant.

use crate::expr::{BinaryOp, UnaryOp};
use crate::model::Arithmetic;
use crate::state::Value;
use crate::values::Values;
use std::collections::{BTreeSet, HashMap};

/// Terms that nest deeper than this are unknown.
const DEEPEST: u32 = 24;

/// So many combinations of values are gone through.
const MOST_COMBINATIONS: u64 = 1 << 12;

/// The number of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Term(u32);

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shape {
    Const(Value),
    Variable(u32),
    Unary(UnaryOp, Term),
    Binary(BinaryOp, Term, Term),
    Conditional(Term, Term, Term),
}

/// The terms of one derivation.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    shapes: Vec<Shape>,
    depths: Vec<u32>,
    numbers: HashMap<Shape, Term>,
    variables: Vec<Values>,
}

impl Terms {
    /// A number, if it fits 32 bits. Where a language of 32 bits would go round is left to the run.
    pub fn constant(&mut self, value: Value) -> Option<Term> {
        fitting(value).map(|value| self.number(Shape::Const(value)))
    }

    /// A new variable, which has one of some values.
    pub fn variable(&mut self, values: &Values) -> Term {
        self.variables.push(values.clone());
        self.number(Shape::Variable(self.variables.len() as u32 - 1))
    }

    /// An operation on a term.
    pub fn unary(&mut self, op: UnaryOp, operand: Term) -> Option<Term> {
        self.made(Shape::Unary(op, operand))
    }

    /// An operation on two terms.
    pub fn binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Option<Term> {
        self.made(Shape::Binary(op, left, right))
    }

    /// `if .0 then .1 else .2`.
    pub fn conditional(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        self.made(Shape::Conditional(condition, yes, no))
    }

    /// The term, or what is known of it; nothing if it nests too deep or fails for sure.
    fn made(&mut self, shape: Shape) -> Option<Term> {
        let depth = self.depth(shape);
        if depth > DEEPEST {
            return None;
        }
        if depth > 0 {
            return Some(self.number(shape));
        }
        let value = self.evaluate(shape, &[])?;
        self.constant(value)
    }

    /// How deep the variables in it are; 0 if there are none.
    fn depth(&self, shape: Shape) -> u32 {
        let of = |term: &Term| self.depths[term.0 as usize];
        let deepest = |parts: &[Term]| parts.iter().map(of).max().unwrap_or(0);
        let inside = match shape {
            Shape::Const(_) => return 0,
            Shape::Variable(_) => return 1,
            Shape::Unary(_, operand) => deepest(&[operand]),
            Shape::Binary(_, left, right) => deepest(&[left, right]),
            Shape::Conditional(condition, yes, no) => deepest(&[condition, yes, no]),
        };
        if inside == 0 { 0 } else { inside + 1 }
    }

    fn number(&mut self, shape: Shape) -> Term {
        if let Some(term) = self.numbers.get(&shape) {
            return *term;
        }
        let term = Term(self.shapes.len() as u32);
        self.depths.push(self.depth(shape));
        self.shapes.push(shape);
        self.numbers.insert(shape, term);
        term
    }

    /// The number, if the term is one.
    pub fn as_constant(&self, term: Term) -> Option<Value> {
        match self.shapes[term.0 as usize] {
            Shape::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Adds the variables of a term to some others, in which each is once.
    pub fn variables_of(&self, term: Term, found: &mut BTreeSet<u32>) {
        match self.shapes[term.0 as usize] {
            Shape::Const(_) => {}
            Shape::Variable(number) => {
                found.insert(number);
            }
            Shape::Unary(_, operand) => self.variables_of(operand, found),
            Shape::Binary(_, left, right) => {
                self.variables_of(left, found);
                self.variables_of(right, found);
            }
            Shape::Conditional(condition, yes, no) => {
                let parts = [condition, yes, no];
                parts
                    .iter()
                    .for_each(|part| self.variables_of(*part, found));
            }
        }
    }

    /// Whether a variable, given as a term, occurs in a term.
    pub fn mentions(&self, term: Term, variable: Term) -> bool {
        let mut inside = BTreeSet::new();
        self.variables_of(term, &mut inside);
        matches!(self.shapes[variable.0 as usize], Shape::Variable(v) if inside.contains(&v))
    }

    /// The term with another variable in the place of one.
    pub fn with(&mut self, term: Term, variable: Term, other: Term) -> Option<Term> {
        if term == variable {
            return Some(other);
        }
        match self.shapes[term.0 as usize] {
            Shape::Const(_) | Shape::Variable(_) => Some(term),
            Shape::Unary(op, operand) => {
                let operand = self.with(operand, variable, other)?;
                self.unary(op, operand)
            }
            Shape::Binary(op, left, right) => {
                let left = self.with(left, variable, other)?;
                let right = self.with(right, variable, other)?;
                self.binary(op, left, right)
            }
            Shape::Conditional(condition, yes, no) => {
                let condition = self.with(condition, variable, other)?;
                let yes = self.with(yes, variable, other)?;
                let no = self.with(no, variable, other)?;
                self.conditional(condition, yes, no)
            }
        }
    }

    /// Goes through the values of all variables of some terms whose values are not known. If there are too many, they stay unknown, and it says so.
    pub fn each_choice(
        &self,
        of: impl Iterator<Item = Term>,
        known: &[Option<Value>],
        visit: &mut dyn FnMut(&[Option<Value>]),
    ) -> bool {
        let mut open = BTreeSet::new();
        of.for_each(|term| self.variables_of(term, &mut open));
        let mut open: Vec<u32> = open.into_iter().collect();
        open.retain(|variable| known.get(*variable as usize).copied().flatten().is_none());
        let counts = open
            .iter()
            .map(|open| self.variables[*open as usize].count());
        let all = counts.fold(1, u64::saturating_mul) <= MOST_COMBINATIONS;
        if !all {
            open.clear();
        }
        let mut values = known.to_vec();
        values.resize(self.variables.len().max(known.len()), None);
        self.combine(&open, &mut values, visit);
        all
    }

    fn combine(
        &self,
        open: &[u32],
        values: &mut [Option<Value>],
        visit: &mut dyn FnMut(&[Option<Value>]),
    ) {
        let Some((variable, rest)) = open.split_first() else {
            return visit(values);
        };
        for value in self.variables[*variable as usize].iter() {
            values[*variable as usize] = Some(value);
            self.combine(rest, values, visit);
        }
        values[*variable as usize] = None;
    }

    /// Whether one of some conditions is known not to be as expected.
    pub fn is_ruled_out(&self, conditions: &[(Term, bool)], values: &[Option<Value>]) -> bool {
        conditions.iter().any(|(term, expected)| {
            let value = self.value(*term, values);
            value.is_some_and(|value| (value != 0) != *expected)
        })
    }

    /// The value of a term; nothing if a variable in it that matters has none, or if it fails.
    pub fn value(&self, term: Term, known: &[Option<Value>]) -> Option<Value> {
        self.evaluate(self.shapes[term.0 as usize], known)
    }

    fn evaluate(&self, shape: Shape, known: &[Option<Value>]) -> Option<Value> {
        let value = match shape {
            Shape::Const(value) => value,
            Shape::Variable(number) => known.get(number as usize).copied().flatten()?,
            Shape::Unary(op, operand) => {
                let operand = self.value(operand, known)?;
                Arithmetic::Checked64.unary(op, operand).ok()?
            }
            Shape::Binary(BinaryOp::And, left, right) => match self.value(left, known)? {
                0 => 0,
                _ => i64::from(self.value(right, known)? != 0),
            },
            Shape::Binary(BinaryOp::Or, left, right) => match self.value(left, known)? {
                0 => i64::from(self.value(right, known)? != 0),
                _ => 1,
            },
            // Which shifts fail depends on the width.
            Shape::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, ..) => return None,
            Shape::Binary(op, left, right) => {
                let (left, right) = (self.value(left, known)?, self.value(right, known)?);
                Arithmetic::Checked64.binary(op, left, right).ok()?
            }
            Shape::Conditional(condition, yes, no) => match self.value(condition, known)? {
                0 => self.value(no, known)?,
                _ => self.value(yes, known)?,
            },
        };
        fitting(value)
    }
}

fn fitting(value: Value) -> Option<Value> {
    i32::try_from(value).ok().map(Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Progression;

    #[test]
    fn what_is_known_is_computed_and_what_fails_is_unknown() {
        let mut terms = Terms::default();
        let two = terms.constant(2).expect("it fits");
        let variable = terms.variable(&Values(vec![Progression::range(1, 3)]));
        let four = terms.binary(BinaryOp::Add, two, two).expect("known");
        assert_eq!(terms.as_constant(four), Some(4));
        let sum = terms.binary(BinaryOp::Add, variable, four).expect("short");
        assert_eq!(terms.as_constant(sum), None);
        assert_eq!(terms.value(sum, &[Some(3)]), Some(7));
        assert_eq!(terms.value(sum, &[None]), None);
        assert_eq!(terms.binary(BinaryOp::ShiftLeft, two, two), None);
        let zero = terms.constant(0).expect("it fits");
        assert_eq!(terms.unary(UnaryOp::Defined, zero), None);
        assert!(terms.mentions(sum, variable) && !terms.mentions(four, variable));
        let both = terms.binary(BinaryOp::And, zero, variable).expect("short");
        assert_eq!(terms.value(both, &[None]), Some(0));
    }

    #[test]
    fn deep_terms_are_unknown() {
        let mut terms = Terms::default();
        let one = terms.constant(1).expect("it fits");
        let mut last = Some(terms.variable(&Values(vec![Progression::range(1, 3)])));
        let mut deep = 0;
        while let Some(term) = last {
            last = terms.binary(BinaryOp::Add, term, one);
            deep += 1;
        }
        assert_eq!(deep, DEEPEST);
    }
}
