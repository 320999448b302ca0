//! The family that an invariant is about.

use mandala_model::UncheckedModel;
use mandala_model::ids::{CodingId, TemplateId};
use mandala_model::source::Span;
use mandala_model::types::{ArrayIndex, CodingKind, Scalar, Type, Variable};
use std::fmt;

/// Why it is not confirmed that few members are enough: a condition of the argument, or what stands in the way of seeing that it is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotConfirmed {
    /// Why.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
}

impl NotConfirmed {
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Self {
        NotConfirmed {
            message: message.into(),
            span: Some(span),
        }
    }

    pub(crate) fn whole(message: impl Into<String>) -> Self {
        NotConfirmed {
            message: message.into(),
            span: None,
        }
    }
}

impl fmt::Display for NotConfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not confirmed: {}", self.message)
    }
}

/// A family: the part of a model that may have any number of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Family {
    /// The names of a scalarset, which are the values 1, 2, ..
    Names {
        /// What the set is called.
        name: String,
        /// What tells a cell that holds one of these, and an array with an element for each, from others.
        coding: CodingId,
    },
    /// The processes that are made of a template at the start.
    Processes(TemplateId),
}

impl Family {
    /// The family of that name.
    pub fn named(model: &UncheckedModel, name: &str) -> Option<Self> {
        if !model.language.is_of_rules() {
            let mut templates = model.templates.iter();
            let template = templates.position(|t| t.display_name() == name)?;
            return Some(Family::Processes(TemplateId::from(template)));
        }
        let sets = model.scalarsets.iter().filter(|set| set.name == name);
        let codings = (0..).map(CodingId).zip(&model.codings);
        let codings: Vec<CodingId> = codings
            .filter(|(_, c)| c.name == name && c.kind == CodingKind::Members)
            .map(|(id, _)| id)
            .collect();
        match (sets.count(), &codings[..]) {
            (1, [coding]) => Some(Family::Names {
                name: name.into(),
                coding: *coding,
            }),
            _ => None,
        }
    }

    /// Whether a cell of that type holds a member.
    pub(crate) fn holds(&self, scalar: Scalar) -> bool {
        match (self, scalar) {
            (Family::Names { coding, .. }, Scalar::Coded { coding: other, .. }) => *coding == other,
            _ => false,
        }
    }

    /// Whether an array has an element for each member.
    pub(crate) fn indexes(&self, index: Option<&ArrayIndex>) -> bool {
        match (self, index) {
            (Family::Names { coding, .. }, Some(index)) => *coding == index.coding,
            _ => false,
        }
    }

    /// Whether a variable is one cell that holds a member.
    pub(crate) fn is_held_by(&self, variable: &Variable) -> bool {
        matches!(variable.ty, Type::Scalar(scalar) if self.holds(scalar))
    }
}
