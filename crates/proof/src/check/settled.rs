//! The point from which a symmetry holds: some locations of some templates, once all processes exist.
//!
//! A state is settled if every instance of these templates is at one of its locations. It stays so: the edges from these locations lead to others of them only, and no
//! instance is made that would begin elsewhere. So what is done elsewhere need not be symmetric.

use super::moves::Mover;
use super::{Checked, Reject};
use crate::proof::Proof;
use mandala_model::Model;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::template::{Edge, Effect, Step, Template};
use std::collections::{BTreeMap, BTreeSet};

/// When the symmetry of a case has begun.
pub(crate) struct Settled<'p> {
    model: &'p Model,
    /// The locations that the instances of a template are at.
    late: BTreeMap<TemplateId, BTreeSet<LocationId>>,
    /// The templates of which no process may be made any more.
    closed: BTreeSet<TemplateId>,
    /// For each template, the locations that are reached at all.
    reached: Vec<BTreeSet<LocationId>>,
}

impl<'p> Settled<'p> {
    /// The condition of all domains that are touched.
    pub(crate) fn of(model: &'p Model, proof: &Proof, mover: &Mover) -> Checked<Self> {
        let mut late: BTreeMap<TemplateId, BTreeSet<LocationId>> = BTreeMap::new();
        for (template, locations) in mover.touched(proof).flat_map(|domain| &domain.settled) {
            let known = late.entry(*template).or_insert_with(|| locations.clone());
            known.retain(|location| locations.contains(location));
        }
        // Who is there is a condition of all domains.
        let residents = proof.domains.iter().flat_map(|domain| &domain.residents);
        let mut closed: BTreeSet<TemplateId> = residents.map(|(template, _)| *template).collect();
        for (id, locations) in &late {
            let template = model.templates.get(id.index());
            let template = template.ok_or(Reject::whole("there is no such template"))?;
            let inside = |location: &LocationId| locations.contains(location);
            let leaves = |edge: &&Edge| {
                inside(&edge.source) && !inside(&edge.target) && !is_never_taken(&edge.step)
            };
            if let Some(edge) = template.edges.iter().find(leaves) {
                let message = "a process may leave the locations at which the symmetry has begun";
                return Err(Reject::at(edge.span, message));
            }
            closed.extend((!inside(&template.entry)).then_some(*id));
        }
        let reached = model.templates.iter().map(reached).collect();
        Ok(Settled {
            model,
            late,
            closed,
            reached,
        })
    }

    /// Whether somebody may be at a location when the symmetry has begun.
    pub(crate) fn is_reached(&self, template: TemplateId, location: LocationId) -> bool {
        let late = self.late.get(&template);
        let reached = self.reached.get(template.index());
        late.is_none_or(|late| late.contains(&location))
            && reached.is_none_or(|reached| reached.contains(&location))
    }

    /// Whether an instance of a template is made when the symmetry has begun.
    pub(super) fn is_made(&self, made: TemplateId) -> bool {
        let edges = |(id, template): (TemplateId, &'p Template)| {
            let edges = template.edges.iter();
            edges.filter(move |edge| self.is_reached(id, edge.source))
        };
        let mut edges = self.model.runnables().flat_map(edges);
        in_functions(self.model).contains(&made)
            || edges.any(|edge| spawns(&edge.step).contains(&made))
    }

    /// Whether a step makes a process that must not be made any more.
    pub(super) fn forbids(&self, step: &Step) -> bool {
        let made = |made: &TemplateId| self.closed.contains(made);
        !self.closed.is_empty()
            && (spawns(step).iter().any(made) || in_functions(self.model).iter().any(made))
    }
}

/// The templates that there can be processes of.
pub(super) fn populated(model: &Model) -> BTreeSet<TemplateId> {
    let start = model.start.iter().map(|start| start.template);
    start.chain(spawned(model)).collect()
}

/// The templates of which processes are made.
pub(super) fn spawned(model: &Model) -> BTreeSet<TemplateId> {
    let edges = model.runnables().flat_map(|(_, template)| &template.edges);
    let made = edges.flat_map(|edge| spawns(&edge.step));
    made.chain(in_functions(model)).collect()
}

/// The templates that functions make processes of.
fn in_functions(model: &Model) -> BTreeSet<TemplateId> {
    let choices = model.function_nodes().flat_map(|node| &node.choices);
    choices.flat_map(|choice| spawns(&choice.step)).collect()
}

/// The templates that a step makes processes of.
fn spawns(step: &Step) -> BTreeSet<TemplateId> {
    let of = |effect: &Effect| match effect {
        Effect::Spawn { template, .. } => Some(*template),
        _ => None,
    };
    match step {
        Step::Guarded { effects, .. } => effects.iter().filter_map(of).collect(),
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|node| &node.choices);
            choices.flat_map(|choice| spawns(&choice.step)).collect()
        }
        _ => BTreeSet::new(),
    }
}

fn is_never_taken(step: &Step) -> bool {
    matches!(step, Step::Guarded { guard, .. } if guard.as_constant() == Some(0))
}

/// The locations that a process can get to.
fn reached(template: &Template) -> BTreeSet<LocationId> {
    let mut seen = BTreeSet::from([template.entry]);
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        let edges = template.edges_from(location).map(|(_, edge)| edge);
        let targets = edges
            .filter(|edge| !is_never_taken(&edge.step))
            .map(|edge| edge.target);
        open.extend(targets.filter(|target| seen.insert(*target)));
    }
    seen
}

/// That no process of a template ends.
pub(super) fn stays(template: &Template, message: &str) -> Checked<()> {
    let reached = reached(template);
    let ends = |edge: &&Edge| edge.step == Step::Exit && reached.contains(&edge.source);
    match template.edges.iter().find(ends) {
        Some(edge) => Err(Reject::at(edge.span, message)),
        None => Ok(()),
    }
}
