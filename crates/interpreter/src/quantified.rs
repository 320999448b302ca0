//! Quantifiers: the body is evaluated for one value after the other.

use crate::evaluate::{binary, fault};
use crate::view::View;
use mandala_model::expr::BinaryOp;
use mandala_model::quantified::{Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::Fault;

impl View<'_> {
    /// The value of a quantifier that stands there.
    pub(crate) fn quantified(&self, quantified: &Quantified, span: Span) -> Result<Value, Fault> {
        let results = self.bodies(quantified)?;
        let mut truths = results.iter().map(|result| *result != 0);
        match quantified.quantifier {
            Quantifier::ForAll => Ok(truths.all(|truth| truth).into()),
            Quantifier::Exists => Ok(truths.any(|truth| truth).into()),
            Quantifier::Count => Ok(truths.filter(|truth| *truth).count() as Value),
            Quantifier::Sum => self.total(&results, span),
            Quantifier::FirstOf => {
                let first = truths.position(|truth| truth);
                Ok(first.map_or(0, |number| quantified.values.get(number as u64)))
            }
        }
    }

    /// The values of the body, up to the one that decides if the evaluation stops there.
    fn bodies(&self, quantified: &Quantified) -> Result<Vec<Value>, Fault> {
        let mut results = Vec::new();
        for value in quantified.values.iter() {
            let bound = [self.bound, &[value]].concat();
            let view = View {
                bound: &bound,
                ..*self
            };
            let result = view.evaluate(&quantified.body)?;
            results.push(result);
            if quantified.stops_at() == Some(result != 0) {
                break;
            }
        }
        Ok(results)
    }

    /// The sum of all terms: that of the first half plus that of the second.
    fn total(&self, terms: &[Value], span: Span) -> Result<Value, Fault> {
        match terms {
            [] => Ok(0),
            [only] => Ok(*only),
            _ => {
                let (left, right) = terms.split_at(terms.len().div_ceil(2));
                let (left, right) = (self.total(left, span)?, self.total(right, span)?);
                let sum = binary(self.model.arithmetic, BinaryOp::Add, left, right);
                sum.map_err(|kind| fault(kind, span))
            }
        }
    }
}
