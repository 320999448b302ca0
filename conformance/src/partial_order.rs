//! One model, searched with all steps and with some left out: what can go wrong must stay the same.

use crate::with_and_without::Agreement;
use mandala_checker::Refusal;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{
    CheckOptions, Limits as CheckLimits, SAFETY, SearchOrder, Selection, StaticReductions, Switch,
    SymmetryChoice,
};
use mandala_checker::plan::PlanError;
use mandala_checker::run::CheckError;
use mandala_checker::watch::Nobody;
use mandala_encoding::{Coverage, Program};
use mandala_explicit::{AfterViolation, Concerns, Extent, Limits, Options, search};
use mandala_model::Model;
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::instantiate::{rules, written_out};
use mandala_model::step::{Observers, Violation};
use mandala_report::document::Verdict;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// Everything that a search has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    states: u64,
    /// What goes wrong, each thing once: how often it is met depends on how often a step is made.
    wrong: BTreeSet<String>,
    /// How many states are deadlocks.
    deadlocks: u64,
    /// The edges that were taken.
    taken: Vec<EdgeId>,
}

/// The orders, with one worker and with several that share from the first state on.
const MANNERS: [(SearchOrder, usize); 4] = [
    (SearchOrder::BreadthFirst, 1),
    (SearchOrder::BreadthFirst, 2),
    (SearchOrder::DepthFirst, 1),
    (SearchOrder::DepthFirst, 2),
];

/// Searches a model in all ways: as rules, and with each rule written out for each choice of its parameters.
///
/// # Errors
///
/// What differs, in words.
pub fn compare(loaded: &LoadedModel, limit: u64) -> Result<Agreement, String> {
    let instances = written_out(Model::clone(&loaded.model)).map_err(|error| error.to_string())?;
    let (full, reduced) = match lessened(&instances, limit)? {
        Lessened::Both { full, reduced } => (full, reduced),
        Lessened::Neither(why) => return Ok(why),
    };
    let rules = rules(Model::clone(&loaded.model)).map_err(|error| error.to_string())?;
    if rules.not_written_out().is_some() {
        let as_rules = lessened(&rules, limit).map_err(|what| format!("as rules: {what}"))?;
        as_rules.agrees(&full)?;
    }
    let violated = !full.wrong.is_empty();
    conclude(loaded, violated)?;
    Ok(Agreement::Same {
        full: full.states,
        reduced,
        violated,
    })
}

/// What a search of one form of a model has seen.
enum Lessened {
    /// With all steps, and how many states there are with some left out.
    Both { full: Seen, reduced: u64 },
    /// There is nothing to compare.
    Neither(Agreement),
}

impl Lessened {
    /// Whether another form of the model has the same states. How many are left may differ: of instances, what a loop carries from one value to the next is
    /// known as well.
    fn agrees(&self, other: &Seen) -> Result<(), String> {
        let Lessened::Both { full, .. } = self else {
            return Err("rules are not searched, and their instances are".into());
        };
        let of = |seen: &Seen| (seen.states, seen.deadlocks, seen.wrong.is_empty());
        match of(full) == of(other) {
            true => Ok(()),
            false => Err(format!("as rules {full:?}, as instances {other:?}")),
        }
    }
}

/// Searches one form of a model with all steps, and in all manners with some left out, in either way of making sure that none is put off for ever.
fn lessened(model: &Model, limit: u64) -> Result<Lessened, String> {
    let program = compile(model)?;
    let Some(full) = explore(model, &program, MANNERS[0], limit)? else {
        return Ok(Lessened::Neither(Agreement::TooLarge));
    };
    let Ok(program) = program.leaving_out_steps(model) else {
        return Ok(Lessened::Neither(Agreement::Refused));
    };
    let mut reduced = left(model, &program, &full, limit)?;
    if program.marks_cycles() {
        let unmarked = left(model, &program.without_marks(), &full, limit);
        reduced = reduced.min(unmarked.map_err(|what| format!("without marks: {what}"))?);
    }
    Ok(Lessened::Both { full, reduced })
}

/// How many states are left breadth first, if nothing is missed in any manner.
fn left(model: &Model, program: &Program, full: &Seen, limit: u64) -> Result<u64, String> {
    let mut breadth_first = None;
    for manner in MANNERS {
        let reduced = explore(model, program, manner, limit)?;
        let reduced = reduced.ok_or("more states than without reduction")?;
        agree(full, &reduced).map_err(|what| format!("{manner:?}: {what}"))?;
        let states = *breadth_first.get_or_insert(reduced.states);
        if manner.0 == SearchOrder::BreadthFirst && states != reduced.states {
            let counts = format!("{states} states, {} with two workers", reduced.states);
            return Err(counts);
        }
    }
    Ok(breadth_first.unwrap_or_default())
}

fn compile(model: &Model) -> Result<Program, String> {
    Program::compile(model, Observers::default()).map_err(|error| error.to_string())
}

/// Visits all states; nothing if there are too many.
fn explore(
    model: &Model,
    program: &Program,
    (order, workers): (SearchOrder, usize),
    limit: u64,
) -> Result<Option<Seen>, String> {
    let wrong: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let options = Options {
        order,
        workers,
        share_from: 1,
        on_violation: AfterViolation::GoOn,
        concerns: noting(&wrong),
        limits: Limits {
            states: Some(limit),
            ..Limits::default()
        },
        ..Options::default()
    };
    let outcome = search(program, &options, &mut |_| ()).map_err(|error| error.to_string())?;
    if outcome.extent != Extent::Complete {
        return Ok(None);
    }
    let options = Options {
        concerns: Concerns::new(|violation| *violation == Violation::Deadlock),
        ..options
    };
    let again = search(program, &options, &mut |_| ()).map_err(|error| error.to_string())?;
    let wrong = wrong.lock().map_err(|error| error.to_string())?.clone();
    Ok(Some(Seen {
        states: outcome.statistics.states,
        wrong,
        deadlocks: again.violations.total(),
        taken: taken(model, program, &outcome.reached),
    }))
}

/// Notes what goes wrong.
fn noting(wrong: &Arc<Mutex<BTreeSet<String>>>) -> Concerns {
    let wrong = Arc::clone(wrong);
    Concerns::new(move |violation: &Violation| {
        if let Ok(mut wrong) = wrong.lock() {
            wrong.insert(format!("{violation:?}"));
        }
        true
    })
}

fn taken(model: &Model, program: &Program, reached: &Coverage) -> Vec<EdgeId> {
    let templates = (0..).map(TemplateId).zip(&model.templates);
    let edges = templates.flat_map(|(template, of)| {
        (0..of.edges.len() as u32).map(move |index| EdgeId { template, index })
    });
    edges
        .filter(|edge| reached.edge(program, *edge) > 0)
        .collect()
}

fn agree(full: &Seen, reduced: &Seen) -> Result<(), String> {
    if full.wrong != reduced.wrong {
        let (all, some) = (&full.wrong, &reduced.wrong);
        return Err(format!("with all steps {all:?}, with some {some:?}"));
    }
    if full.deadlocks != reduced.deadlocks {
        let (all, some) = (full.deadlocks, reduced.deadlocks);
        return Err(format!("{all} deadlocks, with some steps left out {some}"));
    }
    if full.taken != reduced.taken {
        let (all, some) = (full.taken.len(), reduced.taken.len());
        return Err(format!(
            "{all} edges are taken, with some steps left out {some}"
        ));
    }
    match reduced.states > full.states {
        true => Err(format!("{} states become {}", full.states, reduced.states)),
        false => Ok(()),
    }
}

/// Whether something must turn out to be violated. Of rules that is what it is with all steps: what is covered in no run is violated as well, and
/// nothing goes wrong there.
fn expected(loaded: &LoadedModel, violated: bool) -> bool {
    let options = CheckOptions {
        partial_order: Switch::Off,
        ..options_for(loaded)
    };
    let with_all_steps = || mandala_checker::check(loaded, &options, &mut Nobody);
    let rules = loaded.model.is_system_of_rules();
    let document = rules.then(with_all_steps).and_then(Result::ok);
    document.map_or(violated, |document| document.verdict == Verdict::Violated)
}

/// The verdict is the same with symmetry, with static reductions and in both orders, and what is shown can be replayed.
fn conclude(loaded: &LoadedModel, violated: bool) -> Result<(), String> {
    let violated = expected(loaded, violated);
    for symmetry in [SymmetryChoice::Off, SymmetryChoice::default()] {
        for static_reductions in [StaticReductions::NONE, StaticReductions::ALL] {
            for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
                let options = CheckOptions {
                    symmetry,
                    static_reductions,
                    order,
                    ..options_for(loaded)
                };
                verdict(loaded, &options, violated).map_err(|what| {
                    format!("{symmetry:?}, {static_reductions:?}, {order:?}: {what}")
                })?;
            }
        }
    }
    Ok(())
}

/// All of a system of rules, the safety of any other model, with steps left out.
fn options_for(loaded: &LoadedModel) -> CheckOptions {
    let safety = options();
    match loaded.model.is_system_of_rules() {
        true => CheckOptions {
            properties: Selection::default(),
            ..safety
        },
        false => safety,
    }
}

/// The safety of a model, with steps left out.
pub fn options() -> CheckOptions {
    CheckOptions {
        partial_order: Switch::On,
        properties: Selection::Named(vec![SAFETY.into()]),
        limits: CheckLimits::default(),
        ..CheckOptions::default()
    }
}

fn verdict(loaded: &LoadedModel, options: &CheckOptions, violated: bool) -> Result<(), String> {
    let document = match mandala_checker::check(loaded, options, &mut Nobody) {
        Ok(document) => document,
        // An observer of messages, which the search above was made without; a declaration that is not proved.
        Err(Refusal::Plan(PlanError::PartialOrder { .. }) | Refusal::Symmetry(_)) => return Ok(()),
        Err(Refusal::Check(CheckError::NoRun(_))) if !violated => return Ok(()),
        Err(other) => return Err(format!("{other:?}")),
    };
    match (document.verdict == Verdict::Violated) == violated {
        true => Ok(()),
        false => Err(format!("{:?}", document.verdict)),
    }
}
