//! Processes that have ended stay where they are.
//!
//! In Promela a process that has reached its end leaves only when it is the last of those that were made, so
//! the order in which processes leave tells their numbers. Two processes that are interchangeable in every other
//! respect are told apart by it, and symmetry is lost on every model whose processes end. But leaving changes nothing
//! that a model can see, unless it asks: so where nobody asks, the steps in which processes leave are taken out of
//! the model.
//!
//! # Why verdicts carry over
//!
//! Let `M` be the model and `M'` the one without leaving. A process that has ended has no other steps in either. Map a state of
//! `M'` to one of `M` by removing ended processes from the end of the list as long as there are any.
//!
//! - What other processes do depends on an ended one only through what [`keep_ended`] rules out: how many processes there
//!   are, which number the next one gets, questions about the location or the variables of a process,
//!   whether it can move, who moved last, the channels that came with it. So a step of `M'` is a step of `M` between the
//!   states that these are mapped to, perhaps with leavings before or after it.
//! - `timeout` is true in `M` when nobody can move, not even leave; leavings cannot go on for ever and disable
//!   nobody, so wherever `timeout` is true in `M'` it becomes true in `M` after the leavings that are possible, and the
//!   other way round.
//! - Nobody can move in `M'` iff nobody can in `M` after the leavings that are possible. An ended process is at a location
//!   where it may stay, so one of these is a deadlock iff the other is.
//! - Assertions and run-time errors belong to steps that both have.
//!
//! A claim sees every step, and so every leaving: with a claim nothing is rewritten.

use crate::reverify::{RewriteDefect, reverify};
use crate::slots::makes_channels;
use crate::visits::{self, spawned};
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::template::{Control, Edge, Effect, Role, Step, Template};
use mandala_model::{Model, UncheckedModel};
use std::collections::BTreeSet;

/// Why processes that have ended must leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Where it can be observed, if that is one place.
    pub span: Option<Span>,
    /// How.
    pub how: &'static str,
}

impl Observed {
    fn at(span: Span, how: &'static str) -> Self {
        Observed {
            span: Some(span),
            how,
        }
    }
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
pub fn keep_ended(model: &Model, observers: Observers) -> Result<Endings, RewriteDefect> {
    let ending = ending_templates(model);
    if ending.is_empty() {
        return Ok(Endings::Never);
    }
    match check_unobserved(model, observers, &ending) {
        Ok(()) => Ok(Endings::Kept(Box::new(rewritten(model)?))),
        Err(observed) => Ok(Endings::Observed(observed)),
    }
}

/// Nobody may see whether processes that have ended stay.
fn check_unobserved(
    model: &Model,
    observers: Observers,
    ending: &BTreeSet<TemplateId>,
) -> Result<(), Observed> {
    check_observers(observers)?;
    if model.is_system_of_rules() {
        let how = "a step that leaves is one that changes the state";
        return Err(Observed { span: None, how });
    }
    check_ends(model, ending)?;
    check_questions(model)?;
    check_channels(model, ending)?;
    check_births(model)
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
fn check_observers(observers: Observers) -> Result<(), Observed> {
    let how = match observers {
        Observers { claim: Some(_), .. } | Observers { asked: Some(_), .. } => {
            "a claim sees every step"
        }
        Observers {
            events: Some(_), ..
        } => "an observer of messages knows when all have left",
        Observers { .. } => return Ok(()),
    };
    Err(Observed { span: None, how })
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
fn check_questions(model: &Model) -> Result<(), Observed> {
    let mut model = UncheckedModel::clone(model);
    let mut found = None;
    if model.tracks_last_mover {
        found = Some(Observed {
            span: None,
            how: "the model asks who moved last",
        });
    }
    model.each_expr_mut(&mut |e| {
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

/// No channel may go with a process.
fn check_channels(model: &Model, ending: &BTreeSet<TemplateId>) -> Result<(), Observed> {
    let templates = ending.iter().map(|id| model.template(*id));
    let mut locals = templates.flat_map(|t| &t.locals);
    match locals.find(|v| makes_channels(model, v)) {
        Some(variable) => Err(Observed::at(
            variable.span,
            "this channel goes when its process leaves",
        )),
        None => Ok(()),
    }
}

/// All processes must have their numbers before the first of them can leave: they are made at the start, or by
/// one process that was made last at the start and makes them all before anybody else can move.
fn check_births(model: &Model) -> Result<(), Observed> {
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        if let Some(span) = harmful_birth(model, id, template) {
            let how = "a process that is made here may get the number of one that has left";
            return Err(Observed::at(span, how));
        }
    }
    Ok(())
}

/// Where the template makes a process after another one may have left, if it does.
fn harmful_birth(model: &Model, id: TemplateId, template: &Template) -> Option<Span> {
    let births = effects(template).filter(|(_, e)| matches!(e, Effect::Spawn { .. }));
    let births: Vec<&Edge> = births.map(|(edge, _)| edge).collect();
    let made_last = model.start.last().is_some_and(|s| s.template == id);
    let only_one = model.start.iter().filter(|s| s.template == id).count() == 1;
    let early = match made_last && only_one && !spawned(model).contains(&id) {
        true => uninterrupted(template),
        false => BTreeSet::new(),
    };
    let late = births.iter().find(|edge| !early.contains(&edge.source));
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
