//! The certifier: the only way to a [`Certificate`].
//!
//! # What a certificate says
//!
//! Let `g` exchange two numbers `a` and `b` that are neighbours in a family of the certificate, and let it act on
//! states as [`crate::action`] says. For every state `s` that a run of the model can reach, or an image of
//! such a state, in which `a` and `b` are instances of the family's template:
//!
//! - if a step leads from `s` to `t`, then a step leads from `g s` to `g t`, where a step is one between states
//!   that a search remembers: what happens inside an atomic sequence is part of it;
//! - the step reports a failed assertion, a fault or a message that an observer does not
//!   expect iff the other does, and `s` is a deadlock iff `g s` is;
//! - the given observers make the same moves along both.
//!
//! So does every permutation that such exchanges generate. The state in which runs start need not be
//! fixed by any of them. Which statement failed (its place in the source) and what was printed
//! are not preserved: `if` may have one branch for each name.
//!
//! # Proof obligations
//!
//! "Renaming" means `rename`; everything that a template does is first brought into the normal form
//! of `path` by `execute`.
//!
//! 1. The candidate is well-formed: families are disjoint sets of process numbers of templates that have
//!    processes. (`check_candidate`)
//! 2. There are no priorities: who may move would depend on whether others could. (`check_whole`)
//! 3. No member of a family ever ends: processes end last-in-first-out, and so would tell their numbers.
//!    (`check_exits`)
//! 4. No process that made channels ever ends, so a reference to a channel always means the channel that it
//!    was made for, and classes of channels are kept apart. (`check_exits`)
//! 5. Every edge of every template of which there are processes, and of the observers, can be executed
//!    symbolically within a budget; `enabled`, priorities and writes into other processes are refused.
//!    (`all_forms`)
//! 6. Where names are kept there is room for all of them: cells and message fields of sort process hold every
//!    permuted number, and arrays indexed by processes have an element for each. (`check_room`)
//! 7. What variables hold at first and the arguments of the first processes fit the sorts, and each kind of
//!    channel is of the class of the cells that it is made for. With that, and as renaming refuses every
//!    assignment between different sorts, all states that can be reached respect the classes of channels.
//!    (`check_first_values`)
//! 8. The renamed condition on all moves of `a` (`provided`) is that of `b`, and that of everybody else is its own
//!    renaming. (`check_provided`)
//! 9. The renamed first values of the variables of a new process are its first values. Its number is
//!    not permuted, as `a` and `b` exist already. (`check_births`)
//! 10. At every location, the renamed paths of `a` are those of `b`, and those of any other process, a symbolic
//!     one, are their own renaming: as sets, or edge by edge where the order of edges matters
//!     (`compare`). Since `g` is its own inverse, this covers `b` to `a`. (`check_edges`)
//! 11. The same for the observers. (`check_edges`)
//!
//! # What is trusted
//!
//! `algebra` and `fold` (rewriting keeps values and failures), `execute` and `births` (paths say what the
//! interpreter does), `locations` (which locations nobody sees), `rename` (sorts are respected), `compare`, this
//! file, and [`crate::action`]. Not trusted: `infer`, the candidate.

use crate::domain::{Candidate, Domain, DomainKind, Family};
use crate::renaming::{Permutation, Renaming};
use crate::algebra::{Algebra, LAST_PROCESS};
use crate::births::{self, First, FirstValue};
use crate::breach::Breach;
use crate::compare::{compare, renamed};
use crate::execute::{Actor, Executor, Forms, Lasting, forms};
use crate::infer::Inference;
use crate::locations::{lasting, populated, reachable_exit, spawned};
use crate::rename::{IllSorted, Renamer, cell_sorts, contains};
use crate::sorts::{Shape, Sort, Sorts};
use crate::term::{Cell, Term};
use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::template::Role;
use mandala_model::types::{Initial, Type, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A symmetry that is proven; see the [module's documentation](self) for what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    domains: Vec<Domain>,
    sorts: Sorts,
}

impl Certificate {
    /// What may be permuted: families of processes first, then names, as in the candidate.
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// What the cells of states mean.
    pub fn sorts(&self) -> &Sorts {
        &self.sorts
    }

    /// The exchanges of neighbours, which generate all permutations within the domains.
    pub fn generators(&self) -> Vec<Renaming> {
        let domains = 0..self.domains.len();
        domains.flat_map(|d| self.generators_of(d)).collect()
    }

    /// The exchanges of neighbours in one domain.
    pub fn generators_of(&self, domain: usize) -> Vec<Renaming> {
        let names = |d: &&Domain| matches!(d.kind, DomainKind::Names { .. });
        let before = self.domains[..domain].iter().filter(names).count();
        self.domains[domain].kind.exchanges(before as u32)
    }
}

fn neighbours(family: &Family) -> impl Iterator<Item = (u32, u32)> {
    family.numbers.windows(2).map(|pair| (pair[0], pair[1]))
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
    check_candidate(model, candidate)?;
    check_whole(model)?;
    check_exits(model, candidate)?;
    let lasting = lasting(model);
    let moved: Vec<TemplateId> = candidate.families.iter().map(|f| f.template).collect();
    let case = Case {
        model,
        algebra: Algebra::of(model),
        candidate,
        moved: &moved,
        lasting: &lasting,
        observers: [observers.claim, observers.events]
            .into_iter()
            .flatten()
            .collect(),
    };
    let forms = case.all_forms()?;
    let sorts = case.infer(&forms)?;
    case.check_room(&sorts)?;
    case.check_first_values(&sorts)?;
    case.check_provided(&sorts)?;
    case.check_births(&sorts)?;
    case.check_edges(&forms, &sorts)?;
    Ok(Certificate {
        domains: candidate.families.iter().map(domain_of).collect(),
        sorts,
    })
}

fn domain_of(family: &Family) -> Domain {
    Domain {
        kind: DomainKind::Processes {
            template: family.template,
            numbers: family.numbers.clone(),
        },
        settled: Vec::new(),
    }
}

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
    verdict(breaches)
}

fn check_whole(model: &Model) -> Result<(), Vec<Breach>> {
    if model.prioritised {
        let why = "processes have priorities, which is not supported with symmetry";
        return Err(vec![Breach::everywhere(why)]);
    }
    Ok(())
}

fn check_exits(model: &Model, candidate: &Candidate) -> Result<(), Vec<Breach>> {
    let mut breaches = Vec::new();
    for family in &candidate.families {
        let template = model.template(family.template);
        if let Some(span) = reachable_exit(template) {
            let name = &template.name;
            breaches.push(Breach::at(
                span,
                format!("a `{name}` may end here, and processes end in the reverse of the order in which they were made"),
            ));
        }
    }
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

fn makes_channels(model: &Model, variable: &Variable) -> bool {
    match (&variable.initial, base(&variable.ty)) {
        (Initial::NewChannel(_), _) => true,
        (_, Type::Record(id)) => {
            let fields = &model.record(*id).fields;
            fields.iter().any(|f| makes_channels(model, f))
        }
        _ => false,
    }
}

fn base(ty: &Type) -> &Type {
    match ty {
        Type::Array { element, .. } => base(element),
        other => other,
    }
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

/// A candidate on trial.
struct Case<'a> {
    model: &'a Model,
    algebra: Algebra,
    candidate: &'a Candidate,
    moved: &'a [TemplateId],
    lasting: &'a Lasting,
    observers: Vec<TemplateId>,
}

impl<'a> Case<'a> {
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

    fn all_forms(&self) -> Result<AllForms, Vec<Breach>> {
        let mut all = AllForms::new();
        let mut breaches: Vec<Breach> = Vec::new();
        for (template, actor) in self.actors() {
            match forms(self.model, self.lasting, template, actor) {
                Ok(forms) => drop(all.insert((template, actor), forms)),
                Err(breach) if breaches.contains(&breach) => {}
                Err(breach) => breaches.push(breach),
            }
        }
        verdict(breaches).map(|()| all)
    }

    fn infer(&self, forms: &AllForms) -> Result<Sorts, Vec<Breach>> {
        let mut inference = Inference::new(self.model, self.moved);
        for ((template, _), forms) in forms {
            let edges = forms.iter().flatten();
            for path in edges.flat_map(|form| &form.paths) {
                inference.path(*template, path);
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
        inference.finish()
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

    fn largest(&self) -> i64 {
        let numbers = self.candidate.families.iter().flat_map(|f| &f.numbers);
        numbers.copied().max().map_or(0, i64::from)
    }

    fn check_room(&self, sorts: &Sorts) -> Result<(), Vec<Breach>> {
        let mut breaches = Vec::new();
        let globals = self.model.globals.iter().zip(&sorts.classes.globals);
        let locals = self.model.templates.iter().zip(&sorts.classes.locals);
        let locals = locals.flat_map(|(t, shapes)| t.locals.iter().zip(shapes));
        for (variable, shape) in globals.chain(locals) {
            if let Err(why) = self.room_in(shape) {
                let name = &variable.name;
                breaches.push(Breach::at(variable.span, format!("`{name}` {why}")));
            }
        }
        let kinds = self.model.channel_kinds.iter().zip(&sorts.classes.fields);
        for (kind, fields) in kinds {
            let mut fields = kind.fields.iter().zip(fields);
            let names = Some((0, self.largest()));
            if fields.any(|(scalar, s)| matches!(s, Sort::Process(_)) && !contains(*scalar, names)) {
                let why = "a message field is too small for the numbers of all processes";
                breaches.push(Breach::at(kind.span, why));
            }
        }
        verdict(breaches)
    }

    fn room_in(&self, shape: &Shape<Sort>) -> Result<(), &'static str> {
        match shape {
            Shape::Cell(Sort::Process(_), scalar) => {
                let fits = contains(*scalar, Some((0, self.largest())));
                fits.then_some(())
                    .ok_or("is too small for the numbers of all processes")
            }
            Shape::Cell(..) => Ok(()),
            Shape::Record(fields) => fields.iter().try_for_each(|f| self.room_in(f)),
            Shape::Array {
                index,
                element,
                length,
            } => match index {
                Sort::Process(_) if i64::from(*length) <= self.largest() => {
                    Err("has no element for some of the processes")
                }
                Sort::Channel(_) => Err("is indexed by channels"),
                _ => self.room_in(element),
            },
        }
    }

    fn renamer<'r>(
        &'r self,
        sorts: &'r Sorts,
        template: TemplateId,
        exchanged: (u32, u32),
        permutation: &'r Renaming,
    ) -> Renamer<'r> {
        Renamer {
            model: self.model,
            algebra: self.algebra,
            sorts,
            template,
            permutation,
            exchanged,
            moved: self.moved,
        }
    }

    fn check_first_values(&self, sorts: &Sorts) -> Result<(), Vec<Breach>> {
        let identity = Renaming::identity();
        let mut breaches = Vec::new();
        for (template, values) in self.first_values()? {
            let renamer = self.renamer(sorts, template, NOBODY, &identity);
            let failures = values.iter().filter_map(|v| renamer_error(&renamer, v));
            breaches.extend(failures);
        }
        for start in &self.model.start {
            let shapes = &sorts.classes.locals[start.template.index()];
            let mut wanted = Vec::new();
            shapes.iter().for_each(|s| cell_sorts(s, &mut wanted));
            let renamer = self.renamer(sorts, start.template, NOBODY, &identity);
            let arguments = self.start_arguments(start.template, &start.arguments)?;
            for ((term, span), sort) in arguments.iter().zip(wanted) {
                let failure = renamer.term(term, sort).err();
                breaches.extend(failure.map(|why| Breach::at(*span, why.0)));
            }
        }
        verdict(breaches)
    }

    fn check_provided(&self, sorts: &Sorts) -> Result<(), Vec<Breach>> {
        for family in &self.candidate.families {
            for (a, b) in neighbours(family) {
                for template in populated(self.model) {
                    let others = (Actor::Other, Actor::Other);
                    self.same_provided(sorts, template, (a, b), others)?;
                }
                let members = (Actor::Known(a), Actor::Known(b));
                self.same_provided(sorts, family.template, (a, b), members)?;
            }
        }
        Ok(())
    }

    fn same_provided(
        &self,
        sorts: &Sorts,
        template: TemplateId,
        swapped: (u32, u32),
        actors: (Actor, Actor),
    ) -> Result<(), Vec<Breach>> {
        let Some(provided) = &self.model.template(template).provided else {
            return Ok(());
        };
        let term = |actor, permutation: &Renaming| -> Result<Term, Vec<Breach>> {
            let term = self.executor(template, actor).alone(provided);
            let term = self.algebra.condition(term.map_err(|b| vec![b])?);
            let renamer = self.renamer(sorts, template, swapped, permutation);
            let renamed = renamer.condition(&term);
            renamed.map_err(|why| vec![Breach::at(provided.span, why.0)])
        };
        let swap = Renaming::of_processes(Permutation::swap(swapped.0, swapped.1));
        let found = term(actors.0, &swap)?;
        if found == term(actors.1, &Renaming::identity())? {
            return Ok(());
        }
        let whom = whom(swapped);
        let why = format!("the condition on all moves tells {whom} apart");
        Err(vec![Breach::at(provided.span, why)])
    }

    fn check_births(&self, sorts: &Sorts) -> Result<(), Vec<Breach>> {
        for template in spawned(self.model) {
            let executor = self.executor(template, Actor::Other);
            let values = births::of_locals(&executor).map_err(|b| vec![b])?;
            for pair in self.candidate.families.iter().flat_map(neighbours) {
                let swap = Renaming::of_processes(Permutation::swap(pair.0, pair.1));
                let found = self.renamed_births(sorts, template, pair, &swap, &values)?;
                let wanted =
                    self.renamed_births(sorts, template, pair, &Renaming::identity(), &values)?;
                if let Some(moved) =
                    moved_channel(&self.renamer(sorts, template, pair, &swap), &values)
                {
                    let why =
                        "new channels are handed out to processes in the order of their numbers";
                    return Err(vec![Breach::at(moved, why)]);
                }
                if let Some(odd) = found.difference(&wanted).next() {
                    let span = values.iter().find(|v| v.cell.home == odd.0.home);
                    let span = span.map_or(self.model.template(template).span, |v| v.span);
                    let whom = whom(pair);
                    let why = format!("the first value of a variable tells {whom} apart");
                    return Err(vec![Breach::at(span, why)]);
                }
            }
        }
        Ok(())
    }

    fn renamed_births(
        &self,
        sorts: &Sorts,
        template: TemplateId,
        pair: (u32, u32),
        permutation: &Renaming,
        values: &[FirstValue],
    ) -> Result<BTreeSet<(Cell, First)>, Vec<Breach>> {
        let renamer = self.renamer(sorts, template, pair, permutation);
        let renamed = values.iter().map(|v| {
            let value = renamed_first(&renamer, v);
            value.map_err(|why| vec![Breach::at(v.span, why.0)])
        });
        renamed.collect()
    }

    fn check_edges(&self, forms: &AllForms, sorts: &Sorts) -> Result<(), Vec<Breach>> {
        let mut breaches: Vec<Breach> = Vec::new();
        for family in &self.candidate.families {
            for pair in neighbours(family) {
                for ((template, actor), found) in forms {
                    let image = match actor {
                        Actor::Other => Actor::Other,
                        Actor::Known(n) if *n == pair.0 && *template == family.template => {
                            Actor::Known(pair.1)
                        }
                        // Either the other half of the exchange or covered by the symbolic process.
                        Actor::Known(_) => continue,
                    };
                    let wanted = &forms[&(*template, image)];
                    let result = self.same_edges(sorts, *template, pair, (found, wanted));
                    breaches.extend(result.err());
                }
            }
        }
        let mut seen = BTreeSet::new();
        breaches.retain(|b| seen.insert(b.span));
        verdict(breaches)
    }

    /// Whether the first forms, renamed, are the second ones.
    fn same_edges(
        &self,
        sorts: &Sorts,
        template: TemplateId,
        pair: (u32, u32),
        forms: (&Forms, &Forms),
    ) -> Result<(), Breach> {
        let (swap, identity) = (Renaming::of_processes(Permutation::swap(pair.0, pair.1)), Renaming::identity());
        let found = renamed(&self.renamer(sorts, template, pair, &swap), forms.0)?;
        let wanted = renamed(&self.renamer(sorts, template, pair, &identity), forms.1)?;
        let declared = self.model.template(template);
        compare(declared, forms.0, &found, &wanted, &whom(pair))
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

/// No two processes: for what is only asked to fit the sorts.
const NOBODY: (u32, u32) = (u32::MAX, u32::MAX);

fn whom((a, b): (u32, u32)) -> String {
    format!("process {a} and process {b}")
}

fn renamer_error(renamer: &Renamer<'_>, value: &FirstValue) -> Option<Breach> {
    let error = renamed_first(renamer, value).err()?;
    Some(Breach::at(value.span, error.0))
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
