//! The proof for one renaming: the steps of each process, renamed, are those of the process with the new number.

mod each;

pub(crate) use each::Unkept;

use crate::births::{self, First, FirstValue};
use crate::breach::Breach;
use crate::budget::ProofPart;
use crate::case::{AllForms, Case};
use crate::compare::{Renamed, correspondence, differences, require_kept};
use crate::domain::DomainKind;
use crate::execute::Actor;
use crate::lasting::OUTSIDE;
use crate::locations::reachable_exit;
use crate::rename::{IllSorted, Renamer, Scope};
use crate::renaming::Renaming;
use crate::settle::{Faults, Settled};
use crate::sorts::{Point, Sort, Sorts};
use crate::term::{Cell, Term};
use crate::values::Values;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A renaming on trial.
pub(crate) struct Mover {
    pub renaming: Renaming,
    scope: Scope,
    /// Two that change places, for a person.
    whom: String,
    /// What has been renamed already.
    renamed: RefCell<Renamed>,
}

impl Mover {
    /// The renaming, if it permutes every domain within itself and moves nothing else.
    pub fn new(domains: &[DomainKind], renaming: &Renaming) -> Option<Self> {
        let mut points = Vec::new();
        let mut whom = None;
        let (mut members, mut names) = (BTreeSet::new(), BTreeSet::new());
        for domain in domains {
            match domain {
                DomainKind::Processes { numbers, .. } => {
                    let moved = |n: &&u32| renaming.processes().image(**n) != **n;
                    for number in numbers.iter().filter(moved) {
                        let image = renaming.processes().image(*number);
                        numbers.contains(&image).then_some(())?;
                        points.push(Point::Process(*number));
                        whom.get_or_insert(format!("process {number} and process {image}"));
                    }
                    members.extend(numbers.iter().copied());
                }
                DomainKind::Names {
                    label,
                    first,
                    size,
                    set,
                    start,
                } => {
                    let own = *start..start + size;
                    let permutation = renaming.names(*set);
                    for name in permutation.moved().filter(|name| own.contains(name)) {
                        let image = permutation.image(name);
                        own.contains(&image).then_some(())?;
                        names.insert((*set, name));
                        points.push(Point::Name(*set, name));
                        let value = |name| *first + i64::from(name) - i64::from(*start);
                        let (a, b) = (value(name), value(image));
                        whom.get_or_insert(format!("the names {a} and {b} of `{label}`"));
                    }
                }
            }
        }
        let mut strangers = renaming
            .processes()
            .moved()
            .filter(|n| !members.contains(n));
        let is_known = |set: u32| {
            let mut moved = renaming.names(set).moved();
            moved.all(|name| names.contains(&(set, name)))
        };
        if strangers.next().is_some() || !(0..renaming.sets()).all(is_known) {
            return None;
        }
        Some(Mover {
            renaming: renaming.clone(),
            scope: Scope::new(points),
            whom: whom.unwrap_or_default(),
            renamed: RefCell::default(),
        })
    }

    /// Who has to be compared with whom: everybody that is moved with whom he becomes. For two that change
    /// places once is enough, as the renaming takes itself back there.
    fn pairs(&self, numbers: &[u32]) -> Vec<(u32, u32)> {
        let processes = self.renaming.processes();
        let twice = self.renaming.then(&self.renaming).is_identity();
        let pairs = numbers.iter().map(|n| (*n, processes.image(*n)));
        let pairs = pairs.filter(|(from, to)| from != to);
        pairs.filter(|(from, to)| !twice || from < to).collect()
    }
}

/// What proofs about a candidate have in common.
pub(crate) struct Proof<'a, 'm> {
    pub case: &'a Case<'a, 'm>,
    pub forms: &'a AllForms,
    pub sorts: &'a Sorts,
    pub values: &'a Values<'a>,
}

impl Proof<'_, '_> {
    /// That one domain has its full symmetric group; the condition under which it has.
    pub fn full(&self, domain: usize) -> Result<Settled, Vec<Breach>> {
        let families = self.case.candidate.families.len();
        let set = domain.checked_sub(families);
        if set.is_some_and(|set| self.case.candidate.names[set].unordered) {
            return self.settled(self.strangers());
        }
        let renamings = self.case.domains[domain].exchanges();
        self.together(&renamings)
    }

    /// That some renamings are symmetries; the condition under which they are.
    pub fn together(&self, renamings: &[Renaming]) -> Result<Settled, Vec<Breach>> {
        let mut faults = self.strangers();
        for renaming in renamings {
            let Some(mover) = Mover::new(&self.case.domains, renaming) else {
                let why = "a renaming does not keep to the domains";
                return Err(vec![Breach::everywhere(why)]);
            };
            self.check_exits(&mover)?;
            self.check_provided(&mover)?;
            self.check_births(&mover, &mut faults)?;
            self.check_edges(&mover, &mut faults)?;
            self.check_conditions(&mover)?;
        }
        self.settled(faults)
    }

    /// Where there must not be strangers, nobody may make one.
    fn strangers(&self) -> Faults {
        let mut faults = Faults::default();
        for (template, _) in self.case.residents() {
            let declared = self.case.model.template(template);
            let why = format!("another `{}` may be made", declared.name);
            let breach = Breach::at(declared.span, why);
            faults.add_births(self.case.model, template, &breach);
        }
        faults
    }

    fn settled(&self, faults: Faults) -> Result<Settled, Vec<Breach>> {
        faults.settle(self.case.model).map_err(|mut breaches| {
            let mut seen = BTreeSet::new();
            breaches.retain(|b| seen.insert(b.span));
            breaches
        })
    }

    fn check_exits(&self, mover: &Mover) -> Result<(), Vec<Breach>> {
        let moved = |f: &&crate::domain::Family| {
            let mut numbers = f.numbers.iter();
            numbers.any(|n| mover.renaming.processes().image(*n) != *n)
        };
        for family in self.case.candidate.families.iter().filter(moved) {
            let template = self.case.model.template(family.template);
            if let Some(span) = reachable_exit(template) {
                let name = &template.name;
                return Err(vec![Breach::at(
                    span,
                    format!(
                        "a `{name}` may end here, and processes end in the reverse of the order in which they were made"
                    ),
                )]);
            }
        }
        Ok(())
    }

    pub fn renamer<'r>(
        &'r self,
        template: TemplateId,
        scope: &'r Scope,
        renaming: &'r Renaming,
    ) -> Renamer<'r> {
        Renamer {
            model: self.case.model,
            algebra: self.case.algebra,
            sorts: self.sorts,
            template,
            renaming,
            scope,
            values: self.values,
            here: None,
            strict: false,
            moved: &self.case.moved,
            budget: &self.case.budget,
        }
    }

    /// The members of families of a template.
    pub fn members(&self, template: TemplateId) -> Vec<u32> {
        let families = self.case.candidate.families.iter();
        let families = families.filter(|f| f.template == template);
        families.flat_map(|f| f.numbers.iter().copied()).collect()
    }

    /// Those of them that stay.
    fn staying(&self, template: TemplateId, mover: &Mover) -> Vec<u32> {
        let processes = mover.renaming.processes();
        let members = self.members(template).into_iter();
        members.filter(|n| processes.image(*n) == *n).collect()
    }

    /// The templates that somebody is an instance of.
    pub fn templates(&self) -> BTreeSet<TemplateId> {
        let actors = self.case.actors().into_iter();
        actors.map(|(template, _)| template).collect()
    }

    fn check_provided(&self, mover: &Mover) -> Result<(), Vec<Breach>> {
        let mut templates = self.templates().into_iter();
        templates.try_for_each(|template| self.provided_of(template, mover))
    }

    /// That the condition on all moves of a template's instances does not tell those apart that the renaming moves.
    fn provided_of(&self, template: TemplateId, mover: &Mover) -> Result<(), Vec<Breach>> {
        for (from, to) in mover.pairs(&self.members(template)) {
            self.same_provided(template, mover, (Actor::Known(from), Actor::Known(to)))?;
        }
        let others = self.same_provided(template, mover, (Actor::Other, Actor::Other));
        if others.is_ok() || !self.case.all_are_known(template) {
            return others;
        }
        let mut staying = self.staying(template, mover).into_iter();
        let same = |n| self.same_provided(template, mover, (Actor::Known(n), Actor::Known(n)));
        staying.try_for_each(same)
    }

    fn same_provided(
        &self,
        template: TemplateId,
        mover: &Mover,
        actors: (Actor, Actor),
    ) -> Result<(), Vec<Breach>> {
        let Some(provided) = &self.case.model.template(template).provided else {
            return Ok(());
        };
        let term = |actor, renaming: &Renaming| -> Result<Term, Vec<Breach>> {
            let term = self.case.executor(template, actor).alone(provided);
            let term = self.case.algebra.condition(term.map_err(|b| vec![b])?);
            let renamer = self.renamer(template, &mover.scope, renaming);
            let renamed = renamer.condition(&term);
            renamed.map_err(|why| vec![Breach::at(provided.span, why.0)])
        };
        if term(actors.0, &mover.renaming)? == term(actors.1, &Renaming::identity())? {
            return Ok(());
        }
        let whom = &mover.whom;
        let why = format!("the condition on all moves tells {whom} apart");
        Err(vec![Breach::at(provided.span, why)])
    }

    fn check_births(&self, mover: &Mover, faults: &mut Faults) -> Result<(), Vec<Breach>> {
        for template in self.case.spawned().iter().copied() {
            let executor = self.case.executor(template, Actor::Other);
            let values = births::of_locals(&executor).map_err(|b| vec![b])?;
            if let Err(breach) = self.same_births(template, mover, &values) {
                faults.add_births(self.case.model, template, &breach);
            }
        }
        Ok(())
    }

    fn same_births(
        &self,
        template: TemplateId,
        mover: &Mover,
        values: &[FirstValue],
    ) -> Result<(), Breach> {
        let stay = Renaming::identity();
        let rename = self.renamer(template, &mover.scope, &mover.renaming);
        let stay = self.renamer(template, &mover.scope, &stay);
        let (found, wanted) = (
            renamed_births(&rename, values)?,
            renamed_births(&stay, values)?,
        );
        if let Some(moved) = moved_channel(&rename, values) {
            let why = "new channels are handed out in the order of their numbers";
            return Err(Breach::at(moved, why));
        }
        let Some(odd) = found.difference(&wanted).next() else {
            return Ok(());
        };
        let span = values.iter().find(|v| v.cell.home == odd.0.home);
        let span = span.map_or(self.case.model.template(template).span, |v| v.span);
        let whom = &mover.whom;
        let why = format!("the first value of a variable tells {whom} apart");
        Err(Breach::at(span, why))
    }

    fn check_edges(&self, mover: &Mover, faults: &mut Faults) -> Result<(), Vec<Breach>> {
        for template in self.templates() {
            for (from, to) in mover.pairs(&self.members(template)) {
                let both = (Actor::Known(from), Actor::Known(to));
                let whom = format!("process {from} and process {to}");
                let found = self.differences(template, mover, both, &whom)?;
                self.note(template, found, faults)?;
            }
            self.check_others(template, mover, faults)?;
        }
        Ok(())
    }

    /// Those who stay are looked at all at once. If that is not enough, and they are all known by their
    /// numbers, they are looked at one by one.
    fn check_others(
        &self,
        template: TemplateId,
        mover: &Mover,
        faults: &mut Faults,
    ) -> Result<(), Vec<Breach>> {
        let same = |actor| self.differences(template, mover, (actor, actor), &mover.whom);
        let found = same(Actor::Other)?;
        if found.is_empty() || !self.case.all_are_known(template) {
            return self.note(template, found, faults);
        }
        let mut staying = self.staying(template, mover).into_iter();
        staying.try_for_each(|n| self.note(template, same(Actor::Known(n))?, faults))
    }

    /// Adds to the faults. If there is no waiting for their end, that is the end of the proof.
    fn note(
        &self,
        template: TemplateId,
        found: Vec<(LocationId, Breach)>,
        faults: &mut Faults,
    ) -> Result<(), Vec<Breach>> {
        if found.is_empty() {
            return Ok(());
        }
        for (at, breach) in found {
            faults.add(template, at, breach);
        }
        self.settled(faults.clone()).map(drop)
    }

    /// What is asked of states must be so of a state iff it is so of the renamed one, each condition by itself.
    fn check_conditions(&self, mover: &Mover) -> Result<(), Vec<Breach>> {
        let identity = Renaming::identity();
        let rename = self.renamer(OUTSIDE, &mover.scope, &mover.renaming);
        let stay = self.renamer(OUTSIDE, &mover.scope, &identity);
        let asked = || ProofPart::of_the_model("the conditions of the property");
        self.case.require_budget(asked)?;
        let kept = require_kept(&self.forms.conditions, (&rename, &stay), &mover.whom);
        kept.map_err(|breach| vec![breach])
    }

    /// For each location of a template, which edge of the second actor each edge of the first becomes, by their places there. Of
    /// actors that cannot be looked at, nothing is known.
    pub fn correspondence(
        &self,
        template: TemplateId,
        mover: &Mover,
        (from, to): (Actor, Actor),
    ) -> Option<Vec<Result<Vec<usize>, Breach>>> {
        let identity = Renaming::identity();
        let found = self.forms.edges.get(&(template, from))?;
        let wanted = self.forms.edges.get(&(template, to))?;
        let rename = self.renamer(template, &mover.scope, &mover.renaming);
        let stay = self.renamer(template, &mover.scope, &identity);
        let declared = self.case.model.template(template);
        let known = &mut mover.renamed.borrow_mut();
        let both = (&**found, &**wanted);
        Some(correspondence(declared, (&rename, &stay), both, known))
    }

    fn differences(
        &self,
        template: TemplateId,
        mover: &Mover,
        (from, to): (Actor, Actor),
        whom: &str,
    ) -> Result<Vec<(LocationId, Breach)>, Vec<Breach>> {
        let identity = Renaming::identity();
        let of = |actor| self.forms.edges.get(&(template, actor));
        let (Some(found), Some(wanted)) = (of(from), of(to)) else {
            let declared = self.case.model.template(template);
            let breach = Breach::too_complex(declared.span, &declared.name);
            return Ok(vec![(declared.entry, breach)]);
        };
        let rename = self.renamer(template, &mover.scope, &mover.renaming);
        let stay = self.renamer(template, &mover.scope, &identity);
        let declared = self.case.model.template(template);
        let known = &mut mover.renamed.borrow_mut();
        differences(declared, (&rename, &stay), (found, wanted), whom, known)
            .map_err(|breach| vec![breach])
    }
}

/// The place of a new channel that belongs to another element of an array after renaming. Channels
/// are numbered in the order in which they are made, and that order would have to change with it.
fn moved_channel(renamer: &Renamer<'_>, values: &[FirstValue]) -> Option<Span> {
    let channels = values.iter();
    let mut channels = channels.filter(|v| matches!(v.first, First::Channel(_)));
    let moves = |v: &&FirstValue| {
        let renamed = renamer.cell(&v.cell);
        renamed.is_ok_and(|(cell, _)| cell != v.cell)
    };
    channels.find(moves).map(|v| v.span)
}

fn renamed_births(
    renamer: &Renamer<'_>,
    values: &[FirstValue],
) -> Result<BTreeSet<(Cell, First)>, Breach> {
    let renamed = values.iter().map(|v| {
        let value = renamed_first(renamer, v);
        value.map_err(|why| Breach::at(v.span, why.0))
    });
    renamed.collect()
}

/// The renamed cell and what it holds at first.
pub(crate) fn renamed_first(
    renamer: &Renamer<'_>,
    value: &FirstValue,
) -> Result<(Cell, First), IllSorted> {
    let (cell, sort) = renamer.cell(&value.cell)?;
    let first = match &value.first {
        First::Value(term) => First::Value(renamer.term(term, sort)?),
        First::Channel(kind) => {
            let fits = matches!(sort, Sort::Channel(class) if renamer.sorts.carries(class, *kind));
            if !fits {
                let why = "a channel is kept where channels of other messages are";
                return Err(IllSorted(why.into()));
            }
            First::Channel(*kind)
        }
    };
    Ok((cell, first))
}
