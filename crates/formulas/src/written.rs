//! A formula as it is written.

use mandala_model::property::{BinaryTemporal, Condition, Runs, UnaryTemporal};
use mandala_model::source::Span;

/// A formula of temporal logic over conditions, in the end those of a model. Which logic it belongs to is found out when it is used.
#[derive(Clone, Debug)]
pub struct Written<C = Condition> {
    /// What it is.
    pub kind: WrittenKind<C>,
    /// Where it stands.
    pub span: Span,
}

/// What a formula is.
#[derive(Clone, Debug)]
pub enum WrittenKind<C = Condition> {
    /// A condition on a state.
    Condition(C),
    /// An operator before a formula.
    Unary(UnaryTemporal, Box<Written<C>>),
    /// An operator between two formulas.
    Binary(BinaryTemporal, Box<Written<C>>, Box<Written<C>>),
    /// `A` or `E` before what is said of runs.
    Quantified(Runs, Box<Written<C>>),
}

impl<C> Written<C> {
    /// A condition on a state.
    pub fn condition(condition: C, span: Span) -> Self {
        Written {
            kind: WrittenKind::Condition(condition),
            span,
        }
    }

    /// An operator before a formula.
    pub fn unary(op: UnaryTemporal, operand: Self, span: Span) -> Self {
        Written {
            kind: WrittenKind::Unary(op, Box::new(operand)),
            span,
        }
    }

    /// An operator between two formulas.
    pub fn binary(op: BinaryTemporal, left: Self, right: Self, span: Span) -> Self {
        Written {
            kind: WrittenKind::Binary(op, Box::new(left), Box::new(right)),
            span,
        }
    }

    /// `A` or `E` before what is said of runs.
    pub fn quantified(runs: Runs, path: Self, span: Span) -> Self {
        Written {
            kind: WrittenKind::Quantified(runs, Box::new(path)),
            span,
        }
    }

    /// The parts joined by an operator, as a balanced tree: a quantifier over many is written out so. None if there are no parts.
    pub fn joined(op: BinaryTemporal, mut parts: Vec<Self>, span: Span) -> Option<Self> {
        if parts.len() <= 1 {
            return parts.pop();
        }
        let right = parts.split_off(parts.len() / 2);
        let left = Written::joined(op, parts, span)?;
        let right = Written::joined(op, right, span)?;
        Some(Written::binary(op, left, right, span))
    }

    /// The same formula over what becomes of its conditions.
    ///
    /// # Errors
    ///
    /// The first one of a condition.
    pub fn try_map<D, E>(
        &self,
        change: &mut impl FnMut(&C, Span) -> Result<D, E>,
    ) -> Result<Written<D>, E> {
        let kind = match &self.kind {
            WrittenKind::Condition(condition) => {
                WrittenKind::Condition(change(condition, self.span)?)
            }
            WrittenKind::Unary(op, f) => WrittenKind::Unary(*op, Box::new(f.try_map(change)?)),
            WrittenKind::Binary(op, f, g) => {
                let f = Box::new(f.try_map(change)?);
                WrittenKind::Binary(*op, f, Box::new(g.try_map(change)?))
            }
            WrittenKind::Quantified(runs, f) => {
                WrittenKind::Quantified(*runs, Box::new(f.try_map(change)?))
            }
        };
        Ok(Written {
            kind,
            span: self.span,
        })
    }
}
