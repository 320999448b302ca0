//! Declared symmetry of the scratch variables that functions bring along.
//!
//! A declaration lists the variables that hold names or are indexed by them. What holds values of the same coding as one of these holds names of
//! the set as well, so the variables of functions are declared by the codings of their cells and indices.

use crate::ids::{CodingId, LocalId, TemplateId};
use crate::model::UncheckedModel;
use crate::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef, element};
use crate::types::{Scalar, Type, Variable};
use std::collections::BTreeSet;

/// Declares the uses of names in the variables of templates and monitors that the model before did not have.
pub(crate) fn declare(model: &mut UncheckedModel, before: &UncheckedModel) {
    let homes = added(model, before);
    let sets = model.scalarsets.iter().filter(|set| !set.unordered);
    let added: Vec<Vec<ScalarsetUse>> = sets.map(|set| uses(model, set, &homes)).collect();
    let sets = model.scalarsets.iter_mut().filter(|set| !set.unordered);
    for (set, added) in sets.zip(added) {
        set.uses.extend(added);
    }
}

/// The variables of templates and monitors behind those that there were before.
fn added(model: &UncheckedModel, before: &UncheckedModel) -> Vec<VariableRef> {
    let behind = |old: &[Variable], new: &[Variable]| (old.len()..new.len()).map(LocalId::from);
    let templates = before.templates.iter().zip(&model.templates);
    let locals = (0..)
        .map(TemplateId)
        .zip(templates)
        .flat_map(|(id, (old, new))| {
            behind(&old.locals, &new.locals).map(move |local| VariableRef::Local(id, local))
        });
    let monitors = behind(&before.monitor_scratch, &model.monitor_scratch);
    locals.chain(monitors.map(VariableRef::Monitor)).collect()
}

fn uses(model: &UncheckedModel, set: &Scalarset, homes: &[VariableRef]) -> Vec<ScalarsetUse> {
    let kinds = set.uses.iter().map(|used| &used.kind);
    let mut finder = Finder {
        model,
        codings: kinds.filter_map(|kind| coding_of(model, kind)).collect(),
        found: Vec::new(),
    };
    for home in homes {
        if let Some(variable) = model.variable(*home) {
            finder.variable(*home, variable, &mut Vec::new());
        }
    }
    let span = set.span;
    let found = finder.found.into_iter();
    found.map(|kind| ScalarsetUse { kind, span }).collect()
}

/// The coding of the names at a place that a declaration lists.
fn coding_of(model: &UncheckedModel, kind: &UseKind) -> Option<CodingId> {
    match kind {
        UseKind::Holds { variable, path } => {
            let ty = model.type_at(&model.variable(*variable)?.ty, path)?;
            match element(ty) {
                Type::Scalar(Scalar::Coded { coding, .. }) => Some(*coding),
                _ => None,
            }
        }
        UseKind::Indexes {
            variable,
            path,
            dimension,
        } => {
            let mut holder = model.variable(*variable)?;
            for field in path {
                let Type::Record(id) = element(&holder.ty) else {
                    return None;
                };
                holder = model.record(*id).fields.get(*field as usize)?;
            }
            let index = holder.indices.get(*dimension as usize)?;
            Some(index.coding)
        }
        UseKind::Processes(_) | UseKind::Message { .. } => None,
    }
}

struct Finder<'m> {
    model: &'m UncheckedModel,
    codings: BTreeSet<CodingId>,
    found: Vec<UseKind>,
}

impl Finder<'_> {
    fn variable(&mut self, root: VariableRef, variable: &Variable, path: &mut Vec<u32>) {
        for (dimension, index) in (0..).zip(&variable.indices) {
            if self.codings.contains(&index.coding) {
                self.found.push(UseKind::Indexes {
                    variable: root,
                    path: path.clone(),
                    dimension,
                });
            }
        }
        match element(&variable.ty) {
            Type::Scalar(Scalar::Coded { coding, .. }) if self.codings.contains(coding) => {
                self.found.push(UseKind::Holds {
                    variable: root,
                    path: path.clone(),
                });
            }
            Type::Record(id) => {
                for (number, field) in (0..).zip(&self.model.record(*id).fields) {
                    path.push(number);
                    self.variable(root, field, path);
                    path.pop();
                }
            }
            _ => {}
        }
    }
}
