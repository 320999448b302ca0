//! Processes that have ended stay where they are.
//!
//! In Promela a process that has reached its end leaves only when it is the last of those that were made, so
//! the order in which processes leave tells their numbers. Two processes that are interchangeable in every other
//! respect are told apart by it, and symmetry is lost on every model whose processes end. But leaving changes nothing
//! that a model can see, unless it asks: so where nobody asks, the steps in which processes leave are taken out of
//! the model.
//!
//! # Everything by which the order of leaving can be observed
//!
//! Each of these is shown to be absent, or named with its line where it is not.
//!
//! | what | where it is shown to be absent |
//! |---|---|
//! | how many processes there are (`_nr_pr`), where a process is, its variables, its priority, whether it can move (`enabled`), who moved last (`_last`), `np_` | `check_questions`: nobody asks, neither a process nor the property that is checked |
//! | something else that an ended process can do, or a condition on its leaving (`provided`) | `check_ends` |
//! | a monitor of messages, which knows when all have left; branching time | `check_observers` |
//! | steps that are counted: next in a formula, a claim that is not stutter-invariant | `claims` |
//! | fairness to a process that could leave | `check_observers`: with a claim, all runs must count |
//! | `timeout` behind a process that can leave: with a claim, or where processes are made after others may have left, the run of the rewritten model is then none of the model | `check_timeouts` |
//! | the number that the next process gets, where processes are made after others may have left | `check_numbers`: processes that are made by `run` do not ask for their numbers, and whoever makes one does not keep the number |
//! | the limit of 255 processes and channels, as numbers are not used again | `bounds` |
//! | the channels that go with a process, and the numbers that the next ones get | `handover` |
//!
//! # Why verdicts carry over
//!
//! Let `M` be the model and `M'` the one without leaving. A process that has ended has no other steps in either.
//!
//! *From `M'` to `M`.* Nobody has to leave at once. So a run of `M'` is one of `M` in which nobody leaves, with the same numbers of processes and channels, as long as there is no
//! `timeout` on it. Where nothing can happen any more in `M'`, leavings are possible in `M`; they go on for finitely many steps, disable nobody, and an ended process is
//! at a location where it may stay. So one end is a deadlock iff the other is. A claim reads the last state again and again in both.
//! `timeout` is true in `M` when nobody can move, not even leave: wherever it is true in `M'` it becomes true in `M` after the leavings that are possible.
//!
//! *From `M` to `M'`.* Let a state of `M` and one of `M'` be related if, in the order in which they were made, the processes of `M` are those of `M'` without some that have ended, and
//! if all else is the same but for the numbers of processes that were made by `run` and of their channels, and for references that nobody will use any more.
//!
//! - A leaving of `M` leads to a state that is related to the same one of `M'`.
//! - Every other step of `M` is possible in `M'` and leads to related states: by the table above nothing in it depends on the ended processes, or on the numbers. A new
//!   process becomes the last one in both, and there is room for it in `M'` as well.
//! - Assertions and run-time errors belong to such steps. If `timeout` is true in `M`, nobody can leave, and it is true in `M'`.
//! - So a run of `M` without its leavings is a run of `M'`. For a claim it is the same but for states that are repeated, finitely often (`claims`).

mod bounds;
mod claims;
mod handover;
mod observed;

use crate::reverify::{RewriteDefect, reverify};
use crate::slots::makes_channels;
use crate::visits::{self, spawned};
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::template::{Control, Edge, Effect, Role, Step, Template};
use mandala_model::{Model, UncheckedModel};
pub use observed::Observed;
use observed::model_exprs;
use std::collections::BTreeSet;

/// Which infinite runs count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Runs {
    /// All.
    #[default]
    All,
    /// Those that are fair, whatever to.
    Fair,
}

/// A model with regard to processes that end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endings {
    /// No process ever ends.
    Never,
    /// Processes that have ended must leave: it could be observed if they stayed.
    Observed(Observed),
    /// The model in which processes that have ended stay.
    Kept(Box<Model>),
}

/// The model in which processes that have ended stay, or why there is none.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn keep_ended(
    model: &Model,
    observers: Observers,
    runs: Runs,
) -> Result<Endings, RewriteDefect> {
    let ending = ending_templates(model);
    if ending.is_empty() {
        return Ok(Endings::Never);
    }
    match check_unobserved(model, (observers, runs), &ending) {
        Ok(()) => Ok(Endings::Kept(Box::new(rewritten(model)?))),
        Err(observed) => Ok(Endings::Observed(observed)),
    }
}

/// Whether anybody ends who is one of several of a kind, or takes channels along. Of others it tells nothing that they end: they are like nobody else. `started` says what the processes are instances of that there are once
/// the model has started.
pub fn ends_among_others(model: &Model, started: &[TemplateId]) -> bool {
    let made = spawned(model);
    ending_templates(model).iter().any(|id| {
        let mut locals = model.template(*id).locals.iter();
        let several = started.iter().filter(|other| *other == id).count() > 1;
        several || made.contains(id) || locals.any(|v| makes_channels(model, v))
    })
}

/// Nobody may see whether processes that have ended stay.
fn check_unobserved(
    model: &Model,
    (observers, runs): (Observers, Runs),
    ending: &BTreeSet<TemplateId>,
) -> Result<(), Observed> {
    check_observers(model, observers, runs)?;
    if model.is_system_of_rules() {
        let how = "a step that leaves is one that changes the state";
        return Err(Observed { span: None, how });
    }
    check_ends(model, ending)?;
    check_questions(model, observers)?;
    check_channels(model, ending)?;
    let late = late_spawn(model);
    if late.is_some() || observers.claim.is_some() {
        check_timeouts(model)?;
    }
    match late {
        Some(_) => check_numbers(model).and_then(|()| bounds::check(model)),
        None => Ok(()),
    }
}

/// The templates of processes that can end.
fn ending_templates(model: &Model) -> BTreeSet<TemplateId> {
    let templates = (0..).map(TemplateId).zip(&model.templates);
    let ending = templates.filter(|(_, t)| t.role == Role::Process && can_end(t));
    ending.map(|(id, _)| id).collect()
}

/// Whether a path leads from the entry of a template to an end.
pub fn can_end(template: &Template) -> bool {
    let mut seen = BTreeSet::from([template.entry]);
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        for (_, edge) in template.edges_from(location) {
            if edge.step == Step::Exit {
                return true;
            }
            if seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    false
}

/// Nobody may watch steps one by one, nor whether everybody has left.
fn check_observers(model: &Model, observers: Observers, runs: Runs) -> Result<(), Observed> {
    let everywhere = |how| Err(Observed { span: None, how });
    match observers {
        Observers {
            events: Some(_), ..
        } => everywhere("an observer of messages knows when all have left"),
        Observers { asked: Some(_), .. } => {
            everywhere("a formula of branching time is asked of every state")
        }
        Observers { claim: Some(_), .. } if runs == Runs::Fair => {
            everywhere("a fair run lets a process leave that can")
        }
        Observers {
            claim: Some(claim), ..
        } => claims::check(model, claim),
        Observers { .. } => Ok(()),
    }
}

/// A process that has ended can do nothing but leave, and nothing is asked of it.
fn check_ends(model: &Model, ending: &BTreeSet<TemplateId>) -> Result<(), Observed> {
    for template in ending.iter().map(|id| model.template(*id)) {
        if template.provided.is_some() {
            let how = "whether this process may leave depends on a condition";
            return Err(Observed::at(template.span, how));
        }
        let exits = template.edges.iter().filter(|e| e.step == Step::Exit);
        for exit in exits {
            let location = &template.locations[exit.source.index()];
            if !location.end || location.edges.len() != 1 {
                return Err(Observed::at(
                    exit.span,
                    "a process can do something else here",
                ));
            }
        }
    }
    Ok(())
}

/// Nobody may ask about processes.
fn check_questions(model: &Model, observers: Observers) -> Result<(), Observed> {
    if model.tracks_last_mover {
        let how = "the model asks who moved last";
        return Err(Observed { span: None, how });
    }
    let mut found = None;
    each_expr(model, observers, &mut |e| {
        if let Some(how) = question(e) {
            found.get_or_insert(Observed::at(e.span, how));
        }
    });
    let effects = model.templates.iter().flat_map(effects);
    let mut written = effects.filter_map(|(edge, effect)| match effect {
        Effect::Assign { place, .. } if is_remote(place) => Some(edge.span),
        Effect::SetPriority { .. } => Some(edge.span),
        _ => None,
    });
    if let Some(span) = written.next() {
        found.get_or_insert(Observed::at(span, "another process is changed here"));
    }
    found.map_or(Ok(()), Err)
}

fn question(e: &Expr) -> Option<&'static str> {
    match &e.kind {
        ExprKind::ProcessCount => Some("the number of processes is asked for here"),
        ExprKind::FirstInstance(_)
        | ExprKind::LocationNumber(_)
        | ExprKind::Priority(_)
        | ExprKind::At { .. } => Some("it is asked here where a process is"),
        ExprKind::Enabled(_) => Some("it is asked here whether a process can move"),
        ExprKind::LastMover => Some("it is asked here who moved last"),
        ExprKind::NonProgress => Some("it is asked here whether there is progress"),
        ExprKind::Accepting => {
            Some("it is asked here whether some process is at an accepting place")
        }
        ExprKind::Read(place) if is_remote(place) => {
            Some("a variable of another process is read here")
        }
        _ => None,
    }
}

fn is_remote(place: &Place) -> bool {
    matches!(place.root, Root::Remote { .. } | Root::OwnPriority)
}

/// Calls `visit` on every expression that is evaluated: by processes, while they are made, and by the claim that is checked. Other properties are not asked.
fn each_expr(model: &Model, observers: Observers, visit: &mut impl FnMut(&Expr)) {
    let claim = observers.claim.map(|claim| model.runnable(claim));
    let mut seen = UncheckedModel::clone(model);
    let others = (0..).map(TemplateId).zip(&mut seen.templates);
    for (_, template) in others.filter(|(id, t)| t.role != Role::Process && Some(*id) != claim) {
        *template = Template::empty(&template.name, template.role, template.span);
    }
    seen.conditions.clear();
    seen.each_expr_mut(&mut |e| visit(e));
    if let Some(claim) = claim {
        let mut claim = model.template(claim).clone();
        claim.each_expr_mut(&mut |e| visit(e));
    }
}

/// No time-out may come, as that waits for those who can leave.
fn check_timeouts(model: &Model) -> Result<(), Observed> {
    let mut found = None;
    model_exprs(model, &mut |e| {
        if e.kind == ExprKind::Timeout {
            let how = "this waits until all have left who can, which the claim or the next process would notice";
            found.get_or_insert(Observed::at(e.span, how));
        }
    });
    found.map_or(Ok(()), Err)
}

/// Nobody may use a channel that goes with a process when the process has left.
fn check_channels(model: &Model, ending: &BTreeSet<TemplateId>) -> Result<(), Observed> {
    let owns = |id: &TemplateId| {
        let mut locals = model.template(*id).locals.iter();
        locals.any(|v| makes_channels(model, v))
    };
    if !ending.iter().any(owns) {
        return Ok(());
    }
    // Whoever is made after a channel has gone may get its number for one of his own.
    let owners = ending
        .union(&spawned(model))
        .copied()
        .filter(owns)
        .collect();
    handover::check(model, &owners)
}

/// Nobody may use the number of a process that is made by `run`: it depends on who has left.
fn check_numbers(model: &Model) -> Result<(), Observed> {
    for id in spawned(model) {
        let mut found = None;
        let mut template = model.template(id).clone();
        template.each_expr_mut(&mut |e| {
            if e.kind == ExprKind::SelfId {
                found.get_or_insert(e.span);
            }
        });
        if let Some(span) = found {
            let how = "a process that is made by `run` asks for its number here, which may be that of one that has left";
            return Err(Observed::at(span, how));
        }
    }
    let kept = |effect: &Effect| {
        matches!(
            effect,
            Effect::Spawn {
                result: Some(_),
                ..
            }
        )
    };
    let mut all = model.templates.iter().flat_map(effects);
    match all.find(|(_, effect)| kept(effect)) {
        Some((edge, _)) => {
            let how = "the number of the process that is made here is kept, and may be that of one that has left";
            Err(Observed::at(edge.span, how))
        }
        None => Ok(()),
    }
}

/// Where a process is made after another one may have left. No such place is there if all processes are made at the start, or by
/// one process that was made last at the start and makes them all before anybody else can move.
fn late_spawn(model: &Model) -> Option<Span> {
    let templates = (0..).map(TemplateId).zip(&model.templates);
    let mut late = templates.filter_map(|(id, template)| harmful_spawn(model, id, template));
    late.next()
}

/// Where the template makes a process after another one may have left, if it does.
fn harmful_spawn(model: &Model, id: TemplateId, template: &Template) -> Option<Span> {
    let spawns = effects(template).filter(|(_, e)| matches!(e, Effect::Spawn { .. }));
    let spawns: Vec<&Edge> = spawns.map(|(edge, _)| edge).collect();
    let made_last = model.start.last().is_some_and(|s| s.template == id);
    let only_one = model.start.iter().filter(|s| s.template == id).count() == 1;
    let early = match made_last && only_one && !spawned(model).contains(&id) {
        true => uninterrupted(template),
        false => BTreeSet::new(),
    };
    let late = spawns.iter().find(|edge| !early.contains(&edge.source));
    late.map(|edge| edge.span)
}

/// The locations at which a process can only be before anybody else has moved since its own first step: the
/// entry, and those that are entered only from such locations while it keeps control, and where it can always go on.
///
/// That others can move before its first step does no harm to a process that was made last: nobody who was made
/// before it can leave.
fn uninterrupted(template: &Template) -> BTreeSet<LocationId> {
    let all = || (0..template.locations.len()).map(LocationId::from);
    let mut early: BTreeSet<LocationId> = all().collect();
    let stops = all().filter(|l| *l != template.entry && !always_goes_on(template, *l));
    let released = template.edges.iter().filter(|edge| !keeps_control(edge));
    let mut late: Vec<LocationId> = stops.chain(released.map(|edge| edge.target)).collect();
    while let Some(location) = late.pop() {
        if early.remove(&location) {
            late.extend(template.edges_from(location).map(|(_, edge)| edge.target));
        }
    }
    early
}

fn keeps_control(edge: &Edge) -> bool {
    let steady = !matches!(edge.step, Step::Send { .. } | Step::Exit);
    steady && edge.control == Control::Hold
}

/// Whether one of the edges can always be taken, so that control is not lost.
fn always_goes_on(template: &Template, location: LocationId) -> bool {
    if template.provided.is_some() {
        return false;
    }
    let edges: Vec<&Edge> = template.edges_from(location).map(|(_, e)| e).collect();
    let plain = edges.iter().all(|e| e.escape == 0);
    let guarded = |e: &&&Edge| matches!(e.step, Step::Guarded { .. });
    let has_else = edges.iter().any(|e| e.step == Step::Else)
        && edges
            .iter()
            .filter(|e| e.step != Step::Else)
            .all(|e| guarded(&e));
    plain && (has_else || edges.iter().any(|e| is_always_taken(&e.step)))
}

fn is_always_taken(step: &Step) -> bool {
    matches!(step, Step::Guarded { guard, .. } if guard.as_constant().is_some_and(|v| v != 0))
}

/// All effects of a template's edges, those of routines included.
fn effects(template: &Template) -> impl Iterator<Item = (&Edge, &Effect)> {
    template.edges.iter().flat_map(|edge| {
        let found = visits::effects(&edge.step).into_iter();
        found.map(move |effect| (edge, effect))
    })
}

/// The model with steps that can never be taken in the place of leavings.
fn rewritten(model: &Model) -> Result<Model, RewriteDefect> {
    let mut model = UncheckedModel::clone(model);
    let processes = model.templates.iter_mut();
    for template in processes.filter(|t| t.role == Role::Process) {
        for edge in &mut template.edges {
            if edge.step == Step::Exit {
                edge.step = Step::Guarded {
                    guard: Expr::constant(0, edge.span),
                    effects: Vec::new(),
                };
            }
        }
    }
    reverify("the removal of terminations", model)
}
