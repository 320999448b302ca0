//! Expressions that need code of their own, and calls that do not.
//!
//! A call of a small function that only returns an expression, with arguments that cannot fail, is that
//! expression. Guards like `ready(i)` so stay guards. Small is what has a weight of at most [`DIRECT`](crate::limits::DIRECT) when all that it
//! calls is put in, so the size of a model is that of its text, times a constant.

use super::Lowering;
use crate::typed::{
    Argument, Domain, Expr, ExprKind, FunctionId, Place, ProjectionKind, Root, Stmt, StmtKind,
    TypeId, TypeKind, VariableId, VariableKind,
};

impl<'p> Lowering<'p> {
    /// True if code has to be added for the expression before it is evaluated.
    pub(super) fn needs_flow(&mut self, expr: &Expr) -> bool {
        let mut waiting = vec![expr];
        while let Some(expr) = waiting.pop() {
            let needed = match &expr.kind {
                ExprKind::Read(place) | ExprKind::IsUndefined(place) => {
                    self.is_checked_element(place)
                }
                ExprKind::Count(binding, condition) => self.count_needs_flow(binding, condition),
                ExprKind::Call(function, arguments) => !self.is_direct_call(*function, arguments),
                ExprKind::Convert(value) => self.narrows(value.ty, expr.ty),
                ExprKind::Conditional(_) => !self.program.types.is_simple(expr.ty),
                ExprKind::Quantified(_, binding, _) => self.values(binding).is_none(),
                _ => false,
            };
            if needed {
                return true;
            }
            self.push_parts(expr, &mut waiting);
        }
        false
    }

    /// What a function returns, if that is all it does.
    pub(super) fn returned(&self, function: FunctionId) -> Option<&'p Expr> {
        let function = self.program.function(function);
        match &function.body[..] {
            [
                Stmt {
                    kind: StmtKind::Return(Some(value)),
                    ..
                },
            ] if function.locals.is_empty() => Some(value),
            _ => None,
        }
    }

    /// True if a call can be replaced by what the function returns.
    pub(super) fn is_direct_call(&mut self, function: FunctionId, arguments: &[Argument]) -> bool {
        let Some(returned) = self.returned(function) else {
            return false;
        };
        if self.functions.is_recursive(function) || !self.weights.is_small(function) {
            return false;
        }
        let direct = match self.direct.get(&function) {
            Some(known) => *known,
            None => {
                let direct = !self.needs_flow(returned);
                self.direct.insert(function, direct);
                direct
            }
        };
        let parameters = &self.program.function(function).parameters;
        let mut pairs = parameters.iter().zip(arguments);
        direct && pairs.all(|(parameter, argument)| self.is_direct_argument(*parameter, argument))
    }

    fn is_direct_argument(&self, parameter: VariableId, argument: &Argument) -> bool {
        let ty = self.program.variable(parameter).ty;
        match argument {
            Argument::Undefined => false,
            Argument::Reference(place) => self.is_steady(place),
            Argument::Value(value) => match &value.kind {
                ExprKind::Constant(value) => self.has_value(ty, *value),
                ExprKind::Read(place) => self.is_steady(place) && self.is_within(place.ty, ty),
                _ => false,
            },
        }
    }

    /// True if the value, of the right kind, is one of the type.
    fn has_value(&self, ty: TypeId, value: i128) -> bool {
        match self.kind(ty) {
            TypeKind::Range { lo, hi } => (*lo..=*hi).contains(&value),
            _ => true,
        }
    }

    /// True if all values of the first type are values of the second.
    fn is_within(&self, part: TypeId, whole: TypeId) -> bool {
        match (self.kind(part), self.kind(whole)) {
            (TypeKind::Range { lo, hi }, TypeKind::Range { .. }) => {
                self.has_value(whole, *lo) && self.has_value(whole, *hi)
            }
            (TypeKind::Integer, _) => false,
            _ => true,
        }
    }

    /// True if it can be said which part of a variable this is before anything is evaluated, so that to say so
    /// cannot fail.
    fn is_steady(&self, place: &Place) -> bool {
        let mut ty = self.root_type(place);
        if self.is_checked_element(place) {
            return false;
        }
        place.projections.iter().all(|projection| {
            let whole = std::mem::replace(&mut ty, projection.ty);
            match (&projection.kind, self.kind(whole)) {
                (ProjectionKind::Field(_), _) => true,
                (ProjectionKind::Index(index), TypeKind::Array { index: wanted, .. }) => {
                    self.is_steady_index(index, *wanted)
                }
                _ => false,
            }
        })
    }

    /// True if an index, which may be undefined, cannot be anything but a value of the type.
    pub(super) fn is_certain(&self, index: &Expr, wanted: TypeId) -> bool {
        match &index.kind {
            ExprKind::Constant(value) => self.has_value(wanted, *value),
            ExprKind::Read(place) => self.is_within(place.ty, wanted),
            ExprKind::Convert(inner) => {
                !self.narrows(inner.ty, wanted) && self.is_certain(inner, inner.ty)
            }
            _ => false,
        }
    }

    fn is_steady_index(&self, index: &Expr, wanted: TypeId) -> bool {
        match &index.kind {
            ExprKind::Constant(value) => self.has_value(wanted, *value),
            ExprKind::Read(place) => match place.root {
                Root::Variable(id) => {
                    let is_bound = self.program.variable(id).kind == VariableKind::Bound;
                    is_bound && self.is_within(place.ty, wanted)
                }
                Root::Alias(_) => false,
            },
            _ => false,
        }
    }

    /// The expressions inside of an expression, but for those of arguments.
    fn push_parts<'e>(&self, expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
        match &expr.kind {
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.push_indices(place, parts),
            ExprKind::Unary(_, operand) => parts.push(operand),
            ExprKind::Binary(_, left, right) => parts.extend([&**left, &**right]),
            ExprKind::Conditional(inside) => parts.extend(inside.iter()),
            ExprKind::Quantified(_, binding, body) => {
                parts.push(body);
                if let Domain::Steps { from, to, step } = &binding.domain {
                    parts.extend([from, to].into_iter().chain(step));
                }
            }
            _ => {}
        }
    }

    fn push_indices<'e>(&self, place: &'e Place, parts: &mut Vec<&'e Expr>) {
        for projection in &place.projections {
            if let ProjectionKind::Index(index) = &projection.kind {
                parts.push(index);
            }
        }
    }
}
