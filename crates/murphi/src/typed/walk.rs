//! Walking over the statements and expressions of a program.

use super::{
    Alias, AliasId, AliasTarget, Argument, Binding, Domain, Expr, ExprKind, Place, Program,
    ProjectionKind, Put, Stmt, StmtKind,
};

/// A statement or an expression.
#[derive(Clone, Copy)]
pub(crate) enum Part<'p> {
    Stmt(&'p Stmt),
    Expr(&'p Expr),
}

/// Calls `visit` on all parts of the given ones, themselves included, until it says `true`. Says whether it did.
pub(crate) fn any_part<'p>(
    program: &'p Program,
    parts: impl IntoIterator<Item = Part<'p>>,
    mut visit: impl FnMut(Part<'p>) -> bool,
) -> bool {
    let mut walk = Walk {
        program,
        waiting: parts.into_iter().collect(),
    };
    while let Some(part) = walk.waiting.pop() {
        if visit(part) {
            return true;
        }
        match part {
            Part::Stmt(stmt) => walk.stmt(stmt),
            Part::Expr(expr) => walk.expr(expr),
        }
    }
    false
}

struct Walk<'p> {
    program: &'p Program,
    waiting: Vec<Part<'p>>,
}

impl<'p> Walk<'p> {
    fn push(&mut self, expr: &'p Expr) {
        self.waiting.push(Part::Expr(expr));
    }

    fn stmts(&mut self, stmts: &'p [Stmt]) {
        self.waiting.extend(stmts.iter().map(Part::Stmt));
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.push(value);
            }
            StmtKind::Undefine(place) | StmtKind::Clear(place) => self.place(place),
            StmtKind::If(clauses, rest) => {
                for clause in clauses {
                    self.push(&clause.condition);
                    self.stmts(&clause.body);
                }
                self.stmts(rest);
            }
            StmtKind::Switch(value, cases, rest) => {
                self.push(value);
                for case in cases {
                    case.values.iter().for_each(|value| self.push(value));
                    self.stmts(&case.body);
                }
                self.stmts(rest);
            }
            StmtKind::For(binding, body) => {
                self.binding(binding);
                self.stmts(body);
            }
            StmtKind::While(condition, body) => {
                self.push(condition);
                self.stmts(body);
            }
            StmtKind::Alias(aliases, body) => {
                aliases.iter().for_each(|id| self.alias(*id));
                self.stmts(body);
            }
            StmtKind::Call(_, arguments) => self.arguments(arguments),
            StmtKind::Return(value) => value.iter().for_each(|value| self.push(value)),
            StmtKind::Put(Put::Value(value)) => self.push(value),
            StmtKind::Put(Put::Place(place)) => self.place(place),
            StmtKind::Put(Put::Text(_)) | StmtKind::Error(_) => {}
            StmtKind::Property { condition, .. } => self.push(condition),
            StmtKind::MultisetAdd(value, place) => {
                self.push(value);
                self.place(place);
            }
            StmtKind::MultisetRemove(_, place) => self.place(place),
            StmtKind::MultisetRemoveWhere(binding, condition) => {
                self.binding(binding);
                self.push(condition);
            }
        }
    }

    fn expr(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.place(place),
            ExprKind::Unary(_, operand)
            | ExprKind::Convert(operand)
            | ExprKind::IsMember(operand, _) => self.push(operand),
            ExprKind::Binary(_, left, right) => {
                self.push(left);
                self.push(right);
            }
            ExprKind::Conditional(parts) => parts.iter().for_each(|part| self.push(part)),
            ExprKind::Quantified(_, binding, body) | ExprKind::Count(binding, body) => {
                self.binding(binding);
                self.push(body);
            }
            ExprKind::Call(_, arguments) => self.arguments(arguments),
        }
    }

    fn arguments(&mut self, arguments: &'p [Argument]) {
        for argument in arguments {
            match argument {
                Argument::Value(value) => self.push(value),
                Argument::Reference(place) => self.place(place),
                Argument::Undefined => {}
            }
        }
    }

    fn binding(&mut self, binding: &'p Binding) {
        match &binding.domain {
            Domain::Type(_) => {}
            Domain::Steps { from, to, step } => {
                [from, to]
                    .into_iter()
                    .chain(step)
                    .for_each(|e| self.push(e));
            }
            Domain::Elements(place) => self.place(place),
        }
    }

    fn place(&mut self, place: &'p Place) {
        for projection in &place.projections {
            if let ProjectionKind::Index(index) = &projection.kind {
                self.push(index);
            }
        }
    }

    fn alias(&mut self, id: AliasId) {
        let Alias { target, .. } = self.program.alias(id);
        match target {
            AliasTarget::Place(place) => self.place(place),
            AliasTarget::Value(value) => self.push(value),
        }
    }
}
