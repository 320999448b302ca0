//! The certifier: the only way to a [`Certificate`].
//!
//! # What a certificate says
//!
//! Let `g` exchange two neighbours of a domain of the certificate: two numbers of processes, or two names. Let
//! it act on states as [`crate::action`] says. Let `s` be a state that a run of the model can reach, or the
//! image of such a state under exchanges that were allowed, in which the domain is settled
//! ([`Domain::settled`]) and, if `g` exchanges processes, both are instances of the domain's template. Then:
//!
//! - if a step leads from `s` to `t`, then a step leads from `g s` to `g t`, where a step is one between states
//!   that a search remembers: what happens inside an atomic sequence is part of it;
//! - the step reports a failed assertion, a fault or a message that an observer does not
//!   expect iff the other does, and `s` is a deadlock iff `g s` is;
//! - the given observers make the same moves along both;
//! - the domain is settled in `g s`, and in `t`.
//!
//! So does every permutation that such exchanges generate, of one domain or of several at once. The state
//! in which runs start need not be fixed by any of them. Which statement failed (its place in the
//! source) and what was printed are not preserved: `if` may have one branch for each name.
//!
//! # Proof obligations
//!
//! "Renaming" means `rename`; everything that a template does is first brought into the normal form
//! of `path` by `execute`.
//!
//! 1. The candidate is well-formed: families are disjoint sets of process numbers of templates that have
//!    processes; sets of names are small. (`check_candidate`)
//! 2. There are no priorities: who may move would depend on whether others could. (`check_whole`)
//! 3. No member of a family ever ends: processes end last-in-first-out, and so would tell their numbers.
//!    (`check_exits`)
//! 4. No process that made channels ever ends, so a reference to a channel always means the channel that it
//!    was made for. (`check_owners`)
//! 5. Every edge of every template of which there are processes, and of the observers, can be executed
//!    symbolically within a budget; `enabled`, priorities and writes into other processes are refused.
//!    (`all_forms`)
//! 6. Where names are kept there is room for all of them or for none. (`room`)
//! 7. What variables hold at first, the arguments of the first processes and every edge keep the classes of
//!    channels apart, so all states that can be reached respect them. (`classes`)
//! 8. For each exchange, the renamed condition on all moves (`provided`) of a process is that of the process
//!    that it becomes. (`check_provided`)
//! 9. The renamed first values of the variables of a new process are its first values. Its number is
//!    not exchanged, as those that are exist already. (`check_births`)
//! 10. At every location, the renamed paths of a process are those of the process that it becomes: as sets, or
//!     edge by edge where the order of edges matters (`compare`). For processes `a` and `b`, the paths of `a`
//!     become those of `b`; everybody else, and everybody when names are exchanged, is one symbolic process,
//!     whose paths become its own. As an exchange is its own inverse, this covers the way back.
//!     (`check_edges`)
//! 11. The same for the observers. (`check_edges`)
//!
//! # Before the symmetry begins
//!
//! Obligations 9 and 10 may fail at some locations of some templates, if it can be shown that nobody is
//! there, or gets there, any more: that is what *settled* means (`settle`). In a settled state
//! all edges that can be tried start at locations where the obligations hold, because whether an edge can be
//! taken depends on the locations at which processes are now. So the proof for settled states is the one above.
//! It relies on nothing that happened before but the classes of channels, obligation 7, which all edges owe,
//! and what is so in every state of the model:
//!
//! - cells hold values of their types; what a cell of a sort of names holds need not be a name;
//! - variables that are never written refer to the channel that was made for them;
//! - processes of one template have made the same channels, in the same order.
//!
//! # What is trusted
//!
//! `algebra` and `fold` (rewriting keeps values and failures), `execute`, `path` and `births` (paths say what
//! the interpreter does), `locations` (which locations nobody sees), `rename` and `pointwise` (sorts are respected),
//! `room`, `classes`, `settle`, `compare`, this file, and [`crate::action`] with [`crate::sorts`]. Not trusted: `infer`
//! and `unknowns`, [`mod@crate::propose`] and [`mod@crate::largest`], the candidate.

use crate::algebra::{Algebra, LAST_PROCESS};
use crate::births::{self, First, FirstValue};
use crate::breach::Breach;
use crate::certificate::Certificate;
use crate::classes::Keeper;
use crate::compare::differences;
use crate::domain::{Candidate, Domain, DomainKind};
use crate::execute::{Actor, Executor, Forms, Lasting, forms};
use crate::infer::{Inference, OpenClass};
use crate::locations::{lasting, makes_channels, populated, reachable_exit, spawned, spawns};
use crate::patience::Patience;
use crate::rename::{FARTHEST, IllSorted, Renamer};
use crate::renaming::Renaming;
use crate::room::Room;
use crate::settle::{Faults, Settled, leading_to};
use crate::sorts::{Point, Sort, Sorts};
use crate::term::{Cell, Term};
use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::symmetry::UseKind;
use mandala_model::template::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Why a candidate is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// As a whole.
    Whole(Vec<Breach>),
    /// Because of these domains, by their index; the others might pass without them.
    Domains(Vec<(usize, Vec<Breach>)>),
}

impl Refusal {
    /// Everything that breaks it.
    pub fn breaches(self) -> Vec<Breach> {
        match self {
            Refusal::Whole(breaches) => breaches,
            Refusal::Domains(domains) => domains.into_iter().flat_map(|(_, b)| b).collect(),
        }
    }
}

/// Proves that the candidate is a symmetry of the model under those observers.
///
/// # Errors
///
/// What breaks it. A candidate that is refused may be a symmetry all the same; one that is certified is one.
pub fn certify(
    model: &Model,
    observers: Observers,
    candidate: &Candidate,
) -> Result<Certificate, Vec<Breach>> {
    let refused = examine(model, observers, candidate, Patience::endless());
    refused.map_err(Refusal::breaches)
}

/// Proves the candidate, or says which of its domains are to blame.
pub(crate) fn examine(
    model: &Model,
    observers: Observers,
    candidate: &Candidate,
    patience: Patience,
) -> Result<Certificate, Refusal> {
    let whole = Refusal::Whole;
    check_candidate(model, candidate).map_err(whole)?;
    check_whole(model).map_err(whole)?;
    check_owners(model).map_err(whole)?;
    let lasting = lasting(model);
    let moved: Vec<TemplateId> = candidate.families.iter().map(|f| f.template).collect();
    let case = Case {
        patience,
        ..Case::new(model, observers, candidate, &moved, &lasting)
    };
    let forms = case.all_forms().map_err(whole)?;
    // What is done while processes are being started is often done one by one. If it stands in the
    // way of finding sorts, it is not listened to. Which sorts are found is a guess in any case.
    let start_up = case.start_up();
    let heard = case.attempt(&forms, &Places::new());
    if heard.is_ok() || start_up.is_empty() {
        return heard;
    }
    case.attempt(&forms, &start_up)
}

/// What can be learnt of the sorts of a model from everything but the start of its processes.
pub(crate) fn open_classes(
    model: &Model,
    observers: Observers,
    candidate: &Candidate,
    patience: Patience,
) -> Result<Vec<OpenClass>, Vec<Breach>> {
    check_candidate(model, candidate)?;
    let lasting = lasting(model);
    let moved: Vec<TemplateId> = candidate.families.iter().map(|f| f.template).collect();
    let case = Case {
        patience,
        ..Case::new(model, observers, candidate, &moved, &lasting)
    };
    let forms = case.all_forms()?;
    let inference = case.learn(&forms, &case.start_up())?;
    Ok(inference.open_classes())
}

fn kinds(candidate: &Candidate) -> Vec<DomainKind> {
    let families = candidate.families.iter();
    let families = families.map(|f| DomainKind::Processes {
        template: f.template,
        numbers: f.numbers.clone(),
    });
    let names = candidate.names.iter().map(|n| DomainKind::Names {
        label: n.label.clone(),
        first: n.first,
        size: n.size,
    });
    families.chain(names).collect()
}

/// How many names a set may have: as many exchanges have to be looked at.
const MOST_NAMES: u32 = 1024;

fn check_candidate(model: &Model, candidate: &Candidate) -> Result<(), Vec<Breach>> {
    let mut seen = BTreeSet::new();
    let mut breaches = Vec::new();
    for family in &candidate.families {
        let template = model.templates.get(family.template.index());
        if !template.is_some_and(|t| t.role == Role::Process) {
            breaches.push(Breach::everywhere("a family has no template of processes"));
        }
        for number in &family.numbers {
            if i64::from(*number) > LAST_PROCESS || !seen.insert(*number) {
                breaches.push(Breach::everywhere(format!(
                    "the process number {number} is impossible or given twice"
                )));
            }
        }
    }
    for names in &candidate.names {
        let processes = |u: &&UseKind| matches!(u, UseKind::Processes(_));
        let uses = names.seeds.iter().map(|s| &s.kind);
        let far = names.first.unsigned_abs() > FARTHEST as u64 || names.size > MOST_NAMES;
        if far || uses.clone().any(|u| processes(&u)) {
            let label = &names.label;
            breaches.push(Breach::everywhere(format!(
                "`{label}` has too many names, or too great ones, or those of processes"
            )));
        }
    }
    if candidate.rows.iter().any(|row| row.variables.is_empty()) {
        breaches.push(Breach::everywhere("a row has no variables"));
    }
    verdict(breaches)
}

fn check_whole(model: &Model) -> Result<(), Vec<Breach>> {
    if model.prioritised {
        let why = "processes have priorities, which is not supported with symmetry";
        return Err(vec![Breach::everywhere(why)]);
    }
    Ok(())
}

fn check_owners(model: &Model) -> Result<(), Vec<Breach>> {
    let mut breaches = Vec::new();
    for id in populated(model) {
        let template = model.template(id);
        let owns = template.locals.iter().any(|v| makes_channels(model, v));
        if let Some(span) = reachable_exit(template).filter(|_| owns) {
            let name = &template.name;
            breaches.push(Breach::at(
                span,
                format!("a `{name}` may end here, and its channels with it"),
            ));
        }
    }
    verdict(breaches)
}

fn verdict(breaches: Vec<Breach>) -> Result<(), Vec<Breach>> {
    if breaches.is_empty() {
        Ok(())
    } else {
        Err(breaches)
    }
}

/// The forms of each template for each actor.
type AllForms = BTreeMap<(TemplateId, Actor), Forms>;

/// Locations of templates.
type Places = BTreeMap<TemplateId, BTreeSet<LocationId>>;

/// Two names of a domain that are exchanged.
struct Exchange {
    renaming: Renaming,
    points: [Point; 2],
    /// For a person.
    whom: String,
}

/// A candidate on trial.
struct Case<'a> {
    model: &'a Model,
    algebra: Algebra,
    candidate: &'a Candidate,
    domains: Vec<DomainKind>,
    moved: &'a [TemplateId],
    lasting: &'a Lasting,
    observers: Vec<TemplateId>,
    patience: Patience,
}

impl<'a> Case<'a> {
    fn new(
        model: &'a Model,
        observers: Observers,
        candidate: &'a Candidate,
        moved: &'a [TemplateId],
        lasting: &'a Lasting,
    ) -> Self {
        let observers = [observers.claim, observers.events].into_iter();
        Case {
            model,
            algebra: Algebra::of(model),
            candidate,
            domains: kinds(candidate),
            moved,
            lasting,
            observers: observers.flatten().collect(),
            patience: Patience::endless(),
        }
    }

    /// The proof with sorts that are guessed from everything but what is done at some places.
    fn attempt(&self, forms: &AllForms, unheard: &Places) -> Result<Certificate, Refusal> {
        let sorts = self.infer(forms, unheard).map_err(Refusal::Whole)?;
        let room = Room {
            model: self.model,
            domains: &self.domains,
            sorts: &sorts,
        };
        verdict(room.breaches()).map_err(Refusal::Whole)?;
        self.check_classes(forms, &sorts).map_err(Refusal::Whole)?;
        let mut domains = Vec::new();
        let mut refused = Vec::new();
        for (index, kind) in self.domains.iter().enumerate() {
            match self.check_domain(index, forms, &sorts) {
                Ok(settled) => domains.push(Domain {
                    kind: kind.clone(),
                    settled,
                }),
                Err(breaches) => refused.push((index, breaches)),
            }
        }
        if !refused.is_empty() {
            return Err(Refusal::Domains(refused));
        }
        let sorts = sorts.without_scratch(self.model);
        Ok(Certificate {
            full: vec![true; domains.len()],
            renamings: Vec::new(),
            domains,
            sorts,
        })
    }

    /// The actors that a template is looked at for.
    fn actors(&self) -> Vec<(TemplateId, Actor)> {
        let templates = populated(self.model).into_iter();
        let templates = templates.chain(self.observers.iter().copied());
        let others = templates.map(|t| (t, Actor::Other));
        let families = self.candidate.families.iter();
        let members = families.flat_map(|f| {
            let numbers = f.numbers.iter();
            numbers.map(|n| (f.template, Actor::Known(*n)))
        });
        members.chain(others).collect()
    }

    fn require_time(&self) -> Result<(), Vec<Breach>> {
        match self.patience.is_over() {
            true => Err(vec![Breach::no_time()]),
            false => Ok(()),
        }
    }

    fn all_forms(&self) -> Result<AllForms, Vec<Breach>> {
        let mut all = AllForms::new();
        let mut breaches: Vec<Breach> = Vec::new();
        for (template, actor) in self.actors() {
            self.require_time()?;
            match forms(self.model, self.lasting, template, actor) {
                Ok(forms) => drop(all.insert((template, actor), forms)),
                Err(breach) if breaches.contains(&breach) => {}
                Err(breach) => breaches.push(breach),
            }
        }
        verdict(breaches).map(|()| all)
    }

    /// Where templates that are only there from the start still have processes to make.
    fn start_up(&self) -> Places {
        let made = spawned(self.model);
        let mut sites = Places::new();
        for template in &made {
            for (by, at) in spawns(self.model, *template) {
                if !made.contains(&by) {
                    sites.entry(by).or_default().insert(at);
                }
            }
        }
        let places = sites.into_iter();
        let places = places.map(|(id, at)| (id, leading_to(self.model.template(id), &at)));
        places.collect()
    }

    fn infer(&self, forms: &AllForms, unheard: &Places) -> Result<Sorts, Vec<Breach>> {
        self.learn(forms, unheard)?.finish()
    }

    /// What the forms and first values say about sorts.
    fn learn(&self, forms: &AllForms, unheard: &Places) -> Result<Inference<'_>, Vec<Breach>> {
        let mut inference = Inference::new(self.model, self.moved, self.candidate);
        for ((template, _), forms) in forms {
            for (location, edges) in forms.iter().enumerate() {
                let location = LocationId::from(location);
                let unheard = unheard.get(template).is_some_and(|u| u.contains(&location));
                for path in edges.iter().flat_map(|form| &form.paths) {
                    if unheard {
                        inference.loosely(*template, path);
                    } else {
                        inference.path(*template, path);
                    }
                }
            }
        }
        for (template, values) in self.first_values()? {
            for value in &values {
                inference.first(template, value);
            }
        }
        for start in &self.model.start {
            let values = self.start_arguments(start.template, &start.arguments)?;
            let terms: Vec<Term> = values.iter().map(|(t, _)| t.clone()).collect();
            if let Some((_, span)) = values.first() {
                inference.arguments(start.template, start.template, &terms, *span);
            }
        }
        self.infer_provided(&mut inference)?;
        Ok(inference)
    }

    fn infer_provided(&self, inference: &mut Inference<'_>) -> Result<(), Vec<Breach>> {
        for (template, actor) in self.actors() {
            if let Some(provided) = &self.model.template(template).provided {
                let term = self.executor(template, actor).alone(provided);
                let term = term.map_err(|b| vec![b])?;
                inference.term(template, &term, provided.span);
            }
        }
        Ok(())
    }

    fn executor(&self, template: TemplateId, actor: Actor) -> Executor<'a> {
        Executor::new(self.model, self.lasting, template, actor)
    }

    /// What all variables hold at first; that of the globals is given with some template, which does
    /// not matter.
    fn first_values(&self) -> Result<Vec<(TemplateId, Vec<FirstValue>)>, Vec<Breach>> {
        let mut all = Vec::new();
        let templates = populated(self.model).into_iter();
        for id in templates.chain(self.observers.iter().copied()) {
            let executor = self.executor(id, Actor::Other);
            if all.is_empty() {
                let globals = births::of_globals(&executor);
                all.push((id, globals.map_err(|b| vec![b])?));
            }
            let locals = births::of_locals(&executor);
            all.push((id, locals.map_err(|b| vec![b])?));
        }
        Ok(all)
    }

    fn start_arguments(
        &self,
        template: TemplateId,
        arguments: &[Expr],
    ) -> Result<Vec<(Term, Span)>, Vec<Breach>> {
        let executor = self.executor(template, Actor::Other);
        let term = |e: &Expr| Ok((executor.alone(e)?, e.span));
        let terms: Result<_, Breach> = arguments.iter().map(term).collect();
        terms.map_err(|b| vec![b])
    }

    fn check_classes(&self, forms: &AllForms, sorts: &Sorts) -> Result<(), Vec<Breach>> {
        let keeper = |template| Keeper {
            model: self.model,
            algebra: self.algebra,
            sorts,
            template,
        };
        let mut breaches = Vec::new();
        for ((template, _), forms) in forms {
            let keeper = keeper(*template);
            let edges = forms.iter().flatten();
            let kept = edges.flat_map(|e| &e.paths).map(|p| keeper.path(p));
            breaches.extend(
                kept.filter_map(|k| k.err())
                    .map(|(s, why)| Breach::at(s, why)),
            );
        }
        for (template, values) in self.first_values()? {
            let keeper = keeper(template);
            let failed = values
                .iter()
                .filter_map(|v| Some((v.span, keeper.first(v).err()?)));
            breaches.extend(failed.map(|(s, why)| Breach::at(s, why)));
        }
        for start in &self.model.start {
            let arguments = self.start_arguments(start.template, &start.arguments)?;
            let terms: Vec<Term> = arguments.iter().map(|(t, _)| t.clone()).collect();
            let failed = keeper(start.template)
                .arguments(start.template, &terms)
                .err();
            let span = arguments.first().map(|(_, span)| *span);
            breaches.extend(failed.zip(span).map(|(why, s)| Breach::at(s, why)));
        }
        breaches.dedup();
        verdict(breaches)
    }

    /// Everything about one domain; the condition under which it holds.
    fn check_domain(
        &self,
        domain: usize,
        forms: &AllForms,
        sorts: &Sorts,
    ) -> Result<Settled, Vec<Breach>> {
        self.check_exits(domain)?;
        let mut faults = Faults::default();
        for exchange in self.exchanges(domain) {
            self.check_provided(sorts, &exchange)?;
            self.check_births(sorts, &exchange, &mut faults)?;
            self.check_edges(forms, sorts, &exchange, &mut faults)?;
        }
        faults.settle(self.model).map_err(|mut breaches| {
            let mut seen = BTreeSet::new();
            breaches.retain(|b| seen.insert(b.span));
            breaches
        })
    }

    fn exchanges(&self, domain: usize) -> Vec<Exchange> {
        let names = domain.saturating_sub(self.candidate.families.len()) as u32;
        let kind = &self.domains[domain];
        let renamings = kind.exchanges(names).into_iter().enumerate();
        let exchange = |(index, renaming)| match kind {
            DomainKind::Processes { numbers, .. } => {
                let (a, b) = (numbers[index], numbers[index + 1]);
                Exchange {
                    renaming,
                    points: [Point::Process(a), Point::Process(b)],
                    whom: format!("process {a} and process {b}"),
                }
            }
            DomainKind::Names { label, first, .. } => {
                let a = index as u32;
                let value = *first + index as i64;
                Exchange {
                    renaming,
                    points: [Point::Name(names, a), Point::Name(names, a + 1)],
                    whom: format!("the names {value} and {} of `{label}`", value + 1),
                }
            }
        };
        renamings.map(exchange).collect()
    }

    fn check_exits(&self, domain: usize) -> Result<(), Vec<Breach>> {
        let DomainKind::Processes { template, .. } = &self.domains[domain] else {
            return Ok(());
        };
        let template = self.model.template(*template);
        let Some(span) = reachable_exit(template) else {
            return Ok(());
        };
        let name = &template.name;
        Err(vec![Breach::at(
            span,
            format!(
                "a `{name}` may end here, and processes end in the reverse of the order in which they were made"
            ),
        )])
    }

    fn renamer<'r>(
        &'r self,
        sorts: &'r Sorts,
        template: TemplateId,
        exchange: &'r Exchange,
        renaming: &'r Renaming,
    ) -> Renamer<'r> {
        Renamer {
            model: self.model,
            algebra: self.algebra,
            sorts,
            template,
            renaming,
            exchanged: &exchange.points,
            moved: self.moved,
        }
    }

    /// Whom an exchange makes of an actor: nobody if the other half of the exchange, or the
    /// symbolic process, stands for the actor already.
    fn image(&self, exchange: &Exchange, actor: Actor) -> Option<Actor> {
        match (actor, exchange.points) {
            (Actor::Other, _) => Some(Actor::Other),
            (Actor::Known(n), [Point::Process(a), Point::Process(b)]) if n == a => {
                Some(Actor::Known(b))
            }
            (Actor::Known(_), _) => None,
        }
    }

    fn check_provided(&self, sorts: &Sorts, exchange: &Exchange) -> Result<(), Vec<Breach>> {
        for (template, actor) in self.actors() {
            if let Some(image) = self.image(exchange, actor) {
                self.same_provided(sorts, template, exchange, (actor, image))?;
            }
        }
        Ok(())
    }

    fn same_provided(
        &self,
        sorts: &Sorts,
        template: TemplateId,
        exchange: &Exchange,
        actors: (Actor, Actor),
    ) -> Result<(), Vec<Breach>> {
        let Some(provided) = &self.model.template(template).provided else {
            return Ok(());
        };
        let term = |actor, renaming: &Renaming| -> Result<Term, Vec<Breach>> {
            let term = self.executor(template, actor).alone(provided);
            let term = self.algebra.condition(term.map_err(|b| vec![b])?);
            let renamer = self.renamer(sorts, template, exchange, renaming);
            let renamed = renamer.condition(&term);
            renamed.map_err(|why| vec![Breach::at(provided.span, why.0)])
        };
        if term(actors.0, &exchange.renaming)? == term(actors.1, &Renaming::identity())? {
            return Ok(());
        }
        let whom = &exchange.whom;
        let why = format!("the condition on all moves tells {whom} apart");
        Err(vec![Breach::at(provided.span, why)])
    }

    fn check_births(
        &self,
        sorts: &Sorts,
        exchange: &Exchange,
        faults: &mut Faults,
    ) -> Result<(), Vec<Breach>> {
        for template in spawned(self.model) {
            let executor = self.executor(template, Actor::Other);
            let values = births::of_locals(&executor).map_err(|b| vec![b])?;
            if let Err(breach) = self.same_births(sorts, template, exchange, &values) {
                faults.add_births(self.model, template, &breach);
            }
        }
        Ok(())
    }

    fn same_births(
        &self,
        sorts: &Sorts,
        template: TemplateId,
        exchange: &Exchange,
        values: &[FirstValue],
    ) -> Result<(), Breach> {
        let stay = Renaming::identity();
        let rename = self.renamer(sorts, template, exchange, &exchange.renaming);
        let stay = self.renamer(sorts, template, exchange, &stay);
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
        let span = span.map_or(self.model.template(template).span, |v| v.span);
        let whom = &exchange.whom;
        let why = format!("the first value of a variable tells {whom} apart");
        Err(Breach::at(span, why))
    }

    fn check_edges(
        &self,
        forms: &AllForms,
        sorts: &Sorts,
        exchange: &Exchange,
        faults: &mut Faults,
    ) -> Result<(), Vec<Breach>> {
        let identity = Renaming::identity();
        self.require_time()?;
        for ((template, actor), found) in forms {
            let Some(image) = self.image(exchange, *actor) else {
                continue;
            };
            let wanted = &forms[&(*template, image)];
            let rename = self.renamer(sorts, *template, exchange, &exchange.renaming);
            let stay = self.renamer(sorts, *template, exchange, &identity);
            let declared = self.model.template(*template);
            let both = (found, wanted);
            for (at, breach) in differences(declared, (&rename, &stay), both, &exchange.whom) {
                faults.add(*template, at, breach);
            }
        }
        Ok(())
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
fn renamed_first(renamer: &Renamer<'_>, value: &FirstValue) -> Result<(Cell, First), IllSorted> {
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
