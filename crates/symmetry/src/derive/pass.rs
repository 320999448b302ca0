//! One attempt: all rules are checked for some domains.

use super::annotate::{Annotations, Body, noted};
use super::names::{Concerns, DomainIndex, NameKind, NameSet, NameSets, Refusal};
use super::parts::Parts;
use super::typer::{Pass, Typed, Typer};
use super::types::{NameType, Slot};
use crate::breach::Breach;
use crate::certificate::Choices;
use crate::domain::Candidate;
use crate::locations::{populated, spawned, spawns};
use crate::settle::{Faults, Settled, leading_to};
use crate::sorts::{Names, Sort, Sorts};
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::ids::{ChannelKindId, EdgeId, FunctionId, LocationId, TemplateId};
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::symmetry::UseKind;
use mandala_model::template::Role;
use mandala_model::types::{Storage, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What became of some domains.
pub(super) struct Attempt {
    pub(super) found: Typed<Derived>,
    pub(super) parts: Parts,
}

/// What is derived.
pub(super) struct Derived {
    /// For each domain, when its symmetry begins.
    pub(super) settled: Vec<Settled>,
    pub(super) sorts: Sorts,
    /// What the values of parameters mean.
    pub(super) choices: Choices,
    /// The types of what is no part of the state.
    pub(super) annotations: Annotations,
}

/// Where a part of a model stands.
#[derive(Clone, Copy)]
enum Site {
    /// An edge that starts at a location of a template of processes.
    Edge(TemplateId, LocationId),
    /// The first values of the variables of a process that is made later.
    Birth(TemplateId),
    /// What is so before there are states.
    Start,
    /// Anything else.
    Anywhere,
}

/// Looks for a proof that some domains are interchangeable.
pub(super) fn attempt(model: &Model, observers: Observers, candidate: &Candidate) -> Attempt {
    let sets = name_sets(candidate);
    let moved = candidate.templates();
    let mut judge = Judge {
        faults: vec![Faults::default(); candidate.families.len() + candidate.names.len()],
        ..Judge::default()
    };
    let found = derived(model, observers, candidate, (&sets, &moved), &mut judge);
    let found = match (judge.fatal.first(), found) {
        (Some(first), _) => Err(first.clone()),
        (None, found) => found,
    };
    Attempt {
        found,
        parts: Parts {
            decided: judge.parts.saturating_sub(judge.undecided.len()),
            all: judge.parts,
        },
    }
}

/// The types that follow from the uses of everything, if some domains are names.
pub(super) fn learnt<'m>(
    model: &'m Model,
    observers: Observers,
    candidate: &Candidate,
    (sets, moved): (&'m NameSets, &'m [TemplateId]),
) -> Typed<Typer<'m>> {
    let mut typer = Typer::new(model, sets, moved);
    declare(&mut typer, candidate);
    loop {
        let before = typer.slots.changes();
        typer.restart();
        let mut nobody = Judge::default();
        nobody.over_all(&mut typer, observers)?;
        if typer.slots.changes() == before {
            return Ok(typer);
        }
    }
}

fn derived<'m>(
    model: &'m Model,
    observers: Observers,
    candidate: &Candidate,
    known: (&'m NameSets, &'m [TemplateId]),
    judge: &mut Judge,
) -> Typed<Derived> {
    let mut typer = learnt(model, observers, candidate, known)?;
    judge.note(std::mem::take(&mut typer.refusals));
    typer.start_check();
    typer.state_room()?;
    typer.whole()?;
    judge.note(std::mem::take(&mut typer.refusals));
    judge.over_all(&mut typer, observers)?;
    let settled = judge.settled(model)?;
    let sorts = sorts(&mut typer, candidate);
    Ok(Derived {
        settled,
        annotations: noted(&mut typer, &sorts.kinds),
        sorts,
        choices: choices(&mut typer),
    })
}

/// The sets of names that a candidate is about.
pub(super) fn name_sets(candidate: &Candidate) -> NameSets {
    let mut domain = 0..;
    let mut numbers = |members: Vec<Value>| (domain.next().unwrap_or_default(), members);
    let families = candidate.families.iter();
    let families = families.map(|family| {
        let mut members: Vec<Value> = family.numbers.iter().map(|n| Value::from(*n)).collect();
        members.sort_unstable();
        numbers(members)
    });
    let families: Vec<_> = families.collect();
    let processes = (!families.is_empty()).then(|| NameSet {
        label: "processes".into(),
        kind: NameKind::Processes,
        domains: families,
    });
    let mut sets: Vec<NameSet> = Vec::new();
    for names in &candidate.names {
        let members = names.first..names.first + Value::from(names.size);
        let domain = numbers(members.collect());
        match sets.last_mut().filter(|_| names.mixed) {
            Some(set) => {
                set.label = format!("{}` and `{}", set.label, names.label);
                set.domains.push(domain);
            }
            None => sets.push(NameSet {
                label: names.label.clone(),
                kind: NameKind::Names(sets.len() as u32),
                domains: vec![domain],
            }),
        }
    }
    NameSets(processes.into_iter().chain(sets).collect())
}

/// Learns from the seeds of names which parts of the state hold names or are indexed by them.
fn declare(typer: &mut Typer<'_>, candidate: &Candidate) {
    let state = Rc::clone(&typer.state);
    let before = u32::from(!candidate.families.is_empty());
    for ((set, _), names) in candidate.places().into_iter().zip(&candidate.names) {
        let uses = names.seeds.iter();
        for used in uses.filter(|used| is_part_of_state(typer.model, &used.kind)) {
            for slot in state.used(typer.model, &used.kind) {
                typer.declare(*slot, before + set, used.span);
            }
        }
    }
}

/// Whether names in that place outlast a step.
fn is_part_of_state(model: &Model, place: &UseKind) -> bool {
    match place {
        UseKind::Holds { variable, .. } | UseKind::Indexes { variable, .. } => {
            model.variable(*variable).is_some_and(outlasts)
        }
        UseKind::Processes(_) | UseKind::Message { .. } => true,
    }
}

/// Whether what a variable holds outlasts a step.
pub(super) fn outlasts(variable: &Variable) -> bool {
    variable.storage == Storage::State
}

/// Notes what breaks rules, part by part.
#[derive(Default)]
pub(super) struct Judge {
    /// For each domain, where its symmetry has not begun yet.
    faults: Vec<Faults>,
    /// What breaks rules for good.
    fatal: Vec<Refusal>,
    /// The parts that break a rule for good, by number.
    undecided: BTreeSet<usize>,
    /// For each domain, the parts that break a rule of it and may be over some time.
    delayed: BTreeMap<DomainIndex, BTreeSet<usize>>,
    parts: usize,
}

impl Judge {
    /// Goes over everything that a check carries out.
    pub(super) fn over_all(&mut self, typer: &mut Typer<'_>, observers: Observers) -> Typed<()> {
        let model = typer.model;
        if let Some(events) = observers.events {
            return Err(Refusal::unsupported(model.template(events).span));
        }
        let populated = populated(model);
        let start_up = start_up(model);
        for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
            let runs = match template.role {
                Role::Process => populated.contains(&id),
                Role::Claim => observers.claim == Some(Claim::Template(id)),
                Role::Events(_) | Role::Monitors => false,
            };
            if runs {
                let muted = start_up.get(&id);
                self.template(typer, id, muted)?;
            }
        }
        self.start(typer)?;
        // What is claimed of whole runs is not a matter of monitors.
        let is_of_runs = observers.claim.is_some() || observers.asked.is_some();
        if let Some(monitors) = model.monitor_template().filter(|_| !is_of_runs) {
            self.edges(typer, monitors, None)?;
        }
        for id in 0..model.functions.len() {
            typer.function(FunctionId::from(id))?;
            self.part(typer, Site::Anywhere);
        }
        let claimed = match observers.claim {
            Some(Claim::Automaton(property)) => Some(property),
            Some(Claim::Template(_)) | None => None,
        };
        for property in claimed.into_iter().chain(observers.asked) {
            typer.conditions(property)?;
            self.part(typer, Site::Anywhere);
        }
        Ok(())
    }

    fn template(
        &mut self,
        typer: &mut Typer<'_>,
        id: TemplateId,
        muted: Option<&BTreeSet<LocationId>>,
    ) -> Typed<()> {
        let template = typer.model.template(id);
        if let Some(provided) = &template.provided {
            typer.enter(Some(id));
            typer.begin(Body::Provided(id));
            typer.truth(provided)?;
            self.part(typer, Site::Anywhere);
        }
        typer.births(id)?;
        self.part(typer, Site::Birth(id));
        self.edges(typer, id, muted)
    }

    /// The edges of a template, or the monitors as the edges of the template that shows them. What is done at some locations teaches nothing.
    fn edges(
        &mut self,
        typer: &mut Typer<'_>,
        id: TemplateId,
        muted: Option<&BTreeSet<LocationId>>,
    ) -> Typed<()> {
        let template = typer.model.template(id);
        let is_process = template.role == Role::Process;
        for (index, edge) in (0..).zip(&template.edges) {
            typer.is_muted = muted.is_some_and(|muted| muted.contains(&edge.source));
            let checked = typer.edge(
                EdgeId {
                    template: id,
                    index,
                },
                edge,
            );
            typer.is_muted = false;
            checked?;
            let site = match is_process {
                true => Site::Edge(id, edge.source),
                false => Site::Anywhere,
            };
            self.part(typer, site);
        }
        Ok(())
    }

    /// What there is before the first state.
    fn start(&mut self, typer: &mut Typer<'_>) -> Typed<()> {
        let model = typer.model;
        typer.global_values()?;
        self.part(typer, Site::Start);
        for (number, start) in model.start.iter().enumerate() {
            typer.enter(Some(start.template));
            if number == 0 {
                typer.begin(Body::Start);
            }
            typer.is_muted = true;
            let checked = typer.arguments(start.template, &start.arguments);
            typer.is_muted = false;
            checked?;
            self.part(typer, Site::Start);
        }
        Ok(())
    }

    /// Notes what breaks rules in a part that was just gone over.
    fn part(&mut self, typer: &mut Typer<'_>, site: Site) {
        if typer.pass == Pass::Learn {
            return;
        }
        self.parts += 1;
        let refusals = std::mem::take(&mut typer.refusals);
        let (always, later): (Vec<_>, Vec<_>) = refusals.into_iter().partition(|r| r.always);
        self.note(always);
        match site {
            // The first state need not be symmetric.
            Site::Start => {}
            Site::Birth(_) | Site::Edge(..) => self.late(typer.model, &later, site),
            Site::Anywhere => self.note(later),
        }
    }

    fn note(&mut self, refusals: Vec<Refusal>) {
        if !refusals.is_empty() {
            self.undecided.insert(self.parts);
        }
        self.fatal.extend(refusals);
    }

    /// What breaks a rule where processes are, or when one is made, may be over some time. Of processes that are there from the start, nobody asks how they began:
    /// a template that is never spawned has no births to be added.
    fn late(&mut self, model: &Model, refusals: &[Refusal], site: Site) {
        for (domain, faults) in (0..).zip(&mut self.faults) {
            for refusal in refusals.iter().filter(|r| r.is_about(domain)) {
                self.delayed.entry(domain).or_default().insert(self.parts);
                match site {
                    Site::Edge(template, at) => faults.add(template, at, refusal.breach.clone()),
                    Site::Birth(made) => faults.add_births(model, made, &refusal.breach),
                    Site::Start | Site::Anywhere => continue,
                };
            }
        }
    }

    /// When the symmetry of each domain begins.
    fn settled(&mut self, model: &Model) -> Typed<Vec<Settled>> {
        let mut all = Vec::new();
        for (domain, faults) in (0..).zip(std::mem::take(&mut self.faults)) {
            match faults.settle(model) {
                Ok(settled) => all.push(settled),
                Err(breaches) => {
                    let parts = self.delayed.remove(&domain);
                    self.undecided.extend(parts.unwrap_or_default());
                    let breach = breaches.into_iter().next();
                    let breach = breach.unwrap_or_else(|| Breach::everywhere("it never begins"));
                    self.fatal.push(Refusal {
                        concerns: Concerns::Some(vec![domain]),
                        always: false,
                        breach,
                    });
                }
            }
        }
        Ok(all)
    }
}

/// Where templates that are only there from the start still have processes to make: names are handed out there one by one.
pub(super) fn start_up(model: &Model) -> BTreeMap<TemplateId, BTreeSet<LocationId>> {
    let made = spawned(model);
    let mut sites: BTreeMap<TemplateId, BTreeSet<LocationId>> = BTreeMap::new();
    for template in &made {
        for (by, at) in spawns(model, *template) {
            if !made.contains(&by) {
                sites.entry(by).or_default().insert(at);
            }
        }
    }
    let places = sites.into_iter();
    let places = places.map(|(id, at)| (id, leading_to(model.template(id), &at)));
    places.collect()
}

/// The sorts that follow from the types of a model, and from what has no order by the language.
fn sorts(typer: &mut Typer<'_>, candidate: &Candidate) -> Sorts {
    let (model, state) = (typer.model, Rc::clone(&typer.state));
    let mut names: Vec<Names> = candidate.sets();
    let mut positions = Vec::new();
    for set in model.scalarsets.iter().filter(|set| set.unordered) {
        let uses = set.uses.iter();
        let uses = uses.flat_map(|used| state.used(model, &used.kind));
        positions.extend(uses.map(|slot| (*slot, names.len() as u32)));
        names.push(names_of(set.first, set.size));
    }
    let classes = channel_classes(typer);
    let mut sort = |slot: &Slot| {
        let position = positions.iter().find(|(index, _)| index == slot);
        match typer.slots.resolve(slot.ty()) {
            NameType::Name(set, offset) => name_sort(typer.sets, set, offset),
            NameType::Channel(kind) => {
                let class = classes.iter().position(|kinds| kinds.contains(&kind));
                class.map_or(Sort::Plain, |class| Sort::Channel(class as u32))
            }
            _ => position.map_or(Sort::Plain, |(_, set)| Sort::Name(*set, 0)),
        }
    };
    let shapes = state.map(&mut sort);
    let messages = classes
        .iter()
        .map(|kinds| shapes.fields[kinds[0].index()].clone());
    Sorts {
        names,
        rows: Vec::new(),
        messages: messages.collect(),
        kinds: classes.clone(),
        classes: shapes,
    }
}

/// What the values of parameters mean.
fn choices(typer: &mut Typer<'_>) -> Choices {
    let chosen = std::mem::take(&mut typer.chosen).into_iter();
    let mut sort = |slot: Slot| match typer.slots.resolve(slot.ty()) {
        NameType::Name(set, offset) => name_sort(typer.sets, set, offset),
        _ => Sort::Plain,
    };
    chosen
        .map(|(edge, slots)| (edge, slots.into_iter().map(&mut sort).collect()))
        .collect()
}

/// The sort of the names of a set.
pub(super) fn name_sort(sets: &NameSets, set: u32, offset: Value) -> Sort {
    match sets.0[set as usize].kind {
        NameKind::Processes => Sort::Process(offset),
        NameKind::Names(number) => Sort::Name(number, offset),
    }
}

fn names_of(first: Value, size: u32) -> Names {
    Names { first, size }
}

/// The classes of kinds of channels whose messages have the same types.
fn channel_classes(typer: &Typer<'_>) -> Vec<Vec<ChannelKindId>> {
    let kinds = (0..typer.model.channel_kinds.len()).map(ChannelKindId::from);
    let roots = kinds.filter(|kind| typer.slots.kind(*kind) == *kind);
    roots.map(|kind| typer.slots.class_of(kind)).collect()
}
