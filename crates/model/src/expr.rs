//! Expressions: side-effect free, evaluated in a state by one process.
//!
//! Numbers are 64-bit in between; [`crate::model::Arithmetic`] says what an operation does when its
//! result leaves the range of the source language's own numbers. Truth values are 0 and 1; every
//! number but 0 counts as true.

use crate::ids::{BinderId, GlobalId, LocalId, LocationId, TemplateId};
use crate::quantified::Quantified;
use crate::source::Span;

/// An expression and where it stands in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// A number.
    Const(i64),
    /// The value of one cell.
    Read(Place),
    /// An operation on one value.
    Unary(UnaryOp, Box<Expr>),
    /// An operation on two values; `And` and `Or` evaluate the right side only if it matters.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if .0 then .1 else .2`; only one of the two is evaluated.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The number of the process that evaluates.
    SelfId,
    /// How many processes there are.
    ProcessCount,
    /// The number of the lowest-numbered process that is an instance of the template; -1 if there is none.
    FirstInstance(TemplateId),
    /// The process that made the last step; 0 at first.
    LastMover,
    /// True if no process can make a step while this is false.
    Timeout,
    /// True if no process is at a location marked as progress.
    NonProgress,
    /// True if some process is at a location marked as accepting.
    Accepting,
    /// True if that process can make a step; false if there is no such process. To ask about the
    /// process that evaluates is a run-time error.
    Enabled(Box<Expr>),
    /// The statement number ([`crate::template::Location::number`]) of that process's location, 0 if there is no such process.
    LocationNumber(Box<Expr>),
    /// The priority of that process, 0 if there is no such process.
    Priority(Box<Expr>),
    /// A question about the channel that the expression refers to.
    Channel(ChannelQuery, Box<Expr>),
    /// Whether a receive with these patterns would be possible now: 0 if not, 1 if the oldest message matches. If
    /// all messages are looked at, the position of the first that matches, counted from 1, as in Spin.
    Poll {
        /// The channel.
        channel: Box<Expr>,
        /// Which messages are looked at.
        order: ReceiveOrder,
        /// What the message must look like; nothing is bound.
        patterns: Vec<Pattern>,
    },
    /// True if the process with that number is an instance of the template and at the location.
    At {
        /// The template that the process must be an instance of.
        template: TemplateId,
        /// The number of the process.
        process: Box<Expr>,
        /// The location.
        location: LocationId,
    },
    /// A condition on, or a number for, each of some values, put together.
    Quantified(Box<Quantified>),
    /// The value that the variable of a [quantifier](Quantified) around has at the moment.
    Bound(BinderId),
}

/// A cell, or a group of cells, of the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// The way from the variable to the part of it.
    pub path: Vec<Projection>,
    /// Where it stands in the source.
    pub span: Span,
}

/// The variable that a place is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A global variable.
    Global(GlobalId),
    /// A local variable of the process that evaluates; in the body of a function, one of its frame.
    Local(LocalId),
    /// In the body of a function, the place that was passed to that reference parameter.
    Reference(u32),
    /// A local variable of another process. It reads as 0 if the process does not exist; it is a
    /// run-time error if the process is not an instance of the template, or to write there.
    Remote {
        /// The template of that process.
        template: TemplateId,
        /// The number of that process.
        process: Box<Expr>,
        /// The variable.
        local: LocalId,
    },
    /// The priority of the process that evaluates, as a variable.
    OwnPriority,
}

/// One step from a variable to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Projection {
    /// That field of a record.
    Field(u32),
    /// That element of an array; an index outside is a run-time error.
    Index(Expr),
}

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Minus.
    Negate,
    /// 1 for 0, 0 for all else.
    Not,
    /// All bits flipped.
    BitNot,
    /// The value itself; a run-time error if it is 0, which stands for "undefined".
    Defined,
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient towards zero; by zero is a run-time error.
    Divide,
    /// Remainder with the sign of the left side; by zero is a run-time error.
    Modulo,
    /// Bits of both.
    BitAnd,
    /// Bits of either.
    BitOr,
    /// Bits of exactly one.
    BitXor,
    /// Shifted left; a shift by a negative number or by the width or more is a run-time error.
    ShiftLeft,
    /// Shifted right keeping the sign; a shift by a negative number or by the width or more is a run-time error.
    ShiftRight,
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
    /// Both true.
    And,
    /// Either true.
    Or,
}

impl BinaryOp {
    /// Whether it compares two numbers.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        )
    }
}

/// A question about a channel. To ask about no channel, or about one that is gone, is a run-time error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelQuery {
    /// How many messages wait in it.
    Length,
    /// None waits.
    Empty,
    /// One waits at least.
    NotEmpty,
    /// There is no room. A rendezvous channel is never full.
    Full,
    /// There is room.
    NotFull,
}

/// Which messages a receive looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReceiveOrder {
    /// The oldest only.
    First,
    /// The oldest that matches.
    AnyMatching,
}

/// What a receive wants of one field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// This value.
    Match(Expr),
    /// Any value, which goes to the place.
    Bind(Place),
    /// Any value, which is dropped.
    Ignore,
}

impl Expr {
    /// An expression.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Expr { kind, span }
    }

    /// A number.
    pub fn constant(value: i64, span: Span) -> Self {
        Expr {
            kind: ExprKind::Const(value),
            span,
        }
    }

    /// Two expressions joined by an operation.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Self {
        let span = left.span.to(right.span);
        Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            span,
        }
    }

    /// The negation of a condition.
    pub fn negated(self) -> Self {
        let span = self.span;
        Expr {
            kind: ExprKind::Unary(UnaryOp::Not, Box::new(self)),
            span,
        }
    }

    /// The number, if it is one.
    pub fn as_constant(&self) -> Option<i64> {
        match self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Calls `visit` on this expression and on every expression inside it, outermost first.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        self.each_part(&mut |part| part.walk(visit));
    }

    /// Calls `visit` on the expressions that this one is directly made of.
    pub fn each_part(&self, visit: &mut impl FnMut(&Expr)) {
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::SelfId
            | ExprKind::ProcessCount
            | ExprKind::FirstInstance(_)
            | ExprKind::LastMover
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::Bound(_) => {}
            ExprKind::Read(place) => place.each_part(visit),
            ExprKind::Unary(_, e)
            | ExprKind::Enabled(e)
            | ExprKind::LocationNumber(e)
            | ExprKind::Priority(e)
            | ExprKind::Channel(_, e) => visit(e),
            ExprKind::Binary(_, a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::Conditional(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            ExprKind::Poll {
                channel, patterns, ..
            } => {
                visit(channel);
                patterns.iter().for_each(|p| p.each_part(visit));
            }
            ExprKind::At { process, .. } => visit(process),
            ExprKind::Quantified(quantified) => visit(&quantified.body),
        }
    }

    /// True if some part of the expression satisfies `test`.
    pub fn any(&self, mut test: impl FnMut(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |e| found = found || test(e));
        found
    }
}

impl Place {
    /// A whole variable.
    pub fn variable(root: Root, span: Span) -> Self {
        Place {
            root,
            path: Vec::new(),
            span,
        }
    }

    /// Calls `visit` on every expression inside the place.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        self.each_part(&mut |part| part.walk(visit));
    }

    /// Calls `visit` on the expressions that the place is directly made of.
    pub fn each_part(&self, visit: &mut impl FnMut(&Expr)) {
        if let Root::Remote { process, .. } = &self.root {
            visit(process);
        }
        for projection in &self.path {
            if let Projection::Index(index) = projection {
                visit(index);
            }
        }
    }
}

impl Pattern {
    /// Calls `visit` on every expression inside the pattern.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        self.each_part(&mut |part| part.walk(visit));
    }

    /// Calls `visit` on the expressions that the pattern is directly made of.
    pub fn each_part(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            Pattern::Match(e) => visit(e),
            Pattern::Bind(place) => place.each_part(visit),
            Pattern::Ignore => {}
        }
    }
}
