//! Conditions without nondeterminism: over variables and values that are chosen.
//!
//! Each `*` of an expression is a choice of its own, and occurs once. So for fixed values of the variables the parts of an expression do not depend on
//! each other, and what an expression *can* be is a condition without choices: `a & b` can be true where `a` can and `b` can.

use crate::ast::{Expr, ExprKind, Ident, Operator};
use std::collections::BTreeSet;

/// A variable: a global one, or a place for variables of the functions that a thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Var {
    Global(u32),
    Slot(u32),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cond {
    Constant(bool),
    Variable(Var),
    /// A value that is chosen.
    Chosen(usize),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
    Equal(Box<Cond>, Box<Cond>),
}

impl Cond {
    pub(crate) const TRUE: Cond = Cond::Constant(true);
    pub(crate) const FALSE: Cond = Cond::Constant(false);

    pub(crate) fn negated(self) -> Cond {
        match self {
            Cond::Constant(value) => Cond::Constant(!value),
            Cond::Not(inside) => *inside,
            other => Cond::Not(Box::new(other)),
        }
    }

    pub(crate) fn and(self, other: Cond) -> Cond {
        match (self, other) {
            (Cond::Constant(false), _) | (_, Cond::Constant(false)) => Cond::FALSE,
            (Cond::Constant(true), other) | (other, Cond::Constant(true)) => other,
            (left, right) if left == right => left,
            (left, right) => Cond::And(Box::new(left), Box::new(right)),
        }
    }

    pub(crate) fn or(self, other: Cond) -> Cond {
        match (self, other) {
            (Cond::Constant(true), _) | (_, Cond::Constant(true)) => Cond::TRUE,
            (Cond::Constant(false), other) | (other, Cond::Constant(false)) => other,
            (left, right) if left == right => left,
            (left, right) => Cond::Or(Box::new(left), Box::new(right)),
        }
    }

    pub(crate) fn equal(self, other: Cond) -> Cond {
        match (self, other) {
            (Cond::Constant(value), other) | (other, Cond::Constant(value)) => match value {
                true => other,
                false => other.negated(),
            },
            (left, right) => Cond::Equal(Box::new(left), Box::new(right)),
        }
    }

    /// Its value, if the variables and choices have these.
    pub(crate) fn value(&self, of: &impl Fn(Var) -> bool, chosen: u64) -> bool {
        match self {
            Cond::Constant(value) => *value,
            Cond::Variable(variable) => of(*variable),
            Cond::Chosen(number) => chosen >> number & 1 == 1,
            Cond::Not(inside) => !inside.value(of, chosen),
            Cond::And(left, right) => left.value(of, chosen) && right.value(of, chosen),
            Cond::Or(left, right) => left.value(of, chosen) || right.value(of, chosen),
            Cond::Equal(left, right) => left.value(of, chosen) == right.value(of, chosen),
        }
    }

    /// Calls `visit` on each variable and each number of a choice in it.
    pub(crate) fn walk(&self, visit: &mut impl FnMut(Result<Var, usize>)) {
        match self {
            Cond::Constant(_) => {}
            Cond::Variable(variable) => visit(Ok(*variable)),
            Cond::Chosen(number) => visit(Err(*number)),
            Cond::Not(inside) => inside.walk(visit),
            Cond::And(left, right) | Cond::Or(left, right) | Cond::Equal(left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
        }
    }

    /// The variables that it reads.
    pub(crate) fn reads(&self, into: &mut BTreeSet<Var>) {
        self.walk(&mut |part| {
            into.extend(part.ok());
        });
    }

    /// The same with other numbers of choices.
    pub(crate) fn renumbered(&self, number: &impl Fn(usize) -> usize) -> Cond {
        let again = |part: &Cond| Box::new(part.renumbered(number));
        match self {
            Cond::Constant(_) | Cond::Variable(_) => self.clone(),
            Cond::Chosen(old) => Cond::Chosen(number(*old)),
            Cond::Not(inside) => Cond::Not(again(inside)),
            Cond::And(left, right) => Cond::And(again(left), again(right)),
            Cond::Or(left, right) => Cond::Or(again(left), again(right)),
            Cond::Equal(left, right) => Cond::Equal(again(left), again(right)),
        }
    }
}

/// What names mean where an expression stands.
pub(crate) trait Scope {
    /// The value of a variable before the statement.
    fn before(&self, name: &Ident) -> Cond;
    /// The value of a variable behind the statement.
    fn after(&self, name: &Ident) -> Cond;
}

/// Whether an expression has one value.
pub(crate) fn is_definite(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Any | ExprKind::Schoose(..) => false,
        ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Next(_) => true,
        ExprKind::Not(inside) => is_definite(inside),
        ExprKind::Binary(_, left, right) => is_definite(left) && is_definite(right),
    }
}

/// Where an expression can have a value.
pub(crate) fn can(expr: &Expr, value: bool, scope: &impl Scope) -> Cond {
    let same = |cond: Cond| match value {
        true => cond,
        false => cond.negated(),
    };
    match &expr.kind {
        ExprKind::Constant(constant) => Cond::Constant(*constant == value),
        ExprKind::Any => Cond::TRUE,
        ExprKind::Variable(name) => same(scope.before(name)),
        ExprKind::Next(name) => same(scope.after(name)),
        ExprKind::Not(inside) => can(inside, !value, scope),
        // `a`, or anything where `b` is false.
        ExprKind::Schoose(yes, no) => match value {
            true => can(yes, true, scope).or(can(no, false, scope)),
            false => can(yes, false, scope),
        },
        ExprKind::Binary(operator, left, right) => {
            binary(*operator, (left, right), value, scope, same)
        }
    }
}

fn binary(
    operator: Operator,
    (left, right): (&Expr, &Expr),
    value: bool,
    scope: &impl Scope,
    same: impl Fn(Cond) -> Cond,
) -> Cond {
    let both = |l: bool, r: bool| can(left, l, scope).and(can(right, r, scope));
    let either = |l: bool, r: bool| can(left, l, scope).or(can(right, r, scope));
    match (operator, value) {
        (Operator::And, true) => both(true, true),
        (Operator::And, false) => either(false, false),
        (Operator::Or, true) => either(true, true),
        (Operator::Or, false) => both(false, false),
        (Operator::Implies, true) => either(false, true),
        (Operator::Implies, false) => both(true, false),
        (Operator::Equal | Operator::NotEqual | Operator::Xor, _) => {
            let wanted = (operator == Operator::Equal) == value;
            if is_definite(left) && is_definite(right) {
                let equal = can(left, true, scope).equal(can(right, true, scope));
                return same(match operator {
                    Operator::Equal => equal,
                    _ => equal.negated(),
                });
            }
            both(true, wanted).or(both(false, !wanted))
        }
    }
}
