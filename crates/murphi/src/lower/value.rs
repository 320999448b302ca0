//! Values of expressions, and how they get into cells.

use super::build::{compare, conditional, constant, defined, is_raw, is_small, plus, read};
use super::number::Number;
use super::places::Spot;
use super::{Lowering, Meaning};
use crate::typed::{TypeId, TypeKind};
use mandala_model::expr::{BinaryOp as Op, Expr, Place, Root};
use mandala_model::findings::{Fallible, error_help};
use mandala_model::ids::LocalId;
use mandala_model::source::Span;
use mandala_model::template::Effect;
use mandala_model::types::Coding;

/// The raw value of `true`.
const TRUE: i64 = 2;

/// A value. Simple ones are defined: to read an undefined one is an error where it is read.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A number.
    Number(Number),
    /// A truth value, 0 or 1.
    Truth(Expr),
    /// The raw value of a truth value, which is in a cell.
    Flag(Expr),
    /// The raw value of a member of an enum, scalarset or union.
    Member(Expr),
    /// What is in a record or array.
    Whole(Spot),
}

impl Value {
    /// As a condition, if it is a truth value.
    pub(super) fn into_truth(self) -> Option<Expr> {
        match self {
            Value::Truth(condition) => Some(condition),
            Value::Flag(raw) => Some(is_raw(&raw, TRUE)),
            _ => None,
        }
    }

    /// What a cell holds, if its raw value is that expression.
    pub(super) fn of_raw(raw: Expr, kind: &TypeKind) -> Value {
        match kind {
            TypeKind::Boolean => Value::Flag(raw),
            TypeKind::Range { lo, hi } => Value::Number(Number::new(raw, lo - 1, (*lo, *hi))),
            _ => Value::Member(raw),
        }
    }
}

impl Lowering<'_> {
    pub(super) fn kind(&self, ty: TypeId) -> &TypeKind {
        self.program.types.kind(ty)
    }

    /// The value of a spot, which must be defined if it is of a simple type.
    pub(super) fn value_of(&self, spot: Spot) -> Value {
        if !self.program.types.is_simple(spot.ty) {
            return Value::Whole(spot);
        }
        Value::of_raw(defined(read(spot.place())), self.kind(spot.ty))
    }

    pub(super) fn value_of_meaning(&self, meaning: Meaning) -> Value {
        match meaning {
            Meaning::Spot(spot) => self.value_of(spot),
            Meaning::Value(value) => value,
        }
    }

    /// The raw value that a cell of the type gets. Whether it fits is found out when it is stored, except
    /// that the value below the least, whose raw value would be 0, must not look like "undefined".
    pub(super) fn raw(&mut self, value: Value, ty: TypeId) -> Fallible<Expr> {
        match value {
            Value::Number(number) => {
                let lo = match self.kind(ty) {
                    TypeKind::Range { lo, .. } => *lo,
                    _ => 1,
                };
                self.not_undefined(number.plus(1 - lo))
            }
            Value::Truth(condition) => Ok(plus(condition, 1)),
            Value::Flag(raw) | Value::Member(raw) => Ok(raw),
            Value::Whole(spot) => Ok(read(spot.place())),
        }
    }

    /// The number, or one that fits nowhere if it is 0.
    pub(super) fn not_undefined(&mut self, number: Number) -> Fallible<Expr> {
        let (low, high) = number.bounds;
        if low > 0 || high < 0 {
            return number.expr();
        }
        let span = number.span;
        let expr = self.twice(number)?;
        let is_zero = compare(Op::Equal, expr.clone(), constant(0, span));
        Ok(conditional(is_zero, constant(Coding::BELOW, span), expr))
    }

    /// The number as an expression that may be evaluated twice.
    fn twice(&mut self, number: Number) -> Fallible<Expr> {
        let expr = number.clone().expr()?;
        if is_small(&expr) {
            return Ok(expr);
        }
        self.keep_number(number)?.expr()
    }

    /// The same value, which from now on does not depend on variables.
    pub(super) fn keep(&mut self, value: Value, ty: TypeId) -> Fallible<Value> {
        if self.is_fixed(&value) {
            return Ok(value);
        }
        match value {
            Value::Number(number) => Ok(Value::Number(self.keep_number(number)?)),
            Value::Truth(condition) => {
                let kept = Number::new(condition, 0, (0, 1));
                Ok(Value::Truth(self.keep_number(kept)?.expr()?))
            }
            Value::Flag(raw) | Value::Member(raw) => {
                let spot = self.temporary(ty, "member", raw.span)?;
                self.store(spot.place(), raw);
                Ok(Value::of_raw(read(spot.place()), self.kind(ty)))
            }
            Value::Whole(spot) => {
                let copy = self.temporary(ty, "copy", spot.span)?;
                self.copy(&copy, &spot);
                Ok(Value::Whole(copy))
            }
        }
    }

    pub(super) fn keep_number(&mut self, number: Number) -> Fallible<Number> {
        if number.base().is_none_or(|base| self.is_fixed_expr(base)) {
            return Ok(number);
        }
        let (bounds, span) = (number.bounds, number.span);
        let local = self.scratch.take_number(bounds, span);
        self.store(local_place(local, span), number.expr()?);
        Ok(Number::new(read(local_place(local, span)), 0, bounds))
    }

    /// Complains about temporaries with multisets in them.
    pub(super) fn refuse_multiset(&self, ty: TypeId, name: &str, span: Span) -> Fallible<()> {
        if !self.has_multiset(ty) {
            return Ok(());
        }
        let message = format!("`{name}` would be a multiset that is not a part of the state");
        let help = "a function with such a result, or one that calls itself, has no place for it";
        Err(error_help(span, message, help))
    }

    /// A temporary for values of the type.
    pub(super) fn temporary(&mut self, ty: TypeId, name: &str, span: Span) -> Fallible<Spot> {
        self.refuse_multiset(ty, name, span)?;
        let shape = self.shapes.of(&self.program.types, ty, span)?;
        let indices = self.shapes.indices(&self.program.types, ty, span)?;
        let local = self.scratch.take_indexed(&shape, indices, name, span);
        self.typed_locals.entry(local).or_insert(ty);
        Ok(Spot::new(Root::Local(local), ty, span))
    }

    /// Puts a raw value into a cell.
    pub(super) fn store(&mut self, place: Place, value: Expr) {
        let effect = Effect::Assign { place, value };
        self.flow.effect(effect, &self.label);
    }
}

/// A whole local variable.
pub(super) fn local_place(local: LocalId, span: Span) -> Place {
    Place::variable(Root::Local(local), span)
}
