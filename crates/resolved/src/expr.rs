//! Expressions in resolved form.

use crate::place::ResolvedPlace;
use mandala_model::arithmetic::{Calculation, Relation};
use mandala_model::expr::ReceiveOrder;
use mandala_model::ids::{BinderId, LocationId, TemplateId};
use mandala_model::parameters::Values;
use mandala_model::source::Span;

/// An expression, and the place in the source where its own operation is reported if it fails.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResolvedExpr {
    /// What it computes.
    pub kind: ResolvedKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ResolvedKind {
    /// A number.
    Const(i64),
    /// The value of a cell.
    Read(ResolvedPlace),
    /// The value itself; a run-time error if it is 0, which stands for "undefined".
    Defined(Box<ResolvedExpr>),
    /// A number made of two numbers, by the arithmetic of the model.
    Calculate(Calculation, Box<[ResolvedExpr; 2]>),
    /// 1 if the relation holds between two numbers, else 0. A constant stands on the right side.
    Compare(Relation, Box<[ResolvedExpr; 2]>),
    /// A conjunction or disjunction.
    Junction(Junction),
    /// `if 0 then 1 else 2`; only one of the two is evaluated.
    Conditional(Box<[ResolvedExpr; 3]>),
    /// What is made of the values of an expression for each of some values.
    Quantified(Box<ResolvedQuantified>),
    /// The value that the variable of a quantifier around has at the moment.
    Bound(BinderId),
    /// The number of the process that evaluates.
    SelfId,
    /// How many processes there are.
    ProcessCount,
    /// The number of the lowest-numbered process that is an instance of the template; -1 if there is none.
    FirstInstance(TemplateId),
    /// True if no process can make a step while this is false.
    Timeout,
    /// True if no process is at a location marked as progress.
    NonProgress,
    /// True if some process is at a location marked as accepting.
    Accepting,
    /// A question about the process with that number.
    Process(ProcessQuestion, Box<ResolvedExpr>),
    /// A question about the channel that the expression refers to. No channel, and one that is gone, are run-time errors.
    Channel(ChannelQuestion, Box<ResolvedExpr>),
}

/// Conditions that are evaluated in order until one has the truth value that decides. The value is 1 if the whole is true, else 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Junction {
    /// The truth value of one condition that makes the whole so: true for a disjunction.
    pub decisive: bool,
    /// The conditions: two at least, none of them a junction of the same kind.
    pub parts: Vec<ResolvedExpr>,
}

/// A question about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcessQuestion {
    /// True if it can make a step; false if there is no such process. To ask about the process that evaluates is a run-time error.
    Enabled,
    /// The statement number of its location, 0 if there is no such process.
    LocationNumber,
    /// Its priority, 0 if there is no such process.
    Priority,
    /// True if it is an instance of the template and at the location.
    At(TemplateId, LocationId),
}

/// A question about a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChannelQuestion {
    /// How many messages wait in it.
    Length,
    /// Whether there is no room. A rendezvous channel is never full.
    IsFull,
    /// The position, from 1 on, of the message that a receive with these patterns would take; 0 if there is none. A rendezvous channel is a
    /// run-time error.
    Poll(Box<Wanted>),
}

/// What a message must look like.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// Which messages are looked at.
    pub order: ReceiveOrder,
    /// How many fields the statement has.
    pub arity: u32,
    /// The fields that must have a value, in order, and the values.
    pub fields: Vec<(u32, ResolvedExpr)>,
}

/// An expression for each value of a variable, and how the results are put together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResolvedQuantified {
    /// What is made of the results.
    pub aggregate: Aggregate,
    /// The variable: how many quantifiers there are around this one, in the same expression.
    pub variable: BinderId,
    /// The values that the variable goes through, in order. There is one at least.
    pub values: Values,
    /// The expression for each value.
    pub body: ResolvedExpr,
}

/// What a quantifier makes of the values of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aggregate {
    /// 1 if one of them is true, else 0.
    Exists {
        /// Whether the values behind the first one that is true are left out. If not, a fault for any value is a fault of the whole.
        stops: bool,
    },
    /// How many of them are true.
    Count,
    /// Their sum: that of the first half, which is not the smaller one, plus that of the second.
    Sum,
    /// The first of the values of the variable for which the body is true; 0 if there is none. The values behind it are left out.
    FirstOf,
}

impl ResolvedExpr {
    /// An expression.
    pub fn new(kind: ResolvedKind, span: Span) -> Self {
        ResolvedExpr { kind, span }
    }

    /// A number.
    pub fn constant(value: i64, span: Span) -> Self {
        ResolvedExpr::new(ResolvedKind::Const(value), span)
    }

    /// The number, if it is one.
    pub fn as_constant(&self) -> Option<i64> {
        match self.kind {
            ResolvedKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Whether its value is 0 or 1, and known to be so by its form.
    pub fn is_truth(&self) -> bool {
        match &self.kind {
            ResolvedKind::Const(value) => matches!(value, 0 | 1),
            ResolvedKind::Compare(..) | ResolvedKind::Junction(_) => true,
            ResolvedKind::Quantified(quantified) => {
                matches!(quantified.aggregate, Aggregate::Exists { .. })
            }
            _ => false,
        }
    }

    /// Calls `visit` on this expression and on every expression inside it, outermost first.
    pub fn walk(&self, visit: &mut impl FnMut(&ResolvedExpr)) {
        visit(self);
        self.each_part(&mut |part| part.walk(visit));
    }

    /// True if some part of the expression satisfies `test`.
    pub fn any(&self, mut test: impl FnMut(&ResolvedExpr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |part| found = found || test(part));
        found
    }

    /// Calls `visit` on the expressions that this one is directly made of.
    pub fn each_part(&self, visit: &mut impl FnMut(&ResolvedExpr)) {
        match &self.kind {
            ResolvedKind::Const(_)
            | ResolvedKind::Bound(_)
            | ResolvedKind::SelfId
            | ResolvedKind::ProcessCount
            | ResolvedKind::FirstInstance(_)
            | ResolvedKind::Timeout
            | ResolvedKind::NonProgress
            | ResolvedKind::Accepting => {}
            ResolvedKind::Read(place) => place.each_part(visit),
            ResolvedKind::Defined(operand) | ResolvedKind::Process(_, operand) => visit(operand),
            ResolvedKind::Calculate(_, operands) | ResolvedKind::Compare(_, operands) => {
                operands.iter().for_each(visit);
            }
            ResolvedKind::Junction(junction) => junction.parts.iter().for_each(visit),
            ResolvedKind::Conditional(parts) => parts.iter().for_each(visit),
            ResolvedKind::Quantified(quantified) => visit(&quantified.body),
            ResolvedKind::Channel(question, channel) => {
                visit(channel);
                if let ChannelQuestion::Poll(wanted) = question {
                    wanted.fields.iter().for_each(|(_, value)| visit(value));
                }
            }
        }
    }
}
