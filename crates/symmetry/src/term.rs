//! Symbolic values: what an expression computes, as a function of the state.
//!
//! Only [`crate::algebra::Algebra`] makes compound terms, so that equal functions are equal values as
//! often as possible. Equal terms always mean equal functions, and that is all the proof needs.

use crate::sorts::Sort;
use mandala_model::expr::{BinaryOp, ChannelQuery, ReceiveOrder, UnaryOp};
use mandala_model::ids::{GlobalId, LocalId, LocationId, TemplateId};
use mandala_model::template::{Keep, SendOrder};
use mandala_model::types::Scalar;
use std::cmp::Ordering;
use std::rc::Rc;

/// Something of the model that has no order of its own, given one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tag<T>(pub T);

/// What tells the values of a type apart, in some order.
pub(crate) trait Rank {
    fn rank(&self) -> (u8, i64, i64);
}

impl<T: Rank + Eq> Ord for Tag<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.rank().cmp(&other.0.rank())
    }
}

impl<T: Rank + Eq> PartialOrd for Tag<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Rank for UnaryOp {
    fn rank(&self) -> (u8, i64, i64) {
        (*self as u8, 0, 0)
    }
}

impl Rank for BinaryOp {
    fn rank(&self) -> (u8, i64, i64) {
        (*self as u8, 0, 0)
    }
}

impl Rank for ChannelQuery {
    fn rank(&self) -> (u8, i64, i64) {
        (*self as u8, 0, 0)
    }
}

impl Rank for ReceiveOrder {
    fn rank(&self) -> (u8, i64, i64) {
        (*self as u8, 0, 0)
    }
}

impl Rank for SendOrder {
    fn rank(&self) -> (u8, i64, i64) {
        (*self as u8, 0, 0)
    }
}

impl Rank for Keep {
    fn rank(&self) -> (u8, i64, i64) {
        (*self as u8, 0, 0)
    }
}

impl Rank for Scalar {
    fn rank(&self) -> (u8, i64, i64) {
        match *self {
            Scalar::Int { bits, signed } => (0, i64::from(bits), i64::from(signed)),
            Scalar::Bool => (1, 0, 0),
            Scalar::Range { min, max } => (2, min, max),
            Scalar::Enum(id) => (3, i64::from(id.0), 0),
            Scalar::Id(id) => (4, i64::from(id.0), 0),
            Scalar::Process => (5, 0, 0),
            Scalar::Channel => (6, 0, 0),
            Scalar::Coded { coding, max } => (7, i64::from(coding.0), max),
        }
    }
}

/// A value as a function of the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Term {
    /// A number.
    Const(i64),
    /// The number of the process that acts, which is known, plus a constant: the number, and the sum.
    Own(i64, i64),
    /// The number of the process that acts, which is none of those that are permuted.
    Other,
    /// A number that stands for what the sort says; made by renaming only.
    Named(Sort, i64),
    /// A function of one cell or number, value by value; made by renaming only.
    Table(Rc<Table>),
    /// What a cell holds.
    Read(Cell),
    /// An operation on one value; `Not` only of what [`Term::is_condition`] does not see through.
    Unary(Tag<UnaryOp>, Rc<Term>),
    /// An operation on two values; never `And` or `Or`.
    Binary(Tag<BinaryOp>, Rc<Term>, Rc<Term>),
    /// A sum of 32-bit numbers.
    Sum(Vec<Term>),
    /// True if all of these conditions are; evaluated in order as far as it matters.
    All(Vec<Term>),
    /// True if one of these conditions is; evaluated in order as far as it matters.
    Any(Vec<Term>),
    /// One of two values.
    Choose(Rc<Term>, Rc<Term>, Rc<Term>),
    /// What a cell of that type holds when the value is put into it.
    Stored(Tag<Scalar>, Rc<Term>),
    ProcessCount,
    FirstInstance(TemplateId),
    LastMover,
    Timeout,
    NonProgress,
    Accepting,
    LocationNumber(Rc<Term>),
    Channel(Tag<ChannelQuery>, Rc<Term>),
    /// Whether a message is there; `None` in a field takes any value.
    Poll(Rc<Term>, Tag<ReceiveOrder>, Vec<Option<Term>>),
    /// Whether code that runs in one step could put a message into the channel.
    Room(Rc<Term>),
    /// Whether code that runs in one step could take a message.
    Waiting(Rc<Term>, Tag<ReceiveOrder>, Tag<Keep>, Vec<Option<Term>>),
    At(TemplateId, Rc<Term>, LocationId),
}

/// A function of one term that never fails for the values that the term can have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Table {
    pub leaf: Term,
    /// What the values of the leaf stand for, and what the results do.
    pub sorts: (Sort, Sort),
    /// Each value that the leaf can have, and the result; in order.
    pub entries: Vec<(i64, i64)>,
}

/// A cell of the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub home: Home,
    pub path: Vec<Part>,
    /// Its type.
    pub scalar: Tag<Scalar>,
    /// It always refers to a channel that is there.
    pub lasting: bool,
}

/// The variable that a cell is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Home {
    Global(GlobalId),
    /// Of the process that acts.
    Own(LocalId),
    /// Of the process with that number.
    Remote(TemplateId, Rc<Term>, LocalId),
}

/// One step from a variable to a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Part {
    Field(u32),
    /// An element of an array with that many.
    Index(Term, u32),
}

impl Term {
    /// The number, if it is known.
    pub fn known(&self) -> Option<i64> {
        match self {
            Term::Const(value) | Term::Own(_, value) | Term::Named(_, value) => Some(*value),
            _ => None,
        }
    }

    /// True if a part of it is a function given value by value.
    pub fn has_table(&self) -> bool {
        // What has no parts, as most terms, takes no memory.
        let mut open = Vec::new();
        let mut next = Some(self);
        while let Some(term) = next {
            if matches!(term, Term::Table(_)) {
                return true;
            }
            term.push_parts(&mut open);
            next = open.pop();
        }
        false
    }

    /// How many parts the term has; the limit if there are more.
    pub fn size_up_to(&self, limit: usize) -> usize {
        let mut open = vec![self];
        let mut count = 0;
        while let Some(term) = open.pop() {
            count += 1;
            if count >= limit {
                return limit;
            }
            term.push_parts(&mut open);
        }
        count
    }

    fn push_parts<'t>(&'t self, open: &mut Vec<&'t Term>) {
        match self {
            Term::Read(cell) => {
                if let Home::Remote(_, process, _) = &cell.home {
                    open.push(process);
                }
                open.extend(cell.path.iter().filter_map(|part| match part {
                    Part::Index(term, _) => Some(term),
                    Part::Field(_) => None,
                }));
            }
            Term::Unary(_, a)
            | Term::Stored(_, a)
            | Term::LocationNumber(a)
            | Term::Channel(_, a)
            | Term::Room(a)
            | Term::At(_, a, _) => open.push(a),
            Term::Table(table) => open.push(&table.leaf),
            Term::Binary(_, a, b) => open.extend([&**a, &**b]),
            Term::Choose(a, b, c) => open.extend([&**a, &**b, &**c]),
            Term::Sum(list) | Term::All(list) | Term::Any(list) => open.extend(list),
            Term::Poll(c, _, fields) | Term::Waiting(c, _, _, fields) => {
                open.push(c);
                open.extend(fields.iter().flatten());
            }
            Term::Const(_)
            | Term::Own(..)
            | Term::Named(..)
            | Term::Other
            | Term::ProcessCount
            | Term::FirstInstance(_)
            | Term::LastMover
            | Term::Timeout
            | Term::NonProgress
            | Term::Accepting => {}
        }
    }

    /// True if the value is always 0 or 1.
    pub fn is_condition(&self) -> bool {
        match self {
            Term::Const(value) => matches!(value, 0 | 1),
            Term::All(_)
            | Term::Any(_)
            | Term::Timeout
            | Term::NonProgress
            | Term::Accepting
            | Term::Poll(..)
            | Term::Room(_)
            | Term::Waiting(..)
            | Term::At(..) => true,
            Term::Table(table) => table.entries.iter().all(|(_, v)| matches!(v, 0 | 1)),
            Term::Unary(op, _) => op.0 == UnaryOp::Not,
            Term::Binary(op, ..) => is_comparison(op.0),
            Term::Channel(query, _) => query.0 != ChannelQuery::Length,
            Term::Choose(_, yes, no) => yes.is_condition() && no.is_condition(),
            _ => false,
        }
    }
}

/// What is added to the first of two terms of a sum, if the other is a constant.
pub(crate) fn shift(list: &[Term]) -> Option<i64> {
    match list {
        [Term::Sum(_), _] => None,
        [_, Term::Const(by)] => Some(*by),
        _ => None,
    }
}

/// Whether an operation compares.
pub(crate) fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
    )
}

impl Cell {
    /// True if it is one particular cell, whatever the state.
    pub fn is_definite(&self) -> bool {
        let known = |part: &Part| match part {
            Part::Field(_) => true,
            Part::Index(term, length) => {
                let index = term.known();
                index.is_some_and(|i| (0..i64::from(*length)).contains(&i))
            }
        };
        !matches!(self.home, Home::Remote(..)) && self.path.iter().all(known)
    }
}
