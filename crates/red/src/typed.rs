//! A program in which every name is known and constants are numbers.
//!
//! # What has no value
//!
//! To follow NULL, or to divide by zero, has no value, and neither has anything that contains it: a condition is true, false, or
//! neither, also if the other side of an `or` is true. So simplifications here never drop a part that may lack a value.

use crate::ast::{Arithmetic, Comparison, Ident, Quantifier, Scope};
use mandala_formulas::Written;
use mandala_formulas::prefix::Logic;
use mandala_model::source::Span;
use mandala_temporal::Hoa;
use std::sync::Arc;

/// Names a variable of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct VariableId(pub(crate) usize);

/// Names a mode of the program, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ModeId(pub(crate) usize);

/// A whole program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// How many processes there are; their addresses are 1, 2, and so on.
    pub(crate) processes: u32,
    pub(crate) variables: Vec<Variable>,
    pub(crate) modes: Vec<Mode>,
    /// What is said of the states that runs start in.
    pub(crate) initially: Condition,
    /// What must hold there, too, because of the mode that all processes are in.
    pub(crate) at_first: Condition,
    pub(crate) goals: Vec<Goal>,
    pub(crate) claims: Vec<Claim>,
    /// A place for what is about the model as a whole.
    pub(crate) span: Span,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Arc<str>,
    pub(crate) scope: Scope,
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// NULL, which is 0, or the address of a process.
    Pointer,
    /// A number of the range.
    Discrete { min: i64, max: i64 },
}

impl Variable {
    /// What it holds at first if nothing is said of it.
    pub(crate) fn rest(&self) -> i64 {
        match self.kind {
            Kind::Pointer => 0,
            Kind::Discrete { min, max } => 0.clamp(min, max),
        }
    }
}

/// A mode.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
    /// What holds as long as a process is in the mode, as that process says it.
    pub(crate) invariant: Condition,
    pub(crate) rules: Vec<Rule>,
}

/// A rule of a mode.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) guard: Condition,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) target: ModeId,
    pub(crate) span: Span,
}

/// `place = value`
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) place: Operand,
    pub(crate) value: Value,
    pub(crate) span: Span,
}

/// What is asked of states.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) name: String,
    pub(crate) kind: GoalKind,
    pub(crate) condition: Condition,
    pub(crate) span: Span,
    /// Where the condition alone stands.
    pub(crate) inside: Span,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalKind {
    /// It is never true and never without a value.
    Risk,
    /// It is true in some state that can be reached.
    Possible,
    /// From every state one can be reached in which it is true.
    AlwaysPossible,
}

/// What is claimed of runs.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) name: String,
    pub(crate) kind: ClaimKind,
    pub(crate) span: Span,
}

/// What is claimed.
#[derive(Clone, Debug)]
pub(crate) enum ClaimKind {
    /// A formula of that logic holds.
    Formula(Logic, Written<Proposition>),
    /// A formula of linear temporal logic holds, whatever processes of these names are chosen.
    ForEach(Logic, Vec<Ident>, Written<Proposition>),
    /// No run is followed by the automaton, whose propositions are these.
    Automaton(Box<Hoa>, Vec<Proposition>),
}

/// A condition in a formula. Where it has no value it is not true.
#[derive(Clone, Debug)]
pub(crate) struct Proposition {
    pub(crate) condition: Condition,
    /// How it is written, which tells it apart from all others of the formula.
    pub(crate) text: String,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Process {
    /// The one that evaluates.
    Own,
    /// The one of that address.
    Named(u32),
    /// The one that a claim has chosen for its name of that number.
    Chosen(u32),
    /// The one whose address that number is, which is made of constants and of variables of quantifiers. There is one, whatever these are.
    Of(Box<Value>),
    /// The one that a pointer points to.
    Behind(Box<Operand>),
}

/// A variable of somebody.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) variable: VariableId,
    /// Whose it is; nobody's if it is global.
    pub(crate) owner: Option<Process>,
    pub(crate) span: Span,
}

/// The same wherever it stands.
impl PartialEq for Operand {
    fn eq(&self, other: &Operand) -> bool {
        (self.variable, &self.owner) == (other.variable, &other.owner)
    }
}

impl Eq for Operand {}

/// A number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Constant(i64),
    /// The address of the process that evaluates.
    Me,
    /// The address of the process that a claim has chosen for its name of that number.
    Chosen(u32),
    /// The address that a quantifier goes through which has that many others around it, in the same condition.
    Bound(u32),
    Read(Operand),
    /// The number of the mode that a process is in.
    Mode(Process),
    Calculate(Arithmetic, Box<Value>, Box<Value>),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Constant(bool),
    Compare(Comparison, Value, Value),
    /// The process is in the mode.
    In(Process, ModeId),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    /// For all processes, or for one at least.
    Quantified(Quantifier, Ident, Box<Condition>),
}

/// What must hold for something to have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need<'a> {
    /// That pointer is not NULL.
    Pointer(&'a Operand),
    /// That divisor is not 0.
    Divisor(&'a Value),
}

impl Condition {
    /// All of these.
    pub(crate) fn all(parts: Vec<Condition>) -> Condition {
        joined(parts, true)
    }

    /// One of these at least.
    pub(crate) fn any(parts: Vec<Condition>) -> Condition {
        joined(parts, false)
    }

    /// A comparison, which is decided if both numbers are known.
    pub(crate) fn compared(op: Comparison, left: Value, right: Value) -> Condition {
        match (left.constant(), right.constant()) {
            (Some(left), Some(right)) => Condition::Constant(op.holds(left, right)),
            _ => Condition::Compare(op, left, right),
        }
    }

    pub(crate) fn negated(self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// The conditions that have to be true for this one to be.
    pub(crate) fn conjuncts(&self) -> &[Condition] {
        match self {
            Condition::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Whether it can be seen never to be true.
    pub(crate) fn is_never(&self) -> bool {
        let never = &Condition::Constant(false);
        self.conjuncts().iter().any(|part| part == never)
    }

    /// Calls `visit` on all that must hold for it to have a value, each after what that takes itself.
    pub(crate) fn needs<'a>(&'a self, visit: &mut impl FnMut(Need<'a>)) {
        match self {
            Condition::Constant(_) => {}
            Condition::Compare(_, left, right) => {
                left.needs(visit);
                right.needs(visit);
            }
            Condition::In(process, _) => process.needs(visit),
            Condition::Not(inner) => inner.needs(visit),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.needs(visit));
            }
            Condition::Quantified(_, _, body) => body.needs(visit),
        }
    }

    /// Whether it always has a value.
    fn is_total(&self) -> bool {
        let mut total = true;
        self.needs(&mut |_| total = false);
        total
    }

    /// Calls `visit` on every variable that it reads.
    pub(crate) fn operands<'a>(&'a self, visit: &mut impl FnMut(&'a Operand)) {
        match self {
            Condition::Constant(_) => {}
            Condition::Compare(_, left, right) => {
                left.operands(visit);
                right.operands(visit);
            }
            Condition::In(process, _) => process.operands(visit),
            Condition::Not(inner) => inner.operands(visit),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.operands(visit));
            }
            Condition::Quantified(_, _, body) => body.operands(visit),
        }
    }

    /// How many operators and operands it has.
    pub(crate) fn size(&self) -> usize {
        match self {
            Condition::Constant(_) | Condition::In(..) => 1,
            Condition::Compare(_, left, right) => 1 + left.size() + right.size(),
            Condition::Not(inner) => 1 + inner.size(),
            Condition::And(parts) | Condition::Or(parts) => {
                1 + parts.iter().map(Condition::size).sum::<usize>()
            }
            Condition::Quantified(_, _, body) => 1 + body.size(),
        }
    }
}

/// A conjunction if `neutral` is true, else a disjunction. What is neutral is dropped, and one part that decides is
/// enough, if the others always have a value.
fn joined(parts: Vec<Condition>, neutral: bool) -> Condition {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Condition::Constant(value) if value == neutral => {}
            Condition::And(inner) if neutral => flat.extend(inner),
            Condition::Or(inner) if !neutral => flat.extend(inner),
            other => flat.push(other),
        }
    }
    let decided = flat.contains(&Condition::Constant(!neutral));
    if decided && flat.iter().all(Condition::is_total) {
        return Condition::Constant(!neutral);
    }
    match (flat.len(), neutral) {
        (0, _) => Condition::Constant(neutral),
        (1, _) => flat.swap_remove(0),
        (_, true) => Condition::And(flat),
        (_, false) => Condition::Or(flat),
    }
}

impl Value {
    /// The number, if it is one.
    pub(crate) fn constant(&self) -> Option<i64> {
        match self {
            Value::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// The least and the greatest number that it may be, if it is made of constants and addresses that quantifiers go through: these are from 1
    /// to the number of processes.
    pub(crate) fn range(&self, processes: u32) -> Option<(i64, i64)> {
        match self {
            Value::Constant(value) => Some((*value, *value)),
            Value::Bound(_) => Some((1, i64::from(processes))),
            Value::Calculate(op, left, right) => {
                let (left, right) = (left.range(processes)?, right.range(processes)?);
                if *op == Arithmetic::Divide && right.0 <= 0 && right.1 >= 0 {
                    return None;
                }
                let ends = [
                    (left.0, right.0),
                    (left.0, right.1),
                    (left.1, right.0),
                    (left.1, right.1),
                ];
                let mut results = Vec::new();
                for (left, right) in ends {
                    results.push(op.result(left, right)?);
                }
                Some((*results.iter().min()?, *results.iter().max()?))
            }
            _ => None,
        }
    }

    /// See [`Condition::needs`].
    pub(crate) fn needs<'a>(&'a self, visit: &mut impl FnMut(Need<'a>)) {
        match self {
            Value::Constant(_) | Value::Me | Value::Chosen(_) | Value::Bound(_) => {}
            Value::Read(operand) => operand.owner.iter().for_each(|owner| owner.needs(visit)),
            Value::Mode(process) => process.needs(visit),
            Value::Calculate(op, left, right) => {
                left.needs(visit);
                right.needs(visit);
                if *op == Arithmetic::Divide && right.constant().is_none_or(|value| value == 0) {
                    visit(Need::Divisor(right));
                }
            }
        }
    }

    fn operands<'a>(&'a self, visit: &mut impl FnMut(&'a Operand)) {
        match self {
            Value::Constant(_) | Value::Me | Value::Chosen(_) | Value::Bound(_) => {}
            Value::Read(operand) => operand.operands(visit),
            Value::Mode(process) => process.operands(visit),
            Value::Calculate(_, left, right) => {
                left.operands(visit);
                right.operands(visit);
            }
        }
    }

    /// The level of the innermost quantifier whose process it is about.
    pub(crate) fn deepest(&self) -> Option<u32> {
        match self {
            Value::Bound(level) => Some(*level),
            Value::Read(operand) => operand.deepest(),
            Value::Mode(process) => process.deepest(),
            Value::Calculate(_, left, right) => left.deepest().max(right.deepest()),
            Value::Constant(_) | Value::Me | Value::Chosen(_) => None,
        }
    }

    fn size(&self) -> usize {
        match self {
            Value::Calculate(_, left, right) => 1 + left.size() + right.size(),
            _ => 1,
        }
    }
}

impl Operand {
    /// See [`Value::deepest`].
    pub(crate) fn deepest(&self) -> Option<u32> {
        self.owner.as_ref().and_then(Process::deepest)
    }

    fn operands<'a>(&'a self, visit: &mut impl FnMut(&'a Operand)) {
        visit(self);
        self.owner.iter().for_each(|owner| owner.operands(visit));
    }
}

impl Process {
    fn deepest(&self) -> Option<u32> {
        match self {
            Process::Of(address) => address.deepest(),
            Process::Behind(pointer) => pointer.deepest(),
            Process::Own | Process::Named(_) | Process::Chosen(_) => None,
        }
    }

    /// The process whose address a number is.
    pub(crate) fn of(address: Value) -> Process {
        match address.constant().map(u32::try_from) {
            Some(Ok(process)) => Process::Named(process),
            _ => Process::Of(Box::new(address)),
        }
    }

    fn needs<'a>(&'a self, visit: &mut impl FnMut(Need<'a>)) {
        if let Process::Behind(pointer) = self {
            pointer.owner.iter().for_each(|owner| owner.needs(visit));
            visit(Need::Pointer(pointer));
        }
    }

    fn operands<'a>(&'a self, visit: &mut impl FnMut(&'a Operand)) {
        if let Process::Behind(pointer) = self {
            pointer.operands(visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through_null() -> Condition {
        let span = Span::START;
        let pointer = Operand {
            variable: VariableId(0),
            owner: None,
            span,
        };
        let owner = Some(Process::Behind(Box::new(pointer)));
        let behind = Operand {
            variable: VariableId(1),
            owner,
            span,
        };
        Condition::Compare(Comparison::Equal, Value::Read(behind), Value::Constant(1))
    }

    #[test]
    fn what_may_lack_a_value_is_not_dropped() {
        let never = Condition::Constant(false);
        let both = Condition::all(vec![never.clone(), through_null()]);
        assert!(both != never && both.is_never());
        let plain = Condition::In(Process::Own, ModeId(0));
        assert_eq!(Condition::all(vec![never.clone(), plain.clone()]), never);
        assert_eq!(Condition::any(vec![never, plain.clone()]), plain);
    }
}
