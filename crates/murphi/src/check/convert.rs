//! Conversions: the types whose values may stand where another type is expected.
//!
//! Numbers of all ranges are one kind of thing. Otherwise types must look the same, where scalarsets of
//! equal size do, and are tied together. A union takes the values of its members, and where a
//! member is expected, a value of the union may stand, which is checked at run time.

use super::Checker;
use crate::typed::{Expr, ExprKind, TypeId, TypeKind, Types};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error};
use mandala_model::source::Span;

impl Checker<'_> {
    /// The value as one of that type, or the value back if that cannot be.
    pub(super) fn coerce(&mut self, value: Expr, target: TypeId) -> Result<Expr, Expr> {
        let both_numbers = self.types().is_number(value.ty) && self.types().is_number(target);
        if both_numbers || self.same_type(value.ty, target, value.span) {
            return Ok(value);
        }
        if self.is_member(value.ty, target) || self.is_member(target, value.ty) {
            return Ok(converted(value, target));
        }
        Err(value)
    }

    /// The value as one of that type, or a complaint that begins as given.
    pub(super) fn expect_type(
        &mut self,
        value: Expr,
        target: TypeId,
        what: &str,
    ) -> Fallible<Expr> {
        match self.coerce(value, target) {
            Ok(value) => Ok(value),
            Err(value) => Err(self.mismatch(&value, target, what)),
        }
    }

    fn mismatch(&self, value: &Expr, target: TypeId, what: &str) -> Box<Diagnostic> {
        let (wanted, found) = (self.describe(target), self.describe(value.ty));
        let mut diagnostic = Diagnostic::error(
            value.span,
            format!("{what} must be {wanted}, but this is {found}"),
        );
        if matches!(self.types().kind(target), TypeKind::Scalarset(_))
            && self.types().is_number(value.ty)
        {
            diagnostic = diagnostic.with_help(
                "the values of a scalarset have no numbers; get them from a `ruleset`, `for` or `forall`",
            );
        }
        Box::new(diagnostic)
    }

    /// Both values as values of one type, which is a union if one of them is of a union.
    pub(super) fn unify(&mut self, left: Expr, right: Expr) -> Option<(Expr, Expr, TypeId)> {
        let (a, b) = (left.ty, right.ty);
        if self.types().is_number(a) && self.types().is_number(b) {
            let ty = if a == b { a } else { Types::INTEGER };
            return Some((left, right, ty));
        }
        if self.same_type(a, b, left.span.to(right.span)) {
            return Some((left, right, a));
        }
        if self.is_member(a, b) {
            return Some((converted(left, b), right, b));
        }
        if self.is_member(b, a) {
            return Some((left, converted(right, a), a));
        }
        None
    }

    /// True if both types look the same. Then the scalarsets in them are tied together.
    pub(super) fn same_type(&mut self, a: TypeId, b: TypeId, span: Span) -> bool {
        if a == b {
            return true;
        }
        let same = self.types().same_shape(a, b);
        if same && let Some((first, second)) = self.program.types.tie(a, b) {
            let name = |id| match &self.types().scalarset(id).name {
                Some(name) => format!("`{name}`"),
                None => "a scalarset without a name".to_string(),
            };
            let message = format!(
                "values of {} and {} are mixed here",
                name(first),
                name(second)
            );
            let help = "the two are treated as one set; use one type if that is meant";
            self.findings
                .push(Diagnostic::warning(span, message).with_help(help));
        }
        same
    }

    /// True if the second is a union that has the first, or all members of the first.
    fn is_member(&self, member: TypeId, union: TypeId) -> bool {
        match (self.types().kind(member), self.types().kind(union)) {
            (TypeKind::Union(parts), TypeKind::Union(members)) => {
                parts.iter().all(|part| members.contains(part))
            }
            (_, TypeKind::Union(members)) => members.contains(&member),
            _ => false,
        }
    }

    /// Complains about types whose values have parts.
    pub(super) fn expect_simple(&self, ty: TypeId, span: Span, what: &str) -> Fallible<()> {
        if self.types().is_simple(ty) {
            return Ok(());
        }
        let message = format!(
            "{what} must be of a simple type, but this is {}",
            self.describe(ty)
        );
        Err(error(span, message))
    }
}

fn converted(value: Expr, target: TypeId) -> Expr {
    let span = value.span;
    Expr {
        kind: ExprKind::Convert(Box::new(value)),
        ty: target,
        span,
    }
}
