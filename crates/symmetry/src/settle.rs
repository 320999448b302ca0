//! The point of a run from which a symmetry holds.
//!
//! A process that starts the others treats them one by one: `run Client(1); run Client(2)` tells 1 from
//! 2. But it does so once. If all edges that break the symmetry are behind, and cannot come again,
//! the rest is symmetric.
//!
//! For each template with edges that break the symmetry (*faults*), the *late* locations are those
//! from which none of them can be reached. A state is *settled* if every instance of these templates is late. It
//! stays settled: late locations lead to late ones only, and new instances of these templates are not
//! made any more, because an edge that makes one counts as a fault, too.

use crate::breach::Breach;
use crate::locations::{is_never_taken, spawns};
use mandala_model::Model;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::model::StartProcess;
use mandala_model::template::{Role, Template};
use std::collections::{BTreeMap, BTreeSet};

/// The locations of each template at which the symmetry breaks, and why.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(BTreeMap<TemplateId, BTreeMap<LocationId, Breach>>);

/// The templates that matter, with their late locations.
pub(crate) type Settled = Vec<(TemplateId, BTreeSet<LocationId>)>;

impl Faults {
    /// Adds a fault; true if there was none at that location.
    pub fn add(&mut self, template: TemplateId, location: LocationId, breach: Breach) -> bool {
        let at = self.0.entry(template).or_default();
        let new = !at.contains_key(&location);
        at.entry(location).or_insert(breach);
        new
    }

    /// Making an instance of the template is a fault.
    pub fn add_births(&mut self, model: &Model, made: TemplateId, breach: &Breach) -> bool {
        let mut added = false;
        for (template, location) in spawns(model, made) {
            added |= self.add(template, location, breach.clone());
        }
        added
    }

    /// The condition under which none of the faults matters any more.
    ///
    /// # Errors
    ///
    /// The breaches, if the time before would never end, or might as well be most of the time.
    pub fn settle(mut self, model: &Model) -> Result<Settled, Vec<Breach>> {
        self.close(model);
        let mut settled = Vec::new();
        let mut breaches = Vec::new();
        for (id, faults) in &self.0 {
            let template = model.template(*id);
            if !is_within_reach(template, faults) {
                continue;
            }
            let late = late(template, faults);
            if late.is_empty() || !is_start_up(model, *id, &late) {
                breaches.extend(faults.values().cloned());
            } else {
                settled.push((*id, late));
            }
        }
        if breaches.is_empty() {
            Ok(settled)
        } else {
            Err(breaches)
        }
    }

    /// An instance of a template with faults that are within reach must not be made later.
    fn close(&mut self, model: &Model) {
        loop {
            let faulty = self.0.iter().filter_map(|(id, faults)| {
                let breach = faults.values().next()?;
                is_within_reach(model.template(*id), faults).then(|| (*id, breach.clone()))
            });
            let faulty: Vec<_> = faulty.collect();
            let mut added = false;
            for (template, breach) in faulty {
                added |= self.add_births(model, template, &breach);
            }
            if !added {
                return;
            }
        }
    }
}

fn is_within_reach(template: &Template, faults: &BTreeMap<LocationId, Breach>) -> bool {
    let reachable = reachable(template, [template.entry]);
    faults.keys().any(|l| reachable.contains(l))
}

/// Whether nobody is at a location in states that are settled under some conditions, whatever the model does.
pub(crate) fn is_over(
    model: &Model,
    settled: &[&(TemplateId, BTreeSet<LocationId>)],
    (id, location): (TemplateId, LocationId),
) -> bool {
    let template = model.template(id);
    let late =
        |(t, late): &(TemplateId, BTreeSet<LocationId>)| *t != id || late.contains(&location);
    !settled.iter().all(|condition| late(condition))
        || !reachable(template, [template.entry]).contains(&location)
}

/// The locations that a process can get to from some.
fn reachable(
    template: &Template,
    from: impl IntoIterator<Item = LocationId>,
) -> BTreeSet<LocationId> {
    let mut seen: BTreeSet<LocationId> = from.into_iter().collect();
    let mut open: Vec<LocationId> = seen.iter().copied().collect();
    while let Some(location) = open.pop() {
        for (_, edge) in template.edges_from(location) {
            if !is_never_taken(&edge.step) && seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    seen
}

/// The locations from which a process can get to one of some.
pub(crate) fn leading_to(template: &Template, to: &BTreeSet<LocationId>) -> BTreeSet<LocationId> {
    let mut sources: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    for edge in &template.edges {
        if !is_never_taken(&edge.step) {
            sources.entry(edge.target).or_default().push(edge.source);
        }
    }
    let mut seen = to.clone();
    let mut open: Vec<LocationId> = to.iter().copied().collect();
    while let Some(location) = open.pop() {
        for source in sources.get(&location).into_iter().flatten() {
            if seen.insert(*source) {
                open.push(*source);
            }
        }
    }
    seen
}

/// The locations that a process can get to and from which it cannot get to a fault.
fn late(template: &Template, faults: &BTreeMap<LocationId, Breach>) -> BTreeSet<LocationId> {
    if template.role != Role::Process {
        return BTreeSet::new();
    }
    let early = leading_to(template, &faults.keys().copied().collect());
    let mut late = reachable(template, [template.entry]);
    late.retain(|l| !early.contains(l));
    late
}

/// The locations that a process passes once, before it comes to its first loop, if it comes to one.
pub(crate) fn opening(template: &Template) -> BTreeSet<LocationId> {
    let all = reachable(template, [template.entry]);
    let taken = |l: LocationId| {
        let edges = template.edges_from(l).map(|(_, edge)| edge);
        edges.filter(|edge| !is_never_taken(&edge.step))
    };
    let mut ways_in: BTreeMap<LocationId, usize> = BTreeMap::new();
    for edge in all.iter().flat_map(|l| taken(*l)) {
        *ways_in.entry(edge.target).or_default() += 1;
    }
    let mut passed = BTreeSet::new();
    let mut open = vec![template.entry];
    open.retain(|entry| !ways_in.contains_key(entry));
    while let Some(location) = open.pop() {
        passed.insert(location);
        for edge in taken(location) {
            let ways = ways_in.entry(edge.target).or_default();
            *ways = ways.saturating_sub(1);
            if *ways == 0 {
                open.push(edge.target);
            }
        }
    }
    let loops = passed.len() < all.len();
    passed.retain(|_| loops);
    passed
}

/// The location at which a process of the template makes the states that runs start in, if one does: it is left before there is a state.
pub(crate) fn held_start(model: &Model, id: TemplateId) -> Option<LocationId> {
    let template = model.template(id);
    let own = |start: &&StartProcess| start.template == id;
    let first = model.start.first().filter(own).is_some();
    let alone = model.start.iter().filter(own).count() == 1;
    let left = template.edges.iter().all(|e| e.target != template.entry);
    (model.start_held && first && alone && left).then_some(template.entry)
}

/// Whether some locations are those of a start that is over some time.
pub(crate) fn is_over_once(model: &Model, id: TemplateId, early: &BTreeSet<LocationId>) -> bool {
    let template = model.template(id);
    let mut late = reachable(template, [template.entry]);
    late.retain(|l| !early.contains(l));
    !late.is_empty() && is_start_up(model, id, &late)
}

/// Whether what comes before the late locations is a start: it happens once, but for loops that make
/// processes, and in a template that makes processes, makes the states that runs start in, or has a loop for the rest of its time. (Otherwise
/// the symmetry would be true, but of states that are hardly there.)
fn is_start_up(model: &Model, id: TemplateId, late: &BTreeSet<LocationId>) -> bool {
    let template = model.template(id);
    let all = reachable(template, [template.entry]).into_iter();
    let looping: Vec<LocationId> = all.filter(|l| is_on_cycle(template, *l)).collect();
    let makes = makes_at(model, id);
    let making = |l: LocationId| {
        let there = reachable(template, [l]);
        let mut sites = makes.iter().filter(|m| there.contains(m));
        sites.any(|m| reachable(template, [*m]).contains(&l))
    };
    let mut early = looping.iter().filter(|l| !late.contains(l));
    let starts = !makes.is_empty() || !looping.is_empty() || held_start(model, id).is_some();
    starts && early.all(|l| making(*l))
}

/// The locations at which instances of a template make processes.
fn makes_at(model: &Model, id: TemplateId) -> BTreeSet<LocationId> {
    let templates = (0..model.templates.len()).map(TemplateId::from);
    let sites = templates.flat_map(|made| spawns(model, made));
    let own = sites.filter(|(by, _)| *by == id);
    own.map(|(_, at)| at).collect()
}

fn is_on_cycle(template: &Template, location: LocationId) -> bool {
    let next = template.edges_from(location);
    let next = next.filter(|(_, e)| !is_never_taken(&e.step));
    let next: Vec<LocationId> = next.map(|(_, e)| e.target).collect();
    reachable(template, next).contains(&location)
}
