//! A candidate on trial: everything that a proof starts from.
//!
//! What every process does (its *forms*), what the variables hold at first, the sorts that follow, and the values
//! that names can have. None of this depends on what is to be renamed how.

use crate::algebra::Algebra;
use crate::births::{self, FirstValue};
use crate::breach::Breach;
use crate::budget::{ProofBudget, ProofPart};

use crate::classes::Keeper;
use crate::domain::{Candidate, DomainKind};
use crate::evidence::{Evidence, Founded};
use crate::execute::{Actor, Executor, Forms};
use crate::hashing::HashSet;
use crate::infer::Inference;
use crate::lasting::OUTSIDE;
use crate::locations::{reachable_exit, spawns};
use crate::path::{EdgeForm, Path};
use crate::settle::{held_start, leading_to, opening};
use crate::sorts::Sorts;
use crate::term::Term;
use crate::values::Values;
use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is done and what is asked.
#[derive(Default)]
pub(crate) struct AllForms {
    /// The forms of each template for each actor.
    pub edges: BTreeMap<(TemplateId, Actor), Rc<Forms>>,
    /// The conditions that are asked of states, one by one.
    pub conditions: Rc<[EdgeForm]>,
}

/// Locations of templates.
pub(crate) type Places = BTreeMap<TemplateId, BTreeSet<LocationId>>;

/// When somebody was last listened to, by where he was.
type Heard = BTreeMap<(TemplateId, LocationId), u64>;

/// What is done at each location.
type Paths<'f> = BTreeMap<(TemplateId, LocationId), Vec<&'f Path>>;

/// What a proof stands on: a guess at the sorts, and the values that follow from it.
pub(crate) struct Grounds<'m> {
    pub sorts: Rc<Sorts>,
    pub values: Values<'m>,
}

/// A candidate on trial.
pub(crate) struct Case<'a, 'm> {
    pub model: &'m Model,
    pub algebra: Algebra,
    pub candidate: &'a Candidate,
    pub domains: Vec<DomainKind>,
    /// The templates of the families.
    pub moved: Vec<TemplateId>,
    /// Templates of which every process is in a family, at least where there are no strangers.
    known: BTreeSet<TemplateId>,
    evidence: &'a Evidence<'m>,
    pub budget: ProofBudget,
}

impl<'a, 'm> Case<'a, 'm> {
    pub fn new(evidence: &'a Evidence<'m>, candidate: &'a Candidate, budget: &ProofBudget) -> Self {
        let moved = candidate.templates();
        let known = moved.iter().copied();
        let known = known.filter(|t| all_are_known(evidence, candidate, *t));
        Case {
            model: evidence.model,
            algebra: Algebra::of(evidence.model),
            candidate,
            domains: candidate.domains(),
            known: known.collect(),
            moved,
            evidence,
            budget: budget.clone(),
        }
    }

    /// Stops a proof whose budget has ended before that part.
    pub fn require_budget(&self, part: impl FnOnce() -> ProofPart) -> Result<(), Vec<Breach>> {
        self.budget.require(part).map_err(|breach| vec![breach])
    }

    /// A template as a part of a proof.
    pub fn template_part(&self, template: TemplateId) -> ProofPart {
        let declared = self.model.template(template);
        ProofPart::at(declared.span, format!("`{}`", declared.display_name()))
    }

    /// What is done at a location as a part of a proof.
    pub fn location_part(&self, template: TemplateId, location: LocationId) -> ProofPart {
        if template == OUTSIDE {
            return ProofPart::of_the_model("the conditions of the property");
        }
        let mut edges = self.model.template(template).edges_from(location);
        match edges.next() {
            Some((_, edge)) => ProofPart::at(edge.span, format!("`{}`", edge.text)),
            None => self.template_part(template),
        }
    }

    /// The actors that a template is looked at for.
    pub fn actors(&self) -> Vec<(TemplateId, Actor)> {
        let others = self.templates().map(|t| (t, Actor::Other));
        let families = self.candidate.families.iter();
        let members = families.flat_map(|f| {
            let numbers = f.numbers.iter();
            numbers.map(|n| (f.template, Actor::Known(*n)))
        });
        members.chain(others).collect()
    }

    /// The templates of processes, and the observers.
    fn templates(&self) -> impl Iterator<Item = TemplateId> {
        let evidence = self.evidence;
        let processes = evidence.populated.iter();
        processes.chain(&evidence.observers).copied()
    }

    /// Whether all processes that a template ever has are members of families. Of some templates that is only meant where
    /// there are no strangers, and nobody makes one any more.
    pub fn all_are_known(&self, template: TemplateId) -> bool {
        self.known.contains(&template)
    }

    /// The templates of which there must not be strangers, and the numbers of those who are none.
    pub fn residents(&self) -> Vec<(TemplateId, BTreeSet<u32>)> {
        let made = self.known.intersection(self.spawned());
        made.map(|t| (*t, members(self.candidate, *t))).collect()
    }

    /// The templates of which processes can be made after the start.
    pub fn spawned(&self) -> &BTreeSet<TemplateId> {
        &self.evidence.spawned
    }

    /// Whether an actor stands for nobody.
    pub fn is_nobody(&self, template: TemplateId, actor: Actor) -> bool {
        actor == Actor::Other && self.all_are_known(template)
    }

    pub fn all_forms(&self) -> Result<AllForms, Vec<Breach>> {
        let mut all = AllForms::default();
        let mut breaches: Vec<Breach> = Vec::new();
        for (template, actor) in self.actors() {
            self.require_budget(|| self.template_part(template))?;
            match self.evidence.forms(template, actor, &self.budget) {
                Ok(forms) => drop(all.edges.insert((template, actor), forms)),
                // Nobody is meant.
                Err(_) if self.is_nobody(template, actor) => {}
                Err(breach) if breaches.contains(&breach) => {}
                Err(breach) => breaches.push(breach),
            }
        }
        match self.evidence.questions(&self.budget) {
            Ok(conditions) => all.conditions = conditions,
            Err(breach) => breaches.push(breach),
        }
        verdict(breaches).map(|()| all)
    }

    /// Where templates that are only there from the start still have processes to make.
    pub fn start_up(&self) -> Places {
        let made = self.spawned();
        let mut sites = Places::new();
        for template in made {
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

    /// The same, and what processes pass once before they come to a loop.
    pub fn openings(&self) -> Places {
        let mut places = self.start_up();
        for id in self.templates() {
            let template = self.model.template(id);
            let mut opening = opening(template);
            opening.extend(held_start(self.model, id));
            if template.role == Role::Process && !opening.is_empty() {
                places.entry(id).or_default().extend(opening);
            }
        }
        places
    }

    /// What is done by somebody at each location, or by nobody: what several do is there once. What is asked of states is asked by somebody
    /// outside of all templates.
    fn paths<'f>(&self, forms: &'f AllForms, nobody: bool) -> Paths<'f> {
        let mut seen = HashSet::default();
        let mut all = Paths::new();
        for ((template, actor), forms) in &forms.edges {
            if self.is_nobody(*template, *actor) != nobody {
                continue;
            }
            for (location, edges) in forms.iter().enumerate() {
                let at = all.entry((*template, LocationId::from(location)));
                let paths = edges.iter().flat_map(|form| &form.paths);
                let new = paths.filter(|path| seen.insert(Rc::as_ptr(path)));
                at.or_default().extend(new.map(|path| &**path));
            }
        }
        let asked = forms.conditions.iter().filter(|_| !nobody);
        for path in asked.flat_map(|form| &form.paths) {
            let outside = all.entry((OUTSIDE, LocationId(0)));
            outside.or_default().push(path);
        }
        all
    }

    /// What a proof stands on if what is done at some places is not listened to.
    pub fn grounds(&self, forms: &AllForms, unheard: &Places) -> Founded<'m> {
        self.evidence.grounds(self.candidate, unheard, || {
            let sorts = Rc::new(self.sorts(forms, unheard)?);
            let values = self.learnt(forms, self.no_values(&sorts))?;
            Ok(Grounds { sorts, values })
        })
    }

    pub fn infer(&self, forms: &AllForms, unheard: &Places) -> Result<Sorts, Vec<Breach>> {
        self.learn(forms, unheard)?.finish()
    }

    /// What the forms and first values say about sorts.
    pub fn learn(&self, forms: &AllForms, unheard: &Places) -> Result<Inference<'_>, Vec<Breach>> {
        let mut inference = Inference::new(self.model, &self.moved, self.candidate, &self.budget);
        // What `1 - _pid` is shows where the number is not known, even if nobody has such a number.
        let mut hints = Inference::new(self.model, &self.moved, self.candidate, &self.budget);
        for (who, inference) in [(false, &mut inference), (true, &mut hints)] {
            for ((template, location), paths) in self.paths(forms, who) {
                let unheard = unheard.get(&template);
                let unheard = unheard.is_some_and(|u| u.contains(&location));
                for path in paths {
                    match unheard {
                        true => inference.loosely(template, path),
                        false => inference.path(template, path),
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
        inference.take_hints(&hints);
        Ok(inference)
    }

    fn infer_provided(&self, inference: &mut Inference<'_>) -> Result<(), Vec<Breach>> {
        let actors = self.actors().into_iter();
        for (template, actor) in actors.filter(|(t, a)| !self.is_nobody(*t, *a)) {
            if let Some(provided) = &self.model.template(template).provided {
                let term = self.executor(template, actor).alone(provided);
                let term = term.map_err(|b| vec![b])?;
                inference.term(template, &term, provided.span);
            }
        }
        Ok(())
    }

    pub fn executor(&self, template: TemplateId, actor: Actor) -> Executor<'a> {
        Executor::new(
            self.model,
            &self.evidence.lasting,
            (template, actor),
            &self.budget,
        )
    }

    /// What all variables hold at first; that of the globals is given with some template, which does
    /// not matter.
    fn first_values(&self) -> Result<Vec<(TemplateId, Vec<FirstValue>)>, Vec<Breach>> {
        let mut all = Vec::new();
        for id in self.templates() {
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

    pub fn check_classes(&self, forms: &AllForms, sorts: &Sorts) -> Result<(), Vec<Breach>> {
        let keeper = |template| Keeper {
            model: self.model,
            algebra: self.algebra,
            sorts,
            template,
        };
        let mut breaches = Vec::new();
        let paths = [false, true].map(|nobody| self.paths(forms, nobody));
        for ((template, _), paths) in paths.into_iter().flatten() {
            let keeper = keeper(template);
            let broken = paths.iter().filter_map(|p| keeper.path(p).err());
            breaches.extend(broken.map(|(s, why)| Breach::at(s, why)));
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

    /// Nothing is known of values yet.
    pub fn no_values(&self, sorts: &Rc<Sorts>) -> Values<'m> {
        Values::new(
            (self.model, &self.budget),
            self.algebra,
            Rc::clone(sorts),
            &self.domains,
        )
    }

    /// The same values and all that follow from them.
    pub fn learnt(
        &self,
        forms: &AllForms,
        mut values: Values<'m>,
    ) -> Result<Values<'m>, Vec<Breach>> {
        let firsts = self.first_values_of_all()?;
        let mut arguments = Vec::new();
        for start in &self.model.start {
            let given = self.start_arguments(start.template, &start.arguments)?;
            let terms: Vec<Term> = given.into_iter().map(|(t, _)| t).collect();
            arguments.push((start.template, terms));
        }
        self.actors()
            .iter()
            .for_each(|(t, _)| values.learn_start(*t));
        let paths = self.paths(forms, false);
        let mut heard = Heard::new();
        while values.has_changed() {
            for (template, terms) in &arguments {
                values.learn_arguments(*template, *template, terms);
            }
            for (template, first) in &firsts {
                first.iter().for_each(|v| values.learn_first(*template, v));
            }
            self.learn_values(&paths, &mut heard, &mut values)?;
        }
        Ok(values)
    }

    /// Learns from everybody who has news to tell.
    fn learn_values(
        &self,
        paths: &Paths<'_>,
        heard: &mut Heard,
        values: &mut Values<'_>,
    ) -> Result<(), Vec<Breach>> {
        for (place, paths) in paths {
            let (template, location) = *place;
            self.require_budget(|| self.location_part(template, location))?;
            let last = heard.entry(*place).or_default();
            if values.is_news(template, location, *last) {
                *last = values.clock();
                for path in paths {
                    values.learn_path(template, location, path);
                }
            }
        }
        Ok(())
    }

    /// What all variables hold at first, whoever's they are.
    fn first_values_of_all(&self) -> Result<Vec<(TemplateId, Vec<FirstValue>)>, Vec<Breach>> {
        let mut all = self.first_values()?;
        for (template, actor) in self.actors() {
            let own = births::of_locals(&self.executor(template, actor));
            all.push((template, own.map_err(|b| vec![b])?));
        }
        Ok(all)
    }
}

/// The numbers of all members of families of a template.
fn members(candidate: &Candidate, template: TemplateId) -> BTreeSet<u32> {
    let families = candidate.families.iter();
    let families = families.filter(|f| f.template == template);
    families.flat_map(|f| f.numbers.iter().copied()).collect()
}

fn all_are_known(evidence: &Evidence<'_>, candidate: &Candidate, template: TemplateId) -> bool {
    let known = members(candidate, template);
    let mut start = (0..).zip(&evidence.model.start);
    let first = start.all(|(n, start)| start.template != template || known.contains(&n));
    let declared = evidence.model.template(template);
    // Where nobody ever ends, there never were strangers if there are none now.
    let made = evidence.spawned.contains(&template);
    let excluded = candidate.without_strangers && reachable_exit(declared).is_none();
    declared.role == Role::Process && first && (!made || excluded)
}

/// A verdict: proven if nothing is broken.
pub(crate) fn verdict(breaches: Vec<Breach>) -> Result<(), Vec<Breach>> {
    if breaches.is_empty() {
        Ok(())
    } else {
        Err(breaches)
    }
}
