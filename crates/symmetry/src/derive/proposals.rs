//! Proposals of interchangeable sets in a model of processes, from types. Nothing here is trusted.

use super::pass::{learnt, name_sets};
use super::rigid::rigid_classes;
use super::typer::Typer;
use super::types::{NameType, Slot};
use crate::domain::{Candidate, Family, NameSet};
use crate::infer::OpenClass;
use crate::locations::mentioned;
use crate::propose::{Proposed, has_rows, is_mentioned, name_proposal};
use crate::sorts::Shape;
use mandala_model::Model;
use mandala_model::ids::{GlobalId, LocalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::symmetry::{ScalarsetUse, UseKind, VariableRef};
use mandala_model::types::{Storage, Type, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The processes of each template of which there are several.
pub(super) fn families(census: &[TemplateId]) -> Vec<Family> {
    let templates: BTreeSet<TemplateId> = census.iter().copied().collect();
    let family = |template: TemplateId| {
        let all = (0..).zip(census).filter(|(_, t)| **t == template);
        let numbers: Vec<u32> = all.map(|(number, _)| number).collect();
        (numbers.len() > 1).then_some(Family { template, numbers })
    };
    templates.into_iter().filter_map(family).collect()
}

/// Sets of names that are worth a try.
#[derive(Default)]
pub(super) struct FoundNames {
    /// For each set, the ways to put it.
    pub(super) ways: Vec<Vec<NameSet>>,
    /// Whether there is nothing else that might be interchangeable.
    pub(super) is_all: bool,
}

/// Classes of values that index arrays or are parameters, and of which nothing else is known.
pub(super) fn name_proposals(
    model: &Model,
    observers: Observers,
    candidate: &Candidate,
) -> FoundNames {
    let sets = name_sets(candidate);
    let moved = candidate.templates();
    let Ok(mut typer) = learnt(model, observers, candidate, (&sets, &moved)) else {
        return FoundNames::default();
    };
    let mut members = Members {
        model,
        found: Vec::new(),
    };
    members.collect(&typer);
    let mut is_all = !has_rows(model);
    let rigid = rigid_classes(&mut typer);
    let mut classes: BTreeMap<Slot, OpenClass> = BTreeMap::new();
    members.found.sort_by_key(|member| !member.guides);
    for member in &members.found {
        let (root, offset) = match typer.slots.resolve(member.slot.ty()) {
            NameType::Open(root, offset) => (root, offset),
            // Something that is computed with indexes an array: that may be a name all the same.
            NameType::Plain => {
                let (root, _) = typer.slots.root(member.slot);
                is_all &= member.length.is_none() || rigid.get(&root) == Some(&true);
                continue;
            }
            _ => continue,
        };
        add(&mut classes, &typer, member, (root, offset));
    }
    // What is no name is not interchangeable either.
    let is_name = |root: &Slot| classes.get(root).is_some_and(|class| class.guides);
    is_all &= rigid.iter().all(|(root, rigid)| *rigid || is_name(root));
    let mentioned = mentioned(model);
    let proposals = classes.values().filter(|class| class.guides);
    let proposals = proposals.filter(|class| is_mentioned(&mentioned, &class.seed.kind));
    let proposals = proposals.filter_map(name_proposal);
    let ways = proposals.map(|proposal| {
        let ways = proposal.ways.into_iter();
        let names = ways.filter_map(|way| match way.domain {
            Proposed::Names(names) => Some(names),
            Proposed::Family(_) => None,
        });
        names.collect()
    });
    FoundNames {
        ways: ways.collect(),
        is_all,
    }
}

fn add(
    classes: &mut BTreeMap<Slot, OpenClass>,
    typer: &Typer<'_>,
    member: &Member,
    (root, offset): (Slot, Value),
) {
    let class = classes.entry(root).or_insert_with(|| OpenClass {
        guides: member.guides,
        offset,
        seed: ScalarsetUse {
            kind: member.kind.clone(),
            span: member.span,
        },
        label: member.label.clone(),
        arrays: Vec::new(),
        range: None,
        constants: typer.slots.constants(root).clone(),
    });
    class.guides |= member.guides;
    let length = member.length.map(i64::from);
    class
        .arrays
        .extend(length.map(|l| (offset, offset + l - 1)));
}

/// An index or a cell of the state.
struct Member {
    slot: Slot,
    /// Whether it is an index or a parameter.
    guides: bool,
    kind: UseKind,
    length: Option<u32>,
    label: String,
    span: Span,
}

/// A part of a variable.
#[derive(Clone)]
struct Within<'v> {
    at: VariableRef,
    variable: &'v Variable,
    path: Vec<u32>,
    dimension: u32,
    label: String,
    guides: bool,
}

struct Members<'m> {
    model: &'m Model,
    found: Vec<Member>,
}

impl<'m> Members<'m> {
    /// All indices and cells of the state.
    fn collect(&mut self, typer: &Typer<'_>) {
        let model = self.model;
        let state = Rc::clone(&typer.state);
        for (id, (variable, shape)) in model.globals.iter().zip(&state.globals).enumerate() {
            self.variable(
                VariableRef::Global(GlobalId::from(id)),
                variable,
                shape,
                false,
            );
        }
        for ((template, declared), shapes) in model.runnables().zip(&state.locals) {
            for (id, (variable, shape)) in declared.locals.iter().zip(shapes).enumerate() {
                let at = VariableRef::Local(template, LocalId::from(id));
                let is_parameter = id < declared.parameters as usize;
                self.variable(at, variable, shape, is_parameter);
            }
        }
    }

    fn variable(
        &mut self,
        at: VariableRef,
        variable: &'m Variable,
        shape: &Shape<Slot>,
        guides: bool,
    ) {
        if variable.storage == Storage::State {
            let whole = Within {
                at,
                variable,
                path: Vec::new(),
                dimension: 0,
                label: variable.name.clone(),
                guides,
            };
            self.part(&whole, &variable.ty, shape);
        }
    }

    fn part(&mut self, part: &Within<'m>, ty: &'m Type, shape: &Shape<Slot>) {
        match (shape, ty) {
            (Shape::Cell(slot, _), _) => self.found.push(Member {
                slot: *slot,
                guides: part.guides,
                kind: UseKind::Holds {
                    variable: part.at,
                    path: part.path.clone(),
                },
                length: None,
                label: part.label.clone(),
                span: part.variable.span,
            }),
            (
                Shape::Array {
                    index,
                    element,
                    length,
                },
                Type::Array { element: ty, .. },
            ) => {
                self.found.push(Member {
                    slot: *index,
                    guides: true,
                    kind: UseKind::Indexes {
                        variable: part.at,
                        path: part.path.clone(),
                        dimension: part.dimension,
                    },
                    length: Some(*length),
                    label: part.variable.name.clone(),
                    span: part.variable.span,
                });
                let inner = Within {
                    dimension: part.dimension + 1,
                    ..part.clone()
                };
                self.part(&inner, ty, element);
            }
            (Shape::Record(fields), Type::Record(id)) => {
                let declared = (0..).zip(&self.model.record(*id).fields);
                for ((number, field), shape) in declared.zip(fields) {
                    let inner = Within {
                        path: part.path.iter().copied().chain([number]).collect(),
                        dimension: 0,
                        label: format!("{}.{}", part.label, field.name),
                        ..part.clone()
                    };
                    self.part(&inner, &field.ty, shape);
                }
            }
            _ => {}
        }
    }
}
