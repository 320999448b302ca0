//! Expressions with their types: to expressions of the intermediate representation, and to exact quantities.
//!
//! Truth values and integers become expressions. Numbers with fractions become quantities; where they are compared or rounded, integers take their place:
//! a quantity is the quotient of two of them.

mod arithmetic;
mod quotient;
mod real;

use crate::ast::{BinaryOp, Expr as Tree, ExprKind as TreeKind};
use dashu_ratio::RBig;
use mandala_model::chance::Quantity;
use mandala_model::expr::{self, Expr, ExprKind, Place, Projection, Root};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::GlobalId;
use mandala_model::source::Span;
use mandala_model::suggest::closest;
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) use quotient::not_zero;
pub(crate) use real::{IntTerm, RealTerm};

/// The value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Real(RBig),
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    /// Integers from the first to the second.
    Int(i64, i64),
}

/// Where the value of a variable is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) global: GlobalId,
    /// Which element, if it is one of an array.
    pub(crate) element: Option<u32>,
    pub(crate) kind: Kind,
}

/// What names mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) constants: HashMap<Arc<str>, Value>,
    pub(crate) variables: HashMap<Arc<str>, Slot>,
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    Bool(Expr),
    Int(IntTerm),
    Real(RealTerm),
}

impl IntTerm {
    pub(crate) fn constant(value: i64, span: Span) -> Self {
        IntTerm {
            expr: Expr::constant(value, span),
            low: value,
            high: value,
        }
    }

    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.expr.as_constant()
    }
}

impl Term {
    /// What it is, for people.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Term::Bool(_) => "a truth value",
            Term::Int(_) => "an integer",
            Term::Real(_) => "a number",
        }
    }

    /// Its value, if it depends on nothing.
    pub(crate) fn as_value(&self) -> Option<Value> {
        match self {
            Term::Bool(expr) => expr.as_constant().map(|value| Value::Bool(value != 0)),
            Term::Int(term) => term.as_constant().map(Value::Int),
            Term::Real(term) => term.quantity.as_constant().cloned().map(Value::Real),
        }
    }
}

impl Slot {
    /// The cell.
    pub(crate) fn place(&self, span: Span) -> Place {
        let mut place = Place::variable(Root::Global(self.global), span);
        if let Some(element) = self.element {
            let index = Expr::constant(i64::from(element), span);
            place.path.push(Projection::Index(index));
        }
        place
    }

    pub(crate) fn read(&self, span: Span) -> Expr {
        Expr::new(ExprKind::Read(self.place(span)), span)
    }
}

impl Names {
    /// What a name stands for.
    fn named(&self, name: &Arc<str>, span: Span) -> Fallible<Term> {
        if let Some(value) = self.constants.get(name) {
            return Ok(of_value(value, span));
        }
        let Some(slot) = self.variables.get(name) else {
            return Err(self.unknown(name, span));
        };
        let expr = slot.read(span);
        Ok(match slot.kind {
            Kind::Bool => Term::Bool(expr),
            Kind::Int(low, high) => Term::Int(IntTerm { expr, low, high }),
        })
    }

    fn unknown(&self, name: &str, span: Span) -> Box<mandala_model::Diagnostic> {
        let message = format!("there is no variable, constant or formula `{name}`");
        let known = self.variables.keys().chain(self.constants.keys());
        let mut known: Vec<&str> = known.map(|known| &**known).collect();
        known.sort_unstable();
        match closest(name, known.into_iter()) {
            Some(near) => error_help(span, message, format!("did you mean `{near}`?")),
            None => error(span, message),
        }
    }

    /// The expression with its type.
    pub(crate) fn term(&self, tree: &Tree) -> Fallible<Term> {
        let span = tree.span;
        match &tree.kind {
            TreeKind::Bool(value) => Ok(Term::Bool(Expr::constant(i64::from(*value), span))),
            TreeKind::Int(value) => Ok(Term::Int(IntTerm::constant(*value, span))),
            TreeKind::Real(value) => Ok(Term::Real(RealTerm::constant(value.clone()))),
            TreeKind::Name(name) => self.named(name, span),
            TreeKind::Not(inner) => Ok(Term::Bool(not(self.condition(inner)?))),
            TreeKind::Negate(inner) => self.negated(inner, span),
            TreeKind::All(parts) => self
                .joined(expr::BinaryOp::And, parts, span)
                .map(Term::Bool),
            TreeKind::Any(parts) => self.joined(expr::BinaryOp::Or, parts, span).map(Term::Bool),
            TreeKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            TreeKind::If(parts) => self.conditional(parts, span),
            TreeKind::Call(function, arguments) => self.called(*function, arguments, span),
            TreeKind::Label(name) => {
                let message = format!("the label \"{name}\" has no value here");
                Err(error_help(
                    span,
                    message,
                    "labels are for properties; a `formula` can be used everywhere",
                ))
            }
            TreeKind::Operator(_) | TreeKind::Temporal(_) => Err(error(
                span,
                "this is about runs, and a value of a state is needed here",
            )),
        }
    }

    /// A truth value.
    pub(crate) fn condition(&self, tree: &Tree) -> Fallible<Expr> {
        match self.term(tree)? {
            Term::Bool(expr) => Ok(expr),
            other => Err(mismatch("a truth value", &other, tree.span)),
        }
    }

    /// An integer.
    pub(crate) fn int(&self, tree: &Tree) -> Fallible<IntTerm> {
        match self.term(tree)? {
            Term::Int(term) => Ok(term),
            other => Err(mismatch("an integer", &other, tree.span)),
        }
    }

    /// A number.
    pub(crate) fn real(&self, tree: &Tree) -> Fallible<RealTerm> {
        match self.term(tree)? {
            Term::Bool(expr) => Err(mismatch("a number", &Term::Bool(expr), tree.span)),
            Term::Int(term) => Ok(RealTerm::of_int(&term)),
            Term::Real(term) => Ok(term),
        }
    }

    /// The value of something that depends on no variable.
    pub(crate) fn value(&self, tree: &Tree) -> Fallible<Value> {
        self.term(tree)?.as_value().ok_or_else(|| {
            let message = "this depends on the state, and a constant is needed here";
            error(tree.span, message)
        })
    }

    /// The same, as a number.
    pub(crate) fn number(&self, tree: &Tree) -> Fallible<RBig> {
        match self.value(tree)? {
            Value::Int(value) => Ok(RBig::from(value)),
            Value::Real(value) => Ok(value),
            Value::Bool(_) => Err(error(tree.span, "expected a number, found a truth value")),
        }
    }

    /// All, or any, of some conditions. What is known is decided; the tree is as flat as can be.
    fn joined(&self, op: expr::BinaryOp, parts: &[Tree], span: Span) -> Fallible<Expr> {
        let neutral = i64::from(op == expr::BinaryOp::And);
        let mut conditions = Vec::new();
        let mut decided = false;
        for part in parts {
            let condition = self.condition(part)?;
            match condition.as_constant() {
                Some(value) if value == neutral => {}
                Some(_) => decided = true,
                None if !decided => conditions.push(condition),
                None => {}
            }
        }
        // What comes before a part that decides may still fail, so it stays.
        if decided && conditions.is_empty() {
            return Ok(Expr::constant(1 - neutral, span));
        }
        if decided {
            conditions.push(Expr::constant(1 - neutral, span));
        }
        Ok(balanced(op, conditions).unwrap_or_else(|| Expr::constant(neutral, span)))
    }

    fn conditional(&self, parts: &[Tree; 3], span: Span) -> Fallible<Term> {
        let condition = self.condition(&parts[0])?;
        let (first, second) = (self.term(&parts[1])?, self.term(&parts[2])?);
        let known = condition.as_constant().map(|value| value != 0);
        match (first, second) {
            (Term::Bool(first), Term::Bool(second)) => {
                Ok(Term::Bool(choice(known, condition, first, second, span)))
            }
            (Term::Int(first), Term::Int(second)) => {
                Ok(Term::Int(chosen(known, condition, first, second, span)))
            }
            (Term::Bool(_), other) | (other, Term::Bool(_)) => {
                Err(mismatch("two truth values or two numbers", &other, span))
            }
            (first, second) => {
                let (first, second) = (first.into_real(), second.into_real());
                Ok(Term::Real(RealTerm::choice(
                    known, condition, first, second,
                )))
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: &Tree, right: &Tree, span: Span) -> Fallible<Term> {
        match op {
            BinaryOp::Implies => {
                let left = not(self.condition(left)?);
                let right = self.condition(right)?;
                Ok(Term::Bool(either(left, right, span)))
            }
            BinaryOp::Iff => {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                Ok(Term::Bool(equal(expr::BinaryOp::Equal, left, right, span)))
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => {
                let terms = (self.term(left)?, self.term(right)?);
                arithmetic::compared(op, terms, span).map(Term::Bool)
            }
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Power => {
                let terms = (self.term(left)?, self.term(right)?);
                arithmetic::calculated(op, terms, span)
            }
        }
    }
}

impl Term {
    /// The number that it is. Truth values are none, and whoever asks has seen to that.
    fn into_real(self) -> RealTerm {
        match self {
            Term::Real(term) => term,
            Term::Int(term) => RealTerm::of_int(&term),
            Term::Bool(expr) => RealTerm {
                quantity: Quantity::Value(expr),
                bounds: None,
            },
        }
    }
}

/// A value as a term.
fn of_value(value: &Value, span: Span) -> Term {
    match value {
        Value::Bool(value) => Term::Bool(Expr::constant(i64::from(*value), span)),
        Value::Int(value) => Term::Int(IntTerm::constant(*value, span)),
        Value::Real(value) => Term::Real(RealTerm::constant(value.clone())),
    }
}

pub(crate) fn mismatch(wanted: &str, found: &Term, span: Span) -> Box<mandala_model::Diagnostic> {
    let message = format!("expected {wanted}, found {}", found.kind());
    match found {
        Term::Real(_) => error_help(
            span,
            message,
            "`floor` and `ceil` make an integer of a number",
        ),
        _ => error(span, message),
    }
}

/// The negation.
pub(crate) fn not(condition: Expr) -> Expr {
    let span = condition.span;
    match condition.kind {
        ExprKind::Const(value) => Expr::constant(i64::from(value == 0), span),
        ExprKind::Unary(expr::UnaryOp::Not, inner) => *inner,
        ExprKind::Binary(op, left, right) if opposite(op).is_some() => {
            let op = opposite(op).unwrap_or(op);
            Expr::new(ExprKind::Binary(op, left, right), span)
        }
        kind => Expr::new(kind, span).negated(),
    }
}

fn opposite(op: expr::BinaryOp) -> Option<expr::BinaryOp> {
    use expr::BinaryOp as Op;
    Some(match op {
        Op::Equal => Op::NotEqual,
        Op::NotEqual => Op::Equal,
        Op::Less => Op::GreaterEqual,
        Op::GreaterEqual => Op::Less,
        Op::Greater => Op::LessEqual,
        Op::LessEqual => Op::Greater,
        _ => return None,
    })
}

/// Both conditions.
pub(crate) fn both(left: Expr, right: Expr, span: Span) -> Expr {
    match (left.as_constant(), right.as_constant()) {
        (Some(0), _) => Expr::constant(0, span),
        (Some(_), _) => right,
        (None, Some(1)) => left,
        (None, _) => Expr::binary(expr::BinaryOp::And, left, right),
    }
}

fn either(left: Expr, right: Expr, span: Span) -> Expr {
    match (left.as_constant(), right.as_constant()) {
        (Some(0), _) => right,
        (Some(_), _) => Expr::constant(1, span),
        (None, Some(0)) => left,
        (None, _) => Expr::binary(expr::BinaryOp::Or, left, right),
    }
}

/// Whether two truth values are equal, or different.
fn equal(op: expr::BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    let same = op == expr::BinaryOp::Equal;
    match (left.as_constant(), right.as_constant()) {
        (Some(a), Some(b)) => Expr::constant(i64::from(((a != 0) == (b != 0)) == same), span),
        (Some(a), None) if (a != 0) == same => right,
        (Some(_), None) => not(right),
        (None, Some(b)) if (b != 0) == same => left,
        (None, Some(_)) => not(left),
        (None, None) => Expr::binary(op, left, right),
    }
}

/// A tree of little height that joins all parts in their order.
pub(crate) fn balanced(op: expr::BinaryOp, mut parts: Vec<Expr>) -> Option<Expr> {
    while parts.len() > 1 {
        let mut rest = parts.into_iter();
        let mut next = Vec::with_capacity(rest.len().div_ceil(2));
        while let Some(left) = rest.next() {
            next.push(match rest.next() {
                Some(right) => Expr::binary(op, left, right),
                None => left,
            });
        }
        parts = next;
    }
    parts.pop()
}

/// One of two expressions.
fn choice(known: Option<bool>, condition: Expr, first: Expr, second: Expr, span: Span) -> Expr {
    match known {
        Some(true) => first,
        Some(false) => second,
        None => {
            let [condition, first, second] = [condition, first, second].map(Box::new);
            Expr::new(ExprKind::Conditional(condition, first, second), span)
        }
    }
}

/// One of two integers.
pub(crate) fn chosen(
    known: Option<bool>,
    condition: Expr,
    first: IntTerm,
    second: IntTerm,
    span: Span,
) -> IntTerm {
    match known {
        Some(true) => first,
        Some(false) => second,
        None => IntTerm {
            low: first.low.min(second.low),
            high: first.high.max(second.high),
            expr: choice(None, condition, first.expr, second.expr, span),
        },
    }
}
