//! Conditions, numbers and what is assigned to.

use super::formula::no_formula;
use super::{Checker, Meaning};
use crate::ast::{Arithmetic, BinaryOp, Expr, ExprKind, Ident, Name, Quantifier, Reference};
use crate::limits;
use crate::typed::{Condition, Kind, ModeId, Operand, Process, Value};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Where there are only constants.
    Constants,
    /// Outside of processes: no process evaluates it.
    Global,
    /// In a rule of that mode: the process that evaluates is in it.
    Rule(ModeId),
    /// The condition of that mode.
    Invariant(ModeId),
}

impl Context {
    /// The mode that the process is in that evaluates, if there is one.
    fn mode(self) -> Option<ModeId> {
        match self {
            Context::Constants | Context::Global => None,
            Context::Rule(mode) | Context::Invariant(mode) => Some(mode),
        }
    }
}

/// What a name of a reference is.
enum Named {
    Meaning(Meaning, Ident),
    /// The word `mode`.
    Mode,
}

impl Checker {
    /// The number that an expression of constants is.
    pub(super) fn constant(&mut self, expr: &Expr) -> Fallible<i64> {
        let value = self.value(expr, Context::Constants)?;
        value
            .constant()
            .ok_or_else(|| error(expr.span, "this is no number that is known from the text"))
    }

    /// A condition.
    pub(super) fn condition(&mut self, expr: &Expr, context: Context) -> Fallible<Condition> {
        Reader::new(self, context).condition(expr)
    }

    /// A number.
    pub(super) fn value(&mut self, expr: &Expr, context: Context) -> Fallible<Value> {
        Reader::new(self, context).value(expr)
    }

    /// What is assigned to.
    pub(super) fn place(&mut self, place: &Reference, context: Context) -> Fallible<Operand> {
        let mut reader = Reader::new(self, context);
        let of_mode = error_help(
            place.span,
            "a mode is not assigned to",
            "a process changes its own with `goto`",
        );
        if let Name::Mode(_) = place.rest.last().unwrap_or(&place.first) {
            return Err(of_mode);
        }
        match reader.reference(place)? {
            Found::Value(Value::Read(operand)) => Ok(operand),
            Found::Value(_) => Err(error(place.span, "a constant is not assigned to")),
            Found::Condition(_) => Err(of_mode),
        }
    }
}

/// What a reference is.
enum Found {
    Value(Value),
    Condition(Condition),
}

/// The process that a quantifier stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The one of that address.
    Named(u32),
    /// The one that a claim has chosen for its name of that number.
    Chosen(u32),
    /// All of them, one after the other: those of the quantifier with that many others around it in its condition.
    Each(u32),
}

pub(super) struct Reader<'c> {
    pub(super) checker: &'c mut Checker,
    context: Context,
    /// The processes that quantifiers stand for at the moment, the innermost last.
    pub(super) bound: Vec<(Arc<str>, Bound)>,
    /// How many of these stand around the condition that is read.
    pub(super) outside: usize,
    /// Those of them that it names.
    pub(super) used: BTreeSet<(Arc<str>, u32)>,
}

impl<'c> Reader<'c> {
    pub(super) fn new(checker: &'c mut Checker, context: Context) -> Self {
        Reader {
            checker,
            context,
            bound: Vec::new(),
            outside: 0,
            used: BTreeSet::new(),
        }
    }
}

impl Reader<'_> {
    /// Counts what is made, so that quantifiers in quantifiers come to an end.
    pub(super) fn count(&mut self, span: Span) -> Fallible<()> {
        self.checker.terms += 1;
        if self.checker.terms > limits::TERMS {
            let message =
                "with quantifiers written out for all processes, the conditions are too large";
            return Err(error(span, message));
        }
        Ok(())
    }

    pub(super) fn condition(&mut self, expr: &Expr) -> Fallible<Condition> {
        self.count(expr.span)?;
        match &expr.kind {
            ExprKind::Truth(value) => Ok(Condition::Constant(*value)),
            ExprKind::Not(inner) => Ok(self.condition(inner)?.negated()),
            ExprKind::Binary(op, left, right) => self.joined(*op, left, right, expr.span),
            ExprKind::Quantified(quantifier, names, body) => {
                self.quantified(*quantifier, names, body)
            }
            ExprKind::Reference(reference) => match self.reference(reference)? {
                Found::Condition(condition) => Ok(condition),
                Found::Value(_) => Err(no_condition(expr.span)),
            },
            ExprKind::Number(_) | ExprKind::Null | ExprKind::Me | ExprKind::Negate(_) => {
                Err(no_condition(expr.span))
            }
            ExprKind::Temporal(..) | ExprKind::InRuns(..) => Err(no_formula(expr.span)),
        }
    }

    fn joined(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Fallible<Condition> {
        match op {
            BinaryOp::Implies => {
                let premise = self.condition(left)?.negated();
                Ok(Condition::any(vec![premise, self.condition(right)?]))
            }
            BinaryOp::Or => Ok(Condition::any(vec![
                self.condition(left)?,
                self.condition(right)?,
            ])),
            BinaryOp::And => Ok(Condition::all(vec![
                self.condition(left)?,
                self.condition(right)?,
            ])),
            BinaryOp::Compare(op) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                Ok(Condition::compared(op, left, right))
            }
            BinaryOp::Calculate(_) => Err(no_condition(span)),
            BinaryOp::Temporal(_) => Err(no_formula(span)),
        }
    }

    /// A quantifier for the first name, with those for the others inside.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        names: &[Ident],
        body: &Expr,
    ) -> Fallible<Condition> {
        let Some((name, names)) = names.split_first() else {
            return self.condition(body);
        };
        let around = self.bound.iter();
        let level = around.filter(|(_, bound)| matches!(bound, Bound::Each(_)));
        let level = level.count() as u32;
        self.bound.push((name.name.clone(), Bound::Each(level)));
        let body = self.quantified(quantifier, names, body);
        self.bound.pop();
        Ok(match body? {
            Condition::Constant(value) => Condition::Constant(value),
            body => Condition::Quantified(quantifier, name.clone(), Box::new(body)),
        })
    }

    fn value(&mut self, expr: &Expr) -> Fallible<Value> {
        self.count(expr.span)?;
        match &expr.kind {
            ExprKind::Number(value) => Ok(Value::Constant(*value)),
            ExprKind::Truth(value) => Ok(Value::Constant(i64::from(*value))),
            ExprKind::Null => Ok(Value::Constant(0)),
            ExprKind::Me => self.me(expr.span),
            ExprKind::Negate(inner) => {
                let inner = self.value(inner)?;
                calculated(Arithmetic::Subtract, Value::Constant(0), inner, expr.span)
            }
            ExprKind::Binary(BinaryOp::Calculate(op), left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                calculated(*op, left, right, expr.span)
            }
            ExprKind::Reference(reference) => match self.reference(reference)? {
                Found::Value(value) => Ok(value),
                Found::Condition(_) => Err(no_number(expr.span)),
            },
            ExprKind::Not(_) | ExprKind::Binary(..) | ExprKind::Quantified(..) => {
                Err(no_number(expr.span))
            }
            ExprKind::Temporal(..) | ExprKind::InRuns(..) => Err(no_formula(expr.span)),
        }
    }

    fn me(&self, span: Span) -> Fallible<Value> {
        match self.context {
            Context::Rule(_) | Context::Invariant(_) => Ok(Value::Me),
            Context::Constants | Context::Global => Err(error_help(
                span,
                "`P` means nothing here: no process evaluates this",
                "a quantifier gives processes names: `forall i: ...`",
            )),
        }
    }

    fn reference(&mut self, reference: &Reference) -> Fallible<Found> {
        if let Some(bound) = self.bound_process(reference)? {
            return Ok(Found::Value(match bound {
                Bound::Named(process) => Value::Constant(i64::from(process)),
                Bound::Chosen(number) => Value::Chosen(number),
                Bound::Each(level) => Value::Bound(level),
            }));
        }
        let mut named = self.look_up(&reference.first)?;
        let mut owner = self.first_owner(&named, reference)?;
        let mut span = reference.first.span();
        if let Some(index) = &reference.index {
            span = span.to(index.span);
        }
        for next in &reference.rest {
            owner = Some(self.behind(named, owner, span)?);
            named = self.look_up(next)?;
            self.require_local(&named, next.span())?;
            span = span.to(next.span());
        }
        self.found(named, owner, reference.span)
    }

    /// The process that a name of a quantifier stands for.
    fn bound_process(&mut self, reference: &Reference) -> Fallible<Option<Bound>> {
        let Name::Named(ident) = &reference.first else {
            return Ok(None);
        };
        let mut bound = self.bound.iter().enumerate().rev();
        let Some((depth, (_, bound))) = bound.find(|(_, (name, _))| *name == ident.name) else {
            return Ok(None);
        };
        if reference.index.is_some() || !reference.rest.is_empty() {
            let message = format!("`{}` is a process here, no pointer", ident.name);
            let help = format!("for a variable of it write `variable[{}]`", ident.name);
            return Err(error_help(ident.span, message, help));
        }
        let bound = *bound;
        if let Bound::Named(process) = bound
            && depth < self.outside
        {
            self.used.insert((ident.name.clone(), process));
        }
        Ok(Some(bound))
    }

    fn look_up(&self, name: &Name) -> Fallible<Named> {
        let ident = match name {
            Name::Mode(_) => return Ok(Named::Mode),
            Name::Named(ident) => ident,
        };
        match self.checker.names.get(&ident.name) {
            Some((meaning, _)) => Ok(Named::Meaning(*meaning, ident.clone())),
            None => Err(self.checker.unknown(ident)),
        }
    }

    /// Whose the first name of a reference is.
    fn first_owner(&mut self, named: &Named, reference: &Reference) -> Fallible<Option<Process>> {
        let span = reference.first.span();
        if let Some(index) = &reference.index {
            self.require_local(named, span)?;
            return Ok(Some(self.process(index)?));
        }
        match named {
            Named::Meaning(Meaning::Constant(_), _) => Ok(None),
            Named::Meaning(Meaning::Variable(id), _) if self.checker.is_global(*id) => Ok(None),
            Named::Meaning(..) | Named::Mode => match self.context.mode() {
                Some(_) => Ok(Some(Process::Own)),
                None => Err(error_help(
                    span,
                    "it is not said whose this is",
                    "name the process: `[1]`, or `[i]` with `forall i:` or `exists i:` before",
                )),
            },
        }
    }

    /// The process of an index.
    fn process(&mut self, index: &Expr) -> Fallible<Process> {
        let last = self.checker.processes;
        let value = self.value(index)?;
        if let Value::Chosen(number) = value {
            return Ok(Process::Chosen(number));
        }
        match value.range(last) {
            Some((least, most)) if least >= 1 && most <= i64::from(last) => Ok(Process::of(value)),
            Some((least, most)) => {
                let process = if least < 1 { least } else { most };
                let message = format!("there is no process {process}");
                let help = format!("processes are numbered from 1 to {last}");
                Err(error_help(index.span, message, help))
            }
            None => Err(error_help(
                index.span,
                "a process is named by a constant or by a quantifier",
                "to use a variable of the process that a pointer points to, write `pointer->variable`",
            )),
        }
    }

    /// Only what every process has can be reached by way of one.
    fn require_local(&self, named: &Named, span: Span) -> Fallible<()> {
        let what = match named {
            Named::Meaning(Meaning::Constant(_), _) => "a constant",
            Named::Meaning(Meaning::Variable(id), _) if self.checker.is_global(*id) => {
                "a global variable"
            }
            Named::Meaning(..) | Named::Mode => return Ok(()),
        };
        let message = format!("{what} belongs to no process");
        Err(error_help(span, message, "use it by its name alone"))
    }

    /// The process that a pointer points to.
    fn behind(&self, named: Named, owner: Option<Process>, span: Span) -> Fallible<Process> {
        if let Named::Meaning(Meaning::Variable(variable), _) = named
            && self.checker.variables[variable.0].kind == Kind::Pointer
        {
            let pointer = Operand {
                variable,
                owner,
                span,
            };
            return Ok(Process::Behind(Box::new(pointer)));
        }
        let message = "what stands before `->` is no pointer";
        Err(error_help(span, message, "declare it as `pointer`"))
    }

    fn found(&self, named: Named, owner: Option<Process>, span: Span) -> Fallible<Found> {
        let own = self.context.mode().filter(|_| owner == Some(Process::Own));
        match (named, owner) {
            (Named::Meaning(Meaning::Constant(value), _), _) => {
                Ok(Found::Value(Value::Constant(value)))
            }
            (Named::Meaning(Meaning::Variable(variable), ident), owner) => {
                self.require_variables(&ident)?;
                Ok(Found::Value(Value::Read(Operand {
                    variable,
                    owner,
                    span,
                })))
            }
            (Named::Meaning(Meaning::Mode(mode), _), Some(owner)) => {
                self.require_modes(&owner, span)?;
                Ok(Found::Condition(match own {
                    Some(current) => Condition::Constant(current == mode),
                    None => Condition::In(owner, mode),
                }))
            }
            (Named::Mode, Some(owner)) => {
                self.require_modes(&owner, span)?;
                Ok(Found::Value(match own {
                    Some(current) => Value::Constant(current.0 as i64),
                    None => Value::Mode(owner),
                }))
            }
            (Named::Meaning(Meaning::Mode(_), _) | Named::Mode, None) => {
                Err(error(span, "it is not said whose mode this is"))
            }
        }
    }

    fn require_variables(&self, ident: &Ident) -> Fallible<()> {
        match self.context {
            Context::Constants => {
                let message = format!(
                    "`{}` is a variable, and here only constants count",
                    ident.name
                );
                Err(error(ident.span, message))
            }
            _ => Ok(()),
        }
    }

    /// The condition of a mode is looked at when somebody has moved, so it does not speak of the modes of others.
    fn require_modes(&self, owner: &Process, span: Span) -> Fallible<()> {
        let others = *owner != Process::Own;
        if others && matches!(self.context, Context::Invariant(_)) {
            let message = "the condition of a mode that asks for the mode of another process is not supported";
            return Err(error(span, message));
        }
        Ok(())
    }
}

fn no_condition(span: Span) -> Box<mandala_model::Diagnostic> {
    error_help(
        span,
        "this is a number, and a condition is expected",
        "compare it: `x == 1`",
    )
}

fn no_number(span: Span) -> Box<mandala_model::Diagnostic> {
    error(span, "this is a condition, and a number is expected")
}

/// The result, if it is known; what divides by zero stays as it is.
fn calculated(op: Arithmetic, left: Value, right: Value, span: Span) -> Fallible<Value> {
    let both = left.constant().zip(right.constant());
    match both {
        Some((left, right)) if op != Arithmetic::Divide || right != 0 => op
            .result(left, right)
            .map(Value::Constant)
            .ok_or_else(|| error(span, "the number does not fit 64 bits")),
        _ => Ok(Value::Calculate(op, Box::new(left), Box::new(right))),
    }
}
