//! The seam between the checker and the engines.
//!
//! An [`Engine`] is asked one [`Task`] at a time: a prepared model, a [`Question`] about it, and how far it may go. It tells a
//! [`ProgressObserver`] how far it is, and gives an [`Outcome`]: still a claim, as the evidence in it has not been replayed. What an
//! engine can do is data ([`Capabilities`]), so that a plan that asks for more is refused before any search starts.
//!
//! | file | what it has |
//! |---|---|
//! | `choice` | choices that a user makes by name |
//! | `settings` | the order of a search, limits, fairness, symmetry: how a question is to be answered |
//! | `question` | what is asked |
//! | `outcome`, `evidence`, `violations`, `coverage` | what was found |
//! | `value` | values, and how well they are known |
//! | `observer` | progress, and the wish to stop |
//! | `error` | why there is no outcome |
//! | `memory` | what the process holds |
//!
//! # Invariants
//!
//! - There is one set of types for limits, order, extent, evidence and statistics; no engine has its own.
//! - No type here belongs to a report or to an input language.
//! - A new engine is one crate that implements [`Engine`], and one line in the checker's registry.

mod choice;
mod coverage;
mod error;
mod evidence;
mod memory;
mod observer;
mod outcome;
mod question;
mod settings;
mod value;
mod violations;

pub use choice::Choice;
pub use coverage::Reached;
pub use error::EngineError;
pub use evidence::{Branching, Evidence, Possibility, Witness};
pub use memory::resident_bytes;
pub use observer::{Progress, ProgressObserver, Wish};
pub use outcome::{
    ChanceStatistics, DiagramStatistics, Extent, Limit, Outcome, ReductionStatistics, Statistics,
    TimeSplit,
};
pub use question::{Decision, Question, SAFETY, Scope, Subject};
pub use settings::{
    AfterViolation, Checkpoints, CycleSearch, Deadlock, Expansion, Fairness, Firing, Limits,
    Machine, Manner, PartialOrder, PartialSymmetry, SearchOrder, SymmetryUse, guarantee_on_sets,
};
pub use value::{Amount, Numbers, Precision, Valued};
pub use violations::ViolationCounts;

use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::ids::{ConditionId, MonitorId, PropertyId};
use mandala_model::property::{Ctl, Property, PropertyKind, RunOrigin};
use mandala_prepare::Prepared;
use mandala_symmetry::Certificate;
use std::time::Duration;

/// Something that searches.
pub trait Engine: Sync {
    /// The name by which a user asks for it.
    fn name(&self) -> &'static str;

    /// What it is for, in one line.
    fn help(&self) -> &'static str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Searches.
    ///
    /// # Errors
    ///
    /// If the engine cannot carry the model or the task, or meets a defect of its own.
    fn run(
        &self,
        task: &Task<'_>,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Outcome, EngineError>;
}

/// What an engine can do. Whatever is asked for beyond that is refused by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// How it uses symmetry.
    pub symmetry: SymmetrySupport,
    /// Whether several threads search.
    pub workers: bool,
    /// Whether there are stores that are not exact.
    pub lossy_stores: bool,
    /// Whether it has native code that can be switched off.
    pub native_code: bool,
    /// Whether it tells violations apart by what they come from.
    pub causes: bool,
    /// Whether it writes checkpoints.
    pub checkpoints: bool,
    /// Whether it leaves out steps that are independent of others.
    pub partial_order: bool,
    /// Whether it decides what accepting cycles violate, fairness included.
    pub cycles: bool,
    /// Whether it can be asked for a shortest run of those that go round for ever.
    pub shortest_cycles: bool,
    /// Whether a limit on the depth holds depth first.
    pub depth_first_depth: bool,
    /// Whether a limit on memory holds.
    pub memory: bool,
    /// Whether it counts how often each statement is executed.
    pub statement_counts: bool,
    /// Whether it follows which element of a multiset a rule chooses.
    pub multiset_elements: bool,
    /// Whether it carries out rules with parameters and quantifiers as they are. Otherwise it gets their instances.
    pub rules: bool,
    /// Whether it computes probabilities and expected rewards.
    pub chance: bool,
}

/// How an engine uses symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymmetrySupport {
    /// Not at all.
    None,
    /// One representative for each state, by any strategy.
    Representatives,
    /// Representatives of whole sets.
    Sets,
}

/// A property that something must stay possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The property.
    pub property: PropertyId,
    /// What.
    pub demanded: Demanded,
}

/// What must stay possible, in terms of what is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demanded {
    /// That one of the monitors holds.
    One(Vec<MonitorId>),
    /// For each instance of the property ([`mandala_model::several`]), that one of these holds: a monitor in a choice of its parameters. Where there is none the
    /// instance can never hold.
    Each(Vec<Vec<(MonitorId, u32)>>),
}

/// What an engine is asked to do.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// What is searched: the model of the user, or what was made of it, and what can be exchanged in it without the question noticing.
    pub prepared: &'a Prepared,
    /// What is asked.
    pub question: &'a Question,
    /// What must stay possible.
    pub goals: Vec<Goal>,
    /// The order in which states are visited.
    pub order: SearchOrder,
    /// How far it may go, with the time that is left.
    pub limits: Limits,
    /// What happens after a violation.
    pub after_violation: AfterViolation,
    /// How many violations that differ in what they come from are to be shown, if the search goes on after one.
    pub bugs: u32,
    /// Whether steps that are independent of others are left out.
    pub partial_order: PartialOrder,
    /// How symmetry is used, if there is any.
    pub symmetry: &'a SymmetryUse,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// How accepting cycles are searched for.
    pub cycles: CycleSearch,
    /// Whether a shortest counterexample is wanted.
    pub shortest: bool,
    /// How well values are computed.
    pub precision: Precision,
    /// How the machine is used.
    pub machine: Machine,
}

impl<'a> Task<'a> {
    /// The model that is searched.
    pub fn model(&self) -> &'a Model {
        &self.prepared.searched
    }

    /// What can be exchanged in it, if there is anything.
    pub fn certificate(&self) -> Option<&'a Certificate> {
        self.prepared.certificate.as_ref()
    }

    /// The property that is asked about, if one is stated.
    pub fn property(&self) -> Option<&'a Property> {
        let id = self.question.subject.property()?;
        self.model().properties.get(id.index())
    }

    /// Whether it is asked that every infinite run makes progress. An end is no lack of progress.
    pub fn is_about_progress(&self) -> bool {
        let kind = self.question.property_kind(self.model());
        kind.and_then(PropertyKind::origin) == Some(&RunOrigin::NonProgress)
    }

    /// The formula of computation tree logic that is asked about, and the conditions that its propositions are, for each instance with its indices put in: one instance, if there
    /// are no indices.
    ///
    /// # Panics
    ///
    /// If something else is asked about.
    pub fn branching_formula(&self) -> (&'a Ctl, Vec<Vec<(ConditionId, Expr)>>) {
        let kind = self.property().map(|property| &property.kind);
        let Some(kind @ PropertyKind::Ctl { formula, indices }) = kind else {
            unreachable!("the question is about a formula of computation tree logic");
        };
        let conditions = |instance| {
            let chosen = indices.chosen(instance);
            let conditions = kind.conditions().into_iter();
            let conditions = conditions.map(|id| (id, &self.model().condition(id).condition));
            conditions
                .map(|(id, condition)| (id, indices.put_in(&chosen, condition)))
                .collect()
        };
        (formula, (0..indices.count()).map(conditions).collect())
    }

    /// The property that is asked about, if it is a formula of computation tree logic with indices.
    pub fn indexed_formula(&self) -> Option<PropertyId> {
        let kind = &self.property()?.kind;
        let has_indices = matches!(kind, PropertyKind::Ctl { .. }) && !kind.indices().is_empty();
        self.question.subject.property().filter(|_| has_indices)
    }

    /// Refuses a question about probabilities, for an engine that takes what chance decides as a choice.
    ///
    /// # Errors
    ///
    /// If it is one.
    pub fn require_no_chance(&self) -> Result<(), EngineError> {
        match self.question.decision {
            Decision::Value => Err(EngineError::Unsupported(format!(
                "`{}` asks for probabilities, which this engine does not compute",
                self.question.name
            ))),
            Decision::Full | Decision::Cycles | Decision::Branching => Ok(()),
        }
    }

    /// What is left of it once that much time has gone by.
    #[must_use]
    pub fn after(&self, time: Duration) -> Self {
        let left = self.limits.time.map(|limit| limit.saturating_sub(time));
        Task {
            limits: Limits {
                time: left,
                ..self.limits
            },
            ..self.clone()
        }
    }
}
