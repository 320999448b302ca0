//! A family of every size: what holds for a model however many members it has.
//!
//! ```text
//! conditions --> sizes 1, 2, .. searched state by state --> views of k, k + 1, .. members
//! ```
//!
//! The answer is *violated* at the smallest size, with a run as of any other check; or it *holds* for every size, by views (`mandala_views` has the argument); or the model is
//! *refused*, because it does not satisfy a condition of that argument; or it is *unknown*. A view says nothing of states with fewer members than it has, and a violation in
//! views need not be one of the model: both are what the sizes are searched for one by one.

mod certified;
mod constant;

use crate::document::conclude::conclude;
use crate::document::every::{Account, Searched, Trial, Wanted, counter, searched};
use crate::error::CheckError;
use crate::frontend::LoadedModel;
use crate::limits;
use crate::options::{CheckOptions, Deadlock, SAFETY, Selection, StaticReductions, Store};
use crate::plan::{CheckPlan, PlanError, plan};
use crate::run::{self, EngineError};
use crate::watch::{Phase, Progress, Watch, Wish};
use crate::{Document, Refusal, check_model, resident_bytes, symmetry};
use mandala_model::instantiate::rules;
use mandala_model::model::Language;
use mandala_model::property::PropertyKind;
use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};
use mandala_prepare::{Prepared, ProofKind};
use mandala_symmetry::{Certificate, DomainKind};
use mandala_views::{
    Abstraction, Condition, Family, Needs, Reach, Refused, Sample, Saturation, SizedModel,
    abstraction, conditions, family, invariants_only, require_alike, sample, saturation,
};
use std::sync::Arc;

/// The sizes that a model is compared for. The first one is that of the model that views are made of.
const SIZES: [u32; 3] = [3, 4, 5];

/// The sizes that are searched of a model that is refused, and for which it is seen whether a counter grows.
const FEW: u32 = 4;

/// How many states a size may have to be explored for the greatest values of counters.
const SAMPLED: u64 = 20_000;

/// How many configurations are looked at altogether if the user sets no limit, and of how many members views are at the most.
const CONFIGURATIONS: u64 = 500_000;
const MOST_MEMBERS: usize = 5;

/// Makes the model with that many members, or says why there is none.
pub type Load<'a> = dyn FnMut(u32) -> Result<LoadedModel, String> + 'a;

/// A model, and what was found about it.
type Found = (Arc<LoadedModel>, Document);

/// What was found about every size of a family.
#[derive(Clone, Debug)]
pub struct EverySize {
    /// The model with the size that the document is about.
    pub loaded: Arc<LoadedModel>,
    /// What was found.
    pub document: Document,
    /// The invariant, as text, if all that is covered holds.
    pub invariant: Option<String>,
}

pub use certified::{Verification, verify_invariant};

/// Whether a model is one of a family of every size without being told: its language has no other ones.
pub fn constant_of(language: Language) -> Option<&'static str> {
    (language == Language::Cubicle).then_some(mandala_cubicle::NUMBER)
}

/// The size of the model that a family of every size is read with first.
pub fn first_size() -> u32 {
    SIZES[0]
}

/// Checks a model for every size of the family that `constant` is the size of. `base` is the model with [`first_size`] members.
///
/// # Errors
///
/// As [`crate::check`].
pub fn check_every(
    base: &Arc<LoadedModel>,
    load: &mut Load<'_>,
    constant: &str,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<EverySize, Refusal> {
    watch.enter(Phase::Planning);
    require_possible(base, options)?;
    let options = without_needless_deadlock(options);
    let plan = plan(&base.model, &options).map_err(Refusal::Plan)?;
    let planned = run::planned(base, &plan).map_err(Refusal::Check)?;
    watch.learn(planned.clone());
    watch.enter(Phase::Preparing);
    let wanted = Wanted::of(&base.model, planned.outcomes.iter().map(|o| &o.check));
    if wanted.names.is_empty() {
        return Err(Refusal::Plan(PlanError::NothingByViews));
    }
    let mut work = Work {
        base,
        load,
        constant,
        options: searching(&options, &wanted),
        plan: &plan,
        watch,
        account: Account::new(constant, &wanted),
        family: None,
    };
    let mut invariant = None;
    let found = match work.subject(&wanted) {
        Ok(subject) => {
            let found = work.decide(&subject, &wanted)?;
            invariant = work.account.evidence(&wanted).and_then(|(members, views)| {
                certified::written(&subject, constant, wanted.names.clone(), members, views)
            });
            found
        }
        Err(hindrance) => work.give_up(hindrance)?,
    };
    if let Some((loaded, document)) = found {
        return Ok(EverySize {
            loaded,
            document,
            invariant: None,
        });
    }
    let account = work.account;
    let outcomes = account.outcomes(planned.outcomes, &wanted, &base.sources);
    let mut document = conclude(base, &plan, outcomes);
    document.every = Some(account.document(&base.sources));
    document.search.engine = "views".into();
    document.unreached.clear();
    Ok(EverySize {
        loaded: Arc::clone(base),
        document,
        invariant,
    })
}

/// Refuses what the user asks for and would get nothing of.
fn require_possible(base: &LoadedModel, options: &CheckOptions) -> Result<(), Refusal> {
    let usual = CheckOptions::default();
    let asked = [
        (options.store != Store::Exact, "--store"),
        (options.limits.depth.is_some(), "--depth"),
        (options.checkpoint.is_some(), "--checkpoint"),
        (options.statement_counts, "--coverage"),
        (
            matches!(options.deadlock, Deadlock::Stuck | Deadlock::Stuttering),
            "--deadlock",
        ),
        (
            options.after_violation != usual.after_violation,
            "--keep-going",
        ),
    ];
    if let Some((_, option)) = asked.into_iter().find(|(asked, _)| *asked) {
        return Err(Refusal::Plan(PlanError::EverySize(option)));
    }
    match base.model.language {
        Language::Promela | Language::Murphi | Language::Cubicle => Ok(()),
        language => Err(Refusal::Plan(PlanError::NoFamilies(language))),
    }
}

/// Who selects properties by name and not `safety` does not ask about deadlocks, which views cannot decide.
fn without_needless_deadlock(options: &CheckOptions) -> CheckOptions {
    let leaves_out = match &options.properties {
        Selection::Everything => false,
        Selection::Named(names) => !names.iter().any(|name| name == SAFETY),
    };
    CheckOptions {
        deadlock: match leaves_out {
            true => Deadlock::Ignore,
            false => options.deadlock,
        },
        ..options.clone()
    }
}

/// How single sizes are searched: for what views decide as well.
fn searching(options: &CheckOptions, wanted: &Wanted) -> CheckOptions {
    CheckOptions {
        properties: Selection::Named(wanted.names.clone()),
        deadlock: Deadlock::Ignore,
        ..options.clone()
    }
}

/// A model that satisfies all conditions.
struct Subject {
    family: Family,
    /// What the family is called.
    label: String,
    needs: Needs,
    /// What is decided of it, and nothing else.
    model: UncheckedModel,
}

impl Subject {
    fn base(&self) -> SizedModel<'_> {
        SizedModel {
            model: &self.model,
            size: SIZES[0],
        }
    }
}

/// Why there is no subject: a condition is broken, or nothing can be said.
enum Hindrance {
    Refused(Refused),
    Refusal(Refusal),
}

impl From<Refused> for Hindrance {
    fn from(refused: Refused) -> Self {
        Hindrance::Refused(refused)
    }
}

impl From<Refusal> for Hindrance {
    fn from(refusal: Refusal) -> Self {
        Hindrance::Refusal(refusal)
    }
}

/// Something that cannot be carried, or is wrong here.
fn failed(message: impl Into<String>) -> Refusal {
    let what = message.into();
    Refusal::Check(CheckError::Engine(EngineError::NotTaken {
        what,
        span: None,
    }))
}

/// What is needed all the way.
struct Work<'a, 'l> {
    base: &'a Arc<LoadedModel>,
    load: &'a mut Load<'l>,
    constant: &'a str,
    options: CheckOptions,
    plan: &'a CheckPlan,
    watch: &'a mut dyn Watch,
    account: Account,
    /// The family, once it is known, also if the model is refused.
    family: Option<Family>,
}

/// What a search of one size has shown.
enum Size {
    /// A violation.
    Violated(Box<Found>),
    /// Nothing is violated, or there is no model of that size.
    Passed,
    /// A limit was reached.
    Stopped,
    /// No run begins with so few members.
    NoRun(Refusal),
}

impl Work<'_, '_> {
    /// The conditions, from the text to the code.
    fn subject(&mut self, wanted: &Wanted) -> Result<Subject, Hindrance> {
        let others: Result<Vec<LoadedModel>, String> =
            SIZES[1..].iter().map(|size| (self.load)(*size)).collect();
        let others = others.map_err(failed)?;
        let only = |model: &Model| {
            let is_wanted = |id| wanted.invariants.contains(&id);
            invariants_only(Model::clone(model).into_unchecked(), is_wanted)
        };
        let mut models = vec![only(&self.base.model)];
        models.extend(others.iter().map(|loaded| only(&loaded.model)));
        let sized: Vec<SizedModel<'_>> = {
            let models = models.iter().zip(SIZES);
            models
                .map(|(model, size)| SizedModel { model, size })
                .collect()
        };
        let found = family(&sized, self.constant);
        self.family = found.as_ref().ok().cloned().flatten();
        let label = self.family.as_ref().map(|family| family.name(&models[0]));
        self.account.family = label.map(str::to_string);
        constant::require_only_sizes(&self.base.sources, self.base.model.language, self.constant)?;
        let none = || Refusal::Plan(PlanError::NoFamily(self.constant.to_string()));
        let family = found?.ok_or_else(none)?;
        require_alike(&sized, &family, self.constant)?;
        let model = models.swap_remove(0);
        let verified = verify(model.clone()).map_err(|_| failed("views need another model"))?;
        let verified = rules(verified).map_err(|error| failed(error.to_string()))?;
        let needs = conditions(&verified, &family)?;
        if self.observes_messages() {
            let message = "messages are observed, which are those of all members";
            return Err(Refused::whole(Condition::Property, message).into());
        }
        self.require_symmetry(&family, family.name(&model))?;
        let subject = Subject {
            label: family.name(&model).to_string(),
            family,
            needs,
            model,
        };
        self.require_bounded(&subject)?;
        Ok(subject)
    }

    fn observes_messages(&self) -> bool {
        let mut kinds = self.base.model.properties.iter().map(|p| &p.kind);
        kinds.any(|kind| matches!(kind, PropertyKind::Events { .. }))
    }

    /// The members of the family are proven to be interchangeable, by a derivation that does not depend on how many there are.
    fn require_symmetry(&mut self, family: &Family, name: &str) -> Result<(), Hindrance> {
        let plain = CheckOptions {
            symmetry: CheckOptions::default().symmetry,
            engine: CheckOptions::default().engine,
            main_array: None,
            expand: None,
            firing: None,
            partial_order: CheckOptions::default().partial_order,
            static_reductions: StaticReductions::NONE,
            ..self.options.clone()
        };
        let plan = plan(&self.base.model, &plain).map_err(Refusal::Plan)?;
        let prepared = symmetry::of_plan(self.base, &plan).map_err(Refusal::from)?;
        let certified = |prepared: &Prepared| {
            let certificate = prepared.certificate.as_ref();
            certificate.is_some_and(|c| is_full(c, family, prepared.proof, name))
        };
        if prepared.iter().all(|prepared| certified(prepared)) {
            return Ok(());
        }
        let mut broken = prepared.iter().flat_map(|p| &p.account.refused);
        Err(match broken.next() {
            Some(broken) => Refused {
                condition: Condition::Symmetry,
                message: format!("{}: {}", broken.what, broken.breach.message),
                span: broken.breach.span,
            },
            None => Refused::whole(
                Condition::Symmetry,
                format!("types do not prove that the members of `{name}` are interchangeable"),
            ),
        }
        .into())
    }

    /// No shared number grows with every member: then there would be a view for each of its values.
    fn require_bounded(&mut self, subject: &Subject) -> Result<(), Hindrance> {
        let mut samples: Vec<Sample> = Vec::new();
        for size in 1..=FEW as usize {
            let mut limited = |reach: &Reach| match reach.configurations < SAMPLED {
                true => mandala_views::Wish::GoOn,
                false => mandala_views::Wish::Stop,
            };
            let found = sample(
                subject.base(),
                &subject.family,
                &subject.needs,
                size,
                &mut limited,
            );
            match found.map_err(|error| failed(error.0))? {
                Some(sample) if sample.orbits > 0 => samples.push(sample),
                _ => return Ok(()),
            }
        }
        let cells = samples.iter().map(|s| s.greatest.len()).min().unwrap_or(0);
        let grows = |cell: &usize| {
            samples
                .windows(2)
                .all(|w| w[0].greatest[*cell] < w[1].greatest[*cell])
        };
        match (0..cells).find(grows) {
            None => Ok(()),
            Some(cell) => Err(counter(subject.base(), &subject.family, cell).into()),
        }
    }

    /// Searches sizes and views by turns.
    fn decide(&mut self, subject: &Subject, wanted: &Wanted) -> Result<Option<Found>, Refusal> {
        let w = subject.needs.participants;
        let mut k = subject.needs.view;
        let mut left = CONFIGURATIONS;
        self.account.w = Some(w);
        let first = k + w;
        let mut next = 1;
        loop {
            while next <= (k + w) as u32 {
                match self.size(next, next as usize > first)? {
                    Size::Violated(found) => return Ok(Some(*found)),
                    Size::Stopped => return Ok(None),
                    Size::NoRun(refusal) if next as usize >= first => return Err(refusal),
                    Size::NoRun(_) | Size::Passed => next += 1,
                }
            }
            let found = self.views(subject, wanted, k, &mut left)?;
            let is_decided = self.account.settle(wanted);
            if !found || is_decided || k == MOST_MEMBERS {
                return Ok(None);
            }
            k += 1;
        }
    }

    /// Makes the views of a size. Gives whether they were all made.
    fn views(
        &mut self,
        subject: &Subject,
        wanted: &Wanted,
        k: usize,
        left: &mut u64,
    ) -> Result<bool, Refusal> {
        self.watch.enter(Phase::Searching);
        let (watch, plan) = (&mut *self.watch, self.plan);
        let mut reason = None;
        let mut last = Reach::default();
        let most = *left;
        let found = abstraction(
            subject.base(),
            &subject.family,
            &subject.needs,
            k,
            &mut |reach| {
                last = *reach;
                reason = stop(reach, most, plan, watch);
                match reason {
                    None => mandala_views::Wish::GoOn,
                    Some(_) => mandala_views::Wish::Stop,
                }
            },
        );
        let found: Option<Abstraction> = found.map_err(|error| failed(error.0))?;
        *left = left.saturating_sub(last.configurations);
        let is_complete = found.is_some();
        let trial = match found {
            Some(found) => {
                let base = subject.base();
                Trial::complete(found, base, &subject.family, self.base, wanted)
            }
            None => Trial::stopped(&last, k, reason.unwrap_or_default()),
        };
        self.account.tried.push(trial);
        Ok(is_complete)
    }

    /// Searches one size state by state. Those that are only searched because views need more members have a limit of their own.
    fn size(&mut self, size: u32, is_more: bool) -> Result<Size, Refusal> {
        let loaded = match (self.load)(size) {
            Ok(loaded) => Arc::new(loaded),
            // Without a model of that size, there is nothing that could be violated.
            Err(_) if size < SIZES[0] => return Ok(Size::Passed),
            Err(message) => return Err(failed(message)),
        };
        let mut options = self.options.clone();
        if is_more && options.limits.states.is_none() {
            options.limits.states = Some(10 * SAMPLED);
        }
        let document = match check_model(&loaded, &options, self.watch) {
            Err(refusal @ Refusal::Check(CheckError::NoRun(_))) => {
                return Ok(Size::NoRun(refusal));
            }
            document => document?,
        };
        match searched(&document) {
            Searched::Passed => {
                let advice = self.advice(&loaded, size);
                self.account.searched(size, &document, advice);
                Ok(Size::Passed)
            }
            Searched::Unknown(reason) => {
                let constant = self.constant;
                self.account.stopped = Some(format!(
                    "{constant}={size} was not searched completely: {reason}"
                ));
                Ok(Size::Stopped)
            }
            Searched::Violated => {
                self.account.smallest = Some(size);
                let mut document = document;
                document.every = Some(self.account.document(&self.base.sources));
                Ok(Size::Violated(Box::new((loaded, document))))
            }
        }
    }

    /// What the states of one size have, for a model that is refused.
    fn advice(&self, loaded: &LoadedModel, size: u32) -> Option<Saturation> {
        self.account.refused.as_ref()?;
        let model = invariants_only(Model::clone(&loaded.model).into_unchecked(), |_| false);
        let family = self.family.as_ref();
        saturation(&model, family, size as usize, SAMPLED as usize)
    }

    /// Views say nothing, but a few sizes may show a violation.
    fn give_up(&mut self, hindrance: Hindrance) -> Result<Option<Found>, Refusal> {
        let refused = match hindrance {
            Hindrance::Refused(refused) => refused,
            Hindrance::Refusal(refusal) => return Err(refusal),
        };
        self.account.refused = Some(refused);
        for size in 1..FEW {
            match self.size(size, true)? {
                Size::Violated(mut found) => {
                    found.1.every = Some(self.account.document(&self.base.sources));
                    return Ok(Some(*found));
                }
                Size::NoRun(refusal) if size + 1 == FEW => return Err(refusal),
                Size::NoRun(_) | Size::Passed => {}
                Size::Stopped => break,
            }
        }
        self.account.stopped = None;
        Ok(None)
    }
}

/// Whether a certificate says that the family is fully symmetric, in all states, by a derivation over types.
fn is_full(certificate: &Certificate, family: &Family, proof: ProofKind, name: &str) -> bool {
    let mut domains = certificate.domains().iter().enumerate();
    domains.any(|(number, domain)| {
        let is_family = match (&domain.kind, family) {
            (DomainKind::Names { label, size, .. }, Family::Names { .. }) => {
                label == name && *size == SIZES[0] && proof == ProofKind::ByTypes
            }
            (DomainKind::Processes { template, numbers }, Family::Processes(other)) => {
                template == other && numbers.len() == SIZES[0] as usize
            }
            _ => false,
        };
        is_family && certificate.is_full(number) && domain.settled.is_empty()
    })
}

/// Why to stop, if there is a reason.
fn stop(reach: &Reach, most: u64, plan: &CheckPlan, watch: &mut dyn Watch) -> Option<String> {
    let bytes = resident_bytes().unwrap_or(0);
    let progress = Progress {
        states: reach.configurations,
        transitions: reach.steps,
        bytes,
        ..Progress::default()
    };
    if watch.update(&progress) == Wish::Stop {
        return Some("interrupted".into());
    }
    if let Some(time) = plan.limits.time.filter(|_| plan.is_over()) {
        return Some(limits::limit_of_time(time));
    }
    if let Some(limit) = plan.limits.memory.filter(|most| bytes > *most) {
        return Some(limits::limit_of_memory(limit));
    }
    let most = plan.limits.states.unwrap_or(most);
    (reach.configurations >= most)
        .then(|| format!("the limit of {most} configurations was reached"))
}
