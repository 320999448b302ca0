//! Steps that cannot fail at run time, as far as can be told from the text.

use crate::visits::{effect_exprs, effect_targets};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::model::Arithmetic;
use mandala_model::template::{Effect, Step, Template};
use mandala_model::types::Type;

/// Looks at the steps of a template.
pub(crate) struct Failing<'m> {
    pub model: &'m Model,
    pub template: &'m Template,
}

impl Failing<'_> {
    /// Whether a guarded step or an `else` can never fail. What is not known to be safe may fail. An assertion does not
    /// count: the run goes on after it.
    pub(crate) fn never(&self, step: &Step) -> bool {
        match step {
            Step::Guarded { guard, effects } => {
                self.is_safe(guard) && effects.iter().all(|e| self.is_safe_effect(e))
            }
            Step::Else => true,
            _ => false,
        }
    }

    fn is_safe_effect(&self, effect: &Effect) -> bool {
        let plain = matches!(
            effect,
            Effect::Assign { .. } | Effect::Assert { .. } | Effect::Print { .. }
        );
        let targets = effect_targets(effect).into_iter().all(|place| {
            let ty = self.known(place);
            ty.is_some_and(|ty| !is_limited(ty))
        });
        plain && targets && effect_exprs(effect).into_iter().all(|e| self.is_safe(e))
    }

    fn is_safe(&self, expr: &Expr) -> bool {
        !expr.any(|part| !self.is_safe_part(part))
    }

    /// One node of an expression; those inside it are looked at by themselves.
    fn is_safe_part(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Read(place) => self.known(place).is_some(),
            ExprKind::Binary(op, _, right) => self.is_safe_operation(*op, right),
            ExprKind::Unary(UnaryOp::Defined, _) => false,
            ExprKind::Unary(..) => self.model.arithmetic == Arithmetic::Wrapping32,
            ExprKind::Const(_) | ExprKind::Conditional(..) | ExprKind::SelfId => true,
            _ => false,
        }
    }

    fn is_safe_operation(&self, op: BinaryOp, right: &Expr) -> bool {
        let wraps = self.model.arithmetic == Arithmetic::Wrapping32;
        let by = right.as_constant();
        match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => wraps,
            BinaryOp::Divide | BinaryOp::Modulo => wraps && by.is_some_and(|v| v != 0),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                wraps && by.is_some_and(|v| (0..32).contains(&v))
            }
            _ => true,
        }
    }

    /// The type of a place that is the same in every state.
    fn known(&self, place: &Place) -> Option<&Type> {
        let mut ty = match &place.root {
            Root::Global(id) => &self.model.global(*id).ty,
            Root::Local(id) => &self.template.locals[id.index()].ty,
            Root::Remote { .. } | Root::OwnPriority | Root::Reference(_) => return None,
        };
        for projection in &place.path {
            ty = match (ty, projection) {
                (Type::Record(id), Projection::Field(field)) => {
                    &self.model.record(*id).fields[*field as usize].ty
                }
                (Type::Array { element, length }, Projection::Index(index)) => {
                    let index = index.as_constant()?;
                    let inside = (0..i64::from(*length)).contains(&index);
                    inside.then_some(&**element)?
                }
                _ => return None,
            };
        }
        Some(ty)
    }
}

/// Whether a value may be outside of the type.
fn is_limited(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(scalar) if scalar.limits().is_some())
}
