//! The registry of engines, and the way from the plan of a check to the task of an engine.
//!
//! A new engine is one crate that implements [`Engine`], and one line in [`EngineChoice::ALL`].

use crate::checkpoint;
use crate::plan::{CheckPlan, Means};
use crate::run::CheckError;
use crate::watch::Watch;
use mandala_adaptive::{AdaptiveEngine, VirtualEngine};
use mandala_engine::{
    AfterViolation, Choice, Deadlock, Decision, Demanded, Engine, Extent, Goal, Limit, Limits,
    Machine, Outcome, PartialOrder, Question, Scope, Subject, Task,
};
use mandala_explicit::ExplicitEngine;
use mandala_model::property::PropertyKind;
use mandala_model::step::Observers;
use mandala_prepare::Prepared;
use mandala_reference::ReferenceEngine;
use mandala_symbolic::SymbolicEngine;
use std::fmt;

/// An engine, chosen by its name.
#[derive(Clone, Copy)]
pub struct EngineChoice(&'static dyn Engine);

impl EngineChoice {
    /// One stored state at a time.
    pub const EXPLICIT: EngineChoice = EngineChoice(&ExplicitEngine);

    /// Sets of states as decision diagrams.
    pub const SYMBOLIC: EngineChoice = EngineChoice(&SymbolicEngine);

    /// The reference interpreter.
    pub const REFERENCE: EngineChoice = EngineChoice(&ReferenceEngine);

    /// Adaptive symmetry reduction. It is chosen by `--symmetry adaptive`, and so is not listed.
    pub const ADAPTIVE: EngineChoice = EngineChoice(&AdaptiveEngine);

    /// The quotient of a virtually symmetric model. It is chosen by `--symmetry virtual`, and so is not listed.
    pub const VIRTUAL: EngineChoice = EngineChoice(&VirtualEngine);

    /// Any engine, whether it is listed or not.
    pub const fn of(engine: &'static dyn Engine) -> Self {
        EngineChoice(engine)
    }

    /// The option that asks for it.
    pub fn option(self) -> String {
        let name = self.0.name();
        let by_symmetry = [EngineChoice::ADAPTIVE, EngineChoice::VIRTUAL];
        match by_symmetry.contains(&self) {
            true => format!("--symmetry {name}"),
            false => format!("--engine {name}"),
        }
    }

    /// The engine.
    pub fn engine(self) -> &'static dyn Engine {
        self.0
    }
}

impl Choice for EngineChoice {
    const ALL: &'static [Self] = &[
        EngineChoice::EXPLICIT,
        EngineChoice::SYMBOLIC,
        EngineChoice::REFERENCE,
    ];

    fn name(self) -> &'static str {
        self.0.name()
    }

    fn help(self) -> Option<&'static str> {
        Some(self.0.help())
    }
}

impl Default for EngineChoice {
    fn default() -> Self {
        EngineChoice::EXPLICIT
    }
}

/// Engines are known by their names.
impl PartialEq for EngineChoice {
    fn eq(&self, other: &Self) -> bool {
        Choice::name(*self) == Choice::name(*other)
    }
}

impl Eq for EngineChoice {}

impl fmt::Debug for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Choice::name(*self))
    }
}

/// Lets the engine of the plan search. What it has reached is told of the user's model.
pub fn search(
    plan: &CheckPlan,
    question: &Question,
    prepared: &Prepared,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<Outcome, CheckError> {
    let task = Task {
        machine: machine(&plan.means, prepared)?,
        ..task(plan, question, prepared, limits)
    };
    let mut found = plan.engine.engine().run(&task, watch)?;
    let counted = found.reached.edges.as_mut();
    if let Some(counted) = counted.filter(|_| prepared.is_rewritten()) {
        *counted = prepared.rewrites.origins.counts(counted, &prepared.user);
    }
    Ok(found)
}

/// What the plan has to say about a search, without checkpoints.
fn task<'a>(
    plan: &'a CheckPlan,
    question: &'a Question,
    prepared: &'a Prepared,
    limits: Limits,
) -> Task<'a> {
    Task {
        prepared,
        question,
        goals: goals(prepared, plan, question),
        order: plan.order,
        limits,
        after_violation: plan.after_violation,
        bugs: plan.bugs.get(),
        partial_order: plan.partial_order,
        symmetry: &plan.symmetry,
        fairness: plan.fairness,
        cycles: plan.cycles,
        shortest: plan.shortest,
        machine: without_checkpoints(&plan.means),
    }
}

/// How a search that is complete has ended in fact: before whole runs were considered, if an atomic sequence need not end. Where the engine does
/// not know that, all states are visited once more. Nothing if every atomic sequence ends.
pub fn endless(
    plan: &CheckPlan,
    (question, prepared): (&Question, &Prepared),
    found: &Outcome,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Result<Option<Extent>, CheckError> {
    if let Some(endless) = found.endless {
        return Ok(endless.then_some(Extent::Limited(Limit::EndlessAtomic)));
    }
    let safety = Question {
        subject: Subject::Safety,
        name: question.name.clone(),
        scope: Scope::System(Deadlock::Ignore),
        invariants: Vec::new(),
        observers: Observers {
            claim: None,
            asked: None,
            ..question.observers
        },
        claim_assertions: Vec::new(),
        decision: Decision::Full,
    };
    let task = Task {
        after_violation: AfterViolation::GoOn,
        partial_order: PartialOrder::Off,
        goals: Vec::new(),
        ..task(plan, &safety, prepared, limits)
    };
    Ok(mandala_explicit::endless_atomic(&task, watch)?)
}

/// What must stay possible of all that is judged by the search, which is that for safety.
fn goals(prepared: &Prepared, plan: &CheckPlan, question: &Question) -> Vec<Goal> {
    let judged = plan.judged.iter().filter(|_| question.is_of_system());
    let judged = judged.map(|judged| judged.property);
    let goals = judged.filter_map(|property| {
        let kind = &prepared.searched.properties[property.index()].kind;
        let PropertyKind::Reachable { monitors, .. } = kind else {
            return None;
        };
        let demanded = match prepared.user.instance_count(property) {
            Some(count) => {
                let monitors = |instance| prepared.monitors_of_instance(property, instance);
                Demanded::Each((0..count).map(monitors).collect())
            }
            None => Demanded::One(monitors.clone()),
        };
        Some(Goal { property, demanded })
    });
    goals.collect()
}

/// How the machine is used for a search of that model.
fn machine(means: &Means, prepared: &Prepared) -> Result<Machine, CheckError> {
    let wish = means.checkpoint.as_ref();
    let sealed = |wish| checkpoint::sealed(wish, prepared);
    Ok(Machine {
        checkpoints: wish.map(sealed).transpose()?,
        ..without_checkpoints(means)
    })
}

fn without_checkpoints(means: &Means) -> Machine {
    Machine {
        workers: means.workers.get() as usize,
        store: means.store,
        interpret: means.interpret,
        checkpoints: None,
    }
}
