//! Expressions.

use super::Checker;
use super::formula::no_value;
use super::place::Reference;
use crate::ast;
use crate::typed::{Expr, ExprKind, QuantifierKind, TypeId, TypeKind, Types};
use mandala_model::findings::{Fallible, error};
use mandala_model::source::Span;

impl Checker<'_> {
    /// Long chains of operators make deep trees. So the way down through them is apart from the rest, in small
    /// functions that are kept out of each other: that is what bounds the stack.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Fallible<Expr> {
        match &expr.kind {
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr.span),
            _ => self.other_expr(expr),
        }
    }

    #[inline(never)]
    fn other_expr(&mut self, expr: &ast::Expr) -> Fallible<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Number(value) => Ok(Expr {
                kind: ExprKind::Constant(*value),
                ty: Types::INTEGER,
                span,
            }),
            ast::ExprKind::Designator(designator) => self.value(designator, span),
            ast::ExprKind::Call(call) => self.call_expr(call),
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ast::ExprKind::Conditional(parts) => self.conditional(parts, span),
            ast::ExprKind::Quantified(kind, quantifiers, body) => {
                self.scoped(|checker| checker.quantified(*kind, quantifiers, body, span))
            }
            ast::ExprKind::IsUndefined(designator) => self.is_undefined(designator, span),
            ast::ExprKind::IsMember(designator, ty) => self.is_member_expr(designator, ty, span),
            ast::ExprKind::MultisetCount(name, multiset, condition) => {
                self.scoped(|checker| checker.count(name, multiset, condition, span))
            }
            ast::ExprKind::Temporal(..) | ast::ExprKind::InRuns(..) => Err(no_value(span)),
        }
    }

    fn value(&mut self, designator: &ast::Designator, span: Span) -> Fallible<Expr> {
        Ok(match self.reference(designator)? {
            Reference::Constant(constant) => Expr { span, ..constant },
            Reference::Place(place) => {
                let ty = place.ty;
                Expr {
                    kind: ExprKind::Read(place),
                    ty,
                    span,
                }
            }
        })
    }

    fn conditional(&mut self, parts: &[ast::Expr; 3], span: Span) -> Fallible<Expr> {
        let condition = self.condition(&parts[0], "the condition of `? :`")?;
        let (yes, no) = (self.expr(&parts[1])?, self.expr(&parts[2])?);
        let (first, second) = (self.describe(yes.ty), self.describe(no.ty));
        let Some((yes, no, ty)) = self.unify(yes, no) else {
            let message = format!(
                "the two values of `? :` must be alike, but one is {first} and one is {second}"
            );
            return Err(error(span, message));
        };
        Ok(Expr {
            kind: ExprKind::Conditional(Box::new([condition, yes, no])),
            ty,
            span,
        })
    }

    /// Several quantifiers are one inside the other.
    fn quantified(
        &mut self,
        kind: QuantifierKind,
        quantifiers: &[ast::Quantifier],
        body: &ast::Expr,
        span: Span,
    ) -> Fallible<Expr> {
        let mut bindings = Vec::new();
        for quantifier in quantifiers {
            bindings.push(self.quantifier(quantifier)?);
        }
        let what = match kind {
            QuantifierKind::All => "the body of `forall`",
            QuantifierKind::Some => "the body of `exists`",
        };
        let mut expr = self.condition(body, what)?;
        for binding in bindings.into_iter().rev() {
            let kind = ExprKind::Quantified(kind, Box::new(binding), Box::new(expr));
            expr = Expr {
                kind,
                ty: Types::BOOLEAN,
                span,
            };
        }
        Ok(expr)
    }

    fn is_undefined(&mut self, designator: &ast::Designator, span: Span) -> Fallible<Expr> {
        let place = self.place(designator, "the operand of `isundefined`")?;
        self.expect_simple(place.ty, designator.span, "the operand of `isundefined`")?;
        if self.is_alias_of_value(&place) {
            let message = format!(
                "`{}` is an alias of a value, which is never undefined",
                designator.base.name
            );
            return Err(error(designator.span, message));
        }
        Ok(Expr {
            kind: ExprKind::IsUndefined(place),
            ty: Types::BOOLEAN,
            span,
        })
    }

    /// The enums and scalarsets whose values a type has.
    fn member_types(&self, ty: TypeId, span: Span) -> Fallible<Vec<TypeId>> {
        match self.types().kind(ty) {
            TypeKind::Union(members) => Ok(members.clone()),
            TypeKind::Enum(_) | TypeKind::Scalarset(_) | TypeKind::Boolean => Ok(vec![ty]),
            _ => {
                let found = self.describe(ty);
                let message = format!(
                    "`ismember` is about unions, scalarsets and enums, but this is {found}"
                );
                Err(error(span, message))
            }
        }
    }

    fn is_member_expr(
        &mut self,
        designator: &ast::Designator,
        ty: &ast::TypeExpr,
        span: Span,
    ) -> Fallible<Expr> {
        let value = self.value(designator, designator.span)?;
        let member = self.type_expr(ty)?;
        let asked = self.member_types(value.ty, designator.span)?;
        let wanted = self.member_types(member, ty.span)?;
        if !asked.iter().any(|part| wanted.contains(part)) {
            let (wanted, found) = (self.types().describe(member), self.describe(value.ty));
            let message = format!("this is {found}, of which no value belongs to `{wanted}`");
            return Err(error(ty.span, message));
        }
        Ok(Expr {
            kind: ExprKind::IsMember(Box::new(value), member),
            ty: Types::BOOLEAN,
            span,
        })
    }
}
