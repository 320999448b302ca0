//! Quantifiers: loops over the values of their variables.
//!
//! The registers of a loop from `to` on: the value, its position, what is made of the values so far, and then those of the body.

use super::{Compiler, Unsupported, after};
use crate::code::{Op, Register};
use crate::values::{Loop, extremes};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place};
use mandala_model::model::Arithmetic;
use mandala_model::parameters::Values;
use mandala_model::quantified::{Quantified, Quantifier};
use mandala_model::source::Span;

/// No sum of so many numbers of cells that are no greater than [`SMALL`] overflows, in whichever order they are added.
const FEW: u64 = 1 << 24;
const SMALL: i64 = 1 << 32;

impl Compiler<'_> {
    /// Emits code that leaves the value of a quantifier in `to`.
    pub fn quantified(
        &mut self,
        quantified: &Quantified,
        span: Span,
        to: Register,
    ) -> Result<(), Unsupported> {
        self.bound.truncate(quantified.variable.id.index());
        if quantified.quantifier == Quantifier::Sum && !self.sums_in_any_order(quantified) {
            return self.sum_by_halves(quantified, span, to);
        }
        let position = after(to, span)?;
        let result = after(position, span)?;
        let body = after(result, span)?;
        let row = self.begin_loop(quantified, to);
        self.bound.push(to);
        let out = self.member(quantified, (to, result, body), span)?;
        self.emit(Op::Next { to, row });
        self.bound.pop();
        self.end_loop(row);
        self.land(out);
        self.emit(Op::Copy { to, from: result });
        Ok(())
    }

    fn begin_loop(&mut self, quantified: &Quantified, to: Register) -> u32 {
        let row = self.code.loops.len() as u32;
        let count = quantified.values.count();
        let most = i64::try_from(count).unwrap_or(i64::MAX);
        self.code.loops.push(Loop {
            count,
            begin: self.here(),
            end: 0,
            size: 0,
            result: match quantified.quantifier {
                Quantifier::ForAll | Quantifier::Exists => (0, 1),
                Quantifier::Count => (0, most),
                Quantifier::Sum => (i64::MIN, i64::MAX),
                Quantifier::FirstOf => {
                    let (low, high) = extremes(&quantified.values);
                    (low.min(0), high.max(0))
                }
            },
            values: quantified.values.clone(),
        });
        let first = quantified.quantifier == Quantifier::ForAll;
        self.emit(Op::Each { to, first, row });
        row
    }

    fn end_loop(&mut self, row: u32) {
        let end = self.here();
        let inside = &self.code.loops[row as usize + 1..];
        let inside = inside.iter().map(|inner| inner.size);
        let inside = inside.fold(0, u64::saturating_add);
        let each = &mut self.code.loops[row as usize];
        each.end = end;
        let own = inside.saturating_add(u64::from(end - each.begin));
        each.size = each.count.saturating_mul(own);
    }

    /// What is done for one value. Gives the jumps out of the loop.
    fn member(
        &mut self,
        quantified: &Quantified,
        (value, result, body): (Register, Register, Register),
        span: Span,
    ) -> Result<Vec<usize>, Unsupported> {
        let decided = match quantified.quantifier {
            Quantifier::Sum => {
                self.value(&quantified.body, body)?;
                let site = self.site(span);
                let op = BinaryOp::Add;
                let to = result;
                self.emit(Op::Binary { to, op, site });
                return Ok(Vec::new());
            }
            Quantifier::Count => true,
            other => other.deciding().expect("one value decides"),
        };
        let undecided = self.jumps(&quantified.body, body, !decided)?;
        let to = result;
        self.emit(match quantified.quantifier {
            Quantifier::Count => Op::AddConst { to, value: 1 },
            Quantifier::FirstOf => Op::Copy { to, from: value },
            _ => Op::Const {
                to,
                value: i32::from(decided),
            },
        });
        let stops = quantified.stops_at().is_some() || quantified.quantifier == Quantifier::FirstOf;
        let out = stops.then(|| self.emit(Op::Jump { target: 0 }));
        self.land(undecided);
        Ok(out.into_iter().collect())
    }

    /// Whether it does not matter in which order the values of a sum are added: no sum of some of them is too large, or what is too large is
    /// cut off.
    fn sums_in_any_order(&self, quantified: &Quantified) -> bool {
        let wraps = self.model.arithmetic == Arithmetic::Wrapping32;
        wraps || quantified.values.count() <= FEW && self.is_small(&quantified.body)
    }

    fn is_small(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(value) => value.abs() <= SMALL,
            ExprKind::Read(place) => self.has_small_cell(place),
            ExprKind::Conditional(_, yes, no) => self.is_small(yes) && self.is_small(no),
            ExprKind::Binary(op, ..) => op.is_comparison(),
            _ => false,
        }
    }

    fn has_small_cell(&self, place: &Place) -> bool {
        let rule = self.store_rule(self.scalar_of(place));
        let (low, high) = rule.range.unwrap_or(rule.wrap.bounds());
        low >= -SMALL && high <= SMALL
    }

    /// The sum of the first half, which is not the smaller one, plus that of the second, as the quantifier has it: code for each value.
    fn sum_by_halves(
        &mut self,
        quantified: &Quantified,
        span: Span,
        to: Register,
    ) -> Result<(), Unsupported> {
        let result = after(to, span)?;
        self.bound.push(to);
        let count = quantified.values.count();
        let summed = self.sum_of(
            quantified,
            &quantified.values,
            (0, count),
            span,
            (to, result),
        );
        self.bound.pop();
        summed?;
        self.emit(Op::Copy { to, from: result });
        Ok(())
    }

    fn sum_of(
        &mut self,
        quantified: &Quantified,
        values: &Values,
        (from, count): (u64, u64),
        span: Span,
        (bound, to): (Register, Register),
    ) -> Result<(), Unsupported> {
        if count == 1 {
            self.constant(values.get(from), bound);
            return self.value(&quantified.body, to);
        }
        let half = count.div_ceil(2);
        let second = after(to, span)?;
        self.sum_of(quantified, values, (from, half), span, (bound, to))?;
        let rest = (from + half, count - half);
        self.sum_of(quantified, values, rest, span, (bound, second))?;
        let site = self.site(span);
        self.emit(Op::Binary {
            to,
            op: BinaryOp::Add,
            site,
        });
        Ok(())
    }
}
