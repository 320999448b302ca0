//! The registry of engines, and the way from the plan of a check to the task of an engine.
//!
//! A new engine is one crate that implements [`Engine`], and one line in [`EngineChoice::ALL`].

mod choice;

pub use choice::EngineChoice;

use crate::checkpoint;
use crate::error::CheckError;
use crate::plan::{CheckPlan, Means};
use crate::watch::Watch;
use mandala_engine::{
    AfterViolation, Deadlock, Decision, Demanded, Extent, Goal, Limit, Limits, Machine, Outcome,
    PartialOrder, Question, Scope, Subject, Task,
};
use mandala_model::property::PropertyKind;
use mandala_model::step::Observers;
use mandala_prepare::Prepared;

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
    let mut found = plan.engine.answering(question).engine().run(&task, watch)?;
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
        precision: plan.precision,
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
