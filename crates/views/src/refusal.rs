//! The reasons why views do not apply to a model.

use mandala_model::source::Span;
use std::fmt;

/// A condition under which a proof by views is one. `lib.rs` says why each is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// The members of the family are interchangeable.
    Symmetry,
    /// Only shared cells hold members.
    Members,
    /// What a step asks of other members survives when members are left out.
    Questions,
    /// A loop over the family changes each member by itself.
    Loops,
    /// Nothing else depends on how many members there are.
    Size,
    /// What must not happen is a matter of a bounded number of members.
    Property,
}

impl Condition {
    /// All of them, in the order of their numbers.
    pub const ALL: [Condition; 6] = [
        Condition::Symmetry,
        Condition::Members,
        Condition::Questions,
        Condition::Loops,
        Condition::Size,
        Condition::Property,
    ];

    /// Its number, from 1 on.
    pub fn number(self) -> u32 {
        self as u32 + 1
    }

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Condition::Symmetry => "symmetry",
            Condition::Members => "members",
            Condition::Questions => "questions",
            Condition::Loops => "loops",
            Condition::Size => "size",
            Condition::Property => "property",
        }
    }

    /// What it demands, in words.
    pub fn demand(self) -> &'static str {
        match self {
            Condition::Symmetry => "the members are interchangeable",
            Condition::Members => "only shared variables hold members",
            Condition::Questions => {
                "what a step asks of other members stays true when members are left out"
            }
            Condition::Loops => "a loop over the members changes each one by itself",
            Condition::Size => "nothing else depends on how many members there are",
            Condition::Property => "what must not happen concerns a few members",
        }
    }
}

/// The condition that a model does not satisfy, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The condition.
    pub condition: Condition,
    /// What breaks it, in words.
    pub message: String,
    /// Where, if it is one place.
    pub span: Option<Span>,
}

impl Refused {
    /// A condition that is broken at a place.
    pub fn at(condition: Condition, span: Span, message: impl Into<String>) -> Self {
        Refused {
            condition,
            message: message.into(),
            span: Some(span),
        }
    }

    /// A condition that is broken at no single place.
    pub fn whole(condition: Condition, message: impl Into<String>) -> Self {
        Refused {
            condition,
            message: message.into(),
            span: None,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, demand) = (self.condition.number(), self.condition.demand());
        write!(f, "{} (condition {number}: {demand})", self.message)
    }
}
