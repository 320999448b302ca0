//! A state in which a process has nothing to do but steps of its own is passed through.
//!
//! Call a step *local* if it reads and writes nothing but cells that only its own process ever reads or writes (no
//! channels, no questions about other processes, no birth and no end) and cannot fail (`failing`). If all edges out of a location are local, then a process that has
//! arrived there can go on at once, and nobody can tell: the edges that lead there keep control, as inside `atomic`, and
//! the state in between is not stored.
//!
//! # Why verdicts carry over
//!
//! Let process `p` be at such a location `m` in a state `s`, with a step that it can make. This is the textbook
//! case of an ample set that consists of the steps of one process, condition by condition:
//!
//! 0. *Something is left.* If `p` cannot make any step in `s`, control is lost and `s` is an ordinary state, which is stored. As
//!    only `p` could change that, it will stay blocked for ever, so deadlocks at `m` are found there.
//! 1. *Others do not matter.* As long as `p` stays at `m`, no step of others reads or writes what the steps of `p` at `m` read or
//!    write. So others neither enable nor disable these steps, and doing them before or after steps of others leads to the same state.
//!    `p` has no receive at `m`, so nobody can meet it there. There are three ways in which where `p` is could
//!    matter to others, and each is ruled out: questions about it (`P@l`, `pc_value`, `enabled`, priorities, `np_`, `_last`), for which the
//!    whole model is left alone; the steps of an observer, which sees every state; and an `else` or `unless` next
//!    to a send at a rendezvous, which is possible as long as nobody is ready to receive. If the model has one of these,
//!    no step counts as local that leads to a location where `p` may receive at a rendezvous.
//!    A `timeout` of somebody else is false in `s`, as `p` can move.
//! 2. *Nothing is missed in between.* What is wrong in a step of somebody else, a failed assertion or a fault, is wrong as well after the
//!    steps of `p`, which change nothing that it reads; an assertion in a local step fails on the way, and the run goes on after it.
//!    If a local step could fail, nobody would come to try the steps of others behind it.
//! 3. *Nobody waits for ever.* No circle of edges keeps control, unless it did in the user's model: from every state that is passed
//!    through a few steps of `p` lead to one that is stored, and there everybody's steps are tried.
//!
//! So a violation of safety or a deadlock is reachable in the rewritten model iff it is in the user's.
//! By the same reasoning all locations and statements that are reached in the one are reached in the other.
//!
//! # Circles
//!
//! Locations are looked at in the order of the text, and one is added only if no circle of edges that keep control comes about (`circles`). This does not
//! depend on the numbers of processes.
//!
//! # Symmetry
//!
//! A certificate for a model holds for the model in which steps are merged. A renaming maps a step of process `p` from
//! location `l` to `m` to one of its image from `l` to `m`. If `m` is passed through, all edges that lead there keep control, and if it
//! is not, all are as they were. So a chain of steps that passes through is mapped to such a chain, step by step. For the same
//! reason what a search with symmetry says about locations that were reached stays right.

use crate::circles::Circles;
use crate::failing::Failing;
use crate::reverify::{RewriteDefect, reverify};
use crate::slots::Uses;
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::footprint::{Aspect, Footprint, Footprints};
use mandala_model::ids::{EdgeId, LocationId, TemplateId};
use mandala_model::step::Observers;
use mandala_model::template::{Control, Effect, Role, Step, Template};
use mandala_model::{Model, UncheckedModel};
use std::collections::BTreeSet;

/// A model in which some states are passed through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The model.
    pub model: Model,
    /// How many locations are passed through that were not.
    pub locations: usize,
}

/// The model in which processes go on at once where they have only local steps, or nothing if there is no
/// such place or it could be observed.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn merge_local_steps(
    model: &Model,
    observers: Observers,
) -> Result<Option<Merged>, RewriteDefect> {
    let watched = observers != Observers::default() || model.is_system_of_rules();
    if watched || is_observant(model) {
        return Ok(None);
    }
    let look = Look {
        model,
        uses: Uses::of(model, observers),
        footprints: Footprints::of(model),
    };
    let wary = look.is_absence_noticed();
    let mut rewritten = UncheckedModel::clone(model);
    let mut locations = 0;
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        if template.role == Role::Process && template.provided.is_none() {
            let passed = look.passed(id, template, wary);
            locations += hold(&mut rewritten.templates[id.index()], &passed);
        }
    }
    if rewritten == **model {
        return Ok(None);
    }
    let model = reverify("the merging of local steps", rewritten)?;
    Ok(Some(Merged { model, locations }))
}

/// Whether some process may ask where another is or what it can do, or the order of steps may show in another way.
fn is_observant(model: &Model) -> bool {
    let mut asks = model.prioritised || model.tracks_last_mover;
    let processes = model.templates.iter();
    for template in processes.filter(|t| t.role == Role::Process) {
        let mut copy = template.clone();
        copy.each_expr_mut(&mut |e| asks |= is_question(e));
        asks |= template.deterministic;
        let effects = template
            .edges
            .iter()
            .flat_map(|e| crate::visits::effects(&e.step));
        asks |= effects.into_iter().any(concerns_others);
    }
    asks
}

fn is_question(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::LastMover
        | ExprKind::NonProgress
        | ExprKind::Accepting
        | ExprKind::Enabled(_)
        | ExprKind::LocationNumber(_)
        | ExprKind::Priority(_)
        | ExprKind::At { .. } => true,
        ExprKind::Read(place) => is_foreign(place),
        _ => false,
    }
}

fn is_foreign(place: &Place) -> bool {
    matches!(place.root, Root::Remote { .. } | Root::OwnPriority)
}

fn concerns_others(effect: &Effect) -> bool {
    let targets = crate::visits::effect_targets(effect);
    matches!(effect, Effect::SetPriority { .. }) || targets.into_iter().any(is_foreign)
}

/// What has to be known to tell local steps.
struct Look<'m> {
    model: &'m Model,
    uses: Uses,
    footprints: Footprints,
}

impl Look<'_> {
    fn footprint(&self, template: TemplateId, index: u32) -> &Footprint {
        self.footprints.taking(EdgeId { template, index })
    }

    /// Whether somebody can do something only as long as nobody is ready to meet.
    fn is_absence_noticed(&self) -> bool {
        let templates = (0..).map(TemplateId).zip(&self.model.templates);
        let mut locations =
            templates.flat_map(|(id, t)| t.locations.iter().map(move |l| (id, t, l)));
        locations.any(|(id, template, location)| {
            let edges = || location.edges.clone();
            let edge = |index: u32| &template.edges[index as usize];
            let offers = |index: u32| {
                let is_send = matches!(edge(index).step, Step::Send { .. });
                is_send && self.footprint(id, index).meets
            };
            let gives_way = |index: u32| edge(index).step == Step::Else || edge(index).escape != 0;
            edges().any(offers) && edges().any(gives_way)
        })
    }

    /// The locations that can be passed through.
    fn passed(&self, id: TemplateId, template: &Template, wary: bool) -> BTreeSet<LocationId> {
        let mut circles = Circles::new(template);
        let locations = (0..template.locations.len()).map(LocationId::from);
        let local = locations.filter(|location| {
            let edges = template.locations[location.index()].edges.clone();
            !edges.is_empty() && { edges }.all(|index| self.is_local(id, index, wary))
        });
        local.filter(|location| circles.pass(*location)).collect()
    }

    fn is_local(&self, id: TemplateId, index: u32, wary: bool) -> bool {
        let template = self.model.template(id);
        let edge = &template.edges[index as usize];
        let plain = matches!(edge.step, Step::Guarded { .. } | Step::Else) && edge.escape == 0;
        let model = self.model;
        let safe = Failing { model, template }.never(&edge.step);
        plain && safe && self.is_inward(id, index) && !(wary && self.may_be_met(id, edge.target))
    }

    /// Whether the edge reads and writes nothing that others could read or write.
    fn is_inward(&self, id: TemplateId, index: u32) -> bool {
        let footprint = self.footprint(id, index);
        let parts = [&footprint.reads, &footprint.writes];
        let own = parts.iter().all(|parts| {
            let mut globals = parts.globals.iter();
            let mut locals = parts.locals.iter();
            globals.all(|(global, _)| self.uses.is_private(id, global))
                && locals.all(|(local, _)| self.uses.is_unshared(id, local))
                && parts.remote.is_empty()
                && parts.channels == Default::default()
        });
        let moves_only = footprint
            .writes
            .aspects
            .iter()
            .all(|a| *a == Aspect::Locations);
        let alone = footprint.spawns.is_empty() && !footprint.exits && !footprint.meets;
        own && moves_only && alone && footprint.reads.aspects.is_empty()
    }

    /// Whether a process that is there may receive at a rendezvous.
    fn may_be_met(&self, id: TemplateId, location: LocationId) -> bool {
        let template = self.model.template(id);
        let mut edges = template.edges_from(location);
        edges.any(|(index, edge)| {
            matches!(edge.step, Step::Receive { .. }) && self.footprint(id, index).meets
        })
    }
}

/// Lets the edges that lead to these locations keep control. Where a send turns out to be a rendezvous, that has no
/// effect: then the receiver's edge decides. Says to how many locations that is new.
fn hold(template: &mut Template, passed: &BTreeSet<LocationId>) -> usize {
    let mut changed = BTreeSet::new();
    let edges = template.edges.iter_mut().filter(|e| e.step != Step::Exit);
    for edge in edges.filter(|e| passed.contains(&e.target)) {
        if edge.control == Control::Release {
            changed.insert(edge.target);
        }
        edge.control = Control::Hold;
    }
    changed.len()
}
