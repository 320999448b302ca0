//! Every number of threads: what must not be reached is decided for a thread transition system, with however many threads.
//!
//! The answer is `holds` for every number, or a number of threads, the smallest, with which there is a violation. Then the model with as many threads is
//! checked as any other, so that what is shown is a run that the reference interpreter has executed. What the search of that model says counts: if it found nothing, that would be a defect.

use crate::document::threads::{Decision, answered, with_decision};
use crate::error::CheckError;
use crate::frontend::LoadedModel;
use crate::options::CheckOptions;
use crate::outcome::Verdict;
use crate::plan::{CheckPlan, PlanError, plan};
use crate::run::{self, EngineError};
use crate::watch::{Phase, Progress, Watch, Wish};
use crate::{Document, Refusal, check_model, limits};
use mandala_boolean::Threads;
use mandala_coverability::decide::World;
use mandala_coverability::{Answer, Decider, Proof, Reached};

/// How the work on every number of threads has ended.
enum Ending {
    Answered(Answer),
    /// Why it was given up.
    Stopped(String),
}

/// Checks a model for every number of threads.
pub(crate) fn check(
    loaded: &LoadedModel,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Document, Refusal> {
    watch.enter(Phase::Planning);
    require_plain(options)?;
    let plan = plan(&loaded.model, options).map_err(Refusal::Plan)?;
    let planned = run::planned(loaded, &plan).map_err(Refusal::Check)?;
    watch.learn(planned.clone());
    watch.enter(Phase::Preparing);
    let system = threads(loaded).system().map_err(|error| {
        let help = error.help.as_ref().map(|help| format!("; {help}"));
        let what = format!("{}{}", error.message, help.unwrap_or_default());
        let span = Some(error.span);
        Refusal::Check(CheckError::Engine(EngineError::NotTaken { what, span }))
    })?;
    watch.enter(Phase::Searching);
    let world = World::new(&system);
    let mut decider = Decider::new(&world);
    let ending = decide(&mut decider, &plan, watch);
    let reached = decider.reached();
    let document = match ending {
        Ending::Answered(Answer::Covered(number)) => {
            return violated(loaded, options, watch, number, &reached);
        }
        Ending::Answered(Answer::Never(proof)) => {
            let decision = Decision::never(told(proof));
            answered(planned, &Verdict::Holds, &reached, decision)
        }
        Ending::Stopped(reason) => {
            let reason = format!("{reason}; {}", so_far(&reached));
            let decision = Decision::never("not decided".into());
            answered(planned, &Verdict::Unknown(reason), &reached, decision)
        }
    };
    watch.enter(Phase::Concluding);
    Ok(document)
}

/// The threads of a model that has any number.
fn threads(loaded: &LoadedModel) -> &Threads {
    match &loaded.threads {
        Some(threaded) => &threaded.threads,
        None => unreachable!("only models with any number of threads come here"),
    }
}

/// What is asked for must matter where no states are searched one by one.
fn require_plain(options: &CheckOptions) -> Result<(), Refusal> {
    let usual = CheckOptions::default();
    let asked = [
        (options.engine != usual.engine, "--engine"),
        (options.symmetry != usual.symmetry, "--symmetry"),
        (options.main_array != usual.main_array, "--main-array"),
        (options.expand != usual.expand, "--expand"),
        (options.firing != usual.firing, "--fire"),
        (options.partial_order != usual.partial_order, "--por"),
        (options.fairness != usual.fairness, "--fair"),
        (options.cycles != usual.cycles, "--cycles"),
        (options.shortest, "--shortest"),
        (
            options.static_reductions != usual.static_reductions,
            "--static",
        ),
        (options.order != usual.order, "--search"),
        (options.store != usual.store, "--store"),
        (options.interpret, "--interpret"),
        (options.statement_counts, "--coverage"),
        (options.checkpoint.is_some(), "--checkpoint"),
        (options.limits.depth.is_some(), "--depth"),
        (options.deadlock != usual.deadlock, "--deadlock"),
        (
            options.after_violation != usual.after_violation,
            "--keep-going",
        ),
        (options.bugs != usual.bugs, "--bugs"),
        (options.properties != usual.properties, "--property"),
        (options.proof_effort != usual.proof_effort, "--proof-effort"),
    ];
    match asked.into_iter().find(|(asked, _)| *asked) {
        Some((_, option)) => Err(Refusal::Plan(PlanError::EveryNumber(option))),
        None => Ok(()),
    }
}

/// Works until there is an answer or a limit is reached.
fn decide(decider: &mut Decider<'_>, plan: &CheckPlan, watch: &mut dyn Watch) -> Ending {
    loop {
        if let Some(answer) = decider.advance() {
            return Ending::Answered(answer);
        }
        let bytes = crate::resident_bytes().unwrap_or(0);
        let progress = Progress {
            states: decider.size(),
            bytes,
            ..Progress::default()
        };
        if watch.update(&progress) == Wish::Stop {
            return Ending::Stopped("interrupted".into());
        }
        if let Some(reason) = limit(plan, &progress) {
            return Ending::Stopped(reason);
        }
    }
}

/// The limit that is reached, if one is.
fn limit(plan: &CheckPlan, progress: &Progress) -> Option<String> {
    if let Some(time) = plan.limits.time.filter(|_| plan.is_over()) {
        return Some(limits::limit_of_time(time));
    }
    if let Some(bytes) = plan.limits.memory.filter(|most| progress.bytes > *most) {
        return Some(limits::limit_of_memory(bytes));
    }
    let states = plan.limits.states.filter(|most| progress.states >= *most);
    states.map(|most| format!("the limit of {most} configurations was reached"))
}

/// The model with the smallest number of threads, checked as any other.
fn violated(
    loaded: &LoadedModel,
    options: &CheckOptions,
    watch: &mut dyn Watch,
    number: u32,
    reached: &Reached,
) -> Result<Document, Refusal> {
    let defect = |what| Refusal::Check(CheckError::Defect(what));
    let bounded = loaded.with_threads(number).map_err(defect)?;
    let document = check_model(&bounded, options, watch)?;
    let decided = match number {
        1 => "one thread is enough".into(),
        _ => format!("{number} threads are needed, and enough"),
    };
    with_decision(document, reached, Decision::with(number, decided)).ok_or_else(|| {
        defect(format!(
            "a violation with {number} threads was found backwards, but none forwards (this is a defect of Mandala)"
        ))
    })
}

fn so_far(reached: &Reached) -> String {
    let explored = match reached.rounds.last() {
        Some(round) => format!("no violation with up to {} threads", round.threads),
        None => "not even one thread was explored completely".into(),
    };
    match reached.is_coverable {
        true => format!("{explored}, but there is one with more"),
        false => explored,
    }
}

fn told(proof: Proof) -> String {
    match proof {
        Proof::Pairs => {
            "no thread can be where the violation is, however many threads are where".into()
        }
        Proof::Backward => "backward search: no start is above a minimal violation".into(),
        Proof::KarpMiller => "Karp-Miller tree: no configuration covers a violation".into(),
        Proof::CutOff(threads) => {
            format!("cut-off: more than {threads} threads reach no new thread states")
        }
        Proof::NoMoreThreads => "there are never more threads than at the start".into(),
    }
}
