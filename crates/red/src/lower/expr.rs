//! Numbers, conditions and assignments.

use super::{PROCESS, pointer};
use crate::ast::{self, Arithmetic, Comparison, Ident};
use crate::typed::{Assignment, Condition, ModeId, Need, Operand, Process, Program, Value};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::{BinderId, GlobalId, LocalId, LocationId};
use mandala_model::parameters::{Progression, Values};
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::template::Effect;
use mandala_model::types::Scalar;

/// Whether a pointer that is followed is known not to be NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// It has been asked for.
    Checked,
    /// Nobody knows: NULL is a run-time error.
    Risky,
}

/// A number at a place.
pub(super) fn constant(value: i64, span: Span) -> Expr {
    Expr::constant(value, span)
}

/// The parts joined by an operation, from left to right.
pub(super) fn join(op: BinaryOp, mut parts: Vec<Expr>, span: Span) -> Expr {
    match parts.len() {
        0 => constant(i64::from(op == BinaryOp::And), span),
        1 => parts.swap_remove(0),
        count => {
            let right = parts.split_off(count / 2);
            Expr::binary(op, join(op, parts, span), join(op, right, span))
        }
    }
}

/// What the variables of the quantifiers around a condition are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binders {
    /// What holds the address of a process.
    pointer: Scalar,
    processes: u32,
    /// How many of the outermost ones are parameters of the edge.
    parameters: u32,
    /// How many quantifiers there are around, parameters among them.
    depth: u32,
}

impl Binders {
    /// Nothing is around.
    pub(super) fn none(program: &Program) -> Binders {
        Binders::parameters(program, 0)
    }

    /// As many outermost quantifiers are parameters of the edge.
    pub(super) fn parameters(program: &Program, parameters: u32) -> Binders {
        Binders {
            pointer: pointer(program),
            processes: program.processes,
            parameters,
            depth: parameters,
        }
    }

    /// Inside of one more quantifier.
    pub(super) fn inside(self) -> Binders {
        Binders {
            depth: self.depth + 1,
            ..self
        }
    }

    /// The address that a quantifier goes through.
    fn bound(self, level: u32, span: Span) -> Expr {
        match level.checked_sub(self.parameters) {
            Some(level) => Expr::new(ExprKind::Bound(BinderId(level)), span),
            None => local(level, span),
        }
    }

    /// All addresses of processes.
    pub(super) fn addresses(self) -> Values {
        Values(vec![Progression::range(1, self.processes)])
    }

    /// A quantifier over all processes, whose body is made [inside](Self::inside).
    pub(super) fn quantified(
        self,
        quantifier: ast::Quantifier,
        name: &Ident,
        body: Expr,
        span: Span,
    ) -> Expr {
        let quantifier = match quantifier {
            ast::Quantifier::All => Quantifier::ForAll,
            ast::Quantifier::Some => Quantifier::Exists,
        };
        let quantified = Quantified {
            quantifier,
            // No process comes before another one.
            evaluation: Evaluation::Strict,
            variable: BoundVariable {
                id: BinderId(self.depth - self.parameters),
                name: name.name.to_string(),
                scalar: self.pointer,
                span: name.span,
            },
            values: self.addresses(),
            body,
        };
        Expr::new(ExprKind::Quantified(Box::new(quantified)), span)
    }

    /// That the condition is true, which it is not if it has no value.
    pub(super) fn truth(self, condition: &Condition, span: Span) -> Expr {
        let mut parts = self.has_value(condition, span);
        let conjuncts = condition.conjuncts().iter();
        parts.extend(conjuncts.map(|part| self.plain(part, span)));
        join(BinaryOp::And, parts, span)
    }

    /// What must hold for the condition to have a value, each after what it takes to ask for it.
    pub(super) fn has_value(self, condition: &Condition, span: Span) -> Vec<Expr> {
        let mut needs = Vec::new();
        collect_needs(condition, self.depth, &mut needs);
        self.all_met(&needs, span)
    }

    fn all_met(self, needs: &[Needed<'_>], span: Span) -> Vec<Expr> {
        needs.iter().map(|need| self.met(need, span)).collect()
    }

    fn met(self, needed: &Needed<'_>, span: Span) -> Expr {
        let number = match needed {
            Needed::Each(name, inside) => {
                let body = join(BinaryOp::And, self.inside().all_met(inside, span), span);
                return self.quantified(ast::Quantifier::All, name, body, span);
            }
            Needed::One(Need::Pointer(pointer)) => self.read(pointer, Trust::Checked),
            Needed::One(Need::Divisor(divisor)) => self.value(divisor, span, Trust::Checked),
        };
        Expr::binary(BinaryOp::NotEqual, number, constant(0, span))
    }

    /// The condition where it has a value.
    pub(super) fn plain(self, condition: &Condition, span: Span) -> Expr {
        let all = |parts: &[Condition]| parts.iter().map(|part| self.plain(part, span)).collect();
        match condition {
            Condition::Constant(value) => constant(i64::from(*value), span),
            Condition::Compare(op, left, right) => self.compared(*op, left, right, span),
            Condition::In(process, mode) => self.is_in(process, *mode, span),
            Condition::Not(inner) => self.plain(inner, span).negated(),
            Condition::And(parts) => join(BinaryOp::And, all(parts), span),
            Condition::Or(parts) => join(BinaryOp::Or, all(parts), span),
            Condition::Quantified(quantifier, name, body) => {
                let body = self.inside().plain(body, span);
                self.quantified(*quantifier, name, body, span)
            }
        }
    }

    fn compared(self, op: Comparison, left: &Value, right: &Value, span: Span) -> Expr {
        let operator = match op {
            Comparison::Equal => BinaryOp::Equal,
            Comparison::NotEqual => BinaryOp::NotEqual,
            Comparison::Less => BinaryOp::Less,
            Comparison::LessEqual => BinaryOp::LessEqual,
            Comparison::Greater => BinaryOp::Greater,
            Comparison::GreaterEqual => BinaryOp::GreaterEqual,
        };
        let [left, right] = [left, right].map(|side| self.value(side, span, Trust::Checked));
        Expr::binary(operator, left, right)
    }

    fn is_in(self, process: &Process, mode: ModeId, span: Span) -> Expr {
        let at = ExprKind::At {
            template: PROCESS,
            process: Box::new(self.address(process, span, Trust::Checked)),
            location: LocationId::from(mode.0),
        };
        Expr::new(at, span)
    }

    /// A number.
    pub(super) fn value(self, number: &Value, span: Span, trust: Trust) -> Expr {
        match number {
            Value::Constant(number) => constant(*number, span),
            Value::Me => Expr::new(ExprKind::SelfId, span),
            Value::Chosen(number) => local(*number, span),
            Value::Bound(level) => self.bound(*level, span),
            Value::Read(operand) => self.read(operand, trust),
            Value::Mode(process) => {
                let process = Box::new(self.address(process, span, trust));
                Expr::new(ExprKind::LocationNumber(process), span)
            }
            Value::Calculate(op, left, right) => {
                let [left, right] = [left, right].map(|side| self.value(side, span, trust));
                Expr::binary(operator(*op), left, right)
            }
        }
    }

    fn read(self, operand: &Operand, trust: Trust) -> Expr {
        Expr::new(ExprKind::Read(self.place(operand, trust)), operand.span)
    }

    fn place(self, operand: &Operand, trust: Trust) -> Place {
        let root = Root::Global(GlobalId::from(operand.variable.0));
        let mut place = Place::variable(root, operand.span);
        if let Some(owner) = &operand.owner {
            let index = self.address(owner, operand.span, trust);
            place.path.push(Projection::Index(index));
        }
        place
    }

    /// The number of a process.
    fn address(self, process: &Process, span: Span, trust: Trust) -> Expr {
        match process {
            Process::Own => Expr::new(ExprKind::SelfId, span),
            Process::Named(process) => constant(i64::from(*process), span),
            Process::Chosen(number) => local(*number, span),
            Process::Of(number) => self.value(number, span, trust),
            Process::Behind(pointer) => match trust {
                Trust::Checked => self.read(pointer, trust),
                Trust::Risky => {
                    let inner = Box::new(self.read(pointer, trust));
                    Expr::new(ExprKind::Unary(UnaryOp::Defined, inner), pointer.span)
                }
            },
        }
    }

    /// An action.
    pub(super) fn assign(self, assignment: &Assignment) -> Effect {
        Effect::Assign {
            place: self.place(&assignment.place, Trust::Risky),
            value: self.value(&assignment.value, assignment.span, Trust::Risky),
        }
    }
}

/// What must hold for a condition to have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Needed<'a> {
    One(Need<'a>),
    /// All of these, for each process.
    Each(&'a Ident, Vec<Needed<'a>>),
}

impl Needed<'_> {
    /// Whether it is about the process that the quantifier stands for with that many others around it.
    fn is_about(&self, level: u32) -> bool {
        let deepest = match self {
            Needed::One(Need::Pointer(pointer)) => pointer.deepest(),
            Needed::One(Need::Divisor(divisor)) => divisor.deepest(),
            Needed::Each(_, inside) => return inside.iter().any(|need| need.is_about(level)),
        };
        deepest.is_some_and(|deepest| deepest >= level)
    }
}

/// Adds what must hold for the condition to have a value, each once and outside of quantifiers that it is not about.
fn collect_needs<'a>(condition: &'a Condition, depth: u32, found: &mut Vec<Needed<'a>>) {
    let mut add = |needed| {
        if !found.contains(&needed) {
            found.push(needed);
        }
    };
    match condition {
        Condition::Not(inner) => collect_needs(inner, depth, found),
        Condition::And(parts) | Condition::Or(parts) => {
            parts
                .iter()
                .for_each(|part| collect_needs(part, depth, found));
        }
        Condition::Quantified(_, name, body) => {
            let mut inside = Vec::new();
            collect_needs(body, depth + 1, &mut inside);
            let about = |need: &Needed<'_>| need.is_about(depth);
            let (inside, outside): (Vec<_>, Vec<_>) = inside.into_iter().partition(about);
            outside.into_iter().for_each(&mut add);
            if !inside.is_empty() {
                add(Needed::Each(name, inside));
            }
        }
        Condition::Constant(_) | Condition::Compare(..) | Condition::In(..) => {
            condition.needs(&mut |need| add(Needed::One(need)));
        }
    }
}

/// A local variable: a parameter, or what a claim has chosen.
fn local(number: u32, span: Span) -> Expr {
    let place = Place::variable(Root::Local(LocalId(number)), span);
    Expr::new(ExprKind::Read(place), span)
}

fn operator(op: Arithmetic) -> BinaryOp {
    match op {
        Arithmetic::Add => BinaryOp::Add,
        Arithmetic::Subtract => BinaryOp::Subtract,
        Arithmetic::Multiply => BinaryOp::Multiply,
        Arithmetic::Divide => BinaryOp::Divide,
    }
}
