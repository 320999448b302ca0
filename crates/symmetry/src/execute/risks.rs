//! The conditions under which an evaluation fails.
//!
//! A value that is undefined, or one that does not fit the variable that it is put into, makes a step a fault. Here this is
//! brought into the open: the way divides into one on which nothing of the kind happens and one that ends in the fault. So the
//! terms themselves cannot fail in this way, and may be sorted; and that two tests are made in one order or the other is
//! no difference any more, once the ways are put together (`outcomes`).

use super::{Executor, What};
use crate::algebra::Algebra;
use crate::breach::Breach;
use crate::execute::run::Run;
use crate::path::At;
use crate::term::Term;
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::source::Span;
use mandala_model::types::Scalar;

/// Conditions that hold iff an evaluation comes neither to an undefined value nor to one that does not fit. Each can be asked
/// where those before it hold.
#[derive(Debug, Default)]
pub(crate) struct Risks(Vec<Term>);

impl Risks {
    /// The value must not be 0.
    pub(super) fn defined(&mut self, algebra: Algebra, value: &Term) {
        self.add(algebra.binary(BinaryOp::NotEqual, value.clone(), Term::Const(0)));
    }

    /// The value must be one that a cell of the type can hold.
    fn fits(&mut self, algebra: Algebra, value: &Term, scalar: Scalar) {
        if let Some((min, max)) = scalar.limits() {
            let bounds = [(BinaryOp::GreaterEqual, min), (BinaryOp::LessEqual, max)];
            for (op, bound) in bounds {
                self.add(algebra.binary(op, value.clone(), Term::Const(bound)));
            }
        }
    }

    /// What can go wrong unless that condition holds.
    pub(super) fn unless(&mut self, algebra: Algebra, condition: &Term, risks: Risks) {
        for risk in risks.0 {
            self.add(algebra.any(vec![condition.clone(), risk]));
        }
    }

    fn add(&mut self, risk: Term) {
        if risk.known().is_none_or(|v| v == 0) {
            self.0.push(risk);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Executor<'_> {
    /// The value of an expression on the way on which it has one.
    pub(super) fn value(&mut self, run: &mut Run, expr: &Expr) -> Result<Term, Breach> {
        self.statement(run, expr.span, |this, run, risks| {
            this.evaluate(run, expr, risks)
        })
    }

    /// What a cell of that type holds when the value is put into it.
    pub(super) fn stored(&self, scalar: Scalar, value: Term, risks: &mut Risks) -> Term {
        if !self.algebra.fits(&value, scalar) {
            risks.fits(self.algebra, &value, scalar);
        }
        self.algebra.store(scalar, value)
    }

    /// Keeps the run to the way on which nothing goes wrong.
    pub(super) fn require(
        &mut self,
        run: &mut Run,
        risks: Risks,
        span: Span,
    ) -> Result<(), Breach> {
        for risk in risks.0 {
            if self.is_met(run, &risk) {
                continue;
            }
            if self.goes_on {
                let why = "may be undefined or too large in the middle of an atomic sequence";
                return Err(Breach::at(span, why));
            }
            self.spend(
                run.asked(),
                span,
                What::Phrase("what may be undefined here"),
            )?;
            let refuted = At {
                what: self.algebra.not(risk.clone()),
                span,
            };
            self.faults.push(run.fault(refuted, self.fault));
            run.require(At { what: risk, span });
        }
        Ok(())
    }

    /// Whether a condition certainly holds on a run. One of several is enough if any may.
    fn is_met(&self, run: &Run, condition: &Term) -> bool {
        let one = |t: &Term| run.decided(self.algebra, t) == Some(true);
        match condition {
            Term::Any(list) if self.algebra.is_total(condition) => list.iter().any(one),
            _ => one(condition),
        }
    }
}
