//! Quantifiers: loops over the values of their variables.
//!
//! The registers of a loop from `to` on: the value, its position, what is made of the values so far, and then those of the body.

use super::{Compiler, Unsupported, after};
use crate::code::{Op, Register};
use crate::values::{Loop, extremes};
use mandala_model::arithmetic::Calculation;
use mandala_model::parameters::Values;
use mandala_model::source::Span;
use mandala_resolved::{Aggregate, ResolvedExpr, ResolvedKind, ResolvedQuantified, Store};

/// No sum of so many numbers of cells that are no greater than [`SMALL`] overflows, in whichever order they are added.
const FEW: u64 = 1 << 24;
const SMALL: i64 = 1 << 32;

impl Compiler<'_> {
    /// Emits code that leaves the value of a quantifier in `to`.
    pub fn quantified(
        &mut self,
        quantified: &ResolvedQuantified,
        span: Span,
        to: Register,
    ) -> Result<(), Unsupported> {
        self.bound.truncate(quantified.variable.index());
        if quantified.aggregate == Aggregate::Sum && !self.sums_in_any_order(quantified) {
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

    fn begin_loop(&mut self, quantified: &ResolvedQuantified, to: Register) -> u32 {
        let row = self.code.loops.len() as u32;
        let count = quantified.values.count();
        let most = i64::try_from(count).unwrap_or(i64::MAX);
        self.code.loops.push(Loop {
            count,
            begin: self.here(),
            end: 0,
            size: 0,
            result: match quantified.aggregate {
                Aggregate::Exists { .. } => (0, 1),
                Aggregate::Count => (0, most),
                Aggregate::Sum => (i64::MIN, i64::MAX),
                Aggregate::FirstOf => {
                    let (low, high) = extremes(&quantified.values);
                    (low.min(0), high.max(0))
                }
            },
            values: quantified.values.clone(),
        });
        self.emit(Op::Each { to, row });
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
        quantified: &ResolvedQuantified,
        (value, result, body): (Register, Register, Register),
        span: Span,
    ) -> Result<Vec<usize>, Unsupported> {
        let (to, from) = (result, value);
        let found = match quantified.aggregate {
            Aggregate::Exists { .. } => Op::Const { to, value: 1 },
            Aggregate::Count => Op::AddConst { to, value: 1 },
            Aggregate::FirstOf => Op::Copy { to, from },
            Aggregate::Sum => {
                self.value(&quantified.body, body)?;
                let (op, site) = (Calculation::Add, self.site(span));
                self.emit(Op::Calculate { to, op, site });
                return Ok(Vec::new());
            }
        };
        let others = self.jumps(&quantified.body, body, false)?;
        self.emit(found);
        let out = match quantified.aggregate {
            Aggregate::Exists { stops: true } | Aggregate::FirstOf => {
                vec![self.emit(Op::Jump { target: 0 })]
            }
            _ => Vec::new(),
        };
        self.land(others);
        Ok(out)
    }

    /// Whether it does not matter in which order the values of a sum are added: no sum of some of them is too large, or what is too large is
    /// cut off.
    fn sums_in_any_order(&self, quantified: &ResolvedQuantified) -> bool {
        let wraps = self.model.arithmetic.wraps();
        wraps || quantified.values.count() <= FEW && is_small(&quantified.body)
    }

    /// The sum of the first half, which is not the smaller one, plus that of the second, as the quantifier has it: code for each value.
    fn sum_by_halves(
        &mut self,
        quantified: &ResolvedQuantified,
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
        quantified: &ResolvedQuantified,
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
        let op = Calculation::Add;
        self.emit(Op::Calculate { to, op, site });
        Ok(())
    }
}

fn is_small(expr: &ResolvedExpr) -> bool {
    match &expr.kind {
        ResolvedKind::Const(value) => value.abs() <= SMALL,
        ResolvedKind::Read(place) => match place.store {
            // No cell has more than 32 of them.
            Store::Bits { .. } => true,
            Store::Range { min, max } => min >= -SMALL && max <= SMALL,
        },
        ResolvedKind::Conditional(parts) => parts[1..].iter().all(is_small),
        ResolvedKind::Compare(..) => true,
        _ => false,
    }
}
