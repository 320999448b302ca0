//! The family of a model: the part that has as many members as a constant says.

use crate::refusal::{Condition, Refused};
use mandala_model::UncheckedModel;
use mandala_model::ids::{CodingId, TemplateId};
use mandala_model::types::{CodingKind, Scalar, Type, Variable};

/// The part of a model that is as large as wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Family {
    /// A set of interchangeable names, the values 1, 2, ..
    Names {
        /// How its values are shown, which is what tells its types from others.
        coding: CodingId,
        /// The number of its declaration.
        set: usize,
    },
    /// The processes that are made of a template at the start.
    Processes(TemplateId),
}

/// A model with a number of members.
#[derive(Clone, Copy, Debug)]
pub struct SizedModel<'m> {
    /// The model.
    pub model: &'m UncheckedModel,
    /// How many members the family is to have.
    pub size: u32,
}

/// The family that has as many members as the sizes of the models say, in each of them, if there is one. `constant` is the name of what says it.
///
/// # Errors
///
/// If there is more than one.
pub fn family(models: &[SizedModel<'_>], constant: &str) -> Result<Option<Family>, Refused> {
    let Some(first) = models.first() else {
        return Ok(None);
    };
    let sets = (0..first.model.scalarsets.len()).filter(|set| is_sized_set(models, *set));
    let sets: Vec<usize> = sets.collect();
    let templates = (0..first.model.templates.len()).map(TemplateId::from);
    let families: Vec<TemplateId> = templates.filter(|t| is_sized(models, *t)).collect();
    match (&sets[..], &families[..]) {
        ([set], []) => names(first.model, *set).map(Some),
        ([], [template]) => Ok(Some(Family::Processes(*template))),
        ([], []) => Ok(None),
        _ => {
            let spans = sets.get(1).map(|set| first.model.scalarsets[*set].span);
            let second = families.last().map(|t| first.model.template(*t).span);
            Err(Refused {
                condition: Condition::Size,
                message: format!("`{constant}` is the size of more than one family"),
                span: spans.or(second),
            })
        }
    }
}

fn is_sized_set(models: &[SizedModel<'_>], set: usize) -> bool {
    models.iter().all(|sized| {
        let set = sized.model.scalarsets.get(set);
        let wanted = |set: &mandala_model::symmetry::Scalarset| {
            !set.unordered && set.first == 1 && set.size == sized.size
        };
        sized.model.language.is_of_rules() && set.is_some_and(wanted)
    })
}

fn is_sized(models: &[SizedModel<'_>], template: TemplateId) -> bool {
    models.iter().all(|sized| {
        let start = sized.model.start.iter();
        let count = start.filter(|process| process.template == template).count();
        !sized.model.language.is_of_rules() && count == sized.size as usize
    })
}

fn names(model: &UncheckedModel, set: usize) -> Result<Family, Refused> {
    let declared = &model.scalarsets[set];
    let refused = |message: String| Refused::at(Condition::Members, declared.span, message);
    let mut coding = None;
    for (number, each) in model.codings.iter().enumerate() {
        match &each.kind {
            CodingKind::Members if each.name == declared.name => {
                coding = Some(CodingId::from(number));
            }
            CodingKind::Parts(parts) => {
                let mut parts = parts.iter();
                if parts.any(|part| part.coding.name == declared.name) {
                    let message = format!("`{}` is a part of a union of types", declared.name);
                    return Err(refused(message));
                }
            }
            _ => {}
        }
    }
    match coding {
        Some(coding) => Ok(Family::Names { coding, set }),
        None => Err(refused(format!(
            "no variable is indexed by `{}` or holds one",
            declared.name
        ))),
    }
}

impl Family {
    /// Its name in the source.
    pub fn name<'m>(&self, model: &'m UncheckedModel) -> &'m str {
        match self {
            Family::Names { set, .. } => &model.scalarsets[*set].name,
            Family::Processes(template) => model.template(*template).display_name(),
        }
    }

    /// Whether a cell of that type holds a member.
    pub(crate) fn is_member(&self, scalar: Scalar) -> bool {
        match (self, scalar) {
            (Family::Names { coding, .. }, Scalar::Coded { coding: other, .. }) => *coding == other,
            _ => false,
        }
    }

    /// Whether a variable of one cell holds a member.
    pub(crate) fn is_held_by(&self, variable: &Variable) -> bool {
        matches!(variable.ty, Type::Scalar(scalar) if self.is_member(scalar))
    }

    /// Whether an array is indexed by members.
    pub(crate) fn indexes(&self, index: Option<&mandala_model::types::ArrayIndex>) -> bool {
        match (self, index) {
            (Family::Names { coding, .. }, Some(index)) => *coding == index.coding,
            _ => false,
        }
    }
}
