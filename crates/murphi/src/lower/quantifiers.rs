//! Quantifiers that are expressions: all whose bodies need no code.
//!
//! The variable of a quantifier is always defined and never assigned to: like a constant, it need not be saved before other code runs.
//!
//! Members of scalarsets have no order, so none may keep an error in the condition for another one from being found: quantifiers over scalarsets, and
//! over unions with scalarsets, evaluate their body for every member. All others go through their values in order and stop at the first
//! that decides, as in CMurphi and Rumur; where no body can fail, that is the same as to evaluate it for all.

use super::build::{Chain, constant};
use super::constants::Values;
use super::{Lowering, Meaning};
use crate::typed::{Binding, Expr, TypeKind};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered, ExprKind, Place, Projection, UnaryOp};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::BinderId;
use mandala_model::parameters;
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::types::{Scalar, Type};

/// A variable whose values a quantifier goes through.
pub(super) struct Range {
    pub(super) name: String,
    pub(super) scalar: Scalar,
    pub(super) values: parameters::Values,
    pub(super) span: Span,
}

impl<'p> Lowering<'p> {
    /// A quantifier whose body is an expression.
    pub(super) fn plain_quantifier(
        &mut self,
        kind: Chain,
        binding: &Binding,
        body: &Expr,
        span: Span,
    ) -> Fallible<Lowered> {
        let Some(values) = self.values(binding) else {
            return Err(error(binding.span, "the values are not known here"));
        };
        let strict = self.has_scalarset(values.ty);
        let range = self.range(binding, &values)?;
        let quantified = self.over(range, &mut |lowering, raw| {
            let bound = lowering.held_value(raw.clone(), &values);
            let meaning = Meaning::Value(bound);
            lowering.variables.insert(binding.variable, meaning);
            lowering.condition(body)
        })?;
        if quantified.body.as_constant().is_some() && values.count > 0 {
            return Ok(quantified.body);
        }
        let evaluation = match strict || cannot_fail(&quantified.body) {
            true => Evaluation::Strict,
            false => Evaluation::Ordered,
        };
        let quantifier = match kind {
            Chain::All => Quantifier::ForAll,
            Chain::Some => Quantifier::Exists,
        };
        Ok(quantified.finish(quantifier, evaluation, span))
    }

    /// What the variable of a binding goes through.
    fn range(&mut self, binding: &Binding, values: &Values) -> Fallible<Range> {
        let name = self.program.variable(binding.variable).name.to_string();
        let span = binding.span;
        let scalar = match self.kind(values.ty) {
            TypeKind::Slot(_) | TypeKind::Integer => {
                let (min, max) = values.bounds();
                let narrow = |number| i64::try_from(number).ok();
                let bounds = narrow(min).zip(narrow(max));
                bounds.map(|(min, max)| Scalar::Range { min, max })
            }
            _ => match self.shapes.of(&self.program.types, values.ty, span)? {
                Type::Scalar(scalar) => Some(scalar),
                Type::Record(_) | Type::Array { .. } => None,
            },
        };
        Ok(Range {
            name,
            scalar: scalar.ok_or_else(|| error(span, "there are too many values"))?,
            values: self.raw_values(values, span)?,
            span,
        })
    }

    /// A quantifier over a variable, whose raw value its body is made of.
    pub(super) fn over(
        &mut self,
        range: Range,
        body: &mut dyn FnMut(&mut Lowering<'p>, &Lowered) -> Fallible<Lowered>,
    ) -> Fallible<Over> {
        let variable = BoundVariable {
            id: BinderId::from(self.bound.len()),
            name: range.name,
            scalar: range.scalar,
            span: range.span,
        };
        let raw = Lowered::new(ExprKind::Bound(variable.id), variable.span);
        self.bound.push(range.values.clone());
        let body = body(self, &raw);
        self.bound.pop();
        Ok(Over {
            variable,
            values: range.values,
            body: body?,
        })
    }

    /// The values of the variable of a quantifier around.
    pub(super) fn bound_values(&self, expr: &Lowered) -> Option<&parameters::Values> {
        match expr.kind {
            ExprKind::Bound(id) => self.bound.get(id.index()),
            _ => None,
        }
    }
}

/// A quantifier of which it is not said yet what it makes of the values of its body.
pub(super) struct Over {
    variable: BoundVariable,
    values: parameters::Values,
    body: Lowered,
}

impl Over {
    pub(super) fn finish(
        self,
        quantifier: Quantifier,
        evaluation: Evaluation,
        span: Span,
    ) -> Lowered {
        if self.values.count() == 0 {
            let all = quantifier == Quantifier::ForAll;
            return constant(i64::from(all), span);
        }
        let quantified = Quantified {
            quantifier,
            evaluation,
            variable: self.variable,
            values: self.values,
            body: self.body,
        };
        Lowered::new(ExprKind::Quantified(Box::new(quantified)), span)
    }
}

/// True if it is plain that a condition has a value in every state: it compares, without arithmetic, constants, variables of quantifiers, and cells
/// that are read as they are, without an index.
fn cannot_fail(condition: &Lowered) -> bool {
    !condition.any(|part| match &part.kind {
        ExprKind::Const(_) | ExprKind::Bound(_) | ExprKind::Conditional(..) => false,
        ExprKind::Quantified(_) => false,
        ExprKind::Read(place) => has_index(place),
        ExprKind::Unary(op, _) => *op != UnaryOp::Not,
        ExprKind::Binary(op, ..) => {
            let joins = matches!(op, Op::And | Op::Or | Op::BitAnd | Op::BitOr);
            !joins && !op.is_comparison()
        }
        _ => true,
    })
}

fn has_index(place: &Place) -> bool {
    let mut path = place.path.iter();
    path.any(|projection| matches!(projection, Projection::Index(_)))
}
