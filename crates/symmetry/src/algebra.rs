//! Normal forms of terms.
//!
//! Every rewriting here keeps the value in every state *and* whether, and how, the evaluation fails: a
//! term that cannot fail is *total*. Conditions joined by `&&` or `||` are sorted only among
//! neighbours that are total, because what stands before a condition that may fail decides whether
//! it is evaluated at all. Operands of `==` or `+` change places only if at most one can fail.
//!
//! Two ways to fail are not the business of terms: that a value is undefined, and that one does not fit the variable
//! that it is put into. Whoever evaluates such a term has asked first whether it will succeed (`risks`), and does not evaluate
//! it otherwise. So these terms are total, and what they are worth where they fail does not matter.

use crate::locations::spawned;
use crate::sorts::bounds;
use crate::term::{Cell, Home, Part, Tag, Term, is_comparison};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, ChannelQuery, UnaryOp};
use mandala_model::model::Arithmetic;
use mandala_model::types::Scalar;
use std::rc::Rc;

/// The greatest number that a process can have.
pub(crate) const LAST_PROCESS: i64 = 254;

/// Makes terms for one model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Algebra {
    pub arithmetic: Arithmetic,
    /// The greatest number that a process of the model can have.
    pub last_process: i64,
}

/// Whether a list of conditions is joined by `&&` or by `||`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    All,
    Any,
}

impl Algebra {
    /// For the terms of that model. Without creation of processes there are only those of the start.
    pub fn of(model: &Model) -> Self {
        let count = model.start.len() as i64;
        let last_process = if spawned(model).is_empty() {
            count - 1
        } else {
            LAST_PROCESS
        };
        Algebra {
            arithmetic: model.arithmetic,
            last_process,
        }
    }

    /// An operation on one value.
    pub fn unary(self, op: UnaryOp, operand: Term) -> Term {
        if op == UnaryOp::Not {
            return self.not(self.condition(operand));
        }
        let never_zero = |(low, high): (i64, i64)| low > 0 || high < 0;
        if op == UnaryOp::Defined && self.range(&operand).is_some_and(never_zero) {
            return operand;
        }
        let folded = operand.known();
        let folded = folded.and_then(|v| self.arithmetic.unary(op, v).ok());
        folded.map_or_else(|| Term::Unary(Tag(op), Rc::new(operand)), Term::Const)
    }

    /// An operation on two values.
    pub fn binary(self, op: BinaryOp, left: Term, right: Term) -> Term {
        if let (Some(a), Some(b)) = (left.known(), right.known())
            && let Ok(value) = self.arithmetic.binary(op, a, b)
        {
            return shifted_own(op, &left, &right, value);
        }
        match op {
            BinaryOp::And => self.join(Join::All, vec![left, right]),
            BinaryOp::Or => self.join(Join::Any, vec![left, right]),
            BinaryOp::Add | BinaryOp::Subtract => self.additive(op, left, right),
            BinaryOp::Equal | BinaryOp::NotEqual => self.equality(op, left, right),
            BinaryOp::Greater => self.comparison(op, BinaryOp::Less, left, right),
            BinaryOp::GreaterEqual => self.comparison(op, BinaryOp::LessEqual, left, right),
            BinaryOp::BitAnd if self.are_conditions(&left, &right) => self.all(vec![left, right]),
            BinaryOp::BitOr if self.are_conditions(&left, &right) => self.any(vec![left, right]),
            BinaryOp::Multiply | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.commutative(op, left, right)
            }
            _ => plain(op, left, right),
        }
    }

    /// The truth of a value: 0 or 1.
    pub fn condition(self, value: Term) -> Term {
        if value.is_condition() || matches!(bool_cell(&value), Some(true)) {
            return value;
        }
        self.binary(BinaryOp::NotEqual, value, Term::Const(0))
    }

    /// The negation of a condition.
    pub fn not(self, condition: Term) -> Term {
        match condition {
            Term::Const(value) => Term::Const(i64::from(value == 0)),
            Term::Unary(op, inner) if op.0 == UnaryOp::Not => Rc::unwrap_or_clone(inner),
            Term::Binary(op, a, b) if is_comparison(op.0) => self.binary(
                opposite(op.0),
                Rc::unwrap_or_clone(a),
                Rc::unwrap_or_clone(b),
            ),
            Term::All(list) => self.any(list.into_iter().map(|t| self.not(t)).collect()),
            Term::Any(list) => self.all(list.into_iter().map(|t| self.not(t)).collect()),
            other => Term::Unary(Tag(UnaryOp::Not), Rc::new(other)),
        }
    }

    /// True if all are.
    pub fn all(self, conditions: Vec<Term>) -> Term {
        self.join(Join::All, conditions)
    }

    /// True if one is.
    pub fn any(self, conditions: Vec<Term>) -> Term {
        self.join(Join::Any, conditions)
    }

    /// One of two values.
    pub fn choose(self, condition: Term, yes: Term, no: Term) -> Term {
        let condition = self.condition(condition);
        match condition.known() {
            Some(0) => no,
            Some(_) => yes,
            None if yes == no && self.is_total(&condition) => yes,
            None => Term::Choose(Rc::new(condition), Rc::new(yes), Rc::new(no)),
        }
    }

    /// One of two values by a condition that cannot fail, in the same way whatever the order in which several of them are asked.
    pub fn choose_either(self, condition: &Term, yes: Term, no: Term) -> Term {
        let negated = self.not(condition.clone());
        if yes == no {
            yes
        } else if negated < *condition {
            self.choose_flat(negated, no, yes)
        } else {
            self.choose_flat(condition.clone(), yes, no)
        }
    }

    /// What several conditions lead to is said once.
    fn choose_flat(self, condition: Term, yes: Term, no: Term) -> Term {
        match (&yes, &no) {
            (_, Term::Choose(other, same, rest)) if **same == yes && self.is_total(other) => {
                let either = self.any(vec![condition, (**other).clone()]);
                self.choose(either, yes, (**rest).clone())
            }
            (_, Term::Choose(other, rest, same)) if **same == yes && self.is_total(other) => {
                let either = self.any(vec![condition, self.not((**other).clone())]);
                self.choose(either, yes, (**rest).clone())
            }
            _ => self.choose(condition, yes, no),
        }
    }

    /// The same for numbers: one more under a condition is the number plus the condition, so that conditions are counted in any
    /// order.
    pub fn count_either(self, condition: &Term, yes: Term, no: Term) -> Term {
        let more = |a: &Term, b: &Term| {
            let next = self.binary(BinaryOp::Add, b.clone(), Term::Const(1));
            next == *a && matches!(next, Term::Sum(_) | Term::Const(_))
        };
        let small = |t: &Term| self.range(t).is_some_and(|(l, h)| I32.0 < l && h < I32.1);
        if more(&yes, &no) && small(&no) {
            return self.sum(vec![no, condition.clone()]);
        }
        if more(&no, &yes) && small(&yes) {
            return self.sum(vec![yes, self.not(condition.clone())]);
        }
        self.choose_either(condition, yes, no)
    }

    /// What a cell of that type holds when the value is put into it.
    pub fn store(self, scalar: Scalar, value: Term) -> Term {
        if self.fits(&value, scalar) {
            return value;
        }
        let kept = value.known().and_then(|v| scalar.store(v));
        kept.map_or_else(
            || Term::Stored(Tag(scalar), Rc::new(value.clone())),
            Term::Const,
        )
    }

    /// True if a cell of that type keeps every value that the term can have.
    pub fn fits(self, value: &Term, scalar: Scalar) -> bool {
        let Some((min, max)) = bounds(scalar) else {
            return true;
        };
        let range = self.range(value);
        range.is_some_and(|(low, high)| min <= low && high <= max)
    }

    fn join(self, join: Join, conditions: Vec<Term>) -> Term {
        let neutral = i64::from(join == Join::All);
        let mut flat = Vec::new();
        for condition in conditions {
            self.flatten(join, self.condition(condition), &mut flat);
        }
        flat.retain(|t| t.known() != Some(neutral));
        if let Some(decided) = flat.iter().position(|t| t.known().is_some()) {
            flat.truncate(decided + 1);
            if flat[..decided].iter().all(|t| self.is_total(t)) {
                return Term::Const(1 - neutral);
            }
        }
        self.sort_runs(&mut flat);
        match (flat.len(), join) {
            (0, _) => Term::Const(neutral),
            (1, _) => flat.remove(0),
            (_, Join::All) => Term::All(flat),
            (_, Join::Any) => Term::Any(flat),
        }
    }

    fn flatten(self, join: Join, condition: Term, flat: &mut Vec<Term>) {
        match (join, condition) {
            (Join::All, Term::All(list)) | (Join::Any, Term::Any(list)) => flat.extend(list),
            (_, other) => flat.push(other),
        }
    }

    /// Sorts what stands between terms that may fail, and drops repetitions there.
    fn sort_runs(self, list: &mut Vec<Term>) {
        let mut sorted = Vec::with_capacity(list.len());
        let mut run = Vec::new();
        for term in list.drain(..) {
            if self.is_total(&term) {
                run.push(term);
            } else {
                finish_run(&mut run, &mut sorted);
                sorted.push(term);
            }
        }
        finish_run(&mut run, &mut sorted);
        *list = sorted;
    }

    fn additive(self, op: BinaryOp, left: Term, right: Term) -> Term {
        if self.arithmetic != Arithmetic::Wrapping32 && !self.is_small_sum(op, &left, &right) {
            return plain(op, left, right);
        }
        let right = match (op, right) {
            (BinaryOp::Add, right) => right,
            (_, Term::Const(value)) if value != i64::MIN => Term::Const(-value),
            (_, right) => return plain(op, left, right),
        };
        if !self.may_swap(&left, &right) {
            return plain(BinaryOp::Add, left, right);
        }
        self.sum(vec![left, right])
    }

    /// Whether the result fits 32 bits whatever the operands are, so that to cut it changes nothing and nothing
    /// overflows.
    fn is_small_sum(self, op: BinaryOp, left: &Term, right: &Term) -> bool {
        let (Some(a), Some(b)) = (self.range(left), self.range(right)) else {
            return false;
        };
        let ends = match op {
            BinaryOp::Add => (a.0.checked_add(b.0), a.1.checked_add(b.1)),
            _ => (a.0.checked_sub(b.1), a.1.checked_sub(b.0)),
        };
        matches!(ends, (Some(low), Some(high)) if low >= I32.0 && high <= I32.1)
    }

    /// A sum: every partial sum is cut to 32 bits, so the order does not matter.
    pub fn sum(self, operands: Vec<Term>) -> Term {
        let mut total = 0i64;
        let mut rest = Vec::new();
        let flat = operands.into_iter().flat_map(|t| match t {
            Term::Sum(list) => list,
            other => vec![other],
        });
        for term in flat {
            match term.known() {
                Some(value) => total = cut_sum(total, value),
                None => rest.push(term),
            }
        }
        rest.sort();
        if rest.is_empty() {
            return Term::Const(total);
        }
        if total != 0 {
            rest.push(Term::Const(total));
        }
        let small = |t: &Term| self.range(t).is_some_and(|r| r.0 >= I32.0 && r.1 <= I32.1);
        if rest.len() == 1 && small(&rest[0]) {
            return rest.remove(0);
        }
        Term::Sum(rest)
    }

    fn equality(self, op: BinaryOp, left: Term, right: Term) -> Term {
        if left == right && self.is_total(&left) {
            return Term::Const(i64::from(op == BinaryOp::Equal));
        }
        let apart = match (self.range(&left), self.range(&right)) {
            (Some(a), Some(b)) => a.1 < b.0 || b.1 < a.0,
            _ => false,
        };
        if apart && self.is_total(&left) && self.is_total(&right) {
            return Term::Const(i64::from(op == BinaryOp::NotEqual));
        }
        match self.undone(&left, &right) {
            Some((left, right)) => self.equality(op, left, right),
            None => self.commutative(op, left, right),
        }
    }

    fn commutative(self, op: BinaryOp, left: Term, right: Term) -> Term {
        if right < left && self.may_swap(&left, &right) {
            plain(op, right, left)
        } else {
            plain(op, left, right)
        }
    }

    fn comparison(self, op: BinaryOp, mirrored: BinaryOp, left: Term, right: Term) -> Term {
        if self.may_swap(&left, &right) {
            plain(mirrored, right, left)
        } else {
            plain(op, left, right)
        }
    }

    /// Whether both are always 0 or 1, so that what is done to their bits is done to their truth. As neither can fail, it
    /// does not matter whether both are evaluated.
    fn are_conditions(self, left: &Term, right: &Term) -> bool {
        let condition = |t: &Term| t.is_condition() || matches!(bool_cell(t), Some(true));
        let sure = |t: &Term| condition(t) && self.is_total(t);
        sure(left) && sure(right)
    }

    fn may_swap(self, left: &Term, right: &Term) -> bool {
        self.is_total(left) || self.is_total(right)
    }

    /// True if the evaluation of the term never fails.
    pub fn is_total(self, term: &Term) -> bool {
        match term {
            Term::Const(_)
            | Term::Own(..)
            | Term::Named(..)
            | Term::Other
            | Term::ProcessCount
            | Term::FirstInstance(_)
            | Term::LastMover
            | Term::Timeout
            | Term::NonProgress
            | Term::Accepting => true,
            Term::Table(table) => self.is_total(&table.leaf),
            Term::Read(cell) => self.is_total_cell(cell),
            Term::Unary(op, a) if op.0 == UnaryOp::Defined => self.is_total(a),
            Term::Unary(op, a) => self.is_safe(op.0 == UnaryOp::Not) && self.is_total(a),
            Term::Binary(op, a, b) => {
                self.is_safe_binary(op.0, b) && self.is_total(a) && self.is_total(b)
            }
            Term::Sum(list) | Term::All(list) | Term::Any(list) => {
                list.iter().all(|t| self.is_total(t))
            }
            Term::Choose(a, b, c) => self.is_total(a) && self.is_total(b) && self.is_total(c),
            Term::Stored(_, a) => self.is_total(a),
            Term::LocationNumber(a) | Term::At(_, a, _) => self.is_total(a),
            Term::Channel(_, channel) => match &**channel {
                Term::Read(cell) => cell.lasting && self.is_total_cell(cell),
                _ => false,
            },
            Term::Poll(..) | Term::Room(_) | Term::Waiting(..) => false,
        }
    }

    /// True if every part of the place can be found in every state.
    pub fn is_total_cell(self, cell: &Cell) -> bool {
        let inside = |part: &Part| match part {
            Part::Field(_) => true,
            Part::Index(term, length) => {
                let range = self.range(term);
                let fits = range.is_some_and(|(low, high)| low >= 0 && high < i64::from(*length));
                fits && self.is_total(term)
            }
        };
        !matches!(cell.home, Home::Remote(..)) && cell.path.iter().all(inside)
    }

    fn is_safe(self, comparing: bool) -> bool {
        comparing || self.arithmetic == Arithmetic::Wrapping32
    }

    fn is_safe_binary(self, op: BinaryOp, right: &Term) -> bool {
        match op {
            BinaryOp::Divide | BinaryOp::Modulo => {
                self.is_safe(false) && right.known().is_some_and(|v| v != 0)
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let range = 0..i64::from(self.arithmetic.bits());
                self.is_safe(false) && right.known().is_some_and(|v| range.contains(&v))
            }
            _ => self.is_safe(is_comparison(op)),
        }
    }

    /// A sum that cannot leave the 32 bits is not cut; all others are somewhere in them.
    fn range_of_sum(self, list: &[Term]) -> (i64, i64) {
        let total = list.iter().try_fold((0i64, 0i64), |(low, high), term| {
            let range = self.range(term)?;
            Some((low.checked_add(range.0)?, high.checked_add(range.1)?))
        });
        total
            .filter(|(low, high)| I32.0 <= *low && *high <= I32.1)
            .unwrap_or(I32)
    }

    /// The values that a cell can be read to have. Those of a process that is not there are 0.
    fn range_of_cell(self, cell: &Cell) -> Option<(i64, i64)> {
        let (low, high) = bounds(cell.scalar.0)?;
        Some(match cell.home {
            Home::Remote(..) => (low.min(0), high.max(0)),
            Home::Global(_) | Home::Own(_) => (low, high),
        })
    }

    /// The least and the greatest value that the term can have, if that is known.
    pub fn range(self, term: &Term) -> Option<(i64, i64)> {
        match term {
            Term::Const(value) | Term::Own(_, value) | Term::Named(_, value) => {
                Some((*value, *value))
            }
            Term::Table(table) => {
                let results = table.entries.iter().map(|(_, result)| *result);
                results.clone().min().zip(results.max())
            }
            Term::Other => Some((0, self.last_process)),
            Term::LastMover => Some((0, LAST_PROCESS)),
            Term::FirstInstance(_) => Some((-1, LAST_PROCESS)),
            Term::ProcessCount => Some((0, LAST_PROCESS + 1)),
            Term::Read(cell) => self.range_of_cell(cell),
            Term::Stored(scalar, _) => bounds(scalar.0),
            // Where it has a value that is not 0.
            Term::Unary(op, a) if op.0 == UnaryOp::Defined => {
                let (low, high) = self.range(a)?;
                let low = if low == 0 && high > 0 { 1 } else { low };
                Some((low, high))
            }
            Term::Channel(query, _) if query.0 == ChannelQuery::Length => Some((0, I32.1)),
            Term::LocationNumber(_) => Some((0, i64::from(u32::MAX))),
            Term::Choose(_, yes, no) => {
                let (a, b) = (self.range(yes)?, self.range(no)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            Term::Sum(list) => Some(self.range_of_sum(list)),
            condition if condition.is_condition() => Some((0, 1)),
            _ => None,
        }
    }
}

/// A sum of two, cut to 32 bits.
pub(crate) fn cut_sum(a: i64, b: i64) -> i64 {
    i64::from(a.wrapping_add(b) as i32)
}

/// A known value, which still tells that it is the number of the process plus a constant if it is.
fn shifted_own(op: BinaryOp, left: &Term, right: &Term, value: i64) -> Term {
    match (op, left, right) {
        (BinaryOp::Add | BinaryOp::Subtract, Term::Own(number, _), Term::Const(_))
        | (BinaryOp::Add, Term::Const(_), Term::Own(number, _)) => Term::Own(*number, value),
        _ => Term::Const(value),
    }
}

const I32: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

fn plain(op: BinaryOp, left: Term, right: Term) -> Term {
    Term::Binary(Tag(op), Rc::new(left), Rc::new(right))
}

fn finish_run(run: &mut Vec<Term>, sorted: &mut Vec<Term>) {
    run.sort();
    run.dedup();
    sorted.append(run);
}

/// Whether a term reads a cell of one bit, which is as good as a condition.
fn bool_cell(term: &Term) -> Option<bool> {
    match term {
        Term::Read(cell) => Some(bounds(cell.scalar.0) == Some((0, 1))),
        _ => None,
    }
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        _ => BinaryOp::Less,
    }
}
