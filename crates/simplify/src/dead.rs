//! Variables that nobody will read again get a fixed value.
//!
//! Two states that differ only in what nobody will ever look at behave alike, but a search stores both. So wherever a
//! process arrives at a location at which one of its slots is dead (`liveness`), the slot is given a value that is
//! always the same.
//!
//! # Why verdicts carry over
//!
//! Say that two states are alike if they agree in everything but slots that are dead at the locations where their processes
//! are. Whatever a process evaluates at a location, its conditions and what it does there, are reads of slots that are
//! live there, and other processes and observers read no slot at all (`slots`). So in two states that are alike the
//! same steps are possible, with the same failures, messages and printed texts; each step writes the same values to
//! everything that was not dead, and a slot that is live after the step was live before it or has been overwritten by it with the same
//! value. So the states after the step are alike. A reset leads from a state to one that is alike: runs of the model and of the
//! rewritten one go along with each other step by step, and deadlocks, assertions, faults and what claims see are the
//! same.
//!
//! # Where the reset happens
//!
//! - The effects of a guarded edge get an assignment behind all others. It puts a constant of the right type into a
//!   cell that is there for certain, so it cannot fail. What failed before it still fails: nothing is taken away.
//! - Other steps have no effects of their own: sends, receives, `else`, `d_step`. Behind these the
//!   process keeps control and passes a new location, whose only edge can always be taken and does the resets. Nobody can see it
//!   there. Such locations and edges stand behind all others of the template, so a reader of labels can tell them.
//! - A process that sends at a rendezvous cannot keep control, so nothing is reset behind a send that may be one; nor, behind steps
//!   without effects, where something may keep a process from going on that holds control (`provided`, priorities).
//!
//! Monitors are evaluated in every state. What they read is read by others, so it is no slot.
//!
//! Nothing is reset at locations that others never see, and nothing that holds its fixed value already on every way there.
//! A slot that is dead at a location but cannot be reset on every way there counts as read there, and so is left alone
//! wherever its value might get there from. So what a slot holds in a stored state depends on what it would hold in the user's model alone,
//! not on the way: there are never more states than without resets. (Elements that others write to are the exception.)
//!
//! # Symmetry
//!
//! Which values are fixed is for the caller to say. Where a slot holds the name of a process, 0 may be somebody's name;
//! a value that is nobody's keeps all names interchangeable.

use crate::liveness::{Set, live};
use crate::reverify::{RewriteDefect, reverify};
use crate::seen::passed_through;
use crate::slots::{DeadCell, Slots, Uses};
use crate::visits::{Access, effect_accesses, is_never_taken, step_accesses};
use mandala_model::expr::{Expr, Place};
use mandala_model::footprint::Footprints;
use mandala_model::ids::{EdgeId, LocationId, TemplateId};
use mandala_model::model::Deadlock;
use mandala_model::origins::Origins;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::template::{Control, Edge, Effect, Location, Role, Step, Template};
use mandala_model::{Model, UncheckedModel};
use std::collections::{BTreeMap, BTreeSet};

/// A model with resets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resets {
    /// The model.
    pub model: Model,
    /// The variables that are reset somewhere, as a person names them.
    pub variables: BTreeSet<String>,
    /// The edge that each edge stands for: a reset behind a step is a step of its own, which stands for none.
    pub origins: Origins,
}

/// The model in which variables that nobody will read again get a fixed value, or nothing if there are none.
///
/// `fixed` says which value a cell gets; `None` leaves it as it is. A value that the cell cannot hold is the same as none.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn reset_dead(
    model: &Model,
    observers: Observers,
    fixed: &mut dyn FnMut(&DeadCell) -> Option<Value>,
) -> Result<Option<Resets>, RewriteDefect> {
    // A step that only changes what nobody will read is still one that changes the state.
    if model.deadlock == Deadlock::NoChange {
        return Ok(None);
    }
    let uses = Uses::of(model, observers);
    let footprints = Footprints::of(model);
    let mut rewritten = UncheckedModel::clone(model);
    let mut variables = BTreeSet::new();
    let mut origins = Origins::own(model);
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        if template.role != Role::Process || is_apart(model, id) {
            continue;
        }
        let slots = Slots::of(model, &uses, id);
        let plan = Plan::new(model, id, &slots, &footprints, fixed);
        variables.extend(plan.names());
        let added = plan.apply(&mut rewritten.templates[id.index()]);
        (0..added).for_each(|_| origins.add(id));
    }
    if variables.is_empty() {
        return Ok(None);
    }
    let model = reverify("the reset of dead variables", rewritten)?;
    Ok(Some(Resets {
        model,
        variables,
        origins,
    }))
}

/// Whether the template is no automaton like others: its process makes the states that runs start in. What it reads counts as read by others.
pub(crate) fn is_apart(model: &Model, id: TemplateId) -> bool {
    let first = model.start.first().map(|start| start.template);
    model.start_held && first == Some(id)
}

/// How an edge can be made to reset something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// By its own effects.
    Effects,
    /// At a location of its own behind it.
    Landing,
    /// Not at all.
    Nowhere,
    /// It is never taken, or leads nowhere.
    Never,
}

/// What is reset where in one template.
struct Plan<'a> {
    model: &'a Model,
    id: TemplateId,
    slots: &'a Slots,
    /// The fixed value of each slot that has one.
    values: Vec<Option<Value>>,
    manners: Vec<Manner>,
    /// For each edge, what it resets.
    resets: Vec<Set>,
}

impl<'a> Plan<'a> {
    fn new(
        model: &'a Model,
        id: TemplateId,
        slots: &'a Slots,
        footprints: &Footprints,
        fixed: &mut dyn FnMut(&DeadCell) -> Option<Value>,
    ) -> Self {
        let fits = |cell: &DeadCell, value: Value| cell.scalar.store(value) == Some(value);
        let values = slots.cells.iter();
        let values = values.map(|cell| fixed(cell).filter(|value| fits(cell, *value)));
        let mut plan = Plan {
            model,
            id,
            slots,
            values: values.collect(),
            manners: manners(model, id, footprints),
            resets: Vec::new(),
        };
        plan.resets = plan.all_resets();
        plan
    }

    fn template(&self) -> &'a Template {
        self.model.template(self.id)
    }

    /// For each edge, what is dead where it leads and may not have its fixed value yet.
    fn all_resets(&self) -> Vec<Set> {
        let mut kept = vec![Set::new(); self.template().locations.len()];
        loop {
            let dead = self.dead(&kept);
            let dirty = self.dirty(&dead);
            let before: usize = kept.iter().map(Set::len).sum();
            self.keep_what_stays(&dead, &dirty, &mut kept);
            if kept.iter().map(Set::len).sum::<usize>() == before {
                let edges = 0..self.manners.len();
                return edges.map(|e| self.resets_of(e, &dead, &dirty)).collect();
            }
        }
    }

    fn resets_of(&self, index: usize, dead: &[Set], dirty: &[Set]) -> Set {
        let edge = &self.template().edges[index];
        match self.manners[index] {
            Manner::Never | Manner::Nowhere => Set::new(),
            Manner::Effects | Manner::Landing => {
                &self.after(edge, &dirty[edge.source.index()]) & &dead[edge.target.index()]
            }
        }
    }

    /// For each location, the slots that are dead there and have a fixed value; nothing where nobody is ever seen.
    fn dead(&self, kept: &[Set]) -> Vec<Set> {
        let template = self.template();
        let unseen = passed_through(template);
        let live = live(self.model, template, self.slots, kept).into_iter();
        let dead = |(index, live): (usize, Set)| match unseen.contains(&LocationId::from(index)) {
            true => Set::new(),
            false => {
                let all = 0..self.values.len();
                all.filter(|slot| self.values[*slot].is_some() && !live.contains(slot))
                    .collect()
            }
        };
        live.enumerate().map(dead).collect()
    }

    /// For each location, the slots that may not have their fixed value there.
    fn dirty(&self, dead: &[Set]) -> Vec<Set> {
        let mut dirty = vec![Set::new(); dead.len()];
        let entry = &mut dirty[self.template().entry.index()];
        entry.extend(self.dirty_at_first());
        entry.extend(self.slots.shared());
        loop {
            let before: usize = dirty.iter().map(Set::len).sum();
            let edges = self.template().edges.iter().zip(&self.manners);
            for (edge, manner) in edges.filter(|(_, manner)| **manner != Manner::Never) {
                let mut after = self.after(edge, &dirty[edge.source.index()]);
                if *manner != Manner::Nowhere {
                    after.retain(|slot| !dead[edge.target.index()].contains(slot));
                }
                after.extend(self.slots.shared());
                dirty[edge.target.index()].append(&mut after);
            }
            if dirty.iter().map(Set::len).sum::<usize>() == before {
                return dirty;
            }
        }
    }

    /// Notes what is dead somewhere but cannot be reset on every way there.
    fn keep_what_stays(&self, dead: &[Set], dirty: &[Set], kept: &mut [Set]) {
        let shared: Set = self.slots.shared().collect();
        let entry = self.template().entry.index();
        kept[entry].extend(&self.dirty_at_first() & &dead[entry]);
        let edges = self.template().edges.iter().zip(&self.manners);
        for (edge, _) in edges.filter(|(_, manner)| **manner == Manner::Nowhere) {
            let target = edge.target.index();
            let after = self.after(edge, &dirty[edge.source.index()]);
            kept[target].extend(&(&after - &shared) & &dead[target]);
        }
    }

    /// What does not start with its fixed value.
    fn dirty_at_first(&self) -> Set {
        let cells = self.slots.cells.iter().zip(&self.values).enumerate();
        let dirty = cells.filter(|(_, (cell, value))| cell.initial != **value);
        dirty.map(|(slot, _)| slot).collect()
    }

    /// What may not have its fixed value after an edge, without resets.
    fn after(&self, edge: &Edge, before: &Set) -> Set {
        let mut dirty = before.clone();
        match &edge.step {
            Step::Guarded { effects, .. } => {
                effects.iter().for_each(|e| self.effect(&mut dirty, e));
            }
            step => step_accesses(step, &mut |access, place| {
                self.access(&mut dirty, access, place);
            }),
        }
        dirty
    }

    fn effect(&self, dirty: &mut Set, effect: &Effect) {
        if let Effect::Assign { place, value } = effect
            && let Some(value) = value.as_constant()
            && let Some(touched) = self.slots.touched(self.model, self.template(), place)
            && touched.definite
            && self.values[touched.slots.start] == Some(value)
        {
            dirty.remove(&touched.slots.start);
            return;
        }
        effect_accesses(effect, &mut |access, place| {
            self.access(dirty, access, place);
        });
    }

    fn access(&self, dirty: &mut Set, access: Access, place: &Place) {
        let touched = self.slots.touched(self.model, self.template(), place);
        if let (Access::Write, Some(touched)) = (access, touched) {
            dirty.extend(touched.slots);
        }
    }

    /// The variables that are reset somewhere.
    fn names(&self) -> BTreeSet<String> {
        let slots: Set = self.resets.iter().flatten().copied().collect();
        let slots = slots.into_iter();
        slots
            .map(|slot| self.slots.cells[slot].name(self.model))
            .collect()
    }

    /// Puts the resets into the template; gives how many edges are added for them, behind all others.
    fn apply(&self, template: &mut Template) -> usize {
        let mut landings: BTreeMap<(LocationId, bool), Set> = BTreeMap::new();
        for (index, resets) in self.resets.iter().enumerate() {
            let edge = &mut template.edges[index];
            match (&mut edge.step, self.manners[index]) {
                (Step::Guarded { effects, .. }, Manner::Effects) => {
                    effects.extend(self.effects(resets, edge.span));
                }
                (_, Manner::Landing) if !resets.is_empty() => {
                    let landing = (edge.target, edge.control == Control::Hold);
                    landings.entry(landing).or_default().extend(resets);
                }
                _ => {}
            }
        }
        let added = landings.len();
        for ((target, holds), resets) in landings {
            self.land(template, target, holds, &resets);
        }
        added
    }

    /// Lets all edges that need it go to the target by way of a location of its own, where the resets happen.
    fn land(&self, template: &mut Template, target: LocationId, holds: bool, resets: &Set) {
        let landing = LocationId::from(template.locations.len());
        let is_meant = |index: usize, edge: &Edge| {
            self.manners[index] == Manner::Landing
                && !self.resets[index].is_empty()
                && (edge.target, edge.control == Control::Hold) == (target, holds)
        };
        let control = match holds {
            true => Control::Hold,
            false => Control::Release,
        };
        for index in 0..self.resets.len() {
            let edge = &mut template.edges[index];
            if is_meant(index, edge) {
                edge.target = landing;
                edge.control = Control::Hold;
            }
        }
        let span = template.locations[target.index()].span;
        let number = template.locations[target.index()].number;
        let edge = template.edges.len() as u32;
        template.locations.push(passage(number, edge, span));
        template.edges.push(Edge {
            source: landing,
            target,
            step: Step::Guarded {
                guard: Expr::constant(1, span),
                effects: self.effects(resets, span).collect(),
            },
            control,
            escape: 0,
            text: "forget".into(),
            statement: 0,
            span,
            twin: false,
            parameters: Vec::new(),
            outcome: None,
        });
    }

    fn effects(&self, resets: &Set, span: Span) -> impl Iterator<Item = Effect> {
        let reset = move |slot: &usize| {
            self.values[*slot].map(|value| Effect::Assign {
                place: self.slots.cells[*slot].place.clone(),
                value: Expr::constant(value, span),
            })
        };
        resets.iter().filter_map(reset)
    }
}

/// A location with one edge that nobody is seen at.
fn passage(number: u32, edge: u32, span: Span) -> Location {
    Location {
        number,
        labels: Vec::new(),
        end: false,
        progress: false,
        accept: false,
        silent: true,
        edges: edge..edge + 1,
        span,
    }
}

/// How each edge of a template can be made to reset something.
fn manners(model: &Model, id: TemplateId, footprints: &Footprints) -> Vec<Manner> {
    let template = model.template(id);
    let steady = template.provided.is_none() && !template.deterministic && !model.prioritised;
    let edges = (0..).zip(&template.edges);
    edges
        .map(|(index, edge)| {
            let meets = footprints
                .taking(EdgeId {
                    template: id,
                    index,
                })
                .meets;
            match &edge.step {
                step if is_never_taken(step) => Manner::Never,
                Step::Guarded { .. } => Manner::Effects,
                Step::Exit => Manner::Never,
                Step::Send { .. } if meets => Manner::Nowhere,
                // It is only known at its end whether it can be taken.
                Step::Routine(routine) if routine.is_quiet() => Manner::Nowhere,
                _ if steady => Manner::Landing,
                _ => Manner::Nowhere,
            }
        })
        .collect()
}
