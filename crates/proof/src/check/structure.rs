//! The requirements on a proof and a model as a whole, before single parts are checked.

use super::moves::{FARTHEST, members, set_of};
use super::variables::{bare, slots};
use super::{Checked, Reject, settled};
use crate::proof::{Body, Moves, Notes, Proof};
use mandala_model::Model;
use mandala_model::ids::ChannelKindId;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::template::Role;
use mandala_model::types::{Initial, Storage, Type, Variable};
use mandala_symmetry::sorts::{Classes, Shape, Sort};
use mandala_symmetry::{DomainKind, Renaming};
use std::collections::BTreeSet;

/// That a proof is about this model: its types have the shapes of the variables, and its domains are sets of small values that do not overlap.
pub(super) fn structure(model: &Model, proof: &Proof) -> Checked<()> {
    let need = |holds: bool, message| holds.then_some(()).ok_or(Reject::whole(message));
    let classes = &proof.sorts.classes;
    let shapes = Classes::of(model, || ());
    let fits = classes.map(&mut |_| ()) == shapes && proof.values.map(&mut |_| ()) == shapes;
    need(fits, "its types are those of another model")?;
    let fits = proof.full.len() == proof.domains.len();
    need(fits, "its domains are not all full or not")?;
    let (mut seen, mut used) = (BTreeSet::new(), BTreeSet::new());
    for (number, domain) in proof.domains.iter().enumerate() {
        let id = set_of(proof, number);
        let mut new = |name| is_small(name) && seen.insert((id, name));
        let fits = members(proof, number).is_some_and(|all| all.into_iter().all(&mut new));
        let known = match &domain.kind {
            DomainKind::Processes { template, .. } => {
                let template = model.templates.get(template.index());
                template.is_some_and(|template| template.role == Role::Process)
            }
            DomainKind::Names {
                first,
                size,
                set,
                start,
                ..
            } => {
                used.insert(*set);
                let own = proof.sorts.names.get(*set as usize);
                own.is_some_and(|own| {
                    let place = own.first.checked_add(Value::from(*start));
                    let end = start.checked_add(*size);
                    place == Some(*first) && end.is_some_and(|end| end <= own.size)
                })
            }
        };
        need(fits && known, "its domains are no sets of small values")?;
    }
    let all = used.len() == proof.sorts.names.len();
    need(all, "its types speak of other domains")?;
    let mut sorts: Vec<Sort> = proof.sorts.rows.iter().map(|row| row.index).collect();
    classes.map(&mut |sort| sorts.push(*sort));
    let notes = proof.bodies.values();
    let temporaries = notes.clone().flat_map(|notes| {
        let own = notes.locals.values().chain(notes.globals.values());
        own.chain(&notes.references)
    });
    let temporaries = temporaries.chain(proof.scratch.values()).flat_map(slots);
    sorts.extend(temporaries.map(|slot| slot.sort()));
    sorts.extend(notes.flat_map(|notes| &notes.binders));
    let small = |sort: &Sort| match sort {
        Sort::Process(offset) | Sort::Name(_, offset) => is_small(*offset),
        Sort::Plain | Sort::Channel(_) => true,
    };
    need(sorts.iter().all(small), "its values are too far from names")?;
    let globals = model.globals.iter().zip(&classes.globals);
    let locals = model.runnables().zip(&classes.locals);
    let locals = locals.flat_map(|((_, template), shapes)| template.locals.iter().zip(shapes));
    let plain = |shape| slots(shape).iter().all(|slot| slot.sort() == Sort::Plain);
    let fits = globals
        .chain(locals)
        .all(|(v, shape)| !is_scratch(model, v) || plain(shape));
    need(fits, "what is no part of the state has a type in states")?;
    let kinds = (0..proof.sorts.kinds.len()).all(|class| carries(model, proof, class));
    need(kinds, "channels of one class have other messages")?;
    let mut scratch = proof.scratch.iter();
    let fits = scratch.all(|(id, shape)| is_for(model, model.globals.get(id.index()), shape));
    let mut bodies = proof.bodies.iter();
    let fits = fits && bodies.all(|(body, notes)| notes_fit(model, *body, notes));
    need(fits, "it speaks of variables that are not there")
}

fn is_small(value: i64) -> bool {
    value.unsigned_abs() <= FARTHEST as u64
}

/// Whether a variable is no part of the state.
fn is_scratch(model: &Model, variable: &Variable) -> bool {
    variable.storage == Storage::Scratch && !makes_channels(model, variable)
}

fn is_of(model: &Model, variable: &Variable, shape: &Shape<Sort>) -> bool {
    Shape::of(model, &variable.ty, &mut || ()) == bare(shape)
}

/// Whether a temporary has types in its shape.
fn is_for(model: &Model, variable: Option<&Variable>, shape: &Shape<Sort>) -> bool {
    variable.is_some_and(|variable| is_scratch(model, variable) && is_of(model, variable, shape))
}

/// Whether what is said of a body has the shapes of its variables.
fn notes_fit(model: &Model, body: Body, notes: &Notes) -> bool {
    if let Body::Function(id) = body {
        let Some(function) = model.functions.get(id.index()) else {
            return false;
        };
        let fits = |(variable, shape)| is_of(model, variable, shape);
        return notes.references.len() == function.references.len()
            && notes
                .locals
                .keys()
                .copied()
                .eq(0..function.locals.len() as u32)
            && function.references.iter().zip(&notes.references).all(fits)
            && function.locals.iter().zip(notes.locals.values()).all(fits);
    }
    let locals: &[Variable] = match body {
        Body::Edge(template, index) if template.index() < model.runnable_count() => {
            let template = model.template(template);
            let known = template.edges.get(index as usize);
            known.map_or(&[], |_| &template.locals[..])
        }
        _ => &[],
    };
    let mut own = notes.locals.iter();
    let mut globals = notes.globals.iter();
    own.all(|(id, shape)| is_for(model, locals.get(*id as usize), shape))
        && globals.all(|(id, shape)| is_for(model, model.globals.get(id.index()), shape))
        && (notes.globals.is_empty() || model.functions.is_empty())
}

/// Whether the messages of all kinds of a class have one type.
fn carries(model: &Model, proof: &Proof, class: usize) -> bool {
    let messages = proof.sorts.messages.get(class);
    let of = |kind: &ChannelKindId| {
        let own = proof.sorts.classes.fields.get(kind.index());
        let same = messages
            .zip(own)
            .is_some_and(|(all, own)| all.starts_with(own));
        same && kind.index() < model.channel_kinds.len()
    };
    messages.is_some() && proof.sorts.kinds[class].iter().all(of)
}

/// What must be so of the model as a whole: no priorities, no observers of messages; nobody ends who made channels.
pub(super) fn whole(model: &Model, observers: Observers) -> Checked<()> {
    if model.prioritised {
        return Err(Reject::whole("there are priorities"));
    }
    if let Some(events) = observers.events {
        let message = "no rule is about observers of messages";
        return Err(Reject::at(model.template(events).span, message));
    }
    for template in model.templates.iter().filter(|t| t.role == Role::Process) {
        if template
            .locals
            .iter()
            .any(|variable| makes_channels(model, variable))
        {
            settled::stays(template, "a process that made channels may end here")?;
        }
    }
    Ok(())
}

/// That everything that is claimed has a case.
pub(super) fn covers(model: &Model, proof: &Proof) -> Checked<()> {
    let has = |test: &dyn Fn(&Moves) -> bool| proof.cases.iter().any(|case| test(&case.moves));
    let is_all = |domain| has(&|moves| matches!(moves, Moves::All(all) if all.contains(&domain)));
    let is_one = |one: &Renaming| has(&|moves| matches!(moves, Moves::One(own) if own == one));
    let is_full = |domain: usize| {
        is_unordered(model, proof, domain)
            || is_all(domain)
            || proof.exchanges(domain).iter().all(is_one)
    };
    let claimed = (0..proof.domains.len()).filter(|domain| proof.full[*domain]);
    match claimed.into_iter().all(is_full) && proof.renamings.iter().all(is_one) {
        true => Ok(()),
        false => Err(Reject::whole(
            "nothing is said of something that is claimed",
        )),
    }
}

/// Whether the language has no order among the names of a domain: then there is nothing to prove.
pub(crate) fn is_unordered(model: &Model, proof: &Proof, domain: usize) -> bool {
    let DomainKind::Names {
        label, first, size, ..
    } = &proof.domains[domain].kind
    else {
        return false;
    };
    let number = set_of(proof, domain).flatten();
    let is_own = |sort: &Sort| matches!(sort, Sort::Name(own, _) if Some(*own) == number);
    let classes = &proof.sorts.classes;
    let mut found = 0;
    classes.map(&mut |sort| found += usize::from(is_own(sort)));
    // All that speaks of them are the arrays that the language says.
    let mut sets = model.scalarsets.iter().filter(|set| set.unordered);
    sets.any(|set| {
        let uses = set
            .uses
            .iter()
            .flat_map(|used| classes.used(model, &used.kind));
        let uses = uses.filter(|sort| is_own(sort)).map(std::ptr::from_ref);
        let uses: BTreeSet<*const Sort> = uses.collect();
        (&set.name, set.first, set.size) == (label, *first, *size) && found == uses.len()
    })
}

/// Whether channels are made for a variable or a part of it.
pub(super) fn makes_channels(model: &Model, variable: &Variable) -> bool {
    let mut ty = &variable.ty;
    while let Type::Array { element, .. } = ty {
        ty = element;
    }
    let in_fields = || match ty {
        Type::Record(id) => {
            let mut fields = model.record(*id).fields.iter();
            fields.any(|field| makes_channels(model, field))
        }
        _ => false,
    };
    matches!(variable.initial, Initial::NewChannel(_)) || in_fields()
}
