//! What must be so of a proof and a model as a whole, before single parts are looked at.

use super::judge::FARTHEST;
use super::moves::{members, set_of};
use super::settled;
use super::{Checked, Reject};
use crate::proof::{Body, Moves, Notes, Proof};
use mandala_model::Model;
use mandala_model::ids::ChannelKindId;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::template::Role;
use mandala_model::types::{Initial, Storage, Type, Variable};
use mandala_symmetry::DomainKind;
use mandala_symmetry::sorts::{Classes, Shape, Sort};
use std::collections::BTreeSet;

/// That a proof is about this model: its types have the shapes of the variables, and its domains are sets of small values that do not overlap.
pub(super) fn structure(model: &Model, proof: &Proof) -> Checked<()> {
    let malformed = |holds: bool, what: &str| match holds {
        true => Ok(()),
        false => Err(Reject::whole(what)),
    };
    let fits = has_shape(model, &proof.sorts.classes) && has_shape(model, &proof.values);
    malformed(fits, "its types are those of another model")?;
    malformed(
        proof.full.len() == proof.domains.len(),
        "its domains are not all full or not",
    )?;
    let mut seen = BTreeSet::new();
    let mut names = proof.sorts.names.iter();
    for (number, domain) in proof.domains.iter().enumerate() {
        let small = |name: &Value| name.unsigned_abs() <= FARTHEST as u64;
        let id = set_of(proof, number);
        let known = members(proof, number).is_some_and(|all| {
            all.iter()
                .all(|name| small(name) && seen.insert((id, *name)))
        });
        let known = known
            && match &domain.kind {
                DomainKind::Processes { template, .. } => model
                    .templates
                    .get(template.index())
                    .is_some_and(|t| t.role == Role::Process),
                DomainKind::Names { first, size, .. } => names
                    .next()
                    .is_some_and(|n| (n.first, n.size) == (*first, *size)),
            };
        malformed(known, "its domains are no sets of small values")?;
    }
    malformed(names.next().is_none(), "its types speak of other domains")?;
    let scratch = |variable: &Variable, shape: &Shape<Sort>| {
        let is_scratch = variable.storage == Storage::Scratch && !makes_channels(model, variable);
        let mut plain = true;
        shape.map(&mut |sort| plain &= *sort == Sort::Plain);
        !is_scratch || plain
    };
    let classes = &proof.sorts.classes;
    let mut globals = model.globals.iter().zip(&classes.globals);
    let mut locals = model
        .runnables()
        .zip(&classes.locals)
        .flat_map(|((_, t), shapes)| t.locals.iter().zip(shapes));
    let plain = globals.all(|(v, s)| scratch(v, s)) && locals.all(|(v, s)| scratch(v, s));
    malformed(plain, "what is no part of the state has a type in states")?;
    let kinds = (0..proof.sorts.kinds.len()).all(|class| carries(model, proof, class));
    malformed(kinds, "channels of one class have other messages")?;
    notes_fit(model, proof)
        .ok_or_else(|| Reject::whole("it speaks of variables that are not there"))
}

/// Whether what is said of bodies has the shapes of their variables.
fn notes_fit(model: &Model, proof: &Proof) -> Option<()> {
    let same = |variable: Option<&Variable>, shape: &Shape<Sort>| {
        let variable =
            variable.filter(|v| v.storage == Storage::Scratch && !makes_channels(model, v))?;
        is_of(model, &variable.ty, shape).then_some(())
    };
    let no_functions = model.functions.is_empty();
    let small = |sort: &Sort| match sort {
        Sort::Process(offset) | Sort::Name(_, offset) => offset.unsigned_abs() <= FARTHEST as u64,
        Sort::Plain | Sort::Channel(_) => true,
    };
    let mut all = Vec::new();
    proof.sorts.classes.map(&mut |sort| all.push(*sort));
    all.extend(proof.sorts.rows.iter().map(|row| row.index));
    let own = |notes: &Notes| {
        let locals = notes.locals.values().chain(notes.globals.values());
        let mut found = notes.binders.clone();
        let shapes = locals.chain(&notes.references);
        shapes.for_each(|shape| drop(shape.map(&mut |sort| found.push(*sort))));
        found
    };
    all.extend(proof.bodies.values().flat_map(own));
    let scratch = proof.scratch.values();
    scratch.for_each(|shape| drop(shape.map(&mut |sort| all.push(*sort))));
    all.iter().all(small).then_some(())?;
    for (global, shape) in &proof.scratch {
        same(model.globals.get(global.index()), shape)?;
    }
    for (body, notes) in &proof.bodies {
        let locals: &[Variable] = match body {
            Body::Edge(template, index) => {
                let template = (template.index() < model.runnable_count())
                    .then(|| model.template(*template))?;
                template.edges.get(*index as usize)?;
                &template.locals
            }
            Body::Function(id) => {
                let function = model.functions.get(id.index())?;
                (notes.references.len() == function.references.len()).then_some(())?;
                let count = function.locals.len() as u32;
                notes.locals.keys().copied().eq(0..count).then_some(())?;
                let mut references = function.references.iter().zip(&notes.references);
                references
                    .all(|(v, shape)| is_of(model, &v.ty, shape))
                    .then_some(())?;
                for (variable, shape) in function.locals.iter().zip(notes.locals.values()) {
                    is_of(model, &variable.ty, shape).then_some(())?;
                }
                continue;
            }
            _ => &[],
        };
        (notes.globals.is_empty() || no_functions).then_some(())?;
        for (local, shape) in &notes.locals {
            same(locals.get(*local as usize), shape)?;
        }
        for (global, shape) in &notes.globals {
            same(model.globals.get(global.index()), shape)?;
        }
    }
    Some(())
}

/// Whether the messages of all kinds of a class have one type.
fn carries(model: &Model, proof: &Proof, class: usize) -> bool {
    let Some(messages) = proof.sorts.messages.get(class) else {
        return false;
    };
    let of = |kind: &ChannelKindId| {
        let known = kind.index() < model.channel_kinds.len();
        known && messages.starts_with(&proof.sorts.classes.fields[kind.index()])
    };
    proof.sorts.kinds[class].iter().all(of)
}

fn has_shape<S>(model: &Model, classes: &Classes<S>) -> bool {
    let all = |variables: &[Variable], shapes: &[Shape<S>]| {
        variables.len() == shapes.len()
            && variables
                .iter()
                .zip(shapes)
                .all(|(v, s)| is_of(model, &v.ty, s))
    };
    let locals = classes.locals.len() == model.runnable_count();
    let kinds = classes.fields.len() == model.channel_kinds.len();
    let mut fields = classes.fields.iter().zip(&model.channel_kinds);
    all(&model.globals, &classes.globals)
        && locals
        && model
            .runnables()
            .zip(&classes.locals)
            .all(|((_, t), shapes)| all(&t.locals, shapes))
        && kinds
        && fields.all(|(fields, kind)| fields.len() == kind.fields.len())
}

fn is_of<S>(model: &Model, ty: &Type, shape: &Shape<S>) -> bool {
    match (ty, shape) {
        (Type::Scalar(a), Shape::Cell(_, b)) => a == b,
        (Type::Record(id), Shape::Record(fields)) => {
            let declared = &model.record(*id).fields;
            declared.len() == fields.len()
                && declared
                    .iter()
                    .zip(fields)
                    .all(|(v, s)| is_of(model, &v.ty, s))
        }
        (
            Type::Array {
                element: ty,
                length: a,
            },
            Shape::Array {
                element, length: b, ..
            },
        ) => a == b && is_of(model, ty, element),
        _ => false,
    }
}

/// What must be so of the model as a whole: no priorities, no observers of messages; nobody ends who made channels.
pub(super) fn whole(model: &Model, observers: Observers) -> Checked<()> {
    if model.prioritised {
        return Err(Reject::whole("there are priorities"));
    }
    if let Some(events) = observers.events {
        return Err(Reject::at(
            model.template(events).span,
            "no rule is about observers of messages",
        ));
    }
    for template in model.templates.iter().filter(|t| t.role == Role::Process) {
        if template.locals.iter().any(|v| makes_channels(model, v))
            && let Some(end) = settled::end(template)
        {
            return Err(Reject::at(end, "a process that made channels may end here"));
        }
    }
    Ok(())
}

/// That everything that is claimed has a case.
pub(super) fn covers(model: &Model, proof: &Proof) -> Checked<()> {
    let is_all = |domain: usize| {
        proof
            .cases
            .iter()
            .any(|case| matches!(&case.moves, Moves::All(all) if all.contains(&domain)))
    };
    let is_one = |wanted: &mandala_symmetry::Renaming| {
        proof
            .cases
            .iter()
            .any(|case| matches!(&case.moves, Moves::One(one) if one == wanted))
    };
    for (domain, full) in proof.full.iter().enumerate() {
        let claimed = *full && !is_unordered(model, proof, domain);
        let exchanged = || proof.exchanges(domain).iter().all(is_one);
        if claimed && !is_all(domain) && !exchanged() {
            return Err(Reject::whole("nothing is said of a domain that is claimed"));
        }
    }
    match proof.renamings.iter().all(is_one) {
        true => Ok(()),
        false => Err(Reject::whole(
            "nothing is said of a renaming that is claimed",
        )),
    }
}

/// Whether the language has no order among the names of a domain: then there is nothing to prove.
pub(crate) fn is_unordered(model: &Model, proof: &Proof, domain: usize) -> bool {
    let mut sets = model.scalarsets.iter().filter(|set| set.unordered);
    match &proof.domains[domain].kind {
        DomainKind::Names { label, first, size } => sets.any(|set| {
            let Some(Some(number)) = set_of(proof, domain) else {
                return false;
            };
            let classes = &proof.sorts.classes;
            let mut found = 0;
            classes.map(&mut |sort| found += usize::from(is_name_of(*sort, number)));
            // All that speaks of them are the arrays that the language says.
            let uses = set
                .uses
                .iter()
                .flat_map(|used| classes.used(model, &used.kind));
            let uses: BTreeSet<*const Sort> = uses
                .filter(|sort| is_name_of(**sort, number))
                .map(std::ptr::from_ref)
                .collect();
            (&set.name, set.first, set.size) == (label, *first, *size) && found == uses.len()
        }),
        DomainKind::Processes { .. } => false,
    }
}

fn is_name_of(sort: Sort, set: u32) -> bool {
    matches!(sort, Sort::Name(own, _) if own == set)
}

/// Whether channels are made for a variable or a part of it.
pub(super) fn makes_channels(model: &Model, variable: &Variable) -> bool {
    let mut ty = &variable.ty;
    while let Type::Array { element, .. } = ty {
        ty = element;
    }
    match (&variable.initial, ty) {
        (Initial::NewChannel(_), _) => true,
        (_, Type::Record(id)) => model
            .record(*id)
            .fields
            .iter()
            .any(|f| makes_channels(model, f)),
        _ => false,
    }
}
