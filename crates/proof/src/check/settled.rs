//! When a symmetry begins: at some locations of some templates, once everybody is there.
//!
//! A state is settled if every instance of these templates is at one of its locations. It stays so: the edges from these locations lead to others of them only, and no
//! instance is made that would begin elsewhere. So what is done elsewhere need not be symmetric.

use super::moves::Mover;
use super::{Checked, Reject};
use crate::proof::Proof;
use mandala_model::Model;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Effect, Step, Template};
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
        let mut closed = BTreeSet::new();
        for (number, domain) in proof.domains.iter().enumerate() {
            // Who is there is a condition of all domains.
            closed.extend(domain.residents.iter().map(|(template, _)| *template));
            if !mover.touches(proof, number) {
                continue;
            }
            for (template, locations) in &domain.settled {
                let known = late.entry(*template).or_insert_with(|| locations.clone());
                known.retain(|location| locations.contains(location));
            }
        }
        for (id, locations) in &late {
            let template = model
                .templates
                .get(id.index())
                .ok_or_else(|| Reject::whole("there is no such template"))?;
            let mut edges = template
                .edges
                .iter()
                .filter(|edge| !is_never_taken(&edge.step));
            let leaves = edges
                .find(|edge| locations.contains(&edge.source) && !locations.contains(&edge.target));
            if let Some(edge) = leaves {
                return Err(Reject::at(
                    edge.span,
                    "a process may leave the locations at which the symmetry has begun",
                ));
            }
            if !locations.contains(&template.entry) {
                closed.insert(*id);
            }
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
        let late = self
            .late
            .get(&template)
            .is_none_or(|late| late.contains(&location));
        late && self
            .reached
            .get(template.index())
            .is_none_or(|reached| reached.contains(&location))
    }

    /// Whether an instance of a template is made when the symmetry has begun.
    pub(super) fn is_made(&self, made: TemplateId) -> bool {
        let mut edges = self
            .model
            .runnables()
            .flat_map(|(id, t)| t.edges.iter().map(move |edge| (id, edge)));
        let in_functions = self
            .model
            .function_nodes()
            .flat_map(|node| &node.choices)
            .any(|c| spawns(&c.step).contains(&made));
        in_functions
            || edges.any(|(id, edge)| {
                self.is_reached(id, edge.source) && spawns(&edge.step).contains(&made)
            })
    }

    /// Whether a step makes a process that must not be made any more.
    pub(super) fn forbids(&self, step: &Step) -> bool {
        let in_functions = || {
            self.model
                .function_nodes()
                .flat_map(|node| &node.choices)
                .any(|c| !spawns(&c.step).is_disjoint(&self.closed))
        };
        !spawns(step).is_disjoint(&self.closed) || (!self.closed.is_empty() && in_functions())
    }
}

/// The templates that there can be processes of.
pub(super) fn populated(model: &Model) -> BTreeSet<TemplateId> {
    let start = model.start.iter().map(|start| start.template);
    start.chain(spawned(model)).collect()
}

/// The templates of which processes are made.
pub(super) fn spawned(model: &Model) -> BTreeSet<TemplateId> {
    let edges = model
        .runnables()
        .flat_map(|(_, template)| &template.edges)
        .map(|edge| &edge.step);
    let nodes = model
        .function_nodes()
        .flat_map(|node| &node.choices)
        .map(|choice| &choice.step);
    edges.chain(nodes).flat_map(spawns).collect()
}

/// The templates that a step makes processes of.
fn spawns(step: &Step) -> BTreeSet<TemplateId> {
    let of = |effects: &[Effect]| -> Vec<TemplateId> {
        let made = effects.iter().filter_map(|effect| match effect {
            Effect::Spawn { template, .. } => Some(*template),
            _ => None,
        });
        made.collect()
    };
    match step {
        Step::Guarded { effects, .. } => of(effects).into_iter().collect(),
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
        for (_, edge) in template.edges_from(location) {
            if !is_never_taken(&edge.step) && seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    seen
}

/// Where a process of a template may end, if it may.
pub(super) fn end(template: &Template) -> Option<Span> {
    let reached = reached(template);
    let mut ends = template.edges.iter().filter(|edge| edge.step == Step::Exit);
    ends.find(|edge| reached.contains(&edge.source))
        .map(|edge| edge.span)
}
