//! Families of processes: they communicate by shared variables, and no other process knows one of them by its number.

use super::Needs;
use crate::refusal::{Condition, Refused};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Root};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Effect, Step, Template};
use mandala_model::types::{Initial, Variable};
use std::collections::BTreeSet;

/// Checks a model of processes. One step is made by one process, so that is all that it takes.
pub(super) fn check(model: &Model, family: TemplateId) -> Result<Needs, Refused> {
    for process in &model.start {
        process.arguments.iter().try_for_each(require_number)?;
    }
    if model.start_held {
        return Err(Refused::at(
            Condition::Questions,
            model.template(family).span,
            "a process holds control at the start",
        ));
    }
    for process in &model.start {
        template(model.template(process.template))?;
    }
    if let Some(monitor) = model.monitors.iter().find(|m| !m.parameters.is_empty()) {
        return Err(Refused::at(
            Condition::Property,
            monitor.span,
            "it is asked of numbers, which may be those of processes",
        ));
    }
    for monitor in &model.monitors {
        code(&monitor.step, monitor.span)?;
    }
    let mut needs = Needs::default();
    needs.step(1, 1);
    Ok(needs.settled())
}

fn template(template: &Template) -> Result<(), Refused> {
    if template.deterministic {
        return Err(Refused::at(
            Condition::Questions,
            template.span,
            "a process must never have a choice",
        ));
    }
    template.provided.iter().try_for_each(expr)?;
    template.locals.iter().try_for_each(first_value)?;
    let reached = reached(template);
    for edge in template
        .edges
        .iter()
        .filter(|e| reached.contains(&e.source))
    {
        code(&edge.step, edge.span)?;
    }
    Ok(())
}

/// What a local variable holds at first must not tell processes apart, either.
fn first_value(local: &Variable) -> Result<(), Refused> {
    match &local.initial {
        Initial::Default => Ok(()),
        Initial::Fill(value) => expr(value),
        Initial::List(values) => values.iter().try_for_each(expr),
        Initial::NewChannel(_) => Err(Refused::at(
            Condition::Size,
            local.span,
            "every process has a channel of its own",
        )),
    }
}

/// The locations that a process can come to, as far as its edges tell.
fn reached(template: &Template) -> BTreeSet<LocationId> {
    let mut reached = BTreeSet::from([template.entry]);
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        let edges = template.edges.iter().filter(|e| e.source == location);
        open.extend(edges.map(|e| e.target).filter(|t| reached.insert(*t)));
    }
    reached
}

fn code(step: &Step, span: Span) -> Result<(), Refused> {
    let refused = |message: &str| Err(Refused::at(Condition::Questions, span, message));
    match step {
        Step::Exit => return refused("a process ends only if the ones made after it have ended"),
        Step::Send { .. } | Step::Receive { .. } => {
            return refused("a step that depends on what other processes or channels do");
        }
        Step::Guarded { effects, .. } => effects.iter().try_for_each(|e| effect(e, span))?,
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            for choice in choices {
                code(&choice.step, choice.span)?;
            }
            return Ok(());
        }
        Step::Else | Step::Call(_) => {}
    }
    let mut found = Ok(());
    step.clone().each_expr_mut(&mut |e| {
        if found.is_ok() {
            found = part(e);
        }
    });
    found
}

fn effect(effect: &Effect, span: Span) -> Result<(), Refused> {
    match effect {
        Effect::Spawn { .. } => Err(Refused::at(
            Condition::Size,
            span,
            "a process is made while the model runs",
        )),
        Effect::SetPriority { .. } => Err(Refused::at(
            Condition::Questions,
            span,
            "processes have priorities",
        )),
        _ => Ok(()),
    }
}

fn require_number(e: &Expr) -> Result<(), Refused> {
    match e.as_constant() {
        Some(_) => Ok(()),
        None => Err(Refused::at(
            Condition::Symmetry,
            e.span,
            "what a process is given is no number",
        )),
    }
}

fn expr(e: &Expr) -> Result<(), Refused> {
    let mut found = Ok(());
    e.walk(&mut |e| {
        if found.is_ok() {
            found = part(e);
        }
    });
    found
}

fn part(e: &Expr) -> Result<(), Refused> {
    let refused = |condition, message: &str| Err(Refused::at(condition, e.span, message));
    match &e.kind {
        ExprKind::SelfId | ExprKind::FirstInstance(_) | ExprKind::LastMover => refused(
            Condition::Symmetry,
            "the number of a process is used, and here only names in rules may tell members apart",
        ),
        ExprKind::ProcessCount => refused(
            Condition::Questions,
            "it is asked how many processes there are",
        ),
        ExprKind::Timeout | ExprKind::Enabled(_) => refused(
            Condition::Questions,
            "it is asked whether other processes can do something",
        ),
        ExprKind::NonProgress
        | ExprKind::Accepting
        | ExprKind::LocationNumber(_)
        | ExprKind::Priority(_)
        | ExprKind::At { .. } => refused(Condition::Questions, "it is asked where processes are"),
        ExprKind::Channel(..) | ExprKind::Poll { .. } => {
            refused(Condition::Questions, "it is asked what is in a channel")
        }
        ExprKind::Read(place) => match place.root {
            Root::Remote { .. } | Root::OwnPriority => refused(
                Condition::Questions,
                "a variable of another process is used",
            ),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}
