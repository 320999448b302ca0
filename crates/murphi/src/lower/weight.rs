//! The size of functions with all that they call, which decides whether a call is put into an expression.

use crate::limits;
use crate::typed::{
    Argument, Expr, ExprKind, FunctionId, Place, Program, ProjectionKind, Put, Stmt, StmtKind,
};

/// The weights of the functions of a program. A function only calls earlier ones.
#[derive(Debug)]
pub(super) struct Weights {
    functions: Vec<u64>,
}

impl Weights {
    pub(super) fn new(program: &Program) -> Weights {
        let mut weights = Weights {
            functions: Vec::new(),
        };
        for function in &program.functions {
            let weight = weights.stmts(&function.body).saturating_add(1);
            weights.functions.push(weight);
        }
        weights
    }

    /// Whether a function, with all that it calls, may be put into an expression.
    pub(super) fn is_small(&self, function: FunctionId) -> bool {
        let weight = self.functions.get(function.index());
        weight.is_some_and(|weight| *weight <= limits::DIRECT)
    }

    pub(super) fn stmts(&self, stmts: &[Stmt]) -> u64 {
        let weights = stmts.iter().map(|stmt| self.stmt(stmt));
        weights.fold(0, u64::saturating_add)
    }

    fn stmt(&self, stmt: &Stmt) -> u64 {
        let inside = match &stmt.kind {
            StmtKind::Assign(place, value) => self.place(place).saturating_add(self.expr(value)),
            StmtKind::If(clauses, rest) => {
                let clauses = clauses.iter();
                let parts =
                    clauses.map(|c| self.expr(&c.condition).saturating_add(self.stmts(&c.body)));
                parts.fold(self.stmts(rest), u64::saturating_add)
            }
            StmtKind::Switch(value, cases, rest) => {
                let parts = cases.iter().map(|c| self.stmts(&c.body).saturating_add(1));
                let rest = self.stmts(rest).saturating_add(self.expr(value));
                parts.fold(rest, u64::saturating_add)
            }
            StmtKind::For(_, body) => self.stmts(body),
            StmtKind::While(condition, body) => {
                self.expr(condition).saturating_add(self.stmts(body))
            }
            StmtKind::Alias(_, body) => self.stmts(body),
            StmtKind::Call(function, arguments) => {
                self.call(self.functions.get(function.index()), arguments)
            }
            StmtKind::Return(Some(value)) | StmtKind::Put(Put::Value(value)) => self.expr(value),
            StmtKind::Property { condition, .. } => self.expr(condition),
            StmtKind::MultisetRemoveWhere(_, condition) => self.expr(condition),
            _ => 0,
        };
        inside.saturating_add(1)
    }

    fn call(&self, function: Option<&u64>, arguments: &[Argument]) -> u64 {
        let arguments = arguments.iter().map(|argument| match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Reference(place) => self.place(place),
            Argument::Undefined => 1,
        });
        arguments.fold(function.copied().unwrap_or(1), u64::saturating_add)
    }

    fn place(&self, place: &Place) -> u64 {
        let indices = place
            .projections
            .iter()
            .map(|projection| match &projection.kind {
                ProjectionKind::Index(index) => self.expr(index),
                _ => 0,
            });
        indices.fold(1, u64::saturating_add)
    }

    /// The weight of an expression. Long chains lean to the left, so that side is followed by a loop.
    pub(super) fn expr(&self, expr: &Expr) -> u64 {
        let mut weight: u64 = 0;
        let mut at = expr;
        while let ExprKind::Binary(_, left, right) = &at.kind {
            weight = weight.saturating_add(self.expr(right)).saturating_add(1);
            at = left;
        }
        weight.saturating_add(self.other(at))
    }

    fn other(&self, expr: &Expr) -> u64 {
        match &expr.kind {
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.place(place),
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => {
                self.expr(operand).saturating_add(1)
            }
            ExprKind::IsMember(value, _) => self.expr(value).saturating_add(1),
            ExprKind::Conditional(parts) => {
                let parts = parts.iter().map(|part| self.expr(part));
                parts.fold(1, u64::saturating_add)
            }
            ExprKind::Quantified(_, _, body) | ExprKind::Count(_, body) => {
                self.expr(body).saturating_add(1)
            }
            ExprKind::Call(function, arguments) => {
                self.call(self.functions.get(function.index()), arguments)
            }
            _ => 1,
        }
    }
}
