//! The types of temporaries and bound variables that go with the types of the state of a certificate. Nothing here is trusted: a checker compares them with the statements.

use super::pass::{Judge, name_sets, name_sort};
use super::typer::{Frame, Typer};
use super::types::{NameType, Slot};
use crate::domain::{Candidate, Domain, DomainKind, Family, NameSet};
use crate::locations::makes_channels;
use crate::sorts::{Shape, Sort, Sorts};
use mandala_model::Model;
use mandala_model::ids::{ChannelKindId, FunctionId, GlobalId, TemplateId};
use mandala_model::step::Observers;
use mandala_model::types::Variable;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Code that has variables of its own, or quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    /// An edge of a template, or a monitor as an edge of the view of the monitors.
    Edge(TemplateId, u32),
    /// The condition on all moves of a template.
    Provided(TemplateId),
    /// The first values of the variables of a new process.
    Births(TemplateId),
    /// A function.
    Function(FunctionId),
    /// The conditions that a property asks, or a claim makes.
    Conditions,
    /// The first values of global variables.
    Globals,
    /// The arguments of the processes that are there from the start.
    Start,
}

/// The types of what a body has of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyTypes {
    /// Of local variables that are no part of the state.
    pub locals: BTreeMap<u32, Shape<Sort>>,
    /// Of global variables that are none, where no functions share them.
    pub globals: BTreeMap<GlobalId, Shape<Sort>>,
    /// Of the places that are passed to a function.
    pub references: Vec<Shape<Sort>>,
    /// Of the variables of quantifiers, in the order of the text.
    pub binders: Vec<Sort>,
}

/// All that is no part of the state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// Body by body.
    pub bodies: BTreeMap<Body, BodyTypes>,
    /// Global variables that functions share.
    pub scratch: BTreeMap<GlobalId, Shape<Sort>>,
}

/// A body that was begun: what its variables are, and which quantifier comes first in it.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    frame: Rc<Frame>,
    first_binder: usize,
}

impl Typer<'_> {
    /// Notes that a body begins.
    pub(super) fn begin(&mut self, body: Body) {
        let begun = Begun {
            frame: Rc::clone(&self.frame),
            first_binder: self.next_binder(),
        };
        self.begun.push((body, begun));
    }
}

/// The types of temporaries and bound variables that follow from those of the state, for some domains.
pub fn annotate(
    model: &Model,
    observers: Observers,
    domains: &[Domain],
    sorts: &Sorts,
) -> Annotations {
    let candidate = candidate(domains);
    let (sets, moved) = (name_sets(&candidate), candidate.templates());
    let mut typer = Typer::new(model, &sets, &moved);
    declare(&mut typer, sorts);
    loop {
        let before = typer.slots.changes();
        typer.restart();
        let learnt = Judge::default().over_all(&mut typer, observers);
        if learnt.is_err() || typer.slots.changes() == before {
            break;
        }
    }
    typer.slots.close();
    noted(&mut typer, &sorts.kinds)
}

fn candidate(domains: &[Domain]) -> Candidate {
    let mut candidate = Candidate::default();
    for domain in domains {
        match &domain.kind {
            DomainKind::Processes { template, numbers } => candidate.families.push(Family {
                template: *template,
                numbers: numbers.clone(),
            }),
            DomainKind::Names {
                label,
                first,
                size,
                start,
                ..
            } => candidate.names.push(NameSet {
                label: label.clone(),
                first: *first,
                size: *size,
                seeds: Vec::new(),
                unordered: false,
                mixed: *start > 0,
            }),
        }
    }
    candidate
}

/// The parts of the state have the types of the certificate.
fn declare(typer: &mut Typer<'_>, sorts: &Sorts) {
    let state = Rc::clone(&typer.state);
    let mut slots = Vec::new();
    state.map(&mut |slot: &Slot| slots.push(*slot));
    let mut slots = slots.into_iter();
    let model = typer.model;
    let variables = model
        .globals
        .iter()
        .chain(model.runnables().flat_map(|(_, t)| &t.locals));
    let classes = &sorts.classes;
    let shapes = classes
        .globals
        .iter()
        .chain(classes.locals.iter().flatten());
    let mut known: Vec<Option<Sort>> = Vec::new();
    for (variable, shape) in variables.zip(shapes) {
        let lasts = super::pass::outlasts(variable);
        shape.map(&mut |sort| known.push(lasts.then_some(*sort)));
    }
    known.extend(classes.fields.iter().flatten().map(|sort| Some(*sort)));
    let processes = u32::from(typer.sets.processes().is_some());
    for (slot, sort) in slots.by_ref().zip(known) {
        let ty = match sort {
            Some(Sort::Plain) => NameType::Plain,
            Some(Sort::Process(offset)) if processes == 1 => NameType::Name(0, offset),
            Some(Sort::Name(set, offset)) => NameType::Name(set + processes, offset),
            Some(Sort::Channel(class)) => {
                match sorts.kinds.get(class as usize).and_then(|k| k.first()) {
                    Some(kind) => NameType::Channel(*kind),
                    None => continue,
                }
            }
            Some(Sort::Process(_)) | None => continue,
        };
        typer.slots.learn(slot, 0, ty);
    }
}

/// What was learnt of what is no part of the state. Channels are of classes of kinds.
pub(super) fn noted(typer: &mut Typer<'_>, kinds: &[Vec<ChannelKindId>]) -> Annotations {
    let begun = std::mem::take(&mut typer.begun);
    let mut ends: Vec<usize> = begun
        .iter()
        .skip(1)
        .map(|(_, begun)| begun.first_binder)
        .collect();
    ends.push(typer.binders().len());
    let binders = typer.binders().to_vec();
    let sets = typer.sets;
    let state = Rc::clone(&typer.state);
    let slots = &mut typer.slots;
    let mut sort = |slot: &Slot| match slots.resolve(slot.ty()) {
        NameType::Name(set, offset) => name_sort(sets, set, offset),
        NameType::Channel(kind) => {
            let class = kinds.iter().position(|kinds| kinds.contains(&kind));
            class.map_or(Sort::Plain, |class| Sort::Channel(class as u32))
        }
        _ => Sort::Plain,
    };
    let mut annotations = Annotations::default();
    for ((body, begun), end) in begun.into_iter().zip(ends) {
        let frame = &begun.frame;
        let own = !matches!(body, Body::Edge(..) | Body::Function(_));
        let locals = (0..).zip(frame.temporaries.iter().filter(|_| !own));
        let locals = locals.filter_map(|(id, shape)| Some((id, shape.as_ref()?.map(&mut sort))));
        let locals = locals.collect();
        let globals = frame.globals.iter().filter(|_| !own);
        let types = BodyTypes {
            locals,
            globals: globals
                .map(|(id, shape)| (*id, shape.map(&mut sort)))
                .collect(),
            references: frame
                .references
                .iter()
                .map(|shape| shape.map(&mut sort))
                .collect(),
            binders: binders[begun.first_binder..end]
                .iter()
                .map(&mut sort)
                .collect(),
        };
        annotations.bodies.insert(body, types);
    }
    if !typer.model.functions.is_empty() {
        let globals = (0..)
            .map(GlobalId)
            .zip(&typer.model.globals)
            .zip(&state.globals);
        let model = typer.model;
        let is_shared = |variable: &Variable| {
            !super::pass::outlasts(variable) && !makes_channels(model, variable)
        };
        let shared = globals.filter(|((_, variable), _)| is_shared(variable));
        annotations.scratch = shared
            .map(|((id, _), shape)| (id, shape.map(&mut sort)))
            .collect();
    }
    annotations
}
