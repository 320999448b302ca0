//! Statements.

use super::build::{Chain, chain, is_small, truth};
use super::flow::{End, Label};
use super::value::Value;
use super::{Assuming, Lowering};
use crate::typed::{Case, Clause, Expr, PropertyKind, Put, Stmt, StmtKind, TypeId};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered};
use mandala_model::findings::Fallible;
use mandala_model::source::Span;
use mandala_model::template::Effect;
use std::sync::Arc;

impl Lowering<'_> {
    pub(super) fn statements(&mut self, stmts: &[Stmt]) -> Fallible<()> {
        for stmt in stmts {
            if !self.flow.is_open() {
                break;
            }
            let mark = self.scratch.mark();
            self.label = Label {
                text: self.program.show_stmt(stmt),
                span: stmt.span,
            };
            self.statement(stmt)?;
            self.scratch.release(mark);
        }
        Ok(())
    }

    fn statement(&mut self, stmt: &Stmt) -> Fallible<()> {
        match &stmt.kind {
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::Undefine(place) => {
                let spot = self.written(place)?;
                self.undefine(&spot);
                self.empty_inside(&spot)?;
                self.check_size()
            }
            StmtKind::Clear(place) => {
                let spot = self.written(place)?;
                self.clear(&spot);
                self.empty_inside(&spot)?;
                self.check_size()
            }
            StmtKind::If(clauses, rest) => self.if_stmt(clauses, rest),
            StmtKind::Switch(value, cases, rest) => self.switch(value, cases, rest),
            StmtKind::For(binding, body) => {
                self.expect_removals(body);
                self.each(binding, &mut |lowering| lowering.statements(body))
            }
            StmtKind::While(condition, body) => self.while_loop(condition, body),
            StmtKind::Alias(aliases, body) => {
                aliases.iter().try_for_each(|id| self.alias(*id))?;
                self.statements(body)
            }
            StmtKind::Call(function, arguments) => {
                self.call(*function, arguments, stmt.span).map(|_| ())
            }
            StmtKind::Return(value) => self.return_from(value.as_ref()),
            StmtKind::Put(what) => self.put(what),
            StmtKind::Error(text) => {
                let label = self.label.clone();
                self.fail(text.to_string(), label);
                Ok(())
            }
            StmtKind::Property {
                kind,
                message,
                condition,
            } => self.property_stmt(*kind, message.as_ref(), condition, stmt.span),
            StmtKind::MultisetAdd(value, place) => self.multiset_add(value, place),
            StmtKind::MultisetRemove(slot, place) => self.multiset_remove(*slot, place),
            StmtKind::MultisetRemoveWhere(binding, condition) => {
                self.multiset_remove_where(binding, condition)
            }
        }
    }

    fn if_stmt(&mut self, clauses: &[Clause], rest: &[Stmt]) -> Fallible<()> {
        let mut branches = Branches::default();
        for clause in clauses {
            if self.needs_flow(&clause.condition) {
                branches.flush(self);
            }
            let condition = self.condition(&clause.condition)?;
            let label = self.label_of(&clause.condition);
            branches.add(condition, label, &clause.body);
        }
        branches.finish(self, rest)
    }

    /// The value is evaluated once; the cases are tried in order, until one is equal.
    fn switch(&mut self, value: &Expr, cases: &[Case], rest: &[Stmt]) -> Fallible<()> {
        let found = self.value(value)?;
        let known = self.keep_for_cases(found, value.ty, cases)?;
        let mut branches = Branches::default();
        for case in cases {
            let mut equal = Vec::new();
            for candidate in &case.values {
                if self.needs_flow(candidate) {
                    branches.flush(self);
                }
                let other = self.value(candidate)?;
                let span = candidate.span;
                equal.push(self.comparison(Op::Equal, known.clone(), other, span)?);
            }
            let span = case.values.first().map_or(value.span, |v| v.span);
            let either = chain(Chain::Some, equal, span);
            let text = format!(
                "{} = {}",
                self.program.show_expr(value),
                self.texts(&case.values)
            );
            branches.add(either, Label { text, span }, &case.body);
        }
        branches.finish(self, rest)
    }

    fn texts(&self, values: &[Expr]) -> String {
        let texts: Vec<String> = values.iter().map(|v| self.program.show_expr(v)).collect();
        texts.join(", ")
    }

    /// The value of a switch, saved if it is large or if a case could change what it depends on.
    fn keep_for_cases(&mut self, value: Value, ty: TypeId, cases: &[Case]) -> Fallible<Value> {
        let mut values = cases.iter().flat_map(|case| &case.values);
        let is_plain = match &value {
            Value::Number(number) => {
                let expr = number.clone().expr()?;
                is_small(&expr)
            }
            Value::Truth(expr) | Value::Flag(expr) | Value::Member(expr) => is_small(expr),
            Value::Whole(_) => true,
        };
        if is_plain && !values.any(|value| self.needs_flow(value)) {
            return Ok(value);
        }
        self.keep(value, ty)
    }

    fn while_loop(&mut self, condition: &Expr, body: &[Stmt]) -> Fallible<()> {
        self.expect_removals(body);
        let head = self.flow.mark(self.label.clone());
        let again = self.condition(condition)?;
        let (inside, outside) = self.fork(again, condition.span);
        self.flow.join(inside);
        self.statements(body)?;
        self.flow.jump(head);
        self.flow.join(outside);
        Ok(())
    }

    fn property_stmt(
        &mut self,
        kind: PropertyKind,
        message: Option<&Arc<str>>,
        condition: &Expr,
        span: Span,
    ) -> Fallible<()> {
        match kind {
            PropertyKind::Assume => self.assume(condition),
            PropertyKind::Cover => self.cover_stmt(message, condition, span),
            PropertyKind::Invariant | PropertyKind::Liveness => {
                let holds = self.condition(condition)?;
                let (on, wrong) = self.fork(holds, span);
                self.flow.join(wrong);
                let message = match message {
                    Some(name) => format!("assertion \"{name}\" failed"),
                    None => format!("assertion failed: {}", self.program.show_expr(condition)),
                };
                let label = self.label.clone();
                self.fail(message, label);
                self.flow.join(on);
                Ok(())
            }
        }
    }

    /// Goes on only if the condition is true.
    pub(super) fn assume(&mut self, condition: &Expr) -> Fallible<()> {
        if self.assuming == Assuming::Disables {
            return self.require(condition);
        }
        let holds = self.condition(condition)?;
        let (on, left_out) = self.fork(holds, self.label.span);
        self.flow.join(left_out);
        self.flow.last(Effect::Abandon, &self.label);
        self.flow.join(on);
        Ok(())
    }

    /// What is put out.
    fn put(&mut self, what: &Put) -> Fallible<()> {
        match what {
            Put::Text(text) => self.put_text(text),
            Put::Value(value) => self.put_value(value)?,
            Put::Place(place) => self.put_place(place)?,
        }
        self.check_size()
    }
}

/// The branches of an `if` or `switch`: one node, as long as no condition needs code.
#[derive(Default)]
struct Branches<'s> {
    waiting: Vec<(Lowered, Label, &'s [Stmt])>,
    /// What is behind each condition that is placed.
    placed: Vec<(Vec<End>, &'s [Stmt])>,
}

impl<'s> Branches<'s> {
    /// A condition with what is done if it is true and all before it are not.
    fn add(&mut self, condition: Lowered, label: Label, body: &'s [Stmt]) {
        if condition.as_constant() != Some(0) {
            self.waiting.push((condition, label, body));
        }
    }

    /// Places the conditions; control goes on where all of them are false.
    fn flush(&mut self, lowering: &mut Lowering<'_>) {
        let waiting = std::mem::take(&mut self.waiting);
        let certain = waiting.iter().position(|(c, ..)| c.as_constant().is_some());
        let waiting: Vec<_> = match certain {
            Some(0) => {
                let ends = lowering.flow.take_ends();
                let body = waiting.into_iter().next().map(|(_, _, body)| body);
                return self.placed.extend(body.map(|body| (ends, body)));
            }
            Some(last) => waiting.into_iter().take(last + 1).collect(),
            None => waiting,
        };
        if waiting.is_empty() {
            return;
        }
        let span = lowering.label.span;
        let mut choices = Vec::new();
        let mut bodies = Vec::new();
        for (condition, label, body) in waiting {
            choices.push((condition, label));
            bodies.push(body);
        }
        if certain.is_none() {
            choices.push((truth(true, span), lowering.label.clone()));
        }
        let mut ends = lowering.flow.split(choices, span).into_iter();
        for body in bodies {
            self.placed.push((ends.next().into_iter().collect(), body));
        }
        lowering.flow.join(ends);
    }

    /// Lowers all branches, the last of which is done where no condition is true.
    fn finish(mut self, lowering: &mut Lowering<'_>, rest: &[Stmt]) -> Fallible<()> {
        self.flush(lowering);
        let before = lowering.choices.removed();
        lowering.statements(rest)?;
        let mut done = lowering.flow.take_ends();
        let mut removed = before.clone();
        for (ends, body) in self.placed {
            removed.extend(lowering.choices.set_removed(before.clone()));
            lowering.flow.join(ends);
            lowering.statements(body)?;
            done.extend(lowering.flow.take_ends());
        }
        removed.extend(lowering.choices.removed());
        lowering.choices.set_removed(removed);
        lowering.flow.join(done);
        Ok(())
    }
}
