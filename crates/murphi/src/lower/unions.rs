//! Unions: values of several enums and scalarsets.
//!
//! A value has the same raw value in a union as in its own type ([`numbering`](super::numbering)), so only the way back
//! asks for a check: where a member is expected and a value of the union is given. If the raw values of the member begin at 1,
//! indices and assignments are checked by the bounds of the array or cell anyway. All others get a check of their own.

use super::Lowering;
use super::build::{compare, conditional, constant, not};
use super::number::Number;
use super::numbering::Part;
use super::quantifiers::Range;
use super::value::Value;
use crate::typed::{Expr, ExprKind, Number as Integer, TypeId, TypeKind, Types};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered, ExprKind as LoweredKind};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::BinderId;
use mandala_model::parameters::{Progression, Values};
use mandala_model::quantified::{Evaluation, Quantifier};
use mandala_model::source::Span;
use mandala_model::types::Scalar;

impl Lowering<'_> {
    /// The values of a simple type, part by part.
    pub(super) fn parts(&self, ty: TypeId) -> Vec<Part> {
        self.shapes.numbering.parts(&self.program.types, ty)
    }

    /// The part that a value belongs to, which is given by its number in the type, and its number there.
    pub(super) fn part_of(&self, value: Integer, ty: TypeId) -> (Part, Integer) {
        let numbering = &self.shapes.numbering;
        numbering.part_of(&self.program.types, ty, value)
    }

    /// A value of a type: a number, or the index of a member from 0 on.
    pub(super) fn constant_of(&self, value: Integer, ty: TypeId, span: Span) -> Value {
        match self.kind(ty) {
            TypeKind::Boolean => Value::Truth(constant(i64::from(value != 0), span)),
            TypeKind::Integer | TypeKind::Range { .. } => {
                Value::Number(Number::constant(value, span))
            }
            TypeKind::Slot(_) => Value::Member(constant(value as i64, span)),
            _ => {
                let (part, rest) = self.part_of(value, ty);
                let raw = part.first.saturating_add(rest);
                Value::Member(constant(raw as i64, span))
            }
        }
    }

    /// The raw value of a member of an enum, scalarset or union whose number is known when the model runs.
    pub(super) fn counted_member(&self, index: Number, ty: TypeId) -> Fallible<Lowered> {
        let mut parts = self.parts(ty).into_iter().rev();
        let Some(last) = parts.next() else {
            return index.plus(1).expr();
        };
        let mut before = self.program.types.values(ty).unwrap_or(0) - last.count;
        let mut raw = index.clone().plus(last.first - before).expr()?;
        for part in parts {
            let bound = Number::constant(before, index.span);
            let is_here = index.clone().compare(Op::Less, bound);
            before -= part.count;
            let here = index.clone().plus(part.first - before).expr()?;
            raw = conditional(is_here, here, raw);
        }
        Ok(raw)
    }

    /// True if the type has members that have no order.
    pub(super) fn has_scalarset(&self, ty: TypeId) -> bool {
        let parts = self.parts(ty);
        let mut kinds = parts.iter().map(|part| self.kind(part.ty));
        kinds.any(|kind| matches!(kind, TypeKind::Scalarset(_)))
    }

    /// True if a constant raw value is one of the type.
    pub(super) fn has_raw(&self, ty: TypeId, raw: i64) -> bool {
        let parts = self.parts(ty);
        let within = |part: &Part| (part.first..=part.last()).contains(&raw.into());
        parts.iter().any(within)
    }

    /// True if some values of the first type are no values of the second.
    pub(super) fn narrows(&self, from: TypeId, to: TypeId) -> bool {
        let numbering = &self.shapes.numbering;
        numbering.narrows(&self.program.types, from, to)
    }

    /// The value before it is converted, if what an array or cell can hold says enough about whether it belongs to the
    /// member that is wanted.
    pub(super) fn checked_by_bounds<'e>(&self, expr: &'e Expr) -> &'e Expr {
        match &expr.kind {
            ExprKind::Convert(inner)
                if self.begins_at_one(expr.ty) && self.narrows(inner.ty, expr.ty) =>
            {
                inner
            }
            _ => expr,
        }
    }

    fn begins_at_one(&self, ty: TypeId) -> bool {
        matches!(&self.parts(ty)[..], [part] if part.first == 1)
    }

    /// What is passed to a parameter, before it is converted if nothing has to be done for that. So a variable that is
    /// undefined may be passed on.
    pub(super) fn passed_on<'e>(&self, argument: &'e Expr) -> &'e Expr {
        match &argument.kind {
            ExprKind::Convert(inner) if inner.ty == Types::BOOLEAN => argument,
            ExprKind::Convert(inner) if !self.narrows(inner.ty, argument.ty) => inner,
            _ => self.checked_by_bounds(argument),
        }
    }

    /// The same value as a value of another type.
    pub(super) fn converted(&mut self, value: &Expr, target: TypeId) -> Fallible<Value> {
        let found = self.value(value)?;
        let mut raw = self.raw(found, value.ty)?;
        if self.narrows(value.ty, target) {
            raw = self.checked_member(raw, value, target)?;
        }
        Ok(Value::of_raw(raw, self.kind(target)))
    }

    /// The raw value, after a check that it is one of the type.
    fn checked_member(&mut self, raw: Lowered, value: &Expr, target: TypeId) -> Fallible<Lowered> {
        let belongs = self.belongs(&raw, value.ty, target, value.span)?;
        let (on, wrong) = self.fork(belongs, value.span);
        self.flow.join(wrong);
        let wanted = self.program.types.describe(target);
        let shown = self.program.show_expr(value);
        let mut label = self.label.clone();
        label.span = value.span;
        self.fail(format!("`{shown}` is not a member of `{wanted}`"), label);
        self.flow.join(on);
        Ok(raw)
    }

    /// `ismember(value, T)`
    pub(super) fn is_member(&mut self, value: &Expr, member: TypeId) -> Fallible<Lowered> {
        let found = self.value(value)?;
        let raw = self.raw(found, value.ty)?;
        self.belongs(&raw, value.ty, member, value.span)
    }

    /// Whether a raw value of a type is one of another: a comparison with each, or with each of the other
    /// values if they are fewer but not none, for an undefined value is an error. All are made, because members of scalarsets have no order.
    fn belongs(
        &mut self,
        raw: &Lowered,
        union: TypeId,
        member: TypeId,
        span: Span,
    ) -> Fallible<Lowered> {
        if let Some(known) = raw.as_constant() {
            return Ok(constant(i64::from(self.has_raw(member, known)), span));
        }
        let wanted = self.parts(member);
        let parts = self.parts(union);
        let (inside, outside): (Vec<Part>, Vec<Part>) = parts
            .into_iter()
            .partition(|part| wanted.iter().any(|other| other.first == part.first));
        let few = outside.is_empty() || values(&inside) <= values(&outside);
        let any = self.is_one_of(raw, if few { &inside } else { &outside }, span)?;
        Ok(if few { any } else { not(any) })
    }

    /// Whether a raw value is one of those of the parts.
    fn is_one_of(&mut self, raw: &Lowered, parts: &[Part], span: Span) -> Fallible<Lowered> {
        let too_many = || error(span, "there are too many values");
        let run = |part: &Part| {
            Some(Progression {
                first: i64::try_from(part.first).ok()?,
                step: 1,
                count: u32::try_from(part.count).ok()?,
            })
        };
        let runs: Option<Vec<Progression>> = parts.iter().map(run).collect();
        let runs = runs.ok_or_else(too_many)?;
        let last = parts.iter().map(|part| part.last()).max().unwrap_or(0);
        let range = Range {
            name: "member".to_string(),
            scalar: Scalar::Range {
                min: 0,
                max: i64::try_from(last).map_err(|_| too_many())?,
            },
            values: Values(runs),
            span,
        };
        let raw = deeper(raw, self.bound.len());
        let any = self.over(range, &mut |_, member| {
            Ok(compare(Op::Equal, raw.clone(), member.clone()))
        })?;
        Ok(any.finish(Quantifier::Exists, Evaluation::Strict, span))
    }
}

/// The expression inside of one more quantifier, whose variable has that number.
fn deeper(expr: &Lowered, level: usize) -> Lowered {
    let mut expr = expr.clone();
    expr.each_mut(&mut |part| match &mut part.kind {
        LoweredKind::Quantified(inner) => raise(&mut inner.variable.id, level),
        LoweredKind::Bound(id) => raise(id, level),
        _ => {}
    });
    expr
}

fn raise(id: &mut BinderId, level: usize) {
    if id.index() >= level {
        *id = BinderId::from(id.index() + 1);
    }
}

fn values(parts: &[Part]) -> Integer {
    parts.iter().map(|part| part.count).sum()
}
