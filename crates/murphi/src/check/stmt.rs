//! Statements.

use super::place::Reference;
use super::{Checker, Returning};
use crate::ast;
use crate::typed::{Case, Clause, Expr, Put, Stmt, StmtKind, TypeId, TypeKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

impl Checker<'_> {
    pub(super) fn statements(&mut self, list: &[ast::Stmt]) -> Fallible<Vec<Stmt>> {
        list.iter().map(|stmt| self.statement(stmt)).collect()
    }

    fn statement(&mut self, stmt: &ast::Stmt) -> Fallible<Stmt> {
        let kind = self.statement_kind(stmt)?;
        Ok(Stmt {
            kind,
            span: stmt.span,
        })
    }

    fn statement_kind(&mut self, stmt: &ast::Stmt) -> Fallible<StmtKind> {
        match &stmt.kind {
            ast::StmtKind::Assign(target, value) => self.assignment(target, value),
            ast::StmtKind::Alias(aliases, body) => self.scoped(|checker| {
                let aliases = checker.aliases(aliases)?;
                Ok(StmtKind::Alias(aliases, checker.statements(body)?))
            }),
            ast::StmtKind::Call(call) => self.call_stmt(call),
            ast::StmtKind::Clear(target) => self.clear(target),
            ast::StmtKind::Error(text) => Ok(StmtKind::Error(text.text.clone())),
            ast::StmtKind::For(quantifiers, body) => {
                self.scoped(|checker| checker.for_loop(quantifiers, body, stmt.span))
            }
            ast::StmtKind::If(clauses, otherwise) => self.if_stmt(clauses, otherwise),
            ast::StmtKind::MultisetRemovePred(name, multiset, condition) => {
                self.scoped(|checker| checker.multiset_remove_where(name, multiset, condition))
            }
            ast::StmtKind::Property(kind, message, condition) => {
                self.property_stmt(*kind, message.as_ref(), condition, stmt.span)
            }
            ast::StmtKind::PutExpr(value) => self.put(value),
            ast::StmtKind::PutText(text) => Ok(StmtKind::Put(Put::Text(text.text.clone()))),
            ast::StmtKind::Return(value) => self.return_stmt(value.as_ref(), stmt.span),
            ast::StmtKind::Switch(value, cases, otherwise) => self.switch(value, cases, otherwise),
            ast::StmtKind::Undefine(target) => Ok(StmtKind::Undefine(
                self.writable_place(target, "what is undefined")?,
            )),
            ast::StmtKind::While(condition, body) => {
                let condition = self.condition(condition, "the condition of `while`")?;
                Ok(StmtKind::While(condition, self.statements(body)?))
            }
        }
    }

    fn assignment(&mut self, target: &ast::Designator, value: &ast::Expr) -> Fallible<StmtKind> {
        let place = self.writable_place(target, "what is assigned to")?;
        if self.is_undefined_word(value) {
            return Ok(StmtKind::Undefine(place));
        }
        let value = self.expr(value)?;
        let value = self.expect_type(value, place.ty, "the value")?;
        Ok(StmtKind::Assign(place, value))
    }

    fn clear(&mut self, target: &ast::Designator) -> Fallible<StmtKind> {
        let place = self.writable_place(target, "what is cleared")?;
        let is_set = |kind: &TypeKind| matches!(kind, TypeKind::Scalarset(_));
        if self.types().contains(place.ty, is_set) {
            let message = "`clear` gives scalarsets their first value, which sets that value apart";
            let warning = Diagnostic::warning(target.span, message);
            self.findings
                .push(warning.with_help("`undefine` treats all values alike"));
        }
        Ok(StmtKind::Clear(place))
    }

    /// Several quantifiers are one loop inside the other.
    fn for_loop(
        &mut self,
        quantifiers: &[ast::Quantifier],
        body: &[ast::Stmt],
        span: Span,
    ) -> Fallible<StmtKind> {
        let mut bindings = Vec::new();
        for quantifier in quantifiers {
            bindings.push(self.quantifier(quantifier)?);
        }
        let mut body = self.statements(body)?;
        for binding in bindings.into_iter().rev() {
            let kind = StmtKind::For(Box::new(binding), body);
            body = vec![Stmt { kind, span }];
        }
        match body.pop() {
            Some(outermost) => Ok(outermost.kind),
            None => Err(error(span, "this loop has no values to go through")),
        }
    }

    fn if_stmt(&mut self, clauses: &[ast::Clause], otherwise: &[ast::Stmt]) -> Fallible<StmtKind> {
        let mut checked = Vec::new();
        for clause in clauses {
            let condition = self.condition(&clause.condition, "the condition of `if`")?;
            checked.push(Clause {
                condition,
                body: self.statements(&clause.body)?,
            });
        }
        Ok(StmtKind::If(checked, self.statements(otherwise)?))
    }

    fn switch(
        &mut self,
        value: &ast::Expr,
        cases: &[ast::Case],
        otherwise: &[ast::Stmt],
    ) -> Fallible<StmtKind> {
        let value = self.expr(value)?;
        self.expect_simple(value.ty, value.span, "the value of `switch`")?;
        let mut checked = Vec::new();
        for case in cases {
            let values = self.case_values(&case.values, value.ty)?;
            checked.push(Case {
                values,
                body: self.statements(&case.body)?,
            });
        }
        Ok(StmtKind::Switch(
            value,
            checked,
            self.statements(otherwise)?,
        ))
    }

    fn case_values(&mut self, values: &[ast::Expr], ty: TypeId) -> Fallible<Vec<Expr>> {
        let mut checked = Vec::new();
        for value in values {
            let value = self.expr(value)?;
            checked.push(self.expect_type(value, ty, "the value of `case`")?);
        }
        Ok(checked)
    }

    fn property_stmt(
        &mut self,
        kind: ast::PropertyKind,
        message: Option<&ast::Text>,
        condition: &ast::Expr,
        span: Span,
    ) -> Fallible<StmtKind> {
        if kind == ast::PropertyKind::Liveness {
            let help = "move it out of the rule: it is about all states";
            return Err(error_help(span, "`liveness` cannot be a statement", help));
        }
        let condition = self.condition(condition, "the condition of a property")?;
        let message = message.map(|message| message.text.clone());
        Ok(StmtKind::Property {
            kind,
            message,
            condition,
        })
    }

    fn put(&mut self, value: &ast::Expr) -> Fallible<StmtKind> {
        if let ast::ExprKind::Designator(designator) = &value.kind
            && let Reference::Place(place) = self.reference(designator)?
            && !matches!(self.types().kind(place.ty), TypeKind::Slot(_))
        {
            return Ok(StmtKind::Put(Put::Place(place)));
        }
        let checked = self.expr(value)?;
        self.expect_simple(checked.ty, value.span, "a value that is put out")?;
        Ok(StmtKind::Put(Put::Value(checked)))
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span) -> Fallible<StmtKind> {
        match (self.returning, value) {
            (Returning::Rule | Returning::Procedure, None) => Ok(StmtKind::Return(None)),
            (Returning::Rule, Some(value)) => Err(error_help(
                value.span,
                "a rule or start state returns no value",
                "write `return` alone",
            )),
            (Returning::Procedure, Some(value)) => {
                let help = "write `return` alone, or give the function a type: `function f(): t`";
                Err(error_help(value.span, "a procedure returns no value", help))
            }
            (Returning::Function(_), None) => Err(error(span, "a function must return a value")),
            (Returning::Function(ty), Some(value)) => {
                let value = self.expr(value)?;
                Ok(StmtKind::Return(Some(self.expect_type(
                    value,
                    ty,
                    "the result",
                )?)))
            }
        }
    }
}
