//! Visits to all parts of one kind, for changing them.

use super::{Expr, Pattern, Place, Program, Statement};

impl Program {
    /// Visits every sequence of statements, the outer before the inner.
    pub fn each_sequence(&mut self, visit: &mut dyn FnMut(&mut Vec<Statement>)) {
        let bodies = self.inlines.iter_mut().map(|i| &mut i.body);
        let bodies = bodies.chain(self.processes.iter_mut().map(|p| &mut p.body));
        let bodies = bodies.chain(&mut self.init).chain(&mut self.never);
        let bodies = bodies.chain(self.events.iter_mut().map(|e| &mut e.body));
        bodies.for_each(|body| sequences_within(body, visit));
    }

    /// Visits every `if` and `do` by its branches.
    pub fn each_selection(&mut self, visit: &mut dyn FnMut(&mut Vec<Vec<Statement>>)) {
        self.each_sequence(&mut |sequence| {
            for statement in sequence {
                if let Statement::If(branches) | Statement::Do(branches) = unlabelled(statement) {
                    visit(branches);
                }
            }
        });
    }

    /// Visits every expression, the outer before the inner.
    pub fn each_expression(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        let firsts = self.globals.iter_mut().filter_map(|g| g.first.as_mut());
        let conditions = self
            .processes
            .iter_mut()
            .filter_map(|p| p.provided.as_mut());
        firsts
            .chain(conditions)
            .for_each(|e| expressions_within(e, visit));
        self.each_sequence(&mut |sequence| {
            sequence
                .iter_mut()
                .for_each(|s| expressions_of(unlabelled(s), visit));
        });
    }
}

/// The statement behind its labels.
fn unlabelled(statement: &mut Statement) -> &mut Statement {
    match statement {
        Statement::Labelled(_, inner) => unlabelled(inner),
        other => other,
    }
}

fn sequences_within(sequence: &mut Vec<Statement>, visit: &mut dyn FnMut(&mut Vec<Statement>)) {
    visit(sequence);
    for statement in sequence {
        parts(statement)
            .into_iter()
            .for_each(|part| sequences_within(part, visit));
    }
}

/// The sequences that a statement is made of.
pub(crate) fn parts(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match statement {
        Statement::Labelled(_, inner) => parts(inner),
        Statement::If(branches) | Statement::Do(branches) => branches.iter_mut().collect(),
        Statement::Block(_, body) | Statement::For(_, _, _, body) => vec![body],
        Statement::ForIn(_, _, body) => vec![body],
        Statement::Unless(main, escape) => vec![main, escape],
        _ => Vec::new(),
    }
}

/// Visits the expressions of one statement, but not those of the statements in it.
fn expressions_of(statement: &mut Statement, visit: &mut dyn FnMut(&mut Expr)) {
    match statement {
        Statement::Declare(declaration) => {
            declaration
                .first
                .iter_mut()
                .for_each(|e| expressions_within(e, visit));
        }
        Statement::Assign(place, value) => {
            index_of(place, visit);
            expressions_within(value, visit);
        }
        Statement::Count(place, _) => index_of(place, visit),
        Statement::Guard(e) | Statement::Assert(e) => expressions_within(e, visit),
        Statement::Print(values) | Statement::Inline(_, values) => all(values, visit),
        Statement::Send(channel, _, values) => {
            index_of(channel, visit);
            all(values, visit);
        }
        Statement::Receive(channel, _, _, patterns) => {
            index_of(channel, visit);
            patterns
                .iter_mut()
                .for_each(|p| expressions_of_pattern(p, visit));
        }
        Statement::Run(into, _, values) => {
            into.iter_mut().for_each(|place| index_of(place, visit));
            all(values, visit);
        }
        Statement::For(variable, from, to, _) | Statement::Select(variable, from, to) => {
            index_of(variable, visit);
            expressions_within(from, visit);
            expressions_within(to, visit);
        }
        _ => {}
    }
}

fn all(values: &mut [Expr], visit: &mut dyn FnMut(&mut Expr)) {
    values.iter_mut().for_each(|e| expressions_within(e, visit));
}

fn index_of(place: &mut Place, visit: &mut dyn FnMut(&mut Expr)) {
    if let Some((index, _)) = &mut place.index {
        expressions_within(index, visit);
    }
}

fn expressions_of_pattern(pattern: &mut Pattern, visit: &mut dyn FnMut(&mut Expr)) {
    match pattern {
        Pattern::Into(place) => index_of(place, visit),
        Pattern::Eval(value) => expressions_within(value, visit),
        Pattern::Constant(_) | Pattern::Anything => {}
    }
}

fn expressions_within(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    match expr {
        Expr::Number(_) | Expr::Word(_) => {}
        Expr::Place(place) | Expr::Channel(place) | Expr::OfChannel(_, place) => {
            index_of(place, visit);
        }
        Expr::Unary(_, operand) | Expr::AtLabel(_, operand, _) => {
            expressions_within(operand, visit);
        }
        Expr::Binary(_, left, right) => {
            expressions_within(left, visit);
            expressions_within(right, visit);
        }
        Expr::Conditional(condition, yes, no) => {
            [condition, yes, no]
                .into_iter()
                .for_each(|e| expressions_within(e, visit));
        }
        Expr::Poll(channel, _, patterns) => {
            index_of(channel, visit);
            patterns
                .iter_mut()
                .for_each(|p| expressions_of_pattern(p, visit));
        }
        Expr::Call(_, arguments) => all(arguments, visit),
    }
}
