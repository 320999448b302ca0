//! Quantifiers, in all states at once: the body is evaluated for one value after the other.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made};
use crate::number::Number;
use mandala_model::arithmetic::Calculation;
use mandala_model::source::Span;
use mandala_resolved::{Aggregate, ResolvedQuantified};
use oxidd::BooleanFunction;

impl Attempt<'_> {
    /// The value of a quantifier.
    pub(crate) fn quantified(
        &mut self,
        path: &Path,
        under: &Bdd,
        quantified: &ResolvedQuantified,
        span: Span,
    ) -> Made<Number> {
        let outside = self.bound.split_off(quantified.variable.index());
        let value = match quantified.aggregate {
            Aggregate::Exists { stops } => self.exists_one(path, under, quantified, stops),
            Aggregate::Count => self.count(path, under, quantified),
            Aggregate::Sum => {
                let terms = self.terms(path, under, quantified)?;
                self.sum(under, &terms, span)
            }
            Aggregate::FirstOf => self.first_of(path, under, quantified),
        };
        self.bound.extend(outside);
        value
    }

    /// The body for a value of the variable.
    fn body(
        &mut self,
        path: &Path,
        under: &Bdd,
        quantified: &ResolvedQuantified,
        value: i64,
    ) -> Made<Number> {
        self.bound.push(value);
        let body = self.evaluate(path, under, &quantified.body);
        self.bound.pop();
        body
    }

    fn exists_one(
        &mut self,
        path: &Path,
        under: &Bdd,
        quantified: &ResolvedQuantified,
        stops: bool,
    ) -> Made<Number> {
        let d = self.d();
        let mut open = under.clone();
        let mut found = d.no.clone();
        for value in quantified.values.iter() {
            let holds = self.body(path, &open, quantified, value)?.is_true(d)?;
            found = found.or(&holds)?;
            if stops {
                open = holds.imp_strict(&open)?;
            }
            if !open.satisfiable() {
                found = d.yes.clone();
                break;
            }
        }
        Ok(Number::truth(d, found))
    }

    fn first_of(
        &mut self,
        path: &Path,
        under: &Bdd,
        quantified: &ResolvedQuantified,
    ) -> Made<Number> {
        let d = self.d();
        let mut open = under.clone();
        let mut first = self.constant(0);
        for value in quantified.values.iter() {
            let holds = self.body(path, &open, quantified, value)?.is_true(d)?;
            let here = holds.and(&open)?;
            first = Number::choose(&here, &self.constant(value), &first)?;
            open = holds.imp_strict(&open)?;
            if !open.satisfiable() {
                break;
            }
        }
        Ok(first)
    }

    fn count(&mut self, path: &Path, under: &Bdd, quantified: &ResolvedQuantified) -> Made<Number> {
        let d = self.d();
        let mut count = self.constant(0);
        for value in quantified.values.iter() {
            let holds = self.body(path, under, quantified, value)?.is_true(d)?;
            count = count.plus(d, &Number::truth(d, holds))?;
        }
        Ok(count)
    }

    fn terms(
        &mut self,
        path: &Path,
        under: &Bdd,
        quantified: &ResolvedQuantified,
    ) -> Made<Vec<Number>> {
        let values = quantified.values.iter();
        values
            .map(|value| self.body(path, under, quantified, value))
            .collect()
    }

    /// The sum of the first half, which is not the smaller one, plus that of the second.
    fn sum(&mut self, under: &Bdd, terms: &[Number], span: Span) -> Made<Number> {
        match terms {
            [] => Ok(self.constant(0)),
            [only] => Ok(only.clone()),
            _ => {
                let (left, right) = terms.split_at(terms.len().div_ceil(2));
                let left = self.sum(under, left, span)?;
                let right = self.sum(under, right, span)?;
                self.calculation(under, Calculation::Add, &left, &right, span)
            }
        }
    }
}
