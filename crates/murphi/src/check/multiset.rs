//! Multisets, which only CMurphi has.
//!
//! A place that was chosen from a multiset only means something in that multiset. CMurphi accepts it in every
//! multiset of the same type; here the two must be the same place, as far as can be seen from the text:
//! where equal multisets are one state, the places of one say nothing about another.

use super::Checker;
use crate::ast;
use crate::typed::{
    AliasTarget, Binding, Domain, Expr, ExprKind, Place, Projection, ProjectionKind, Root,
    StmtKind, TypeId, TypeKind, Types, VariableId, VariableKind,
};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error, error_help, fail};
use mandala_model::source::Span;

impl Checker<'_> {
    /// A choice from a multiset. The name is known from here on in the current scope.
    pub(super) fn choice(
        &mut self,
        name: &ast::Ident,
        multiset: &ast::Designator,
    ) -> Fallible<Binding> {
        let place = self.place(multiset, "what is chosen from")?;
        self.element_type(&place)?;
        let ty = self.program.types.intern(TypeKind::Slot(place.ty));
        let variable = self.new_variable(name, ty, VariableKind::Bound)?;
        self.slots.insert(variable, place.clone());
        let span = name.span.to(multiset.span);
        Ok(Binding {
            variable,
            domain: Domain::Elements(place),
            span,
        })
    }

    fn element_type(&self, place: &Place) -> Fallible<TypeId> {
        match *self.types().kind(place.ty) {
            TypeKind::Multiset { element, .. } => Ok(element),
            _ => {
                let message = format!(
                    "expected a multiset, but this is {}",
                    self.describe(place.ty)
                );
                Err(error(place.span, message))
            }
        }
    }

    /// The chosen place that an expression names, which must belong to that multiset.
    pub(super) fn slot_of(&mut self, index: &ast::Expr, multiset: &Place) -> Fallible<VariableId> {
        let checked = self.expr(index)?;
        let Some(variable) = self.slot_variable(&checked) else {
            let help =
                "elements are reached through `choose`, `multisetcount` and `multisetremovepred`";
            let found = self.describe(checked.ty);
            let message = format!("expected a chosen place of the multiset, but this is {found}");
            return Err(error_help(index.span, message, help));
        };
        let chosen = &self.slots[&variable];
        if self.same_place(chosen, multiset) {
            return Ok(variable);
        }
        let name = &self.program.variable(variable).name;
        let message = format!("`{name}` was chosen from another multiset");
        fail(
            Diagnostic::error(index.span, message)
                .with_related(chosen.span, "chosen from this one"),
        )
    }

    /// The variable of a chosen place, also behind aliases.
    fn slot_variable(&self, expr: &Expr) -> Option<VariableId> {
        let ExprKind::Read(place) = &expr.kind else {
            return None;
        };
        let mut place = place;
        loop {
            match place.root {
                _ if !place.projections.is_empty() => return None,
                Root::Variable(id) => return self.slots.contains_key(&id).then_some(id),
                Root::Alias(id) => match &self.program.alias(id).target {
                    AliasTarget::Place(target) => place = target,
                    AliasTarget::Value(_) => return None,
                },
            }
        }
    }

    /// Complains if two chosen places that are compared belong to different multisets.
    pub(super) fn refuse_foreign_slots(&self, a: &Expr, b: &Expr, span: Span) -> Fallible<()> {
        match (self.slot_variable(a), self.slot_variable(b)) {
            (Some(a), Some(b)) if !self.same_place(&self.slots[&a], &self.slots[&b]) => Err(error(
                span,
                "places of different multisets cannot be compared",
            )),
            _ => Ok(()),
        }
    }

    /// True if two places are written alike, aliases put in.
    fn same_place(&self, a: &Place, b: &Place) -> bool {
        let (a_root, a_steps) = self.expanded(a);
        let (b_root, b_steps) = self.expanded(b);
        a_root == b_root
            && a_steps.len() == b_steps.len()
            && a_steps
                .iter()
                .zip(b_steps)
                .all(|(a, b)| self.same_step(&a.kind, &b.kind))
    }

    /// Root and steps of a place, with the places of aliases put in.
    fn expanded<'p>(&'p self, place: &'p Place) -> (Root, Vec<&'p Projection>) {
        if let Root::Alias(id) = place.root
            && let AliasTarget::Place(target) = &self.program.alias(id).target
        {
            let (root, mut steps) = self.expanded(target);
            steps.extend(&place.projections);
            return (root, steps);
        }
        (place.root, place.projections.iter().collect())
    }

    fn same_step(&self, a: &ProjectionKind, b: &ProjectionKind) -> bool {
        match (a, b) {
            (ProjectionKind::Field(a), ProjectionKind::Field(b)) => a == b,
            (ProjectionKind::Slot(a), ProjectionKind::Slot(b)) => a == b,
            (ProjectionKind::Index(a), ProjectionKind::Index(b)) => self.same_value(a, b),
            _ => false,
        }
    }

    /// True if two expressions are written alike, as far as indices need it.
    fn same_value(&self, a: &Expr, b: &Expr) -> bool {
        match (&a.kind, &b.kind) {
            (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
            (ExprKind::Read(a), ExprKind::Read(b)) => self.same_place(a, b),
            (ExprKind::Convert(a), ExprKind::Convert(b)) => self.same_value(a, b),
            (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => {
                op == other && self.same_value(a, b)
            }
            (ExprKind::Binary(op, a, c), ExprKind::Binary(other, b, d)) => {
                op == other && self.same_value(a, b) && self.same_value(c, d)
            }
            _ => false,
        }
    }

    pub(super) fn count(
        &mut self,
        name: &ast::Ident,
        multiset: &ast::Designator,
        condition: &ast::Expr,
        span: Span,
    ) -> Fallible<Expr> {
        let binding = self.choice(name, multiset)?;
        let condition = self.condition(condition, "the condition of `multisetcount`")?;
        let kind = ExprKind::Count(Box::new(binding), Box::new(condition));
        Ok(Expr {
            kind,
            ty: Types::INTEGER,
            span,
        })
    }

    pub(super) fn multiset_remove_where(
        &mut self,
        name: &ast::Ident,
        multiset: &ast::Designator,
        condition: &ast::Expr,
    ) -> Fallible<StmtKind> {
        self.writable_place(multiset, "what is removed from")?;
        let binding = self.choice(name, multiset)?;
        let condition = self.condition(condition, "the condition of `multisetremovepred`")?;
        Ok(StmtKind::MultisetRemoveWhere(Box::new(binding), condition))
    }

    /// `multisetadd(element, multiset)`
    pub(super) fn multiset_add(&mut self, call: &ast::Call) -> Fallible<StmtKind> {
        let (element, multiset) = self.two_arguments(call, "the element and the multiset")?;
        let place = self.writable_place(multiset, "what is added to")?;
        let wanted = self.element_type(&place)?;
        let value = self.expr(element)?;
        let value = self.expect_type(value, wanted, "the element")?;
        Ok(StmtKind::MultisetAdd(value, place))
    }

    /// `multisetremove(chosen, multiset)`
    pub(super) fn multiset_remove(&mut self, call: &ast::Call) -> Fallible<StmtKind> {
        let (chosen, multiset) = self.two_arguments(call, "the chosen place and the multiset")?;
        let place = self.writable_place(multiset, "what is removed from")?;
        self.element_type(&place)?;
        let slot = self.slot_of(chosen, &place)?;
        Ok(StmtKind::MultisetRemove(slot, place))
    }

    fn two_arguments<'c>(
        &self,
        call: &'c ast::Call,
        what: &str,
    ) -> Fallible<(&'c ast::Expr, &'c ast::Designator)> {
        let name = &call.function.name;
        let [first, second] = call.arguments.as_slice() else {
            return Err(error(
                call.span,
                format!("`{name}` has two arguments: {what}"),
            ));
        };
        match &second.kind {
            ast::ExprKind::Designator(multiset) => Ok((first, multiset)),
            _ => Err(error(
                second.span,
                format!("the second argument of `{name}` is a multiset"),
            )),
        }
    }
}
