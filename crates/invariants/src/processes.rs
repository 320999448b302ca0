//! Families of processes: no process asks which process it is, or what others are doing.
//!
//! Then a step of a process reads and writes what is shared and what is its own, and goes the same way with any other processes.

use crate::family::NotConfirmed;
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Root};
use mandala_model::ids::LocationId;
use mandala_model::source::Span;
use mandala_model::template::{Effect, Step, Template};
use mandala_model::types::Initial;
use std::collections::BTreeSet;

/// Checks the processes of a model.
pub(crate) fn check(model: &Model) -> Result<(), NotConfirmed> {
    for variable in &model.globals {
        match &variable.initial {
            Initial::Fill(value) => expression(value)?,
            Initial::List(values) => values.iter().try_for_each(expression)?,
            Initial::Default | Initial::NewChannel(_) => {}
        }
    }
    let templates: BTreeSet<_> = model.start.iter().map(|process| process.template).collect();
    for template in templates {
        template_of(model.template(template))?;
    }
    for monitor in &model.monitors {
        step(&monitor.step, monitor.span)?;
    }
    model
        .start
        .iter()
        .flat_map(|p| &p.arguments)
        .try_for_each(expression)
}

fn template_of(template: &Template) -> Result<(), NotConfirmed> {
    let mut found = Ok(());
    template.each_whole(&mut |whole| {
        if found.is_ok() {
            found = expression(whole);
        }
    });
    found?;
    let reached = reached(template);
    let edges = template.edges.iter();
    let mut edges = edges.filter(|edge| reached.contains(&edge.source));
    edges.try_for_each(|edge| step(&edge.step, edge.span))
}

/// The locations that a process may be at.
fn reached(template: &Template) -> BTreeSet<LocationId> {
    let mut reached = BTreeSet::from([template.entry]);
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        for (_, edge) in template.edges_from(location) {
            if reached.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    reached
}

fn step(step_: &Step, span: Span) -> Result<(), NotConfirmed> {
    match step_ {
        Step::Guarded { effects, .. } => {
            for effect in effects {
                match effect {
                    Effect::Assign { place, .. } => root(&place.root, place.span)?,
                    Effect::Spawn { .. } | Effect::SetPriority { .. } | Effect::Insert(_) => {
                        return Err(NotConfirmed::at(span, "a step changes other processes"));
                    }
                    _ => {}
                }
            }
            Ok(())
        }
        Step::Else => Ok(()),
        Step::Routine(routine) => {
            let mut choices = routine.nodes.iter().flat_map(|node| &node.choices);
            choices.try_for_each(|choice| step(&choice.step, choice.span))
        }
        Step::Send { .. } | Step::Receive { .. } | Step::Exit | Step::Call(_) => Err(
            NotConfirmed::at(span, "a step depends on other processes or channels"),
        ),
    }
}

fn root(root: &Root, span: Span) -> Result<(), NotConfirmed> {
    match root {
        Root::Global(_) | Root::Local(_) => Ok(()),
        _ => Err(NotConfirmed::at(
            span,
            "a variable of another process is used",
        )),
    }
}

fn expression(whole: &Expr) -> Result<(), NotConfirmed> {
    let mut found = Ok(());
    whole.walk(&mut |e| {
        let fits = match &e.kind {
            ExprKind::Const(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Quantified(_)
            | ExprKind::Bound(_) => Ok(()),
            ExprKind::Read(place) => root(&place.root, place.span),
            _ => Err(NotConfirmed::at(
                e.span,
                "something is asked of processes or channels",
            )),
        };
        if found.is_ok() {
            found = fits;
        }
    });
    found
}
