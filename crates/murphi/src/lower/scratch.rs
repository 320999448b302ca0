//! Temporaries: local variables that are forgotten after every step.
//!
//! Rules and monitors never overlap in time, so all of them share one pool. A statement takes what it needs from the
//! pool and gives it back when it is done; the same goes for a rule with its local variables.

use super::number::Bounds;
use mandala_model::ids::LocalId;
use mandala_model::source::Span;
use mandala_model::types::{ArrayIndex, Initial, Scalar, Storage, Type, Variable};
use std::collections::HashMap;

/// How far a number may be from 0 in a temporary that has to take anything. (The values of a range must
/// be countable in 63 bits.)
const FAR: i64 = 1 << 61;

/// The bounds of a number in such a temporary.
pub(super) const ANY: Bounds = (-(FAR as i128), FAR as i128);

/// The type of such a temporary.
pub(super) fn any_number() -> Type {
    Type::Scalar(Scalar::Range {
        min: -FAR,
        max: FAR,
    })
}

/// What a temporary is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// Values of a type, with what stands for its indices.
    Typed(Type, Vec<ArrayIndex>),
    /// Numbers that fit into 32 bits, of whatever range.
    Narrow,
    /// All others.
    Wide,
}

/// The pool.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    locals: Vec<Variable>,
    kinds: Vec<Kind>,
    free: HashMap<Kind, Vec<LocalId>>,
    used: Vec<LocalId>,
}

impl Scratch {
    /// A temporary of that type. It holds anything.
    pub(super) fn take(&mut self, ty: &Type, name: &str, span: Span) -> LocalId {
        self.take_indexed(ty, Vec::new(), name, span)
    }

    /// The same, with what stands for the indices of its arrays.
    pub(super) fn take_indexed(
        &mut self,
        ty: &Type,
        indices: Vec<ArrayIndex>,
        name: &str,
        span: Span,
    ) -> LocalId {
        self.of_kind(Kind::Typed(ty.clone(), indices), ty, name, span)
    }

    /// A temporary for numbers within those bounds. It holds anything.
    pub(super) fn take_number(&mut self, bounds: Bounds, span: Span) -> LocalId {
        let narrow = i32::try_from(bounds.0).is_ok() && i32::try_from(bounds.1).is_ok();
        let kind = if narrow { Kind::Narrow } else { Kind::Wide };
        let nothing = Type::Scalar(Scalar::Range { min: 0, max: 0 });
        let local = self.of_kind(kind, &nothing, "number", span);
        self.widen(local, bounds);
        local
    }

    /// Makes room for more numbers in a temporary for numbers.
    pub(super) fn widen(&mut self, local: LocalId, bounds: Bounds) {
        let cut = |value: i128| value.clamp(i128::from(-FAR), i128::from(FAR)) as i64;
        if let Type::Scalar(Scalar::Range { min, max }) = &mut self.locals[local.index()].ty {
            *min = cut(bounds.0).min(*min);
            *max = cut(bounds.1).max(*max);
        }
    }

    fn of_kind(&mut self, kind: Kind, ty: &Type, name: &str, span: Span) -> LocalId {
        let free = self.free.get_mut(&kind).and_then(Vec::pop);
        let local = free.unwrap_or_else(|| self.new_local(kind, ty, name, span));
        self.used.push(local);
        local
    }

    fn new_local(&mut self, kind: Kind, ty: &Type, name: &str, span: Span) -> LocalId {
        self.locals.push(Variable {
            name: name.to_string(),
            ty: ty.clone(),
            indices: match &kind {
                Kind::Typed(_, indices) => indices.clone(),
                Kind::Narrow | Kind::Wide => Vec::new(),
            },
            initial: Initial::Default,
            storage: Storage::Scratch,
            span,
        });
        self.kinds.push(kind);
        LocalId::from(self.locals.len() - 1)
    }

    /// What is taken so far.
    pub(super) fn mark(&self) -> usize {
        self.used.len()
    }

    /// Gives back what was taken since.
    pub(super) fn release(&mut self, mark: usize) {
        for local in self.used.drain(mark.min(self.used.len())..).rev() {
            let kind = self.kinds[local.index()].clone();
            self.free.entry(kind).or_default().push(local);
        }
    }

    /// How many temporaries there are.
    pub(super) fn count(&self) -> usize {
        self.locals.len()
    }

    /// All temporaries there ever were.
    pub(super) fn into_locals(self) -> Vec<Variable> {
        self.locals
    }
}
