//! Conditions as others say them, and conditions without quantifiers.

use crate::ast::{Arithmetic, Quantifier};
use crate::typed::{Condition, Operand, Process, Value};

/// What stands for the process that evaluates a condition, and for the variables of its quantifiers.
struct Substitution<'s> {
    own: Option<Value>,
    bound: &'s dyn Fn(u32) -> Value,
}

impl Condition {
    /// What it says if that process evaluates it.
    pub(crate) fn said_by(&self, process: u32) -> Condition {
        let substitution = Substitution {
            own: Some(Value::Constant(i64::from(process))),
            bound: &Value::Bound,
        };
        substitution.condition(self)
    }

    /// What it says inside of one more quantifier, if the process that this one stands for evaluates it.
    pub(crate) fn said_by_each(&self) -> Condition {
        let substitution = Substitution {
            own: Some(Value::Bound(0)),
            bound: &|level| Value::Bound(level + 1),
        };
        substitution.condition(self)
    }

    /// How many operators and operands it has without quantifiers, if there are that many processes.
    pub(crate) fn written_size(&self, processes: u32) -> usize {
        match self {
            Condition::Not(inner) => inner.written_size(processes).saturating_add(1),
            Condition::And(parts) | Condition::Or(parts) => {
                let parts = parts.iter().map(|part| part.written_size(processes));
                parts.fold(1, usize::saturating_add)
            }
            Condition::Quantified(_, _, body) => {
                let body = body.written_size(processes).saturating_add(1);
                body.saturating_mul(processes as usize)
            }
            other => other.size(),
        }
    }

    /// The same without quantifiers, if there are that many processes.
    pub(crate) fn written_out(&self, processes: u32) -> Condition {
        let all = |parts: &[Condition]| {
            let parts = parts.iter().map(|part| part.written_out(processes));
            parts.collect::<Vec<_>>()
        };
        match self {
            Condition::Not(inner) => inner.written_out(processes).negated(),
            Condition::And(parts) => Condition::all(all(parts)),
            Condition::Or(parts) => Condition::any(all(parts)),
            Condition::Quantified(quantifier, _, body) => {
                let parts = (1..=processes).map(|p| body.for_process(p).written_out(processes));
                match quantifier {
                    Quantifier::All => Condition::all(parts.collect()),
                    Quantifier::Some => Condition::any(parts.collect()),
                }
            }
            Condition::Constant(_) | Condition::Compare(..) | Condition::In(..) => self.clone(),
        }
    }

    /// The body of an outermost quantifier for a process.
    fn for_process(&self, process: u32) -> Condition {
        let substitution = Substitution {
            own: None,
            bound: &|level| match level.checked_sub(1) {
                Some(level) => Value::Bound(level),
                None => Value::Constant(i64::from(process)),
            },
        };
        substitution.condition(self)
    }
}

impl Substitution<'_> {
    fn condition(&self, condition: &Condition) -> Condition {
        let all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        match condition {
            Condition::Constant(value) => Condition::Constant(*value),
            Condition::Compare(op, left, right) => {
                Condition::compared(*op, self.value(left), self.value(right))
            }
            Condition::In(process, mode) => Condition::In(self.process(process), *mode),
            Condition::Not(inner) => self.condition(inner).negated(),
            Condition::And(parts) => Condition::all(all(parts)),
            Condition::Or(parts) => Condition::any(all(parts)),
            Condition::Quantified(quantifier, name, body) => {
                let body = Box::new(self.condition(body));
                Condition::Quantified(*quantifier, name.clone(), body)
            }
        }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Me => self.own.clone().unwrap_or(Value::Me),
            Value::Bound(level) => (self.bound)(*level),
            Value::Read(operand) => Value::Read(self.operand(operand)),
            Value::Mode(process) => Value::Mode(self.process(process)),
            Value::Calculate(op, left, right) => {
                calculated(*op, self.value(left), self.value(right))
            }
            Value::Constant(_) | Value::Chosen(_) => value.clone(),
        }
    }

    fn operand(&self, operand: &Operand) -> Operand {
        Operand {
            owner: operand.owner.as_ref().map(|owner| self.process(owner)),
            ..*operand
        }
    }

    fn process(&self, process: &Process) -> Process {
        match process {
            Process::Own => self.own.clone().map_or(Process::Own, Process::of),
            Process::Of(value) => Process::of(self.value(value)),
            Process::Behind(pointer) => Process::Behind(Box::new(self.operand(pointer))),
            Process::Named(_) | Process::Chosen(_) => process.clone(),
        }
    }
}

/// The result, if it is known; what has none stays as it is.
fn calculated(op: Arithmetic, left: Value, right: Value) -> Value {
    let both = left.constant().zip(right.constant());
    let known = both.filter(|(_, right)| op != Arithmetic::Divide || *right != 0);
    match known.and_then(|(left, right)| op.result(left, right)) {
        Some(value) => Value::Constant(value),
        None => Value::Calculate(op, Box::new(left), Box::new(right)),
    }
}
